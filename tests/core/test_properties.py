"""Laws that hold for every input, tried on many. The examples are the same on every run."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import attention_core as ac

law = settings(max_examples=100, derandomize=True, deadline=None, database=None)

scores = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=1, max_dims=2, max_side=40),
    elements=st.one_of(st.floats(-50, 50), st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([0.0, 1.0, -745.0])),
)
rows = hnp.arrays(np.float64, st.integers(1, 200), elements=st.floats(-30, 30))
temperatures = st.floats(0.01, 100)
seeds = st.integers(0, 2**32 - 1)


def annotations(n, seed, d_h=3):
    return np.random.default_rng(seed).standard_normal((n, d_h))


@law
@given(scores, temperatures)
def test_a_row_of_weights_adds_up_to_1_and_stays_between_0_and_1(e, temperature):
    weights = ac.softmax(e, temperature=temperature)
    assert weights.shape == e.shape
    assert (weights >= 0).all()
    assert (weights <= 1).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1.0, rtol=1e-14)


@law
@given(scores, temperatures)
def test_a_higher_score_never_gets_less(e, temperature):
    weights = ac.softmax(e, temperature=temperature)
    order = np.argsort(e, axis=-1, kind="stable")
    sorted_weights = np.take_along_axis(weights, order, axis=-1)
    # Two scores may be so close that rounding decides; 4 units in the last place are allowed to it.
    assert (np.diff(sorted_weights, axis=-1) >= -1e-15 * sorted_weights[..., 1:]).all()


@law
@given(hnp.arrays(np.float64, st.integers(1, 100), elements=st.integers(-500, 500).map(float)), st.integers(-(10**6), 10**6))
def test_adding_a_constant_to_all_scores_changes_nothing(e, constant):
    # Whole numbers, so that the addition itself rounds nothing.
    np.testing.assert_array_equal(ac.softmax(e + constant), ac.softmax(e))


@law
@given(rows, temperatures)
def test_dividing_the_scores_is_a_temperature(e, temperature):
    divided = e / temperature
    tolerance = 1e-15 * (4 + 2 * np.ptp(divided))
    np.testing.assert_allclose(ac.softmax(e, temperature=temperature), ac.softmax(divided), rtol=tolerance, atol=1e-300)


@law
@given(rows, seeds)
def test_shuffled_words_take_their_weights_along_and_leave_the_context(e, seed):
    h = annotations(len(e), seed)
    order = np.random.default_rng(seed).permutation(len(e))
    step, shuffled = ac.attend(e, h), ac.attend(e[order], h[order])
    np.testing.assert_allclose(shuffled.weights, step.weights[order], rtol=4e-16)
    np.testing.assert_allclose(shuffled.context, step.context, rtol=1e-15, atol=1e-15 * np.abs(h).max())


@law
@given(rows, seeds)
def test_the_context_never_leaves_the_box_around_the_annotations(e, seed):
    h = annotations(len(e), seed)
    context = ac.attend(e, h).context
    slack = 1e-15 * np.abs(h).max()
    assert (context >= h.min(axis=0) - slack).all()
    assert (context <= h.max(axis=0) + slack).all()


@law
@given(scores, seeds)
def test_masked_is_exactly_0_and_the_rest_is_as_if_they_were_not_there(e, seed):
    e = np.clip(e, -1e300, 1e300)
    rng = np.random.default_rng(seed)
    mask = rng.random(e.shape) < 0.6
    mask[..., rng.integers(e.shape[-1])] = True
    weights = ac.softmax(e, mask=mask)
    assert (weights[~mask] == 0.0).all()
    for got, row, kept in zip(np.atleast_2d(weights), np.atleast_2d(e), np.atleast_2d(mask), strict=True):
        np.testing.assert_allclose(got[kept], ac.softmax(row[kept]), rtol=1e-15)


@law
@given(scores, temperatures)
def test_entropy_lies_between_0_and_log_of_the_length(e, temperature):
    weights, n = ac.softmax(e, temperature=temperature), e.shape[-1]
    H = ac.entropy(weights)
    assert np.shape(H) == e.shape[:-1]
    assert (H >= 0).all()
    assert not np.signbit(H).any()
    assert (math.log(n) + 1e-14 >= H).all()
    np.testing.assert_allclose(ac.entropy(weights, base=2), H / math.log(2), rtol=1e-14, atol=1e-320)
    assert ((ac.normalised_entropy(weights) >= 0) & (ac.normalised_entropy(weights) <= 1)).all()
    assert ((ac.effective_positions(weights) >= 1) & (ac.effective_positions(weights) <= n)).all()


@law
@given(rows, seeds)
def test_entropy_does_not_depend_on_the_order(e, seed):
    weights = ac.softmax(e)
    shuffled = np.random.default_rng(seed).permutation(weights)
    np.testing.assert_allclose(ac.entropy(shuffled), ac.entropy(weights), rtol=1e-15)


@law
@given(rows, seeds)
def test_divergence_is_not_negative_and_0_only_from_itself(e, seed):
    p = ac.softmax(e)
    q = ac.softmax(e + np.random.default_rng(seed).normal(size=len(e)))
    assert ac.kl_divergence(p, q) >= 0
    assert ac.kl_divergence(p, p) == 0


@law
@given(hnp.arrays(np.float64, st.integers(1, 12), elements=st.floats(-20, 20)), st.floats(0.1, 10))
def test_the_jacobian_is_symmetric_and_its_rows_add_up_to_0(e, temperature):
    weights = ac.softmax(e, temperature=temperature)
    jacobian = ac.softmax_jacobian(weights, temperature=temperature)
    np.testing.assert_array_equal(jacobian, jacobian.T)
    np.testing.assert_allclose(jacobian.sum(axis=1), 0.0, atol=1e-15 / temperature)
    assert (np.diag(jacobian) >= 0).all()


@law
@given(seeds, st.integers(1, 6), st.integers(1, 6), st.integers(1, 6), st.floats(0, 1e3))
def test_the_additive_score_is_bounded_by_v(seed, d_s, d_h, d_a, size):
    rng = np.random.default_rng(seed)
    parameters = ac.random_parameters("additive", rng, d_s=d_s, d_h=d_h, d_a=d_a)
    scores = ac.additive(size * rng.normal(size=(3, d_s)), size * rng.normal(size=(4, d_h)), **parameters)
    assert (np.abs(scores) <= np.abs(parameters["v_a"]).sum() * (1 + 1e-15)).all()


@law
@given(rows, seeds)
def test_inputs_are_left_as_they_were(e, seed):
    n = len(e)
    rng = np.random.default_rng(seed)
    h, s, mask = annotations(n, seed), rng.normal(size=(2, 3)), rng.random(n) < 0.5
    mask[0] = True
    weights = ac.softmax(e)
    parameters = ac.random_parameters("additive", rng, d_s=3, d_h=3, d_a=2)
    joined = ac.random_parameters("concat", rng, d_s=3, d_h=3, d_a=2)
    given_arrays = [e, h, s, mask, weights, *parameters.values(), *joined.values()]
    before = [array.copy() for array in given_arrays]
    for array in given_arrays:
        array.setflags(write=False)
    for temperature in (1.0, 0.7, 2.0):
        ac.softmax(e, temperature=temperature, mask=mask)
        ac.softmax_stages(e, temperature=temperature, mask=mask)
        ac.log_softmax(e, temperature=temperature, mask=mask)
        ac.attend(e, h, temperature=temperature, mask=mask)
    ac.naive_softmax(e), ac.softmax_jacobian(weights), ac.coverage(weights[np.newaxis])
    ac.entropy(weights), ac.normalised_entropy(weights), ac.effective_positions(weights), ac.kl_divergence(weights, weights)
    ac.additive(s, h, **parameters), ac.additive_stages(s, h, **parameters), ac.concat(s, h, **joined)
    ac.dot(s, h), ac.scaled_dot(s, h), ac.general(s, h, np.eye(3))
    for array, copy in zip(given_arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)


@law
@given(rows)
def test_results_share_no_memory_with_the_inputs(e):
    h = annotations(len(e), 0)
    step, stages = ac.attend(e, h), ac.softmax_stages(e)
    for result in (*step, stages.shifted, stages.lifted, stages.weights, ac.softmax(e), ac.log_softmax(e)):
        assert not np.shares_memory(result, e)
        assert not np.shares_memory(result, h)
