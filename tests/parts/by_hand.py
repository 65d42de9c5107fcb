"""One decoder step worked out with 50 digits: what a drawing must show. Shares nothing with the code under test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mpmath
from mpmath import mpf


@dataclass(frozen=True)
class Worked:
    """The right numbers of one step."""

    shifted: list[mpf]
    lifted: list[mpf]
    total: mpf
    weights: list[mpf]
    terms: list[mpf]  # -alpha ln alpha, in nats
    entropy: mpf  # nats
    effective: mpf
    parts: list[list[mpf]]  # alpha times h, a row per source word
    context: list[mpf]


def worked(scores: Sequence[float], temperature: float, states: Sequence[Sequence[float]]) -> Worked:
    """Softmax as the book has it, entropy and blend; floats are taken for exactly what they are."""
    with mpmath.workdps(50):
        top = max(mpf(e) for e in scores)
        shifted = [(mpf(e) - top) / mpf(temperature) for e in scores]
        lifted = [mpmath.exp(x) for x in shifted]
        total = mpmath.fsum(lifted)
        weights = [x / total for x in lifted]
        terms = [-a * mpmath.log(a) for a in weights]
        entropy = mpmath.fsum(terms)
        parts = [[a * mpf(float(x)) for x in h] for a, h in zip(weights, states, strict=True)]
        context = [mpmath.fsum(column) for column in zip(*parts, strict=True)]
        return Worked(shifted, lifted, total, weights, terms, entropy, mpmath.exp(entropy), parts, context)
