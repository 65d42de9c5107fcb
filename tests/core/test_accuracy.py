"""How many units in the last place are the results away from 50-digit arithmetic?

The families of rows are those on which a plain implementation goes wrong: a winner above many equal scores (the same
rounding error in every term of the sum: 20 units and more), gaps of every size, scores from 1e-300 to 1e300.
"""

import zlib

import numpy as np
import pytest

import attention_core as ac
from tests.core import exact

LENGTHS = (1, 2, 3, 7, 43, 129, 610, 4096)
TEMPERATURES = (0.1, 0.7, 3.3, 1e-200, 1e200, 2.0)


def signs(rng, n):
    return rng.choice([-1.0, 1.0], n)


ROWS = {
    "ordinary": lambda rng, n: rng.normal(size=n) * 3,
    "winner above equals": lambda rng, n: np.r_[rng.normal(), np.zeros(n - 1)] + np.r_[rng.uniform(5, 14), np.zeros(n - 1)],
    "winner below zero": lambda rng, n: -np.r_[0.01, np.full(n - 1, rng.uniform(5, 14))],
    "three values": lambda rng, n: rng.choice(rng.normal(size=3) * 5, n),
    "down to the last weight": lambda rng, n: rng.uniform(-745, 0, n) + rng.normal(),
    "winner above subnormal equals": lambda rng, n: np.r_[0.0, np.full(n - 1, -rng.uniform(715, 744))],
    "every size, both signs": lambda rng, n: signs(rng, n) * 10.0 ** rng.uniform(-300, 300, n),
    "one size, both signs": lambda rng, n: signs(rng, n) * 10.0 ** rng.uniform(-300, 300),
    "tiny": lambda rng, n: rng.normal(size=n) * 1e-300,
    "thousands": lambda rng, n: rng.normal(size=n) * 4000,
    "masked": lambda rng, n: np.where(np.arange(n) % 3, -np.inf, rng.normal(size=n) * 5),
}

every_row = pytest.mark.parametrize("family", ROWS)
every_length = pytest.mark.parametrize("n", LENGTHS)
some_lengths = pytest.mark.parametrize("n", (1, 3, 129, 4096))


def row(family, n):
    return ROWS[family](np.random.default_rng(zlib.crc32(f"{family} {n}".encode())), n)


@every_row
@every_length
def test_each_weight_is_within_4_units_of_the_right_one(family, n):
    e = row(family, n)
    assert exact.worst(ac.softmax(e), exact.softmax(e)) <= 4


@pytest.mark.parametrize("temperature", TEMPERATURES)
@pytest.mark.parametrize("n", (3, 610))
@every_row
def test_a_temperature_costs_no_accuracy(family, n, temperature):
    e = row(family, n)
    assert exact.worst(ac.softmax(e, temperature=temperature), exact.softmax(e, temperature)) <= 4


@pytest.mark.parametrize(
    ("scores", "temperature"),
    [
        ([1e308, -1e308, 0.0], 1e308),  # the gap overflows, the quotient does not
        ([1.7e308, -1.7e308], 1.7e308),
        ([1e-310, 2e-310, 5e-324], 1e-310),  # subnormal scores, subnormal temperature
        ([5e-324, 0.0], 5e-324),
        ([1000 * 5e-324, 999 * 5e-324, 0.0], 5e-324),
        ([1e-300, 3e-300], 1e-300),
        ([1e300, 1e300 * (1 + 2**-52)], 1e284),
        ([3.0, 1.0], 1.9999999999999998),
        ([3.0, 1.0], 1.0000000000000002),
        ([3e10, 1.0], 1e8),
    ],
)
def test_extreme_temperatures(scores, temperature):
    assert exact.worst(ac.softmax(scores, temperature=temperature), exact.softmax(scores, temperature)) <= 4


def test_many_rows_at_once_are_as_accurate_as_one():
    e = np.random.default_rng(5).normal(size=(300, 400)) * 10
    together = ac.softmax(e)
    for t in (0, 163, 164, 299):  # the first row, the last, and two beside the edge of a block
        np.testing.assert_array_equal(together[t], ac.softmax(e[t]))
        assert exact.worst(together[t], exact.softmax(e[t])) <= 4


@every_row
@some_lengths
@pytest.mark.parametrize("base", (None, 2))
def test_entropy_is_within_4_units_of_the_right_one(family, n, base):
    weights = ac.softmax(row(family, n))
    assert exact.ulps(ac.entropy(weights, base=base), exact.entropy(weights, base)) <= 4


@every_length
def test_entropy_of_equal_weights_does_not_drift(n):
    # 4095 equal terms, added one after the other, are off by more than 100 units.
    weights = np.full(n, 1 / n)
    assert exact.ulps(ac.entropy(weights), exact.entropy(weights)) <= 4


@pytest.mark.parametrize("base", (None, 2))
@pytest.mark.parametrize(("n", "gap"), ((570, 734.0), (3768, 721.0), (4096, 744.0)))
def test_entropy_of_thousands_of_subnormal_weights(n, gap, base):
    weights = ac.softmax(np.r_[0.0, np.full(n - 1, -gap)])
    assert exact.ulps(ac.entropy(weights, base=base), exact.entropy(weights, base)) <= 4


FEATURES = {
    "ordinary": lambda rng, n: rng.normal(size=n),
    "equal": lambda rng, n: np.full(n, 0.1),
    "every size, both signs": lambda rng, n: signs(rng, n) * 10.0 ** rng.uniform(-300, 300, n),
    "subnormal": lambda rng, n: rng.integers(0, 1000, n) * 5e-324,
    "largest": lambda rng, n: signs(rng, n) * rng.uniform(1.6e308, 1.7e308, n),
    "zero": lambda rng, n: np.zeros(n),
}


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("family", ("ordinary", "winner above equals", "down to the last weight", "masked"))
@some_lengths
def test_context_is_within_4_units_of_the_sum_of_sizes(family, features, n):
    h = FEATURES[features](np.random.default_rng(zlib.crc32(f"{features} {n}".encode())), n)
    step = ac.attend(row(family, n), h[:, np.newaxis])
    right, sizes = exact.blend(step.weights, h)
    assert exact.ulps(step.context[0], right, sizes) <= 4


def test_a_grid_of_contexts_is_as_accurate_as_one():
    # More rows and features than fit one block of the computation, in both directions.
    rng = np.random.default_rng(6)
    e, h = rng.normal(size=(40, 700)), rng.normal(size=(700, 120))
    together = ac.attend(e, h)
    for t, feature in ((0, 0), (0, 93), (0, 94), (39, 119)):
        right, sizes = exact.blend(together.weights[t], h[:, feature])
        assert exact.ulps(together.context[t, feature], right, sizes) <= 4


def test_log_softmax_where_the_weight_rounds_to_1():
    # mpmath: -log1p(exp(-50)) = -1.9287498479639177830e-22, which 1 + exp(-50) loses.
    winner, other = ac.log_softmax([0.0, -50.0])
    assert winner == pytest.approx(-1.9287498479639177830e-22, rel=1e-15, abs=0)
    assert other == -50.0


@every_row
def test_log_softmax_is_the_logarithm_of_softmax(family):
    e = row(family, 43)
    logarithm, weights = ac.log_softmax(e), ac.softmax(e)
    normal = weights > 1e-300
    np.testing.assert_allclose(logarithm[normal], np.log(weights[normal]), rtol=1e-13, atol=1e-15)
    assert (logarithm[~normal] < -690).all()
