// Sliders that speak while they are dragged.
//
// Streamlit's own slider sends on release only. These send on every movement, at most IN_FLIGHT updates ahead of the
// answers: a hand moves 60 times a second, a page answers about 30 times. What moved in the meantime goes out with the next
// answer, so the last value always arrives. Each report carries
//   path    where the hand passed since the last report, the newest position last; Python draws them all;
//           of a point dragged in a figure: `frame` and `points` instead, and Python says what that means for the sliders,
//   epoch   whose values these are; Python drops a report from before a reset or another step,
//   seq     its number; the answer names the newest one it has seen.

import { follow, takePoints } from "../live_figure/component.js";
import { keyed, nearest, parse, place, tell } from "./values.js";

const IN_FLIGHT = 1;
const PATH = 6; // positions in one report, at most; live.py keeps to the same number
const LOST = 1000; // ms after which an unanswered report counts as lost and is sent again: a full rerun may swallow one
const SETTLED = 350; // ms of rest after which a movement has ended; the page then renews link, files and code

const groups = new WeakMap(); // root node -> Group

const utf8 = new TextDecoder();

export function render({ data: bytes, parentElement, setStateValue }) {
  const data = JSON.parse(utf8.decode(bytes));
  const root = parentElement.querySelector(".live-sliders");
  if (!groups.has(root)) groups.set(root, new Group(root));
  const group = groups.get(root);
  group.send = setStateValue;
  group.take(data);
  takePoints(Object.keys(data.drawings), group);
  follow(data.drawings, data.passed, group.moving);
}

export function forget({ parentElement }) {
  const root = parentElement.querySelector(".live-sliders");
  if (root) groups.get(root)?.stop();
}

class Group {
  constructor(root) {
    this.rows = root.querySelector(".live-sliders-rows");
    this.trouble = root.querySelector(".live-sliders-trouble");
    this.root = root;
    this.sliders = [];
    this.values = [];
    this.sent = this.answered = 0;
    this.flying = []; // reports without an answer: { seq, frame }
    this.passed = []; // positions since the last report: { values } of the sliders, or { frame, point }
    this.held = -1; // the slider under a finger or mouse
    this.pointing = false; // is a point in a figure under one?
  }

  /** New data from Python: an answer to a report, or other sliders, or other values. */
  take(data) {
    this.root.setAttribute("aria-label", data.label);
    this.root.style.maxHeight = `${data.height}px`;
    this.answered = Math.max(this.answered, data.seq);
    this.flying = this.flying.filter(({ seq }) => seq > this.answered);
    if (!this.flying.length) clearTimeout(this.losing);
    const renewed = data.epoch !== this.epoch;
    this.epoch = data.epoch;
    this.specs = data.sliders;
    if (renewed) {
      this.passed = [];
      this.flying = [];
      clearTimeout(this.losing);
      this.trouble.textContent = "";
    }
    while (this.sliders.length < this.specs.length) this.add(this.sliders.length);
    while (this.sliders.length > this.specs.length) this.sliders.pop().row.remove();
    this.specs.forEach((spec, k) => this.dress(k, spec));
    // A hand on a slider knows better than an older answer: Python's values count once nothing of ours is under way. What
    // a dragged point means for the sliders only Python knows.
    const ahead = [...this.passed, ...this.flying].some(({ frame }) => !frame);
    if (renewed || (this.held < 0 && !ahead)) {
      this.specs.forEach((spec, k) => this.set(k, spec.value));
    }
    if (this.passed.length) this.report();
  }

  /** Is anything under way that Python has not answered? */
  get moving() {
    return this.passed.length > 0 || this.flying.length > 0;
  }

  add(k) {
    const row = document.createElement("div");
    const [word, range, number] = ["span", "input", "input"].map((tag) => document.createElement(tag));
    row.className = "live-slider";
    word.className = "live-slider-word";
    word.dir = "auto";
    Object.assign(range, { type: "range", step: "any" });
    Object.assign(number, { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
    row.append(word, range, number);
    this.rows.append(row);
    this.sliders.push({ row, word, range, number });

    range.oninput = () => this.change(k, nearest(Number(range.value), this.specs[k]));
    range.onpointerdown = () => (this.held = k);
    range.onpointerup = range.onpointercancel = range.onblur = () => (this.held = -1);
    range.ondblclick = () => this.change(k, this.specs[k].home);
    range.onkeydown = (event) => {
      const value = keyed(event, this.values[k], this.specs[k]);
      if (value === null) return;
      event.preventDefault();
      this.change(k, value);
    };
    number.onkeydown = (event) => {
      if (event.key === "Enter") this.type(k);
      if (event.key === "Escape") this.refuse(k, "");
    };
    number.onfocus = () => number.select();
    number.onchange = () => this.type(k);
  }

  dress(k, spec) {
    const { row, word, range, number } = this.sliders[k];
    const looks = [spec.word, spec.spoken, spec.symbol, spec.apart, spec.min, spec.max, this.specs.length].join("\u0000");
    if (row.looks === looks) return;
    row.looks = looks;
    row.dataset.apart = spec.apart;
    row.style.setProperty("--below", this.specs.length - 1 - k);
    row.style.setProperty("--sym", `var(--sym-${spec.symbol})`);
    row.style.setProperty("--sym-word", `var(--sym-${spec.symbol}-text)`);
    if (word.textContent !== spec.word) word.textContent = word.title = spec.word;
    range.setAttribute("aria-label", spec.spoken);
    number.setAttribute("aria-label", `type the ${spec.spoken}`);
    const [min, max] = spec.scale === "log" ? [0, 1] : [spec.min, spec.max];
    if (Number(range.min) !== min || Number(range.max) !== max) Object.assign(range, { min, max });
  }

  set(k, value) {
    const { range, number } = this.sliders[k];
    this.values[k] = value;
    const at = String(place(value, this.specs[k]));
    if (this.held !== k && range.value !== at) range.value = at;
    const room = Number(range.max) - Number(range.min) || 1; // a slider with a single place has none
    const share = (place(value, this.specs[k]) - Number(range.min)) / room;
    range.style.setProperty("--filled", `${100 * Math.min(Math.max(share, 0), 1)}%`);
    const text = tell(value, this.specs[k]);
    if (range.getAttribute("aria-valuetext") !== text) range.setAttribute("aria-valuetext", text);
    if (document.activeElement !== number || number.readOnly) number.value = text;
    number.removeAttribute("aria-invalid");
  }

  change(k, value) {
    if (value === this.values[k]) return;
    this.set(k, value);
    this.pass({ values: [...this.values] });
  }

  /** A hand drags a point in a figure. */
  point(frame, x, y) {
    this.pointing = true;
    this.pass({ frame, point: [x, y] });
  }

  release() {
    this.pointing = false;
  }

  pass(position) {
    this.passed.push(position);
    if (this.trouble.textContent) this.trouble.textContent = "";
    this.report();
  }

  type(k) {
    const { number } = this.sliders[k];
    const spec = this.specs[k];
    const value = parse(number.value);
    if (value === null || value < spec.least || value > spec.most) {
      const what = value === null ? `"${number.value.slice(0, 20)}" is not a number` : `${tell(value, spec)} is outside ${tell(spec.least, spec)} to ${tell(spec.most, spec)}`;
      this.refuse(k, `${what}; ${spec.word} stays at ${tell(this.values[k], spec)}. Type for example 2.1.`);
      return;
    }
    this.change(k, value);
    this.refuse(k, "");
  }

  /** Say why a typed text does not count; it stays for mending. Without a reason the field shows its value again. */
  refuse(k, why) {
    const { number } = this.sliders[k];
    this.trouble.textContent = why;
    if (why) return number.setAttribute("aria-invalid", "true");
    number.value = tell(this.values[k], this.specs[k]);
    number.removeAttribute("aria-invalid");
  }

  report() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), SETTLED);
    if (this.flying.length >= IN_FLIGHT) return;
    // A report is of sliders or of one figure; what follows goes out with the next one.
    const { frame } = this.passed[0];
    const other = this.passed.findIndex((position) => position.frame !== frame);
    const run = this.passed.splice(0, other < 0 ? this.passed.length : other);
    // Of many positions, evenly chosen ones, the newest among them.
    const count = Math.min(run.length, PATH);
    const path = Array.from({ length: count }, (_, n) => run[Math.ceil(((n + 1) * run.length) / count) - 1]);
    this.sent = Math.max(this.sent + 1, Date.now()); // grows even if the component is placed anew
    this.flying.push({ seq: this.sent, frame });
    clearTimeout(this.losing);
    this.losing = setTimeout(() => {
      this.flying = [];
      this.passed.unshift(path.at(-1));
      this.report();
    }, LOST);
    const where = frame ? { frame, points: path.map(({ point }) => point) } : { path: path.map(({ values }) => values) };
    this.send("moved", { epoch: this.epoch, seq: this.sent, ...where });
  }

  settle() {
    if (this.moving || this.held >= 0 || this.pointing) this.settling = setTimeout(() => this.settle(), SETTLED);
    else this.send("settled", this.sent);
  }

  stop() {
    clearTimeout(this.settling);
    clearTimeout(this.losing);
  }
}
