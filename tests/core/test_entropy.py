"""Entropy, its share of the maximum, the effective number of positions, divergence."""

import math
import warnings

import numpy as np
import pytest
import scipy.special
import scipy.stats

import attention_core as ac


@pytest.fixture(autouse=True)
def loud():
    """Make every floating-point event an error: the core must cope without a word."""
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        yield


# mpmath.mp.dps = 60; -sum(p * mpmath.log(p)) over the decimal fractions as written
NATS = [
    ([0.7, 0.2, 0.1], 0.80181855254333731),
    ([0.8, 0.1, 0.1], 0.63903185965017694),
    ([0.10, 0.15, 0.20, 0.45, 0.10], 1.4263010621165086),
    ([0.05, 0.60, 0.10, 0.20, 0.05], 1.1582146934012182),
    ([0.5, 0.5, 0.0], 0.69314718055994531),
    ([1.0, 0.0, 0.0], 0.0),
    ([1.0], 0.0),
    ([0.5, 0.25, 0.25], 1.0397207708399179),  # 1.5 log 2
    ([0.125] * 8, 2.0794415416798359),
]


@pytest.mark.parametrize(("weights", "nats"), NATS)
def test_known_values(weights, nats):
    assert ac.entropy(weights) == pytest.approx(nats, rel=2e-15, abs=0)
    assert ac.entropy(weights, base=2) == pytest.approx(nats / math.log(2), rel=2e-15, abs=0)


def test_bits_of_equal_weights_are_whole():
    assert ac.entropy([0.125] * 8, base=2) == 3.0
    # mpmath: 0.80181855254333731 / log(2)
    assert ac.entropy([0.7, 0.2, 0.1], base=2) == pytest.approx(1.1567796494470395, rel=1e-15, abs=0)


def test_a_zero_weight_costs_nothing_and_is_not_replaced_by_a_small_one():
    # Adding 1e-8 inside the logarithm, a common repair, is wrong by 3.6e-7 here.
    assert ac.entropy([1.0, 0.0, 0.0]) == 0.0
    assert ac.entropy([0.5, 0.0, 0.5]) == ac.entropy([0.5, 0.5])


@pytest.mark.parametrize("weights", ([1.0, 0.0, 0.0], [1.0], [1.0 + 4e-7], [1.0] + [0.0] * 500))
@pytest.mark.parametrize("base", (None, 2))
def test_never_negative_and_never_minus_zero(weights, base):
    H = ac.entropy(weights, base=base)
    assert H == 0.0
    assert not np.signbit(H)


def test_underflown_weights():
    # mpmath on the float64 weights: -5e-324 log(5e-324) = 3.677e-321, which is 744 steps of 5e-324
    assert ac.entropy(ac.softmax([0.0, -745.0, -746.0])) == pytest.approx(3.677e-321, abs=2e-323)


def test_one_number_for_one_row_and_one_per_row_for_a_grid():
    single = ac.entropy([0.5, 0.5])
    assert isinstance(single, float)
    grid = ac.entropy([[0.5, 0.5], [1.0, 0.0]])
    np.testing.assert_array_equal(grid, [single, 0.0])
    assert ac.entropy(np.full((2, 3, 4), 0.25)).shape == (2, 3)


def test_agrees_with_scipy_on_a_grid_of_many_blocks():
    weights = ac.softmax(np.random.default_rng(0).normal(size=(300, 400)) * 3)
    np.testing.assert_allclose(ac.entropy(weights), scipy.stats.entropy(weights, axis=-1), rtol=1e-13)
    np.testing.assert_allclose(ac.entropy(weights, base=2), scipy.stats.entropy(weights, base=2, axis=-1), rtol=1e-13)


@pytest.mark.parametrize("n", (1, 2, 3, 512))
def test_causal_averages_reach_the_largest_entropy_of_their_length(n):
    # Row i spreads evenly over the first i + 1 positions, so its entropy is ln(i + 1).
    weights = np.tri(n) / np.arange(1, n + 1)[:, np.newaxis]
    np.testing.assert_allclose(ac.entropy(weights), np.log(np.arange(1, n + 1)), rtol=1e-14, atol=0)


# Share of the maximum


def test_normalised_entropy_is_the_same_in_nats_and_bits():
    # mpmath: 0.80181855254333731 / log(3)
    share = ac.normalised_entropy([0.7, 0.2, 0.1])
    assert share == pytest.approx(0.72984669916209753, rel=1e-15, abs=0)
    assert share == pytest.approx(ac.entropy([0.7, 0.2, 0.1], base=2) / math.log2(3), rel=1e-15, abs=0)


def test_normalised_entropy_of_one_source_word_is_0():
    assert ac.normalised_entropy([1.0]) == 0.0
    np.testing.assert_array_equal(ac.normalised_entropy([[1.0], [1.0]]), [0.0, 0.0])


@pytest.mark.parametrize("n", (2, 3, 5, 7, 100, 4095))
def test_normalised_entropy_ends_at_1(n):
    share = ac.normalised_entropy(np.full(n, 1 / n))
    assert 1 - 1e-14 < share <= 1.0
    # A sum above 1, within the tolerance, must not push it past the end of a ruler.
    assert ac.normalised_entropy(np.full(n, (1 + 9e-7) / n)) <= 1.0


# Effective number of positions


def test_effective_positions():
    # mpmath, weights of the scores 0.3, 2.1, 0.5: H = 0.76666327216202532, exp(H) = 2.1525717113925204
    assert ac.effective_positions(ac.softmax([0.3, 2.1, 0.5])) == pytest.approx(2.1525717113925204, rel=1e-14, abs=0)
    assert ac.effective_positions([0.0, 1.0, 0.0]) == 1.0
    np.testing.assert_allclose(ac.effective_positions([[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]]), [2.0, 8**0.5], rtol=1e-15)


@pytest.mark.parametrize("n", (1, 2, 3, 10, 1000))
def test_effective_positions_end_at_the_number_of_positions(n):
    assert n * (1 - 1e-13) < ac.effective_positions(np.full(n, 1 / n)) <= n
    assert ac.effective_positions(np.full(n, (1 + 9e-7) / n)) <= n


# Divergence


def test_known_divergences():
    # exact: sum p log2(p / q) with p = (1/2, 1/4, 1/4), q = (1/4, 1/4, 1/2)
    assert ac.kl_divergence([0.5, 0.25, 0.25], [0.25, 0.25, 0.5], base=2) == pytest.approx(0.25, rel=1e-15, abs=0)
    assert ac.kl_divergence([0.5, 0.25, 0.25], [0.25, 0.25, 0.5]) == pytest.approx(0.25 * math.log(2), rel=1e-15, abs=0)
    assert isinstance(ac.kl_divergence([1.0], [1.0]), float)


def test_divergence_from_an_even_spread_is_what_is_missing_from_the_largest_entropy():
    weights = ac.softmax(np.random.default_rng(1).normal(size=(20, 9)))
    missing = math.log(9) - ac.entropy(weights)
    np.testing.assert_allclose(ac.kl_divergence(weights, np.full(9, 1 / 9)), missing, rtol=1e-12)


def test_divergence_where_one_side_is_zero():
    assert ac.kl_divergence([1.0, 0.0], [0.5, 0.5], base=2) == 1.0
    assert ac.kl_divergence([0.5, 0.5], [1.0, 0.0]) == np.inf
    np.testing.assert_array_equal(ac.kl_divergence([[1.0, 0.0], [0.5, 0.5]], [1.0, 0.0]), [0.0, np.inf])


def test_divergence_agrees_with_scipy():
    rng = np.random.default_rng(2)
    p, q = ac.softmax(rng.normal(size=(30, 50)) * 5), ac.softmax(rng.normal(size=(30, 50)) * 5)
    np.testing.assert_allclose(ac.kl_divergence(p, q), scipy.special.rel_entr(p, q).sum(axis=-1), rtol=1e-13)


def test_divergence_of_nearly_equal_weights_keeps_its_digits():
    d = 2.0**-23
    right = 0.5 * math.log1p(-4 * d * d) * -1  # exact in real arithmetic: -(1/2) log(1 - 4 d^2)
    assert ac.kl_divergence([0.5, 0.5], [0.5 + d, 0.5 - d]) == pytest.approx(right, rel=1e-8, abs=0)
    assert ac.kl_divergence([0.3, 0.7], [0.3, 0.7]) == 0.0


def test_divergence_of_subnormal_weights():
    # mpmath: -log(1e-320) = 736.8272408909739 on the float64 nearest to 1e-320
    assert ac.kl_divergence([1.0, 0.0], [1e-320, 1.0]) == pytest.approx(736.8272408909739, rel=1e-14, abs=0)
    assert ac.kl_divergence([1e-320, 1.0], [1.0 - 1e-7, 1e-7]) == pytest.approx(-math.log(1e-7), rel=1e-6, abs=0)
