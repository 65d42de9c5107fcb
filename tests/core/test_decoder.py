"""The decoder, against loops in plain Python: each step in the one possible order."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import attention_core as ac
from tests.core import loops

SIZES = {"d_y": 2, "d_h": 3, "d_s": 4, "d_a": 5, "vocabulary": 6}
PARTS = ("scores", "weights", "context", "state", "probabilities")
law = settings(max_examples=40, derandomize=True, deadline=None, database=None)
every_cell = pytest.mark.parametrize("cell", ac.CELLS)


def setting(seed=0, T_x=3, T_y=4, cell="GRU"):
    """Annotations, s_0, target vectors and a decoder."""
    rng = np.random.default_rng(seed)
    h, s_0, y = rng.uniform(-1, 1, (T_x, 3)), rng.uniform(-1, 1, 4), rng.standard_normal((T_y, 2))
    return h, s_0, y, ac.random_decoder(rng, cell=cell, gain=2.0, **SIZES)


def looped(h, s_0, y, decoder, changed=None):
    """All steps in plain Python."""
    state, written, rows = list(map(float, s_0)), [0.0] * len(y[0]), []
    for t, word in enumerate(y):
        state = [(changed or {}).get((t, j), number) for j, number in enumerate(state)]
        rows.append({"before": state, **loops.write(decoder, state, written, h)})
        state, written = rows[-1]["state"], word
    return rows


def check(run, rows):
    for t, row in enumerate(rows):
        for part in ("before", *PARTS):
            np.testing.assert_allclose(getattr(run, part)[t], row[part], rtol=0, atol=1e-12, err_msg=f"{part}, step {t + 1}")


@every_cell
def test_decode_is_the_loop(cell):
    given_ = setting(cell=cell)
    run = ac.decode(*given_)
    assert [part.shape for part in run] == [(4, 4), (4, 3), (4, 3), (4, 3), (4, 4), (4, 6)]
    check(run, looped(*given_))


@law
@given(st.integers(0, 999), st.integers(1, 6), st.integers(1, 5))
def test_decode_is_the_loop_for_any_lengths(seed, T_x, T_y):
    given_ = setting(seed, T_x, T_y)
    check(ac.decode(*given_), looped(*given_))


def test_scores_use_the_state_before_the_step():
    h, s_0, y, decoder = setting()
    run = ac.decode(h, s_0, y, decoder)
    np.testing.assert_array_equal(run.before, [s_0, *run.state[:-1]])
    for t in range(4):
        np.testing.assert_allclose(run.scores[t], ac.additive(run.before[t], h, **decoder.score), rtol=0, atol=1e-12)
        # With s_t they would be other scores, by far more than rounding.
        assert np.abs(run.scores[t] - ac.additive(run.state[t], h, **decoder.score)).max() > 1e-3


def test_a_step_reads_the_word_before_it_and_the_first_reads_zeros():
    h, s_0, y, decoder = setting()
    run = ac.decode(h, s_0, y, decoder)
    other = y.copy()
    other[1] += 1
    changed = ac.decode(h, s_0, other, decoder)
    np.testing.assert_array_equal(run.state[:2], changed.state[:2])
    assert (run.state[2] != changed.state[2]).any()
    first = ac.decoder_step(s_0, np.zeros(2), h, decoder)
    for part in ("before", *PARTS):
        np.testing.assert_array_equal(getattr(run, part)[0], getattr(first, part))


def test_step_by_step_is_the_whole():
    h, s_0, y, decoder = setting()
    run = ac.decode(h, s_0, y, decoder)
    state, written = s_0, np.zeros(2)
    for t in range(4):
        step = ac.decoder_step(state, written, h, decoder)
        for whole, alone in zip(run, step, strict=True):
            np.testing.assert_array_equal(whole[t], alone)
        state, written = step.state, y[t]


def test_a_changed_number_counts_from_its_step_on():
    given_ = setting()
    changed = {(1, 2): 0.9, (3, 0): -0.5, (7, 1): 0.3}  # there is no step 7
    run, free = ac.decode(*given_, changed=changed), ac.decode(*given_)
    check(run, looped(*given_, changed))
    assert (run.before[1, 2], run.before[3, 0]) == (0.9, -0.5)
    for part in range(6):
        np.testing.assert_array_equal(run[part][0], free[part][0])
    assert (run.scores[1] != free.scores[1]).any()
    assert run.before[1, 0] == free.before[1, 0], "the other numbers stay"
    # What was written before is not rewritten: row 0 of the states is what step 0 made.
    np.testing.assert_array_equal(run.state[0], free.state[0])


def test_every_row_is_a_distribution():
    run = ac.decode(*setting(T_x=5))
    for rows in (run.weights, run.probabilities):
        assert (rows > 0).all()
        np.testing.assert_allclose(rows.sum(axis=1), 1.0, rtol=1e-14)


def test_one_source_word_is_the_context_at_every_step():
    h, s_0, y, decoder = setting(T_x=1)
    np.testing.assert_array_equal(ac.decode(h, s_0, y, decoder).context, np.repeat(h, 4, axis=0))


def test_s_0_is_made_from_the_last_state():
    last, W_s = [0.5, -0.2, 0.1], [[1.0, 2.0, 3.0], [0.0, -1.0, 4.0]]
    np.testing.assert_allclose(ac.initial_state(last, W_s), [math.tanh(a) for a in loops.product(W_s, last)], rtol=1e-15)


def test_a_seed_gives_one_decoder():
    one, again, other = (ac.random_decoder(np.random.default_rng(seed), **SIZES) for seed in (1, 1, 2))
    for name in ("W_s", "W_o"):
        np.testing.assert_array_equal(getattr(one, name), getattr(again, name))
        assert not np.array_equal(getattr(one, name), getattr(other, name))
    assert one.W_o.shape == (6, 4 + 3 + 2)
    assert one.recurrent["W"].shape == (4, 2 + 3)
    np.testing.assert_array_equal(one.score["v_a"], again.score["v_a"])


def test_inputs_stay_as_they_are():
    h, s_0, y, decoder = setting()
    arrays = [h, s_0, y, decoder.W_s, decoder.W_o, *decoder.recurrent.values(), *decoder.score.values()]
    copies = [array.copy() for array in arrays]
    run = ac.decode(h, s_0, y, decoder, changed={(0, 0): 0.5})
    for part in run:
        part[:] = 9.0  # what was returned belongs to the caller
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
    step = ac.decoder_step(s_0, np.zeros(2), h, decoder)
    step.before[:] = 9.0
    np.testing.assert_array_equal(s_0, copies[1])


@pytest.mark.parametrize(
    ("given_", "sentence"),
    [
        ({"s_0": np.zeros(3)}, "s has 3 numbers but W_a expects 4"),
        ({"h": np.zeros((2, 5))}, "h has 5 columns but U_a expects 3"),
        ({"h": np.zeros(3)}, r"h has shape \(3,\) but must be"),
        ({"y": np.zeros((4, 3))}, r"W has shape \(4, 5\) but reads \[y; c\], which has 3 \+ 3 = 6 numbers"),
        ({"y": np.zeros(2)}, r"y has shape \(2,\) but must be"),
        ({"s_0": np.zeros((1, 4))}, r"before has shape \(1, 4\) and y has shape \(2,\) but each must be one row"),
        ({"s_0": [0.0, np.inf, 0.0, 0.0]}, r"s has \+inf at row 1, column 2"),
        ({"changed": {(0, 4): 1.0}}, "changed names number 4 of step 0 .* but a state has 4 numbers: name 0 to 3"),
        ({"changed": {(0, -1): 1.0}}, "changed names number -1"),
        ({"changed": {(0, 1): np.nan}}, "s has NaN at row 1, column 2"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(given_, sentence):
    h, s_0, y, decoder = setting()
    with pytest.raises(ValueError, match=sentence):
        ac.decode(**{"h": h, "s_0": s_0, "y": y, "decoder": decoder, **given_})


def test_parameters_that_do_not_fit_are_refused():
    h, s_0, y, decoder = setting()
    short = ac.Decoder(decoder.cell, decoder.recurrent, decoder.score, decoder.W_s, decoder.W_o[:, :-1])
    with pytest.raises(ValueError, match=r"W_o has shape \(6, 8\) but reads \[s; c; y\], which has 4 \+ 3 \+ 2 = 9 numbers"):
        ac.decode(h, s_0, y, short)
    with pytest.raises(ValueError, match=r"W_s has shape \(4, 3\) but must be \(d_s, d_h\) with d_h = 2"):
        ac.initial_state([0.1, 0.2], decoder.W_s)
    with pytest.raises(ValueError, match="vocabulary is 0"):
        ac.random_decoder(np.random.default_rng(0), **{**SIZES, "vocabulary": 0})
