"""Families of score

Additive, dot, general, concat and scaled dot on the same states: their weights, side by side, and where they differ.

Stands on: 3, 8.
"""

import streamlit as st

import attention_core as ac
from pages.parts import controls, current, families, frame, quiz
from pages.parts import families_drawings as drawings
from pages.parts.figures import Figure
from pages.parts.live import Drawings, Slider, live_figure
from pages.parts.network import SIZES
from pages.parts.settings import Choice, Edits, Real, Whole

SETTINGS = (
    Whole("i", 1, lambda scenario: len(scenario.source), 2),
    Choice("compared", families.others()),
    Whole("d_s", *SIZES, 4),
    Whole("d_h", *SIZES, 4),
    Choice("hold", families.HELD),
    Edits("edits", families.PLACES, "s2_1", families.LIMIT),
    Real("factor", *families.FACTORS, 1.0),
    Whole("d_k", 2, families.LONGEST, 16),
)
HEIGHTS = {False: (284, 34, 224, 180), True: (380, 84, 290, 260)}  # of rows, sentence, maps, wiring; larger on a projector


def in_hand(edits: dict[str, float], factor: float) -> families.Families:
    """All functions on the states as they are with these changes."""
    sizes = (current.own("d_s"), current.own("d_h"))
    return families.families(current.scenario(), current.own("i") - 1, sizes, edits, factor)


def now() -> families.Families:
    """All functions as they stand."""
    return in_hand(current.own("edits"), current.own("factor"))


def changed(values: list[float]) -> dict[str, float | int | dict[str, float]]:
    """The page's settings, with the sliders at these values: numbers of a state, the factor, d_k."""
    *row, factor, d_k = values
    here = now()
    held = families.places(current.own("hold"), here.t, here.home.shape[1])
    return {"edits": families.moved(current.own("edits"), here.home, held, row), "factor": factor, "d_k": round(d_k)}


def sliders() -> list[Slider]:
    """The numbers that the hand holds."""
    return families.sliders(now(), current.own("edits"), current.own("hold"), current.own("d_k"))


def draw(values: list[float]) -> Drawings:
    """All frames, with the sliders at these values."""
    new = changed(values)
    here = in_hand(new["edits"], new["factor"])
    worked_out = frame.is_open("family_arithmetic")
    return drawings.drawn(here, current.own("compared"), new["d_k"], current.view().unit, worked_out=worked_out)


def between(values: list[float]) -> dict[str, Figure]:
    """The rows at a position the hand has passed."""
    new = changed(values)
    return {"family_rows": drawings.rows_drawing(in_hand(new["edits"], new["factor"]), current.own("compared"))["figure"]}


def hold(row: int, column: int) -> None:
    """A click in a map picks its pair."""
    here = current.scenario()
    if row < len(here.target) and column < len(here.source):
        current.change(here.with_step(row))
        current.change_own(i=column + 1)


with frame.page(__file__, *SETTINGS):
    here, compared = now(), current.own("compared")
    look = str(current.view().projector)
    tall, sentence, maps, wiring = HEIGHTS[current.view().projector]
    frame.idea("Many functions can score how well a word fits; each gives its own weights from its own state.")
    quiz.predict(
        "family_agree",
        "Additive and dot score the same words. Do their weights agree?",
        ("Always", "Only the order of the words", "Not in general"),
        right=2,
        why="They compute different things, and additive uses the state before the step, dot the state at it.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="family_toolbar", gap="small"):
        controls.scenario_menu("family_scenario")
        controls.step_control("family_step")
        controls.pick("family_compared", "Compare additive with", "compared")
        controls.whole("family_d_s", "d_s, of state s", "d_s")
        controls.whole("family_d_h", "d_h, of word h", "d_h")
        controls.unit_control("family_unit")

    hand, rows, focus, scaling = st.columns([1.35, 1.8, 0.9, 1.3], gap="small")
    with hand:
        with st.container(horizontal=True, vertical_alignment="bottom", key="family_held", gap="small"):
            controls.pick("family_hold", "The sliders hold", "hold")
            untouched = not current.own("edits") and current.own("factor") == 1
            undo = {"icon": ":material/restart_alt:", "disabled": untouched, "help": "All states back to the prepared ones"}
            st.button("Undo", key="family_undo", on_click=lambda: current.change_own(edits={}, factor=1.0), **undo)
        parts = {"sliders": sliders, "draw": draw, "between": between}
        take = {"on_move": lambda values: current.move_own(**changed(values))}
        controls.hand("family_hand", label=f"Numbers of {current.own('hold')}", height=tall - 66, **parts, **take)
    with rows:
        live_figure("family_rows", heading=f"Step {here.t + 1}: weights by function", height=tall, look=look)
    with focus:
        live_figure("family_focus", heading=f"Entropy, {current.view().unit}", height=tall, look=look)
    with scaling:
        live_figure("family_scaling", heading="Scaling a dot product", height=tall, look=look)
    live_figure("family_said", heading="", height=sentence * (2 if here.refused else 1), look=look)
    headings = {"first": families.FIRST, "other": compared, "difference": f"{compared} minus {families.FIRST}"}
    for column, (name, heading) in zip(st.columns(3, gap="small"), headings.items(), strict=True):
        with column:
            live_figure(f"family_{name}", heading=heading.capitalize(), height=maps, look=look, on_click=hold)
    live_figure("family_wiring", heading="Which state scores? Two papers, two orders", height=wiring, look=look)
    frame.arithmetic("family_arithmetic", len(ac.SCORES))
    frame.numpy_block("family_numpy", families.block(here, bits=current.view().unit == "bits"))
