// A formula or a sentence in pieces, one of which can be chosen: a group of radio buttons in everything but looks.

/** Text with lowered _{…} and raised ^{…} parts, as nodes: it is never read as HTML. */
function typeset(text) {
  return text.split(/([_^]\{[^}]*\})/).map((part) => {
    const level = /^([_^])\{(.*)\}$/.exec(part);
    if (!level) return document.createTextNode(part);
    const node = document.createElement(level[1] === "_" ? "sub" : "sup");
    node.textContent = level[2];
    return node;
  });
}

function pieceOf(piece, data) {
  if (!piece.say) {
    const glue = document.createElement("span");
    glue.append(...typeset(piece.text));
    return glue;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.className = "live-formula-piece";
  button.setAttribute("role", "radio");
  button.append(...typeset(piece.text));
  const told = [piece.say];
  if (piece.mark) {
    const mark = document.createElement("span");
    mark.className = "live-formula-mark";
    mark.textContent = piece.mark;
    button.append(mark);
    told.push(piece.mark);
  }
  button.setAttribute("aria-label", told.join(", "));
  button.dataset.wrong = String(Boolean(piece.wrong));
  if (data.locked) button.setAttribute("aria-disabled", "true");
  return button;
}

export function render({ data, parentElement, setTriggerValue }) {
  const group = parentElement.querySelector(".live-formula");
  group.setAttribute("aria-label", data.label);
  const content = JSON.stringify(data.pieces) + data.locked;
  if (group.content !== content) {
    group.content = content;
    group.replaceChildren(...data.pieces.map((piece) => pieceOf(piece, data)));
  }
  const buttons = [...group.children];
  const choices = buttons.filter((node) => node.matches("button"));
  const chosen = buttons[data.chosen];
  // Tab comes to the group once, the arrow keys go on inside it.
  const show = (current) => {
    for (const button of choices) {
      button.setAttribute("aria-checked", String(button === current));
      button.tabIndex = button === (current ?? choices[0]) ? 0 : -1;
    }
  };
  const choose = (button) => {
    if (data.locked) return;
    show(button);
    setTriggerValue("chosen", buttons.indexOf(button));
  };
  show(chosen);
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  for (const [place, button] of choices.entries()) {
    button.onclick = () => choose(button);
    button.onkeydown = (event) => {
      if (!(event.key in steps)) return;
      event.preventDefault();
      const next = choices[(place + steps[event.key] + choices.length) % choices.length];
      next.focus();
      choose(next);
    };
  }
}

export function forget() {}
