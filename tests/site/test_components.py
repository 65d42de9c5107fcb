"""What components report is checked before it counts: nothing a browser sends makes a page fail or changes what it must not."""

from __future__ import annotations

import re
from functools import cache

import pytest

from pages.parts.contents import ROOT
from tests.site.visit import LAB, LESSONS, Visit

HOME = [0.3, 2.1, 0.5, 1.0]
ODD = [None, True, False, 0, -1, 1.5, 1e308, "", "x", [], [1], {}, {"row": 1}]


def test_a_good_report_counts() -> None:
    """The ones below are dropped for what they say, not for how they are sent."""
    visit = Visit().move([1, 2, 3, 0.5])
    assert visit.values == [1, 2, 3, 0.5]


DROPPED = {
    "another epoch": {"epoch": "0"},
    "no epoch": {"epoch": None},
    "an epoch as a number": {"epoch": 1},
    "too few": {"path": [[1, 2, 0.5]]},
    "too many": {"path": [[1, 2, 3, 4, 0.5]]},
    "none": {"path": [[]]},
    "not a list": {"path": ["1234"]},
    "a mapping": {"path": [{"0": 1}]},
    "NaN": {"path": [[float("nan"), 2, 3, 0.5]]},
    "infinity": {"path": [[1, float("inf"), 3, 0.5]]},
    "true": {"path": [[True, 2, 3, 0.5]]},
    "text": {"path": [["1", 2, 3, 0.5]]},
    "nested": {"path": [[[1], 2, 3, 0.5]]},
    "out of bounds": {"path": [[1000.1, 2, 3, 0.5]]},
    "a temperature of 0": {"path": [[1, 2, 3, 0]]},
    "a negative temperature": {"path": [[1, 2, 3, -1]]},
    "no position": {"path": []},
    "a path that is none": {"path": "1234"},
    "too many positions": {"path": [[1, 2, 3, 0.5]] * 7},
    "a bad position before a good one": {"path": [[1, 2, 3, 0], [1, 2, 3, 0.5]]},
    "a number without end": {"path": [[1, 2, 3, 10**400]]},
}


@cache
def untouched() -> Visit:
    """A lab that what is dropped leaves as it is, so that one serves for all of it."""
    return Visit()


@pytest.mark.parametrize("name", DROPPED)
def test_a_report_that_is_nobodys_movement_is_dropped(name: str) -> None:
    visit = untouched().move([1, 2, 3, 0.5], **DROPPED[name])
    assert not visit.failed
    assert visit.values == HOME
    assert visit.link == {}


def test_of_a_path_the_newest_position_counts_and_the_others_are_drawn() -> None:
    visit = Visit().move([], path=[[0, 0, 0, 1], [1, 1, 0, 1], [1, 2, 3, 0.5]])
    assert visit.values == [1, 2, 3, 0.5]
    passed = visit.sliders["passed"]
    assert [figures["lab_before"][0]["y"] for figures in passed] == [[0, 0, 0], [1, 1, 0]]
    assert passed[0]["lab_after"][0]["y"] == pytest.approx([1 / 3] * 3)
    assert visit.run().sliders["passed"] == []


def test_a_report_from_before_a_reset_is_dropped() -> None:
    visit = Visit()
    epoch = visit.sliders["epoch"]
    visit.move([1, 2, 3, 0.5])
    visit.at.button(key="lab_reset").click()
    visit.run().move([4, 4, 4, 4], epoch=epoch)
    assert visit.values == HOME


@pytest.mark.parametrize("change", ["step", "scenario", "click", "words"])
def test_a_report_from_before_another_step_or_scenario_is_dropped(change: str) -> None:
    visit = Visit()
    epoch = visit.sliders["epoch"]
    if change == "step":
        visit.at.number_input(key="lab_step").set_value(1)
        visit.run()
    elif change == "scenario":
        visit.at.selectbox(key="lab_scenario").set_value("all equal")
        visit.run()
    elif change == "click":
        visit.trigger("lab_map", "clicked", {"row": 0, "column": 0})
    else:
        visit.type("source", "drei andere Wörter")
    values = visit.values
    visit.move([4, 4, 4, 4], epoch=epoch)
    assert visit.values == values
    assert visit.move([4, 4, 4, 4]).values == [4, 4, 4, 4], "and one from after it counts"


@pytest.mark.parametrize("seq", [None, "x", -1, 1.5, [], {}, float("inf"), float("nan"), 10**400], ids=lambda seq: repr(seq)[:9])
def test_an_odd_number_of_a_report_does_no_harm(seq: object) -> None:
    visit = Visit().move([1, 2, 3, 0.5], seq=seq)
    assert not visit.failed
    assert not visit.run().failed


@pytest.mark.parametrize(
    "state", [*ODD, {"moved": 5, "settled": 5}, {"moved": "x", "settled": "x"}, {"moved": [], "settled": {}}], ids=repr
)
def test_an_odd_state_of_the_sliders_does_no_harm(state: object) -> None:
    visit = Visit()
    visit.send("lab_scores", state if isinstance(state, dict) else {"moved": state, "settled": state})
    assert not visit.failed
    assert visit.values == HOME
    assert not visit.run().failed


def test_rest_ends_a_movement() -> None:
    visit = Visit().send("lab_scores", {"settled": 1})
    assert not visit.failed
    assert "lab_rested" not in visit.at.session_state


@pytest.mark.parametrize(
    "cell",
    [*ODD, {"row": 1}, {"column": 1}, {"row": True, "column": 1}, {"row": 4, "column": 0}, {"row": -1, "column": 0},
     {"row": 1.5, "column": 0}, {"row": "1", "column": 0}, {"row": 10**30, "column": 0}, {"row": None, "column": None}],
    ids=repr,
)  # fmt: skip
def test_a_click_on_no_cell_does_nothing(cell: object) -> None:
    visit = untouched().trigger("lab_map", "clicked", cell)
    assert not visit.failed
    assert visit.values == HOME
    assert visit.link == {}


@pytest.mark.parametrize("value", [None, 0, 1, "true", [], {}, [True]], ids=repr)
def test_the_projector_is_on_or_off_and_nothing_else(value: object) -> None:
    visit = Visit({"projector": "1"}).trigger("frame_bar", "projector", value)
    assert not visit.failed
    assert visit.bar["projector"] is False
    assert visit.link == {}


def test_an_event_nobody_asked_for_does_nothing() -> None:
    visit = Visit().trigger("lab_map", "deleted", {"row": 1, "column": 1})
    assert not visit.failed
    assert visit.link == {}


WITH_SCORES = [page for page in (LAB, *LESSONS) if re.search(r"controls\.score_hand\(", (ROOT / page.file).read_text("utf-8"))]


@pytest.mark.parametrize("page", WITH_SCORES, ids=lambda page: page.file)
def test_sliders_of_every_page_with_scores_take_scores_and_drop_nonsense(page: object) -> None:
    visit = Visit({}, page)  # type: ignore[arg-type]
    assert visit.move([float("nan"), 2, 3, 0.5]).values == HOME
    assert visit.move([1, 2, 3, 0.5]).values == [1, 2, 3, 0.5]
    assert not visit.failed
    assert visit.link == {"scores": "2.4,0.6,-0.3;1,2,3;-0.4,0.9,1.3;-0.5,0.4,2.8", "temperature": "0.5"}
