"""Turns wrong shapes and wrong values into one clear sentence: what, expected, got, remedy.

Every sentence is the message of a ``ValueError`` and counts rows, positions and columns from 1. The cheap test is
made where the numbers are; the functions here are mostly called once it is known that something is wrong, so they
may take their time to find the cell and say so.
"""

import math
from collections.abc import Mapping
from numbers import Real
from typing import NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.float64]

SUM_TOLERANCE = 1e-6
"""How far the sum of a row of weights may be from 1."""


def as_floats(value: ArrayLike, name: str) -> FloatArray:
    """Return ``value`` as a float64 array in row-major order, without a copy where that is possible."""
    if type(value) is np.ndarray and value.dtype == np.float64 and value.flags.c_contiguous:
        array = value
    else:
        array = _converted(value, name)
    if array.size == 0:
        raise ValueError(
            f"{name} is empty (shape {array.shape}) but needs at least one number: give at least one source position"
        )
    return array


def _converted(value: ArrayLike, name: str) -> FloatArray:
    if isinstance(value, np.ma.MaskedArray):
        raise ValueError(f"{name} is a masked array, whose mask would get lost: give its data, and the mask as mask=~{name}.mask")
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths but must be a grid: pad them or mask the ends") from None
    if array.dtype.kind in "US" or (array.dtype.kind == "O" and any(isinstance(entry, str | bytes) for entry in array.flat)):
        raise ValueError(f"{name} must be numbers but contains text: convert it first, for instance with float()")
    if array.dtype.kind not in "buifO":
        raise ValueError(f"{name} must be real numbers but has type {array.dtype}: convert it first")
    try:
        with np.errstate(all="ignore"):
            return np.asarray(array, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be numbers but contains something that is none: convert it first") from None


def as_rows(value: ArrayLike, name: str) -> FloatArray:
    """Return ``value`` as a float64 array with at least one axis: one row, or rows stacked on leading axes."""
    array = as_floats(value, name)
    if array.ndim == 0:
        raise ValueError(f"{name} is a single number but must be a row of T_x numbers: put it in a list")
    return array


def all_finite(array: FloatArray) -> bool:
    """Tell whether no entry is NaN or infinite. Counting is several times quicker than ``.all()`` on a few numbers."""
    return bool(np.count_nonzero(np.isfinite(array)) == array.size)


def as_temperature(value: float) -> float:
    """Return ``value`` as a float that is finite and above 0."""
    try:
        temperature = float(value) if isinstance(value, Real) else math.nan
    except OverflowError:
        temperature = math.inf
    if not 0.0 < temperature < math.inf:
        raise ValueError(
            f"temperature must be a finite number above 0 but is {value!r}: "
            "use a small one such as 0.01 for a choice that is nearly hard, 1 for the plain softmax"
        )
    return temperature


def masked(scores: FloatArray, mask: ArrayLike | None) -> FloatArray:
    """Return ``scores`` with -inf where ``mask`` is False."""
    if mask is None:
        return scores
    try:
        allowed = np.asarray(mask)
    except ValueError:
        raise ValueError("mask has rows of different lengths but must be a grid: give every row T_x entries") from None
    if allowed.dtype != np.bool_:
        raise ValueError(
            f"mask must be True (may be attended) or False but has type {allowed.dtype}: compare first, for instance "
            "mask = token != padding"
        )
    if allowed.shape != scores.shape:
        try:
            allowed = np.broadcast_to(allowed, scores.shape)
        except ValueError:
            raise ValueError(
                f"mask has shape {allowed.shape} but scores has shape {scores.shape}: "
                "give one True or False per score, or one row of them for all rows"
            ) from None
    return np.where(allowed, scores, -np.inf)


def refuse_scores(scores: FloatArray) -> NoReturn:
    """Say which score is +inf or NaN, or which row has every position masked."""
    bad = np.isnan(scores) | (scores == np.inf)
    if bad.any():
        raise ValueError(
            f"scores has {_first(scores, bad)} at {_cell(bad)} (counting from 1) but must hold finite numbers, "
            "or -inf for a masked position: correct or mask that score"
        )
    nothing_left = np.asarray(np.isneginf(scores).all(axis=-1))
    raise ValueError(
        f"{_row(nothing_left)} of scores (counting from 1) has every position masked, so there is nothing to attend "
        "to: leave at least one position unmasked, or leave the row out"
    )


def is_distribution(rows: FloatArray) -> bool:
    """Tell whether every row is free of negative numbers and adds up to 1. A NaN anywhere says no."""
    if not np.minimum.reduce(rows, axis=None) >= 0.0:
        return False
    sums = np.add.reduce(rows, axis=-1)
    sums -= 1.0
    return bool(np.maximum.reduce(np.abs(sums), axis=None) <= SUM_TOLERANCE)


def as_distribution(value: ArrayLike, name: str) -> FloatArray:
    """Return ``value`` as rows of float64 weights, each a distribution."""
    array = as_rows(value, name)
    with np.errstate(all="ignore"):
        if not is_distribution(array):
            refuse_weights(array, name)
    return array


def refuse_weights(weights: FloatArray, name: str) -> NoReturn:
    """Say which weight is negative or not a number, or which row does not add up to 1, and give the sum."""
    with np.errstate(all="ignore"):
        sums = weights.sum(axis=-1)
        negative = weights < 0
        broken = ~np.isfinite(weights)
        off = ~(np.abs(sums - 1.0) <= SUM_TOLERANCE)
    for bad in (broken, negative):
        if bad.any():
            row_sum = sums[bad.any(axis=-1)].flat[0]
            raise ValueError(
                f"{name} has {_first(weights, bad)} at {_cell(bad)} (counting from 1) in a row with sum {row_sum:.6g} "
                "but must hold numbers from 0 to 1 that add up to 1: apply softmax to scores first"
            )
    raise ValueError(
        f"{_row(off)} of {name} (counting from 1) has sum {sums[off].flat[0]:.9g} but must add up to 1 within "
        f"{SUM_TOLERANCE:g}: apply softmax to scores first, or check that rows and columns are not swapped"
    )


def states(s: ArrayLike, h: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return decoder state(s) ``(d_s,)`` or ``(T_y, d_s)`` and annotations ``(T_x, d_h)`` as float64 arrays."""
    state, annotations = as_floats(s, "s"), as_annotations(h, "h")
    if state.ndim not in (1, 2):
        raise ValueError(
            f"s has shape {state.shape} but must be (d_s,) for one decoder step or (T_y, d_s) for all of them: "
            "give one row per step"
        )
    return state, annotations


def as_annotations(value: ArrayLike, name: str) -> FloatArray:
    """Return annotations as a float64 array of shape ``(T_x, d_h)``."""
    array = as_floats(value, name)
    if array.ndim != 2:
        raise ValueError(
            f"{name} has shape {array.shape} but must be (T_x, d_h): give one row of d_h numbers per source position"
        )
    return array


def same_size(s: FloatArray, h: FloatArray, score: str) -> None:
    """Refuse a plain product of a state and an annotation of different sizes."""
    d_s, d_h = s.shape[-1], h.shape[-1]
    if d_s != d_h:
        raise ValueError(
            f"{score} needs d_s = d_h but s has {d_s} numbers and h has {d_h}: general, additive and concat still "
            "work, because they learn a matrix between the two sizes"
        )


def parameters(
    declared: Mapping[str, tuple[str, ...]], given: Mapping[str, ArrayLike], s: FloatArray, h: FloatArray
) -> list[FloatArray]:
    """Return the parameters as float64 arrays, once every size with the same symbol is known to agree.

    Parameters
    ----------
    declared : mapping of str to tuple of str
        Each parameter's shape in symbols, such as ``{"W_a": ("d_a", "d_s")}``. The sizes of ``d_s`` and ``d_h`` are
        those of ``s`` and ``h``; any other symbol has the size of the parameter that comes first. A size may be a
        sum, such as ``"d_s + d_h"``.
    given : mapping of str to array_like
    s : (d_s,) or (T_y, d_s) ndarray
    h : (T_x, d_h) ndarray
    """
    d_s, d_h = s.shape[-1], h.shape[-1]
    known = {
        "d_s": (d_s, f"s has {_count(d_s, s.ndim, -1)}", "decoder state"),
        "d_h": (d_h, f"h has {_count(d_h, 2, -1)}", "annotations"),
        "d_s + d_h": (d_s + d_h, f"s and h together have {d_s} + {d_h} = {d_s + d_h} numbers", "[s; h]"),
    }
    arrays = []
    for name, shape in declared.items():
        array = as_floats(given[name], name)
        if array.ndim != len(shape):
            raise ValueError(
                f"{name} has shape {array.shape} but must be ({', '.join(shape)}{',' * (len(shape) == 1)}): "
                f"give it {len(shape)} {'axis' if len(shape) == 1 else 'axes'}"
            )
        for axis, symbol in enumerate(shape):
            size = array.shape[axis]
            expected, having, owner = known.setdefault(symbol, (size, f"{name} has {_count(size, array.ndim, axis)}", name))
            if size != expected:
                raise ValueError(f"{having} but {name} expects {size}: {owner} and {name} must share {symbol}")
        arrays.append(array)
    return arrays


def sizes(**given: int) -> None:
    """Refuse a size below 1."""
    for symbol, size in given.items():
        if size < 1:
            raise ValueError(f"{symbol} is {size} but must be at least 1: a vector needs at least one number")


def finite(result: FloatArray, **inputs: FloatArray) -> FloatArray:
    """Return ``result`` if all of it is finite; otherwise say which input is to blame.

    Infinite and NaN inputs always reach the result, so one look at the result replaces a look at each input.
    """
    if all_finite(result):
        return result
    for name, array in inputs.items():
        bad = ~np.isfinite(array)
        if bad.any():
            raise ValueError(
                f"{name} has {_first(array, bad)} at {_cell(bad, 'column')} (counting from 1) but must hold finite "
                "numbers: correct that entry"
            )
    raise ValueError(
        f"{' and '.join(inputs)} hold numbers so large that their product is above 1.8e308, the largest float64: "
        "make them smaller"
    )


def _count(size: int, ndim: int, axis: int) -> str:
    noun = "number" if ndim == 1 else ("row", "column")[axis]
    return f"{size} {noun}" if size == 1 else f"{size} {noun}s"


def _first(array: FloatArray, bad: NDArray[np.bool_]) -> str:
    value = array[bad].flat[0]
    return "NaN" if np.isnan(value) else f"{value:+.6g}" if np.isinf(value) else f"{value:.6g}"


def _cell(bad: NDArray[np.bool_], noun: str = "position") -> str:
    *row, position = (int(index) + 1 for index in np.argwhere(bad)[0])
    return f"row {_numbers(row)}, {noun} {position}"


def _row(bad: NDArray[np.bool_]) -> str:
    return f"row {_numbers([int(index) + 1 for index in np.argwhere(bad)[0]])}"


def _numbers(row: list[int]) -> str:
    # One row given alone is row 1; a row in a stack of grids is counted as "2.1": grid 2, row 1.
    return ".".join(map(str, row)) if row else "1"
