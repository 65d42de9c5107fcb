"""The encoder: a sentence becomes one annotation per word.

It runs a recurrent cell over the sentence and keeps every summary on the way, ``h_1 .. h_Tx``. Run in both directions, each
``h_i`` knows the words before it and the words after it.

Symbols: ``x_i`` the vector of word i with ``d_x`` numbers, ``h_i`` its annotation with ``d_h`` numbers, ``d`` the size
of one cell's state. In a bidirectional encoder ``d_h`` is the sum of the two cells' sizes.

References
----------
Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, appendix A.2.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from . import _checks
from ._checks import FloatArray
from .cells import CELLS, Parameters, random_cell


@dataclass(frozen=True, eq=False)
class Encoder:
    """One cell that reads forwards and, if bidirectional, another that reads backwards.

    Attributes
    ----------
    cell : str
        A key of `CELLS`.
    forward : mapping of str to ndarray
        The parameters of the cell that reads left to right.
    backward : mapping of str to ndarray or None
        The parameters of the cell that reads right to left; None in a left-to-right encoder.
    """

    cell: str
    forward: Parameters
    backward: Parameters | None = None

    @property
    def d_h(self) -> int:
        """Numbers in an annotation."""
        return sum(len(part["U"]) for part in (self.forward, self.backward) if part is not None)


def random_encoder(
    rng: np.random.Generator, *, cell: str = "GRU", d_x: int, d_h: int, bidirectional: bool = False, gain: float = 1.0
) -> Encoder:
    """Draw an encoder.

    Parameters
    ----------
    rng : numpy.random.Generator
    cell : str, optional
        A key of `CELLS`.
    d_x : int
        Numbers in a word's vector.
    d_h : int
        Numbers in an annotation. A bidirectional encoder shares them out between its two cells, so it needs two.
    bidirectional : bool, optional
    gain : float, optional
        As in `random_cell`.

    Returns
    -------
    Encoder

    Raises
    ------
    ValueError
        If the cell is unknown or a size is too small.

    Examples
    --------
    >>> encoder = random_encoder(np.random.default_rng(1), d_x=3, d_h=5, bidirectional=True)
    >>> encoder.d_h, len(encoder.forward["U"]), len(encoder.backward["U"])
    (5, 3, 2)
    """
    if not bidirectional:
        return Encoder(cell, random_cell(cell, rng, d_x=d_x, d=d_h, gain=gain))
    if d_h < 2:
        raise ValueError(f"d_h is {d_h} but a bidirectional encoder needs at least 2: one number for each direction")
    forward = random_cell(cell, rng, d_x=d_x, d=d_h - d_h // 2, gain=gain)
    return Encoder(cell, forward, random_cell(cell, rng, d_x=d_x, d=d_h // 2, gain=gain))


def encode(x: ArrayLike, encoder: Encoder, *, recurrence: bool = True) -> FloatArray:
    """Read a sentence and return one annotation per word.

    Parameters
    ----------
    x : (T_x, d_x) array_like
        One vector per source word.
    encoder : Encoder
    recurrence : bool, optional
        False forgets the summary before every word, so that each annotation depends on its own word only. For
        showing what the recurrence is good for.

    Returns
    -------
    (T_x, d_h) ndarray
        The annotations ``h_1 .. h_Tx``. In a bidirectional encoder the forward state comes first, then the backward.

    Raises
    ------
    ValueError
        If ``x`` is not a grid, or its size is not what the encoder reads.

    References
    ----------
    Bahdanau, Cho & Bengio 2015, section 3.2 and appendix A.2.1.

    Examples
    --------
    >>> encoder = Encoder("tanh", {"W": np.array([[1.0]]), "U": np.array([[1.0]])})
    >>> encode([[0.5], [0.0], [0.0]], encoder).round(3).ravel()  # the first word echoes on
    array([0.462, 0.432, 0.407])
    >>> encode([[0.5], [0.0], [0.0]], encoder, recurrence=False).round(3).ravel()
    array([0.462, 0.   , 0.   ])
    """
    words = _checks.as_annotations(x, "x")
    d_x = encoder.forward["W"].shape[1]
    if words.shape[1] != d_x:
        raise ValueError(f"x has {words.shape[1]} columns but W expects {d_x}: word vectors and W must share d_x")
    _checks.finite(words, x=words)
    forward = _read(words, encoder.cell, encoder.forward, recurrence)
    if encoder.backward is None:
        return forward
    backward = _read(words[::-1], encoder.cell, encoder.backward, recurrence)[::-1]
    return np.hstack([forward, backward])


def last_state(h: ArrayLike, encoder: Encoder) -> FloatArray:
    """Return what an encoder holds when it has read everything.

    Reading left to right that is ``h_Tx``. A backward cell finishes at the first word, so its last state stands there.

    Parameters
    ----------
    h : (T_x, d_h) array_like
        What `encode` returned.
    encoder : Encoder

    Returns
    -------
    (d_h,) ndarray

    Raises
    ------
    ValueError
        If ``h`` is not as wide as this encoder's annotations.

    Examples
    --------
    >>> one = {"W": np.eye(1), "U": np.eye(1)}
    >>> last_state([[1, 10], [2, 20], [3, 30]], Encoder("tanh", one, one))
    array([ 3., 10.])
    """
    annotations = _checks.as_annotations(h, "h")
    if annotations.shape[1] != encoder.d_h:
        raise ValueError(
            f"h has {annotations.shape[1]} columns but this encoder makes d_h = {encoder.d_h} numbers per word: give what encode"
            " returned"
        )
    d = len(encoder.forward["U"])
    return np.concatenate([annotations[-1, :d], annotations[0, d:]])


def word_vectors(words: Sequence[str], size: int, seed: int) -> FloatArray:
    """Give every word a vector: the same word gets the same vector wherever it stands.

    A trained model has a table of learned vectors. Here each word draws its own from a generator seeded by its
    letters, so any word in any script has one.

    Parameters
    ----------
    words : sequence of str
    size : int
        Numbers per word, d_x.
    seed : int
        Not negative. Another seed gives all words other vectors.

    Returns
    -------
    (len(words), size) ndarray
        Standard normal numbers.

    Raises
    ------
    ValueError
        If there are no words or the size is below 1.

    Examples
    --------
    >>> x = word_vectors(["the", "cat", "the"], 2, seed=0)
    >>> bool((x[0] == x[2]).all()), bool((x[0] == x[1]).all())
    (True, False)
    """
    _checks.sizes(size=size)
    if not words:
        raise ValueError("there are no words: give at least one, for each gets a row of numbers")
    return np.array([np.random.default_rng([seed, *word.encode()]).standard_normal(size) for word in words])


def _read(words: FloatArray, cell: str, parameters: Parameters, recurrence: bool) -> FloatArray:
    step = CELLS[cell].function
    nothing = np.zeros(len(parameters["U"]))
    states = np.empty((len(words), len(nothing)))
    state = nothing
    for i, x in enumerate(words):
        state = states[i] = step(x, state if recurrence else nothing, **parameters)
    return states
