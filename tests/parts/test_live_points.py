"""Points that a hand drags in a figure: what comes back from a browser is checked before a page is asked what it means."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.parts import live
from pages.parts.live import FARTHEST, PATH, checked_points
from tests.site.visit import Visit

FRAMES = {"plane", "line"}


def report(*points: object, **changed: object) -> dict[str, object]:
    return {"epoch": "3", "seq": 1, "frame": "plane", "points": list(points), **changed}


def test_good_points_keep_their_order_and_become_floats() -> None:
    points = checked_points(report([1, -2.5], [0.25, 0]), "3", FRAMES)
    assert points == [("plane", 1.0, -2.5), ("plane", 0.25, 0.0)]
    assert all(type(number) is float for _, *numbers in points for number in numbers)


def test_a_hand_may_leave_the_figure_but_not_the_numbers() -> None:
    assert checked_points(report([-FARTHEST, FARTHEST]), "3", FRAMES) == [("plane", -FARTHEST, FARTHEST)]
    assert checked_points(report([0, FARTHEST * 1.01]), "3", FRAMES) is None


def test_no_more_points_than_positions_in_a_path() -> None:
    points = [[float(n), 0.0] for n in range(PATH)]
    assert len(checked_points(report(*points), "3", FRAMES) or []) == PATH
    assert checked_points(report(*points, [0.0, 0.0]), "3", FRAMES) is None
    assert checked_points(report(), "3", FRAMES) is None


HOSTILE = [math.nan, math.inf, -math.inf, True, None, "1", [], [1.0], {}, 1e308, 10**400, 1 + 0j]


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:20])
def test_one_bad_number_spoils_the_report(value: object, place: int) -> None:
    point: list[object] = [0.5, 0.5]
    point[place] = value
    assert checked_points(report([0.1, 0.1], point), "3", FRAMES) is None


@pytest.mark.parametrize("point", [[], [1], [1, 2, 3], (1, 2), "12", {"x": 1, "y": 2}, None, 3], ids=repr)
def test_a_point_is_two_numbers(point: object) -> None:
    assert checked_points(report(point), "3", FRAMES) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"epoch": "2"},
        {"epoch": 3},
        {"frame": "elsewhere"},
        {"frame": None},
        {"frame": ["plane"]},
        {"points": "12"},
        {"points": None},
    ],
    ids=repr,
)
def test_another_epoch_or_an_unknown_frame_is_dropped(changed: dict[str, object]) -> None:
    assert checked_points(report([0.5, 0.5], **changed), "3", FRAMES) is None


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(["3", "plane", ""])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["epoch", "seq", "frame", "points"]), inner, max_size=4),
        st.fixed_dictionaries({"epoch": st.just("3"), "frame": st.just("plane"), "points": inner}),
    ),
    max_leaves=12,
)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(anything)
def test_whatever_arrives_is_checked_or_dropped(what: object) -> None:
    for frame, *numbers in checked_points(what, "3", FRAMES) or []:
        assert frame in FRAMES
        assert len(numbers) == 2
        assert all(math.isfinite(number) for number in numbers)


def test_the_script_keeps_to_the_same_count() -> None:
    script = (live.ASSETS / "live_sliders" / "component.js").read_text(encoding="utf-8")
    assert re.findall(r"const PATH = (\d+);", script) == [str(PATH)]


# --- From a point to the sliders -------------------------------------------------------------------------------------


def page() -> None:
    """A page whose one slider is where the point is, from -1 to 1; a point above 1 means nothing, one below -1 nonsense."""
    import streamlit as st

    from pages.parts.live import Slider, live_figure, live_sliders

    def draw(values: list[float]) -> dict[str, dict[str, str]]:
        return {name: {"label": "", "reading": f"at {values[0]}"} for name in ("free", "fixed")}

    def point(frame: str, x: float, y: float) -> list[float] | None:
        st.session_state.asked = [*st.session_state.get("asked", []), (frame, x, y)]
        return None if y > 1 else [x, 0.0] if y < -1 else [x]

    live_figure("free", heading="", height=100, draggable=True)
    live_figure("fixed", heading="", height=100)
    live_sliders(
        [Slider("x", "x", st.session_state.get("x", 0.0), 0, min=-1, max=1, least=-1, most=1)],
        key="group",
        label="",
        epoch="3",
        draw=draw,
        between=lambda values: {"free": {"data": [{"x": values}]}},
        height=100,
        on_move=lambda values: st.session_state.update(x=values[0]),
        on_rest=lambda: None,
        on_point=point,
    )


class Small(Visit):
    """A visit to the page above."""

    def __init__(self) -> None:
        self.at = AppTest.from_function(page, default_timeout=60)
        self.at.run()

    def drag(self, *points: list[float], frame: str = "free") -> Small:
        self.send("group", {"moved": {"epoch": "3", "seq": 1, "frame": frame, "points": list(points)}})
        assert not self.failed
        return self


def test_a_dragged_point_is_a_movement_of_the_sliders() -> None:
    visit = Small().drag([0.1, 0], [0.2, 0], [0.3, 0])
    assert visit.values == [0.3]
    assert visit.drawings["free"]["reading"] == "at 0.3"
    assert [figures["free"] for figures in visit.sliders["passed"]] == [[{"x": [0.1]}], [{"x": [0.2]}]]
    assert visit.at.session_state["asked"] == [("free", 0.1, 0.0), ("free", 0.2, 0.0), ("free", 0.3, 0.0)]
    assert visit.frames["free"]["draggable"] is True
    assert visit.frames["fixed"]["draggable"] is False


def test_what_the_page_lets_pass_moves_nothing() -> None:
    visit = Small().drag([0.1, 0]).drag([0.2, 2])
    assert visit.values == [0.1]
    assert visit.sliders["passed"] == []
    assert visit.drag([0.2, 2], [0.3, 0], [0.4, 2]).values == [0.3]


def test_what_the_page_answers_keeps_to_the_sliders_bounds_and_number() -> None:
    assert Small().drag([1.5, 0]).values == [0.0]
    assert Small().drag([0.5, -2]).values == [0.0]


def test_a_frame_that_is_not_draggable_has_no_point() -> None:
    for frame in ("fixed", "elsewhere"):
        visit = Small().drag([0.1, 0], frame=frame)
        assert visit.values == [0.0]
        assert "asked" not in visit.at.session_state
