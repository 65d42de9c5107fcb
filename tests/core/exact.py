"""The right answers, to 50 digits, and the distance of a float64 from them."""

import math
from collections.abc import Iterable

import mpmath
import numpy as np

DIGITS = 50
UNDERFLOWN = -20000  # exp of this is 1e-8686, nothing beside the 1 that every softmax sum contains


def numbers(values: Iterable[float]) -> list[mpmath.mpf]:
    return [mpmath.mpf(float(value)) for value in values]


def softmax(scores: Iterable[float], temperature: float = 1.0) -> list[mpmath.mpf]:
    with mpmath.workdps(DIGITS):
        # -inf, a masked score, is a number to mpmath too: its exponential is 0.
        e = numbers(scores)
        top = max(e)
        shifted = [(value - top) / mpmath.mpf(temperature) for value in e]
        lifted = [mpmath.exp(value) if value > UNDERFLOWN else mpmath.mpf(0) for value in shifted]
        total = mpmath.fsum(lifted)
        return [value / total for value in lifted]


def entropy(weights: Iterable[float], base: int | None = None) -> mpmath.mpf:
    with mpmath.workdps(DIGITS):
        nats = -mpmath.fsum(p * mpmath.log(p) for p in numbers(weights) if p > 0)
        return nats if base is None else nats / mpmath.log(base)


def blend(weights: Iterable[float], feature: Iterable[float]) -> tuple[mpmath.mpf, mpmath.mpf]:
    """Return the weighted sum of one feature, and the same with every term made positive."""
    with mpmath.workdps(DIGITS):
        terms = [p * value for p, value in zip(numbers(weights), numbers(feature), strict=True)]
        return mpmath.fsum(terms), mpmath.fsum(terms, absolute=True)


def ulps(got: float, right: mpmath.mpf, scale: mpmath.mpf | None = None) -> float:
    """Return the distance in units in the last place of ``right`` (or ``scale``); below 2e-308 in steps of 5e-324."""
    with mpmath.workdps(DIGITS):
        unit = math.ulp(float(abs(right if scale is None else scale)))
        return float(abs(mpmath.mpf(float(got)) - right) / unit)


def worst(got: Iterable[float], right: Iterable[mpmath.mpf]) -> float:
    return max(ulps(g, r) for g, r in zip(np.ravel(got), right, strict=True))
