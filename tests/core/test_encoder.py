"""Cells and the encoder, against loops in plain Python."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import attention_core as ac
from tests.core import loops

law = settings(max_examples=60, derandomize=True, deadline=None, database=None)
every_cell = pytest.mark.parametrize("name", ac.CELLS)
both_ways = pytest.mark.parametrize("bidirectional", [False, True])


def encoder(name="GRU", seed=0, d_x=3, d_h=5, bidirectional=False):
    return ac.random_encoder(np.random.default_rng(seed), cell=name, d_x=d_x, d_h=d_h, bidirectional=bidirectional, gain=1.5)


def sentence(T_x=6, d_x=3, seed=1):
    return np.random.default_rng(seed).standard_normal((T_x, d_x))


# --- Cells -----------------------------------------------------------------------------------------------------------


@every_cell
def test_a_cell_is_its_formula(name):
    rng = np.random.default_rng(3)
    parameters = ac.random_cell(name, rng, d_x=4, d=3, gain=2.0)
    x, s = rng.standard_normal(4), rng.uniform(-1, 1, 3)
    right = loops.cell(name, x, s, parameters)
    np.testing.assert_allclose(ac.CELLS[name].function(x, s, **parameters), right, rtol=0, atol=1e-12)
    # Lists will do as well as arrays.
    lists = {symbol: matrix.tolist() for symbol, matrix in parameters.items()}
    np.testing.assert_allclose(ac.CELLS[name].function(x.tolist(), s.tolist(), **lists), right, rtol=0, atol=1e-12)


def test_gru_of_single_numbers_with_fifty_digits():
    with mpmath.workdps(50):
        x, s = mpmath.mpf("0.8"), mpmath.mpf("-0.3")
        z = 1 / (1 + mpmath.exp(-(mpmath.mpf("0.5") * x + mpmath.mpf("-1.5") * s)))
        r = 1 / (1 + mpmath.exp(-(mpmath.mpf("2") * x + mpmath.mpf("0.25") * s)))
        right = float((1 - z) * s + z * mpmath.tanh(mpmath.mpf("-1") * x + mpmath.mpf("3") * r * s))
    got = ac.gru_cell([0.8], [-0.3], W=[[-1.0]], U=[[3.0]], W_z=[[0.5]], U_z=[[-1.5]], W_r=[[2.0]], U_r=[[0.25]])
    assert got[0] == pytest.approx(right, rel=1e-14)


@every_cell
def test_the_stages_add_up_to_the_state(name):
    rng = np.random.default_rng(4)
    parameters = ac.random_cell(name, rng, d_x=2, d=3)
    x, s = rng.standard_normal(2), rng.uniform(-1, 1, 3)
    stages = ac.CELLS[name].stages(x, s, **parameters)
    np.testing.assert_array_equal(stages["s′"], ac.CELLS[name].function(x, s, **parameters))
    assert list(stages)[-1] == "s′"
    np.testing.assert_allclose(stages["W x"], loops.product(parameters["W"], x), rtol=0, atol=1e-12)
    if name == "GRU":
        np.testing.assert_allclose(stages["U (r ∘ s)"], loops.product(parameters["U"], stages["r"] * s), rtol=0, atol=1e-12)
        assert stages["z"] == pytest.approx([loops.squeezed(a) for a in stages["W_z x"] + stages["U_z s"]], abs=1e-12)
    else:
        assert stages["s′"] == pytest.approx([math.tanh(a) for a in stages["sum"]], abs=1e-12)


def test_sigmoid_at_any_size():
    a = [-1000.0, -30.0, -1e-9, 0.0, 2.0, 1000.0]
    with np.errstate(all="raise", under="ignore"):
        got = ac.sigmoid(a)
    np.testing.assert_allclose(got, [0.0, *map(loops.squeezed, a[1:5]), 1.0], rtol=0, atol=1e-15)


@every_cell
def test_a_parameter_of_another_size_is_named(name):
    parameters = ac.random_cell(name, np.random.default_rng(0), d_x=4, d=3)
    for symbol, matrix in parameters.items():
        wrong = {**parameters, symbol: np.vstack([matrix, matrix])}
        with pytest.raises(ValueError, match=rf"^{symbol} has shape \(6, \d\) but must be \(3, {matrix.shape[1]}\): one row per"):
            ac.CELLS[name].function(np.zeros(4), np.zeros(3), **wrong)
    with pytest.raises(ValueError, match=r"^W has shape \(3, 4\) but must be \(3, 5\)"):
        ac.CELLS[name].function(np.zeros(5), np.zeros(3), **parameters)
    with pytest.raises(ValueError, match=r"^s has shape \(1, 3\) but must be one row"):
        ac.CELLS[name].function(np.zeros(4), np.zeros((1, 3)), **parameters)


# --- Drawing ---------------------------------------------------------------------------------------------------------


@every_cell
def test_drawn_parameters_have_the_declared_shapes_and_depend_on_the_seed_alone(name):
    sizes = {"d": 3, "d_x": 4}
    one, again, other = (ac.random_cell(name, np.random.default_rng(seed), d_x=4, d=3) for seed in (5, 5, 6))
    assert list(one) == list(ac.CELLS[name].parameters)
    for symbol, axes in ac.CELLS[name].parameters.items():
        assert one[symbol].shape == tuple(sizes[axis] for axis in axes)
        np.testing.assert_array_equal(one[symbol], again[symbol])
        assert not np.array_equal(one[symbol], other[symbol])


def test_gain_multiplies_what_is_read_only():
    plain, loud = (ac.random_cell("GRU", np.random.default_rng(0), d_x=4, d=3, gain=gain) for gain in (1.0, 2.0))
    for symbol in plain:
        np.testing.assert_allclose(loud[symbol], plain[symbol] * (2.0 if symbol.startswith("W") else 1.0), rtol=1e-15)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda rng: ac.random_cell("LSTM", rng, d_x=1, d=1), "no cell 'LSTM': choose one of GRU, tanh"),
        (lambda rng: ac.random_cell("GRU", rng, d_x=0, d=1), "d_x is 0 but must be at least 1"),
        (lambda rng: ac.random_encoder(rng, d_x=2, d_h=0), "d is 0 but must be at least 1"),
        (
            lambda rng: ac.random_encoder(rng, d_x=2, d_h=1, bidirectional=True),
            "d_h is 1 but a bidirectional encoder needs at least 2",
        ),
        (lambda rng: ac.word_vectors(["a"], 0, 1), "size is 0 but must be at least 1"),
        (lambda rng: ac.word_vectors([], 2, 1), "there are no words"),
    ],
)
def test_what_cannot_be_drawn_is_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(np.random.default_rng(0))


# --- The encoder -----------------------------------------------------------------------------------------------------


@both_ways
@pytest.mark.parametrize("recurrence", [True, False])
@every_cell
def test_encode_is_the_loop(name, recurrence, bidirectional):
    e, x = encoder(name, bidirectional=bidirectional), sentence()
    right = loops.read(name, x, e.forward, recurrence)
    if bidirectional:
        backward = loops.read(name, x[::-1], e.backward, recurrence)[::-1]
        right = [[*f, *b] for f, b in zip(right, backward, strict=True)]
    got = ac.encode(x, e, recurrence=recurrence)
    assert got.shape == (6, e.d_h)
    np.testing.assert_allclose(got, right, rtol=0, atol=1e-12)


def test_the_forward_half_comes_first_and_the_backward_cell_starts_at_the_end():
    e, x = encoder(bidirectional=True), sentence()
    h = ac.encode(x, e)
    np.testing.assert_array_equal(h[:, :3], ac.encode(x, ac.Encoder(e.cell, e.forward)))
    # Its first state is at the last word and knows that word only.
    alone = ac.encode(x[-1:], ac.Encoder(e.cell, e.backward))
    np.testing.assert_array_equal(h[-1, 3:], alone[0])


@law
@given(st.sampled_from(list(ac.CELLS)), st.integers(1, 12), st.data())
def test_a_changed_word_changes_nothing_before_it(name, T_x, data):
    k = data.draw(st.integers(0, T_x - 1))
    x = sentence(T_x, seed=data.draw(st.integers(0, 99)))
    other = x.copy()
    other[k] += data.draw(st.floats(0.01, 3))
    one_way, two_ways = encoder(name), encoder(name, bidirectional=True)
    before, after = ac.encode(x, one_way), ac.encode(other, one_way)
    np.testing.assert_array_equal(before[:k], after[:k])
    assert (before[k] != after[k]).any()
    # Backwards the same holds for what comes after it.
    np.testing.assert_array_equal(ac.encode(x, two_ways)[k + 1 :, 3:], ac.encode(other, two_ways)[k + 1 :, 3:])
    # Without memory nobody else notices.
    changed = ac.encode(x, two_ways, recurrence=False) != ac.encode(other, two_ways, recurrence=False)
    assert [bool(row.any()) for row in changed] == [i == k for i in range(T_x)]


@law
@given(st.integers(1, 8), st.integers(0, 99), st.booleans())
def test_annotations_stay_between_minus_1_and_1(T_x, seed, bidirectional):
    h = ac.encode(100 * sentence(T_x, seed=seed), encoder(seed=seed, bidirectional=bidirectional))
    assert (np.abs(h) <= 1).all()


@both_ways
def test_last_state_is_what_each_cell_held_at_its_end(bidirectional):
    e, x = encoder(bidirectional=bidirectional), sentence()
    right = loops.read(e.cell, x, e.forward)[-1]
    if bidirectional:
        right = [*right, *loops.read(e.cell, x[::-1], e.backward)[-1]]
    np.testing.assert_allclose(ac.last_state(ac.encode(x, e), e), right, rtol=0, atol=1e-12)


def test_inputs_stay_as_they_are():
    e, x = encoder(bidirectional=True), sentence()
    copies = {symbol: matrix.copy() for symbol, matrix in e.forward.items()}
    kept = x.copy()
    h = ac.encode(x, e)
    h_kept = h.copy()
    ac.last_state(h, e)[:] = 9.0
    np.testing.assert_array_equal(x, kept)
    np.testing.assert_array_equal(h, h_kept)
    for symbol, matrix in copies.items():
        np.testing.assert_array_equal(e.forward[symbol], matrix)


@pytest.mark.parametrize(
    ("x", "sentence"),
    [
        (np.zeros((2, 4)), "x has 4 columns but W expects 3: word vectors and W must share d_x"),
        (np.zeros(3), r"x has shape \(3,\) but must be"),
        (np.zeros((0, 3)), "x is empty"),
        ([[0.0, np.nan, 0.0]], "x has NaN at row 1, column 2"),
        ([["a", "b", "c"]], "x must be numbers but contains text"),
    ],
)
def test_what_cannot_be_read_is_refused(x, sentence):
    with pytest.raises(ValueError, match=sentence):
        ac.encode(x, encoder())


def test_a_last_state_of_another_encoder_is_refused():
    with pytest.raises(ValueError, match="h has 4 columns but this encoder makes d_h = 5"):
        ac.last_state(np.zeros((2, 4)), encoder())


# --- Word vectors ----------------------------------------------------------------------------------------------------


def test_a_word_has_one_vector_in_any_script():
    words = ["étudiant", "学生", "طالب", "👩‍🎓", "<b>", "étudiant", "Étudiant", "e\u0301tudiant"]
    x = ac.word_vectors(words, 4, seed=7)
    assert x.shape == (8, 4)
    np.testing.assert_array_equal(x[0], x[5])
    assert len({tuple(row) for row in x.tolist()}) == 7
    # The word alone decides, not its neighbours; another seed is another table.
    np.testing.assert_array_equal(ac.word_vectors(["طالب"], 4, seed=7)[0], x[2])
    assert not np.array_equal(ac.word_vectors(["طالب"], 4, seed=8)[0], x[2])
