"""The decoder: one target word at a time, looking back before each.

One step does five things, in this order, and the order is forced: each needs what the one before it made::

    e_t     = score(s_(t-1), h)               how well does each source word fit what I am about to write?
    alpha_t = softmax(e_t)                    shares of one whole
    c_t     = sum_i alpha_ti h_i              the blend of the annotations
    s_t     = f(s_(t-1), y_(t-1), c_t)        what to remember
    p_t     = softmax(W_o [s_t; c_t; y_(t-1)])  what to say now

The scores cannot use ``s_t``: it needs ``c_t``, which needs the weights, which need the scores.

References
----------
Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, section 3.1 and appendix A.2.2. The paper's output layer has a maxout
hidden layer; here it is one matrix.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _checks
from ._checks import FloatArray
from .attention import attend
from .cells import CELLS, Parameters, random_cell
from .scores import additive, random_parameters
from .softmax import softmax


@dataclass(frozen=True, eq=False)
class Decoder:
    """All that a decoder has learned.

    Attributes
    ----------
    cell : str
        A key of `CELLS`.
    recurrent : mapping of str to ndarray
        The cell's parameters. It reads ``[y_(t-1); c_t]``, so d_x is d_y + d_h.
    score : mapping of str to ndarray
        ``W_a``, ``U_a`` and ``v_a`` of the additive score.
    W_s : (d_s, d_h) ndarray
        Makes ``s_0`` from the encoder's last state.
    W_o : (V, d_s + d_h + d_y) ndarray
        Makes one number per word of the vocabulary from ``[s_t; c_t; y_(t-1)]``.
    """

    cell: str
    recurrent: Parameters
    score: Parameters
    W_s: FloatArray
    W_o: FloatArray


class DecoderStep(NamedTuple):
    """One decoder step with everything it made, in the order in which it was made. After `decode`: one row per step.

    Attributes
    ----------
    before : (d_s,) ndarray
        ``s_(t-1)``, the state that the scores used.
    scores : (T_x,) ndarray
    weights : (T_x,) ndarray
    context : (d_h,) ndarray
    state : (d_s,) ndarray
        ``s_t``.
    probabilities : (V,) ndarray
        ``p_t``, the predicted distribution over the vocabulary.
    """

    before: FloatArray
    scores: FloatArray
    weights: FloatArray
    context: FloatArray
    state: FloatArray
    probabilities: FloatArray


def initial_state(last: ArrayLike, W_s: ArrayLike) -> FloatArray:
    """Return ``s_0 = tanh(W_s h_last)``: before the first word the decoder knows what the encoder knew at the end.

    Parameters
    ----------
    last : (d_h,) array_like
        The encoder's last state.
    W_s : (d_s, d_h) array_like

    Returns
    -------
    (d_s,) ndarray

    References
    ----------
    Bahdanau, Cho & Bengio 2015, appendix A.2.2.

    Examples
    --------
    >>> initial_state([0.5, 0.0], [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]).round(3)
    array([ 0.462,  0.   , -0.462])
    """
    h, W = _checks.as_floats(last, "last"), _checks.as_floats(W_s, "W_s")
    if W.ndim != 2 or h.ndim != 1 or W.shape[1] != len(h):
        raise ValueError(f"W_s has shape {W.shape} but must be (d_s, d_h) with d_h = {h.size}, the size of the last state")
    return np.asarray(np.tanh(W @ h))


def decoder_step(before: ArrayLike, y: ArrayLike, h: ArrayLike, decoder: Decoder) -> DecoderStep:
    """Run one decoder step.

    Parameters
    ----------
    before : (d_s,) array_like
        ``s_(t-1)``. At the first step that is ``s_0``, from `initial_state`.
    y : (d_y,) array_like
        The vector of the word written before. At the first step there is none: give zeros.
    h : (T_x, d_h) array_like
        The annotations.
    decoder : Decoder

    Returns
    -------
    DecoderStep

    Raises
    ------
    ValueError
        If two sizes that should agree do not.

    References
    ----------
    Bahdanau, Cho & Bengio 2015, section 3.1 and appendix A.2.2.

    Examples
    --------
    >>> decoder = random_decoder(np.random.default_rng(0), d_y=2, d_h=3, d_s=2, d_a=4, vocabulary=5)
    >>> step = decoder_step([0.1, -0.2], [0.0, 0.0], [[1, 0, 0], [0, 1, 0]], decoder)
    >>> [part.shape for part in step]
    [(2,), (2,), (2,), (3,), (2,), (5,)]
    """
    previous, written = _checks.as_floats(before, "before"), _checks.as_floats(y, "y")
    if previous.ndim != 1 or written.ndim != 1:
        raise ValueError(
            f"before has shape {previous.shape} and y has shape {written.shape} but each must be one row of numbers: a step takes"
            " one state and one word; decode takes a sentence"
        )
    look = attend(additive(previous, h, **decoder.score), h)
    # The paper adds C c_t to W y; a matrix [W, C] times [y; c_t] is the same sum.
    read = np.concatenate([written, look.context])
    _shares_size(decoder.recurrent["W"], "W", "[y; c]", written, look.context)
    _shares_size(decoder.W_o, "W_o", "[s; c; y]", previous, look.context, written)
    state = CELLS[decoder.cell].function(read, previous, **decoder.recurrent)
    probabilities = softmax(decoder.W_o @ np.concatenate([state, look.context, written]))
    return DecoderStep(previous.copy(), look.scores, look.weights, look.context, state, probabilities)


def decode(
    h: ArrayLike,
    s_0: ArrayLike,
    y: ArrayLike,
    decoder: Decoder,
    *,
    changed: Mapping[tuple[int, int], float] | None = None,
) -> DecoderStep:
    """Write a whole sentence whose words are given, one step after the other.

    Giving the decoder the right word before each step, whatever it would have said, is called teacher forcing.

    Parameters
    ----------
    h : (T_x, d_h) array_like
        The annotations.
    s_0 : (d_s,) array_like
        The state before the first word.
    y : (T_y, d_y) array_like
        The vectors of the target words. Step t reads word t-1; the first step reads zeros.
    decoder : Decoder
    changed : mapping of (int, int) to float, optional
        Numbers of ``s_(t-1)`` to overwrite before step t uses it, by (step, place) counted from 0. What follows
        goes on from there. Steps that are not reached count for nothing.

    Returns
    -------
    DecoderStep
        Each attribute has one row per step.

    Raises
    ------
    ValueError
        If two sizes that should agree do not, or a changed place is not one of the state's.

    Examples
    --------
    >>> decoder = random_decoder(np.random.default_rng(0), d_y=2, d_h=3, d_s=2, d_a=4, vocabulary=5)
    >>> run = decode([[1, 0, 0], [0, 1, 0]], [0.1, -0.2], [[1, 0], [0, 1], [1, 1]], decoder)
    >>> run.weights.shape, bool((run.before[1] == run.state[0]).all())
    ((3, 2), True)
    """
    words = _checks.as_annotations(y, "y")
    state, written = _checks.as_floats(s_0, "s_0").copy(), np.zeros(words.shape[1])
    for step, place in changed or {}:
        if not 0 <= place < len(state):
            raise ValueError(
                f"changed names number {place} of step {step} (counting from 0) but a state has {len(state)} numbers: name"
                f" 0 to {len(state) - 1}"
            )
    steps = []
    for t, word in enumerate(words):
        state = state.copy()
        for (step, place), value in (changed or {}).items():
            if step == t:
                state[place] = value
        steps.append(decoder_step(state, written, h, decoder))
        state, written = steps[-1].state, word
    return DecoderStep(*(np.array(part) for part in zip(*steps, strict=True)))


def random_decoder(
    rng: np.random.Generator,
    *,
    cell: str = "GRU",
    d_y: int,
    d_h: int,
    d_s: int,
    d_a: int,
    vocabulary: int,
    gain: float = 1.0,
) -> Decoder:
    """Draw a decoder.

    Parameters
    ----------
    rng : numpy.random.Generator
    cell : str, optional
        A key of `CELLS`.
    d_y, d_h, d_s, d_a : int
        Sizes of a target word's vector, an annotation, a decoder state, and the space of comparison.
    vocabulary : int
        V, the number of words to choose from.
    gain : float, optional
        Multiplies what is drawn for the score, the cell's reading and the output. Above 1 the weights differ enough from
        word to word and from step to step to be seen, as they do after training.

    Returns
    -------
    Decoder

    Raises
    ------
    ValueError
        If the cell is unknown or a size is below 1.

    Examples
    --------
    >>> random_decoder(np.random.default_rng(1), d_y=2, d_h=3, d_s=4, d_a=5, vocabulary=6).W_o.shape
    (6, 9)
    """
    _checks.sizes(d_y=d_y, d_h=d_h, d_s=d_s, d_a=d_a, vocabulary=vocabulary)
    score = {symbol: gain * drawn for symbol, drawn in random_parameters("additive", rng, d_s=d_s, d_h=d_h, d_a=d_a).items()}
    recurrent = random_cell(cell, rng, d_x=d_y + d_h, d=d_s, gain=gain)
    W_s = rng.standard_normal((d_s, d_h)) / np.sqrt(d_h)
    read = d_s + d_h + d_y
    return Decoder(cell, recurrent, score, W_s, gain * rng.standard_normal((vocabulary, read)) / np.sqrt(read))


def _shares_size(matrix: FloatArray, name: str, what: str, *vectors: FloatArray) -> None:
    sizes = [len(vector) for vector in vectors]
    if matrix.ndim != 2 or matrix.shape[1] != sum(sizes):
        raise ValueError(
            f"{name} has shape {matrix.shape} but reads {what}, which has {' + '.join(map(str, sizes))} = {sum(sizes)} numbers:"
            f" give it {sum(sizes)} columns"
        )
