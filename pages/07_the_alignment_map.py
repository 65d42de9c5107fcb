"""The alignment map

All steps at once: what each row says, what each column adds up to, and which shape the whole has.

Stands on: 5, 6.
"""

from dataclasses import replace

import streamlit as st

from pages.parts import alignment, controls, current, frame, quiz, typed_cells
from pages.parts.figures import Figure
from pages.parts.live import Drawings, live_figure
from pages.parts.patterns import PATTERNS, scores_of


def heights(steps: int, projector: bool) -> tuple[int, int]:
    """Of the map and of what stands below it: more for many rows, and for large type."""
    top = 292 if steps <= 12 else 480
    return (top + 70, 230) if projector else (top, 136)


def draw(values: list[float]) -> Drawings:
    """The map and its margins, with the sliders at these values."""
    seen = alignment.alignment_of(controls.moved(values), current.view().unit)
    drawn = dict(alignment.map_drawings(seen))
    if frame.is_open("align_arithmetic"):
        drawn["align_arithmetic"] = alignment.arithmetic_drawing(seen)
    return drawn


def between(values: list[float]) -> dict[str, Figure]:
    """The map and its columns at a position the hand has passed."""
    seen = alignment.alignment_of(controls.moved(values), current.view().unit)
    return {"align_map": alignment.map_figure(seen), "align_coverage": alignment.coverage_figure(seen)}


def hold(row: int, column: int) -> None:
    """A click in the map holds its row."""
    if row < len(current.scenario().target):
        current.change(current.scenario().with_step(row))


def load_pattern(key: str) -> None:
    """A menu that puts the scores of a pattern into the map; afterwards it is empty again, as the map may be changed."""

    def chosen() -> None:
        here, name = current.scenario(), st.session_state[key]
        if name is not None:
            scores = scores_of(name, len(here.target), len(here.source), here.seed)
            current.change(replace(here, scores=scores, temperature=1.0))

    st.session_state[key] = None
    st.selectbox("Pattern", list(PATTERNS), index=None, key=key, placeholder="Load one", width=170, on_change=chosen)


with frame.page(__file__):
    here = current.scenario()
    look = str(current.view().projector)
    top, bottom = heights(len(here.target), current.view().projector)
    frame.idea("One row per step: the shape of the whole map shows how the two word orders relate.")
    quiz.predict(
        "align_broken",
        "A speech recogniser's map is one clean diagonal. Is the model broken?",
        ("Yes, it only copies places", "No, both orders agree", "Only if T_x = T_y"),
        right=1,
        why="Sound and text run in the same order, so looking moves on step by step. Load the diagonal and see.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="align_toolbar", gap="small"):
        load_pattern("align_pattern")
        controls.scenario_menu("align_scenario")
        controls.step_control("align_step")
        controls.unit_control("align_unit")
        typed_cells.panel("align_cell")
        controls.own_sentences("align_own")
        controls.reset("align_reset")
    sliders, everything, rows = st.columns([1.35, 2, 1.25], gap="small")
    with sliders:
        controls.score_hand("align_scores", draw=draw, between=between, height=top)
    with everything:
        live_figure("align_map", heading="The map: a row per step", height=top, look=look, on_click=hold)
        live_figure("align_coverage", heading="Coverage: each column added up", height=bottom, look=look)
    with rows:
        live_figure("align_rows", heading=f"Each row: H ({current.view().unit}), most at, sum", height=top, look=look)
        live_figure("align_shape", heading="", height=bottom, look=look)
    live_figure("align_row", heading="", height=34, look=look)
    frame.arithmetic("align_arithmetic", len(here.target))
    frame.numpy_block("align_numpy", alignment.block(here, current.view().unit))
