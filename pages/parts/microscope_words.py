"""The microscope in words, and in NumPy."""

from __future__ import annotations

import numpy as np

from pages.parts.describe import exact, named, number, percent, together
from pages.parts.microscope import Microscope, sub


def pair(m: Microscope) -> str:
    """The name of the score: e with step and word."""
    return f"e{sub(m.t + 1)}{',' if max(m.t, m.i) > 8 else ''}{sub(m.i + 1)}"


def said(m: Microscope) -> str:
    """What the pair comes to, or what goes wrong, with the numbers."""
    t, i = m.t, m.i
    s, h, e = f"s{sub(t)}", f"h{sub(i + 1)}", pair(m)
    word, v = named(m.scenario.source, i), [abs(float(x)) for x in m.numbers.v]
    if m.breaks == "no projection":
        return _not_projected(m, s, h)
    if m.stages.bent is None or m.breaks == "no v_a":
        return _not_weighed(m)
    assert m.stages.scores is not None and m.stages.weights is not None
    score, weight = float(m.stages.scores[t, i]), float(m.stages.weights[t, i])
    if m.breaks == "no tanh":
        a, b = float(m.stages.state[t] @ m.numbers.v), float(m.stages.annotation[i] @ m.numbers.v)
        apart = float(np.abs(m.stages.weights - m.stages.weights[0]).max())
        rows = len(m.scenario.target)
        summand = f"({number(b)})" if b < 0 else number(b)
        same = f"all {rows} steps get the same weights" if rows > 1 else "any other step would get the same weights"
        return (
            f"No tanh: {e} = a{sub(t + 1)} + b{sub(i + 1)} = {number(a)} + {summand} = {number(score)}. The part a"
            f"{sub(t + 1)} is the same for every word, so softmax drops it: {same} (rows differ by {spelled(apart)})."
        )
    sizes = f"{' + '.join(map(exact, v))} = " if len(v) <= 3 else ""
    return (
        f"{named(m.scenario.target, t)} looks at {word}: score {e} = {number(score)}, weight {percent(weight)}. tanh keeps "
        f"every number in (−1, 1), so |{e}| stays within Σ|v| = {sizes}{number(m.bound)}."
    )


def _not_projected(m: Microscope, s: str, h: str) -> str:
    d_s, d_h, d_a = m.sizes
    if d_s != d_h:
        return (
            f"No projection: {s} has {d_s} numbers and {h} has {d_h}, so {s} + {h} does not exist. Wₐ and Uₐ bring both to "
            f"{d_a} numbers first. Scores and weights below: as they are with both."
        )
    if d_s != d_a:
        return (
            f"No projection: {s} + {h} has {d_s} numbers, but vₐ has {d_a}: no score. "
            f"Adding works only if d_s = d_h by luck. Scores and weights below: as they are with Wₐ and Uₐ."
        )
    learned = d_a * (d_s + d_h)
    return (
        f"No projection: it works by luck, because both happen to have {d_s} numbers. Lost: the {learned} learned numbers of "
        f"Wₐ and Uₐ. Number 1 of {s} now meets number 1 of {h} only, whether they belong together or not."
    )


def _not_weighed(m: Microscope) -> str:
    assert m.stages.bent is not None  # s and h were projected to one size
    row = m.stages.bent[m.t]
    vector = ", ".join(number(float(x)) for x in row[m.i])
    opening = f"No vₐ: a vector of length {row.shape[1]} is left, ({vector}), not one number."
    if len(row) == 1:
        return f"{opening} There is nothing to rank it by, so there is no score. Below: as it is with vₐ."
    first = [f"number {k + 1} {named(m.scenario.source, int(column.argmax()))}" for k, column in enumerate(row.T)][:4]
    return f"{opening} Which word comes first? Says {together(first)}. Vectors cannot be ranked; below: as it is with vₐ."


def spelled(apart: float) -> str:
    """How far apart: rounding errors are tiny, and an exact 0 says so."""
    return "exactly 0" if apart == 0 else f"{apart:.0e}" if apart < 1e-4 else number(apart, 4)


# --- In NumPy -------------------------------------------------------------------------------------------------------

_GIVEN = """\
import numpy as np

source = {source}
t, i = {t}, {i}  # step and word, counted from 1
s = np.array({s})  # s_(t-1), the state before step t
h = np.array([{h}])  # annotations: a row per source word
W_a = np.array([{W}])
U_a = np.array([{U}])
v_a = np.array({v})

def show(name, numbers):
    print(f"{{name}}:", (np.round(numbers, 4) + 0.0).tolist())  # + 0.0 turns -0.0 into 0.0

"""
_PROJECTED = """\
Ws, Uh = W_a @ s, h @ U_a.T  # both have d_a numbers now (Uh: a row per word)
"""
_NOT_PROJECTED = """\
Ws, Uh = s, h  # no projection
if Ws.size != Uh.shape[1] or Ws.size != v_a.size:
    raise SystemExit(f"impossible: s has {{s.size}} numbers, h_i has {{h.shape[1]}}, v_a has {{v_a.size}}")
"""
_BENT = """\
summed = Ws + Uh  # the state meets every word
bent = {bend}
show("W_a s", Ws)
show("U_a h_i", Uh[i - 1])
show("sum", summed[i - 1])
show("{bent}", bent[i - 1])
"""
_SCORED = """\
scores = bent @ v_a  # times v_a, added up: one number per word
lifted = np.exp(scores - scores.max())
alpha = lifted / lifted.sum()
show("v_a * {bent}", v_a * bent[i - 1])
print(f"score e: {{scores[i - 1] + 0.0:.4f}}, at most {{np.abs(v_a).sum():.4f}} in size with tanh")
for word, score, weight in zip(source, scores, alpha):
    print(f"{{score + 0.0:9.4f}}  {{weight:6.1%}}  {{word}}")
"""
_NOT_SCORED = """\
for word, vector in zip(source, bent):  # without v_a: a vector per word, and no order among vectors
    show(word, vector)
"""


def block(m: Microscope) -> str:
    """Write the five stages as a NumPy program that prints what the screen shows."""
    text = _GIVEN + (_NOT_PROJECTED if m.breaks == "no projection" else _PROJECTED)
    text += _BENT + (_NOT_SCORED if m.breaks == "no v_a" else _SCORED)
    straight = m.breaks == "no tanh"
    rows = {letter: _rows(vars(m.numbers)[letter], letter + "_a" * (letter in "WU")) for letter in "hWU"}
    return text.format(
        source=list(m.scenario.source),
        t=m.t + 1,
        i=m.i + 1,
        s=m.numbers.s[m.t].tolist(),
        v=m.numbers.v.tolist(),
        bend="summed  # no tanh" if straight else "np.tanh(summed)",
        bent="not bent" if straight else "tanh",
        **rows,
    )


def _rows(grid: np.ndarray, symbol: str) -> str:
    """One row per line, aligned under the bracket."""
    return (",\n" + " " * len(f"{symbol} = np.array([")).join(str(row) for row in grid.tolist())
