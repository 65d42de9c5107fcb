"""Softmax: from scores of any size and sign to shares that add up to 1.

For one decoder step with scores ``e_1 .. e_Tx`` and a temperature T::

    alpha_i = exp(e_i / T) / sum_k exp(e_k / T)

Two facts carry this file. Adding the same number to every score changes nothing, so the largest score may be
subtracted first, and then nothing can overflow. And exp turns an *absolute* error of its argument into a *relative*
error of its result, so what rounding takes away from that subtraction is worth keeping.

References
----------
Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, section 3.1, equation 6.
Blanchard, Higham & Higham 2021, Accurately computing the log-sum-exp and softmax functions,
IMA Journal of Numerical Analysis 41, doi:10.1093/imanum/draa038.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _checks
from ._blocks import row_blocks
from ._checks import FloatArray
from ._rounding import accurate_sum, lost_in_difference, lost_in_quotient


class SoftmaxStages(NamedTuple):
    """Softmax, taken apart. Shapes are those of the scores.

    Attributes
    ----------
    shifted : (..., T_x) ndarray
        ``(e - max e) / temperature``: at most 0, and -inf where masked.
    lifted : (..., T_x) ndarray
        ``exp(shifted)``: from 0 to 1, and exactly 1 for the largest score.
    total : (...) ndarray
        The sum of ``lifted`` in each row, from 1 to T_x.
    weights : (..., T_x) ndarray
        The attention weights: ``lifted / total``, and equal to what `softmax` returns.
    """

    shifted: FloatArray
    lifted: FloatArray
    total: FloatArray
    weights: FloatArray


def softmax(scores: ArrayLike, *, temperature: float = 1.0, mask: ArrayLike | None = None) -> FloatArray:
    """Turn each row of scores into attention weights.

    Parameters
    ----------
    scores : (..., T_x) array_like
        Alignment scores e: finite numbers of any size and sign, or -inf for a masked position. The softmax runs over
        the last axis, so each decoder step has a row of its own.
    temperature : float, optional
        Divides the scores. Below 1 sharpens, above 1 flattens. Finite and above 0.
    mask : array_like of bool, optional
        True = may be attended. The shape of the scores, or one row for all of them. What stands under False is not
        looked at, not even a NaN.

    Returns
    -------
    (..., T_x) ndarray
        Weights alpha from 0 to 1. Each row adds up to 1. A masked position has weight exactly 0.

    Raises
    ------
    ValueError
        If a score is NaN or +inf (the message names row and position, counting from 1), if a row has every position
        masked, if there are no scores, or if temperature or mask is not usable.

    See Also
    --------
    softmax_stages : the same with its intermediate results.

    Notes
    -----
    Each weight is within 4 units in the last place of the exact softmax of the scores as given, for scores of any
    finite size. In real arithmetic no unmasked weight is 0 or 1. In float64 a score more than about 745 temperatures
    below the largest gets weight 0, and one that leads by more than about 37 gets weight 1.

    References
    ----------
    Bahdanau, Cho & Bengio 2015, section 3.1, equation 6; Blanchard, Higham & Higham 2021, algorithm 3.2.

    Examples
    --------
    >>> softmax([0.3, 2.1, 0.5]).round(3)
    array([0.121, 0.731, 0.148])
    >>> softmax([[1.0, 1.0, 100.0]], mask=[True, True, False])
    array([[0.5, 0.5, 0. ]])
    """
    e = _checks.masked(_checks.as_rows(scores, "scores"), mask)
    return _weights(e, _checks.as_temperature(temperature))


def softmax_stages(scores: ArrayLike, *, temperature: float = 1.0, mask: ArrayLike | None = None) -> SoftmaxStages:
    """Return softmax together with the stages it passes through.

    Parameters
    ----------
    scores : (..., T_x) array_like
        Alignment scores e; -inf masks a position.
    temperature : float, optional
        Divides the scores. Finite and above 0.
    mask : array_like of bool, optional
        True = may be attended. The shape of the scores, or one row for all of them.

    Returns
    -------
    SoftmaxStages
        ``shifted``, ``lifted`` and ``weights`` in the shape of the scores, ``total`` with one number per row.

    Raises
    ------
    ValueError
        Where `softmax` raises it.

    Notes
    -----
    ``weights`` also makes up for the rounding of ``shifted``, which ``lifted`` shows as it is. So ``lifted / total``
    can differ from ``weights`` in the last digits, by about ``abs(shifted)`` units in the last place.

    Examples
    --------
    >>> stages = softmax_stages([0.3, 2.1, 0.5])
    >>> stages.shifted.round(3)
    array([-1.8,  0. , -1.6])
    >>> stages.lifted.round(3)
    array([0.165, 1.   , 0.202])
    >>> round(float(stages.total), 3)
    1.367
    >>> stages.weights.round(3)
    array([0.121, 0.731, 0.148])
    """
    e = _checks.masked(_checks.as_rows(scores, "scores"), mask)
    T = _checks.as_temperature(temperature)
    weights = _weights(e, T)
    with np.errstate(all="ignore"):
        shifted = _shifted(e, T)
        lifted = np.exp(shifted)
    return SoftmaxStages(shifted, lifted, accurate_sum(lifted, largest=1.0)[()], weights)


def log_softmax(scores: ArrayLike, *, temperature: float = 1.0, mask: ArrayLike | None = None) -> FloatArray:
    """Return the natural logarithm of `softmax`, also where the weight itself rounds to 0 or 1.

    Parameters
    ----------
    scores : (..., T_x) array_like
        Alignment scores e; -inf masks a position.
    temperature : float, optional
        Divides the scores. Finite and above 0.
    mask : array_like of bool, optional
        True = may be attended. The shape of the scores, or one row for all of them.

    Returns
    -------
    (..., T_x) ndarray
        ``log(alpha)`` in nats, at most 0; -inf where masked.

    Raises
    ------
    ValueError
        Where `softmax` raises it.

    References
    ----------
    Blanchard, Higham & Higham 2021, algorithm 3.1.

    Examples
    --------
    >>> log_softmax([0.0, -1000.0])
    array([    0., -1000.])
    """
    e = _checks.masked(_checks.as_rows(scores, "scores"), mask)
    T = _checks.as_temperature(temperature)
    with np.errstate(all="ignore"):
        shifted = _shifted(e, T)
        lifted = np.exp(shifted)
        # The sum is 1 for the largest score and `others` for the rest. log1p keeps an `others` far below 1e-16,
        # which 1 + others would lose.
        np.put_along_axis(lifted, np.argmax(e, axis=-1)[..., np.newaxis], 0.0, axis=-1)
        others = accurate_sum(lifted, largest=1.0)[..., np.newaxis]
        return shifted - np.log1p(others)


def softmax_jacobian(weights: ArrayLike, *, temperature: float = 1.0) -> FloatArray:
    """Return how each weight answers to each score: ``d alpha_i / d e_j``.

    Parameters
    ----------
    weights : (..., T_x) array_like
        Attention weights, as `softmax` returns them.
    temperature : float, optional
        The temperature they were computed with.

    Returns
    -------
    (..., T_x, T_x) ndarray
        ``(diag(alpha) - alpha alpha^T) / temperature``. Symmetric; each row adds up to 0, because raising all scores
        together changes nothing.

    Raises
    ------
    ValueError
        If a row of weights is not a distribution, or the temperature is not finite and above 0.

    Examples
    --------
    >>> softmax_jacobian([0.5, 0.5])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    alpha = _checks.as_distribution(weights, "weights")
    T = _checks.as_temperature(temperature)
    with np.errstate(all="ignore"):
        jacobian = -alpha[..., :, np.newaxis] * alpha[..., np.newaxis, :]
        # alpha (1 - alpha) is alpha - alpha^2 without its cancellation near 1.
        diagonal = np.einsum("...ii->...i", jacobian)
        diagonal[...] = alpha * (1.0 - alpha)
        jacobian /= T
    # A weight of 0 leaves -0.0 behind; adding 0 makes it 0.
    jacobian += 0.0
    return jacobian


def naive_softmax(scores: ArrayLike) -> FloatArray:
    """Compute softmax as its formula is written: exponentiate, then divide. For showing what goes wrong.

    Parameters
    ----------
    scores : (..., T_x) array_like

    Returns
    -------
    (..., T_x) ndarray
        `softmax` for small scores. NaN where a score is above 709.78, whose exponential is infinite in float64, and
        a row of NaN if all scores are below -745.13, whose exponentials are all 0.

    Examples
    --------
    >>> naive_softmax([1000.0, 1000.0, 999.0])
    array([nan, nan, nan])
    """
    e = _checks.as_rows(scores, "scores")
    with np.errstate(all="ignore"):
        lifted = np.exp(e)
        shares: FloatArray = lifted / lifted.sum(axis=-1, keepdims=True)
    return shares


def _weights(e: FloatArray, T: float) -> FloatArray:
    rows = e.reshape(-1, e.shape[-1])
    alpha = np.empty_like(rows)
    blocks = row_blocks(*rows.shape)
    scratch = np.empty_like(rows[blocks[0]])
    with np.errstate(all="ignore"):  # a gap too wide for float64 is an honest 0, and not worth a warning
        for block in blocks:
            lifted = alpha[block]
            work = scratch[: len(lifted)]
            total = _lift(rows[block], T, lifted, work)
            if np.count_nonzero(total) < len(total):
                _checks.refuse_scores(e)
            work[...] = total[:, np.newaxis]
            lifted /= work
    return alpha.reshape(e.shape)


def _lift(e: FloatArray, T: float, lifted: FloatArray, lost: FloatArray) -> FloatArray:
    """Fill ``lifted`` with ``exp((e - max e) / T)`` times a number near 1 and return the sum of each row.

    ``lost`` is scratch space. The sum is 0 for a row that has no softmax.
    """
    top = np.maximum.reduce(e, axis=-1, keepdims=True)
    if T > 1.0:
        # Halving scores and temperature changes no quotient, and keeps 1e308 - -1e308 finite.
        e, top, T = 0.5 * e, 0.5 * top, 0.5 * T
    exponent = math.frexp(T)[1] - 1
    # Any number near the maximum does as well as the maximum itself. This one lies on a grid of 2^-42 T, which is
    # what lost_in_difference asks for: gaps that matter are below 746 T < 2^10 T.
    top -= np.fmod(top, math.ldexp(1.0, max(exponent - 42, -1074)))
    lost[...] = top  # NumPy is quicker with two full arrays than with one number per row
    np.subtract(e, lost, out=lifted)
    lost_in_difference(e, lost, lifted, out=lost)
    if T != 1.0:
        # The exponent of T is a shift, which costs no digits. Only its fraction, from 1 to 2, has to be divided by.
        unit = math.ldexp(1.0, max(exponent, -1022))
        fraction = T / unit
        lifted /= unit
        lost /= unit
        dividend = lifted.copy()
        lifted /= fraction
        lost += lost_in_quotient(dividend, fraction, lifted)
        lost /= fraction
    np.exp(lifted, out=lifted)
    lost *= lifted
    lifted += lost  # exp(x + lost) = exp(x) (1 + lost)
    total = accurate_sum(lifted, largest=2.0, scratch=lost)
    if not _checks.all_finite(total):
        # Where a score is masked or 1e308 too low, what was lost is NaN but the weight is 0. fmax passes over NaN.
        np.fmax(lifted, 0.0, out=lifted)
        total = accurate_sum(lifted, largest=2.0, scratch=lost)
    return total


def _shifted(e: FloatArray, T: float) -> FloatArray:
    """Return ``(e - max e) / T``, rounded as it comes."""
    top = np.maximum.reduce(e, axis=-1, keepdims=True)
    if not _checks.all_finite(top):
        _checks.refuse_scores(e)
    if T > 1.0:
        e, top, T = 0.5 * e, 0.5 * top, 0.5 * T
    shifted: FloatArray = (e - top) / T
    return shifted
