"""The alignment map with its margins: what each row says, what each column adds up to, and which shape the whole has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import attention_core as ac
from pages.parts import describe, figures
from pages.parts.describe import Unit, number
from pages.parts.drawings import small
from pages.parts.figures import Figure
from pages.parts.live import Drawing, Drawings
from pages.parts.patterns import LEAD, PATTERNS, peaks_of, shape_of
from pages.parts.scenario import Scenario

TIE = 1e-9  # weights this close to the largest share the first place
TOPS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # ends of the coverage axis, so that heights do not jump in a drag
TOLD_UP_TO = 14  # rows; of more, only the row in hand has its readings written out
TEXT_AT = (1.12, 1.7, 3.05)  # where the readings of a row stand, in lengths of the ruler: entropy, word, sum
LEVEL = 54  # letters that lie level under the whole map
SIDES = (-0.12, 3.4)  # of the rows' frame, in the same lengths

_BLOCK = """\
import numpy as np

source = {source}
target = {target}
temperature = {temperature}
e = np.array([{scores}])  # scores: a row per target word

lifted = np.exp((e - e.max(axis=1, keepdims=True)) / temperature)
alpha = lifted / lifted.sum(axis=1, keepdims=True)  # weights: each row sums to 1

for t, (word, row) in enumerate(zip(target, alpha), start=1):
    p = row[row > 0]  # 0 log 0 counts as 0
    H = -np.sum(p * {log}(p)) + 0.0  # entropy; + 0.0 turns -0.0 into 0.0
    best = np.flatnonzero(row >= row.max() - 1e-9)  # more than one: a tie
    words = " = ".join(f"{{i + 1}} {{source[i]}}" for i in best)
    print(f"{{t}} {{word}}: H = {{H:.4f}} {unit}, most at {{words}}, sum {{row.sum():.4f}}")

coverage = alpha.sum(axis=0)  # per column: how much each source word was looked at in total
for i, word in enumerate(source, start=1):
    print(f"coverage of {{i}} {{word}}: {{coverage[i - 1]:.4f}}")
print(f"coverage in all: {{coverage.sum():.4f}}, one per step")
"""


@dataclass(frozen=True, eq=False)
class Alignment:
    """A scenario's map and all that is read from it.

    Attributes
    ----------
    scenario : Scenario
    weights : (T_y, T_x) array
    entropies : (T_y,) array
        In `unit`.
    unit : "nats" or "bits"
    coverage : (T_x,) array
        In steps.
    """

    scenario: Scenario
    weights: np.ndarray
    entropies: np.ndarray
    unit: Unit
    coverage: np.ndarray

    @property
    def most(self) -> float:
        """The largest entropy that a row of this length can have."""
        return math.log(self.weights.shape[1]) / (math.log(2) if self.unit == "bits" else 1.0)


def alignment_of(scenario: Scenario, unit: Unit) -> Alignment:
    """Compute the map and its margins."""
    weights = ac.softmax(scenario.scores, temperature=scenario.temperature)
    entropies = ac.entropy(weights, base=2 if unit == "bits" else None)
    return Alignment(scenario, weights, entropies, unit, ac.coverage(weights))


def best(row: np.ndarray) -> list[int]:
    """The positions with the largest weight, counted from 0; more than one if they tie."""
    return np.flatnonzero(row >= row.max() - TIE).tolist()


def map_drawings(a: Alignment) -> Drawings:
    """The map, its rows, its columns and its shape."""
    return {
        "align_map": _map_drawing(a),
        "align_rows": _rows_drawing(a),
        "align_coverage": _coverage_drawing(a),
        "align_shape": {"label": "", "reading": shape_told(a)},
        "align_row": {"label": "", "reading": _row_told(a)},
    }


def shape_told(a: Alignment) -> str:
    """The shape of the map by name and what it means; or why none is named."""
    name = shape_of(a.weights)
    if name:
        return f"This looks {'like a ' if name in ('block swap', 'one-column sink') else ''}{name}. {PATTERNS[name].about}"
    T_y, T_x = a.weights.shape
    if T_y < 2 or T_x < 2:
        return "No shape to name: that takes at least two steps and two words."
    unclear = [t for t, peak in enumerate(peaks_of(a.weights)) if peak is None]
    if unclear:
        steps = describe.together([str(t + 1) for t in unclear[:3]]) + (" and others" if len(unclear) > 3 else "")
        which = "step" if len(unclear) == 1 else "steps"
        return f"No shape named: at {which} {steps} no word leads by {number(LEAD, 1)}. What would make it clear?"
    return "No shape named: all steps look at one small part of the sentence."


def arithmetic_drawing(a: Alignment) -> Drawing:
    """All weights with the readings of every row at its end and of every column at its foot."""
    s = a.scenario
    rows = [
        [
            f"{t + 1}  {word}",
            *[small(x) for x in row.tolist()],
            number(float(a.entropies[t]), 4),
            _tied(s.source, best(row), 30),
            f"{math.fsum(row):.12g}",
        ]
        for t, (word, row) in enumerate(zip(s.target, a.weights, strict=True))
    ]
    columns = ["step, word", *[f"α {k + 1} {word}" for k, word in enumerate(s.source)], f"H = −Σ α {_log(a.unit)} α ({a.unit})"]
    total = ["coverage, sum of the column", *[number(x, 4) for x in a.coverage.tolist()], "", ""]
    return {
        "table": {
            "columns": [*columns, "largest α at", "sum of the row"],
            "rows": rows,
            "total": [*total, f"{math.fsum(a.coverage):.12g}"],
        },
        "label": "Arithmetic: all weights with the readings of their rows and columns",
        "reading": f"Each row adds up to 1, so all columns together add up to T_y = {len(s.target)}.",
    }


def block(scenario: Scenario, unit: Unit) -> str:
    """The readings of rows and columns as a program."""
    rows = (",\n" + " " * len("e = np.array([")).join(str(list(row)) for row in scenario.scores)
    return _BLOCK.format(
        source=list(scenario.source),
        target=list(scenario.target),
        temperature=scenario.temperature,
        scores=rows,
        log="np.log2" if unit == "bits" else "np.log",
        unit=unit,
    )


def map_figure(a: Alignment) -> Figure:
    """The map of weights without its colour bar: the columns below and the rows beside keep the same places."""
    figure = figures.weight_map(a.scenario.source, a.scenario.target, a.weights, a.scenario.t)
    heat, *others = figure["data"]
    heat = {k: v for k, v in heat.items() if k != "colorbar"} | {"showscale": False}
    mine = {
        "dragmode": False,
        "xaxis": _columns(a),
        "yaxis": {**figure["layout"]["yaxis"], "fixedrange": True},
        "margin": _margin(a),
        "shapes": [_frame(a, -0.5, len(a.coverage) - 0.5)],
    }
    return {"data": [heat, *others], "layout": {**figure["layout"], **mine}}


def coverage_figure(a: Alignment) -> Figure:
    """A bar per column, under its column: the steps' worth of looks that its word received."""
    steps, words = a.weights.shape
    high = min(next(top for top in TOPS if top >= float(a.coverage.max()) - 1e-9), float(steps))
    figure = figures.bars(
        a.scenario.source,
        a.coverage.tolist(),
        [number(x) for x in a.coverage.tolist()],
        symbol="alpha",
        low=0.0,
        high=high,
        what="coverage",
    )
    once = {
        "type": "line",
        "x0": -0.5,
        "x1": words - 0.5,
        "y0": 1,
        "y1": 1,
        "line": {"color": "@text", "width": 1, "dash": "dot"},
    }
    layout = figure["layout"]
    mine = {
        "xaxis": {**layout["xaxis"], "showticklabels": False},
        "yaxis": {**layout["yaxis"], "range": [0, 1.4 * high], "tickvals": [0, high / 2, high], "tickformat": "~g"},
        "margin": {**_margin(a), "b": 6, "t": 2},
        "shapes": [once],
    }
    return {"data": figure["data"], "layout": {**layout, **mine}}


def rows_figure(a: Alignment) -> Figure:
    """A line of readings per row, beside its row: a dot for the entropy, then entropy, best word and sum in writing."""
    s, rows = a.scenario, len(a.weights)
    end = a.most or 1.0  # one word alone: a ruler without length would have no place for its dot
    told = [r for r in range(rows) if rows <= TOLD_UP_TO or r == s.t]
    columns = zip(*[_row_texts(a, r) if r in told else ("\u00a0",) * 3 for r in range(rows)], strict=True)
    steps = list(range(rows))
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": a.entropies.tolist(),
        "y": steps,
        "marker": {"size": 11 if rows <= TOLD_UP_TO else 7, "color": "@alpha", "symbol": "diamond"},
        "cliponaxis": False,
        "customdata": [f"step {r + 1}, {figures.plain(word)}" for r, word in enumerate(s.target)],
        "hovertemplate": f"%{{customdata}}<br>H = %{{x:.4f}} {a.unit}<extra></extra>",
    }
    texts = [
        {
            "type": "scatter",
            # A mark that is not seen: texts alone are taken for the numbers of a map, and left out where columns are narrow.
            "mode": "markers+text",
            "marker": {"size": 1, "opacity": 0},
            "x": [at * end] * rows,
            "y": steps,
            "text": list(column),
            "textposition": "middle right",
            "cliponaxis": False,
            "hoverinfo": "skip",
        }
        for at, column in zip(TEXT_AT, columns, strict=True)
    ]
    return {
        "data": [dots, *texts],
        "layout": figures.canvas(
            margin={**_margin(a), "l": 26, "r": 4},
            xaxis={
                "range": [side * end for side in SIDES],
                "tickvals": [0, end] if a.most else [0],
                "ticktext": ["0", number(end)] if a.most else ["0"],
                "showgrid": True,
                "gridcolor": "@line",
                "zeroline": True,
                "zerolinecolor": "@line",
                "fixedrange": True,
            },
            yaxis={
                "range": [rows - 0.5, -0.5],
                "tickvals": steps,
                "ticktext": [str(r + 1) for r in steps],
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            shapes=[_frame(a, *(side * end for side in SIDES))],
        ),
    }


def _map_drawing(a: Alignment) -> Drawing:
    s = a.scenario
    steps, words = a.weights.shape
    tops = [f"step {t + 1} {describe.named(s.target, t)} {_tied(s.source, best(row), 30)}" for t, row in enumerate(a.weights)]
    return {
        "figure": map_figure(a),
        "label": f"Map of weights, {describe.count(steps, 'step')} by {describe.count(words, 'word')}."
        f" Most looked at: {'; '.join(tops)}. {shape_told(a)}",
        "reading": "Dark 0, bright 1. Click a row to hold it.",
    }


def _rows_drawing(a: Alignment) -> Drawing:
    told = [f"step {t + 1}: H {h} {a.unit}, {word}, sum {total}" for t, (h, word, total) in enumerate(_all_row_texts(a))]
    return {
        "figure": rows_figure(a),
        "label": f"Readings of every row: {'; '.join(told)}.",
        "reading": f"H runs from 0 to {number(a.most)} {a.unit}." if a.most else "One word alone: H is always 0.",
    }


def _coverage_drawing(a: Alignment) -> Drawing:
    s = a.scenario
    texts = [number(x) for x in a.coverage.tolist()]
    return {
        "figure": coverage_figure(a),
        "label": f"Bar chart, coverage: {describe.pairs(s.source, texts)}; together {describe.count(len(s.target), 'step')}.",
        "reading": f"Together {math.fsum(a.coverage):.12g}, one per step. Dotted line: 1.",
    }


def _row_told(a: Alignment) -> str:
    s = a.scenario
    row = a.weights[s.t]
    return describe.looks_at(s.source, s.target, s.t, row, float(ac.effective_positions(row)))


def _row_texts(a: Alignment, t: int) -> tuple[str, str, str]:
    row = a.weights[t]
    return number(float(a.entropies[t])), figures.plain(_tied(a.scenario.source, best(row), 10)), f"{math.fsum(row):.12g}"


def _all_row_texts(a: Alignment) -> list[tuple[str, str, str]]:
    words = [_tied(a.scenario.source, best(row), 30) for row in a.weights]
    return [
        (number(float(h)), word, f"{math.fsum(row):.12g}") for h, word, row in zip(a.entropies, words, a.weights, strict=True)
    ]


def _tied(words: Sequence[str], places: Sequence[int], letters: int) -> str:
    """The word in the first place, with its position; words that tie for it, named as a tie."""
    if len(places) == 1:
        return f"{places[0] + 1} {figures.short(words[places[0]], letters)}"
    if len(places) == 2 and letters > 10:
        return f"tie: {' = '.join(f'{k + 1} {words[k]}' for k in places)}"
    if len(places) == len(words):
        return f"tie: all {len(places)}"
    return f"tie: {', '.join(str(k + 1) for k in places)}" if len(places) < 4 else f"tie: {len(places)} words"


def _frame(a: Alignment, left: float, right: float) -> dict[str, Any]:
    """The frame around the row in hand; thin where rows are, or it would hide its own."""
    t = a.scenario.t
    return {
        "type": "rect", "x0": left, "x1": right, "y0": t - 0.5, "y1": t + 0.5,
        "line": {"color": "@s", "width": 3 if len(a.weights) <= TOLD_UP_TO else 1.5}, "fillcolor": "rgba(0,0,0,0)",
    }  # fmt: skip


def _margin(a: Alignment) -> dict[str, int]:
    """The same margins for the map and what stands beside it and below it."""
    widest = max(len(figures.short(word, 12)) for word in a.scenario.target)
    return {"l": 16 + 8 * widest, "r": 8, "t": 4, "b": 70 if _columns(a)["tickangle"] else 24}


def _columns(a: Alignment) -> dict[str, Any]:
    """The words under the map: level ones as long as their columns are wide."""
    words = a.scenario.source
    return figures.word_axis(words, letters=min(12, LEVEL // len(words)) if len(words) <= 8 else 12)


def _log(unit: Unit) -> str:
    return "log₂" if unit == "bits" else "ln"
