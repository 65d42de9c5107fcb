// Moves the marks of a drawn Plotly figure, so that bars follow a hand.
//
// Plotly keeps the axes (`_fullLayout.xaxis.c2p` maps a value to a pixel); this writes the new positions into the SVG that
// Plotly made. It moves bars (y, base), points and lines (x, y, marker.size), texts and heatmap cells (z). Anything else that
// differs between two figures is not for this module: moveMarks answers false and the caller repaints.

const FREE = { bar: ["y", "text", "base"], scatter: ["x", "y", "text", "marker", "textfont"], heatmap: ["z"] };

const same = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);
const sameBut = (a, b, free) => {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) if (!free.includes(key) && !same(a[key], b[key])) return false;
  return true;
};

/** Can the marks of `before` be moved to where `after` has them? Same traces, same lengths, values only. */
function onlyMoved(before, after) {
  if (before.data.length !== after.data.length || !same(before.layout, after.layout)) return false;
  return after.data.every((trace, i) => {
    const old = before.data[i];
    const free = FREE[trace.type];
    if (!free || !sameBut(old, trace, free)) return false;
    if (!sameBut(old.marker ?? {}, trace.marker ?? {}, ["size"])) return false;
    if (trace.type === "heatmap") return old.z.length === trace.z.length && old.z[0].length === trace.z[0].length;
    return old.y.length === trace.y.length && (old.text ?? []).length === (trace.text ?? []).length;
  });
}

export function moveMarks(node, before, after, palette) {
  const layout = node._fullLayout;
  if (!layout || !onlyMoved(before, after)) return false;
  const { data } = palette.dress(after);
  const groups = {
    bar: node.querySelectorAll(".barlayer > .trace"),
    scatter: node.querySelectorAll(".scatterlayer > .trace"),
    heatmap: node.querySelectorAll(".heatmaplayer > .hm"),
  };
  const moves = [];
  const seen = { bar: 0, scatter: 0, heatmap: 0 };
  for (const [i, trace] of data.entries()) {
    const group = groups[trace.type][seen[trace.type]++];
    const move = group && MOVE[trace.type](group, trace, before.data[i], layout, node.calcdata[i]);
    if (!move) return false; // nothing has been touched yet
    moves.push(move);
  }
  for (const [i, move] of moves.entries()) {
    move();
    const free = FREE[data[i].type].filter((key) => key in data[i]);
    for (const key of free) node.data[i][key] = data[i][key];
  }
  return true;
}

// Each of these looks its marks up first, answers null if one is missing, and otherwise returns what moves them.
const MOVE = {
  bar(group, trace, old, { xaxis, yaxis }, calc) {
    const points = [...group.querySelectorAll(".point")];
    const bars = points.map((point) => point.querySelector("path"));
    const texts = points.map((point) => point.querySelector("text"));
    const told = texts.some((text) => text); // fit.js may have left all of them out
    if (bars.length !== trace.y.length || bars.includes(null)) return null;
    if (told && (texts.includes(null) || !calc.every((bar) => bar.transform))) return null;
    return () => trace.y.forEach((value, k) => {
      const base = trace.base?.[k] ?? 0; // a waterfall's bars stand on one another
      const [left, right, foot, tip] = [xaxis.c2p(calc[k].p0), xaxis.c2p(calc[k].p1), yaxis.c2p(base), yaxis.c2p(base + value)];
      bars[k].setAttribute("d", `M${left},${foot}V${tip}H${right}V${foot}Z`);
      if (!told) return;
      // As Plotly places an "outside" text: 3 px of air, then half the text's height from its own middle.
      const { textX, textY, anchorY } = calc[k].transform;
      const side = value < 0 ? 1 : -1;
      if (trace.text[k] !== old.text[k]) write(texts[k], trace.text[k]);
      texts[k].setAttribute("transform", `translate(${(left + right) / 2 - textX},${tip + side * (3 + Math.abs(anchorY)) - textY})`);
    });
  },

  scatter(group, trace, old, { xaxis, yaxis }) {
    const pixels = trace.y.map((y, k) => [xaxis.c2p(trace.x[k]), yaxis.c2p(y)]);
    const line = group.querySelector(".js-line");
    const moved = !same(trace.x, old.x) || !same(trace.y, old.y);
    const area = trace.fill === "toself" && moved ? group.querySelector(".js-fill") : null;
    const marks = [...group.querySelectorAll("path.point")];
    const labels = [...group.querySelectorAll(".textpoint")];
    const mode = trace.mode;
    if (mode.includes("lines") && !line) return null;
    if (mode.includes("markers") && marks.length !== pixels.length) return null;
    if (mode.includes("text") && labels.length && labels.length !== pixels.length) return null;
    const sizeOf = (t, k) => (Array.isArray(t.marker?.size) ? t.marker.size[k] : (t.marker?.size ?? 6));
    return () => {
      if (line) line.setAttribute("d", `M${pixels.map((p) => p.join(",")).join("L")}`);
      if (area) area.setAttribute("d", `M${pixels.map((p) => p.join(",")).join("L")}Z`);
      pixels.forEach(([x, y], k) => {
        if (marks[k]) {
          marks[k].drawnSize ??= sizeOf(old, k);
          marks[k].setAttribute("transform", `translate(${x},${y})scale(${sizeOf(trace, k) / marks[k].drawnSize})`);
        }
        const text = labels[k]?.querySelector("text");
        if (!text) return; // an empty text has no node
        if (trace.text[k] !== old.text[k]) write(text, trace.text[k]);
        text.setAttribute("x", x);
        text.setAttribute("y", y);
        if (marks[k]) {
          // A label keeps its distance from a mark that grows: Plotly leaves 1.25 radii.
          labels[k].drawnShift ??= parseFloat(labels[k].getAttribute("transform").split(",")[1]);
          const away = trace.textposition.startsWith("top") ? -1 : trace.textposition.startsWith("bottom") ? 1 : 0;
          const grown = (sizeOf(trace, k) - marks[k].drawnSize) / 2;
          labels[k].setAttribute("transform", `translate(0,${labels[k].drawnShift + 1.25 * away * grown})`);
        }
        if (Array.isArray(trace.textfont?.color)) text.style.fill = trace.textfont.color[k];
      });
    };
  },

  heatmap(group, trace, old, layout) {
    const cells = cellsOf(group, trace, layout);
    return () => trace.z.forEach((row, r) => row.forEach((z, c) => {
      // A cell without a number has no colour.
      const fill = z === null ? "none" : colourAt(trace.colorscale, (z - trace.zmin) / (trace.zmax - trace.zmin));
      const cell = cells[r][c];
      if (cell.fill !== fill) cell.setAttribute("fill", (cell.fill = fill));
    }));
  },
};

function write(text, value) {
  // A text that moves is a number or a word; `plain` in figures.py escaped it for Plotly, and here it is text again.
  const plain = value.replace(/&lt;/g, "<").replace(/&#36;/g, "$").replace(/&#64;/g, "@").replace(/&amp;/g, "&");
  if (text.textContent !== plain) text.textContent = plain;
}

/** Plotly draws a heatmap as one image; rectangles over it can change colour one by one, without a blank moment. */
function cellsOf(group, { z, xgap = 0, ygap = 0 }, { xaxis, yaxis }) {
  const shape = [z.length, z[0].length, xaxis.c2p(0), xaxis.c2p(1), yaxis.c2p(0), yaxis.c2p(1)].join();
  if (group.cells && group.shape === shape && group.cells[0][0].isConnected) return group.cells;
  group.querySelectorAll("rect").forEach((rect) => rect.remove());
  group.shape = shape;
  const [width, height] = [Math.abs(xaxis.c2p(1) - xaxis.c2p(0)) - xgap, Math.abs(yaxis.c2p(1) - yaxis.c2p(0)) - ygap];
  group.cells = z.map((row, r) => row.map((_, c) => {
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const [x, y] = [xaxis.c2p(c) - width / 2, yaxis.c2p(r) - height / 2];
    for (const [key, value] of Object.entries({ x, y, width: Math.max(width, 0), height: Math.max(height, 0) })) rect.setAttribute(key, value);
    group.append(rect);
    return rect;
  }));
  return group.cells;
}

function colourAt(scale, share) {
  const u = Math.min(Math.max(share, 0), 1);
  const k = Math.max(1, scale.findIndex(([stop]) => stop >= u));
  const [[from, a], [to, b]] = [scale[k - 1], scale[k]];
  const w = (u - from) / (to - from);
  const channel = (hex, n) => parseInt(hex.slice(1 + 2 * n, 3 + 2 * n), 16);
  return `rgb(${[0, 1, 2].map((n) => Math.round(channel(a, n) + w * (channel(b, n) - channel(a, n)))).join()})`;
}

/** Plotly has drawn this node anew: forget what was remembered of the old marks. `cells` stay if they show the same values. */
export function forgetMarks(node, keepCells) {
  for (const mark of node.querySelectorAll("path.point")) delete mark.drawnSize;
  for (const label of node.querySelectorAll(".textpoint")) delete label.drawnShift;
  if (!keepCells) for (const cell of node.querySelectorAll(".heatmaplayer rect")) cell.remove();
}
