"""Score functions: how well does source position i fit decoder step t? One real number, ``e_ti``.

Each function takes decoder states ``s`` and annotations ``h`` and returns one score per pair. To add one, write the
function here and add its card to `SCORES`; menus, links and tests follow from there.

Symbols: ``T_x`` source positions, ``T_y`` decoder steps, ``d_h`` numbers in an annotation, ``d_s`` in a decoder
state, ``d_a`` in the space where additive attention compares them.

References
----------
Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, appendix A.1.2.
Luong, Pham & Manning 2015, arXiv:1508.04025, section 3.1 (the list of score functions).
Vaswani et al. 2017, arXiv:1706.03762, section 3.2.1.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _checks
from ._blocks import row_blocks
from ._checks import FloatArray

_ADDITIVE = {"W_a": ("d_a", "d_s"), "U_a": ("d_a", "d_h"), "v_a": ("d_a",)}
_GENERAL = {"W_a": ("d_s", "d_h")}
_CONCAT = {"W_a": ("d_a", "d_s + d_h"), "v_a": ("d_a",)}


class AdditiveStages(NamedTuple):
    """The additive score, taken apart. For one decoder step; with all steps, T_y comes first.

    Attributes
    ----------
    projected_state : (d_a,) or (T_y, d_a) ndarray
        ``W_a s``: the state in the space of comparison.
    projected_annotations : (T_x, d_a) ndarray
        ``U_a h_i``: each annotation in the same space.
    summed : (T_x, d_a) or (T_y, T_x, d_a) ndarray
        ``W_a s + U_a h_i``.
    bent : (T_x, d_a) or (T_y, T_x, d_a) ndarray
        ``tanh`` of each number, from -1 to 1.
    scores : (T_x,) or (T_y, T_x) ndarray
        ``v_a`` times ``bent``, added up: one number per pair, at most ``sum(abs(v_a))`` in size.
    """

    projected_state: FloatArray
    projected_annotations: FloatArray
    summed: FloatArray
    bent: FloatArray
    scores: FloatArray


def additive_stages(s: ArrayLike, h: ArrayLike, W_a: ArrayLike, U_a: ArrayLike, v_a: ArrayLike) -> AdditiveStages:
    """Return Bahdanau's additive score with every stage it passes through.

    Parameters
    ----------
    s : (d_s,) or (T_y, d_s) array_like
        Decoder state *before* each step, ``s_(t-1)``.
    h : (T_x, d_h) array_like
        Annotations.
    W_a : (d_a, d_s) array_like
    U_a : (d_a, d_h) array_like
    v_a : (d_a,) array_like

    Returns
    -------
    AdditiveStages

    Raises
    ------
    ValueError
        If two sizes that should agree do not, or a number is not finite.

    References
    ----------
    Bahdanau, Cho & Bengio 2015, appendix A.1.2.

    Examples
    --------
    >>> stages = additive_stages([1, 0], [[1, 0], [0, 1]], W_a=[[0.5, 0], [0, 0.5]], U_a=[[1, 0], [0, 1]], v_a=[1, 1])
    >>> stages.summed
    array([[1.5, 0. ],
           [0.5, 1. ]])
    >>> stages.scores.round(3)
    array([0.905, 1.224])
    """
    state, annotations, W, U, v = _additive_inputs(s, h, W_a, U_a, v_a)
    return _compared(*_projections(state, annotations, W, U), v)


def additive(s: ArrayLike, h: ArrayLike, W_a: ArrayLike, U_a: ArrayLike, v_a: ArrayLike) -> FloatArray:
    """Return Bahdanau's score ``v_a^T tanh(W_a s_(t-1) + U_a h_i)``.

    W_a and U_a bring state and annotation to one size, so d_s and d_h may differ. tanh bends, so that a feature can
    matter for one state and not for another. v_a makes one number of d_a, and only single numbers can be ranked.

    Parameters
    ----------
    s : (d_s,) or (T_y, d_s) array_like
        Decoder state before each step, ``s_(t-1)``: the state after it needs the context, which needs this score.
    h : (T_x, d_h) array_like
        Annotations.
    W_a : (d_a, d_s) array_like
    U_a : (d_a, d_h) array_like
    v_a : (d_a,) array_like

    Returns
    -------
    (T_x,) or (T_y, T_x) ndarray
        At most ``sum(abs(v_a))`` in size.

    Raises
    ------
    ValueError
        If two sizes that should agree do not, or a number is not finite.

    See Also
    --------
    additive_stages : the same with its intermediate results.

    References
    ----------
    Bahdanau, Cho & Bengio 2015, appendix A.1.2.

    Examples
    --------
    >>> additive([1.0], [[0.0], [1.0]], W_a=[[0.5]], U_a=[[1.0]], v_a=[2.0]).round(3)
    array([0.924, 1.81 ])
    """
    state, annotations, W, U, v = _additive_inputs(s, h, W_a, U_a, v_a)
    Ws, Uh = _projections(state, annotations, W, U)
    if state.ndim == 1:
        return _compared(Ws, Uh, v).scores
    scores = np.empty((len(Ws), len(Uh)))
    # T_y x T_x x d_a numbers at once would fill the memory long before the scores themselves do.
    for steps in row_blocks(len(Ws), Uh.size):
        scores[steps] = _compared(Ws[steps], Uh, v).scores
    return scores


def dot(s: ArrayLike, h: ArrayLike) -> FloatArray:
    """Return Luong's dot score ``s_t^T h_i``. Nothing is learned, and d_s must equal d_h.

    Parameters
    ----------
    s : (d_s,) or (T_y, d_s) array_like
        Decoder state *at* each step, ``s_t``: Luong's decoder updates its state first and attends after.
    h : (T_x, d_h) array_like
        Annotations.

    Returns
    -------
    (T_x,) or (T_y, T_x) ndarray

    Raises
    ------
    ValueError
        If d_s and d_h differ, or a number is not finite.

    References
    ----------
    Luong, Pham & Manning 2015, section 3.1.

    Examples
    --------
    >>> dot([0, 1], [[1, 0], [0, 1], [1, 1]])
    array([0., 1., 1.])
    """
    state, annotations = _checks.states(s, h)
    _checks.same_size(state, annotations, "dot")
    with np.errstate(all="ignore"):
        return _checks.finite(state @ annotations.T, s=state, h=annotations)


def general(s: ArrayLike, h: ArrayLike, W_a: ArrayLike) -> FloatArray:
    """Return Luong's general score ``s_t^T W_a h_i``: a dot product after a learned matrix.

    Parameters
    ----------
    s : (d_s,) or (T_y, d_s) array_like
        Decoder state at each step, ``s_t``.
    h : (T_x, d_h) array_like
        Annotations.
    W_a : (d_s, d_h) array_like

    Returns
    -------
    (T_x,) or (T_y, T_x) ndarray

    Raises
    ------
    ValueError
        If two sizes that should agree do not, or a number is not finite.

    References
    ----------
    Luong, Pham & Manning 2015, section 3.1.

    Examples
    --------
    >>> general([1, -1], [[1, 2, 3], [0, 1, 0]], W_a=[[1, 0, 2], [0, 1, 1]])
    array([ 2., -1.])
    """
    state, annotations = _checks.states(s, h)
    (W,) = _checks.parameters(_GENERAL, {"W_a": W_a}, state, annotations)
    with np.errstate(all="ignore"):
        return _checks.finite((state @ W) @ annotations.T, s=state, h=annotations, W_a=W)


def concat(s: ArrayLike, h: ArrayLike, W_a: ArrayLike, v_a: ArrayLike) -> FloatArray:
    """Return Luong's concat score ``v_a^T tanh(W_a [s_t; h_i])``.

    ``W_a [s; h]`` is ``W_s s + W_h h`` with W_a cut in two after d_s columns, so this is Bahdanau's formula with the
    state at step t in place of the one before.

    Parameters
    ----------
    s : (d_s,) or (T_y, d_s) array_like
        Decoder state at each step, ``s_t``.
    h : (T_x, d_h) array_like
        Annotations.
    W_a : (d_a, d_s + d_h) array_like
    v_a : (d_a,) array_like

    Returns
    -------
    (T_x,) or (T_y, T_x) ndarray
        At most ``sum(abs(v_a))`` in size.

    Raises
    ------
    ValueError
        If two sizes that should agree do not, or a number is not finite.

    References
    ----------
    Luong, Pham & Manning 2015, section 3.1.

    Examples
    --------
    >>> concat([1.0], [[0.0], [1.0]], W_a=[[0.5, 1.0]], v_a=[2.0]).round(3)
    array([0.924, 1.81 ])
    """
    state, annotations = _checks.states(s, h)
    W, v = _checks.parameters(_CONCAT, {"W_a": W_a, "v_a": v_a}, state, annotations)
    d_s = state.shape[-1]
    _checks.finite(W, W_a=W)
    return additive(state, annotations, W[:, :d_s], W[:, d_s:], v)


def scaled_dot(s: ArrayLike, h: ArrayLike) -> FloatArray:
    """Return the scaled dot product ``s_t^T h_i / sqrt(d_k)``, where ``d_k = d_s = d_h``.

    A dot product of d_k independent numbers of size 1 has size sqrt(d_k). Dividing by it keeps softmax from becoming
    a hard choice as vectors grow longer.

    Parameters
    ----------
    s : (d_s,) or (T_y, d_s) array_like
        Query at each step, ``s_t``. The paper has no recurrent state: the query belongs to the position being
        computed, not to the one before.
    h : (T_x, d_h) array_like
        Annotations, in the role of keys.

    Returns
    -------
    (T_x,) or (T_y, T_x) ndarray

    Raises
    ------
    ValueError
        If d_s and d_h differ, or a number is not finite.

    References
    ----------
    Vaswani et al. 2017, section 3.2.1.

    Examples
    --------
    >>> scaled_dot([1, 1, 1, 1], [[1, 1, 1, 1], [1, 0, 0, 0]])
    array([2. , 0.5])
    """
    state, annotations = _checks.states(s, h)
    _checks.same_size(state, annotations, "scaled dot")
    with np.errstate(all="ignore"):
        return _checks.finite(state @ annotations.T / np.sqrt(annotations.shape[-1]), s=state, h=annotations)


@dataclass(frozen=True, eq=False)
class ScoreFunction:
    """A score function's card: what it is called, where it comes from, what it needs.

    Attributes
    ----------
    name : str
        Its key in `SCORES`.
    formula : str
        The formula in plain text.
    source : str
        Paper and section.
    parameters : mapping of str to tuple of str
        The learned parameters and their shapes in symbols, such as ``{"W_a": ("d_s", "d_h")}``. Empty if nothing is
        learned.
    state : {"previous", "current"}
        Which decoder state ``s`` stands for: ``s_(t-1)`` or ``s_t``.
    function : callable
        Called as ``function(s, h, **parameters)``.
    """

    name: str
    formula: str
    source: str
    parameters: Mapping[str, tuple[str, ...]]
    state: Literal["previous", "current"]
    function: Callable[..., FloatArray]


_LUONG = "Luong, Pham & Manning 2015, section 3.1"

SCORES: Mapping[str, ScoreFunction] = MappingProxyType(
    {
        card.name: card
        for card in (
            ScoreFunction(
                name="additive",
                formula="vₐᵀ tanh(Wₐ sₜ₋₁ + Uₐ hᵢ)",
                source="Bahdanau, Cho & Bengio 2015, appendix A.1.2",
                parameters=MappingProxyType(_ADDITIVE),
                state="previous",
                function=additive,
            ),
            ScoreFunction(
                name="dot",
                formula="sₜᵀ hᵢ",
                source=_LUONG,
                parameters=MappingProxyType({}),
                state="current",
                function=dot,
            ),
            ScoreFunction(
                name="general",
                formula="sₜᵀ Wₐ hᵢ",
                source=_LUONG,
                parameters=MappingProxyType(_GENERAL),
                state="current",
                function=general,
            ),
            ScoreFunction(
                name="concat",
                formula="vₐᵀ tanh(Wₐ [sₜ; hᵢ])",
                source=_LUONG,
                parameters=MappingProxyType(_CONCAT),
                state="current",
                function=concat,
            ),
            ScoreFunction(
                name="scaled dot",
                formula="sₜᵀ hᵢ / √dₖ",
                source="Vaswani et al. 2017, section 3.2.1",
                parameters=MappingProxyType({}),
                state="current",
                function=scaled_dot,
            ),
        )
    }
)
"""The score functions by name, in the order in which they are taught."""


def random_parameters(name: str, rng: np.random.Generator, *, d_s: int, d_h: int, d_a: int) -> dict[str, FloatArray]:
    """Draw the parameters of a score function, in the shapes its card declares.

    Parameters
    ----------
    name : str
        A key of `SCORES`.
    rng : numpy.random.Generator
        The source of randomness. The same seed gives the same parameters.
    d_s, d_h, d_a : int
        Sizes, at least 1. One that the score function does not use is ignored.

    Returns
    -------
    dict of str to ndarray
        Normal numbers divided by the square root of the row length, so that the scores have a size of about 1.

    Raises
    ------
    ValueError
        If the name is unknown or a size is below 1.

    Examples
    --------
    >>> drawn = random_parameters("additive", np.random.default_rng(1), d_s=2, d_h=3, d_a=4)
    >>> {symbol: array.shape for symbol, array in drawn.items()}
    {'W_a': (4, 2), 'U_a': (4, 3), 'v_a': (4,)}
    """
    if name not in SCORES:
        raise ValueError(f"there is no score function {name!r}: choose one of {', '.join(SCORES)}")
    sizes = {"d_s": d_s, "d_h": d_h, "d_a": d_a}
    _checks.sizes(**sizes)
    drawn = {}
    for symbol, axes in SCORES[name].parameters.items():
        shape = tuple(sum(sizes[part] for part in axis.split(" + ")) for axis in axes)
        drawn[symbol] = rng.standard_normal(shape) / np.sqrt(shape[-1])
    return drawn


def _additive_inputs(
    s: ArrayLike, h: ArrayLike, W_a: ArrayLike, U_a: ArrayLike, v_a: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    state, annotations = _checks.states(s, h)
    W, U, v = _checks.parameters(_ADDITIVE, {"W_a": W_a, "U_a": U_a, "v_a": v_a}, state, annotations)
    return state, annotations, W, U, v


def _projections(s: FloatArray, h: FloatArray, W: FloatArray, U: FloatArray) -> tuple[FloatArray, FloatArray]:
    # tanh would hide an infinity, so look for one before.
    with np.errstate(all="ignore"):
        return _checks.finite(s @ W.T, s=s, W_a=W), _checks.finite(h @ U.T, h=h, U_a=U)


def _compared(Ws: FloatArray, Uh: FloatArray, v: FloatArray) -> AdditiveStages:
    with np.errstate(all="ignore"):
        summed = Ws[..., np.newaxis, :] + Uh  # every state meets every annotation: (T_y, 1, d_a) + (T_x, d_a)
        bent = np.tanh(summed)
        scores = _checks.finite(bent @ v, v_a=v)
    return AdditiveStages(Ws, Uh, summed, bent, scores)
