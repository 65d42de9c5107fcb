"""The reading and the writing network in plain Python: loops and `math`, one number at a time. Shares nothing with the core."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

Vector = list[float]
Matrix = Sequence[Sequence[float]]


def product(matrix: Matrix, vector: Sequence[float]) -> Vector:
    return [math.fsum(float(m) * float(v) for m, v in zip(row, vector, strict=True)) for row in matrix]


def squeezed(a: float) -> float:
    return 1 / (1 + math.exp(-a)) if a > 0 else math.exp(a) / (1 + math.exp(a))


def cell(name: str, x: Sequence[float], s: Sequence[float], p: Mapping[str, Any]) -> Vector:
    """The next state, from the formulas in the paper's appendix A.1.1, or Elman's."""
    if name == "tanh":
        return [math.tanh(a + b) for a, b in zip(product(p["W"], x), product(p["U"], s), strict=True)]
    z = [squeezed(a + b) for a, b in zip(product(p["W_z"], x), product(p["U_z"], s), strict=True)]
    r = [squeezed(a + b) for a, b in zip(product(p["W_r"], x), product(p["U_r"], s), strict=True)]
    held = [ri * float(si) for ri, si in zip(r, s, strict=True)]
    new = [math.tanh(a + b) for a, b in zip(product(p["W"], x), product(p["U"], held), strict=True)]
    return [(1 - zi) * float(si) + zi * ni for zi, si, ni in zip(z, s, new, strict=True)]


def read(name: str, x: Matrix, p: Mapping[str, Any], recurrence: bool = True) -> list[Vector]:
    """One direction of the encoder."""
    states, state = [], [0.0] * len(p["U"])
    for word in x:
        state = cell(name, word, state if recurrence else [0.0] * len(state), p)
        states.append(state)
    return states


def shares(scores: Sequence[float]) -> Vector:
    lifted = [math.exp(e - max(scores)) for e in scores]
    return [a / math.fsum(lifted) for a in lifted]


def write(decoder: Any, s: Sequence[float], y: Sequence[float], h: Matrix) -> dict[str, Vector]:
    """One decoder step: `s` is the state before it, `y` the vector of the word before."""
    p = decoder.score
    asked = product(p["W_a"], s)
    scores = []
    for annotation in h:
        bent = [math.tanh(a + b) for a, b in zip(asked, product(p["U_a"], annotation), strict=True)]
        scores.append(math.fsum(float(v) * b for v, b in zip(p["v_a"], bent, strict=True)))
    weights = shares(scores)
    context = [math.fsum(w * float(v) for w, v in zip(weights, column, strict=True)) for column in zip(*h, strict=True)]
    state = cell(decoder.cell, [*map(float, y), *context], s, decoder.recurrent)
    said = shares(product(decoder.W_o, [*state, *context, *map(float, y)]))
    return {"scores": scores, "weights": weights, "context": context, "state": state, "probabilities": said}
