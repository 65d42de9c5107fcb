"""Lesson 8: the loop steps forwards and back exactly, its scores come from the state before the step, and every number is the loop's."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

from pages.parts.loop_picture import NODES
from pages.parts.network import network_of
from pages.parts.scenario import Scenario
from tests.content.test_snippets import run
from tests.core import loops
from tests.site.visit import PAGES, Visit

PAGE = next(page for page in PAGES if page.slug == "the_writers_loop")
SOURCE, TARGET = ("Je", "suis", "étudiant"), ("I", "am", "a", "student")
BARS = {"scores": "scores", "weights": "weights", "context": "context", "memory": "state", "guess": "probabilities"}


def heights(visit: Visit, name: str) -> list[float]:
    return visit.drawings[f"loop_{name}"]["figure"]["data"][0]["y"]


def looped(changed: dict[tuple[int, int], float] | None = None) -> list[dict[str, Any]]:
    """The running example written in plain Python, from the network's parameters."""
    made = network_of(Scenario("x", SOURCE, TARGET, ((0.0,) * 3,) * 4, 0, 1.0, 7), d_h=4, d_s=3, d_a=3)
    last = loops.read("GRU", made.x, made.encoder.forward)[-1]
    h = loops.read("GRU", made.x, made.encoder.forward)
    state = [float(np.tanh(a)) for a in loops.product(made.decoder.W_s, last)]
    written, rows = [0.0] * 4, []
    for t in range(len(TARGET)):
        state = [(changed or {}).get((t, j), v) for j, v in enumerate(state)]
        rows.append({"before": state, **loops.write(made.decoder, state, written, h)})
        state, written = rows[-1]["state"], made.y[t].tolist()
    return rows


def check(visit: Visit, rows: list[dict[str, Any]], t: int) -> None:
    np.testing.assert_allclose(visit.values, rows[t]["before"], rtol=0, atol=1e-12)
    for name, part in BARS.items():
        np.testing.assert_allclose(heights(visit, name), rows[t][part], rtol=0, atol=1e-12, err_msg=name)
    z = visit.drawings["loop_map"]["figure"]["data"][0]["z"]
    np.testing.assert_allclose(z, [row["weights"] for row in rows], rtol=0, atol=1e-12)


@pytest.mark.parametrize("t", range(4))
def test_every_number_is_the_loops(t: int) -> None:
    """At step 1 the scores use s_0, made from the encoder; later the state before the step."""
    visit = Visit({"t": str(t + 1), "stage": "6"}, PAGE)
    rows = looped()
    check(visit, rows, t)
    if t:
        assert visit.values == pytest.approx(rows[t - 1]["state"], abs=1e-12)
    else:
        assert "tanh(W_s h_last)" in visit.drawings["loop_arithmetic"]["table"]["rows"][0][1]
    # With the state after the step the scores would be others, by far more than rounding.
    made = network_of(Scenario("x", SOURCE, TARGET, ((0.0,) * 3,) * 4, 0, 1.0, 7), d_h=4, d_s=3, d_a=3)
    other = loops.write(made.decoder, rows[t]["state"], [0.0] * 4, made.h)["scores"]
    assert max(abs(a - b) for a, b in zip(other, heights(visit, "scores"), strict=True)) > 1e-3
    printed = dict(line.split(" ", 1) for line in run(visit.at.code[0].value))
    for sign, part in zip(("e", "alpha", "c", "s_t", "guess"), BARS.values(), strict=True):
        assert ast.literal_eval(printed[sign]) == pytest.approx(rows[t][part], abs=0.51e-4)
    shown = {row[0]: [float(x) for x in row[2:] if x] for row in visit.drawings["loop_arithmetic"]["table"]["rows"]}
    index = "₁₂₃₄"[t]
    for sign, part in (("e", "scores"), ("α", "weights"), ("c", "context"), ("s", "state"), ("ỹ", "probabilities")):
        assert shown[sign + index] == pytest.approx(rows[t][part], abs=0.51e-4)


def test_forward_and_back_restores_everything_exactly() -> None:
    visit = Visit({"t": "1"}, PAGE)
    assert visit.at.button(key="loop_back").disabled
    seen = []
    while not visit.at.button(key="loop_on").disabled:
        seen.append((visit.drawings, visit.link, visit.values))
        visit.at.button(key="loop_on").click()
        visit.run()
    assert len(seen) == 4 * 6 - 1
    assert visit.link == {"t": "4", "stage": "6"}
    for before in reversed(seen):
        visit.at.button(key="loop_back").click()
        visit.run()
        assert (visit.drawings, visit.link, visit.values) == before


def test_a_stage_shows_what_has_been_made_and_nothing_else() -> None:
    whole = Visit({"stage": "6"}, PAGE)
    for stage in range(1, 7):
        visit = Visit({"stage": str(stage)}, PAGE)
        for place, name in enumerate(BARS, start=1):
            drawing, full = visit.drawings[f"loop_{name}"], whole.drawings[f"loop_{name}"]
            assert drawing["figure"]["layout"] == full["figure"]["layout"], "nothing jumps"
            if place <= stage:
                assert drawing == full
            else:
                assert set(heights(visit, name)) == {0.0}
                assert set(drawing["figure"]["data"][0]["text"]) == {""}
                assert drawing["reading"] == "not yet made"
    assert "α₂" not in [row[0] for row in Visit({"stage": "1"}, PAGE).drawings["loop_arithmetic"]["table"]["rows"]]


def test_another_memory_changes_this_step_and_what_follows() -> None:
    visit = Visit({"stage": "6"}, PAGE)  # step 2
    natural = visit.values
    visit.move([natural[0], -0.6, 0.25])
    check(visit, looped({(1, 1): -0.6, (1, 2): 0.25}), 1)
    visit.run()
    assert visit.link == {"stage": "6", "memory": "s2_2:-0.6,s2_3:0.25"}
    again = Visit(visit.link, PAGE)
    assert again.drawings == visit.drawings
    assert again.values == visit.values
    assert [s["home"] for s in again.sliders["sliders"]] == natural, "double-click goes to where it was"
    again.move([natural[0], natural[1], 0.25])
    again.run()
    assert again.link["memory"] == "s2_3:0.25", "a number that is back where it was is no change"
    again.at.button(key="loop_reset").click()
    again.run()
    assert again.link == {"stage": "6"}
    assert again.values == natural


def test_the_wiring_that_cannot_be_computes_nothing() -> None:
    visit = Visit({"stage": "5"}, PAGE)
    right = visit.drawings
    wrong = Visit({"stage": "5", "wiring": "from s_t"}, PAGE)
    assert wrong.sliders["sliders"] == []
    assert wrong.link == {"stage": "5", "wiring": "from s_t"}
    for name in BARS:
        assert wrong.drawings[f"loop_{name}"] == right[f"loop_{name}"], "the last good state stays"
    reading = wrong.drawings["loop_picture"]["reading"]
    assert reading.startswith("A circle: s₂ needs c₂, c₂ needs α₂, α₂ needs e₂, and e₂ would need s₂.")
    dashed = [t for t in wrong.drawings["loop_picture"]["figure"]["data"] if t.get("line", {}).get("dash") == "dash"]
    assert {t["line"]["color"] for t in dashed} == {"@s"}
    ends = [((t["x"][0], t["y"][0]), (t["x"][-1], t["y"][-1])) for t in dashed]
    # Each arrow begins where another ends, and all of them are one round.
    place, round_ = ends[0][0], []
    while place not in round_:
        round_.append(place)
        place = dict(ends)[place]
    assert len(round_) == len(ends) == 4
    assert wrong.at.button(key="loop_on").disabled


@pytest.mark.parametrize("stage", range(1, 7))
def test_the_newest_arrows_are_lit_and_the_context_is_used_twice(stage: int) -> None:
    visit = Visit({"stage": str(stage)}, PAGE)
    *lines, _, circles, _ = visit.drawings["loop_picture"]["figure"]["data"]
    lit = [t for t in lines if t["line"]["width"] == 4]
    from_context = [t for t in lit if (t["x"][0], t["y"][0]) == (NODES["context"].x, 0.0)]
    assert len(from_context) == (1 if stage in (4, 5) else 0)
    assert lit
    assert sum(width == 4 for width in circles["marker"]["line"]["width"]) == 1
    if stage == 1:
        before, h, scores = (NODES[name].x for name in ("before", "h", "scores"))
        assert sorted((t["x"][0], t["x"][-1]) for t in lit) == [(before, scores), (h, scores)]


def test_odd_places_in_a_link_are_passed_over_and_bad_ones_named() -> None:
    passed = Visit({"memory": "s9_1:0.5,s2_9:0.5", "stage": "6"}, PAGE)
    assert passed.warnings == []
    check(passed, looped(), 1)
    for name, bad in (("stage", "7"), ("wiring", "both"), ("memory", "x1:0.5"), ("memory", "s2_1:1.5"), ("memory", "")):
        visit = Visit({name: bad}, PAGE)
        (warning,) = visit.warnings
        assert f'"{name}" in the link is ignored' in warning


def test_one_word_and_the_longest_sentence() -> None:
    one = Visit({"source": "a", "target": "b", "stage": "6"}, PAGE)
    assert heights(one, "weights") == [1.0]
    assert heights(one, "guess") == [1.0], "there is one word to say"
    words = " ".join(f"w{k}" for k in range(30))
    long = Visit({"source": words, "target": words, "t": "30", "stage": "6"}, PAGE)
    assert not long.failed
    assert sum(heights(long, "weights")) == pytest.approx(1)
