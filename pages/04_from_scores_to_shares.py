"""From scores to shares

Softmax in three stages: scores of any sign, lifted above zero, divided into shares of one whole.
"""

import streamlit as st

from pages.parts import controls, current, drawings, frame, quiz
from pages.parts.figures import Figure
from pages.parts.live import Drawings, live_figure
from pages.parts.snippets import lab_block

HEIGHT = 270


def stage_drawings(values: list[float]) -> Drawings:
    """The three stages side by side, in words, and worked out, with the sliders at these values."""
    step = drawings.step_of(controls.moved(values))
    drawn = {
        "shares_scores": drawings.scores_drawing(step, current.reach()),
        "shares_lifted": drawings.lifted_drawing(step),
        "shares_weights": drawings.weights_drawing(step),
        "shares_reading": drawings.reading_drawing(step),
    }
    if frame.is_open("shares_arithmetic"):
        drawn["shares_arithmetic"] = drawings.arithmetic_drawing(step, current.view().unit)
    return drawn


def bars_between(values: list[float]) -> dict[str, Figure]:
    """Scores and shares at a position the hand has passed."""
    scores, shares = drawings.bars(current.scenario().source, values, current.reach())
    return {"shares_scores": scores, "shares_weights": shares}


with frame.page(__file__):
    here = current.scenario()
    look = str(current.view().projector)
    frame.idea("Lift every score above zero with exp, then divide by the sum: the scores become shares of one whole.")
    quiz.predict(
        "shares_constant",
        "You drag every slider up by the same amount. What do the shares do?",
        ("They grow", "They shrink", "They stay"),
        right=2,
        why="A constant multiplies every lifted score by the same factor, and the division takes it out again.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="shares_toolbar", gap="small"):
        controls.scenario_menu("shares_scenario")
        controls.step_control("shares_step")
        controls.reset("shares_reset")
    sliders, *stages = st.columns([1.2, 1, 1, 1], gap="small")
    with sliders:
        controls.score_hand("shares_sliders", draw=stage_drawings, between=bars_between, height=HEIGHT)
    headings = {"scores": "1. Scores e", "lifted": "2. Lifted: exp(e − max)", "weights": "3. Shares α"}
    for column, (name, heading) in zip(stages, headings.items(), strict=True):
        with column:
            live_figure(f"shares_{name}", heading=heading, height=HEIGHT, look=look)
    live_figure("shares_reading", heading="", height=34, look=look)
    frame.arithmetic("shares_arithmetic", len(here.source))
    base = 2 if current.view().unit == "bits" else None
    frame.numpy_block("shares_numpy", lab_block(here, drawings.step_of(here).annotations, base=base))
