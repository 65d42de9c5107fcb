"""Vectors as colour strips: one column per word, one row per number, below zero and above zero in two colours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from pages.parts.describe import number
from pages.parts.figures import NUMBERS_UP_TO, Figure, canvas, plain

# Orange is below 0, blue above: told apart by colour-blind eyes, and the numbers stand in the cells.
DIVERGING = ((0.0, "#b35806"), (0.25, "#f1a340"), (0.5, "#f7f7f7"), (0.75, "#67a9cf"), (1.0, "#2166ac"))
DARK = 0.88  # from this share of the reach on, white is easier to read than black
ROW = 22  # pixels of a line of labels
LEFT, RIGHT = 40, 52  # of every figure that stands above or below a strip: so words stand under one another


def room(labels: tuple[str, ...]) -> int:
    """Pixels that the columns' labels need above or below: signs such as "h<sub>12</sub>" stand upright, many words aslant."""
    lengths = [len(label) for label in labels if "<sub>" not in label]
    crowded = len(lengths) > 8 or sum(lengths) > 60
    return 62 if crowded and max(lengths) > 3 else ROW


@lru_cache(maxsize=512)
def strip_axis(labels: tuple[str, ...], top: bool) -> dict[str, Any]:
    """One equal place per word; the labels are already safe to show. Shared between figures: take it over, do not change it."""
    return {
        "range": [-0.5, len(labels) - 0.5],
        "tickvals": list(range(len(labels))),
        "ticktext": list(labels),
        "tickangle": -60 if room(labels) > ROW else 0,
        "side": "top" if top else "bottom",
        "ticks": "",
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
    }


@lru_cache(maxsize=256)
def hovers(words: tuple[str, ...], rows: tuple[str, ...]) -> list[list[str]]:
    """Word, position and number of every cell. Shared like `strip_axis`."""
    return [[f"{plain(word)}, position {i + 1}, number {row}" for i, word in enumerate(words)] for row in rows]


def strips(
    words: Sequence[str],
    values: np.ndarray,
    *,
    reach: float,
    what: str,
    labels: tuple[str, ...],
    rows: tuple[str, ...],
    top: bool = False,
    held: int | None = None,
    symbol: str = "h",
) -> Figure:
    """Draw one vector per word as a column of coloured cells.

    Parameters
    ----------
    words : sequence of str
        For the hover texts.
    values : (len(words), len(rows)) array
    reach : float
        Where the colours end, on both sides of 0. Fixed by the caller, so that a colour keeps its meaning.
    what : str
        What a number is, for the hover text.
    labels, rows : tuple of str
        Tick texts of the columns and of the rows, safe to show.
    top : bool, optional
        Whether the columns' labels stand above.
    held : int, optional
        The column to frame.
    symbol : str, optional
        The colour of that frame.
    """
    z = (values.T + 0.0).tolist()
    n = len(words)
    edge = room(labels)
    data: list[dict[str, Any]] = [
        {
            "type": "heatmap",
            "z": z,
            "zmin": -reach,
            "zmax": reach,
            "colorscale": [list(stop) for stop in DIVERGING],
            "xgap": 2 if n <= NUMBERS_UP_TO else 1,
            "ygap": 2,
            "customdata": hovers(tuple(words), rows),
            "hovertemplate": f"%{{customdata}}<br>{what} %{{z:.4f}}<extra></extra>",
            "colorbar": {
                "thickness": 8,
                "tickvals": [-reach, 0, reach],
                "ticktext": [f"−{reach:g}", "0", f"{reach:g}"],
                "outlinewidth": 0,
                "len": 1,
                "y": 0.5,
                "xpad": 4,
            },
        }
    ]
    if n <= NUMBERS_UP_TO:
        flat = [v for row in z for v in row]
        data.append(
            {
                "type": "scatter",
                "mode": "text",
                "x": [c for _ in rows for c in range(n)],
                "y": [r for r in range(len(rows)) for _ in range(n)],
                "text": [number(v) for v in flat],
                "textfont": {"color": ["#ffffff" if abs(v) > DARK * reach else "#000000" for v in flat]},
                "hoverinfo": "skip",
            }
        )
    frame = {
        "type": "rect", "x0": (held or 0) - 0.5, "x1": (held or 0) + 0.5, "y0": -0.5, "y1": len(rows) - 0.5,
        "line": {"color": f"@{symbol}", "width": 3}, "fillcolor": "rgba(0,0,0,0)",
    }  # fmt: skip
    return {
        "data": data,
        "layout": canvas(
            xaxis=strip_axis(labels, top),
            yaxis={
                "range": [len(rows) - 0.5, -0.5],
                "tickvals": list(range(len(rows))),
                "ticktext": list(rows),
                "ticks": "",
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            margin={"l": LEFT, "r": RIGHT, "t": edge if top else 4, "b": 4 if top else edge},
            shapes=[] if held is None else [frame],
        ),
    }
