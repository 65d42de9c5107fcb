// The page's tools: course map, symbols, copy the link, light or dark, projector.

import { followTheme } from "../live_figure/theme.js";

const SAID = 4000; // ms that an answer stays
const CHOICE = "attention-ground"; // where the browser keeps the reader's choice of light or dark

/** Streamlit takes a theme from the page that holds an app; here the page speaks to itself. */
function turn(ground, themes) {
  const themeInfo = { ...themes[ground], base: ground === "dark" ? 1 : 0 };
  window.postMessage({ stCommVersion: 1, type: "SET_CUSTOM_THEME_CONFIG", themeInfo }, location.origin);
}

/**
 * Streamlit adds a step to the browser's history whenever the link of a page changes. A drag is not a page: with sixty
 * drags behind them, nobody would find back. So on the same page the newest link replaces the one before.
 */
function keepHistoryShort() {
  if (history.pushState.keepsShort) return;
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, url) => {
    const same = url && new URL(url, location.href).pathname === location.pathname;
    return same ? history.replaceState(state, unused, url) : push(state, unused, url);
  };
  history.pushState.keepsShort = true;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Browsers keep the clipboard for secure origins; a classroom's http address is none. The old way still works there.
    const field = document.createElement("textarea");
    field.value = text;
    field.style.cssText = "position:fixed;opacity:0";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("no clipboard");
  }
}

export function render({ data, parentElement, setTriggerValue }) {
  keepHistoryShort();
  followTheme(parentElement);
  const bar = parentElement.querySelector(".frame-bar");
  const said = bar.querySelector(".frame-bar-said");
  const button = (does) => bar.querySelector(`[data-does="${does}"]`);
  const other = document.documentElement.dataset.ground === "dark" ? "light" : "dark";

  if (!bar.ready) {
    bar.ready = true;
    if (localStorage.getItem(CHOICE) === other) turn(other, data.themes);
  }

  const say = (text) => {
    said.textContent = text;
    clearTimeout(said.timer);
    said.timer = setTimeout(() => (said.textContent = ""), SAID);
  };
  for (const what of ["map", "symbols"]) button(what).onclick = () => setTriggerValue("open", what);
  button("copy").disabled = Boolean(data.trouble);
  button("copy").title = data.trouble;
  button("copy").onclick = () => {
    const url = `${location.origin}${location.pathname}${data.query && "?"}${data.query}`;
    copy(url).then(() => say("Link copied."), () => say(`Copy it from the address line: ${url}`));
  };
  button("theme").textContent = other === "dark" ? "Dark" : "Light";
  button("theme").onclick = () => {
    localStorage.setItem(CHOICE, other);
    turn(other, data.themes);
  };
  button("projector").setAttribute("aria-pressed", String(data.projector));
  button("projector").onclick = () => setTriggerValue("projector", !data.projector);
}

export function forget() {}
