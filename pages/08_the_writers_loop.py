"""The writer's loop

One decoder step at a time, forwards and backwards: score, share, blend, remember, say; and why the scores cannot use s_t.

Stands on: 3, 6, 7.
"""

import streamlit as st

from pages.parts import controls, current, frame, quiz, writing
from pages.parts.figures import Figure
from pages.parts.live import Drawings, live_figure
from pages.parts.settings import Choice, Edits, Whole

SETTINGS = (
    Whole("stage", 1, len(writing.STAGES), 1),
    Choice("wiring", writing.WIRINGS),
    Edits("memory", writing.PLACES, writing.PLACE, 1.0),
)
HEADINGS = {"scores": "Scores e", "weights": "Weights α", "context": "Context c", "memory": "Memory s", "guess": "Guess ỹ"}


def written(values: list[float] | None = None) -> writing.Writing:
    """The sentence being written, with the sliders at these values."""
    here, edits = current.scenario(), current.own("memory")
    now = writing.write(here, current.own("stage"), current.own("wiring"), edits)
    if not values or values == now.before:
        return now
    return writing.write(here, now.stage, current.own("wiring"), writing.edited(now, edits, values))


def all_drawings(values: list[float]) -> Drawings:
    """All frames with the sliders at these values."""
    now = written(values)
    drawn = {f"loop_{name}": drawing for name, drawing in writing.drawings(now, current.view().projector).items()}
    if frame.is_open("loop_arithmetic"):
        drawn["loop_arithmetic"] = writing.arithmetic(now)
    return drawn


def passing(values: list[float]) -> dict[str, Figure]:
    """The bars of this step at a position the hand has passed."""
    now = written()
    return {f"loop_{name}": figure for name, figure in writing.step_figures(now, writing.step_from(now, values)).items()}


def take(values: list[float]) -> None:
    """The sliders moved."""
    if values:
        current.move_own(memory=writing.edited(written(), current.own("memory"), values))


def go(way: int) -> None:
    """One stage forwards or back."""
    moved = writing.moved_step(current.scenario(), current.own("stage"), way)
    if moved:
        current.change(moved[0])
        current.change_own(stage=moved[1])


def hold(row: int, column: int) -> None:
    """A click in the map goes to its step."""
    if row < len(current.scenario().target):
        current.change(current.scenario().with_step(row))


with frame.page(__file__, *SETTINGS):
    here, look, big = current.scenario(), str(current.view().projector), 1.45 if current.view().projector else 1.0
    frame.idea("To write one word: score the source, share, blend, update the memory, say the word. Then again.")
    quiz.predict(
        "loop_state",
        "Step t makes the state s_t. Which state do the scores of step t use?",
        ("s_(t−1), from before the step", "s_t, from this step", "Either will do"),
        right=0,
        why="s_t is made from c_t, c_t from the weights, the weights from the scores: when they are made, s_t is not there yet.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="loop_toolbar", gap="small"):
        stage = current.own("stage")
        possible = current.own("wiring") == writing.WIRINGS[0]
        back, on = (possible and writing.moved_step(here, stage, way) for way in (-1, 1))
        st.button("Back", key="loop_back", icon=":material/arrow_back:", disabled=not back, on_click=go, args=(-1,))
        st.button(
            "Forward", key="loop_on", icon=":material/arrow_forward:", disabled=not on, on_click=go, args=(1,), type="primary"
        )
        controls.step_control("loop_step")
        controls.scenario_menu("loop_scenario")
        controls.pick("loop_wiring", "Scores are made", "wiring")
        st.button(
            "Memory as it was",
            key="loop_reset",
            icon=":material/restart_alt:",
            disabled=not current.own("memory"),
            on_click=lambda: current.change_own(memory={}),
        )
    live_figure(
        "loop_picture",
        heading=f"Step {here.t + 1} of {len(here.target)}: one round of the loop",
        height=int(238 * big),
        look=look,
    )
    # Large type needs wider sliders, or their tracks are squeezed to nothing.
    hand, *pairs, last = st.columns([1.25 * big**1.6, 2, 2.13, 1.07], gap="small")
    with hand:
        asked = f"What if s{writing.sub(here.t)} were another?" if possible else f"s{writing.sub(here.t + 1)} is not there yet."
        st.markdown(f"**{asked}**")
        controls.hand(
            "loop_hand",
            label=f"The memory before step {here.t + 1}",
            sliders=lambda: writing.sliders(written()),
            draw=all_drawings,
            between=passing,
            height=170,
            on_move=take,
        )
    # Two by two they stay side by side on a phone.
    places = [column for pair in pairs for column in pair.columns(2, gap="small", wrap=False)]
    for column, (name, heading) in zip([*places, last], HEADINGS.items(), strict=True):
        with column:
            live_figure(f"loop_{name}", heading=heading, height=int(190 * big), look=look)
    seen, worked = st.columns([1, 1.5], gap="small")
    with seen:
        live_figure("loop_map", heading="If the loop runs on: all weights", height=int(230 * big), look=look, on_click=hold)
    with worked:
        with st.container(key="loop_prose"):
            st.caption(
                f"This network has not learned anything: its weights are drawn from seed {here.seed}, its words are given."
                " Lesson 10 has one that learned."
            )
        frame.arithmetic("loop_arithmetic", len(writing.arithmetic_rows(written())))
        frame.numpy_block("loop_numpy", writing.block(written()))
