"""Type any score of the grid: one cell, or all of them at once.

What cannot be used is named in one sentence; it stays in its field for mending, and the scores stay as they were.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

import streamlit as st

from pages.parts import current, describe
from pages.parts.describe import exact
from pages.parts.scenario import SCORE_LIMIT, Scenario

MAX_LETTERS = 20_000  # more than the largest grid needs, 900 cells of "-999.9999 "


def cell(text: str) -> float:
    """Read one score.

    >>> cell(" 2,1 "), cell("−3"), cell("1e2")
    (2.1, -3.0, 100.0)

    Raises
    ------
    ValueError
        What is wrong with it, and what may stand there.
    """
    plain = re.sub("[\u2212\u2012\u2013]", "-", text.strip()).replace(",", ".")
    try:
        value = float(plain) if plain.isascii() and "_" not in plain else math.nan
    except ValueError:
        value = math.nan
    if not abs(value) <= SCORE_LIMIT:
        raise ValueError(f'"{text.strip()[:20]}" is not a number from {-SCORE_LIMIT:g} to {SCORE_LIMIT:g}; type for example 2.1')
    return value


def grid(text: str, T_y: int, T_x: int) -> tuple[tuple[float, ...], ...]:
    """Read a whole grid: a line per step, numbers parted by blanks, tabs or semicolons.

    Raises
    ------
    ValueError
        Which line or number is wrong, and what should be there.
    """
    lines = [line for line in text[:MAX_LETTERS].splitlines() if line.strip()]
    if len(lines) != T_y:
        raise ValueError(f"there must be {describe.count(T_y, 'line')}, one per target word, but there are {len(lines)}")
    rows = []
    for t, line in enumerate(lines, start=1):
        pieces = re.split(r"[\s;]+", line.strip().strip(";"))
        if len(pieces) != T_x:
            raise ValueError(f"line {t} must have {describe.count(T_x, 'number')}, one per source word, but has {len(pieces)}")
        try:
            rows.append(tuple(cell(piece) for piece in pieces))
        except ValueError as error:
            raise ValueError(f"line {t}: {error}") from error
    return tuple(rows)


def with_cell(scenario: Scenario, t: int, i: int, value: float) -> Scenario:
    """Change one score, and hold its row; t and i count from 0."""
    row = list(scenario.scores[t])
    row[i] = value
    return scenario.with_step(t).with_row(row)


def panel(key: str) -> None:
    """A panel in which any cell, or the whole grid, can be typed."""
    here = current.scenario()
    trouble = st.session_state.pop(f"{key}_trouble", "")

    def hold_step() -> None:
        current.change(current.scenario().with_step(st.session_state[f"{key}_t"] - 1))

    def take_cell() -> None:
        t, i = st.session_state[f"{key}_t"] - 1, st.session_state[f"{key}_i"] - 1
        try:
            current.change(with_cell(current.scenario(), t, i, cell(st.session_state[f"{key}_value"])))
        except ValueError as error:
            st.session_state[f"{key}_trouble"] = f"Nothing was changed: {error}."

    def take_grid() -> None:
        now = current.scenario()
        try:
            typed = grid(st.session_state[f"{key}_grid"], len(now.target), len(now.source))
            current.change(replace(now, scores=typed))
        except ValueError as error:
            st.session_state[f"{key}_trouble"] = f"Nothing was changed: {error}."

    popover = st.popover("Type a cell", icon=":material/edit_square:", key=key, on_change="rerun")
    if not popover.open:
        return
    ends = {"t": len(here.target), "i": len(here.source)}
    # The step is the scenario's; the position stays where it was set, as far as the sentence reaches.
    stand = {"t": here.t + 1, "i": min(st.session_state.get(f"{key}_i") or 1, ends["i"])}
    with popover:
        for column, letter in zip(st.columns(2, gap="small", wrap=False), ends, strict=True):
            st.session_state[f"{key}_{letter}"] = stand[letter]
            column.number_input(
                f"{letter}, 1 to {ends[letter]}",
                min_value=1,
                max_value=ends[letter],
                step=1,
                key=f"{key}_{letter}",
                on_change=hold_step if letter == "t" else None,
            )
        if not trouble:  # what was typed stays there until it can be used
            st.session_state[f"{key}_value"] = exact(here.scores[here.t][stand["i"] - 1])
            st.session_state[f"{key}_grid"] = "\n".join("  ".join(exact(e) for e in row) for row in here.scores)
        cell_named = f"Score of {describe.named(here.target, here.t)} for {describe.named(here.source, stand['i'] - 1)}"
        st.text_input(describe.verbatim(cell_named), key=f"{key}_value", on_change=take_cell)
        st.text_area("The whole grid: a line per step", key=f"{key}_grid", height=150, on_change=take_grid)
        if trouble:
            st.error(describe.verbatim(trouble))
