"""The pages that a drag is measured on: the app, the same figures in plain JavaScript, and Streamlit's own widgets."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pages.parts import drawings
from pages.parts.content import prepared_scenarios

ROOT = Path(__file__).resolve().parents[2]
HEIGHTS = {"lab_before": 250, "lab_after": 250, "lab_map": 262, "lab_entropy": 262, "lab_context": 262}

# A page with the lab's figures, where JavaScript does the softmax and Plotly.react redraws every figure for every
# movement. This is what the lab is compared with: nothing travels, nothing is rerun.
PLAIN = """<!doctype html><meta charset="utf-8"><body style="margin:0;font-family:sans-serif">
<div id="sliders"></div><div id="figures" style="display:grid;grid-template-columns:1fr 1fr 1fr;gap:8px"></div>
<script src="plotly.min.js"></script><script>
const figures = __FIGURES__, heights = __HEIGHTS__, scores = __SCORES__, h = __STATES__, t = __STEP__;
for (const name in figures) {
  const frame = document.createElement("div");
  frame.id = name; frame.style.height = heights[name] - 45 + "px";
  document.getElementById("figures").append(frame);
}
const row = [...scores[t]];
row.forEach((score, i) => {
  const slider = Object.assign(document.createElement("input"), { type: "range", min: -5, max: 5, step: 0.1, value: score });
  slider.style.width = "420px";
  slider.oninput = () => { row[i] = Number(slider.value); draw(); };
  document.getElementById("sliders").append(slider, document.createElement("br"));
});
const fixed = (v) => v.toFixed(2), sum = (v) => v.reduce((a, b) => a + b, 0);
function softmax(e) {
  const top = Math.max(...e), lifted = e.map((v) => Math.exp(v - top)), total = sum(lifted);
  return lifted.map((v) => v / total);
}
function draw() {
  scores[t] = row;
  const grid = scores.map(softmax), a = grid[t];
  const spread = grid.map((w) => Math.exp(-sum(w.map((p) => (p > 0 ? p * Math.log(p) : 0)))));
  const c = [0, 1].map((k) => sum(a.map((w, i) => w * h[i][k])));
  const set = (name, k, changes) => Object.assign(figures[name].data[k], changes);
  set("lab_before", 0, { y: [...row], text: row.map(fixed) });
  set("lab_after", 0, { y: a, text: a.map(fixed) });
  set("lab_map", 0, { z: grid });
  const flat = grid.flat();
  set("lab_map", 1, { text: flat.map(fixed), textfont: { color: flat.map((v) => (v > 0.55 ? "#1b1b1b" : "#ffffff")) } });
  set("lab_entropy", 1, { x: [1, spread[t]] });
  set("lab_entropy", 2, { x: [spread[t]], text: [fixed(spread[t])] });
  set("lab_context", 0, { x: h.flatMap((p) => [p[0], c[0]]), y: h.flatMap((p) => [p[1], c[1]]) });
  figures.lab_context.data[1].marker = { ...figures.lab_context.data[1].marker, size: a.map((w) => 6 + 26 * Math.sqrt(w)) };
  set("lab_context", 2, { x: [c[0]], y: [c[1]] });
  for (const name in figures) {
    const data = figures[name].data.map((trace) => ({ ...trace }));
    Plotly.react(name, data, figures[name].layout, { displayModeBar: false });
  }
}
draw();
</script>"""

# Streamlit's own slider and chart, for the contrast: the slider sends on release only.
NATIVE = """
import sys
sys.path.insert(0, {root!r})
import plotly.graph_objects as go
import streamlit as st
import attention_core as ac
st.set_page_config(layout="wide")
words, home = ["Je", "suis", "étudiant"], [0.3, 2.1, 0.5]
row = [st.slider(word, -5.0, 5.0, value, 0.1) for word, value in zip(words, home)]
st.plotly_chart(go.Figure(go.Bar(x=words, y=row)))
st.plotly_chart(go.Figure(go.Bar(x=words, y=ac.softmax(row))))
"""


def _colours() -> dict[str, str]:
    css = (ROOT / "assets" / "style" / "page.css").read_text(encoding="utf-8").split("data-ground")[0]
    return dict(re.findall(r"--sym-([\w-]+): (#\w+)", css))


def plain_page() -> str:
    """The plain JavaScript page, as HTML that expects plotly.min.js beside it."""
    scenario = next(iter(prepared_scenarios().values()))
    step = drawings.step_of(scenario)
    drawn = {
        "lab_before": drawings.scores_drawing(step, scenario.reach),
        "lab_after": drawings.weights_drawing(step),
        "lab_map": drawings.map_drawing(step),
        "lab_entropy": drawings.entropy_drawing(step, "nats"),
        "lab_context": drawings.context_drawing(step),
    }
    figures = json.dumps({name: drawing["figure"] for name, drawing in drawn.items()})
    for name, colour in _colours().items():
        figures = figures.replace(f'"@{name}"', f'"{colour}"')
    parts = {
        "__FIGURES__": figures,
        "__HEIGHTS__": json.dumps(HEIGHTS),
        "__SCORES__": json.dumps(scenario.scores),
        "__STATES__": json.dumps(step.annotations.tolist()),
        "__STEP__": str(scenario.t),
    }
    page = PLAIN
    for mark, text in parts.items():
        page = page.replace(mark, text)
    return page


def native_app() -> str:
    """A Streamlit script with native widgets."""
    return NATIVE.format(root=str(ROOT))
