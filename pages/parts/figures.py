"""Arrays in, Plotly figures out, as plain data.

The figures are dictionaries because they are made anew 30 times a second; the tests hand each of them to
`plotly.graph_objects.Figure`, which checks every name and value. Three rules hold throughout:

- words are never positions: axes are 0..n-1 and the word is a tick text, so "10" and "1E1" and a repeated "the" stay apart;
- a word is text: whatever Plotly would read as markup is escaped (`plain`);
- colours are named by symbol ("@alpha"); the page's stylesheet says what that is on a light or dark ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from pages.parts.describe import exact, number

Figure = dict[str, Any]

# Cividis, sampled: safe for colour-blind eyes and monotone in grey. Dark is 0, bright is 1, always.
CIVIDIS = (
    (0.0, "#00224e"), (0.125, "#123570"), (0.25, "#3b496c"), (0.375, "#575d6d"), (0.5, "#707173"),
    (0.625, "#8a8678"), (0.75, "#a59c74"), (0.875, "#c3b369"), (1.0, "#fee838"),
)  # fmt: skip
NUMBERS_UP_TO = 12  # words a side; in a larger map numbers would not be readable


def plain(text: str) -> str:
    """Text that Plotly shows as typed: no tags, no entities, no maths between dollar signs, no "@colour"."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("$", "&#36;").replace("@", "&#64;")


def short(word: str, letters: int) -> str:
    """A word that fits an axis; the full word is in the hover text."""
    return word if len(word) <= letters else word[: letters - 1] + "…"


@lru_cache(maxsize=512)
def word_axis(words: tuple[str, ...], letters: int = 12) -> dict[str, Any]:
    """An axis with one equal place per word, in sentence order. Shared between figures: take it over, do not change it."""
    n = len(words)
    crowded = n > 8 or sum(len(short(word, letters)) for word in words) > 60
    return {
        "range": [-0.5, n - 0.5],
        "tickvals": list(range(n)),
        "ticktext": [plain(short(word, letters)) for word in words],
        "tickangle": -60 if crowded else 0,
        "ticks": "",
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
    }


@lru_cache(maxsize=512)
def places(words: tuple[str, ...]) -> list[str]:
    """Word and position, for hover texts. Shared like `word_axis`."""
    return [f"{plain(word)}, position {i + 1}" for i, word in enumerate(words)]


@lru_cache(maxsize=256)
def cells(source: tuple[str, ...], target: tuple[str, ...]) -> list[list[str]]:
    """Step, words and position of every cell of a map, for hover texts. Shared like `word_axis`."""
    return [
        [f"step {r + 1}, {plain(w)} → {plain(v)}, position {c + 1}" for c, v in enumerate(source)] for r, w in enumerate(target)
    ]


def canvas(**layout: Any) -> dict[str, Any]:
    """What all figures share."""
    return {
        "margin": {"l": 34, "r": 8, "t": 6, "b": 24},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "uirevision": "kept",  # a zoom survives the next movement
        **layout,
    }


def bars(
    words: Sequence[str], heights: Sequence[float], texts: Sequence[str], *, symbol: str, low: float, high: float, what: str
) -> Figure:
    """One bar per word, in sentence order, on a fixed scale.

    Parameters
    ----------
    texts : sequence of str
        The number that stands at each bar.
    low, high : float
        Ends of the value axis, fixed by the caller so that nothing jumps while a hand moves a bar.
    what : str
        What a bar means, for its hover text.
    """
    air = 0.14 * (high - low)  # for the numbers beyond the bars
    x_axis = word_axis(tuple(words))
    trace: dict[str, Any] = {
        "type": "bar",
        "x": list(range(len(words))),
        "y": list(heights),
        "marker": {"color": f"@{symbol}"},
        "customdata": places(tuple(words)),
        "hovertemplate": f"%{{customdata}}<br>{what} %{{y:.4f}}<extra></extra>",
    }
    if len(words) <= NUMBERS_UP_TO:
        trace |= {"text": list(texts), "textposition": "outside", "textangle": 0, "constraintext": "none", "cliponaxis": False}
    return {
        "data": [trace],
        "layout": canvas(
            xaxis=x_axis,
            yaxis={
                "range": [low - (air if low < 0 else 0), high + air],
                "fixedrange": True,
                "gridcolor": "@grid",
                "zeroline": True,
                "zerolinecolor": "@line",
                "nticks": 6,
            },
            margin={"l": 40, "r": 8, "t": 6, "b": 70 if x_axis["tickangle"] else 24},
            bargap=0.35,
        ),
    }


def score_bars(words: Sequence[str], scores: Sequence[float], reach: float) -> Figure:
    """Scores before the softmax: any height, any sign, within ±reach."""
    return bars(words, scores, [exact(e) for e in scores], symbol="e", low=-reach, high=reach, what="score")


def lifted_bars(words: Sequence[str], lifted: Sequence[float]) -> Figure:
    """exp(e - max) of each score: above zero, the highest is 1."""
    return bars(words, lifted, [number(x) for x in lifted], symbol="w", low=0.0, high=1.0, what="lifted score")


def weight_bars(words: Sequence[str], weights: Sequence[float], *, numbers: bool = True) -> Figure:
    """Weights after the softmax, on the scale that never changes: 0 to 1."""
    texts = [number(a) if numbers else "" for a in weights]
    return bars(words, weights, texts, symbol="alpha", low=0.0, high=1.0, what="weight")


def with_outline(figure: Figure, heights: Sequence[float]) -> Figure:
    """Bars with an outline around each: where they were, or where somebody thought they would be."""
    outline = {
        "type": "bar",
        "x": list(range(len(heights))),
        "y": list(heights),
        "marker": {"color": "rgba(0,0,0,0)", "line": {"color": "@text", "width": 2}},
        "hoverinfo": "skip",
    }
    return {"data": [*figure["data"], outline], "layout": {**figure["layout"], "barmode": "overlay"}}


def weight_map(source: Sequence[str], target: Sequence[str], weights: np.ndarray, t: int) -> Figure:
    """All steps: one row per target word, step 1 on top, one column per source word; colours always mean 0 to 1.

    Parameters
    ----------
    weights : (T_y, T_x) array
    t : int
        The row in hand, framed.
    """
    rows, columns = weights.shape
    z = weights.tolist()
    gap = 2 if max(rows, columns) <= NUMBERS_UP_TO else 1
    data: list[dict[str, Any]] = [
        {
            "type": "heatmap",
            "z": z,
            "zmin": 0,
            "zmax": 1,
            "colorscale": [list(stop) for stop in CIVIDIS],
            "xgap": gap,
            "ygap": gap,
            "customdata": cells(tuple(source), tuple(target)),
            "hovertemplate": "%{customdata}<br>weight %{z:.4f}<extra></extra>",
            "colorbar": {"thickness": 10, "tickvals": [0, 0.5, 1], "outlinewidth": 0, "len": 1, "y": 0.5, "xpad": 4},
        }
    ]
    if max(rows, columns) <= NUMBERS_UP_TO:
        flat = [a for row in z for a in row]
        data.append(
            {
                "type": "scatter",
                "mode": "text",
                "x": [c for _ in range(rows) for c in range(columns)],
                "y": [r for r in range(rows) for _ in range(columns)],
                "text": [number(a) for a in flat],
                "textfont": {"color": ["#000000" if a > 0.525 else "#ffffff" for a in flat]},
                "hoverinfo": "skip",
            }
        )
    widest = max(len(short(word, 12)) for word in target)
    x_axis = word_axis(tuple(source))
    return {
        "data": data,
        "layout": canvas(
            dragmode="zoom",
            xaxis={**x_axis, "fixedrange": False},
            yaxis={**word_axis(tuple(target)), "range": [rows - 0.5, -0.5], "tickangle": 0, "fixedrange": False},
            margin={"l": 16 + 8 * widest, "r": 8, "t": 4, "b": 70 if x_axis["tickangle"] else 24},
            shapes=[
                {
                    "type": "rect", "x0": -0.5, "x1": columns - 0.5, "y0": t - 0.5, "y1": t + 0.5,
                    "line": {"color": "@s", "width": 3}, "fillcolor": "rgba(0,0,0,0)",
                }
            ],
        ),
    }  # fmt: skip


def focus_ruler(target: Sequence[str], effective: np.ndarray, t: int, length: int) -> Figure:
    """exp(H) of every step on a ruler from 1 word to all of them; rows as in the map, the step in hand in colour.

    Parameters
    ----------
    effective : (T_y,) array
        exp(H) of each step, in words.
    length : int
        T_x, the end of the ruler.
    """
    end = max(length, 2)
    rows = len(target)
    spread = effective.tolist()
    others = [r for r in range(rows) if r != t]
    ticks = range(1, end + 1) if end <= 10 else (1, *range(5, end + 1, 5))
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "markers",
                "x": [spread[r] for r in others],
                "y": others,
                "marker": {"size": 9, "color": "@line"},
                "customdata": [f"step {r + 1}, {plain(target[r])}" for r in others],
                "hovertemplate": "%{customdata}<br>like %{x:.4f} words<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "lines",
                "x": [1, spread[t]],
                "y": [t, t],
                "line": {"color": "@alpha", "width": 5},
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": [spread[t]],
                "y": [t],
                "text": [number(spread[t])],
                "textposition": "top center",
                "cliponaxis": False,
                "marker": {"size": 15, "color": "@alpha", "symbol": "diamond"},
                "hovertemplate": "like %{x:.4f} words<extra></extra>",
            },
        ],
        "layout": canvas(
            margin={"l": 14, "r": 14, "t": 8, "b": 24},
            xaxis={
                "range": [1 - 0.06 * (end - 1), end + 0.06 * (end - 1)],
                "tickvals": list(ticks),
                "fixedrange": True,
                "gridcolor": "@grid",
                "zeroline": False,
                "ticks": "outside",
                "showline": True,
                "linecolor": "@line",
                "tickcolor": "@line",
            },
            yaxis={"visible": False, "range": [rows - 0.5, -0.75], "fixedrange": True},
        ),
    }


def blend(words: Sequence[str], annotations: np.ndarray, weights: np.ndarray, context: np.ndarray) -> Figure:
    """h_i as points, each as large as its weight, and c among them.

    Parameters
    ----------
    annotations : (T_x, 2) array
    weights : (T_x,) array
    context : (2,) array
    """
    n = len(words)
    x, y = annotations[:, 0].tolist(), annotations[:, 1].tolist()
    pulls_x = [v for xi in x for v in (xi, float(context[0]))]
    pulls_y = [v for yi in y for v in (yi, float(context[1]))]
    labels = [f"h<sub>{i + 1}</sub>" if n > 6 else f"h<sub>{i + 1}</sub> {plain(short(word, 8))}" for i, word in enumerate(words)]
    axis = {"range": [-1.25, 1.25], "fixedrange": True, "gridcolor": "@grid", "zerolinecolor": "@grid", "nticks": 5}
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines",
                "x": pulls_x,
                "y": pulls_y,
                "line": {"color": "@c", "width": 1},
                "opacity": 0.6,
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": x,
                "y": y,
                "text": labels if n <= 12 else [""] * n,
                "textposition": "top center",
                "cliponaxis": False,
                "marker": {"size": [6 + 26 * float(a) ** 0.5 for a in weights], "color": "@h", "opacity": 0.85},
                "customdata": places(tuple(words)),
                "hovertemplate": "%{customdata}<br>h = (%{x:.2f}, %{y:.2f})<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": [float(context[0])],
                "y": [float(context[1])],
                "text": ["c"],
                "textposition": "bottom center",
                "marker": {"size": 15, "color": "@c", "symbol": "diamond", "line": {"color": "@text", "width": 1}},
                "hovertemplate": "context c = (%{x:.4f}, %{y:.4f})<extra></extra>",
            },
        ],
        "layout": canvas(xaxis=axis, yaxis=dict(axis), margin={"l": 30, "r": 8, "t": 4, "b": 20}),
    }
