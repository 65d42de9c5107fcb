"""The microscope's marks: signed bars in two lanes, bars that stand on one another, dots, numbers and levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pages.parts import figures
from pages.parts.figures import Figure, canvas

CLEAR = "rgba(0,0,0,0)"
MARGIN = {"l": 26, "r": 4, "t": 4, "b": 20}
LANES = (1.4, -1.95)  # the zero of each lane, in reaches: over a lane is room for a number and a name, under it for a number
ROOM = 3.35  # from the middle of the figure to its ends
Trace = dict[str, Any]


def waterfall(products: np.ndarray) -> tuple[list[float], list[float]]:
    """Heights and feet of bars that stand on one another, and of the sum, which stands on zero."""
    sums = np.cumsum(products)
    return [*products.tolist(), float(sums[-1])], [0.0, *sums[:-1].tolist(), 0.0]


def signed_bars(
    x: Sequence[float],
    y: Sequence[float],
    base: Sequence[float],
    color: str | list[str],
    *,
    width: float = 0,
    texts: list[str] | None = None,
) -> Trace:
    """Bars of any sign, each on a foot of its own."""
    trace: Trace = {
        "type": "bar", "x": list(x), "y": list(y), "base": list(base), "marker": {"color": color}, "hoverinfo": "skip",
    }  # fmt: skip
    if width:
        trace["width"] = width
    if texts is not None:
        trace |= {"text": texts, "textposition": "outside", "textangle": 0, "constraintext": "none", "cliponaxis": False}
    return trace


def outline(x: Sequence[float], y: Sequence[float], base: Sequence[float]) -> Trace:
    """The same bars as they were prepared, hollow."""
    return {**signed_bars(x, y, base, CLEAR), "marker": {"color": CLEAR, "line": {"color": "@text", "width": 1.5}}}


def points(x: Sequence[float], y: Sequence[float], symbol: str, size: int, spots: list[str]) -> Trace:
    """Marks that can be hovered over."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": list(x),
        "y": list(y),
        "marker": {"symbol": symbol, "size": size, "color": "@text", "line": {"width": 1.5, "color": "@text"}},
        "customdata": spots,
        "hovertemplate": "%{customdata}<br>%{y:.4f}<extra></extra>",
        "cliponaxis": False,
    }


def texts_at(x: Sequence[float], y: Sequence[float], texts: list[str], position: str) -> Trace:
    """Numbers without marks."""
    return {
        "type": "scatter", "mode": "text", "x": list(x), "y": list(y), "text": texts, "textposition": position,
        "hoverinfo": "skip", "cliponaxis": False,
    }  # fmt: skip


def level(height: float, places: int) -> Trace:
    """A dashed line that no bar can pass."""
    return {
        "type": "scatter", "mode": "lines", "x": [-0.5, places - 0.5], "y": [height, height],
        "line": {"color": "@text", "width": 1, "dash": "dot"}, "hoverinfo": "skip",
    }  # fmt: skip


def counted(places: int) -> dict[str, Any]:
    """An axis with a place per number, counted from 1."""
    return figures.word_axis(tuple(str(k + 1) for k in range(places)))


def axis(end: float, **more: Any) -> dict[str, Any]:
    """A fixed axis from -end to end."""
    lines = {"gridcolor": "@grid", "zeroline": True, "zerolinecolor": "@line", "nticks": 6}
    return {"range": [-end, end], "fixedrange": True, **lines, **more}


def lanes(
    parts: Sequence[np.ndarray], ghosts: Sequence[np.ndarray], names: Sequence[str], end: float, tell: Callable[[float], str]
) -> Figure:
    """Two rows of signed bars on one scale: the state above, the annotation below.

    Parameters
    ----------
    parts, ghosts : two (d,) arrays each
        What is, and what was prepared.
    names : two str
        What stands over each row.
    end : float
        The reach of each row.
    tell : callable
        How a number is written.
    """
    data: list[Trace] = []
    notes = []
    middles = [lane * end for lane in LANES]
    for part, ghost, name, middle, symbol in zip(parts, ghosts, names, middles, ("s", "h"), strict=True):
        x, feet = list(range(len(part))), [middle] * len(part)
        texts = [tell(float(entry)) for entry in part] if len(part) <= 6 else None
        data.append(signed_bars(x, part.tolist(), feet, f"@{symbol}", texts=texts))
        data.append(outline(x, ghost.tolist(), feet))
        notes.append(
            {
                "text": name, "x": 0, "xref": "paper", "xanchor": "left", "y": middle + (ROOM - LANES[0]) * end, "yanchor": "top",
                "showarrow": False, "font": {"color": f"@{symbol}-text"},
            }
        )  # fmt: skip
    ticks = [middle + sign * end for middle in middles for sign in (-1, 0, 1)]
    labels = [f"{sign * end:g}" for _ in middles for sign in (-1, 0, 1)]
    lines = [
        {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": y, "y1": y, "line": {"color": "@line", "width": 1}}
        for y in middles
    ]
    return {
        "data": data,
        "layout": canvas(
            xaxis=counted(max(len(part) for part in parts)),
            yaxis=axis(ROOM * end, tickvals=ticks, ticktext=labels, zeroline=False),
            annotations=notes,
            shapes=lines,
            barmode="overlay",
            bargap=0.3,
            margin=MARGIN,
        ),
    }


def chosen(figure: Figure, i: int, count: int) -> Figure:
    """The word's bar in full colour, the others paler."""
    bars, *rest = figure["data"]
    marker = {**bars["marker"], "opacity": [1.0 if k == i else 0.45 for k in range(count)]}
    return {"data": [{**bars, "marker": marker}, *rest], "layout": figure["layout"]}
