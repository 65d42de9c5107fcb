"""From scores to shares

Softmax in three stages: scores of any sign, lifted above zero, divided into shares of one whole.

Stands on: 3.
"""

import streamlit as st

import attention_core as ac
from pages.parts import controls, current, describe, frame, quiz, sharing
from pages.parts.figures import Figure
from pages.parts.live import Drawings, Slider, live_figure
from pages.parts.settings import Choice, Real

TOP, BOTTOM = 262, 230
SETTINGS = (
    Choice("way", sharing.WAYS),
    Real("add", *sharing.ADD, 0.0),
    Real("times", *sharing.TIMES, 1.0),
)


def row_at(values: list[float]) -> sharing.Shares:
    """The row of the current step with the sliders at these values: scores, temperature, constant, factor."""
    *scenario, add, times = values
    return sharing.shares_of(controls.moved(scenario), current.own("way"), add, times)


def all_drawings(values: list[float]) -> Drawings:
    """All frames with the sliders at these values."""
    here, row = current.scenario(), row_at(values)
    spread = float(ac.effective_positions(row.right))
    sentence = describe.looks_at(here.source, here.target, here.t, row.right, spread)
    drawn = sharing.drawings_of(row, max(current.reach(), sharing.reach_of(row)), sentence)
    if frame.is_open("shares_arithmetic"):
        drawn["shares_arithmetic"] = sharing.arithmetic_of(row)
    return drawn


def bars_between(values: list[float]) -> dict[str, Figure]:
    """The stages at a position the hand has passed."""
    row = row_at(values)
    return {
        "shares_scores": sharing.score_figure(row, max(current.reach(), sharing.reach_of(row))),
        "shares_lifted": sharing.lifted_figure(row),
        "shares_weights": sharing.share_figure(row),
    }


def sliders() -> list[Slider]:
    """Scores and temperature, then what is done to all scores alike."""
    add, times = current.own("add"), current.own("times")
    return [
        *controls.score_sliders(),
        Slider("+ constant", "constant added to every score", add, 0.0, -5.0, 5.0, *sharing.ADD, symbol="w"),
        Slider("× factor", "factor of every score", times, 1.0, 0.1, 10.0, *sharing.TIMES, symbol="w", scale="log"),
    ]


def take(values: list[float]) -> None:
    """The sliders moved."""
    *scenario, add, times = values
    controls.take_scores(scenario)
    current.move_own(add=add, times=times)


with frame.page(__file__, *SETTINGS):
    here = current.scenario()
    look = str(current.view().projector)
    frame.idea("Lift every score above zero with exp, then divide by the sum: the scores become shares of one whole.")
    doubled = here.with_row([2 * e for e in here.scores[here.t]]) if max(map(abs, here.scores[here.t])) <= 500 else here
    quiz.sketch(
        "shares_double",
        f"Double every score of step {here.t + 1}. Sketch the shares.",
        here.source,
        ac.softmax(doubled.scores[here.t], temperature=here.temperature).tolist(),
        why="A factor makes the look sharper and keeps the order. Try × factor below; + constant changes nothing at all.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="shares_toolbar", gap="small"):
        controls.scenario_menu("shares_scenario")
        controls.step_control("shares_step")
        controls.reset("shares_reset")
        controls.pick("shares_way", "How shares are made", "way", help="All but softmax break something: see what, and where")
    hand, stages = st.columns([1.2, 3], gap="small")
    with hand:
        controls.hand(
            "shares_sliders",
            label=f"Scores of step {here.t + 1}, and what is done to all of them",
            sliders=sliders,
            draw=all_drawings,
            between=bars_between,
            height=TOP,
            on_move=take,
        )
    headings = ("1. Scores e", *sharing.HEADINGS[current.own("way")])
    columns = stages.columns(3, gap="small", wrap=False)  # side by side on a phone too
    for column, name, heading in zip(columns, ("scores", "lifted", "weights"), headings, strict=True):
        with column:
            live_figure(f"shares_{name}", heading=heading, height=TOP, look=look)
    slopes, words = st.columns([1.2, 3], gap="small")
    with slopes:
        live_figure("shares_slopes", heading="How each share answers to each score", height=BOTTOM, look=look)
    with words:
        live_figure("shares_reading", heading="", height=80, look=look)
        frame.arithmetic("shares_arithmetic", len(here.source))
        frame.numpy_block("shares_numpy", sharing.block(here, current.own("way"), current.own("add"), current.own("times")))
