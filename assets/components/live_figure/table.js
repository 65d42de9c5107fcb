// A table of numbers that follows a hand: its cells stay, their texts change. Words are set as text, never as markup.

export function fillTable(holder, { columns, rows, total }, label) {
  const shape = `${columns.join("\u0000")}|${rows.length}`;
  if (holder.shape !== shape) build(holder, columns, rows.length, shape);
  holder.setAttribute("aria-label", label);
  const cells = holder.querySelectorAll("tbody th, tbody td, tfoot th, tfoot td");
  [...rows.flat(), ...total].forEach((text, k) => {
    if (cells[k].textContent !== text) cells[k].textContent = text;
  });
}

function build(holder, columns, count, shape) {
  const table = document.createElement("table");
  const line = (section, tag, first) => {
    const row = section.insertRow();
    columns.forEach((_, k) => {
      const cell = document.createElement(k === 0 && first ? "th" : tag);
      if (cell.tagName === "TH") cell.scope = tag === "th" ? "col" : "row";
      cell.dir = "auto";
      row.append(cell);
    });
    return row;
  };
  line(table.createTHead(), "th").querySelectorAll("th").forEach((cell, k) => (cell.textContent = columns[k]));
  const body = table.createTBody();
  for (let k = 0; k < count; k += 1) line(body, "td", true);
  line(table.createTFoot(), "td", true);
  holder.replaceChildren(table);
  holder.shape = shape;
}
