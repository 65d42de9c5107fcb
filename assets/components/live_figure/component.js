// A figure that stays: one DOM node per frame, repainted in place while a hand moves something.
//
// A frame is placed once on the page, has a name, owns a node and reports a clicked cell. Its drawings come with the sliders:
// one message for all figures of a page is what keeps up with a hand, since every element of a rerun is a message of its
// own and Streamlit renders its page anew for each of them.

import { Painter } from "./painter.js";
import { followTheme } from "./theme.js";

const painters = new Map(); // frame name -> Painter
const newest = new Map(); // frame name -> drawing; outlives a frame that is taken off and put back
const takers = new Map(); // frame name -> the group of sliders that brings its drawings, and takes the points dragged in it

// Drawings that wait for their moment: where a hand passed since the last answer, then where it is now.
let queue = [];
let playing = 0;
let arrived = 0; // when the last answer came

/**
 * Show where a hand passed, then where it is. `passed` holds the moving values of figures at earlier positions; they are
 * spread over the time to the next answer, so that bars follow evenly instead of jumping. When nothing more is to come, or
 * a newer answer overtakes, the frames go straight to the newest.
 */
export function follow(drawings, passed, more) {
  const now = performance.now();
  const pace = Math.min(Math.max((now - arrived) / (passed.length + 1), 16), 40);
  arrived = now;
  clearTimeout(playing);
  queue = more ? [...passed.map((figures) => overlaid(drawings, figures)), drawings] : [drawings];
  const next = () => {
    show(queue.shift());
    if (queue.length) playing = setTimeout(next, pace);
  };
  next();
}

/** From now on points that a hand drags in these frames go to `group.point(frame, x, y)`; when it lets go, `group.release()`. */
export function takePoints(frames, group) {
  for (const frame of frames) takers.set(frame, group);
}

/** The newest drawings of some frames, with the values of an earlier position. */
function overlaid(drawings, figures) {
  const out = {};
  for (const [name, traces] of Object.entries(figures)) {
    const { figure } = drawings[name];
    out[name] = { ...drawings[name], figure: { ...figure, data: figure.data.map((trace, k) => ({ ...trace, ...traces[k] })) } };
  }
  return out;
}

/** Give every frame its drawing. Frames that are not on the page yet find theirs when they arrive. */
function show(drawings) {
  for (const [name, drawing] of Object.entries(drawings)) {
    newest.set(name, drawing);
    painters.get(name)?.show(drawing);
  }
}

export function render({ data, parentElement, setTriggerValue, root: app }) {
  followTheme(parentElement);

  const root = parentElement.querySelector(".live-figure");
  let painter = painters.get(data.frame);
  if (painter?.root !== root) {
    painter?.stop();
    painter = new Painter(root, data.frame);
    painters.set(data.frame, painter);
    const drawing = newest.get(data.frame);
    if (drawing) painter.show(drawing);
  }
  painter.report = (row, column) => setTriggerValue("clicked", { row, column });
  painter.dragged = (x, y) => takers.get(data.frame)?.point(data.frame, x, y);
  painter.released = () => takers.get(data.frame)?.release();
  painter.settle(data, app);
}

export function forget({ data, parentElement }) {
  const painter = painters.get(data.frame);
  if (!painter || !parentElement.contains(painter.root)) return;
  painter.stop();
  painters.delete(data.frame);
}
