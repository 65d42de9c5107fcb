"""The context vector as a balance point: encoder states in a plane, their hull, and what the old way would hand over."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import attention_core as ac
from pages.parts import describe, drawings, figures, strips
from pages.parts.describe import named, number
from pages.parts.drawings import Step
from pages.parts.figures import Figure, plain, short
from pages.parts.live import Drawing
from pages.parts.scenario import Scenario

DIGITS = 4  # of the states: what is written in the code is what is drawn
ALIKE = 0.25  # states no farther apart than this are nearly alike: the plane is 2 units wide
LOOK_UP = 0.95  # from this weight on, the blend is nearly a look-up
BLANK = "\u00a0"  # a label that shows nothing, yet is one: marks.js counts them
ROWS = ("c, 1st", "c, 2nd", "old, 1st", "old, 2nd")


@dataclass(frozen=True)
class Blend:
    """A scenario with states pulled together, and every step's context.

    Attributes
    ----------
    scenario : Scenario
    h : (T_x, 2) array
    weights : (T_y, T_x) array
    contexts : (T_y, 2) array
    corners : tuple of int
        The states that span the hull, in order around it; the others lie within.
    farthest : float
        The largest distance between two states: no choice of weights can move c farther.
    """

    scenario: Scenario
    h: np.ndarray
    weights: np.ndarray
    contexts: np.ndarray
    corners: tuple[int, ...]
    farthest: float

    @property
    def row(self) -> np.ndarray:
        """(T_x,) weights of the current step."""
        row: np.ndarray = self.weights[self.scenario.t]
        return row

    @property
    def c(self) -> np.ndarray:
        """(2,) context of the current step."""
        c: np.ndarray = self.contexts[self.scenario.t]
        return c

    @property
    def frozen(self) -> np.ndarray:
        """(2,) the last state: all that a decoder without attention is given, at every step."""
        last: np.ndarray = self.h[-1]
        return last


@lru_cache(maxsize=256)
def states(length: int, seed: int, spread: float) -> tuple[np.ndarray, tuple[int, ...], float]:
    """Encoder states, pulled towards their mean: 1 leaves them as they are, 0 makes them all alike; their hull and width."""
    h = drawings.encoder_states(length, seed)
    h = (h.mean(axis=0) + spread * (h - h.mean(axis=0))).round(DIGITS) + 0.0
    h.flags.writeable = False
    gaps = np.hypot(*(h[:, np.newaxis] - h).transpose(2, 0, 1))
    return h, hull(h), float(gaps.max())


def hull(points: np.ndarray) -> tuple[int, ...]:
    """The corners of the convex hull, counter-clockwise, each point once; two for points on a line, one for a single point.

    Andrew's monotone chain (1979). On whole numbers, so that "on the line" is never a matter of rounding.

    Parameters
    ----------
    points : (n, 2) array
        With at most `DIGITS` decimals.
    """
    grid = [(round(x * 10**DIGITS), round(y * 10**DIGITS)) for x, y in points.tolist()]
    order = sorted({p: i for i, p in reversed(list(enumerate(grid)))}.items())

    def half(run: Sequence[tuple[tuple[int, int], int]]) -> list[tuple[tuple[int, int], int]]:
        chain: list[tuple[tuple[int, int], int]] = []
        for (x, y), i in run:
            while len(chain) > 1:
                (x0, y0), (x1, y1) = chain[-2][0], chain[-1][0]
                if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0:  # a turn to the left
                    break
                chain.pop()
            chain.append(((x, y), i))
        return chain

    if len(order) == 1:
        return (order[0][1],)
    return tuple(i for _, i in half(order)[:-1] + half(order[::-1])[:-1])


def blend_of(scenario: Scenario, spread: float) -> Blend:
    """Compute all that the drawings show."""
    h, corners, farthest = states(len(scenario.source), scenario.seed, spread)
    seen = ac.attend(scenario.scores, h, temperature=scenario.temperature)
    return Blend(scenario, h, seen.weights, seen.context, corners, farthest)


def weights_drawing(blend: Blend) -> Drawing:
    """The weights of the current step."""
    return drawings.weights_drawing(Step(blend.scenario, blend.h, blend.weights, blend.c, np.empty(0)))


# --- The plane -------------------------------------------------------------------------------------------------------


def plane(blend: Blend) -> Figure:
    """States as large as their weights, their pulls on c, their hull, the other steps' c, and the frozen state."""
    s = blend.scenario
    n, t = len(s.source), s.t
    c = blend.c.tolist()
    x, y = blend.h.T.tolist()
    # Closed, and as long as it can ever get, so that a hand moves it in place.
    rim = [*blend.corners, *[blend.corners[0]] * (n + 1 - len(blend.corners))]
    letters = 10 if n <= 6 else 0
    labels = [f"h<sub>{i + 1}</sub> {plain(short(word, letters)) if letters else ''}".strip() for i, word in enumerate(s.source)]
    *own_labels, last = labels
    # The last state's label stands outwards; where it would leave the plane, above or below. The side does not change while
    # a hand moves the states.
    away = (drawings.encoder_states(n, s.seed)[-1] - drawings.encoder_states(n, s.seed).mean(axis=0)).tolist()
    outwards = "middle right" if away[0] >= 0 else "middle left"
    if abs(away[0]) > 0.4:
        outwards = "top center" if away[1] >= 0 else "bottom center"
    few = n <= figures.NUMBERS_UP_TO
    others = [r for r in range(len(s.target)) if r != t]
    few_steps = len(others) <= figures.NUMBERS_UP_TO
    axis = {"range": [-1.15, 1.15], "fixedrange": True, "gridcolor": "@grid", "zerolinecolor": "@line", "dtick": 0.5}
    x_axis, y_axis = ({**axis, "title": {"text": f"{which} number", "standoff": 4}} for which in ("first", "second"))
    return {
        "data": [
            {"type": "scatter", "mode": "lines", "fill": "toself", "fillcolor": "rgba(0,114,178,0.10)"}
            | {"x": [x[i] for i in rim], "y": [y[i] for i in rim], "line": {"color": "@h", "width": 1, "dash": "dot"}}
            | {"hoverinfo": "skip"},
            {"type": "scatter", "mode": "lines", "line": {"color": "@c", "width": 2}, "opacity": 0.7, "hoverinfo": "skip"}
            | {"x": [v for xi in x for v in (xi, c[0])], "y": [v for yi in y for v in (yi, c[1])]},
            {
                "type": "scatter",
                "mode": "markers+text" if few else "markers",
                "x": x,
                "y": y,
                "text": [*own_labels, BLANK] if few else [""] * n,
                "textposition": "top center",
                "cliponaxis": False,
                "marker": {"size": [8 + 40 * float(a) ** 0.5 for a in blend.row], "color": "@h", "opacity": 0.85},
                "customdata": figures.places(s.source),
                "hovertemplate": "%{customdata}<br>h = (%{x:.4f}, %{y:.4f})<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": [x[-1]],
                "y": [y[-1]],
                "text": [f"{last} (old way)"],
                "textposition": outwards,
                "cliponaxis": False,
                "marker": {"size": 56, "color": "rgba(0,0,0,0)", "symbol": "square", "line": {"color": "@text", "width": 2}},
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "markers+text" if few_steps else "markers",
                "x": [blend.contexts[r, 0].item() for r in others],
                "y": [blend.contexts[r, 1].item() for r in others],
                "text": [str(r + 1) if few_steps else "" for r in others],
                "textfont": {"size": 11},
                "textposition": "middle center",
                "marker": {"size": 17 if few_steps else 8, "color": "@ground", "line": {"color": "@c", "width": 2}},
                "customdata": [f"step {r + 1}, {plain(s.target[r])}" for r in others],
                "hovertemplate": "%{customdata}<br>c = (%{x:.4f}, %{y:.4f})<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": [c[0]],
                "y": [c[1]],
                "text": [f"c<sub>{t + 1}</sub>"],
                "textposition": "middle center",
                "textfont": {"color": "#000000", "size": 14, "weight": 700},
                "marker": {"size": 34, "color": "@c", "symbol": "diamond", "line": {"color": "@text", "width": 2}},
                "hovertemplate": "context c = (%{x:.4f}, %{y:.4f})<extra></extra>",
            },
        ],
        "layout": figures.canvas(
            xaxis=x_axis, yaxis={**y_axis, "scaleanchor": "x"}, margin={"l": 52, "r": 8, "t": 4, "b": 42}
        ),
    }  # fmt: skip


def pair(point: np.ndarray) -> str:
    """Two numbers as a point."""
    return f"({number(float(point[0]))}, {number(float(point[1]))})"


def reading(blend: Blend) -> str:
    """What is to be seen in the plane, in a sentence or two."""
    s = blend.scenario
    n, top = len(s.source), int(np.argmax(blend.row))
    c = f"c = {pair(blend.c)}"
    if n == 1:
        return f"{c} = h1 at every step: with one word there is nothing to mix, whatever the score."
    if blend.farthest == 0:
        return f"{c}: all states are the same, so every blend of them is that same point."
    if blend.farthest < ALIKE:
        return f"{c}. The states are nearly alike: no weights can move c by more than {number(blend.farthest)}."
    if blend.row[top] >= LOOK_UP:
        share = describe.percent(float(blend.row[top]))
        return f"{c} sits almost on h{top + 1}, {named(s.source, top)} ({share}): nearly a look-up."
    if np.ptp(blend.row) < 1e-9:
        return f"{c}: all weights are equal, so this is the plain average of the states."
    return f"{c}: where the pulls balance. No weights can take it out of the hull."


def plane_drawing(blend: Blend) -> Drawing:
    """The plane in words, too."""
    s = blend.scenario
    points = [
        f"h{i + 1} = {pair(h)} with weight {number(float(a))}" for i, (h, a) in enumerate(zip(blend.h, blend.row, strict=True))
    ]
    others = [f"step {r + 1} {pair(c)}" for r, c in enumerate(blend.contexts) if r != s.t]
    also = f" The context of {'; '.join(others)}." if others else ""
    return {
        "figure": plane(blend),
        "label": f"Plane with the encoder states {'; '.join(points)}, their hull,"
        f" and the context c = {pair(blend.c)} of step {s.t + 1}.{also}"
        f" The old way: h{len(blend.h)} = {pair(blend.frozen)} at every step.",
        "reading": reading(blend),
    }


# --- Step by step, the arithmetic, the code --------------------------------------------------------------------------


def steps_drawing(blend: Blend) -> Drawing:
    """What the decoder is given at every step: the new way, and the old way."""
    s = blend.scenario
    given = np.hstack([blend.contexts, np.broadcast_to(blend.frozen, blend.contexts.shape)])
    labels = tuple(plain(short(word, 10)) for word in s.target)
    figure = strips.strips(
        s.target, given, reach=1.0, what="the decoder is given", labels=labels, rows=ROWS, held=s.t, symbol="s"
    )  # fmt: skip
    margin = {**figure["layout"]["margin"], "l": 62}
    moved = float(np.hypot(*(blend.contexts - blend.frozen).T).max())
    n = len(blend.h)
    told = [f"step {r + 1} {pair(c)}" for r, c in enumerate(blend.contexts)]
    return {
        "figure": {**figure, "layout": {**figure["layout"], "margin": margin}},
        "label": f"Heatmap, what the decoder is given. New: {'; '.join(told)}. Old: {pair(blend.frozen)} at every step.",
        "reading": f"Above: a fresh c for every step. Below: h{n}, frozen. They differ by up to {number(moved)}.",
    }


def arithmetic_drawing(blend: Blend) -> Drawing:
    """The weighted sum, term by term."""
    s = blend.scenario
    rows = [
        [f"{i + 1}  {word}", drawings.small(float(a)), *[number(float(v), DIGITS) for v in h]]
        + [number(float(a * v), DIGITS) for v in h]
        for i, (word, a, h) in enumerate(zip(s.source, blend.row, blend.h, strict=True))
    ]
    c = [number(float(v), DIGITS) for v in blend.c]
    return {
        "table": {
            "columns": ["source word", "weight α", "h, first", "h, second", "α · h, first", "α · h, second"],
            "rows": rows,
            "total": ["sum", drawings.small(math.fsum(blend.row)), "", "", f"c = {c[0]}", c[1]],
        },
        "label": f"Arithmetic of the context vector of step {s.t + 1}",
        "reading": f"c of step {s.t + 1} adds up weight × h over the encoder states h1 to h{len(blend.h)}.",
    }


# Doubled braces are the block's own.
_BLOCK = """\
import numpy as np

words, target = {source}, {target}
t, temperature = {t}, {temperature}  # t counts from 1
e = np.array([{scores}])  # scores: a row per target word
h = np.array([{h}])  # encoder states: a row per source word

lifted = np.exp((e - e.max(axis=1, keepdims=True)) / temperature)
alpha = lifted / lifted.sum(axis=1, keepdims=True)  # weights: each row sums to 1
c = alpha @ h  # a context per step: the sum runs over the encoder states

for word, weight, state in zip(words, alpha[t - 1], h):
    print(f"{{weight:.4f}} * {{(state + 0.0).tolist()}}  {{word}}")
print(f"context of step {{t}}:", (c[t - 1].round(4) + 0.0).tolist())
for step, (word, context) in enumerate(zip(target, c), start=1):
    print(f"step {{step}}: {{(context.round(4) + 0.0).tolist()}}  {{word}}")
print("the old way, every step:", h[-1].tolist())
gaps = np.hypot(h[:, None, 0] - h[:, 0], h[:, None, 1] - h[:, 1])
print(f"no weights can move c by more than {{gaps.max():.4f}}")
"""


def block(blend: Blend) -> str:
    """The blend as a NumPy program."""
    s = blend.scenario
    line = ",\n" + " " * len("e = np.array([")
    return _BLOCK.format(
        source=list(s.source),
        target=list(s.target),
        t=s.t + 1,
        temperature=s.temperature,
        scores=line.join(str(list(row)) for row in s.scores),
        h=line.join(map(str, blend.h.tolist())),
    )
