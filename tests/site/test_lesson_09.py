"""Lesson 9: a hand on one state moves the functions that use it, refused sizes say so, every state has a link."""

from __future__ import annotations

from pages.parts.contents import contents
from tests.site.visit import Visit

PAGE = next(page for page in contents() if page.number == 9)


def rows(visit: Visit) -> list[list[float]]:
    z: list[list[float]] = visit.drawings["family_rows"]["figure"]["data"][0]["z"]
    return z


def moved(visit: Visit) -> list[int]:
    """Which rows move when the first number of the state in hand does."""
    before, values = rows(visit), visit.values
    after = rows(visit.move([values[0] + 0.5, *values[1:]]))
    return [k for k, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]


def test_a_state_moves_the_functions_that_use_it() -> None:
    assert moved(Visit({}, PAGE)) == [1, 2, 3, 4], "s_t: all but additive"
    assert moved(Visit({"hold": "sₜ₋₁"}, PAGE)) == [0], "s_(t-1): additive alone"


def test_the_factor_and_d_k_move_their_figures_and_reach_the_link() -> None:
    visit = Visit({}, PAGE)
    before = visit.drawings
    visit.move([*visit.values[:-2], 5.0, 64])
    assert not visit.failed
    assert all(a != b for a, b in zip(rows(visit), before["family_rows"]["figure"]["data"][0]["z"], strict=True))
    assert visit.drawings["family_scaling"] != before["family_scaling"]
    visit.run()
    assert visit.link == {"factor": "5", "d_k": "64"}
    assert Visit(visit.link, PAGE).drawings == visit.drawings
    visit.at.button(key="family_undo").click()
    assert visit.run().link == {"d_k": "64"}
    assert rows(visit) == before["family_rows"]["figure"]["data"][0]["z"]


def test_other_sizes_refuse_dot_and_leave_the_others() -> None:
    visit = Visit({"d_s": "3", "compared": "general"}, PAGE)
    assert len(rows(visit)) == 3
    assert "s has 3 numbers and h has 4" in visit.drawings["family_said"]["reading"]
    assert "figure" in visit.drawings["family_difference"]
    visit = Visit({"d_s": "3"}, PAGE)
    assert "s has 3 numbers and h has 4" in visit.drawings["family_other"]["reading"]
    visit.move([-v for v in visit.values[:-2]] + visit.values[-2:])
    assert not visit.failed


def test_a_link_opens_what_its_sender_saw_and_names_what_it_cannot_give() -> None:
    link = {
        "i": "3",
        "compared": "scaled dot",
        "hold": "sₜ₋₁",
        "edits": "s1_1:0.5,s2_4:-0.25",
        "factor": "2.5",
        "d_k": "32",
        "unit": "bits",
    }
    visit = Visit(link, PAGE)
    assert visit.warnings == []
    assert visit.link == link
    assert "bits" in visit.drawings["family_focus"]["label"]
    visit.trigger("family_other", "clicked", {"row": 0, "column": 1})
    assert visit.run().link == {**{k: v for k, v in link.items() if k != "i"}, "t": "1"}
    bad = Visit({"compared": "additive", "factor": "0", "d_k": "65", "edits": "s31_1:1", "d_h": "9"}, PAGE)
    (warning,) = bad.warnings
    assert all(f'"{name}"' in warning for name in ("compared", "factor", "d_k", "edits", "d_h"))
    assert bad.drawings == Visit({}, PAGE).drawings
