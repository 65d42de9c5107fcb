"""Recurrent cells and the encoder: a sentence becomes one annotation per word.

A cell keeps a summary: it takes the summary so far and the next vector and returns the new summary. The encoder runs
a cell over the sentence and keeps every summary on the way, ``h_1 .. h_Tx``. Run in both directions, each ``h_i``
knows the words before it and the words after it.

Symbols: ``x_i`` the vector of word i with ``d_x`` numbers, ``h_i`` its annotation with ``d_h`` numbers, ``d`` the size
of one cell's state. In a bidirectional encoder ``d_h`` is the sum of the two cells' sizes.

References
----------
Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, appendices A.1.1 (the gated unit) and A.2.1 (the encoder).
Elman 1990, Finding structure in time, Cognitive Science 14 (the plain recurrent cell).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from . import _checks
from ._checks import FloatArray

Parameters = Mapping[str, FloatArray]


def tanh_cell(x: ArrayLike, s: ArrayLike, W: ArrayLike, U: ArrayLike) -> FloatArray:
    """Return the next state of a plain recurrent cell, ``tanh(W x + U s)``.

    Parameters
    ----------
    x : (d_x,) array_like
        What is read now.
    s : (d,) array_like
        The state so far.
    W : (d, d_x) array_like
    U : (d, d) array_like

    Returns
    -------
    (d,) ndarray
        Numbers from -1 to 1.

    References
    ----------
    Elman 1990.

    Examples
    --------
    >>> tanh_cell([1.0], [0.0, 0.0], W=[[0.5], [-0.5]], U=[[1, 0], [0, 1]]).round(3)
    array([ 0.462, -0.462])
    """
    return tanh_stages(x, s, W, U)["s′"]


def tanh_stages(x: ArrayLike, s: ArrayLike, W: ArrayLike, U: ArrayLike) -> dict[str, FloatArray]:
    """Return `tanh_cell` together with what it makes on the way.

    Parameters
    ----------
    x : (d_x,) array_like
        What is read now.
    s : (d,) array_like
        The state so far.
    W : (d, d_x) array_like
    U : (d, d) array_like

    Returns
    -------
    dict of str to (d,) ndarray
        By formula, in the order in which they are made; the last one is the next state.

    Raises
    ------
    ValueError
        If two sizes that should agree do not.

    Examples
    --------
    >>> stages = tanh_stages([1.0], [0.5], W=[[0.5]], U=[[2.0]])
    >>> {formula: float(numbers[0].round(3)) for formula, numbers in stages.items()}
    {'W x': 0.5, 'U s': 1.0, 'sum': 1.5, 's′': 0.905}
    """
    x, s, W, U = _fitting(x, s, W=W, U=U)
    read, kept = W @ x, U @ s
    total = read + kept
    return {"W x": read, "U s": kept, "sum": total, "s′": np.tanh(total)}


def gru_cell(
    x: ArrayLike,
    s: ArrayLike,
    W: ArrayLike,
    U: ArrayLike,
    W_z: ArrayLike,
    U_z: ArrayLike,
    W_r: ArrayLike,
    U_r: ArrayLike,
) -> FloatArray:
    """Return the next state of a gated recurrent unit: each number is kept, replaced, or something between.

    The update gate ``z = sigma(W_z x + U_z s)`` says how much of each number is replaced, the reset gate
    ``r = sigma(W_r x + U_r s)`` how much of the old state is used for the proposal ``tanh(W x + U (r * s))``.
    The new state is ``(1 - z) * s + z * proposal``.

    Parameters
    ----------
    x : (d_x,) array_like
        What is read now.
    s : (d,) array_like
        The state so far.
    W, W_z, W_r : (d, d_x) array_like
    U, U_z, U_r : (d, d) array_like

    Returns
    -------
    (d,) ndarray
        Between the old state and the proposal, number by number.

    References
    ----------
    Bahdanau, Cho & Bengio 2015, appendix A.1.1. The paper's formula has no bias vectors, and neither has this.

    Examples
    --------
    >>> closed = gru_cell([1.0], [0.7], W=[[1.0]], U=[[1.0]], W_z=[[-40.0]], U_z=[[0.0]], W_r=[[0.0]], U_r=[[0.0]])
    >>> closed.round(3)  # the update gate is shut: the state stays
    array([0.7])
    """
    return gru_stages(x, s, W, U, W_z, U_z, W_r, U_r)["s′"]


def gru_stages(
    x: ArrayLike,
    s: ArrayLike,
    W: ArrayLike,
    U: ArrayLike,
    W_z: ArrayLike,
    U_z: ArrayLike,
    W_r: ArrayLike,
    U_r: ArrayLike,
) -> dict[str, FloatArray]:
    """Return `gru_cell` together with what it makes on the way.

    Parameters
    ----------
    x : (d_x,) array_like
        What is read now.
    s : (d,) array_like
        The state so far.
    W, W_z, W_r : (d, d_x) array_like
    U, U_z, U_r : (d, d) array_like

    Returns
    -------
    dict of str to (d,) ndarray
        By formula, in the order in which they are made; the last one is the next state.

    Raises
    ------
    ValueError
        If two sizes that should agree do not.

    Examples
    --------
    >>> stages = gru_stages([1.0], [0.5], W=[[2.0]], U=[[1.0]], W_z=[[0.0]], U_z=[[0.0]], W_r=[[0.0]], U_r=[[0.0]])
    >>> list(stages)
    ['W_z x', 'U_z s', 'z', 'W_r x', 'U_r s', 'r', 'W x', 'U (r ∘ s)', 'proposal', 's′']
    >>> [float(stages[formula][0].round(3)) for formula in ("z", "r", "U (r ∘ s)", "proposal", "s′")]
    [0.5, 0.5, 0.25, 0.978, 0.739]
    """
    x, s, W, U, W_z, U_z, W_r, U_r = _fitting(x, s, W=W, U=U, W_z=W_z, U_z=U_z, W_r=W_r, U_r=U_r)
    read_z, kept_z, read_r, kept_r = W_z @ x, U_z @ s, W_r @ x, U_r @ s
    z, r = sigmoid(read_z + kept_z), sigmoid(read_r + kept_r)
    read, kept = W @ x, U @ (r * s)
    proposal = np.tanh(read + kept)
    return {
        "W_z x": read_z,
        "U_z s": kept_z,
        "z": z,
        "W_r x": read_r,
        "U_r s": kept_r,
        "r": r,
        "W x": read,
        "U (r ∘ s)": kept,
        "proposal": proposal,
        "s′": (1.0 - z) * s + z * proposal,
    }


def sigmoid(a: ArrayLike) -> FloatArray:
    """Return ``1 / (1 + exp(-a))``: any number, squeezed to between 0 and 1.

    Parameters
    ----------
    a : array_like

    Returns
    -------
    ndarray
        In the shape of ``a``.

    Examples
    --------
    >>> sigmoid([-1000.0, 0.0, 1000.0])
    array([0. , 0.5, 1. ])
    """
    # 1 / (1 + exp(-a)) overflows for a < -709; tanh does not, and (1 + tanh(a/2)) / 2 is the same function.
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * np.asarray(a, dtype=np.float64))))


@dataclass(frozen=True, eq=False)
class Cell:
    """A recurrent cell's card.

    Attributes
    ----------
    name : str
        Its key in `CELLS`.
    formula : str
        The formula in plain text.
    source : str
        Paper and section.
    parameters : mapping of str to tuple of str
        The learned parameters and their shapes in symbols.
    function : callable
        Called as ``function(x, s, **parameters)``.
    stages : callable
        Called in the same way; returns what is made on the way, by formula, and last the next state.
    """

    name: str
    formula: str
    source: str
    parameters: Mapping[str, tuple[str, ...]]
    function: Callable[..., FloatArray]
    stages: Callable[..., dict[str, FloatArray]]


_READS, _KEEPS = ("d", "d_x"), ("d", "d")

CELLS: Mapping[str, Cell] = MappingProxyType(
    {
        card.name: card
        for card in (
            Cell(
                name="GRU",
                formula="s′ = (1 − z) ∘ s + z ∘ tanh(W x + U (r ∘ s))",
                source="Bahdanau, Cho & Bengio 2015, appendix A.1.1",
                parameters=MappingProxyType(
                    {"W": _READS, "U": _KEEPS, "W_z": _READS, "U_z": _KEEPS, "W_r": _READS, "U_r": _KEEPS}
                ),
                function=gru_cell,
                stages=gru_stages,
            ),
            Cell(
                name="tanh",
                formula="s′ = tanh(W x + U s)",
                source="Elman 1990",
                parameters=MappingProxyType({"W": _READS, "U": _KEEPS}),
                function=tanh_cell,
                stages=tanh_stages,
            ),
        )
    }
)
"""The recurrent cells by name."""


def random_cell(name: str, rng: np.random.Generator, *, d_x: int, d: int, gain: float = 1.0) -> dict[str, FloatArray]:
    """Draw the parameters of a cell, in the shapes its card declares.

    Parameters
    ----------
    name : str
        A key of `CELLS`.
    rng : numpy.random.Generator
        The source of randomness. The same seed gives the same parameters.
    d_x, d : int
        Sizes of what is read and of the state, at least 1.
    gain : float, optional
        How strongly the cell answers to what it reads: multiplies the matrices W, W_z and W_r.

    Returns
    -------
    dict of str to ndarray
        Normal numbers divided by the square root of the row length.

    Raises
    ------
    ValueError
        If the name is unknown or a size is below 1.

    Examples
    --------
    >>> drawn = random_cell("tanh", np.random.default_rng(1), d_x=3, d=2)
    >>> {symbol: array.shape for symbol, array in drawn.items()}
    {'W': (2, 3), 'U': (2, 2)}
    """
    if name not in CELLS:
        raise ValueError(f"there is no cell {name!r}: choose one of {', '.join(CELLS)}")
    sizes = {"d_x": d_x, "d": d}
    _checks.sizes(**sizes)
    drawn = {}
    for symbol, axes in CELLS[name].parameters.items():
        rows, columns = (sizes[axis] for axis in axes)
        drawn[symbol] = (gain if axes == _READS else 1.0) * rng.standard_normal((rows, columns)) / np.sqrt(columns)
    return drawn


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


def _fitting(x: ArrayLike, s: ArrayLike, **parameters: ArrayLike) -> list[FloatArray]:
    """Everything as float64 arrays, once it is known that the sizes fit: matrices named W… read x, those named U… read s."""
    read, state = _checks.as_floats(x, "x"), _checks.as_floats(s, "s")
    for name, vector in (("x", read), ("s", state)):
        if vector.ndim != 1:
            raise ValueError(f"{name} has shape {vector.shape} but must be one row of numbers: give one vector at a time")
    arrays = [read, state]
    for name, value in parameters.items():
        matrix = _checks.as_floats(value, name)
        vector, what = (read, "x") if name.startswith("W") else (state, "s")
        if matrix.shape != (len(state), len(vector)):
            raise ValueError(
                f"{name} has shape {matrix.shape} but must be {(len(state), len(vector))}: one row per number of s"
                f" ({len(state)}) and one column per number of {what} ({len(vector)})"
            )
        arrays.append(matrix)
    return arrays


def _read(words: FloatArray, cell: str, parameters: Parameters, recurrence: bool) -> FloatArray:
    step = CELLS[cell].function
    nothing = np.zeros(len(parameters["U"]))
    states = np.empty((len(words), len(nothing)))
    state = nothing
    for i, x in enumerate(words):
        state = states[i] = step(x, state if recurrence else nothing, **parameters)
    return states
