"""Figures of lesson 10: rows of a map that fill, what each row says beside it, and the likeliest words of a step.

All of them keep their axes, colours and numbers of points while the words are written, so that marks move in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from pages.parts import figures
from pages.parts.describe import number
from pages.parts.figures import Figure, plain, short

BLANK = "\u00a0"  # a place without any text could not be written into while a hand moves
UNWRITTEN = "·"
END_SIGN = "¶"
LETTERS = 18
TOP = 5
SECOND_LINE = 18  # narrow frames keep room for two lines of reading, the map's has one: so that rows stand level


@lru_cache(maxsize=256)
def source_axis(words: tuple[str, ...]) -> dict[str, Any]:
    """The words that were read; letters stand upright however many they are, and the end is a sign as narrow as they."""
    if len(words) <= 8 or sorted(map(len, words))[-2] > 1:
        return figures.word_axis(words)
    letters = tuple(word if len(word) == 1 else END_SIGN for word in words)
    return {**figures.word_axis(letters), "tickangle": 0}


def _foot(words: tuple[str, ...]) -> int:
    return 70 if source_axis(words)["tickangle"] else 24


def _steps(rows: int) -> dict[str, Any]:
    """The axis of the steps, step 1 on top: the same in all figures side by side."""
    return {"range": [rows - 0.5, -0.5], "visible": False, "fixedrange": True}


@lru_cache(maxsize=256)
def _hovers(source: tuple[str, ...], rows: int) -> list[list[str]]:
    return [[f"step {r + 1} at {plain(word)}, position {c + 1}" for c, word in enumerate(source)] for r in range(rows)]


def _small(rows: int) -> dict[str, Any]:
    return {"size": 10} if rows > 16 else {}


def map_figure(
    source: tuple[str, ...], labels: Sequence[str], weights: np.ndarray, rows: int, written: int, t: int, widest: int
) -> Figure:
    """The alignment map, filled as far as it is written; the step in hand is framed.

    Parameters
    ----------
    labels : sequence of str
        What each written row is called.
    weights : (at least `written`, T_x) array
    rows : int
        Rows of the map, written or not.
    written : int
        How many are written.
    widest : int
        Letters that there is to be room for.
    """
    columns = len(source)
    z = np.zeros((rows, columns))
    z[:written] = weights[:written]
    grid = z.tolist()
    data: list[dict[str, Any]] = [
        {
            "type": "heatmap",
            "z": grid,
            "zmin": 0,
            "zmax": 1,
            "colorscale": [list(stop) for stop in figures.CIVIDIS],
            "xgap": 2 if columns <= figures.NUMBERS_UP_TO else 1,
            "ygap": 2 if rows <= figures.NUMBERS_UP_TO else 1,
            "customdata": _hovers(source, rows),
            "hovertemplate": "%{customdata}<br>weight %{z:.4f}<extra></extra>",
            "colorbar": {"thickness": 10, "tickvals": [0, 0.5, 1], "outlinewidth": 0, "len": 1, "y": 0.5, "xpad": 4},
        },
        {  # lies over the rows that are not written yet
            "type": "bar",
            "x": [(columns - 1) / 2],
            "y": [rows - written],
            "base": [written - 0.5],
            "width": columns,
            "marker": {"color": "@grid"},
            "hovertemplate": "not yet written<extra></extra>",
        },
    ]
    if max(rows, columns) <= figures.NUMBERS_UP_TO:
        flat = [(r, c, grid[r][c]) for r in range(rows) for c in range(columns)]
        data.append(
            {
                "type": "scatter",
                "mode": "text",
                "x": [c for _, c, _ in flat],
                "y": [r for r, _, _ in flat],
                "text": [number(a) if r < written else BLANK for r, _, a in flat],
                "textfont": {"color": ["#000000" if a > 0.525 else "#ffffff" for _, _, a in flat]},
                "hoverinfo": "skip",
            }
        )
    data += [
        {
            "type": "scatter",
            "mode": "text",
            "x": [-0.49] * rows,  # within the axis: beyond it Plotly leaves texts out
            "y": list(range(rows)),
            "text": [(plain(short(labels[r], LETTERS)) if r < written else UNWRITTEN) + BLANK for r in range(rows)],
            "textposition": "middle left",
            "textfont": _small(rows),
            "cliponaxis": False,
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "mode": "lines",
            "x": [-0.5, columns - 0.5, columns - 0.5, -0.5, -0.5],
            "y": [t - 0.5, t - 0.5, t + 0.5, t + 0.5, t - 0.5],
            "line": {"color": "@s", "width": 3},
            "cliponaxis": False,
            "hoverinfo": "skip",
        },
    ]
    return {
        "data": data,
        "layout": figures.canvas(
            xaxis=source_axis(source),
            yaxis=_steps(rows),
            margin={"l": 18 + 8 * min(widest, LETTERS), "r": 8, "t": 4, "b": _foot(source) + SECOND_LINE},
            barmode="overlay",
        ),
    }


def words_figure(
    source: tuple[str, ...], first: Sequence[str], second: Sequence[str], marked: Sequence[bool], rows: int, written: int
) -> Figure:
    """Two columns of texts, a line per step; a marked line has "≠" between them and another colour."""
    shown = range(rows)

    def column(x: float, texts: Sequence[str], coloured: bool) -> dict[str, Any]:
        return {
            "type": "scatter",
            "mode": "text",
            "x": [x] * rows,
            "y": list(shown),
            "text": [plain(short(texts[r], LETTERS)) if r < min(written, len(texts)) else BLANK for r in shown],
            "textposition": "middle right",
            "textfont": {
                **_small(rows),
                "color": ["@s-text" if coloured and r < len(marked) and marked[r] else "@text" for r in shown],
            },
            "cliponaxis": False,
            "hoverinfo": "skip",
        }

    signs = ["≠" if r < len(marked) and marked[r] else BLANK for r in shown]
    return {
        "data": [column(0.0, first, False), column(0.86, signs, True), column(1.0, second, True)],
        "layout": figures.canvas(
            xaxis={"range": [0, 2], "visible": False, "fixedrange": True},
            yaxis=_steps(rows),
            margin={"l": 2, "r": 2, "t": 4, "b": _foot(source)},
        ),
    }


def entropy_figure(source: tuple[str, ...], entropies: Sequence[float], most: float, rows: int, written: int) -> Figure:
    """A pin per step, as long as its entropy, on a scale from 0 to that of a uniform row."""
    away = -10 * most  # outside the plot: not written yet
    heads = [entropies[r] if r < written else away for r in range(rows)]
    # One line for all pins, which goes out and back: so it can move as one mark.
    out = [x for h in heads for x in (0.0, max(h, 0.0), 0.0)]
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines",
                "x": out,
                "y": [r for r in range(rows) for _ in range(3)],
                "line": {"color": "@alpha", "width": 3},
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": heads,
                "y": list(range(rows)),
                # The blanks keep a number clear of its pin's head while it moves.
                "text": [2 * BLANK + number(entropies[r]) if r < written else BLANK for r in range(rows)],
                "textposition": "middle right",
                "textfont": _small(rows),
                "marker": {"size": 9, "color": "@alpha"},
                "hovertemplate": "%{x:.4f}<extra></extra>",
            },
        ],
        "layout": figures.canvas(
            xaxis={
                "range": [-0.05 * most, 1.5 * most],
                "tickvals": [0, most],
                "ticktext": ["0", number(most)],
                "fixedrange": True,
                "gridcolor": "@grid",
                "zerolinecolor": "@line",
            },
            yaxis=_steps(rows),
            margin={"l": 8, "r": 4, "t": 4, "b": _foot(source)},
        ),
    }


def guesses_figure(labels: Sequence[str], scripts: Sequence[str] | None, now: Sequence[float], before: Sequence[float]) -> Figure:
    """The likeliest words as bars, with an outline where each stood before a hand was in the works.

    Parameters
    ----------
    scripts : sequence of str or None
        A second line of letters under each word, such as kana and kanji.
    """
    n, line_height = len(labels), 0.095
    lines = 1 if scripts is None else 2

    def line(number: int, texts: Sequence[str]) -> dict[str, Any]:
        return {
            "type": "scatter",
            "mode": "markers+text",  # a text alone would be left out where numbers have no room
            "marker": {"size": 1, "color": "rgba(0,0,0,0)"},
            "textposition": "middle center",
            "x": list(range(n)),
            # Neighbours stand on different lines, so that long words do not run into one another.
            "y": [-line_height * (1 + number + lines * (k % 2)) for k in range(n)],
            "text": [plain(short(text, 10)) or BLANK for text in texts],
            "cliponaxis": False,
            "hoverinfo": "skip",
        }

    bars = figures.bars(
        [str(k + 1) for k in range(n)], now, [number(p) for p in now], symbol="s", low=0.0, high=1.0, what="probability"
    )
    bars = figures.with_outline(bars, before)
    y_axis = {**bars["layout"]["yaxis"], "range": [-line_height * (2 * lines + 1), 1.14], "tickvals": [0, 0.5, 1]}
    x_axis = {**bars["layout"]["xaxis"], "showticklabels": False}
    return {
        "data": [*bars["data"], line(0, labels), *([] if scripts is None else [line(1, scripts)])],
        "layout": {**bars["layout"], "xaxis": x_axis, "yaxis": y_axis, "margin": {"l": 30, "r": 6, "t": 6, "b": 6}},
    }
