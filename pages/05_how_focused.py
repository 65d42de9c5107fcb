"""How focused?

Entropy says how spread a row of weights is, from one word to all of them, in nats, in bits and in words.

Stands on: 4.
"""

import streamlit as st

from pages.parts import controls, current, drawings, focus, frame, quiz
from pages.parts.figures import Figure
from pages.parts.live import Drawings, live_figure

SLIDERS, CHARTS, PLANE = 204, 250, 434  # four sliders for fingers; they take less where there is a mouse
LARGE = 64  # more room for the sliders in projector mode


def all_drawings(values: list[float]) -> Drawings:
    """All frames with the sliders at these values."""
    step, unit = drawings.step_of(controls.moved(values)), current.view().unit
    drawn = {
        "focus_weights": drawings.weights_drawing(step),
        "focus_ruler": drawings.entropy_drawing(step, unit),
        "focus_plane": focus.plane_drawing(step, unit),
        "focus_tasks": focus.tasks_drawing(unit),
    }
    if frame.is_open("focus_arithmetic"):
        drawn["focus_arithmetic"] = focus.arithmetic_drawing(step, unit)
    return drawn


def between(values: list[float]) -> dict[str, Figure]:
    """Weights and the point among all possible weights, at a position the hand has passed."""
    step = drawings.step_of(controls.moved(values))
    weights = drawings.bars(step.scenario.source, values, current.reach())[1]
    return {"focus_weights": weights, "focus_plane": focus.plane(step, current.view().unit)}


def dragged(name: str, x: float, y: float) -> list[float] | None:
    """The scores, and the temperature, for a point among all possible weights."""
    here = current.scenario()
    length = len(here.source)
    if name != "focus_plane" or length not in (2, 3):
        return None
    return [*focus.scores_for(focus.weights_at(length, x, y), here, current.reach()), here.temperature]


with frame.page(__file__):
    here, unit = current.scenario(), current.view().unit
    length, look = len(here.source), str(current.view().projector)
    top, plane = (height + LARGE * current.view().projector for height in (SLIDERS, PLANE))
    frame.idea("Entropy H says how spread a row of weights is: 0 on one word, the most when all are equal.")
    quiz.predict(
        "focus_winner",
        "You drag the highest score up and up. What happens to exp(H), the number of words looked at?",
        ("It grows", "It falls towards 1", "It falls to 0"),
        right=1,
        why="One word takes all: H falls towards 0, and exp(0) is 1. Nobody can look at fewer words than one.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="focus_toolbar", gap="small"):
        controls.scenario_menu("focus_scenario")
        controls.step_control("focus_step")
        controls.unit_control("focus_unit")
        controls.reset("focus_reset")
    hand, everything = st.columns([1.75, 1.35], gap="small")
    with hand:
        controls.score_hand("focus_sliders", draw=all_drawings, between=between, height=top, on_point=dragged)
        weights, ruler = st.columns(2, gap="small", wrap=False)  # side by side on a phone too
        with weights:
            live_figure("focus_weights", heading="Weights α", height=CHARTS, look=look)
        with ruler:
            live_figure("focus_ruler", heading="exp(H): how many words' worth?", height=CHARTS, look=look)
    with everything:
        live_figure(
            "focus_plane",
            heading=focus.heading(length),
            height=plane,
            look=look,
            draggable=length in (2, 3),
            ground=focus.ground(length, unit),
        )
    tasks, words = st.columns([1.75, 1.35], gap="small")
    with tasks:
        live_figure("focus_tasks", heading="Two tasks, two right answers", height=290, look=look)
    with words:
        with st.container(key="focus_constant_prose"):
            st.markdown(
                "From a dragged dot back to scores: e = temperature × ln α + a constant. Any constant would do, as softmax takes"
                " it out again; here the mean of the scores stays where it was, as far as the sliders reach."
            )
        frame.arithmetic("focus_arithmetic", length)
        frame.numpy_block("focus_numpy", focus.block(here))
