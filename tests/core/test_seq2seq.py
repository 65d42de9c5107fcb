"""The trainable network: its slopes, its forward pass, its training, and writing with it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import attention_core as ac
from attention_core.seq2seq import decoding, weights
from attention_core.seq2seq.layers import fast_tanh
from attention_core.seq2seq.model import END, Seq2Seq, Sizes, batch_of, loss_and_slopes, random_model
from attention_core.seq2seq.training import Adam, Recipe, clipped, train

PAIRS = [("abc", "uvwx"), ("a", "zz"), ("fedcb", "yxw")]  # of different lengths, so that padding takes part


def small(*, attention: bool = True, seed: int = 0, dtype: type = np.float64) -> Seq2Seq:
    model = random_model("abcdef", "uvwxyz", Sizes(5, 4, 6), np.random.default_rng(seed), attention=attention, dtype=dtype)
    if attention:
        model.parameters["v_a"] *= 3  # sharper maps: no slope is lost in rounding
    return model


@pytest.mark.parametrize("attention", [True, False])
@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_every_slope_is_what_a_small_nudge_does(attention: bool, dropout: float) -> None:
    model = small(attention=attention)
    batch = batch_of(PAIRS, model)

    def loss() -> float:
        seen, _ = loss_and_slopes(model, batch, penalty=0.1, dropout=dropout, rng=np.random.default_rng(5))
        return seen.loss

    _, slopes = loss_and_slopes(model, batch, penalty=0.1, dropout=dropout, rng=np.random.default_rng(5))
    assert slopes.keys() == model.parameters.keys()
    for name, value in model.parameters.items():
        nudged = np.zeros_like(value)
        for place in np.ndindex(value.shape):
            kept, far = value[place], []
            for step in (1e-5, -1e-5):
                value[place] = kept + step
                far.append(loss())
            value[place] = kept
            nudged[place] = (far[0] - far[1]) / 2e-5
        assert np.linalg.norm(slopes[name] - nudged) < 1e-6 * np.linalg.norm(nudged), name


def test_it_is_the_network_of_the_core() -> None:
    """Batch, padding and all: each sentence alone through `encode` and `decode` gives the same numbers."""
    model = small()
    batch = batch_of(PAIRS, model)
    seen, _ = loss_and_slopes(model, batch)
    vectors, surprises = model.parameters, []
    for row, (source, target) in enumerate(PAIRS):
        x = vectors["E_x"][[model.source_words.index(w) for w in (*source, END)]]
        numbers = [model.target_words.index(w) for w in (*target, END)]
        h = ac.encode(x, model.encoder)
        s_0 = ac.initial_state(ac.last_state(h, model.encoder), model.decoder.W_s)
        run = ac.decode(h, s_0, vectors["E_y"][numbers], model.decoder)
        length = len(source) + 1
        assert seen.weights[row, : len(numbers), :length] == pytest.approx(run.weights, abs=1e-12)
        assert (seen.weights[row, :, length:] == 0).all()
        surprises += [-math.log(run.probabilities[t, k]) for t, k in enumerate(numbers)]
        alone = decoding.greedy(
            model, decoding.encode(model, *batch_of([(source, target)], model)[:2]), given=np.array([numbers])
        )
        assert alone.weights[0] == pytest.approx(run.weights, abs=1e-12)
        assert alone.probabilities[0] == pytest.approx(run.probabilities, abs=1e-12)
    assert seen.loss == pytest.approx(math.fsum(surprises) / len(surprises), abs=1e-12)


def test_padding_changes_nothing() -> None:
    model = small()
    alone = decoding.encode(model, *batch_of([PAIRS[1]], model)[:2])
    together = decoding.encode(model, *batch_of(PAIRS, model)[:2])
    length = len(PAIRS[1][0]) + 1
    assert together.annotations[1, :length] == pytest.approx(alone.annotations[0], abs=1e-14)
    assert together.last[1] == pytest.approx(alone.last[0], abs=1e-14)


def test_fast_tanh_is_tanh() -> None:
    a = np.concatenate([np.linspace(-20, 20, 4001), [-1e4, 1e4, 0]])
    assert fast_tanh(a.copy()) == pytest.approx(np.tanh(a), abs=5e-16)
    single = a.astype(np.float32)
    assert fast_tanh(single.copy()) == pytest.approx(np.tanh(a), abs=3e-7)


def test_adam_follows_the_paper() -> None:
    parameters, adam = {"w": np.array([1.0, -2.0])}, Adam()
    w, m, v = [1.0, -2.0], [0.0, 0.0], [0.0, 0.0]
    for t, slope in enumerate(([0.5, -1.0], [0.1, 0.0], [-3.0, 2.0]), start=1):
        adam.update(parameters, {"w": np.array(slope)}, 0.01)
        for k, g in enumerate(slope):
            m[k], v[k] = 0.9 * m[k] + 0.1 * g, 0.999 * v[k] + 0.001 * g * g
            w[k] -= 0.01 * (m[k] / (1 - 0.9**t)) / (math.sqrt(v[k] / (1 - 0.999**t)) + 1e-8)
        assert parameters["w"] == pytest.approx(w, abs=1e-14)


def test_long_slopes_are_shortened_together() -> None:
    slopes = {"a": np.array([3.0]), "b": np.array([[4.0]])}
    assert clipped(slopes, 5.0) is slopes
    short = clipped(slopes, 1.0)
    assert [short["a"].item(), short["b"].item()] == pytest.approx([0.6, 0.8])


def test_the_rate_rises_stays_and_falls() -> None:
    recipe = Recipe(1000, rate=0.01, warm_up=50)
    assert [recipe.rate_at(k) for k in (0, 49, 499)] == pytest.approx([0.0002, 0.01, 0.01])
    assert recipe.rate_at(750) == pytest.approx(0.01 * (1 - 0.97 / 2))
    assert recipe.rate_at(1000) == pytest.approx(0.0003)
    assert Recipe(1000, rate=0.01, steady=True).rate_at(999) == 0.01


def test_training_learns_is_repeatable_and_can_be_stopped() -> None:
    words = "abcd"
    rng = np.random.default_rng(3)
    pairs = [(s, s[::-1]) for s in ("".join(rng.choice(list(words), size=3)) for _ in range(200))]

    def run(steps: int) -> tuple[Seq2Seq, list[float]]:
        rng = np.random.default_rng(1)
        model = random_model(words, words, Sizes(12, 8, 12), rng)
        return model, [
            seen.loss
            for k, (_, seen) in zip(range(steps), train(model, pairs, Recipe(200, batch=16, rate=0.01), rng), strict=False)
        ]

    model, losses = run(200)
    assert losses[0] == pytest.approx(math.log(5), abs=0.2)
    assert np.mean(losses[-20:]) < 0.1
    _, again = run(40)
    assert again == losses[:40]
    batch = batch_of(pairs[:50], model)
    written = decoding.greedy(model, decoding.encode(model, batch.source, batch.source_real))
    assert np.mean(["".join(w) == target for w, (_, target) in zip(written.words, pairs, strict=False)]) > 0.9


def test_interventions() -> None:
    model = small()
    batch = batch_of(PAIRS, model)
    read = decoding.encode(model, batch.source, batch.source_real)
    usual = decoding.greedy(model, read, given=batch.target)
    # Shuffled annotations: weights go along, contexts and words stay.
    other, order = decoding.shuffled(read, np.random.default_rng(0))
    moved = decoding.greedy(model, other, given=batch.target)
    assert moved.contexts == pytest.approx(usual.contexts, abs=1e-14)
    assert moved.logits == pytest.approx(usual.logits, abs=1e-13)
    assert moved.weights == pytest.approx(np.take_along_axis(usual.weights, order[:, np.newaxis], axis=2), abs=1e-14)
    assert (np.sort(order, axis=1) == np.arange(order.shape[1])).all()
    # Uniform weights are the plain mean of what is real.
    even = decoding.greedy(model, read, given=batch.target, look=decoding.uniform)
    length = len(PAIRS[1][0]) + 1
    assert even.contexts[1, 0] == pytest.approx(read.annotations[1, :length].mean(axis=0), abs=1e-14)
    # A blocked place has weight 0, the others share it out.
    left = decoding.blocked(usual.weights[:, 0], np.array([0, 1, 2]))
    assert left[0, 0] == left[1, 1] == left[2, 2] == 0
    assert left.sum(axis=1) == pytest.approx(1)
    assert left[0, 1] / left[0, 2] == pytest.approx(usual.weights[0, 0, 1] / usual.weights[0, 0, 2])
    # Without the recurrence an annotation knows its own word only.
    lone = decoding.encode(model, *batch_of([("ab", ""), ("cb", "")], model)[:2], recurrence=False)
    assert (lone.annotations[0, 1] == lone.annotations[1, 1]).all()
    assert (lone.annotations[0, 0] != lone.annotations[1, 0]).any()


def test_weights_survive_the_file_and_odd_files_are_refused(tmp_path: Path) -> None:
    for attention in (True, False):
        model = small(attention=attention, dtype=np.float32)
        weights.save(model, tmp_path / "m.npz")
        opened = weights.load(tmp_path / "m.npz")
        assert (opened.source_words, opened.target_words, opened.attention) == (model.source_words, model.target_words, attention)
        assert opened.parameters.keys() == model.parameters.keys()
        assert all((opened.parameters[name] == value).all() for name, value in model.parameters.items())
    model.parameters["W_o"] = model.parameters["W_o"][:, :-1]
    weights.save(model, tmp_path / "bad.npz")
    with pytest.raises(ValueError, match=r"bad\.npz: W_o has shape"):
        weights.load(tmp_path / "bad.npz")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(ValueError, match=r"other\.npz holds no 'source_words'"):
        weights.load(tmp_path / "other.npz")
    np.savez(tmp_path / "pickled.npz", source_words=np.array([{}], dtype=object))
    with pytest.raises(ValueError, match="pickle"):
        weights.load(tmp_path / "pickled.npz")


def test_a_card_survives_the_file(tmp_path: Path) -> None:
    card = {
        "name": 'a "b" \\',
        "seed": 3,
        "attention": True,
        "tried": [1, 2],
        "scores": {"exact_match": 0.99512, "3-5": 1.0, "tiny": 1.25e-5},
    }
    weights.write_card(card, tmp_path / "a.toml")
    assert weights.read_card(tmp_path / "a.toml") == {**card, "scores": {"exact_match": 0.9951, "3-5": 1.0, "tiny": 1.25e-5}}


def test_the_same_forward_pass_and_slopes_in_pytorch() -> None:
    torch = pytest.importorskip("torch")
    model = small()
    batch = batch_of(PAIRS, model)
    p = {name: torch.tensor(value, requires_grad=True) for name, value in model.parameters.items()}

    def gru(x, s, side):
        z = torch.sigmoid(p[side + "W_z"] @ x + p[side + "U_z"] @ s)
        r = torch.sigmoid(p[side + "W_r"] @ x + p[side + "U_r"] @ s)
        return (1 - z) * s + z * torch.tanh(p[side + "W"] @ x + p[side + "U"] @ (r * s))

    surprises = []
    for source, target in PAIRS:
        x = p["E_x"][[model.source_words.index(w) for w in (*source, END)]]
        numbers = [model.target_words.index(w) for w in (*target, END)]
        sides = []
        for side, order in (("f_", range(len(x))), ("b_", reversed(range(len(x))))):
            s, states = torch.zeros(5, dtype=torch.float64), {}
            for i in order:
                s = states[i] = gru(x[i], s, side)
            sides.append(torch.stack([states[i] for i in range(len(x))]))
        h = torch.cat(sides, dim=1)
        s = torch.tanh(p["W_s"] @ torch.cat([sides[0][-1], sides[1][0]]))
        y = torch.zeros(4, dtype=torch.float64)
        for k in numbers:
            e = torch.tanh(p["W_a"] @ s + h @ p["U_a"].T) @ p["v_a"]
            c = torch.softmax(e, dim=0) @ h
            s = gru(torch.cat([y, c]), s, "d_")
            surprises.append(-torch.log_softmax(p["W_o"] @ torch.cat([s, c, y]), dim=0)[k])
            y = p["E_y"][k]
    loss = torch.stack(surprises).mean()
    loss.backward()
    seen, slopes = loss_and_slopes(model, batch)
    assert seen.loss == pytest.approx(loss.item(), abs=1e-12)
    for name, slope in slopes.items():
        assert slope == pytest.approx(p[name].grad.numpy(), abs=1e-10), name
