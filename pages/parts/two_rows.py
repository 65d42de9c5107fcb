"""Two rows of boxes: one that is read, one that is written word by word, and every look back in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attention_core as ac
from pages.parts import describe, figures
from pages.parts.figures import Figure
from pages.parts.live import Drawing
from pages.parts.scenario import Scenario

BOX = 0.84  # width of a box and of its height, where the next box begins at 1
FOOT = {"read": 2.1, "write": 0.1}  # where the boxes of a row stand
LEVEL = 36  # letters that lie level in all boxes of a row together; longer words stand upright
UPRIGHT = 9  # letters in a box whose word stands upright
NUMBERED_UP_TO = 12  # boxes in the longer row; of more, only those in hand carry their number
SMALL_FROM = 20  # boxes a row whose words need smaller letters

_BLOCK = """\
import numpy as np

source = {source}  # the row that is read
target = {target}  # the row that is written
T_x, T_y = len(source), len(target)  # how many boxes each row has

looks = np.zeros((T_y, T_x), dtype=int)  # a row per word written, a column per word read
count = 0
for t in range(1, T_y + 1):  # t counts the words that are written
    for i in range(1, T_x + 1):  # i counts the words that are read
        count += 1  # while word t is written, one look at word i
        looks[t - 1, i - 1] = count  # Python counts places from 0
    print(f"t = {{t}}: {{target[t - 1]}}: {{T_x}} looks, {{count}} so far")

print(looks)
print(f"looks in all: T_y * T_x = {{T_y}} * {{T_x}} = {{looks.size}}")
"""


def answers(read: int, written: int) -> tuple[tuple[str, ...], int]:
    """Three different counts of looks to choose from, the smallest first, and which of them is right.

    The wrong ones are the usual slips: adding the lengths, squaring one of them, counting one row too many.

    >>> answers(3, 4)
    (('7 looks', '12 looks', '16 looks'), 1)
    """
    right = read * written
    slips = (read + written, written**2, read**2, max(read, written), right + written, right + read + written)
    wrong = [slip for slip in dict.fromkeys(slips) if slip != right][:2]
    counts = sorted([right, *wrong])
    return tuple(describe.count(n, "look") for n in counts), counts.index(right)


def why(scenario: Scenario) -> str:
    """The right answer, counted."""
    read, written = len(scenario.source), len(scenario.target)
    return (
        f"Each of the {describe.count(written, 'word')} you write looks once at each of the {describe.count(read, 'word')}"
        f" you read: {written} × {read} = {written * read}."
    )


def two_letters(scenario: Scenario) -> str:
    """Why the course needs i and t, said with this pair of sentences."""
    read, written = len(scenario.source), len(scenario.target)
    same = " Here both happen to end at the same number; with most sentences they do not." if read == written else ""
    return (
        f"Why two letters? i counts the words you read, from 1 to T_x = {read};"
        f" t counts the words you write, from 1 to T_y = {written}.{same}"
    )


def rows_drawing(scenario: Scenario, i: int) -> Drawing:
    """Both rows of boxes, with the looks of the word that is being written; i counts from 0 here."""
    source, target, t = scenario.source, scenario.target, scenario.t
    weights = ac.softmax(scenario.scores[t], temperature=scenario.temperature).tolist()
    read = {1: "the one word", 2: "both words"}.get(len(source), f"all {len(source)} words")
    reading = (
        f"t = {t + 1}: to write {describe.named(target, t)}, it looks back at {read} you read. A thicker line is a stronger look."
    )
    written = describe.together([describe.named(target, k) for k in range(t)]) if t else "nothing"
    rest = len(target) - t - 1
    return {
        "figure": _rows_figure(source, target, t, i, weights),
        "label": f"Two rows of boxes. Read: {' '.join(source)}. Written before: {written}. Being written: box {t + 1}"
        f" of {len(target)}, {describe.named(target, t)}. Still empty: {describe.count(rest, 'box').replace('boxs', 'boxes')}."
        f" A line leads from it to every box that was read; the line to {describe.named(source, i)} is marked.",
        "reading": reading,
    }


def grid_drawing(scenario: Scenario, i: int) -> Drawing:
    """All looks: a row per word written, filled up to the word that is being written; i counts from 0 here."""
    source, target, t = scenario.source, scenario.target, scenario.t
    read, written = len(source), len(target)
    look = f"Look {t * read + i + 1}: {describe.named(target, t)} at {describe.named(source, i)}."
    count = f"So far {t + 1} × {read} = {(t + 1) * read}; in all {written} × {read} = {written * read}."
    return {
        "figure": _grid_figure(source, target, t, i),
        "label": f"Grid of {describe.count(written, 'row')} by {describe.count(read, 'column')}, one cell per look;"
        f" {describe.count(t + 1, 'row')} filled. {look} {count}",
        "reading": f"{count} {look}",
    }


def arithmetic_drawing(scenario: Scenario) -> Drawing:
    """The count, step by step."""
    read, written = len(scenario.source), len(scenario.target)
    return {
        "table": {
            "columns": ["step t, word written", "looks at this step = T_x", "looks so far = t × T_x", ""],
            "rows": [
                [
                    f"{k + 1}  {word}",
                    str(read),
                    f"{k + 1} × {read} = {(k + 1) * read}",
                    "being written" if k == scenario.t else "written" if k < scenario.t else "still to come",
                ]
                for k, word in enumerate(scenario.target)
            ],
            "total": ["all steps", "", f"T_y × T_x = {written} × {read} = {written * read}", ""],
        },
        "label": "Arithmetic: the looks counted step by step",
        "reading": f"T_x = {read} words are read, T_y = {written} words are written.",
    }


def block(scenario: Scenario) -> str:
    """The count as a program with two loops."""
    return _BLOCK.format(source=list(scenario.source), target=list(scenario.target))


def _centres(boxes: int, width: int) -> list[float]:
    """Where the boxes of a row stand, the row in the middle of the width."""
    return [(width - boxes) / 2 + k + 0.5 for k in range(boxes)]


def _boxes(x: list[float], foot: float, symbol: str, fill: float, line: float, hovers: list[str]) -> list[dict[str, Any]]:
    """A fill and an outline per box: two traces, because a trace has one strength for both."""
    shared = {"type": "bar", "x": x, "y": [BOX] * len(x), "base": [foot] * len(x), "width": BOX}
    outline = {"color": "rgba(0,0,0,0)", "line": {"color": f"@{symbol}", "width": line}}
    hover = {"customdata": hovers, "hovertemplate": "%{customdata}<extra></extra>"}
    return [
        {**shared, "marker": {"color": f"@{symbol}"}, "opacity": fill, "hoverinfo": "skip"},
        {**shared, "marker": outline, **hover},
    ]


def _rows_figure(source: Sequence[str], target: Sequence[str], t: int, i: int, weights: Sequence[float]) -> Figure:
    width = max(len(source), len(target))
    above, below = _centres(len(source), width), _centres(len(target), width)
    places = {"read": figures.places(tuple(source)), "write": figures.places(tuple(target))}
    later = [f"position {k + 1}, still empty" for k in range(t + 1, len(target))]
    lines = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [below[t], x],
            "y": [FOOT["write"] + BOX, FOOT["read"]],
            "line": {"color": "@alpha", "width": 1 + 11 * weight},
            "opacity": 1.0 if k == i else 0.55,
            "hoverinfo": "skip",
        }
        for k, (x, weight) in enumerate(zip(above, weights, strict=True))
    ]
    words = [
        *_words(source, above, "read", width),
        *_words(target[: t + 1], below, "write", width),
        *_numbers("i", above, FOOT["read"] + BOX + 0.2, i, "h", width),
        *_numbers("t", below, FOOT["write"] - 0.2, t, "s", width),
    ]
    for name, row in (("read", "read"), ("written", "write")):
        words.append(_text(name, 0, FOOT[row] + BOX / 2, xref="paper", xanchor="right", xshift=-6))
    return {
        "data": [
            *lines,
            *_boxes(above, FOOT["read"], "h", 0.22, 1.5, places["read"]),
            *_boxes([above[i]], FOOT["read"], "h", 0.3, 4, [places["read"][i]]),
            *_boxes(below[:t], FOOT["write"], "s", 0.22, 1.5, places["write"][:t]),
            *_boxes([below[t]], FOOT["write"], "s", 0.5, 4, [places["write"][t]]),
            *_boxes(below[t + 1 :], FOOT["write"], "line", 0.0, 1.5, later),
        ],
        "layout": figures.canvas(
            margin={"l": 54, "r": 4, "t": 2, "b": 2},
            barmode="overlay",
            xaxis={"range": [0, width], "visible": False, "fixedrange": True},
            yaxis={"range": [-0.4, 3.45], "visible": False, "fixedrange": True},
            annotations=words,
        ),
    }


def _text(text: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    return {"text": text, "x": x, "y": y, "showarrow": False, **more}


def _words(words: Sequence[str], x: Sequence[float], row: str, width: int) -> list[dict[str, Any]]:
    """The words in their boxes; those of a row lie level, or all stand upright if one would not fit."""
    letters = LEVEL // width
    upright = max(len(word) for word in words) > letters
    look: dict[str, Any] = {"textangle": -90} if upright else {}
    if width > SMALL_FROM:
        look["font"] = {"size": 9}
    return [
        _text(figures.plain(figures.short(word, UPRIGHT if upright else letters)), x[k], FOOT[row] + BOX / 2, **look)
        for k, word in enumerate(words)
    ]


def _numbers(letter: str, x: Sequence[float], y: float, held: int, symbol: str, width: int) -> list[dict[str, Any]]:
    """The numbers of a row's boxes; the one in hand with its letter."""
    shown = range(len(x)) if width <= NUMBERED_UP_TO else (held,)
    return [
        _text(f"<b>{letter} = {k + 1}</b>", x[k], y, font={"color": f"@{symbol}-text"})
        if k == held
        else _text(str(k + 1), x[k], y)
        for k in shown
    ]


def _grid_figure(source: Sequence[str], target: Sequence[str], t: int, i: int) -> Figure:
    read, written = len(source), len(target)
    middle, reached = (read - 1) / 2, (t + 1) * read

    def row_bars(symbol: str, rows: list[int], strength: float) -> dict[str, Any]:
        """A row of looks is one bar; the grid's lines cut it into cells."""
        return {
            "type": "bar",
            "x": [middle] * written,
            "y": [int(k in rows) for k in range(written)],
            "base": [k - 0.5 for k in range(written)],
            "width": read,
            "marker": {"color": f"@{symbol}"},
            "opacity": strength,
            "customdata": [
                f"{figures.plain(word)}, t = {k + 1}: looks {k * read + 1} to {(k + 1) * read}" for k, word in enumerate(target)
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        }

    data: list[dict[str, Any]] = [
        row_bars("e", list(range(t)), 0.35),
        row_bars("s", [t], 0.45),
        {
            "type": "scatter",
            "mode": "lines",
            "x": [i + side for side in (-0.5, 0.5, 0.5, -0.5, -0.5)],
            "y": [t + side for side in (-0.5, -0.5, 0.5, 0.5, -0.5)],
            "line": {"color": "@text", "width": 3},
            "cliponaxis": False,
            "hoverinfo": "skip",
        },
    ]
    if max(read, written) <= figures.NUMBERS_UP_TO:
        places = [(r, c) for r in range(written) for c in range(read)]
        data.append(
            {
                "type": "scatter",
                "mode": "text",
                "x": [c for _, c in places],
                "y": [r for r, _ in places],
                # A blank, not nothing: a place without any text could not be written into while a hand moves.
                "text": [str(k + 1) if k < reached else "\u00a0" for k in range(read * written)],
                "hoverinfo": "skip",
            }
        )
    across, down = figures.word_axis(tuple(f"{k + 1} {w}" for k, w in enumerate(source))), _numbered(target)
    grid = [
        *({"type": "line", "x0": k - 0.5, "x1": k - 0.5, "y0": -0.5, "y1": written - 0.5} for k in range(read + 1)),
        *({"type": "line", "x0": -0.5, "x1": read - 0.5, "y0": k - 0.5, "y1": k - 0.5} for k in range(written + 1)),
    ]
    return {
        "data": data,
        "layout": figures.canvas(
            margin={
                "l": 20 + 8 * max(len(label) for label in down["ticktext"]),
                "r": 8,
                "t": 4,
                "b": 70 if across["tickangle"] else 24,
            },
            barmode="overlay",
            xaxis=across,
            yaxis={**down, "range": [written - 0.5, -0.5], "tickangle": 0},
            shapes=[{**line, "line": {"color": "@line", "width": 1}} for line in grid],
        ),
    }


def _numbered(words: Sequence[str]) -> dict[str, Any]:
    return figures.word_axis(tuple(f"{k + 1} {word}" for k, word in enumerate(words)))
