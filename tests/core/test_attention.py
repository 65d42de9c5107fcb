"""attend(): scores, weights and context together; coverage."""

import warnings

import numpy as np
import pytest

import attention_core as ac


@pytest.fixture(autouse=True)
def loud():
    """Make every floating-point event an error: the core must cope without a word."""
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        yield


H = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])


def test_one_step():
    # By hand: the scores 0, 0, 0 give the plain mean of the rows of H.
    step = ac.attend([0.0, 0.0, 0.0], H)
    np.testing.assert_allclose(step.weights, [1 / 3] * 3, rtol=1e-15)
    np.testing.assert_allclose(step.context, [4 / 3, 1.0], rtol=1e-15)
    assert step.context.shape == (2,)


def test_all_steps_are_the_single_steps_stacked():
    e = np.random.default_rng(0).normal(size=(4, 3))
    together = ac.attend(e, H, temperature=0.7)
    assert together.context.shape == (4, 2)
    for t in range(4):
        alone = ac.attend(e[t], H, temperature=0.7)
        np.testing.assert_array_equal(together.weights[t], alone.weights)
        np.testing.assert_array_equal(together.context[t], alone.context)


def test_the_weights_are_those_of_softmax():
    e = np.random.default_rng(1).normal(size=(4, 3)) * 3
    mask = np.array([True, False, True])
    step = ac.attend(e, H, temperature=2.5, mask=mask)
    np.testing.assert_array_equal(step.scores, e)
    np.testing.assert_array_equal(step.weights, ac.softmax(e, temperature=2.5, mask=mask))
    np.testing.assert_allclose(step.context, step.weights @ H, rtol=1e-14)


def test_nearly_all_the_weight_on_one_word_is_a_look_up():
    np.testing.assert_array_equal(ac.attend([0.0, 800.0, 1.0], H).context, H[1])


def test_one_source_word_is_the_context_at_every_step():
    step = ac.attend([[-3.0], [900.0]], [[0.1, -0.7, 1e-300]])
    np.testing.assert_array_equal(step.weights, [[1.0], [1.0]])
    np.testing.assert_array_equal(step.context, [[0.1, -0.7, 1e-300]] * 2)


def test_a_masked_word_does_not_reach_the_context():
    with_giant = np.vstack([H, [1e300, -1e300]])
    step = ac.attend([0.3, 2.1, 0.5, 9.0], with_giant, mask=[True, True, True, False])
    np.testing.assert_allclose(step.context, ac.attend([0.3, 2.1, 0.5], H).context, rtol=1e-15)


@pytest.mark.parametrize("n", (1, 3, 4095))
def test_the_mean_of_equal_words_is_that_word(n):
    # A matrix product drifts by more than 100 units in the last place over 4095 words.
    context = ac.attend(np.zeros(n), np.full((n, 2), [0.1, -1e300])).context
    np.testing.assert_allclose(context, [0.1, -1e300], rtol=3e-16)


def test_the_largest_annotations_do_not_overflow():
    largest = np.finfo(float).max
    np.testing.assert_allclose(ac.attend([0.0, 0.0], [[largest], [largest]]).context, [largest], rtol=1e-15)
    np.testing.assert_array_equal(ac.attend([0.0, 0.0], [[largest], [-largest]]).context, [0.0])


def test_the_smallest_annotations_do_not_vanish():
    # The mean of 4096 annotations of 1000 steps of 5e-324; each product alone is below one step.
    context = ac.attend(np.zeros(4096), np.full((4096, 1), 1000 * 5e-324)).context
    np.testing.assert_array_equal(context, [1000 * 5e-324])


def test_the_result_can_be_unpacked_but_not_changed():
    step = ac.attend([0.0, 1.0, 2.0], H)
    scores, weights, context = step
    assert scores is step.scores
    assert weights is step.weights
    assert context is step.context
    with pytest.raises(AttributeError):
        step.weights = weights


def test_the_scores_are_a_copy():
    e = np.array([0.0, 1.0, 2.0])
    step = ac.attend(e, H)
    e[0] = 9.0
    np.testing.assert_array_equal(step.scores, [0.0, 1.0, 2.0])


# Coverage


def test_coverage_is_the_column_sums():
    np.testing.assert_array_equal(ac.coverage([[1.0, 0.0], [0.5, 0.5], [0.25, 0.75]]), [1.75, 1.25])


def test_coverage_adds_up_to_the_number_of_steps():
    weights = ac.softmax(np.random.default_rng(2).normal(size=(50, 7)))
    assert ac.coverage(weights).shape == (7,)
    assert ac.coverage(weights).sum() == pytest.approx(50, rel=1e-14, abs=0)
