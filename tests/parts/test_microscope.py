"""The microscope's numbers against loops that know nothing of matrices."""

from __future__ import annotations

import math
import random
import re

import numpy as np
import pytest

from pages.parts import microscope, microscope_drawings, microscope_words
from pages.parts.content import prepared_scenarios
from pages.parts.microscope import BREAKS, HELD, Microscope
from pages.parts.scenario import Scenario
from tests.content.test_snippets import run
from tests.parts.told import MINUS_ZERO, told

RUNNING = prepared_scenarios()["running example"]
ODD = Scenario("own", ("<b>", "$x$", "the", "the"), ("نعم", "🙂"), ((0.0,) * 4,) * 2, 1, 1.0, 3)


def by_hand(m: Microscope, t: int, i: int) -> tuple[list[float], list[float], list[float], list[float], float]:
    """W s, U h, their sum, its tanh and the score, entry by entry."""
    n = m.numbers
    d_a, d_s, d_h = len(n.v), n.s.shape[1], n.h.shape[1]
    state = [math.fsum(float(n.W[k, j]) * float(n.s[t, j]) for j in range(d_s)) for k in range(d_a)]
    annotation = [math.fsum(float(n.U[k, j]) * float(n.h[i, j]) for j in range(d_h)) for k in range(d_a)]
    summed = [a + b for a, b in zip(state, annotation, strict=True)]
    bent = [math.tanh(a) for a in summed]
    return state, annotation, summed, bent, math.fsum(float(v) * b for v, b in zip(n.v, bent, strict=True))


def random_microscopes(count: int, breaks: str = "none") -> list[Microscope]:
    draw = random.Random(5)
    made = []
    for _ in range(count):
        scenario = draw.choice([*prepared_scenarios().values(), ODD])
        scenario = scenario.with_step(draw.randrange(len(scenario.target)))
        sizes = (draw.randint(2, 8), draw.randint(2, 8), draw.randint(2, 8))
        i = draw.randrange(len(scenario.source))
        places = [place for held in HELD for place in microscope.places(held, scenario.t, i, sizes)]
        edits = {place: round(draw.uniform(-3, 3), 2) for place in draw.sample(places, min(6, len(places)))}
        made.append(microscope.microscope(scenario, i, sizes, edits | {"s9_8": 1.0, "v8": 0.5, "W8_8": 2.0}, breaks))
    return made


def test_every_number_equals_the_loops() -> None:
    exact = {"rel": 0, "abs": 1e-12}
    for m in random_microscopes(40):
        for t in range(len(m.scenario.target)):
            for i in range(len(m.scenario.source)):
                state, annotation, summed, bent, score = by_hand(m, t, i)
                assert m.stages.state[t].tolist() == pytest.approx(state, **exact)
                assert m.stages.annotation[i].tolist() == pytest.approx(annotation, **exact)
                assert m.stages.summed is not None
                assert m.stages.summed[t, i].tolist() == pytest.approx(summed, **exact)
                assert m.stages.bent is not None
                assert m.stages.bent[t, i].tolist() == pytest.approx(bent, **exact)
                assert m.stages.scores is not None
                assert float(m.stages.scores[t, i]) == pytest.approx(score, **exact)
                assert abs(score) <= m.bound + 1e-12


def test_the_prepared_numbers_are_what_two_decimals_show() -> None:
    for array in vars(microscope.prepared(RUNNING, (3, 4, 5))).values():
        assert [f"{x:.2f}" for x in array.flat] == [f"{x:.2f}" if x else "0.00" for x in array.flat]
        assert all(float(f"{x:.2f}") == x for x in array.flat)


def test_an_edit_counts_where_it_belongs_and_nowhere_else() -> None:
    home = microscope.prepared(RUNNING, (2, 4, 3))
    changed = microscope.edited(
        home, {"s2_1": 0.9, "h3_4": -0.9, "W3_2": 1.5, "U1_1": 0.25, "v2": 4.0, "s5_1": 1, "h4_1": 1, "v4": 1}
    )
    moved = {
        letter: [tuple(int(n) for n in index) for index in np.argwhere(now != vars(home)[letter])]
        for letter, now in vars(changed).items()
    }
    assert moved == {"s": [(1, 0)], "h": [(2, 3)], "W": [(2, 1)], "U": [(0, 0)], "v": [(1,)]}
    at_home = microscope.value(home, "v2")
    assert microscope.moved({"v1": 2.0, "v2": 3.0}, home, ["v2"], [at_home]) == {"v1": 2.0}, "what is back at home is no edit"
    every = [p for held in HELD for p in microscope.places(held, 29, 29, (8, 8, 8))]
    assert len(set(every)) == len(every) == 8 * 8 * 2 + 8 * 3
    assert all(re.fullmatch(microscope.PLACES, place) for place in every)
    assert not any(re.fullmatch(microscope.PLACES, place) for place in ("s0_1", "h1_9", "v0", "W1", "x1_1"))


def test_without_tanh_all_rows_of_weights_agree_and_with_it_they_do_not() -> None:
    for scenario in (RUNNING, prepared_scenarios()["repeated words"]):
        straight = microscope.microscope(scenario, 0, (2, 4, 3), {"s2_1": 0.9, "v1": 3.0}, "no tanh").stages.weights
        assert straight is not None
        assert float(np.ptp(straight, axis=0).max()) < 1e-12
        bent = microscope.microscope(scenario, 0, (2, 4, 3), {"s2_1": 0.9, "v1": 3.0}).stages.weights
        assert bent is not None
        assert float(np.ptp(bent, axis=0).max()) > 0.01


@pytest.mark.parametrize(
    ("sizes", "breaks", "told"),
    [
        ((2, 4, 3), "no projection", "has 2 numbers and h₂ has 4"),
        ((4, 4, 3), "no projection", "has 4 numbers, but vₐ has 3"),
        ((4, 4, 4), "no projection", "by luck, because both happen to have 4 numbers. Lost: the 32 learned numbers"),
        ((2, 4, 3), "no v_a", "a vector of length 3 is left"),
        ((2, 4, 7), "no v_a", "a vector of length 7 is left"),
        ((2, 4, 3), "none", "Σ|v| = 2.62 + 1.11 + 2.80 = 6.53"),
    ],
)
def test_what_goes_wrong_is_named_with_its_numbers(sizes: tuple[int, int, int], breaks: str, told: str) -> None:
    m = microscope.microscope(RUNNING.with_step(1), 1, sizes, {}, breaks)
    assert told in microscope_words.said(m)


def test_without_projection_equal_sizes_add_number_by_number() -> None:
    m = microscope.microscope(RUNNING.with_step(2), 1, (4, 4, 4), {}, "no projection")
    n = m.numbers
    score = math.fsum(float(v) * math.tanh(float(s) + float(h)) for v, s, h in zip(n.v, n.s[2], n.h[1], strict=True))
    assert m.stages.scores is not None
    assert float(m.stages.scores[2, 1]) == pytest.approx(score, rel=0, abs=1e-12)


@pytest.mark.parametrize("breaks", BREAKS)
def test_the_figures_hold_the_numbers_and_say_them(breaks: str) -> None:
    for m in random_microscopes(12, breaks):
        drawings = microscope_drawings.drawn(m, microscope_drawings.wanted(m), worked_out=True)
        for drawing in drawings.values():
            for text in told(drawing):
                assert not MINUS_ZERO.search(text), text
        states = drawings["micro_states"]["figure"]["data"]
        assert states[0]["y"] == m.numbers.s[m.t].tolist()
        assert states[2]["y"] == m.numbers.h[m.i].tolist()
        if m.stages.scores is None:
            assert "No score" in drawings["micro_row"]["reading"]
            assert drawings["micro_map"]["figure"]["data"][0]["z"] == m.whole.weights.tolist()  # type: ignore[union-attr]
            continue
        bars = drawings["micro_score"]["figure"]["data"][0]
        *products, total = bars["y"]
        assert total == pytest.approx(math.fsum(products), rel=0, abs=1e-12)
        assert total == pytest.approx(float(m.stages.scores[m.t, m.i]), rel=0, abs=1e-12)
        assert bars["base"][:-1] == pytest.approx([math.fsum(products[:k]) for k in range(len(products))], rel=0, abs=1e-12)
        assert drawings["micro_arithmetic"]["table"]["total"][-1] == f"e = {total + 0.0:.4f}".replace("-0.0000", "0.0000")


def test_the_arithmetic_is_right_as_it_stands() -> None:
    """Every line of the table is worked out again from what is printed in it."""
    m = microscope.microscope(RUNNING.with_step(1), 1, (2, 4, 3), {"h2_1": 0.5})
    for k, row in enumerate(microscope_drawings.arithmetic_drawing(m)["table"]["rows"]):
        state, annotation, summed, bent, _ = (part[k] if isinstance(part, list) else part for part in by_hand(m, 1, 1))
        for cell, result in ((row[1], state), (row[2], annotation)):
            products, total = cell.split(" = ")
            factors = [[float(f.strip("()")) for f in product.split(" · ")] for product in products.split(" + ")]
            assert math.fsum(a * b for a, b in factors) == pytest.approx(result, rel=0, abs=1e-12)
            assert float(total) == pytest.approx(result, rel=0, abs=5.1e-5)
        assert float(row[3].split(" = ")[1]) == pytest.approx(summed, rel=0, abs=5.1e-5)
        assert float(row[4]) == pytest.approx(bent, rel=0, abs=5.1e-5)
        assert float(row[5].split(" = ")[1]) == pytest.approx(float(m.numbers.v[k]) * bent, rel=0, abs=5.1e-5)


@pytest.mark.parametrize("breaks", BREAKS)
def test_the_block_prints_the_stages(breaks: str) -> None:
    sizes = (3, 3, 3) if breaks == "no projection" else (2, 4, 3)
    m = microscope.microscope(ODD, 2, sizes, {"h3_1": 0.75, "v3": -1.25}, breaks)
    lines = run(microscope_words.block(m))
    assert m.stages.summed is not None
    assert m.stages.bent is not None
    shown = {line.rpartition(": ")[0]: line.rpartition(": ")[2] for line in lines}
    for name, numbers in (
        ("W_a s", m.stages.state[1]),
        ("U_a h_i", m.stages.annotation[2]),
        ("sum", m.stages.summed[1, 2]),
        ("not bent" if breaks == "no tanh" else "tanh", m.stages.bent[1, 2]),
    ):
        printed = [float(x) for x in shown[name].strip("[]").split(", ")]
        assert printed == pytest.approx(numbers.tolist(), rel=0, abs=5.1e-5)
    if breaks == "no v_a":
        assert [line.partition(": [")[0] for line in lines[-4:]] == list(ODD.source)
        return
    assert m.stages.scores is not None
    assert m.stages.weights is not None
    for i, line in enumerate(lines[-4:]):
        score, weight, word = line.split()
        assert word == ODD.source[i]
        assert float(score) == pytest.approx(float(m.stages.scores[1, i]), rel=0, abs=5.1e-5)
        assert float(weight.rstrip("%")) == pytest.approx(100 * float(m.stages.weights[1, i]), rel=0, abs=0.051)
