"""Softmax: known values, extreme scores, temperature, masks, stages, Jacobian."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.special

import attention_core as ac
from tests.core import exact

INF = np.inf


@pytest.fixture(autouse=True)
def loud():
    """Make every floating-point event an error, as a strict caller might: the core must cope without a word."""
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        yield


# mpmath.mp.dps = 60; x = [mpmath.exp(mpmath.mpf(e) - max) for e in scores]; [v / sum(x) for v in x]
GOLDEN = [
    ([0.3, 2.1, 0.5], [0.12090363050520820, 0.73142434172415247, 0.14767202777063934]),
    ([0.0, 0.0, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]),
    ([5.0], [1.0]),
    ([1000.0, 1000.0, 999.0], [0.42231879825151820, 0.42231879825151820, 0.15536240349696361]),
    ([-1000.0, -1001.0, -1002.0], [0.66524095577482189, 0.24472847105479765, 0.090030573170380458]),
    ([710.0, 709.0, 0.0], [0.73105857863000488, 0.26894142136999512, 3.2724274456831298e-309]),
    ([0.0, -745.0, -746.0], [1.0, 5e-324, 0.0]),  # 2.8e-324 rounds up to the smallest float64, 1.0e-324 down to 0
    ([1e308, -1e308, 0.0], [1.0, 0.0, 0.0]),
    ([-1e308, -1e308], [0.5, 0.5]),
    ([5e-324, 0.0], [0.5, 0.5]),
]


@pytest.mark.parametrize(("scores", "weights"), GOLDEN)
def test_known_values(scores, weights):
    np.testing.assert_allclose(ac.softmax(scores), weights, rtol=1e-15, atol=5e-324)


def test_known_values_in_exact_fractions():
    # The scores 0, ln 2 and ln 4 lift to 1, 2 and 4.
    weights = ac.softmax([0.0, np.log(2.0), np.log(4.0)])
    assert [Fraction(w).limit_denominator(100) for w in weights] == [Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)]


def test_single_precision_scores_are_computed_in_double():
    # mpmath, scores 89, 88, 0. In float32 exp(89) overflows.
    weights = ac.softmax(np.array([89, 88, 0], dtype=np.float32))
    assert weights.dtype == np.float64
    np.testing.assert_allclose(weights, [0.73105857863000488, 0.26894142136999512, 1.6283332395786615e-39], rtol=1e-15)


def test_agrees_with_scipy_on_a_stack_of_grids():
    e = np.random.default_rng(0).normal(size=(2, 3, 4, 5)) * 4
    np.testing.assert_allclose(ac.softmax(e), scipy.special.softmax(e, axis=-1), rtol=1e-14)


def test_runs_over_source_positions_not_over_steps():
    # mpmath. Over the other axis the rows would sum to 1.8028 and 1.1972.
    weights = ac.softmax([[1.0, 2.0, 3.0], [3.0, 1.0, 0.0]])
    right = [
        [0.090030573170380458, 0.24472847105479765, 0.66524095577482189],
        [0.84379473448133947, 0.11419519938459448, 0.042010066134066051],
    ]
    np.testing.assert_allclose(weights, right, rtol=1e-15)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=1e-15)


def test_one_source_word_takes_all_at_every_step():
    np.testing.assert_array_equal(ac.softmax([[-700.0], [0.0], [1e300]]), np.ones((3, 1)))


def test_where_float64_reaches_exactly_0_and_1():
    assert ac.softmax([0.0, -745.0])[1] > 0.0
    assert ac.softmax([0.0, -746.0])[1] == 0.0
    assert ac.softmax([36.0, 0.0])[0] < 1.0
    assert ac.softmax([38.0, 0.0])[0] == 1.0


# Temperature


def test_temperature_divides_the_scores():
    np.testing.assert_allclose(ac.softmax([1.0, 2.0, 4.0], temperature=2.0), ac.softmax([0.5, 1.0, 2.0]), rtol=1e-15)
    # mpmath, scores 1/0.7, 2/0.7, 4/0.7 with 0.7 as the float64 it is
    right = exact.softmax([1.0, 2.0, 4.0], 0.7)
    assert exact.worst(ac.softmax([1.0, 2.0, 4.0], temperature=0.7), right) <= 4


def test_temperature_sharpens_and_flattens_without_changing_the_order():
    scores = [0.3, 2.1, 0.5]
    cold, plain, hot = (ac.softmax(scores, temperature=T) for T in (0.1, 1.0, 10.0))
    assert cold[1] > plain[1] > hot[1] > 1 / 3
    assert list(np.argsort(cold)) == list(np.argsort(plain)) == list(np.argsort(hot))


def test_extreme_temperatures_are_a_hard_choice_and_a_plain_average():
    np.testing.assert_array_equal(ac.softmax([1.0, 3.0, 2.0], temperature=5e-324), [0.0, 1.0, 0.0])
    np.testing.assert_allclose(ac.softmax([1.0, 3.0, 2.0], temperature=1.7e308), [1 / 3] * 3, rtol=1e-15)
    np.testing.assert_array_equal(ac.softmax([2.0, 2.0, 1.0], temperature=1e-300), [0.5, 0.5, 0.0])


# Masks

SIX = [0.4, -0.2, 1.0, 0.3, -0.4, 0.0]
# mpmath over the first three scores
FIRST_THREE = [0.29665400068085553, 0.16280716746749876, 0.54053883185164571, 0.0, 0.0, 0.0]


def test_a_mask_takes_positions_out_before_the_sum():
    first_three = np.arange(6) < 3
    weights = ac.softmax(SIX, mask=first_three)
    np.testing.assert_allclose(weights, FIRST_THREE, rtol=1e-15, atol=0)
    assert (weights[3:] == 0.0).all()
    # The two usual mistakes: score 0 is an ordinary score, and a weight set to 0 afterwards leaves a sum of 0.62.
    assert ac.softmax(np.where(first_three, SIX, 0.0))[0] == pytest.approx(0.18580831143634156)
    assert np.where(first_three, ac.softmax(SIX), 0.0).sum() == pytest.approx(0.62477664303490571)


def test_minus_infinity_is_the_same_as_a_mask():
    scores = np.array([[1.0, 1.0, 100.0], [0.0, 7.0, 1.0]])
    mask = np.array([[True, True, False], [True, False, True]])
    by_mask = ac.softmax(scores, mask=mask)
    np.testing.assert_array_equal(by_mask, ac.softmax(np.where(mask, scores, -INF)))
    # mpmath: 1 / (1 + e) and e / (1 + e)
    np.testing.assert_allclose(by_mask, [[0.5, 0.5, 0.0], [0.26894142136999512, 0.0, 0.73105857863000488]], rtol=1e-15)


def test_one_row_of_mask_serves_every_step():
    scores = np.random.default_rng(1).normal(size=(3, 4))
    row = np.array([True, False, True, True])
    np.testing.assert_array_equal(ac.softmax(scores, mask=row), ac.softmax(scores, mask=np.tile(row, (3, 1))))


def test_what_stands_under_a_mask_is_not_looked_at():
    weights = ac.softmax([1.0, np.nan, INF, 1.0], mask=[True, False, False, True])
    np.testing.assert_array_equal(weights, [0.5, 0.0, 0.0, 0.5])


@pytest.mark.parametrize("temperature", (1.0, 0.7, 2.0, 1e-300, 1e300))
def test_masked_and_far_off_scores_get_0_at_any_temperature(temperature):
    scores = np.array([[0.0, -INF, -1e308, 0.0], [1e308, -INF, -1e308, 1e308]])
    weights = ac.softmax(scores, temperature=temperature)
    assert (weights[:, 1] == 0.0).all()
    np.testing.assert_allclose(weights[:, [0, 3]], 0.5, rtol=1e-15)
    np.testing.assert_array_equal(weights[:, 2], 0.0)


def test_a_masked_row_of_many_leaves_the_others_unharmed():
    # Long rows take another way through the sum than short ones.
    scores = np.random.default_rng(2).normal(size=(3, 500))
    masked = scores.copy()
    masked[1, ::2] = -INF
    np.testing.assert_array_equal(ac.softmax(masked)[[0, 2]], ac.softmax(scores)[[0, 2]])
    assert ac.softmax(masked)[1].sum() == pytest.approx(1.0, rel=1e-15, abs=0)


# Stages


def test_stages_of_the_running_example():
    # mpmath: exp(-1.8) = 0.16529888822158653830, exp(-1.6) = 0.20189651799465540849
    stages = ac.softmax_stages([0.3, 2.1, 0.5])
    np.testing.assert_allclose(stages.shifted, [-1.8, 0.0, -1.6], rtol=1e-15)
    np.testing.assert_allclose(stages.lifted, [0.16529888822158654, 1.0, 0.20189651799465541], rtol=1e-15)
    assert stages.total == pytest.approx(1.3671954062162419, rel=1e-15, abs=0)
    assert isinstance(stages.total, float)


@pytest.mark.parametrize("temperature", (1.0, 0.3, 5.0))
@pytest.mark.parametrize("mask", (None, [True, True, False, True]))
def test_stages_lead_to_the_weights(temperature, mask):
    scores = np.random.default_rng(3).normal(size=(2, 3, 4)) * 5
    stages = ac.softmax_stages(scores, temperature=temperature, mask=mask)
    kept = scores if mask is None else np.where(mask, scores, -INF)
    np.testing.assert_allclose(stages.shifted, (kept - kept.max(axis=-1, keepdims=True)) / temperature, rtol=1e-15)
    np.testing.assert_allclose(stages.lifted, np.exp(stages.shifted), rtol=1e-15)
    np.testing.assert_allclose(stages.total, stages.lifted.sum(axis=-1), rtol=1e-15)
    np.testing.assert_allclose(stages.weights, stages.lifted / stages.total[..., np.newaxis], rtol=1e-14)
    np.testing.assert_array_equal(stages.weights, ac.softmax(scores, temperature=temperature, mask=mask))


def test_stages_of_extreme_scores():
    stages = ac.softmax_stages([1e308, -1e308, -INF])
    np.testing.assert_array_equal(stages.shifted, [0.0, -INF, -INF])
    np.testing.assert_array_equal(stages.lifted, [1.0, 0.0, 0.0])
    assert stages.total == 1.0
    # With a temperature as large as the scores the gap is an ordinary one.
    np.testing.assert_array_equal(ac.softmax_stages([1e308, -1e308], temperature=1e308).shifted, [0.0, -2.0])


def test_log_softmax_of_masked_and_far_off_scores():
    np.testing.assert_array_equal(ac.log_softmax([0.0, -1000.0, -INF]), [0.0, -1000.0, -INF])
    # mpmath: log(1 / (1 + exp(-1))) = -0.31326168751822283405
    logarithm = ac.log_softmax([[5.0, 3.0, 4.0]], mask=[True, False, True], temperature=1.0)
    np.testing.assert_allclose(logarithm, [[-0.31326168751822283, -INF, -1.31326168751822283]], rtol=1e-15)
    np.testing.assert_allclose(ac.log_softmax([2.0, 0.0], temperature=2.0)[0], -0.31326168751822283, rtol=1e-15)


# Jacobian


@pytest.mark.parametrize("temperature", (1.0, 0.5, 3.0))
def test_jacobian_against_differences(temperature):
    e, step = np.array([0.3, 2.1, 0.5, -1.0]), 1e-5
    jacobian = ac.softmax_jacobian(ac.softmax(e, temperature=temperature), temperature=temperature)
    for j, nudge in enumerate(np.eye(4) * step):
        up, down = (ac.softmax(e + sign * nudge, temperature=temperature) for sign in (1, -1))
        np.testing.assert_allclose(jacobian[:, j], (up - down) / (2 * step), atol=1e-9)


def test_jacobian_in_exact_fractions():
    # diag(a) - a a^T with a = (1/2, 1/4, 1/4)
    right = np.array([[4, -2, -2], [-2, 3, -1], [-2, -1, 3]]) / 16
    np.testing.assert_array_equal(ac.softmax_jacobian([0.5, 0.25, 0.25]), right)
    np.testing.assert_array_equal(ac.softmax_jacobian([0.5, 0.25, 0.25], temperature=0.5), 2 * right)


def test_jacobian_of_a_grid_has_one_matrix_per_step():
    weights = ac.softmax(np.random.default_rng(4).normal(size=(2, 3)))
    together = ac.softmax_jacobian(weights)
    assert together.shape == (2, 3, 3)
    np.testing.assert_array_equal(together[1], ac.softmax_jacobian(weights[1]))


def test_a_hard_choice_has_no_gradient_and_no_minus_zero():
    jacobian = ac.softmax_jacobian([1.0, 0.0, 0.0])
    np.testing.assert_array_equal(jacobian, np.zeros((3, 3)))
    assert not np.signbit(jacobian).any()


def test_jacobian_keeps_its_digits_near_a_hard_choice():
    # a (1 - a) with a = 1 - 2^-40, in exact fractions; a - a^2 in float64 keeps only 4 digits of it.
    a = 1 - 2.0**-40
    assert ac.softmax_jacobian([a, 2.0**-40])[0, 0] == float(Fraction(a) * (1 - Fraction(a)))


# Naive


def test_naive_softmax_is_right_for_small_scores_only():
    np.testing.assert_allclose(ac.naive_softmax([0.3, 2.1, 0.5]), ac.softmax([0.3, 2.1, 0.5]), rtol=1e-15)
    np.testing.assert_array_equal(ac.naive_softmax([709.0, 0.0])[0], 1.0)
    np.testing.assert_array_equal(ac.naive_softmax([710.0, 709.0, 0.0]), [np.nan, 0.0, 0.0])
    np.testing.assert_array_equal(ac.naive_softmax([-746.0, -747.0]), [np.nan, np.nan])


def test_naive_softmax_of_a_grid():
    e = np.random.default_rng(7).normal(size=(3, 4))
    np.testing.assert_allclose(ac.naive_softmax(e), ac.softmax(e), rtol=1e-14)
