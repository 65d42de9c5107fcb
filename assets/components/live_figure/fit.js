// What a figure leaves out where there is no room for it. Python does not know how wide a frame is; the browser does.
// Hover, the table and the spoken label keep everything.

const LABEL = 1.05; // a tick label needs about its type size across
const NUMBER = 2.3; // a number such as 0.73 needs about this many times its type size

/** Thin out crowded tick labels, and drop numbers that would run into one another. Changes the figure in place. */
export function fit({ data, layout }, width, height) {
  const { l = 0, r = 0, t = 0, b = 0 } = layout.margin;
  const room = { xaxis: width - l - r, yaxis: height - t - b };
  const type = layout.font.size;
  for (const [name, pixels] of Object.entries(room)) {
    const axis = layout[name];
    if (!axis?.ticktext) continue;
    const every = Math.ceil((axis.ticktext.length * type * LABEL) / pixels);
    if (every < 2) continue;
    axis.tickvals = axis.tickvals.filter((_, k) => k % every === 0);
    axis.ticktext = axis.ticktext.filter((_, k) => k % every === 0);
  }
  for (const trace of data) {
    const columns = trace.type === "bar" ? trace.x.length : trace.mode === "text" ? Math.max(...trace.x) + 1 : 0;
    if (columns && columns * type * NUMBER > room.xaxis) trace.text = trace.type === "bar" ? undefined : trace.text.map(() => "");
  }
}
