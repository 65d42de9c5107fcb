"""The tools that recover what rounding takes away, against exact fractions and math.fsum."""

import math
from fractions import Fraction

import numpy as np
import pytest

from attention_core._blocks import row_blocks
from attention_core._rounding import accurate_sum, lost_in_difference, lost_in_quotient


def exactly(values):
    return [Fraction(float(value)) for value in values]


def test_lost_in_difference_is_exact():
    rng = np.random.default_rng(0)
    a = -rng.uniform(0, 700, 500) + rng.normal(size=500) * 1e-3
    b = np.full(500, np.round(0.12345 * 2**42) / 2**42)
    difference = a - b
    lost = lost_in_difference(a, b, difference)
    right = [x - y - d for x, y, d in zip(exactly(a), exactly(b), exactly(difference), strict=True)]
    assert exactly(lost) == right
    assert any(right)  # something was there to be lost


def test_lost_in_difference_may_overwrite_its_second_argument():
    a, b = np.array([-6.9, -0.3]), np.array([0.125, 0.125])
    right = lost_in_difference(a, b, a - b)
    np.testing.assert_array_equal(lost_in_difference(a, b, a - b, out=b), right)
    np.testing.assert_array_equal(b, right)


@pytest.mark.parametrize("divisor", (1.0, 1.1, 1.5, 1.9999999999999998, 0.3))
def test_lost_in_quotient(divisor):
    dividend = -np.random.default_rng(1).uniform(0, 700, 500)
    quotient = dividend / divisor
    lost = lost_in_quotient(dividend, divisor, quotient)
    for x, q, got in zip(exactly(dividend), exactly(quotient), lost, strict=True):
        right = x - q * Fraction(divisor)
        assert abs(Fraction(float(got)) - right) <= abs(x) / 2**76


SUMS = {
    "one and many tiny": lambda rng, n: np.r_[1.0, np.full(n - 1, 1.1e-16)],
    "equal": lambda rng, n: np.full(n, 0.1),
    "both signs, every size": lambda rng, n: rng.choice([-1, 1], n) * 10.0 ** rng.uniform(-300, 290, n),
    "nearly cancelling": lambda rng, n: np.r_[rng.normal(size=n // 2), 0, 1e-9][:n] * np.resize([1, -1], min(n, n // 2 + 2)),
    "negative": lambda rng, n: -rng.random(n),
    "subnormal": lambda rng, n: rng.integers(0, 99, n) * 5e-324,
    "zero": lambda rng, n: np.zeros(n),
}


@pytest.mark.parametrize("n", (1, 2, 5, 127, 128, 129, 1000, 4096))
@pytest.mark.parametrize("kind", SUMS)
def test_accurate_sum_rounds_once(kind, n):
    terms = SUMS[kind](np.random.default_rng(n), n)
    before = terms.copy()
    right = math.fsum(terms)
    assert abs(float(accurate_sum(terms)) - right) <= max(math.ulp(right), 1e-23 * np.abs(terms).max())
    np.testing.assert_array_equal(terms, before)


@pytest.mark.parametrize("shape", ((4, 3), (2, 3, 4), (50, 60), (3, 20, 30)))
def test_accurate_sum_takes_rows_of_any_stack(shape):
    terms = np.random.default_rng(2).normal(size=shape)
    sums = accurate_sum(terms)
    assert sums.shape == shape[:-1]
    for place in np.ndindex(*shape[:-1]):
        assert sums[place] == pytest.approx(math.fsum(terms[place]), rel=1e-15, abs=1e-16)


def test_accurate_sum_does_not_depend_on_the_order():
    rng = np.random.default_rng(3)
    terms = rng.random(3000) * 10.0 ** rng.uniform(-9, 0, 3000)
    assert len({float(accurate_sum(rng.permutation(terms))) for _ in range(20)}) == 1


@pytest.mark.parametrize(("rows", "length", "block"), ((1, 1, 1), (7, 3, 6), (5, 10, 3), (4, 4, 1000), (300, 400, 2**16)))
def test_blocks_cover_every_row_once(rows, length, block):
    covered = [row for part in row_blocks(rows, length, block) for row in range(rows)[part]]
    assert covered == list(range(rows))
    assert all((part.stop - part.start) * length <= max(block, length) for part in row_blocks(rows, length, block))
