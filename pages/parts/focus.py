"""How focused a row of weights is: all rows there can be as a plane, the row in hand as a point in it that can be dragged.

With three words every possible row is a point of a triangle, with two a point of a line. With more there is no such
picture, and the entropy is shown as what each word adds to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

import attention_core as ac
from pages.parts import describe, drawings, figures
from pages.parts.content import prepared_scenarios
from pages.parts.describe import Unit, number
from pages.parts.drawings import Step
from pages.parts.figures import Figure, plain, short
from pages.parts.live import Drawing
from pages.parts.scenario import Scenario

HEIGHT = math.sqrt(3) / 2  # of a triangle with sides of length 1
CORNERS = ((0.0, 0.0), (0.5, HEIGHT), (1.0, 0.0))  # where all the weight is on word 1, 2, 3
FINE = 120  # cells of the coloured ground along a side; a multiple of 6, so that the middle of the triangle is one of them
BESIDE = 0.03  # the ground's ragged edge is covered this far
SMALLEST = 1e-300  # no dragged weight is below this: its logarithm is a score
# Scenario, which of its rows, what it does.
TASKS = (("near-diagonal", np.argmin, "aligning words"), ("diffuse", np.argmax, "writing a summary"))
HEADINGS = {
    1: "What each word adds to H",
    2: "All possible weights of two words, and their H",
    3: "All possible weights of three words, H as colour",
}


def heading(length: int) -> str:
    """What the plane of possible rows is called, for so many words."""
    return HEADINGS.get(length, HEADINGS[1])


def per(unit: Unit) -> float:
    """How many nats make one unit."""
    return 1.0 if unit == "nats" else math.log(2)


def log_of(unit: Unit) -> str:
    """The logarithm of a unit."""
    return "ln" if unit == "nats" else "log₂"


# --- The plane of all possible rows ----------------------------------------------------------------------------------


def place(weights: Sequence[float]) -> tuple[float, float]:
    """Where in the triangle three weights are: the balance point of the corners."""
    x, y = (math.fsum(a * corner[k] for a, corner in zip(weights, CORNERS, strict=True)) for k in (0, 1))
    return x, y


def weights_at(length: int, x: float, y: float) -> list[float]:
    """The weights at a point of the figure; of a point outside, those at the edge near it."""
    if length == 2:
        raw = [1 - x, x]
    else:
        second = y / HEIGHT
        third = x - second / 2
        raw = [1 - second - third, second, third]
    kept = [max(a, 0.0) for a in raw]
    return [a / math.fsum(kept) for a in kept]


def scores_for(weights: Sequence[float], scenario: Scenario, reach: float) -> list[float]:
    """Scores for these weights: temperature * log alpha + a constant.

    Any constant would do. It is chosen so that the mean of the row's scores stays, or as near to it as the sliders, from
    -reach to reach, can go. No score is -infinity, so a weight of 0 becomes the smallest that they can give.
    """
    T = scenario.temperature
    log = np.log(np.maximum(weights, SMALLEST))
    e = T * np.maximum(log, log.max() - 2 * reach / T)
    e += math.fsum(scenario.scores[scenario.t]) / len(e) - e.mean()
    e += max(-reach - e.min(), 0.0) - max(e.max() - reach, 0.0)
    # Two decimals are enough for the eye, unless a low temperature magnifies them.
    scores: list[float] = (np.clip(e, -reach, reach).round(2 if T >= 0.5 else 4) + 0.0).tolist()
    return scores


@lru_cache(maxsize=4)
def ground(length: int, unit: Unit) -> list[dict[str, Any]]:
    """The entropy of every possible row of three words, as a coloured ground; nothing for another number of words."""
    if length != 3:
        return []
    x = np.arange(FINE + 1) / FINE
    y = HEIGHT * np.arange(FINE * 7 // 8 + 1) / (FINE * 7 // 8)
    second = np.broadcast_to((y / HEIGHT)[:, np.newaxis], (len(y), len(x)))
    third = x - second / 2
    alpha = np.stack([1 - second - third, second, third], axis=-1)
    near = alpha.min(axis=-1) > -BESIDE / 2
    kept = np.maximum(np.where(near[..., np.newaxis], alpha, 1 / 3), 0.0)
    H = ac.entropy(kept / kept.sum(axis=-1, keepdims=True), base=2 if unit == "bits" else None)
    most = math.log(3) / per(unit)
    lines = {"start": 0.2, "size": 0.2} if unit == "nats" else {"start": 0.25, "size": 0.25}
    return [
        {
            "type": "contour",
            "x": x.round(6).tolist(),
            "y": y.round(6).tolist(),
            "z": [[round(h, 5) if n else None for h, n in zip(*row, strict=True)] for row in zip(H.tolist(), near, strict=True)],
            "zmin": 0,
            "zmax": most,
            "colorscale": [list(stop) for stop in figures.CIVIDIS],
            "contours": {
                "coloring": "heatmap", "end": most, "showlabels": True, "labelfont": {"color": "#ffffff", "size": 11}, **lines,
            },
            "line": {"color": "#ffffff", "width": 1},
            "hoverinfo": "skip",
            "colorbar": {"thickness": 10, "outlinewidth": 0, "len": 1, "xpad": 2, "ticksuffix": f" {unit}", "nticks": 4},
        }
    ]  # fmt: skip


def plane(step: Step, unit: Unit) -> Figure:
    """All possible rows with the current one among them: a triangle for three words, a curve for two, else bars."""
    length = len(step.weights)
    if length == 3:
        return _triangle(step)
    return _curve(step, unit) if length == 2 else _terms(step, unit)


def _triangle(step: Step) -> Figure:
    rim = [*CORNERS, CORNERS[0]]
    cover_x: list[float | None] = []
    cover_y: list[float | None] = []
    for (x0, y0), (x1, y1) in pairwise(rim):
        out_x, out_y = BESIDE * (y0 - y1), BESIDE * (x1 - x0)  # square to the edge, outwards, as the corners run clockwise
        cover_x += [x0, x1, x1 + out_x, x0 + out_x, x0, None]
        cover_y += [y0, y1, y1 + out_y, y0 + out_y, y0, None]
    words = [plain(short(word, 12)) for word in step.scenario.source]
    hidden = {"visible": False, "fixedrange": True}
    return {
        "data": [
            {"type": "scatter", "mode": "none", "fill": "toself", "fillcolor": "@ground", "x": cover_x, "y": cover_y}
            | {"hoverinfo": "skip"},
            {"type": "scatter", "mode": "lines", "x": [x for x, _ in rim], "y": [y for _, y in rim]}
            | {"line": {"color": "@line", "width": 2}, "hoverinfo": "skip"},
            *(
                {"type": "scatter", "mode": "text", "x": [x], "y": [y], "text": [word], "cliponaxis": False}
                | {"textposition": where, "hoverinfo": "skip"}
                for (x, y), word, where in zip(CORNERS, words, ("bottom right", "top center", "bottom left"), strict=True)
            ),
            *_dots(step, [place(row) for row in step.grid.tolist()]),
        ],
        "layout": figures.canvas(
            margin={"l": 26, "r": 4, "t": 22, "b": 24},
            xaxis={**hidden, "range": [0, 1], "constrain": "domain"},
            yaxis={**hidden, "range": [0, HEIGHT], "scaleanchor": "x", "constrain": "domain"},
        ),
    }


def _curve(step: Step, unit: Unit) -> Figure:
    p = np.arange(101) / 100
    H = ac.entropy(np.column_stack([1 - p, p])) / per(unit)
    most = math.log(2) / per(unit)
    second = plain(short(step.scenario.source[1], 12))
    places = list(zip(step.grid[:, 1].tolist(), (step.entropies / per(unit)).tolist(), strict=True))
    return {
        "data": [
            {"type": "scatter", "mode": "lines", "x": p.tolist(), "y": H.tolist(), "hoverinfo": "skip"}
            | {"line": {"color": "@line", "width": 3}},
            *_dots(step, places),
        ],
        "layout": figures.canvas(
            margin={"l": 40, "r": 16, "t": 10, "b": 44},
            xaxis={"range": [0, 1], "fixedrange": True, "gridcolor": "@grid", "zeroline": False}
            | {"title": {"text": f"weight of word 2, {second}"}},
            yaxis={"range": [0, 1.08 * most], "fixedrange": True, "gridcolor": "@grid", "zerolinecolor": "@line"}
            | {"title": {"text": f"H, {unit}"}},
        ),
    }


def _dots(step: Step, places: Sequence[tuple[float, float]]) -> list[dict[str, Any]]:
    """The rows of the other steps, small, and that of the current one."""
    t, target = step.scenario.t, step.scenario.target
    others = [r for r in range(len(places)) if r != t]
    few = len(others) <= figures.NUMBERS_UP_TO
    x, y = places[t]
    return [
        {
            "type": "scatter",
            "mode": "markers+text" if few else "markers",
            "x": [places[r][0] for r in others],
            "y": [places[r][1] for r in others],
            "text": [str(r + 1) if few else "" for r in others],
            "textfont": {"size": 11},
            "textposition": "middle center",
            "cliponaxis": False,
            "marker": {"size": 16 if few else 8, "color": "@ground", "line": {"color": "@text", "width": 1}},
            "customdata": [f"step {r + 1}, {plain(target[r])}" for r in others],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
        {
            "type": "scatter",
            "mode": "markers+text",
            "x": [x],
            "y": [y],
            "text": [str(t + 1)],
            "textfont": {"color": "#ffffff", "size": 13, "weight": 700},
            "textposition": "middle center",
            "cliponaxis": False,
            "marker": {"size": 24, "color": "@alpha", "line": {"color": "@text", "width": 3}},
            "customdata": [f"step {t + 1}, {plain(target[t])}"],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
    ]


def terms_of(step: Step, unit: Unit) -> list[float]:
    """What each word adds to H: -alpha log alpha."""
    return [-a * math.log(a) / per(unit) if 0 < a < 1 else 0.0 for a in step.weights.tolist()]


def _terms(step: Step, unit: Unit) -> Figure:
    terms = terms_of(step, unit)
    # No word can add more than 1/e nats, which it does at a weight of 1/e.
    high = 1 / math.e / per(unit)
    what = f"adds to H, in {unit}:"
    texts = [number(x) for x in terms]
    return figures.bars(step.scenario.source, terms, texts, symbol="alpha", low=0.0, high=high, what=what)


def plane_drawing(step: Step, unit: Unit) -> Drawing:
    """All possible rows, and where among them the current one is."""
    words, t, n = step.scenario.source, step.scenario.t, len(step.weights)
    H, most = step.entropy / per(unit), math.log(n) / per(unit)
    shares = describe.pairs(words, [number(float(a), 3) for a in step.weights])
    told = f"H = {number(H)} {unit}"
    if n in (2, 3):
        shape = "Triangle of all weights over 3 words, H as colour" if n == 3 else "Curve of H over all weights of 2 words"
        flat = bool(np.ptp(step.weights) < 1e-9)
        spot = ", in the middle: the most there is" if flat else f" of at most {number(most)} {unit}"
        reading = f"{told}{spot}. Drag the dot: the scores follow."
        return {
            "figure": plane(step, unit),
            "label": f"{shape}: 0 where one word has it all, {number(most)} {unit} where all are equal."
            f" Step {t + 1} is at {shares}: {told}.",
            "reading": reading,
        }
    terms = terms_of(step, unit)
    if n == 1:
        reading = f"One word has all the weight: {told}, whatever its score."
    else:
        top = int(np.argmax(terms))
        reading = f"Together {told}. Most comes from {describe.named(words, top)}: {number(terms[top])} {unit}."
    return {
        "figure": plane(step, unit),
        "label": f"Bar chart, what each word adds to the entropy of step {t + 1}, in {unit}:"
        f" {describe.pairs(words, [number(x, 3) for x in terms])}; together {told}.",
        "reading": reading,
    }


# --- Two tasks, the arithmetic, the code -----------------------------------------------------------------------------


@lru_cache(maxsize=2)
def tasks_drawing(unit: Unit) -> Drawing:
    """A focused row and a spread one side by side: each is right for its task."""
    words: list[str] = []
    heights: list[float] = []
    told: list[str] = []
    captions: list[dict[str, Any]] = []
    for name, choose, task in TASKS:
        scenario = prepared_scenarios()[name]
        scenario = scenario.with_step(int(choose(drawings.step_of(scenario).entropies)))
        step = drawings.step_of(scenario)
        n = len(scenario.source)
        if words:  # an empty place between the two
            words.append("")
            heights.append(0.0)
        like = f"like {number(step.effective, 1)} of {n} words"
        captions.append(
            {"type": "scatter", "mode": "text", "x": [len(words) + (n - 1) / 2], "y": [0.97], "hoverinfo": "skip"}
            | {"text": [f"{task}:<br>{like}"], "cliponaxis": False}
        )
        words += scenario.source
        heights += step.weights.tolist()
        told.append(
            f'{task.capitalize()}, "{scenario.target[scenario.t]}": H = {number(step.entropy / per(unit))} {unit}, {like}.'
        )
    figure = figures.bars(words, heights, [""] * len(words), symbol="alpha", low=0.0, high=1.0, what="weight")
    return {
        "figure": {**figure, "data": [*figure["data"], *captions]},
        "label": f"Bar chart of two rows of weights. {' '.join(told)}",
        "reading": f"{' '.join(told)} Neither is better by itself: each fits its task.",
    }


def arithmetic_drawing(step: Step, unit: Unit) -> Drawing:
    """Every number of the entropy worked out: one row per source word, sums below."""
    s = step.scenario
    logs = ac.log_softmax(s.scores[s.t], temperature=s.temperature) / per(unit)
    terms = terms_of(step, unit)
    rows = [
        [f"{i + 1}  {word}", describe.exact(e), drawings.small(float(a)), number(float(log), 4), number(term, 4)]
        for i, (word, e, a, log, term) in enumerate(zip(s.source, s.scores[s.t], step.weights, logs, terms, strict=True))
    ]
    H, nats, bits = step.entropy / per(unit), step.entropy, step.entropy / math.log(2)
    return {
        "table": {
            "columns": ["source word", "score e", "weight α", f"{log_of(unit)} α", f"−α {log_of(unit)} α ({unit})"],
            "rows": rows,
            "total": ["sum", "", drawings.small(math.fsum(step.weights)), "", f"H = {number(H, 4)}"],
        },
        "label": f"Arithmetic of the entropy of step {s.t + 1}",
        "reading": f"{number(nats, 4)} nats ÷ ln 2 = {number(bits, 4)} bits; exp(H in nats) = {number(step.effective, 4)} words.",
    }


# Doubled braces are the block's own.
_BLOCK = """\
import numpy as np

words = {words}
e = np.array({scores})  # scores of step {t}
temperature = {temperature}

lifted = np.exp((e - e.max()) / temperature)
alpha = lifted / lifted.sum()  # weights: they add up to 1
p = alpha[alpha > 0]  # 0 log 0 counts as 0
nats = -np.sum(p * np.log(p)) + 0.0  # entropy with the natural logarithm; + 0.0 turns -0.0 into 0.0
bits = nats / np.log(2)  # the same in bits

for word, weight in zip(words, alpha):
    print(f"{{weight:.4f}}  {{word}}")
print(f"entropy: {{nats:.4f}} nats = {{bits:.4f}} bits")
print(f"at most: {{np.log(len(e)):.4f}} nats = {{np.log2(len(e)):.4f}} bits")
print(f"effective words: {{np.exp(nats):.4f}} of {{len(e)}}")

# No row has more: many rows drawn at random, none above log T_x.
rows = np.random.default_rng(0).dirichlet(np.ones(len(e)), 5000)
H = -np.sum(rows * np.log(np.maximum(rows, 1e-300)), axis=1)
print("random rows above the most:", np.count_nonzero(H > np.log(len(e)) + 1e-9))
"""


def block(scenario: Scenario) -> str:
    """The entropy of the current step as a NumPy program."""
    return _BLOCK.format(
        words=list(scenario.source), scores=list(scenario.scores[scenario.t]), t=scenario.t + 1, temperature=scenario.temperature
    )
