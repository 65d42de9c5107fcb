"""Every refusal is one sentence: what, expected, got, remedy; rows and positions are counted from 1."""

import re
from fractions import Fraction

import numpy as np
import pytest

import attention_core as ac

INF, NAN = np.inf, np.nan
S, H = [1.0, 2.0], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
W, U, V = np.ones((4, 2)), np.ones((4, 3)), np.ones(4)

taking_scores = pytest.mark.parametrize(
    "function",
    [ac.softmax, ac.softmax_stages, ac.log_softmax, lambda e, **kw: ac.attend(e, np.ones((np.shape(e)[-1], 2)), **kw)],
    ids=["softmax", "softmax_stages", "log_softmax", "attend"],
)
taking_weights = pytest.mark.parametrize(
    "function",
    [
        ac.entropy,
        ac.normalised_entropy,
        ac.effective_positions,
        ac.softmax_jacobian,
        lambda w: ac.kl_divergence(w, w),
        lambda w: ac.coverage(np.atleast_2d(w)),
    ],
    ids=["entropy", "normalised_entropy", "effective_positions", "softmax_jacobian", "kl_divergence", "coverage"],
)


def refused(sentence):
    return pytest.raises(ValueError, match=re.escape(sentence))


@taking_scores
@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        ([1.0, NAN], "NaN at row 1, position 2 (counting from 1)"),
        ([[1.0, 2.0], [3.0, INF]], "+inf at row 2, position 2 (counting from 1)"),
        ([[1.0, 2.0], [-INF, -INF]], "row 2 of scores (counting from 1) has every position masked"),
        ([-INF], "row 1 of scores (counting from 1) has every position masked"),
        ([[1.0, -INF], [NAN, -INF]], "NaN at row 2, position 1"),
        ([[0.0] * 200, [0.0] * 199 + [NAN]], "NaN at row 2, position 200"),
        ([[0.0] * 200, [-INF] * 200], "row 2 of scores (counting from 1) has every position masked"),
    ],
)
def test_scores_that_have_no_softmax(function, scores, sentence):
    with refused(sentence):
        function(scores)


def test_the_cell_is_found_in_any_block():
    scores = np.zeros((300, 400))
    scores[250, 7] = NAN
    with refused("NaN at row 251, position 8"):
        ac.softmax(scores)


def test_a_stack_of_grids_is_counted_too():
    scores = np.zeros((3, 2, 4))
    scores[2, 0, 3] = INF
    with refused("+inf at row 3.1, position 4"):
        ac.softmax(scores)


@taking_scores
@pytest.mark.parametrize("temperature", (0.0, -1.0, NAN, INF, -INF, "warm", None, [1.0], np.array([1.0]), 10**400))
def test_temperatures_that_cannot_divide(function, temperature):
    with refused("temperature must be a finite number above 0 but is"):
        function([1.0, 2.0], temperature=temperature)


def test_jacobian_checks_the_temperature_too():
    with refused("temperature must be a finite number above 0 but is 0"):
        ac.softmax_jacobian([0.5, 0.5], temperature=0)


@taking_scores
@pytest.mark.parametrize(
    ("mask", "sentence"),
    [
        ([1, 0], "mask must be True (may be attended) or False but has type int"),
        ([0.0, -INF], "mask must be True (may be attended) or False but has type float64"),
        ([True, False, True], "mask has shape (3,) but scores has shape (2,)"),
        ([[True, False]] * 3, "mask has shape (3, 2) but scores has shape (2,)"),
        ([False, False], "row 1 of scores (counting from 1) has every position masked"),
    ],
)
def test_masks_that_do_not_fit(function, mask, sentence):
    with refused(sentence):
        function([1.0, 2.0], mask=mask)


@pytest.mark.parametrize(
    "function", [ac.softmax, ac.softmax_stages, ac.log_softmax, ac.naive_softmax, ac.entropy, ac.softmax_jacobian]
)
@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([], "is empty (shape (0,))"),
        ([[], []], "is empty (shape (2, 0))"),
        (1.0, "is a single number but must be a row"),
        (["1", "2"], "contains text"),
        ([[1.0, 2.0], [3.0]], "rows of different lengths"),
        ([1j, 1.0], "must be real numbers but has type complex128"),
        (np.array(["1", 2.0], dtype=object), "contains text"),
        ([object()], "contains something that is none"),
        ([10**400], "contains something that is none"),
        (np.ma.masked_array([1.0, 2.0], mask=[False, True]), "masked array"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), "must be real numbers but has type datetime64"),
    ],
)
def test_what_is_not_a_row_of_numbers(function, value, sentence):
    with refused(sentence):
        function(value)


def test_a_missing_value_is_not_a_score():
    with refused("NaN at row 1, position 2"):
        ac.softmax([1.0, None])


def test_numbers_of_every_kind_are_numbers():
    for value in ([0, 1], [Fraction(0), Fraction(1)], np.array([0, 1], dtype=np.float16), np.array([0, 1], dtype=">f8")):
        np.testing.assert_array_equal(ac.softmax(value), ac.softmax([0.0, 1.0]))


@taking_weights
@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([0.5, 0.4], "row 1 of {} (counting from 1) has sum 0.9 but must add up to 1 within 1e-06"),
        ([[0.5, 0.5], [1.0, 1.0]], "row 2 of {} (counting from 1) has sum 2 but must add up to 1"),
        ([[1.5, -0.5]], "{} has -0.5 at row 1, position 2 (counting from 1) in a row with sum 1"),
        ([0.5, NAN], "{} has NaN at row 1, position 2 (counting from 1) in a row with sum nan"),
        ([INF, 0.0], "{} has +inf at row 1, position 1 (counting from 1) in a row with sum inf"),
        ([0.9834, 0.0], "has sum 0.9834"),
        ([0.5, 0.5 + 2e-6], "has sum 1.000002"),
        ([1e308, 1e308], "has sum inf"),
    ],
)
def test_weights_that_are_no_distribution(function, weights, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence).replace(r"\{\}", "(weights|p)")):
        function(weights)


@taking_weights
def test_a_sum_that_is_off_by_rounding_is_accepted(function):
    function([0.5, 0.5 + 9e-7])
    function([0.5, 0.5 - 9e-7])


@pytest.mark.parametrize("base", (10, 3, 0, "2", 2.5))
@pytest.mark.parametrize("function", [ac.entropy, lambda w, base: ac.kl_divergence(w, w, base=base)], ids=["entropy", "kl"])
def test_bases_other_than_nats_and_bits(function, base):
    with refused(f"base must be None (nats) or 2 (bits) but is {base!r}"):
        function([0.5, 0.5], base=base)


@pytest.mark.parametrize(("p", "q"), [([1.0, 0.0], [1.0, 0.0, 0.0]), ([1.0], [0.5, 0.5]), ([[1.0, 0.0]] * 2, [[1.0, 0.0]] * 3)])
def test_divergence_of_different_positions(p, q):
    with refused(f"p has shape {np.shape(p)} but q has shape {np.shape(q)}"):
        ac.kl_divergence(p, q)


@pytest.mark.parametrize(
    ("scores", "annotations", "sentence"),
    [
        ([1.0, 2.0, 3.0], H, "scores has 3 positions but annotations has 2 rows: both must have one per source word (T_x)"),
        ([1.0, 2.0], [1.0, 2.0], "annotations has shape (2,) but must be (T_x, d_h)"),
        ([1.0, 2.0], [[1.0], [NAN]], "annotations has NaN at row 2, column 1 (counting from 1)"),
        (np.zeros((2, 2, 2)), H, "scores has shape (2, 2, 2) but must be (T_x,) for one decoder step or (T_y, T_x)"),
    ],
)
def test_attend_needs_one_annotation_per_position(scores, annotations, sentence):
    with refused(sentence):
        ac.attend(scores, annotations)


def test_coverage_needs_a_grid():
    with refused("weights has shape (2,) but must be (T_y, T_x)"):
        ac.coverage([0.5, 0.5])


@pytest.mark.parametrize("name", ("dot", "scaled dot"))
def test_dot_names_both_sizes_and_what_still_works(name):
    sentence = f"{name} needs d_s = d_h but s has 2 numbers and h has 3: general, additive and concat still work"
    with refused(sentence):
        ac.SCORES[name].function(S, H)


@pytest.mark.parametrize(
    ("function", "parameters", "sentence"),
    [
        (ac.additive, (W, np.ones((4, 4)), V), "h has 3 columns but U_a expects 4: annotations and U_a must share d_h"),
        (ac.additive, (np.ones((4, 3)), U, V), "s has 2 numbers but W_a expects 3: decoder state and W_a must share d_s"),
        (ac.additive, (W, np.ones((5, 3)), V), "W_a has 4 rows but U_a expects 5: W_a and U_a must share d_a"),
        (ac.additive, (W, U, np.ones(1)), "W_a has 4 rows but v_a expects 1: W_a and v_a must share d_a"),
        (ac.additive, (W, U, V[np.newaxis]), "v_a has shape (1, 4) but must be (d_a,): give it 1 axis"),
        (ac.additive, (V, U, V), "W_a has shape (4,) but must be (d_a, d_s): give it 2 axes"),
        (ac.additive_stages, (W, U, np.ones(3)), "W_a has 4 rows but v_a expects 3: W_a and v_a must share d_a"),
        (ac.general, (np.ones((3, 2)),), "s has 2 numbers but W_a expects 3: decoder state and W_a must share d_s"),
        (ac.general, (np.ones((2, 1)),), "h has 3 columns but W_a expects 1: annotations and W_a must share d_h"),
        (ac.concat, (np.ones((4, 4)), V), "s and h together have 2 + 3 = 5 numbers but W_a expects 4"),
        (ac.concat, (np.ones((4, 5)), np.ones(2)), "W_a has 4 rows but v_a expects 2: W_a and v_a must share d_a"),
    ],
)
def test_sizes_that_should_agree(function, parameters, sentence):
    with refused(sentence):
        function(S, H, *parameters)


def test_a_grid_of_states_has_columns():
    with refused("s has 2 columns but W_a expects 3"):
        ac.additive([S, S], H, np.ones((4, 3)), U, V)


@pytest.mark.parametrize(
    ("s", "h", "sentence"),
    [
        (1.0, H, "s has shape () but must be (d_s,) for one decoder step or (T_y, d_s)"),
        (np.ones((1, 1, 2)), H, "s has shape (1, 1, 2) but must be (d_s,)"),
        (S, [1.0, 2.0], "h has shape (2,) but must be (T_x, d_h)"),
        (S, [], "h is empty"),
        ([], H, "s is empty"),
    ],
)
@pytest.mark.parametrize("name", ac.SCORES)
def test_states_and_annotations_of_the_wrong_shape(name, s, h, sentence):
    parameters = {symbol: np.ones((1,) * len(axes)) for symbol, axes in ac.SCORES[name].parameters.items()}
    with refused(sentence):
        ac.SCORES[name].function(s, h, **parameters)


@pytest.mark.parametrize("name", ac.SCORES)
@pytest.mark.parametrize("value", (NAN, INF, -INF))
def test_an_infinite_input_is_named_and_never_becomes_a_score(name, value):
    # tanh(inf) is 1, so an infinity could pass for an ordinary number; -inf as a score would pass for a mask.
    rng = np.random.default_rng(0)
    given = {"s": rng.normal(size=(2, 3)), "h": rng.normal(size=(4, 3))}
    given |= ac.random_parameters(name, rng, d_s=3, d_h=3, d_a=5)
    for symbol, array in given.items():
        broken = array.copy()
        broken.flat[-1] = value
        place = f"row {array.shape[0] if array.ndim == 2 else 1}, column {array.shape[-1]}"
        shown = "NaN" if np.isnan(value) else f"{value:+}"
        with refused(f"{symbol} has {shown} at {place} (counting from 1)"):
            ac.SCORES[name].function(**(given | {symbol: broken}))


@pytest.mark.parametrize("name", ("dot", "general", "scaled dot"))
@pytest.mark.parametrize("sign", (1, -1))
def test_a_product_that_overflows_is_refused(name, sign):
    parameters = {"W_a": [[1.0]]} if name == "general" else {}
    with refused("hold numbers so large that their product is above 1.8e308"):
        ac.SCORES[name].function([sign * 1e200], [[1e200]], **parameters)


def test_random_parameters_refuse_unknown_names_and_empty_sizes():
    rng = np.random.default_rng(0)
    with refused("no score function 'cosine': choose one of additive, dot, general, concat, scaled dot"):
        ac.random_parameters("cosine", rng, d_s=1, d_h=1, d_a=1)
    with refused("d_h is 0 but must be at least 1"):
        ac.random_parameters("dot", rng, d_s=1, d_h=0, d_a=1)
