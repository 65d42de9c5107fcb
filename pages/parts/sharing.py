"""Lesson 4: one row of scores becomes shares, the right way and five other ways, with every stage in between."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import attention_core as ac
from pages.parts import describe, figures
from pages.parts.describe import exact, number
from pages.parts.drawings import small
from pages.parts.live import Drawing
from pages.parts.scenario import REACHES, Scenario
from pages.parts.strips import DIVERGING

WAYS = ("softmax", "no maximum", "no denominator", "plain total", "hard pick")
ADD = (-1000.0, 1000.0)
TIMES = (0.01, 100.0)

STEEPEST = 0.25  # the largest slope of a softmax at temperature 1


@dataclass(frozen=True)
class Shares:
    """A row on its way from scores to shares. Stages may hold inf and NaN where a way fails.

    Attributes
    ----------
    way : str
        One of `WAYS`.
    scores : (T_x,) array
        What goes in: the row, times the factor, plus the constant.
    lifted : (T_x,) array
        What is divided.
    total : float
        What it is divided by.
    shares : (T_x,) array
        What comes out.
    slopes : (T_x, T_x) array
        Row i, column j: how share i answers to score j.
    right : (T_x,) array
        What softmax gives.
    """

    way: str
    words: tuple[str, ...]
    scores: np.ndarray
    temperature: float
    lifted: np.ndarray
    total: float
    shares: np.ndarray
    slopes: np.ndarray
    right: np.ndarray

    @property
    def whole(self) -> float:
        """What the shares add up to."""
        with np.errstate(all="ignore"):
            return float(self.shares.sum())


def shares_of(scenario: Scenario, way: str, add: float, times: float) -> Shares:
    """Send the row of the current step through one of the ways.

    Parameters
    ----------
    scenario : Scenario
    way : str
        One of `WAYS`.
    add, times : float
        Every score is multiplied by `times`, then `add` is added.
    """
    e = np.array(scenario.scores[scenario.t]) * times + add
    stages = ac.softmax_stages(e, temperature=scenario.temperature)
    with np.errstate(all="ignore"):
        lifted, total, shares, slopes = _WAYS[way](e, scenario.temperature, stages)
    return Shares(way, scenario.source, e, scenario.temperature, lifted, total, shares, slopes * times, stages.weights)


_Row = tuple[np.ndarray, float, np.ndarray, np.ndarray]


def _softmax(e: np.ndarray, temperature: float, stages: ac.SoftmaxStages) -> _Row:
    slopes = ac.softmax_jacobian(stages.weights, temperature=temperature)
    return stages.lifted, float(stages.total), stages.weights, slopes


def _no_maximum(e: np.ndarray, temperature: float, stages: ac.SoftmaxStages) -> _Row:
    lifted = np.exp(e / temperature)
    shares = ac.naive_softmax(e / temperature)
    slopes = (np.diag(shares) - np.outer(shares, shares)) / temperature
    return lifted, float(lifted.sum()), shares, slopes


def _no_denominator(e: np.ndarray, temperature: float, stages: ac.SoftmaxStages) -> _Row:
    lifted = np.exp(e / temperature)
    return lifted, 1.0, lifted, np.diag(lifted) / temperature


def _plain_total(e: np.ndarray, temperature: float, stages: ac.SoftmaxStages) -> _Row:
    # The temperature would cancel, so it plays no part here.
    total = e.sum()
    return e, float(total), e / total, (np.eye(len(e)) * total - e[:, np.newaxis]) / total**2


def _hard_pick(e: np.ndarray, temperature: float, stages: ac.SoftmaxStages) -> _Row:
    picked = np.zeros(len(e))
    picked[np.argmax(e)] = 1.0
    return picked, 1.0, picked, np.zeros((len(e), len(e)))


_WAYS: Mapping[str, Callable[[np.ndarray, float, ac.SoftmaxStages], _Row]] = {
    "softmax": _softmax,
    "no maximum": _no_maximum,
    "no denominator": _no_denominator,
    "plain total": _plain_total,
    "hard pick": _hard_pick,
}

HEADINGS = {
    "softmax": ("2. Lifted: exp(e − max)", "3. Shares: ÷ the sum"),
    "no maximum": ("2. Lifted: exp(e)", "3. Shares: ÷ the sum"),
    "no denominator": ("2. Lifted: exp(e)", "3. Not divided"),
    "plain total": ("2. Nothing is lifted", "3. e ÷ plain total"),
    "hard pick": ("2. The largest only", "3. All or nothing"),
}


# --- Drawings --------------------------------------------------------------------------------------------------------


def score_figure(row: Shares, reach: float) -> figures.Figure:
    """What goes in."""
    return figures.score_bars(row.words, row.scores.tolist(), reach)


def lifted_figure(row: Shares) -> figures.Figure:
    """What is divided, on a scale that fits it."""
    if row.way == "plain total":
        return score_figure(row, reach_of(row))
    return _open_bars(row.words, row.lifted, "w", "lifted score")


def share_figure(row: Shares) -> figures.Figure:
    """What comes out; where that is not what softmax gives, softmax as an outline."""
    if row.way == "plain total":
        high = _scale(row.shares)
        drawn = figures.bars(
            row.words,
            [min(max(v, -high), high) for v in _drawable(row.shares, high)],
            [told(v) for v in row.shares],
            symbol="alpha",
            low=-high,
            high=high,
            what="share",
        )
    else:
        drawn = _open_bars(row.words, row.shares, "alpha", "share")
    return drawn if row.way == "softmax" else figures.with_outline(drawn, row.right.tolist())


def slope_figure(row: Shares) -> figures.Figure:
    """d share / d score: one row per share, one column per score."""
    n = len(row.words)
    z = np.nan_to_num(row.slopes, nan=0.0, posinf=1e6, neginf=-1e6)
    axis = figures.word_axis(row.words, letters=8)
    data = [
        {
            "type": "heatmap",
            "z": z.tolist(),
            "zmin": -STEEPEST,
            "zmax": STEEPEST,
            "colorscale": [list(stop) for stop in DIVERGING],
            "showscale": False,
            "xgap": 1,
            "ygap": 1,
            "customdata": [[f"share of {b}, score of {a}" for a in figures.places(row.words)] for b in figures.places(row.words)],
            "hovertemplate": "%{customdata}<br>slope %{z:.4f}<extra></extra>",
        }
    ]
    if n <= figures.NUMBERS_UP_TO:
        data.append(
            {
                "type": "scatter",
                "mode": "text",
                "x": [c for _ in range(n) for c in range(n)],
                "y": [r for r in range(n) for _ in range(n)],
                "text": [told(v) for v in row.slopes.ravel()],
                "textfont": {"color": ["#ffffff" if abs(v) > 0.2 else "#000000" for v in z.ravel()]},
                "hoverinfo": "skip",
            }
        )
    widest = max(len(figures.short(word, 8)) for word in row.words)
    return {
        "data": data,
        "layout": figures.canvas(
            xaxis=axis,
            yaxis={**axis, "range": [n - 0.5, -0.5], "tickangle": 0},
            margin={"l": 16 + 8 * widest, "r": 8, "t": 4, "b": 70 if axis["tickangle"] else 24},
        ),
    }


def drawings_of(row: Shares, reach: float, sentence: str) -> dict[str, Drawing]:
    """All frames of the lesson but the arithmetic."""
    words = row.words
    return {
        "shares_scores": {
            "figure": score_figure(row, reach),
            "label": f"Bar chart, scores: {describe.pairs(words, [exact(e) for e in row.scores])}.",
            "reading": "Any number, any sign.",
        },
        "shares_lifted": {
            "figure": lifted_figure(row),
            "label": f"Bar chart, {HEADINGS[row.way][0]}: {describe.pairs(words, [told(v, 4) for v in row.lifted])}.",
            "reading": _lifted_reading(row),
        },
        "shares_weights": {
            "figure": share_figure(row),
            "label": f"Bar chart, {HEADINGS[row.way][1]}: {describe.pairs(words, [told(v, 4) for v in row.shares])}.",
            "reading": _share_reading(row),
        },
        "shares_slopes": {
            "figure": slope_figure(row),
            "label": f"Heatmap of slopes, how each share answers to each score: {_slopes_told(row)}.",
            "reading": _slope_reading(row),
        },
        "shares_reading": {"label": "", "reading": sentence if row.way == "softmax" else _what_is_wrong(row)},
    }


def reach_of(row: Shares) -> float:
    """A range for the bars of what goes in: one of a few, so that heights do not jump in a drag."""
    largest = float(np.abs(row.scores).max())
    return next((reach for reach in REACHES if reach >= largest), 10.0 ** math.ceil(math.log10(max(largest, 1.0))))


def arithmetic_of(row: Shares) -> Drawing:
    """Every number on the way: with and without the maximum subtracted, both give the same shares where both exist."""
    with np.errstate(all="ignore"):
        plain = np.exp(row.scores / row.temperature)
    stages = ac.softmax_stages(row.scores, temperature=row.temperature)
    over = "" if row.temperature == 1 else " ÷ temperature"
    columns = ["source word", "score e", f"exp(e{over})", f"(e − max){over}", "exp of that", "softmax share", "share, this way"]
    rows = [
        [
            f"{i + 1}  {word}",
            exact(row.scores[i]),
            _plain_told(plain[i]),
            number(float(stages.shifted[i]), 4),
            small(float(stages.lifted[i])),
            small(float(row.right[i])),
            told(row.shares[i], 4),
        ]
        for i, word in enumerate(row.words)
    ]
    sums = [_plain_told(plain.sum()), "", small(float(stages.total)), small(math.fsum(row.right)), told(row.whole, 4)]
    return {
        "table": {"columns": columns, "rows": rows, "total": ["sum", told(row.scores.sum(), 4), *sums]},
        "label": f"Arithmetic, from scores to shares, {row.way}",
        "reading": "share = its own column ÷ the sum below it. Subtracting the largest score first changes no share.",
    }


def _plain_told(value: float) -> str:
    return "over 1.8e308" if math.isinf(value) else told(value, 4)


def told(value: float, digits: int = 2) -> str:
    """A number that may be huge, tiny, infinite or none at all."""
    v = float(value)
    if math.isnan(v):
        return "NaN"
    if math.isinf(v):
        return "inf" if v > 0 else "−inf"
    if abs(v) >= 1e5 or 0 < abs(v) < 0.5 * 10**-digits:
        return f"{v:.1e}"
    return number(v, digits)


def _scale(values: np.ndarray) -> float:
    """The end of an axis: 1, or the next power of ten."""
    finite = np.abs(values[np.isfinite(values)])
    largest = float(finite.max()) if finite.size else 1.0
    return 1.0 if largest <= 1 else 10.0 ** math.ceil(math.log10(largest))


def _drawable(values: np.ndarray, high: float) -> list[float]:
    """Bars cannot be infinitely high: an infinite one ends with the axis, what is no number has no height."""
    return [float(v) for v in np.nan_to_num(values, nan=0.0, posinf=high, neginf=-high)]


def _open_bars(words: Sequence[str], values: np.ndarray, symbol: str, what: str) -> figures.Figure:
    high = _scale(values)
    return figures.bars(words, _drawable(values, high), [told(v) for v in values], symbol=symbol, low=0.0, high=high, what=what)


def _lifted_reading(row: Shares) -> str:
    if row.way == "plain total":
        return f"They add up to {told(row.total)}."
    if row.way == "hard pick":
        return "All but the largest score are thrown away."
    if np.isinf(row.lifted).any():
        return "exp of more than 709.78 is too large for float64: inf."
    if (row.lifted == 0).all():
        return "exp of less than −745.13 is too small for float64: all 0."
    highest = ", the highest is 1" if row.way == "softmax" else ""
    return f"All above zero{highest}. Sum {told(row.lifted.sum())}."


def _share_reading(row: Shares) -> str:
    total = row.whole
    if not np.isfinite(total):
        return "inf ÷ inf and 0 ÷ 0 are not numbers: NaN."
    if row.way == "softmax":
        zeros, n = int((row.shares == 0).sum()), len(row.words)
        if zeros:
            gap = float((row.scores.max() - row.scores).max() / row.temperature)
            return f"{describe.count(zeros, 'share')} exactly 0: {number(gap, 0)} below the top, and float64 ends at 745."
        if n > 1 and row.shares.max() == 1:
            return "Exactly 1 in float64: the others are under 1e-16 of it. True softmax never gets there."
        return describe.true_sum(row.shares, 2).capitalize() + "."
    return f"Sum {told(total, 4)}" + (", not 1." if abs(total - 1) > 1e-9 else ".")


def _slope_reading(row: Shares) -> str:
    if row.way == "hard pick":
        return "All 0: no nudge of a score changes anything, so nothing can be learned."
    if not np.isfinite(row.slopes).all():
        return "No slopes: there are no shares to change."
    i = int(np.argmax(np.abs(np.diag(row.slopes))))
    moves = told(0.01 * row.slopes[i, i], 4)
    return f"Row: share, column: score. Raise {describe.named(row.words, i)} by 0.01: its share moves by about {moves}."


def _slopes_told(row: Shares) -> str:
    return describe.pairs([f"{word} to its own score" for word in row.words], [told(v) for v in np.diag(row.slopes)])


def _what_is_wrong(row: Shares) -> str:
    total = row.whole
    if row.way == "no maximum":
        if not np.isfinite(total):
            return (
                "Nobody subtracted the maximum: exp leaves float64, and shares become NaN. The outline shows what softmax gives."
            )
        return "The same shares, as long as exp stays within float64: for scores from −745 to 709. Type 1000 and see."
    if row.way == "no denominator":
        return f"Without the division the numbers add up to {told(total)}, so they are no shares of one whole."
    if row.way == "plain total":
        if not np.isfinite(total):
            return "The scores add up to 0, and nothing can be divided by that."
        bad = [describe.named(row.words, i) for i, v in enumerate(row.shares) if v < 0 or v > 1]
        if bad:
            return f"Scores ÷ their total: nonsense at {describe.together(bad[:3])}. What is below 0 or above 1 is no share."
        return "Scores ÷ their total: fine here, but one negative score makes nonsense. Drag one below 0."
    return "The hard pick jumps from word to word and ignores by how much a score wins. Softmax, the outline, moves smoothly."


# --- In code ---------------------------------------------------------------------------------------------------------

_BLOCK = """\
import numpy as np

words = {words}
e = np.array({scores})  # scores of step {t}
e = e * {times} + {add}  # the factor, then the constant
T = {temperature}  # temperature

with np.errstate(all="ignore"):  # inf and NaN are meant to be seen
{lines}

for word, share in zip(words, shares):
    print(f"{{share:.4f}}  {{word}}")
print(f"sum: {{shares.sum():.4f}}")
print("slopes, a row per share:")
print({times} * slopes)
"""
_LINES = {
    "softmax": """
    lifted = np.exp((e - e.max()) / T)  # minus the maximum: exp cannot overflow
    shares = lifted / lifted.sum()
    slopes = (np.diag(shares) - np.outer(shares, shares)) / T""",
    "no maximum": """
    lifted = np.exp(e / T)  # above 709.78 this is inf
    shares = lifted / lifted.sum()
    slopes = (np.diag(shares) - np.outer(shares, shares)) / T""",
    "no denominator": """
    shares = np.exp(e / T)  # nothing makes them add up to 1
    slopes = np.diag(shares) / T""",
    "plain total": """
    total = e.sum()
    shares = e / total  # a negative score makes a negative share
    slopes = (np.eye(len(e)) * total - e[:, np.newaxis]) / total**2""",
    "hard pick": """
    shares = (np.arange(len(e)) == e.argmax()).astype(float)  # the first of the largest
    slopes = np.zeros((len(e), len(e)))""",
}


def block(scenario: Scenario, way: str, add: float, times: float) -> str:
    """Write the lesson as a NumPy program that prints the shares, their sum and the slopes."""
    return _BLOCK.format(
        words=list(scenario.source),
        scores=list(scenario.scores[scenario.t]),
        t=scenario.t + 1,
        times=times,
        add=add,
        temperature=scenario.temperature,
        lines=_LINES[way].strip("\n"),
    )
