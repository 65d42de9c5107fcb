"""Recurrent cells: the summary so far and the next vector become the new summary.

Symbols: ``x`` the vector that is read now, ``d_x`` numbers; ``s`` the state so far, ``d`` numbers; ``s′`` the state after it.

References
----------
Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, appendix A.1.1 (the gated unit).
Elman 1990, Finding structure in time, Cognitive Science 14 (the plain recurrent cell).
"""

from collections.abc import Callable, Mapping
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
