"""Score functions: the published formulas, the registry, the parameters."""

import math

import numpy as np
import pytest

import attention_core as ac

every_score = pytest.mark.parametrize("name", ac.SCORES)
SIZES = {"d_s": 3, "d_h": 4, "d_a": 5}


def inputs(name, seed=0, T_y=2, T_x=6):
    """States, annotations and parameters that fit a score function."""
    rng = np.random.default_rng(seed)
    sizes = SIZES if ac.SCORES[name].parameters else SIZES | {"d_s": SIZES["d_h"]}
    s, h = rng.standard_normal((T_y, sizes["d_s"])), rng.standard_normal((T_x, sizes["d_h"]))
    return s, h, ac.random_parameters(name, rng, **sizes)


# Three words whose annotations are (1, 0), (0, 1), (1, 1); the state before the step is (1, 0), at the step (0, 1).
H = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
BEFORE, AT = [1.0, 0.0], [0.0, 1.0]
HALF, ONE = [[0.5, 0.0], [0.0, 0.5]], [[1.0, 0.0], [0.0, 1.0]]


def test_additive_uses_the_state_before_the_step():
    assert ac.SCORES["additive"].state == "previous"
    # mpmath: tanh(1.5) + tanh(0), tanh(0.5) + tanh(1), tanh(1.5) + tanh(1)
    scores = ac.additive(BEFORE, H, W_a=HALF, U_a=ONE, v_a=[1.0, 1.0])
    np.testing.assert_allclose(scores, [0.90514825364486644, 1.2237113132157746, 1.6667424096006313], rtol=1e-15)
    # mpmath, softmax of the above and the blend of H
    step = ac.attend(scores, H)
    np.testing.assert_allclose(step.weights, [0.22139381480209896, 0.30444977855656741, 0.47415640664133364], rtol=1e-15)
    np.testing.assert_allclose(step.context, [0.69555022144343259, 0.77860618519790105], rtol=1e-15)


@pytest.mark.parametrize("name", ("dot", "general", "concat", "scaled dot"))
def test_the_others_use_the_state_at_the_step(name):
    assert ac.SCORES[name].state == "current"


def test_dot_with_the_state_at_the_step():
    # mpmath: softmax of (0, 1, 1) and the blend of H
    step = ac.attend(ac.dot(AT, H), H)
    np.testing.assert_allclose(step.weights, [0.15536240349696361, 0.42231879825151820, 0.42231879825151820], rtol=1e-15)
    np.testing.assert_allclose(step.context, [0.57768120174848180, 0.84463759650303639], rtol=1e-15)
    # With the state before the step the first two words change places.
    np.testing.assert_array_equal(ac.dot(BEFORE, H), [1.0, 0.0, 1.0])


def test_general_joins_a_state_and_annotations_of_different_sizes():
    # By hand: s^T W = (1, -1, 1), so the scores are 1 - 2 + 3, -1 and 1 + 1.
    h = [[1, 2, 3], [0, 1, 0], [1, 0, 1]]
    scores = ac.general([1, -1], h, W_a=[[1, 0, 2], [0, 1, 1]])
    np.testing.assert_array_equal(scores, [2.0, -1.0, 2.0])
    # mpmath: softmax of (2, -1, 2); words 1 and 3 tie exactly
    step = ac.attend(scores, h)
    assert step.weights[0] == step.weights[2]
    np.testing.assert_allclose(step.weights, [0.48785555116036840, 0.024288897679263207, 0.48785555116036840], rtol=1e-15)
    np.testing.assert_allclose(step.context, [0.97571110232073679, 1.0, 1.9514222046414736], rtol=1e-15)


@pytest.mark.parametrize(
    ("divisor", "largest_weight"),
    # mpmath: the first weight of softmax((4, 2, -2) / divisor)
    [
        (math.sqrt(2), 0.79523727274456824),  # the size of a key: right
        (math.sqrt(8), 0.61998511804500612),  # the size of the model
        (2.0, 0.70538451269824116),  # no square root
        (1 / math.sqrt(2), 0.94400873503559540),  # multiplied
        (1.0, 0.87887824273215090),  # not scaled at all
    ],
)
def test_scaled_dot_divides_by_the_root_of_the_size_of_a_key(divisor, largest_weight):
    q, keys = [2.0, 2.0], [[1.0, 1.0], [0.0, 1.0], [-1.0, 0.0]]
    assert ac.softmax(ac.dot(q, keys), temperature=divisor)[0] == pytest.approx(largest_weight, rel=1e-14, abs=0)
    right = ac.softmax(ac.scaled_dot(q, keys))
    assert (right[0] == pytest.approx(largest_weight, rel=1e-14, abs=0)) == (divisor == math.sqrt(2))


def test_concat_reads_the_state_first():
    # mpmath: 2 tanh(0.5 * 1 + 1 * 0), 2 tanh(0.5 * 1 + 1 * 1)
    scores = ac.concat([1.0], [[0.0], [1.0]], W_a=[[0.5, 1.0]], v_a=[2.0])
    np.testing.assert_allclose(scores, [0.92423431452001969, 1.8102965072897329], rtol=1e-15)


# Each formula once more, one pair (t, i) at a time, as the papers write it.
FORMULAS = {
    "additive": lambda s, h, W_a, U_a, v_a: v_a @ np.tanh(W_a @ s + U_a @ h),
    "dot": lambda s, h: s @ h,
    "general": lambda s, h, W_a: s @ W_a @ h,
    "concat": lambda s, h, W_a, v_a: v_a @ np.tanh(W_a @ np.concatenate([s, h])),
    "scaled dot": lambda s, h: s @ h / math.sqrt(len(h)),
}


@every_score
def test_every_pair_follows_the_published_formula(name):
    s, h, parameters = inputs(name)
    grid = ac.SCORES[name].function(s, h, **parameters)
    assert grid.dtype == np.float64
    for t, state in enumerate(s):
        for i, annotation in enumerate(h):
            assert grid[t, i] == pytest.approx(FORMULAS[name](state, annotation, **parameters), rel=1e-13, abs=1e-14)


@every_score
def test_one_step_is_one_row_of_the_grid(name):
    s, h, parameters = inputs(name, T_y=3)
    score = ac.SCORES[name].function
    grid = score(s, h, **parameters)
    assert grid.shape == (3, 6)
    for t in range(3):
        assert score(s[t], h, **parameters).shape == (6,)
        np.testing.assert_allclose(score(s[t], h, **parameters), grid[t], rtol=1e-13, atol=1e-14)


@every_score
def test_one_step_and_one_word(name):
    s, h, parameters = inputs(name, T_y=1, T_x=1)
    assert ac.SCORES[name].function(s, h, **parameters).shape == (1, 1)


def test_additive_in_blocks_is_additive_at_once():
    # 40 x 50 x 64 numbers: more than one block of steps
    rng = np.random.default_rng(8)
    s, h = rng.normal(size=(40, 5)), rng.normal(size=(50, 6))
    parameters = ac.random_parameters("additive", rng, d_s=5, d_h=6, d_a=64)
    np.testing.assert_allclose(
        ac.additive(s, h, **parameters), ac.additive_stages(s, h, **parameters).scores, rtol=1e-13, atol=1e-14
    )


# Additive, taken apart


def test_additive_stages_lead_to_the_scores():
    s, h, p = inputs("additive")
    stages = ac.additive_stages(s, h, **p)
    assert [stage.shape for stage in stages] == [(2, 5), (6, 5), (2, 6, 5), (2, 6, 5), (2, 6)]
    np.testing.assert_allclose(stages.projected_state, s @ p["W_a"].T, rtol=1e-14)
    np.testing.assert_allclose(stages.projected_annotations, h @ p["U_a"].T, rtol=1e-14)
    for t in range(2):
        for i in range(6):
            np.testing.assert_array_equal(stages.summed[t, i], stages.projected_state[t] + stages.projected_annotations[i])
    np.testing.assert_allclose(stages.bent, np.tanh(stages.summed), rtol=1e-15)
    np.testing.assert_allclose(stages.scores, stages.bent @ p["v_a"], rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(stages.scores, ac.additive(s, h, **p), rtol=1e-13, atol=1e-14)


def test_additive_stages_of_one_step():
    s, h, p = inputs("additive")
    stages = ac.additive_stages(s[0], h, **p)
    assert [stage.shape for stage in stages] == [(5,), (6, 5), (6, 5), (6, 5), (6,)]


def test_without_the_bend_every_step_gets_the_same_weights():
    # v^T (W s + U h) = a_t + b_i, and softmax forgets a_t.
    s, h, p = inputs("additive", T_y=4)
    straight = ac.additive_stages(s, h, **p).summed @ p["v_a"]
    weights = ac.softmax(straight)
    np.testing.assert_allclose(weights, np.tile(weights[0], (4, 1)), rtol=1e-13)
    assert np.ptp(ac.softmax(ac.additive(s, h, **p)), axis=0).max() > 0.01


# Registry


def test_the_registry_in_teaching_order():
    assert list(ac.SCORES) == ["additive", "dot", "general", "concat", "scaled dot"]
    assert all(card.name == name for name, card in ac.SCORES.items())


def test_the_registry_cannot_be_changed_by_accident():
    with pytest.raises(TypeError):
        ac.SCORES["dot"] = ac.SCORES["general"]
    with pytest.raises(TypeError):
        ac.SCORES["dot"].parameters["W_a"] = ("d_s", "d_h")
    with pytest.raises(AttributeError):
        ac.SCORES["dot"].name = "product"


@every_score
def test_a_card_names_its_formula_and_its_source(name):
    card = ac.SCORES[name]
    assert "hᵢ" in card.formula
    assert ("sₜ₋₁" in card.formula) == (card.state == "previous")
    assert "section 3" in card.source or "A.1.2" in card.source
    assert all(symbol[0] + "ₐ" in card.formula for symbol in card.parameters)


# Parameters


@every_score
def test_random_parameters_have_the_declared_shapes(name):
    drawn = ac.random_parameters(name, np.random.default_rng(0), **SIZES)
    sizes = SIZES | {"d_s + d_h": 7}
    assert {symbol: array.shape for symbol, array in drawn.items()} == {
        symbol: tuple(sizes[axis] for axis in axes) for symbol, axes in ac.SCORES[name].parameters.items()
    }


def test_the_same_seed_draws_the_same_parameters():
    first, again, other = (ac.random_parameters("additive", np.random.default_rng(k), **SIZES) for k in (3, 3, 4))
    for symbol in first:
        np.testing.assert_array_equal(first[symbol], again[symbol])
        assert (first[symbol] != other[symbol]).all()


def test_random_parameters_keep_scores_near_size_1():
    rng = np.random.default_rng(0)
    drawn = ac.random_parameters("general", rng, d_s=200, d_h=300, d_a=1)
    assert np.std(drawn["W_a"]) == pytest.approx(1 / math.sqrt(300), rel=0.02, abs=0)
