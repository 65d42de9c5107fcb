"""What rounding takes away from a difference, a quotient and a sum, and how to get it back.

A float64 operation returns the exact result plus a rounding error, and that error is itself a float64 that a few
more operations can recover. Softmax needs this: an error in ``e - max`` becomes a *relative* error in its
exponential, and a long row of equal scores repeats the same error in every term of the sum.
"""

import math

import numpy as np

from ._checks import FloatArray

_SMALL = 128  # up to this many numbers a Python loop beats a dozen NumPy calls


def lost_in_difference(a: FloatArray, b: FloatArray, difference: FloatArray, *, out: FloatArray | None = None) -> FloatArray:
    """Return the exact ``a - b - difference``, where ``difference`` is ``a - b`` rounded.

    Parameters
    ----------
    a : (..., n) ndarray
    b : (..., n) or (..., 1) ndarray
        Must be a multiple of the last place of every ``difference`` that matters. ``difference + b`` is then
        exact, and two operations are enough where the general formula (Knuth's TwoSum) takes five.
    difference : (..., n) ndarray
    out : (..., n) ndarray, optional
        Where to write the result; may be ``b``.

    Returns
    -------
    (..., n) ndarray
        NaN or infinite where ``a`` or ``difference`` is infinite.
    """
    lost = np.add(difference, b, out=out)
    return np.subtract(a, lost, out=lost)


def lost_in_quotient(dividend: FloatArray, divisor: float, quotient: FloatArray) -> FloatArray:
    """Return ``dividend - quotient * divisor``, where ``quotient`` is ``dividend / divisor`` rounded.

    Parameters
    ----------
    dividend, quotient : (..., n) ndarray
    divisor : float
        From 2^-52 to 2, so that nothing that matters can overflow or underflow.

    Returns
    -------
    (..., n) ndarray
        NaN or infinite where ``quotient`` is too large for single precision (3e38).

    Notes
    -----
    The product of two 53-bit numbers has 106 bits. Cut both in two (single precision keeps the first 24 bits), and
    the head of one times either part of the other fits in 53 bits and is exact (Dekker 1971,
    doi:10.1007/BF01397083). The tail's product is rounded, 2^-76 of the dividend down, where it does not matter.
    """
    quotient_head = quotient.astype(np.float32).astype(np.float64)
    quotient_tail = quotient - quotient_head
    divisor_head = float(np.float32(divisor))
    divisor_tail = divisor - divisor_head
    lost = dividend - quotient_head * divisor_head
    lost -= quotient_head * divisor_tail
    quotient_tail *= divisor
    lost -= quotient_tail
    return lost


def accurate_sum(
    terms: FloatArray, *, largest: FloatArray | float | None = None, scratch: FloatArray | None = None
) -> FloatArray:
    """Sum the last axis as if with twice the digits, then round once.

    Parameters
    ----------
    terms : (..., n) ndarray
        Finite numbers, below 1e300 in size. Not changed.
    largest : (...) ndarray or float, optional
        An upper bound of ``abs(terms)`` in each row, if it is already known.
    scratch : (..., n) ndarray, optional
        Space to work in.

    Returns
    -------
    (...) ndarray
        Within 0.51 units in the last place of the exact sum, plus 1e-23 of the largest term for n = 4096.

    Notes
    -----
    Adding a power of two far above the terms and taking it away again rounds each term to a coarse grid, on which n
    of them add up exactly, in any order. What the grid cut off is tiny, and an ordinary sum of it is good enough
    (Rump, Ogita & Oishi 2008, section 3, doi:10.1137/050645671).

    Examples
    --------
    >>> row = np.array([1.0, 1e-16, 1e-16])
    >>> float(row[0] + row[1] + row[2]), float(accurate_sum(row))
    (1.0, 1.0000000000000002)
    """
    n = terms.shape[-1]
    if terms.size <= _SMALL:
        # math.fsum is exact too.
        return np.array([math.fsum(row) for row in terms.reshape(-1, n).tolist()]).reshape(terms.shape[:-1])
    if largest is None:
        largest = np.maximum(np.maximum.reduce(terms, axis=-1), -np.minimum.reduce(terms, axis=-1))
    far_above = np.ldexp(1.0, np.frexp(largest)[1] + n.bit_length())[..., np.newaxis]
    coarse = np.add(terms, far_above, out=scratch)
    coarse -= far_above
    total: FloatArray = np.add.reduce(coarse, axis=-1)
    fine = np.subtract(terms, coarse, out=coarse)
    total = total + np.add.reduce(fine, axis=-1)
    return total
