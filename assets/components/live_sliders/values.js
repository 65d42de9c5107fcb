// What a slider does to a number. A spec has min, max (the track), least, most (what may be typed), step, home and scale.

/** 0.1 + 0.2 is 0.30000000000000004; four decimals are what a slider means. The "+ 0" turns -0 into 0. */
const clean = (value) => Math.round(value * 1e4) / 1e4 + 0;
const within = (value, { min, max }) => Math.min(Math.max(value, min), max);

/** Where on its track the thumb stands. A log track runs from 0 to 1. */
export function place(value, { scale, min, max }) {
  return scale === "log" ? Math.log(within(value, { min, max }) / min) / Math.log(max / min) : value;
}

/** The value under the thumb, on the step grid that starts at min; on a log track, with two digits, whole if it counts. */
export function nearest(at, spec) {
  const { scale, min, max, step } = spec;
  if (scale === "log") {
    const value = Number((min * (max / min) ** at).toPrecision(2));
    return clean(within(Number.isInteger(step) ? Math.round(value) : value, spec));
  }
  return clean(within(min + Math.round((at - min) / step) * step, spec));
}

/** The value after a key, or null if the key means nothing here. */
export function keyed({ key, altKey, ctrlKey, metaKey }, value, spec) {
  if (altKey || ctrlKey || metaKey) return null;
  const { step, min, max, home } = spec;
  const moves = {
    ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step, PageUp: 10 * step, PageDown: -10 * step,
  };
  if (key in moves) return clean(within(value + moves[key], spec));
  return { Home: min, End: max, Delete: home, Backspace: home }[key] ?? null;
}

/** A typed number: "2.1", "2,1", "−2" with any minus sign; null if it is none. */
export function parse(text) {
  const plain = text.trim().replace(/[\u2212\u2012\u2013]/g, "-").replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? clean(value) : null;
}

/** A number as it is shown: two decimals, more only if it has more; none on a slider that counts. */
export function tell(value, { step }) {
  const decimals = (String(clean(value)).split(".")[1] ?? "").length;
  return value.toFixed(Number.isInteger(step) ? decimals : Math.max(2, decimals));
}
