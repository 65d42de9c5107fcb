// Which ground are we on? Streamlit hands its theme to a component as CSS variables, and calls the component again when
// they change. The stylesheet keeps two palettes, one per ground; this names the ground.

/** Relative luminance (WCAG 2) of a CSS colour as the browser computes it. */
function luminance(element) {
  const [r, g, b] = getComputedStyle(element).backgroundColor.match(/[\d.]+/g).map((x) => x / 255);
  const linear = (u) => (u <= 0.04045 ? u / 12.92 : ((u + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

export function followTheme(parentElement) {
  const probe = document.createElement("span");
  probe.style.cssText = "display:none;background-color:var(--st-background-color)";
  parentElement.append(probe);
  document.documentElement.dataset.ground = luminance(probe) > 0.3 ? "light" : "dark";
  probe.remove();
}

/** The colours, type and strokes of one place on the page, read once: asking the browser costs a style pass. */
export class Palette {
  constructor(root) {
    this.css = getComputedStyle(root);
    this.stroke = Number(this.css.getPropertyValue("--live-stroke")) || 1;
    this.font = { family: this.css.fontFamily, size: parseFloat(this.css.getPropertyValue("--live-type")) || 13, color: this.css.color };
    this.colours = new Map();
    this.ready = this.colour("text") !== "";
  }

  colour(name) {
    const property = name === "ground" ? "--st-background-color" : `--sym-${name}`;
    if (!this.colours.has(name)) this.colours.set(name, this.css.getPropertyValue(property).trim());
    return this.colours.get(name);
  }

  /** The figure with every "@name" replaced by the page's colour of that name, and strokes as thick as the page wants. */
  dress(value, key = "") {
    if (typeof value === "string") return value[0] === "@" ? this.colour(value.slice(1)) : value;
    if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map((item) => this.dress(item, key));
    if (!value || typeof value !== "object") return value;
    const out = {};
    for (const k in value) out[k] = key === "line" && k === "width" ? value[k] * this.stroke : this.dress(value[k], k);
    if (key === "layout") out.font = this.font;
    // Margins hold axis texts: as much room as they have at the usual 13 px, scaled to the type.
    if (key === "margin") for (const side in out) out[side] *= this.font.size / 13;
    return out;
  }
}
