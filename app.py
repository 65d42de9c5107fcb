"""The score lab

Drag the scores of one decoder step and watch weights, map, entropy and context vector follow.
"""

import streamlit as st

import attention_core as ac
from pages.parts import controls, current, drawings, frame
from pages.parts.content import scenario_notes
from pages.parts.figures import Figure
from pages.parts.files import grid_csv, grid_json
from pages.parts.live import Drawings, live_figure
from pages.parts.snippets import lab_block


def lab_drawings(values: list[float]) -> Drawings:
    """All frames of the lab, with the sliders at these values."""
    step = drawings.step_of(controls.moved(values))
    drawn = {
        "lab_before": drawings.scores_drawing(step, current.reach()),
        "lab_after": drawings.weights_drawing(step),
        "lab_map": drawings.map_drawing(step),
        "lab_entropy": drawings.entropy_drawing(step, current.view().unit),
        "lab_context": drawings.context_drawing(step),
        "lab_reading": drawings.reading_drawing(step),
    }
    if frame.is_open("lab_arithmetic"):
        drawn["lab_arithmetic"] = drawings.arithmetic_drawing(step, current.view().unit)
    return drawn


def bars_between(values: list[float]) -> dict[str, Figure]:
    """The two bar charts at a position the hand has passed."""
    before, after = drawings.bars(current.scenario().source, values, current.reach())
    return {"lab_before": before, "lab_after": after}


def hold(row: int, column: int) -> None:
    """A click in the map holds its row."""
    if row < len(current.scenario().target):
        current.change(current.scenario().with_step(row))


TOP, BOTTOM = 250, 262

with frame.page(__file__):
    here = current.scenario()
    look = str(current.view().projector)
    with st.container(horizontal=True, vertical_alignment="bottom", key="lab_toolbar", gap="small"):
        controls.scenario_menu("lab_scenario")
        controls.step_control("lab_step")
        controls.unit_control("lab_unit")
        controls.own_sentences("lab_own")
        controls.reset("lab_reset")

    sliders, charts = st.columns([1.15, 2], gap="small")
    with sliders:
        controls.score_hand("lab_scores", draw=lab_drawings, between=bars_between, height=TOP)
    before, after = charts.columns(2, gap="small", wrap=False)  # side by side on a phone too
    with before:
        live_figure("lab_before", heading="Before: scores e", height=TOP, look=look)
    with after:
        live_figure("lab_after", heading="After: weights α", height=TOP, look=look)

    everything, focus, mixed = st.columns([1.5, 1, 1], gap="small")
    with everything:
        live_figure("lab_map", heading="All steps: the map of weights", height=BOTTOM, look=look, on_click=hold)
    with focus:
        live_figure("lab_entropy", heading="Focus: how many words' worth?", height=BOTTOM, look=look)
    with mixed:
        live_figure("lab_context", heading="Blend: the context vector c", height=BOTTOM, look=look)
    live_figure("lab_reading", heading="", height=34, look=look)

    frame.arithmetic("lab_arithmetic", len(here.source))
    step = drawings.step_of(here)
    bits = current.view().unit == "bits"
    frame.numpy_block("lab_numpy", lab_block(here, step.annotations, base=2 if bits else None))
    with st.container(horizontal=True, vertical_alignment="center", key="lab_files"):
        st.download_button("Weights as CSV", grid_csv(here, step.grid), "attention.csv", "text/csv", on_click="ignore")
        everything_json = grid_json(here, step.grid, ac.entropy(step.grid, base=2 if bits else None), unit=current.view().unit)
        st.download_button("Everything as JSON", everything_json, "attention.json", "application/json", on_click="ignore")
        if note := scenario_notes().get(here.name):
            st.markdown(f":material/lightbulb: {note}")
