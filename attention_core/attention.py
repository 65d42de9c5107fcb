"""One step of attention, or all of them: scores to weights to context.

The context vector is the weighted mean of the annotations, ``c_t = sum_i alpha_ti h_i``. Being a mean, it never
leaves the region the annotations span; with all the weight on one word it is that word's annotation, a look-up.

References
----------
Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, section 3.1, equations 5 and 6.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _checks
from ._blocks import row_blocks
from ._checks import FloatArray
from ._rounding import accurate_sum
from .softmax import softmax

_HIGH = 1000  # 2^1000: high enough that no weight above 0 underflows, with room to add up 2^23 terms


class Attention(NamedTuple):
    """What `attend` computed: for one decoder step, or one row per step.

    Attributes
    ----------
    scores : (T_x,) or (T_y, T_x) ndarray
        The scores e as given, before temperature and mask.
    weights : (T_x,) or (T_y, T_x) ndarray
        The attention weights alpha. Each row adds up to 1.
    context : (d_h,) or (T_y, d_h) ndarray
        The context vectors c.
    """

    scores: FloatArray
    weights: FloatArray
    context: FloatArray


def attend(scores: ArrayLike, annotations: ArrayLike, *, temperature: float = 1.0, mask: ArrayLike | None = None) -> Attention:
    """Turn scores into weights and blend the annotations with them.

    Parameters
    ----------
    scores : (T_x,) or (T_y, T_x) array_like
        Alignment scores e of one decoder step, or of all. -inf masks a position.
    annotations : (T_x, d_h) array_like
        Encoder states h, one row per source position.
    temperature : float, optional
        Divides the scores. Finite and above 0.
    mask : array_like of bool, optional
        True = may be attended. The shape of the scores, or one row for all of them.

    Returns
    -------
    Attention
        ``scores``, ``weights`` and ``context`` together, so that what is shown side by side belongs together.

    Raises
    ------
    ValueError
        If scores and annotations disagree about T_x, an annotation is not finite, or `softmax` refuses the scores.

    Notes
    -----
    Each number of the context is within 4 units in the last place of ``sum_i abs(alpha_i h_i)``.

    References
    ----------
    Bahdanau, Cho & Bengio 2015, section 3.1, equation 5.

    Examples
    --------
    >>> step = attend([0.0, 0.0], [[1.0, 0.0], [0.0, 3.0]])
    >>> step.weights
    array([0.5, 0.5])
    >>> step.context
    array([0.5, 1.5])
    """
    e, h = _checks.as_rows(scores, "scores"), _checks.as_annotations(annotations, "annotations")
    if e.ndim > 2:
        raise ValueError(
            f"scores has shape {e.shape} but must be (T_x,) for one decoder step or (T_y, T_x) for all of them: "
            "call attend once per sentence"
        )
    if e.shape[-1] != len(h):
        raise ValueError(
            f"scores has {e.shape[-1]} positions but annotations has {len(h)} rows: both must have one per source word (T_x)"
        )
    _checks.finite(h, annotations=h)
    alpha = softmax(e, temperature=temperature, mask=mask)
    return Attention(e.copy(), alpha, _blend(alpha, h))


def coverage(weights: ArrayLike) -> FloatArray:
    """Return how much each source word was looked at in total: the column sums of the weights.

    Parameters
    ----------
    weights : (T_y, T_x) array_like
        Attention weights, one row per decoder step.

    Returns
    -------
    (T_x,) ndarray
        A number of decoder steps per source word. Together they add up to T_y.

    Raises
    ------
    ValueError
        If the weights are not a grid, or a row is not a distribution.

    References
    ----------
    Tu et al. 2016, Modeling coverage for neural machine translation, arXiv:1601.04811, section 3.

    Examples
    --------
    >>> coverage([[1.0, 0.0], [0.5, 0.5]])
    array([1.5, 0.5])
    """
    alpha = _checks.as_distribution(weights, "weights")
    if alpha.ndim != 2:
        raise ValueError(
            f"weights has shape {alpha.shape} but must be (T_y, T_x): give one row per decoder step, even for one step"
        )
    return accurate_sum(np.ascontiguousarray(alpha.T))


def _blend(alpha: FloatArray, h: FloatArray) -> FloatArray:
    """Return ``alpha @ h``, summed with twice the digits.

    A matrix product adds up one position after the other, so 4000 equal words drift by a hundred units in the last
    place. The mean of equal words should be that word.
    """
    rows = alpha.reshape(-1, len(h))
    context = np.empty((len(rows), h.shape[1]))
    features = np.ascontiguousarray(h.T)
    with np.errstate(all="ignore"):
        # Each feature is moved by a power of two, which costs no digits, so that the products of tiny weights and
        # tiny features do not underflow and sums of huge ones do not overflow.
        move = _HIGH - np.frexp(np.maximum.reduce(np.abs(features), axis=-1))[1]
        features = np.ldexp(features, move[:, np.newaxis])
        for some in row_blocks(*features.shape):
            for steps in row_blocks(len(rows), features[some].size):
                total = accurate_sum(rows[steps, np.newaxis, :] * features[some])
                np.ldexp(total, -move[some], out=context[steps, some])
    return context.reshape(*alpha.shape[:-1], -1)
