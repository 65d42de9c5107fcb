"""Two rows of boxes

One row is read; the other is written one word at a time, while looking back at all that was read.

Stands on: 0.
"""

import streamlit as st

from pages.parts import controls, current, frame, quiz, two_rows
from pages.parts.describe import count, verbatim
from pages.parts.figures import Figure
from pages.parts.live import Drawings, Slider, live_figure
from pages.parts.scenario import Scenario
from pages.parts.settings import Whole

PLACE = Whole("i", low=1, high=lambda scenario: len(scenario.source), default=1)


def sliders() -> list[Slider]:
    """One for the word that is being written, one for the word that it looks at."""
    here = current.scenario()
    return [
        counting("write t", len(here.target), here.t + 1, "s"),
        counting("look at i", len(here.source), place(), "h"),
    ]


def counting(word: str, end: int, value: int, symbol: str) -> Slider:
    """A slider over whole numbers, from the first word to the last."""
    return Slider(
        word=word, spoken=word, value=value, home=1, min=1, max=end, least=1, most=end, step=1, symbol=symbol
    )  # fmt: skip


def place() -> int:
    """The source word that is pointed at, counted from 1."""
    return int(current.own("i"))


def moved(values: list[float]) -> tuple[Scenario, int]:
    """The scenario at the sliders' step, and the place in the source, both counted from 0. A typed 2.6 is the third word."""
    here = current.scenario()
    t, i = (round(value) - 1 for value in values)
    return here.with_step(min(t, len(here.target) - 1)), min(i, len(here.source) - 1)


def take(values: list[float]) -> None:
    """The sliders moved: the step belongs to the scenario, the place to this page."""
    scenario, i = moved(values)
    current.move(scenario)
    current.move_own(i=i + 1)


def draw(values: list[float]) -> Drawings:
    """Both rows, the grid of looks, and the count worked out."""
    scenario, i = moved(values)
    drawn = {"boxes_rows": two_rows.rows_drawing(scenario, i), "boxes_grid": two_rows.grid_drawing(scenario, i)}
    if frame.is_open("boxes_arithmetic"):
        drawn["boxes_arithmetic"] = two_rows.arithmetic_drawing(scenario)
    return drawn


def between(values: list[float]) -> dict[str, Figure]:
    """Boxes are few: every position is drawn in full, and none in between."""
    return {}


with frame.page(__file__, PLACE):
    here = current.scenario()
    read, written = len(here.source), len(here.target)
    look = str(current.view().projector)
    frame.idea("Read the upper row. Write the lower row one word at a time, looking back at all you read.")
    choices, right = two_rows.answers(read, written)
    quiz.predict(
        f"boxes_count_{read}_{written}",
        f"You read {count(read, 'word')} and write {count(written, 'word')}. How many looks in all?",
        choices,
        right=right,
        why=two_rows.why(here),
    )
    rows, grid = st.columns([1.7, 1], gap="medium")
    with rows:
        with st.container(horizontal=True, vertical_alignment="bottom", key="boxes_toolbar", gap="small"):
            with st.container(width="content", gap="xsmall"):
                st.markdown("**Type both rows**")
                controls.own_sentences("boxes_own")
            controls.scenario_menu("boxes_scenario")
        controls.hand(
            "boxes_hand",
            label="The word being written and the word it looks at",
            sliders=sliders,
            draw=draw,
            between=between,
            height=112,
            on_move=take,
        )
        live_figure("boxes_rows", heading="Read above, write below", height=292, look=look)
    with grid:
        live_figure("boxes_grid", heading="Every look, counted: a row per word written", height=470, look=look)
    with st.container(key="boxes_letters_prose"):
        st.markdown(verbatim(two_rows.two_letters(here)))
    frame.arithmetic("boxes_arithmetic", written)
    frame.numpy_block("boxes_numpy", two_rows.block(here))
