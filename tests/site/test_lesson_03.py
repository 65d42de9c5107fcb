"""Lesson 3: a hand on any number moves everything after it, and every broken state can be reached by a link."""

from __future__ import annotations

import pytest

from pages.parts.contents import contents
from pages.parts.microscope import BREAKS, HELD
from tests.site.visit import Visit

PAGE = next(page for page in contents() if page.number == 3)


def map_of(visit: Visit) -> list[list[float]]:
    z: list[list[float]] = visit.drawings["micro_map"]["figure"]["data"][0]["z"]
    return z


@pytest.mark.parametrize("held", HELD)
def test_any_entry_can_be_dragged_and_moves_the_score(held: str) -> None:
    visit = Visit({"hold": held} if held != HELD[0] else {}, PAGE)
    before = visit.drawings
    values = visit.values
    visit.move([values[0] + 0.5, *values[1:]])
    assert not visit.failed
    assert visit.values == [values[0] + 0.5, *values[1:]]
    after = visit.drawings
    assert after["micro_score"]["figure"]["data"][0]["y"][-1] != before["micro_score"]["figure"]["data"][0]["y"][-1]
    assert after["micro_map"]["figure"]["data"][0]["z"] != before["micro_map"]["figure"]["data"][0]["z"]
    # The outline stays where the numbers were prepared.
    assert after["micro_score"]["figure"]["data"][1] == before["micro_score"]["figure"]["data"][1]
    visit.run()
    assert set(visit.link) == {"edits"} | ({"hold"} if held != HELD[0] else set())
    again = Visit(visit.link, PAGE)
    assert again.warnings == []
    assert again.drawings == visit.drawings
    visit.at.button(key="micro_undo").click()
    assert "edits" not in visit.run().link
    assert visit.drawings == before


def test_a_state_that_is_edited_moves_its_own_row_only() -> None:
    visit = Visit({"hold": "s"}, PAGE)
    before = map_of(visit)
    visit.move([1.0, -1.0])
    after = map_of(visit)
    assert [k for k in range(4) if before[k] != after[k]] == [1]
    visit.at.number_input(key="micro_step").set_value(3)
    visit.run()
    assert visit.link == {"hold": "s", "edits": "s2_1:1,s2_2:-1", "t": "3"}
    assert map_of(visit) == after


@pytest.mark.parametrize("breaks", BREAKS)
@pytest.mark.parametrize("sizes", [{}, {"d_s": "4", "d_a": "4"}, {"d_s": "8", "d_h": "8"}])
def test_every_broken_state_opens_by_link_and_goes_on_moving(breaks: str, sizes: dict[str, str]) -> None:
    link = {**sizes, "i": "3", **({"breaks": breaks} if breaks != "none" else {})}
    visit = Visit(link, PAGE)
    assert visit.warnings == []
    assert visit.link == link
    visit.move([-v for v in visit.values])
    assert not visit.failed
    assert set(visit.frames) == set(visit.drawings)
    same_rows = max(abs(a - b) for row in map_of(visit) for a, b in zip(row, map_of(visit)[0], strict=True)) < 1e-12
    assert same_rows == (breaks == "no tanh")


def test_a_click_in_the_map_picks_step_and_word() -> None:
    visit = Visit({}, PAGE)
    visit.trigger("micro_map", "clicked", {"row": 3, "column": 2})
    visit.run()
    assert visit.link == {"t": "4", "i": "3"}
    assert "e₄₃" in visit.drawings["micro_said"]["reading"]


def test_saturating_and_flipping() -> None:
    visit = Visit({"d_a": "4"}, PAGE)
    z = map_of(visit)
    visit.at.button(key="micro_flip").click()
    visit.run()
    flipped = map_of(visit)
    # Weights of negated scores: proportional to one over the old ones.
    for row, turned in zip(z, flipped, strict=True):
        total = sum(1 / a for a in row)
        assert turned == pytest.approx([1 / a / total for a in row], rel=0, abs=1e-12)
    old = visit.drawings["micro_bent"]["figure"]["data"][2]["x"]
    visit.at.button(key="micro_louder").click()
    visit.run()
    assert visit.drawings["micro_bent"]["figure"]["data"][2]["x"] == pytest.approx([3 * a for a in old], rel=0, abs=1e-12)
    assert Visit(visit.link, PAGE).drawings == visit.drawings


def test_what_a_link_cannot_give_is_named() -> None:
    visit = Visit({"i": "9", "d_s": "1", "breaks": "no softmax", "edits": "x1:2", "hold": "e"}, PAGE)
    (warning,) = visit.warnings
    assert all(f'"{name}"' in warning for name in ("i", "d_s", "breaks", "edits", "hold"))
    assert visit.drawings == Visit({}, PAGE).drawings
