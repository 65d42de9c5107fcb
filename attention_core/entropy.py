"""How focused is a row of weights?

Entropy is 0 when all the weight is on one word and log(T_x) when it is spread evenly. Its exponential reads as a
number of words: "this step looks at about 2.2 words".

References
----------
Shannon 1948, A mathematical theory of communication, section 6.
Kullback & Leibler 1951, On information and sufficiency, doi:10.1214/aoms/1177729694.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from . import _checks
from ._blocks import row_blocks
from ._checks import FloatArray
from ._rounding import accurate_sum

_SMALLEST = math.ulp(0.0)  # 5e-324, the smallest float64 above 0
_ALOFT = 2.0**100  # keeps thousands of terms near 1e-320 from being rounded to whole steps of 5e-324 one by one


def entropy(weights: ArrayLike, *, base: int | None = None) -> FloatArray:
    """Return the entropy of each row of weights: ``H = -sum_i alpha_i log(alpha_i)``.

    Parameters
    ----------
    weights : (..., T_x) array_like
        Attention weights: not negative, each row adding up to 1 within 1e-6.
    base : {None, 2}, optional
        None for nats (natural logarithm), 2 for bits.

    Returns
    -------
    (...) ndarray, or a float for a single row
        Entropy in nats or bits, from 0 to log(T_x). A weight of 0 contributes 0.

    Raises
    ------
    ValueError
        If a row is not a distribution (the message gives its sum), or base is neither None nor 2.

    Notes
    -----
    Within 4 units in the last place of the exact entropy of the weights as given.

    Examples
    --------
    >>> round(float(entropy([0.121, 0.731, 0.148])), 4)
    0.7674
    >>> float(entropy([0.25, 0.25, 0.25, 0.25], base=2))
    2.0
    >>> float(entropy([1.0, 0.0, 0.0]))
    0.0
    """
    bits = _is_bits(base)
    alpha = _checks.as_rows(weights, "weights")
    rows = alpha.reshape(-1, alpha.shape[-1])
    H = np.empty(len(rows))
    with np.errstate(all="ignore"):
        for block in row_blocks(*rows.shape):
            if not _checks.is_distribution(rows[block]):
                _checks.refuse_weights(alpha, "weights")
            # 0 log 0 is 0 in the limit, and 0 log(5e-324) is 0 in float64.
            terms = np.maximum(rows[block], _SMALLEST)
            (np.log2 if bits else np.log)(terms, out=terms)
            terms *= _ALOFT
            terms *= rows[block]
            np.multiply(accurate_sum(terms), -1.0 / _ALOFT, out=H[block])
    # A sum that exceeds 1 within the tolerance can push H below 0. Adding 0 turns -0.0 into 0.
    return (np.maximum(H, 0.0) + 0.0).reshape(alpha.shape[:-1])[()]


def normalised_entropy(weights: ArrayLike) -> FloatArray:
    """Return entropy as a share of the largest possible: ``H / log(T_x)``.

    Parameters
    ----------
    weights : (..., T_x) array_like
        Attention weights.

    Returns
    -------
    (...) ndarray, or a float for a single row
        From 0 (all on one word) to 1 (spread evenly), without a unit: nats and bits give the same. With a single
        source word, T_x = 1, there is no spread to measure and the result is 0.

    Raises
    ------
    ValueError
        If a row is not a distribution.

    Examples
    --------
    >>> float(normalised_entropy([0.5, 0.5])), float(normalised_entropy([1.0]))
    (1.0, 0.0)
    """
    alpha = _checks.as_rows(weights, "weights")
    largest = math.log(alpha.shape[-1]) or 1.0  # log 1 = 0, and so is H: any divisor will do
    return np.minimum(entropy(alpha) / largest, 1.0)


def effective_positions(weights: ArrayLike) -> FloatArray:
    """Return the number of positions a row effectively looks at: ``exp(H)``, with H in nats.

    Parameters
    ----------
    weights : (..., T_x) array_like
        Attention weights.

    Returns
    -------
    (...) ndarray, or a float for a single row
        A number of source positions, from 1 to T_x. Equal weights on k positions give k.

    Raises
    ------
    ValueError
        If a row is not a distribution.

    Examples
    --------
    >>> round(float(effective_positions([0.5, 0.5, 0.0])), 9)
    2.0
    """
    alpha = _checks.as_rows(weights, "weights")
    return np.minimum(np.exp(entropy(alpha)), float(alpha.shape[-1]))


def kl_divergence(p: ArrayLike, q: ArrayLike, *, base: int | None = None) -> FloatArray:
    """Return how far ``p`` is from ``q``: ``sum_i p_i log(p_i / q_i)``. Not the same as from ``q`` to ``p``.

    Parameters
    ----------
    p, q : (..., T_x) array_like
        Two sets of weights over the same positions. One of them may be a single row for all rows of the other.
    base : {None, 2}, optional
        None for nats, 2 for bits.

    Returns
    -------
    (...) ndarray, or a float for single rows
        Nats or bits, at least 0, and inf where q rules out (gives weight 0 to) a position that p uses.

    Raises
    ------
    ValueError
        If p or q is not a distribution, their shapes do not fit, or base is neither None nor 2.

    Examples
    --------
    >>> float(kl_divergence([1.0, 0.0], [0.5, 0.5], base=2))
    1.0
    >>> float(kl_divergence([0.5, 0.5], [1.0, 0.0]))
    inf
    """
    bits = _is_bits(base)
    a, b = _checks.as_distribution(p, "p"), _checks.as_distribution(q, "q")
    try:
        if a.shape[-1] != b.shape[-1]:
            raise ValueError
        a, b = np.broadcast_arrays(a, b)
    except ValueError:
        raise ValueError(
            f"p has shape {a.shape} but q has shape {b.shape}: give both the same rows over the same positions"
        ) from None
    with np.errstate(all="ignore"):
        ratio = a / b
        # Near 1 the ratio has lost the small difference that log1p needs; far from 1 it can overflow.
        logarithm = np.where(
            np.abs(a - b) < 0.5 * b,
            np.log1p((a - b) / b),
            np.where((ratio > 1e-300) & (ratio < 1e300), np.log(ratio), np.log(a) - np.log(b)),
        )
        terms = np.where((a > 0.0) & (b > 0.0), a * logarithm, 0.0)
        divergence = np.asarray(np.maximum(accurate_sum(terms), 0.0) + 0.0)
    divergence[((a > 0.0) & (b == 0.0)).any(axis=-1)] = np.inf
    if bits:
        divergence /= math.log(2.0)
    result: FloatArray = divergence[()]
    return result


def _is_bits(base: int | None) -> bool:
    if base is not None and base != 2:
        raise ValueError(f"base must be None (nats) or 2 (bits) but is {base!r}")
    return base is not None
