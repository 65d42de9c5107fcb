// Paints one frame. Plotly lays a figure out; while only values change, its marks are moved in place (marks.js), which
// costs under a millisecond where Plotly.react costs 15 to 30. When the hand rests, Plotly.react makes everything exact
// again: hover texts, and whatever marks.js does not move.

import { fit } from "./fit.js";
import { forgetMarks, moveMarks } from "./marks.js";
import { fillTable } from "./table.js";
import { Palette } from "./theme.js";

const REST = 300; // ms without a new drawing before the exact repaint

// While a button or finger is down a hand may move on at any moment, however long the pause.
let pressed = false;
addEventListener("pointerdown", () => (pressed = true), true);
for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => (pressed = false), true);

let plotly = null;

function loadPlotly(url) {
  plotly ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error("plotly.min.js did not load"));
    document.head.append(script);
  });
  return plotly;
}

// Exact repaints wait their turn, one per idle moment, so that four figures do not hold the hand up together.
const resting = new Set();
let turn = 0;

function nextRest() {
  const painter = resting.values().next().value;
  turn = 0;
  if (!painter) return;
  resting.delete(painter);
  painter.react();
  if (resting.size) turn = setTimeout(nextRest, 0);
}

export class Painter {
  constructor(root, name) {
    this.root = root;
    this.name = name;
    this.node = root.querySelector(".live-figure-plot");
    this.reading = root.querySelector(".live-figure-reading");
    this.report = this.dragged = this.released = () => {};
    this.ground = [];
    this.size = new ResizeObserver(() => this.resize());
    this.size.observe(this.node);
    for (const button of root.querySelectorAll(".live-figure-tools button")) button.onclick = () => this.download(button.dataset.format);
    this.node.onpointerdown = (event) => this.grab(event);
    this.node.onpointermove = (event) => event.pointerId === this.pointer && this.dragged(...this.at(event));
    this.node.onpointerup = this.node.onpointercancel = this.node.onlostpointercapture = (event) => this.release(event);
  }

  /** A mouse or finger goes down on a plot whose point can be dragged: the point goes there, and follows it. */
  grab(event) {
    if (!this.draggable || event.button || !event.isPrimary || !this.node._fullLayout?.xaxis) return;
    event.preventDefault(); // Plotly is to see no mouse, and nothing is to be selected
    document.activeElement?.blur(); // a number that is being typed is taken over first
    this.node.setPointerCapture((this.pointer = event.pointerId));
    this.dragged(...this.at(event));
  }

  release(event) {
    if (event.pointerId !== this.pointer) return;
    this.pointer = undefined;
    this.released();
  }

  /** Where an event is, in the figure's own coordinates. */
  at({ clientX, clientY }) {
    const { xaxis, yaxis } = this.node._fullLayout;
    const { left, top } = this.node.getBoundingClientRect();
    return [xaxis.p2c(clientX - left - xaxis._offset), yaxis.p2c(clientY - top - yaxis._offset)];
  }

  /** Take over what the frame was placed with: heading, Plotly's address, what a hand may do, what never moves. */
  settle({ heading, height, clickable, draggable, ground, plotly: url }, root) {
    this.root.querySelector(".live-figure-heading").textContent = heading;
    this.root.style.height = `${height}px`;
    this.root.dataset.clickable = clickable;
    this.root.dataset.draggable = this.draggable = draggable;
    this.clickable = clickable;
    this.ground = ground;
    this.heading = heading;
    for (const button of this.root.querySelectorAll(".live-figure-tools button")) {
      button.setAttribute("aria-label", `Download "${heading}" as ${button.dataset.format.toUpperCase()}`);
    }
    if (this.Plotly) return this.react(); // called again: the theme or the type size changed
    loadPlotly(root + url).then((Plotly) => {
      this.Plotly = Plotly;
      this.react();
    });
  }

  show(drawing) {
    this.drawing = drawing;
    this.root.dataset.kind = drawing.figure ? "figure" : drawing.table ? "table" : "sentence";
    if (this.reading.textContent !== drawing.reading) this.reading.textContent = drawing.reading;
    if (drawing.table) fillTable(this.root.querySelector(".live-figure-table"), drawing.table, drawing.label);
    if (!drawing.figure) return;
    if (this.label !== drawing.label) this.node.setAttribute("aria-label", (this.label = drawing.label));
    if (!this.Plotly) return;
    if (this.shown && moveMarks(this.node, this.shown, drawing.figure, this.palette)) {
      this.shown = drawing.figure;
      this.rest();
    } else this.react();
  }

  rest() {
    clearTimeout(this.restTimer);
    resting.delete(this);
    this.restTimer = setTimeout(() => {
      if (pressed) return this.rest();
      resting.add(this);
      turn ||= setTimeout(nextRest, 0);
    }, REST);
  }

  react() {
    if (!this.Plotly || !this.drawing?.figure || !this.node.isConnected || !this.node.clientWidth) return;
    clearTimeout(this.restTimer);
    this.palette = new Palette(this.root);
    if (!this.palette.ready) return void requestAnimationFrame(() => this.react()); // the page's colours are on their way
    const { data, layout } = this.palette.dress(this.whole());
    fit({ data, layout }, this.node.clientWidth, this.node.clientHeight);
    // A finger on a figure scrolls the page; only a mouse draws a zoom box.
    if (layout.dragmode && matchMedia("(pointer: coarse)").matches) layout.dragmode = false;
    Object.assign(layout, { width: this.node.clientWidth, height: this.node.clientHeight });
    this.Plotly.react(this.node, data, layout, { displayModeBar: false, showTips: false });
    forgetMarks(this.node, this.shown === this.drawing.figure);
    this.shown = this.drawing.figure;
    if (this.listening) return;
    this.listening = true;
    this.node.on("plotly_click", ({ points: [point] }) => this.clickable && this.report(point.y, point.x));
    this.node.on("plotly_relayout", () => forgetMarks(this.node, false)); // a zoom: other pixels
  }

  /** The figure and its ground. The ground comes last, so that marks.js finds the moving traces by their own numbers. */
  whole() {
    const { data, layout } = this.drawing.figure;
    return { data: [...data, ...this.ground], layout };
  }

  resize() {
    cancelAnimationFrame(this.resizeFrame);
    this.resizeFrame = requestAnimationFrame(() => {
      if (!this.Plotly || !this.node.clientWidth) return;
      this.react(); // another width leaves other labels out
    });
  }

  download(format) {
    if (!this.drawing?.figure) return;
    const { data, layout } = new Palette(this.root).dress(this.whole());
    const ground = getComputedStyle(this.root).getPropertyValue("--st-background-color");
    const title = { text: this.heading, x: 0.5, y: 0.98, yanchor: "top", font: { size: 16 } };
    const margin = { ...layout.margin, t: (layout.margin?.t ?? 0) + 34 };
    const { clientWidth: width, clientHeight: height } = this.node;
    fit({ data, layout }, width, height);
    this.Plotly.downloadImage(
      { data, layout: { ...layout, title, margin, paper_bgcolor: ground, width, height: height + 34 } },
      { format, width, height: height + 34, scale: 2, filename: this.name },
    );
  }

  stop() {
    clearTimeout(this.restTimer);
    resting.delete(this);
    this.size.disconnect();
    if (this.Plotly && this.shown) this.Plotly.purge(this.node);
  }
}
