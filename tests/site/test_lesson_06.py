"""Lesson 6: the blend follows its sliders, one of which says how different the states are and stands in the link."""

from __future__ import annotations

import math

import pytest

from tests.site.visit import PAGES, Visit, softmax

BLEND = next(page for page in PAGES if page.slug == "the_blend")


def states(visit: Visit) -> list[tuple[float, float]]:
    trace = visit.drawings["blend_plane"]["figure"]["data"][2]
    return list(zip(trace["x"], trace["y"], strict=True))


def context(visit: Visit) -> tuple[float, float]:
    trace = visit.drawings["blend_plane"]["figure"]["data"][-1]
    return trace["x"][0], trace["y"][0]


def by_hand(visit: Visit) -> list[float]:
    *row, temperature, _ = visit.values
    weights = softmax(row, temperature)
    return [math.fsum(a * h[k] for a, h in zip(weights, states(visit), strict=True)) for k in (0, 1)]


def test_scores_and_states_move_the_balance_point() -> None:
    visit = Visit({}, BLEND)
    assert visit.values == [0.3, 2.1, 0.5, 1.0, 1.0]
    assert context(visit) == pytest.approx(by_hand(visit), abs=1e-12)
    wide = states(visit)
    visit.move([5.0, -1.0, 0.5, 2.0, 0.4])
    assert visit.values == [5.0, -1.0, 0.5, 2.0, 0.4]
    assert context(visit) == pytest.approx(by_hand(visit), abs=1e-12)
    assert math.dist(*states(visit)[:2]) == pytest.approx(0.4 * math.dist(*wide[:2]), abs=2e-4)
    assert visit.drawings["blend_weights"]["figure"]["data"][0]["y"] == pytest.approx(softmax([5, -1, 0.5], 2))


def test_how_different_the_states_are_stands_in_the_link() -> None:
    visit = Visit({}, BLEND).move([0.3, 2.1, 0.5, 1.0, 0.35])
    assert visit.link == {"spread": "0.35"}
    again = Visit({"spread": "0.35"}, BLEND)
    assert again.warnings == []
    assert again.drawings == visit.drawings
    assert Visit({}, BLEND).link == {}


@pytest.mark.parametrize("bad", ["1.1", "-0.1", "nan", "", "far", "1e0", "9" * 9000])
def test_a_bad_spread_is_named(bad: str) -> None:
    visit = Visit({"spread": bad}, BLEND)
    assert '"spread" in the link is ignored: it must be a number from 0 to 1.' in visit.warnings[0]
    assert visit.values[-1] == 1.0


@pytest.mark.parametrize("spread", [1.01, -0.01, math.nan])
def test_a_spread_beyond_its_slider_is_dropped(spread: float) -> None:
    assert Visit({}, BLEND).move([1, 1, 1, 1, spread]).values == [0.3, 2.1, 0.5, 1.0, 1.0]


def test_one_word_equal_scores_and_a_winner_are_told_and_reachable_by_link() -> None:
    one = Visit({"scenario": "one source word"}, BLEND)
    for step in (1, 2):
        one.at.number_input(key="blend_step").set_value(step)
        one.run()
        assert context(one) == states(one)[0]
    equal = Visit({"scenario": "all equal"}, BLEND)
    assert context(equal) == pytest.approx([math.fsum(column) / 3 for column in zip(*states(equal), strict=True)], abs=1e-12)
    for visit, words in (
        (one, "h1 at every step"),
        (equal, "plain average"),
        (Visit({"scenario": "winner takes almost all"}, BLEND), "nearly a look-up"),
        (Visit({"spread": "0.1"}, BLEND), "nearly alike"),
        (Visit({"spread": "0"}, BLEND), "all states are the same"),
    ):
        assert words in visit.drawings["blend_plane"]["reading"]
        assert not visit.failed


def test_passed_positions_move_weights_and_plane() -> None:
    visit = Visit({}, BLEND).move([], path=[[0.3, 2.1, 0.5, 1.0, 0.8], [0.3, 2.1, 0.5, 1.0, 0.6]])
    assert set(visit.sliders["passed"][0]) == {"blend_weights", "blend_plane"}


def test_the_arithmetic_adds_up_to_what_is_drawn() -> None:
    visit = Visit({"spread": "0.5"}, BLEND)
    table = visit.drawings["blend_arithmetic"]["table"]
    c = context(visit)
    assert table["total"][-2:] == [f"c = {c[0]:.4f}", f"{c[1]:.4f}"]
    for row, weight, h in zip(table["rows"], softmax([0.3, 2.1, 0.5]), states(visit), strict=True):
        assert [float(cell) for cell in row[1:]] == pytest.approx([weight, *h, weight * h[0], weight * h[1]], abs=0.51e-4)
    assert str(list(states(visit)[0])) in visit.at.code[0].value
