"""Alarms for attention code: what somebody who looks for a bug can measure without knowing the bug.

An alarm sees what the code was given, what came out, and what comes out if it is run once more on changed input: a constant on
all scores, another last step, moved encoder states. Right code keeps quiet on every input; the tests hold it to that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from pages.parts.broken import Array, Given, Run
from pages.parts.describe import exact
from pages.parts.sharing import told

# Right weights are within 4 units in the last place, so a row of 32 sums to 1 within 1e-14; adding a constant to scores of up
# to 1000 at temperature 0.01 costs 1e-11. What a bug changes is far above this, or nobody could see it.
TOLERANCE = 1e-9
# Of the largest distance between two points: the search for the nearest point of a hull is exact to about 1e-12 of it.
OUTSIDE = 1e-7
FAR = 1000.0  # exp of it is beyond float64


@dataclass(frozen=True)
class Reading:
    """What an alarm says.

    Attributes
    ----------
    rings : bool
    measured : str
        The figure, in a few letters; empty if there is none worth showing.
    sentence : str
        What is wrong, in one sentence; empty if the alarm is quiet.
    """

    rings: bool
    measured: str = ""
    sentence: str = ""


QUIET = Reading(False)


@dataclass(frozen=True, eq=False)
class Suspect:
    """Code under suspicion, on one input.

    Attributes
    ----------
    code : callable
        Takes a `Given`, returns a `Run`.
    g : Given
    """

    code: Callable[[Given], Run]
    g: Given

    @cached_property
    def run(self) -> Run:
        """What came out."""
        return self.code(self.g)

    @cached_property
    def probe(self) -> Run:
        """What comes out of numbers of the same sizes in which nothing is alike: scores, states and s_0 drawn, temperature 1."""
        rng, g = np.random.default_rng(15), self.g
        drawn: dict[str, Any] = {
            name: rng.standard_normal(getattr(g, name).shape) for name in ("scores", "h", "last", "s_0", "queries")
        }
        return self.code(replace(g, **drawn, T=1.0, plus=0.0))

    @property
    def alone(self) -> bool:
        """Whether there is just one word to look at."""
        return int(self.g.may.sum()) == 1


def _changed(before: Array, after: Array) -> bool:
    """Whether two results differ; a NaN that is NaN again does not."""
    with np.errstate(invalid="ignore"):
        off = ~(np.abs(before - after) <= TOLERANCE) & ~(before == after)
    return bool((off & ~(np.isnan(before) & np.isnan(after))).any())


def sum_told(value: float) -> str:
    """A sum, with as many digits as it takes to see that it is not 1."""
    return f"{value:.10g}" if abs(value - 1) < 0.005 else told(value)


def _signed(value: float) -> str:
    return exact(value) if value < 0 else f"+{exact(value)}"


def _first(bad: np.ndarray) -> int:
    return int(np.argmax(bad))


# --- What came out ---------------------------------------------------------------------------------------------------


def not_finite(s: Suspect) -> Reading:
    """NaN or inf among weights or contexts."""
    weights = s.run.weights
    bad = ~np.isfinite(weights)
    n = int(bad.sum())
    if not n and np.isfinite(s.run.context).all():
        return QUIET
    if np.isnan(weights).any():
        return Reading(True, "NaN", f"{n} of {weights.size} weights are NaN, not a number: inf ÷ inf, or 0 ÷ 0.")
    where = f"{n} of {weights.size} weights are inf" if n else "A context is not finite"
    return Reading(True, "inf", f"{where}: beyond 1.8e308, the largest number that float64 has.")


def row_sums(s: Suspect) -> Reading:
    """Rows of weights that do not add up to 1."""
    with np.errstate(all="ignore"):
        sums = s.run.weights.sum(axis=1)
    bad = ~(np.abs(sums - 1.0) <= TOLERANCE)
    if not bad.any():
        return QUIET
    r = _first(bad)
    low, high, here = (sum_told(float(v)) for v in (sums.min(), sums.max(), sums[r]))
    measured = low if low == high else f"{low} to {high}"
    return Reading(True, measured, f"The weights of step {r + 1} add up to {here}, not to 1.")


def column_sums(s: Suspect) -> Reading:
    """Columns of words that all add up to 1 while rows do not."""
    with np.errstate(all="ignore"):
        columns, rows = s.run.weights[:, s.g.may].sum(axis=0), s.run.weights.sum(axis=1)
    if not (np.abs(columns - 1.0) <= TOLERANCE).all() or (np.abs(rows - 1.0) <= TOLERANCE).all():
        return QUIET
    return Reading(True, "", "Every column adds up to 1, where every row should.")


def identical_rows(s: Suspect) -> Reading:
    """All steps look alike, whatever the input."""
    if len(s.run.weights) == 1 or s.alone:
        return QUIET
    for run in (s.run, s.probe):
        with np.errstate(invalid="ignore"):
            if not (np.abs(run.weights - run.weights[0]) <= 1e-12).all():
                return QUIET
    return Reading(True, "", "All steps look in the same way, and do so whatever the states are.")


def weight_on_padding(s: Suspect) -> Reading:
    """Padding that has weight."""
    padding = s.run.weights[:, ~s.g.may]
    if not padding.size or (np.abs(padding) <= TOLERANCE).all():
        return QUIET
    return Reading(True, told(float(np.abs(padding).max())), "Padding has weight, and nobody wrote a word there.")


def outside_hull(s: Suspect) -> Reading:
    """A context that no weights could have made."""
    h, c, alpha = s.g.h[s.g.may], s.run.context, s.run.weights
    size = max(float(np.abs(h).max()), float(np.abs(h - h[0]).max()), 1e-12)
    for t, point in enumerate(c):
        if not np.isfinite(point).all():
            continue
        row = alpha[t, s.g.may]
        with np.errstate(all="ignore"):
            fair = bool((row >= 0).all()) and abs(row.sum() - 1) <= TOLERANCE
            made = np.abs(row @ h - point).max() <= TOLERANCE * size
        if fair and made:
            continue  # these weights make it, so it is within
        away = distance_to_hull(point, h)
        if away > OUTSIDE * size:
            return Reading(True, told(away), f"c of step {t + 1} lies {told(away)} outside all that h can be blended to.")
    return QUIET


def entropies(s: Suspect) -> Reading:
    """Entropy below 0 or above log T_x; or always log T_x, whatever the input."""
    n, alpha = int(s.g.may.sum()), s.run.weights
    with np.errstate(all="ignore"):
        found = -np.where(alpha > 0, alpha * np.log(alpha), 0.0).sum(axis=1)
    most = math.log(n)
    bad = (found < -TOLERANCE) | (found > most + TOLERANCE) | (alpha < 0).any(axis=1)
    if bad.any():
        r = _first(bad)
        H = f"{told(float(found[r]))} nats"
        return Reading(True, H, f"The entropy of step {r + 1} is {H}, not between 0 and log {n} = {told(most)} nats.")
    if n > 1 and all((np.abs(run.weights[:, s.g.may] - 1 / n) <= 1e-12).all() for run in (s.run, s.probe)):
        return Reading(True, f"{told(most)} nats", "Every step looks at all words alike, and does so whatever the states are.")
    return QUIET


# --- What comes out of changed input ---------------------------------------------------------------------------------


def a_constant(s: Suspect) -> Reading:
    """Weights that change when all scores rise alike, by a little or very far."""
    rises = (s.g.T, FAR * s.g.T - float(s.run.scores[:, s.g.may].max()))
    for rise in rises:
        after = s.code(replace(s.g, plus=s.g.plus + rise)).weights
        if _changed(s.run.weights, after):
            into = " into NaN" if np.isnan(after).any() else ""
            sentence = f"Adding {exact(rise)} to all scores changes weights{into}; it should change none."
            return Reading(True, _signed(rise), sentence)
    return QUIET


def steps_mix(s: Suspect) -> Reading:
    """Weights of earlier steps that change with the last step."""
    g = s.g
    if len(g.scores) == 1:
        return QUIET
    rng = np.random.default_rng(16)
    # One of the two matters, whether the last step leads its column or not.
    for level in (g.scores.max() + 5 * g.T, g.scores.min() - 5 * g.T):
        scores, queries, read = g.scores.copy(), g.queries.copy(), g.read.copy()
        scores[-1], queries[-1], read[-1] = level, 10 * rng.standard_normal(queries.shape[1]), rng.standard_normal(read.shape[1])
        after = s.code(replace(g, scores=scores, queries=queries, read=read))
        if _changed(s.run.weights[:-1], after.weights[:-1]):
            return Reading(True, "", "Change what the last step asks, and the weights of earlier steps change too.")
    return QUIET


def scored_late(s: Suspect) -> Reading:
    """Scores of a step that already know what this step reads."""
    read = s.g.read.copy()
    read[-1] = -read[-1] - 1
    before, after = s.run.scores[-1], s.code(replace(s.g, read=read)).scores[-1]
    if not _changed(before, after):
        return QUIET
    moved = told(float(np.abs(before - after).max()))
    return Reading(
        True, moved, "Scores of a step change with what this step reads, so the state was updated before they were made."
    )


def padding_counts(s: Suspect) -> Reading:
    """Weights of words that change with what stands under the padding."""
    g, padding = s.g, ~s.g.may
    if not padding.any():
        return QUIET
    rng = np.random.default_rng(17)
    for level in (g.scores.max() + 5 * g.T, g.scores.min() - 5 * g.T):
        scores, h = g.scores.copy(), g.h.copy()
        scores[:, padding], h[padding] = level, 10 * rng.standard_normal(h[padding].shape)
        after = s.code(replace(g, scores=scores, h=h))
        if _changed(s.run.weights[:, g.may], after.weights[:, g.may]):
            return Reading(True, "", "Change what stands under the padding, and the weights of words change.")
    return QUIET


def deaf_to_h(s: Suspect) -> Reading:
    """Contexts that stay where they are although all encoder states have moved away."""
    h = s.g.h.copy()
    h[:, 0] += 2 * np.ptp(h[:, 0]) + 1  # so far that no blend of the new ones is a blend of the old ones
    after = s.code(replace(s.g, h=h)).context
    if _changed(s.run.context, after) or np.isnan(after).any():
        return QUIET
    return Reading(True, "", "All encoder states have moved, and no context has moved with them.")


def other_heads(s: Suspect) -> Reading:
    """Scores of a head that change when another head is put beside it."""
    g = s.g
    if g.origin != "head":
        return QUIET
    wider: dict[str, Any] = {name: np.concatenate([getattr(g, name)] * 2, axis=-1) for name in ("queries", "h", "last")}
    before, after = s.run.scores, s.code(replace(g, **wider)).scores
    if not _changed(before, after):
        return QUIET
    moved = told(float(np.abs(before - after).max()))
    return Reading(True, moved, "Put more heads beside this one, and its scores change though its own numbers are the same.")


ALARMS: Mapping[str, Callable[[Suspect], Reading]] = {
    "not finite": not_finite,
    "row sums": row_sums,
    "column sums": column_sums,
    "identical rows": identical_rows,
    "weight on padding": weight_on_padding,
    "outside the hull": outside_hull,
    "entropies": entropies,
    "a constant counts": a_constant,
    "steps mix": steps_mix,
    "scored too late": scored_late,
    "padding counts": padding_counts,
    "deaf to h": deaf_to_h,
    "other heads count": other_heads,
}
"""The alarms by name, in the order of the panel: first those that look, then those that try."""


def readings(code: Callable[[Given], Run], g: Given) -> dict[str, Reading]:
    """What every alarm says about some code.

    Parameters
    ----------
    code : callable
        Takes a `Given`, returns a `Run`.
    g : Given

    Returns
    -------
    dict of str to Reading
        By name, in the order of `ALARMS`.
    """
    suspect = Suspect(code, g)
    return {name: alarm(suspect) for name, alarm in ALARMS.items()}


def ringing(said: Mapping[str, Reading]) -> tuple[str, ...]:
    """The names of the alarms that ring."""
    return tuple(name for name, reading in said.items() if reading.rings)


# --- Geometry --------------------------------------------------------------------------------------------------------


def distance_to_hull(point: np.ndarray, corners: np.ndarray) -> float:
    """How far a point lies from the convex hull of some others; 0 within it.

    Parameters
    ----------
    point : (d,) array
        Finite.
    corners : (n, d) array
        Finite, at least one row.

    Returns
    -------
    float
        Exact but for rounding, in any dimension.

    Notes
    -----
    Weights w >= 0 that bring ``sum_i w_i (corner_i - point)`` nearest to 0 while they nearly add up to 1 are, made to add up to
    1, those of the hull's nearest point: the problem "least distance" of Lawson & Hanson 1974, Solving least squares problems,
    chapter 23.

    Examples
    --------
    >>> distance_to_hull(np.array([2.0, 0.5]), np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    1.0
    """
    rays = corners - point
    size = float(np.abs(rays).max())
    if size == 0:
        return 0.0
    A = np.vstack([rays.T / size, np.ones(len(rays))])
    w = _non_negative(A, np.concatenate([np.zeros(len(point)), [1.0]]))
    return size * float(np.linalg.norm(A[:-1] @ w) / w.sum())


def _non_negative(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The w >= 0 that brings A w nearest to b: active sets, Lawson & Hanson 1974, algorithm NNLS."""
    n = A.shape[1]
    w, used = np.zeros(n), np.zeros(n, dtype=bool)
    for _ in range(3 * n + 3):
        slope = A.T @ (b - A @ w)
        slope[used] = -np.inf
        if slope.max() <= 1e-13:
            break
        used[np.argmax(slope)] = True
        while True:
            z = np.zeros(n)
            z[used] = np.linalg.lstsq(A[:, used], b, rcond=None)[0]
            below = used & (z <= 0)
            if not below.any():
                w = z
                break
            step = float((w[below] / np.maximum(w[below] - z[below], 1e-300)).min())
            w = np.maximum(w + step * (z - w), 0.0)
            used &= w > 1e-15
            w[~used] = 0.0
    return w
