"""Self-attention against loops with 40 digits: every mask, the right way and the wrong ones; what is drawn is what was computed."""

from __future__ import annotations

import ast
import itertools
import re
from typing import Any

import mpmath
import numpy as np
import plotly.graph_objects as go
import pytest
from mpmath import mpf

import attention_core as ac
from pages.parts import self_attention as parts
from pages.parts import self_attention_drawings as drawings
from pages.parts.scenario import OWN, Scenario
from tests.content.test_snippets import run
from tests.parts.test_focus import in_colour
from tests.parts.told import MINUS_ZERO, NO_NUMBER, told

SENTENCE = ("the", "cat", "saw", "the", "dog")
CASES = list(itertools.product(parts.MASKS, parts.WAYS, (1, 2, 5)))


def own(words: tuple[str, ...], temperature: float = 1.0, seed: int = 7) -> Scenario:
    return Scenario(OWN, words, ("y",), ((0.0,) * len(words),), 0, temperature, seed)


def looking(n: int, mask: str, way: str, temperature: float = 0.7, **more: Any) -> parts.SelfAttention:
    choices = parts.Choices(word=min(1, n - 1), heads=3, mask=mask, way=way, padding=min(2, n), **more)
    return parts.self_attention(own(SENTENCE[:n], temperature), choices, {"x1_2": -1.5, "x9_1": 3.0})


def may_look(mask: str, n: int, i: int, j: int) -> bool:
    """Written from what the masks mean; two words are padding, word 2 is the row in hand."""
    return {"none": True, "causal": j <= i, "padding": j + min(2, n) < n, "row in hand": i != min(1, n - 1)}[mask]


def by_hand(s: parts.SelfAttention, head: parts.Head, mask: str, way: str) -> list[tuple[list[mpf], list[mpf]] | None]:
    """Weights and context of every row, in loops; None where there are none."""
    x, n = s.x.tolist(), len(s.words)
    with mpmath.workdps(40):

        def through(W: np.ndarray, word: list[float]) -> list[mpf]:
            return [mpmath.fsum(mpf(w) * mpf(v) for w, v in zip(row, word, strict=True)) for row in W.tolist()]

        q, k, v = ([through(W, word) for word in x] for W in (head.W_Q, head.W_K, head.W_V))
        rows: list[tuple[list[mpf], list[mpf]] | None] = []
        for i in range(n):
            lifted = []
            for j in range(n):
                e = mpmath.fsum(a * b for a, b in zip(q[i], k[j], strict=True)) / mpmath.sqrt(len(q[i]))
                lifted.append(mpmath.exp(e / mpf(s.scenario.temperature)))
            seen = [may_look(mask, n, i, j) for j in range(n)]
            kept = [a if m else mpf(0) for a, m in zip(lifted, seen, strict=True)]
            total = mpmath.fsum(lifted) if way == parts.ZERO else mpmath.fsum(kept)
            if total == 0:
                rows.append(None)
                continue
            alpha = [a / total for a in kept]
            rows.append(
                (alpha, [mpmath.fsum(a * b for a, b in zip(alpha, column, strict=True)) for column in zip(*v, strict=True)])
            )
        return rows


@pytest.mark.parametrize(("mask", "way", "n"), CASES)
def test_weights_and_blends_are_those_of_loops(mask: str, way: str, n: int) -> None:
    s = looking(n, mask, way)
    assert len(s.heads) == 3
    assert s.x[0, 1] == -1.5, "what a hand has changed counts, what no word has does not"
    for head in s.heads:
        for i, row in enumerate(by_hand(s, head, mask, way)):
            assert head.there[i] == (row is not None)
            weights, context = row or ([0] * n, [0] * parts.D_K)
            np.testing.assert_allclose(head.weights[i], [float(a) for a in weights], rtol=0, atol=1e-12)
            np.testing.assert_allclose(head.context[i], [float(c) for c in context], rtol=0, atol=1e-12)


def test_a_mask_before_softmax_leaves_rows_whole_and_a_zero_after_it_does_not() -> None:
    right, wrong, mended = (looking(5, "causal", way) for way in parts.WAYS)
    for good, bad, divided in zip(right.heads, wrong.heads, mended.heads, strict=True):
        np.testing.assert_allclose(good.weights.sum(axis=1), 1, rtol=0, atol=1e-12)
        plain = ac.softmax(bad.scores, temperature=0.7)
        lost = [sum(plain[i, i + 1 :]) for i in range(5)]
        np.testing.assert_allclose(bad.weights.sum(axis=1), 1 - np.array(lost), rtol=0, atol=1e-12)
        assert bad.weights.sum(axis=1).min() < 0.9
        np.testing.assert_allclose(divided.weights, good.weights, rtol=0, atol=1e-12)


def test_one_word_under_a_causal_mask_looks_at_itself() -> None:
    s = looking(1, "causal", parts.RIGHT)
    assert [head.weights.tolist() for head in s.heads] == [[[1.0]]] * 3
    assert "its weight is 1" in drawings.said(s, "nats")


def test_a_row_with_everything_masked_is_refused_by_the_core_and_shown_without_numbers() -> None:
    s = looking(3, "row in hand", parts.RIGHT)
    with pytest.raises(ValueError, match="nothing to attend to"):
        ac.softmax(s.heads[0].scores, mask=s.may)
    drawn = drawings.drawn(s, "nats", worked_out=True)
    assert drawn["self_weights"]["reading"] == "Nothing to attend to."
    assert "nothing to attend to" in drawn["self_said"]["reading"]
    for k in (1, 2, 3):
        figure = drawn[f"self_head{k}"]["figure"]
        assert [note["text"] for note in figure["layout"]["annotations"]] == ["nothing to attend to", "sum"]
        assert figure["data"][1]["text"][3:6] == [""] * 3
        assert [text.strip() for text in figure["data"][2]["text"]] == ["1.000", "none", "1.000"]


def test_dividing_again_fails_where_nothing_is_left() -> None:
    """Scores far below the masked one: softmax gives them exactly 0, and 0 / 0 is no weight; masked before, all is well."""
    choices = parts.Choices(word=0, mask="causal", way=parts.DIVIDED, heads=1)
    edits = {f"x2_{k}": 10.0 for k in (1, 2, 3, 4)}
    for seed in range(20):
        s = parts.self_attention(own(("a", "b"), 0.01, seed), choices, edits)
        if not s.heads[0].there[0]:
            break
    else:
        pytest.fail("no seed leads there")
    assert "0 ÷ 0" in drawings.said(s, "nats")
    right = parts.self_attention(s.scenario, parts.Choices(word=0, mask="causal", heads=1), edits)
    assert right.heads[0].weights[0].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("mask", parts.MASKS)
@pytest.mark.parametrize("way", parts.WAYS)
def test_grey_lies_over_what_is_masked_and_nothing_else(mask: str, way: str) -> None:
    s = looking(5, mask, way)
    for k, head in enumerate(s.heads):
        figure = drawings.map_figure(s, k)
        grey = np.zeros((5, 5), dtype=int)
        for shape in figure["layout"]["shapes"]:
            if shape["fillcolor"] == "@grid":
                rows, columns = (slice(int(shape[a + "0"] + 0.5), int(shape[a + "1"] + 0.5)) for a in "yx")
                grey[rows, columns] += 1
        assert (grey == (~s.may | ~head.there[:, np.newaxis])).all()
        np.testing.assert_array_equal(figure["data"][0]["z"], head.weights)


@pytest.mark.parametrize("words", [("a",), ("the",) * 30, ("<b>", "$x$", "@h", "ذهبت", "👍🏽", "%{z}")])
@pytest.mark.parametrize("mask", parts.MASKS)
def test_every_drawing_is_a_figure_and_says_no_nonsense(words: tuple[str, ...], mask: str) -> None:
    for way, temperature in itertools.product(parts.WAYS, (0.01, 100.0)):
        choices = parts.Choices(word=0, heads=4, head=3, mask=mask, way=way, padding=len(words))
        s = parts.self_attention(own(words, temperature), choices, {})
        drawn = drawings.drawn(s, "bits", worked_out=True)
        for drawing in drawn.values():
            if "figure" in drawing:
                go.Figure(in_colour(drawing["figure"]))
            for text in told(drawing):
                assert not MINUS_ZERO.search(text), text
                assert not NO_NUMBER.search(text), text
        assert set(drawings.passed(s)) <= set(drawn)


@pytest.mark.parametrize(("mask", "way", "n"), [case for case in CASES if case[2] == 5 or case[0] == "causal"])
def test_the_block_prints_the_maps(mask: str, way: str, n: int) -> None:
    s = looking(n, mask, way)
    lines = run(parts.block(s))
    assert len(lines) == len(s.heads) * (n + 2)
    for k, head in enumerate(s.heads):
        title, *rows, blend = lines[k * (n + 2) : (k + 1) * (n + 2)]
        assert title == f"head {k + 1}"
        for i, line in enumerate(rows):
            shown, total, word = re.fullmatch(r"(.*)  sum ([\d.]+)  (.*)", line).groups()  # type: ignore[union-attr]
            assert word == s.words[i]
            assert float(total) == pytest.approx(head.weights[i].sum(), abs=0.51e-4)
            if head.there[i]:
                assert [float(a) for a in shown.split()] == pytest.approx(head.weights[i].tolist(), abs=0.51e-4)
            else:
                assert shown == "no weights"
        assert ast.literal_eval(blend.removeprefix("c: ")) == pytest.approx(head.context[s.i].tolist(), abs=0.51e-4)
