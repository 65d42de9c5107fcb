"""What a trained network writes, with and without a hand in the works, held to plain Python loops over its numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attention_core.seq2seq.model import END
from pages.parts import interventions, trained, translating, translating_code
from pages.parts.interventions import KINDS
from tests.core import loops
from tests.parts.told import MINUS_ZERO, NO_NUMBER, told

GATES = ("W", "U", "W_z", "U_z", "W_r", "U_r")
SOURCE = ("la", "petite", "maison", "rouge")
Hand = Callable[[int, list[float]], list[float]]


def looped(
    name: str,
    source: tuple[str, ...],
    written: tuple[str, ...],
    hand: Hand,
    order: list[int] | None = None,
    recurrence: bool = True,
) -> tuple[list[list[float]], list[list[float]]]:
    """Weights and probabilities of every step, the written words being fed; ``hand(t, weights)`` may change a look."""
    model = trained.load(name)
    p: dict[str, Any] = {key: value.tolist() for key, value in model.parameters.items()}
    sides = {side: {gate: p[side + gate] for gate in GATES} for side in ("f_", "b_", "d_")}
    x = [p["E_x"][model.source_words.index(word)] for word in (*source, END)]
    forward = loops.read("GRU", x, sides["f_"], recurrence)
    backward = loops.read("GRU", x[::-1], sides["b_"], recurrence)
    h = [[*a, *b] for a, b in zip(forward, backward[::-1], strict=True)]
    s = [float(np.tanh(a)) for a in loops.product(p["W_s"], [*forward[-1], *backward[-1]])]
    if order:
        h = [h[k] for k in order]
    y = [0.0] * len(p["E_y"][0])
    weights, said = [], []
    for t, word in enumerate(written):
        asked = loops.product(p["W_a"], s)
        bent = [[float(np.tanh(a + b)) for a, b in zip(asked, loops.product(p["U_a"], row), strict=True)] for row in h]
        row = hand(t, loops.shares([sum(v * b for v, b in zip(p["v_a"], one, strict=True)) for one in bent]))
        c = [sum(a * v for a, v in zip(row, column, strict=True)) for column in zip(*h, strict=True)]
        s = loops.cell("GRU", [*y, *c], s, sides["d_"])
        weights.append(row)
        said.append(loops.shares(loops.product(p["W_o"], [*s, *c, *y])))
        y = p["E_y"][model.target_words.index(word)]
    return weights, said


def left_alone(t: int, weights: list[float]) -> list[float]:
    return weights


def without_top(step: int) -> Hand:
    def hand(t: int, weights: list[float]) -> list[float]:
        if t != step:
            return weights
        rest = [0.0 if a == max(weights) else a for a in weights]
        return [a / sum(rest) for a in rest]

    return hand


@pytest.mark.parametrize("kind", KINDS)
def test_every_hand_does_what_it_says(kind: str) -> None:
    own = {"1": 0.0, "3": 0.3, "5": 0.1}
    now = translating.scene("french", SOURCE, kind, 3, 1, own)
    hand, source, order = left_alone, SOURCE, None
    if kind == "block the top word":
        hand = without_top(2)
    elif kind == "uniform weights":
        hand = lambda t, weights: [1 / len(weights)] * len(weights)  # noqa: E731
    elif kind == "own weights":
        parts = [own.get(str(k + 1), float(a)) for k, a in enumerate(now.before.weights[2])]
        hand = lambda t, weights: [part / sum(parts) for part in parts] if t == 2 else weights  # noqa: E731
    elif kind == "shuffle the states":
        order = [[*SOURCE, END].index(word) for word in now.run.source]
        assert order != sorted(order)
    elif kind == "shuffle the input":
        source = now.run.source[:-1]
        assert source != SOURCE
        assert sorted(source) == sorted(SOURCE)
    weights, said = looped("french", source, now.run.words, hand, order, kind != "recurrence off")
    np.testing.assert_allclose(now.run.weights, weights, rtol=0, atol=2e-5)
    np.testing.assert_allclose(now.run.probabilities, said, rtol=0, atol=2e-5)
    can_say = trained.load("french").target_words
    assert [can_say[int(np.argmax(row))] for row in said] == list(now.run.words), "the likeliest word is written and fed"
    if kind != "uniform weights":
        table = translating_code.arithmetic(now)["table"]
        assert [float(row[5]) for row in table["rows"]] == pytest.approx(weights[now.t], abs=0.6e-4)


def test_all_blocked_steps_at_once_are_each_step_alone() -> None:
    """One batch writes what as many single runs write: here by parts that leave the top word out."""
    before = interventions.usual("japanese", ("the", "cat", "eats", "a", "fish"))
    for t, run in enumerate(interventions.blocked_at_each("japanese", ("the", "cat", "eats", "a", "fish"))):
        parts = before.weights[t].copy()
        parts[parts.argmax()] = 0
        alone = interventions.with_weights("japanese", ("the", "cat", "eats", "a", "fish"), t, tuple(parts.tolist()))
        assert run.words == alone.words
        np.testing.assert_allclose(run.weights, alone.weights, rtol=0, atol=1e-4)


def test_shuffled_states_change_nothing_and_their_weights_go_along() -> None:
    before = interventions.usual("french", SOURCE)
    for order in range(1, 6):
        after = interventions.everywhere("french", SOURCE, "shuffle the states", order)
        assert after.words == before.words
        assert after.source != before.source
        places = [before.source.index(word) for word in after.source]
        np.testing.assert_allclose(after.weights, before.weights[:, places], rtol=0, atol=1e-5)
        assert "the output stays the same" in interventions.shows("french", "shuffle the states", 0, before, after)


def test_words_that_all_are_one_have_one_order() -> None:
    same = interventions.everywhere("reverse", ("a",) * 4, "shuffle the input", 1)
    assert "only one order" in interventions.shows(
        "reverse", "shuffle the input", 0, interventions.usual("reverse", ("a",) * 4), same
    )
    again = interventions.everywhere("reverse", ("a",) * 4, "shuffle the states", 1)
    assert again.words == interventions.usual("reverse", ("a",) * 4).words


def test_small_words_are_those_without_content() -> None:
    assert {"a", "an", "the", "am", "do", END} <= interventions.small_words("french")
    assert not {"student", "not", "I", "small"} & interventions.small_words("french")
    assert {"wa", "o", "ga", "ni", "desu", END} <= interventions.small_words("japanese")
    assert interventions.small_words("copy") == {END}


def test_parts_become_shares_and_nothing_is_everything_alike() -> None:
    assert interventions.shares_of([1.0, 0.0, 0.6]) == pytest.approx([0.625, 0.0, 0.375])
    assert interventions.shares_of([0.0, 0.0]) == [0.5, 0.5]


@pytest.mark.parametrize("name", translating.NETWORKS)
def test_every_network_every_hand_every_step_can_be_drawn(name: str) -> None:
    task = interventions.task_of(name)
    shapes: dict[tuple[str, str], set[str]] = {}
    for text in (task.examples[0], max(task.examples, key=len)):
        source = task.read(text)
        for kind in KINDS:
            steps = translating.scene(name, source, kind, 1, 1, {}).steps
            for word in {1, steps // 2 + 1, steps, 60}:
                now = translating.scene(name, source, kind, word, 1, {})
                drawings = translating.drawings(now, "bits")
                for part, drawing in drawings.items():
                    for said in told(drawing):
                        assert not MINUS_ZERO.search(said), said
                        assert not NO_NUMBER.search(said), said
                    if "figure" in drawing:
                        figure = drawing["figure"]
                        points = [len(trace["x"]) for trace in figure["data"][1:]]
                        shapes.setdefault((text + kind, part), set()).add(f"{figure['layout']} {points}")
    moving = {key: found for key, found in shapes.items() if len(found) > 1}
    assert not moving, "axes and numbers of points stay while a hand moves"


def test_what_is_said_to_be_measured_is_on_the_card() -> None:
    scores = trained.card("french")["scores"]
    said = {kind: interventions.measured("french", kind) for kind in KINDS}
    assert f"in {scores['block_top_changes'] * 100:.0f} % of steps" in said["block the top word"]
    assert f"another word in {scores['block_other_changes'] * 100:.0f} %" in said["block the top word"]
    assert f"{scores['uniform_exact_match'] * 100:.0f} % came out right" in said["uniform weights"]
    assert f"{scores['shuffled_input_changes'] * 100:.0f} % of outputs changed" in said["shuffle the input"]
    assert f"{scores['mass_content'] * 100:.0f} % of the weight" in said["none"]
    assert interventions.share(0.9996) == "100.0 %"
    assert interventions.share(0.0004) == "0.0 %"
