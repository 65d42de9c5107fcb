"""Lesson 11: training runs while the page is looked at, stops and goes on at a press, and can be played back."""

from __future__ import annotations

from typing import Any

import pytest

from pages.parts import learning
from pages.parts.learning import Bench, Plan, Run
from tests.site.visit import LAB, PAGES, Visit

PAGE = next(page for page in PAGES if page.slug == "watch_it_learn")
EVERY = learning.HORIZON // learning.POINTS
SMALL = {"length": "3", "rate": "0.03"}
PLAN = Plan("reverse", 3, 1, 0.03, attention=True)


@pytest.fixture(autouse=True)
def _every_run_is_a_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a browser nothing ticks: a run of the page stands for it, and has all the time it needs."""
    monkeypatch.setattr(learning, "TICK", 0.0)
    monkeypatch.setattr(learning, "SLICE", 60.0)


def main_button(visit: Visit) -> Any:
    """Start, Resume, Train on or Stop, whichever there is."""
    (found,) = (button for button in visit.at.button if button.key in ("learn_go", "learn_stop"))
    return found


def press(visit: Visit, key: str = "") -> Visit:
    button = visit.at.button(key=key) if key else main_button(visit)
    button.click()
    return visit.run()


def bench(visit: Visit) -> Bench:
    found: Bench = visit.at.session_state["learn_bench"]
    return found


def label(visit: Visit) -> str:
    return str(main_button(visit).label)


def map_of(visit: Visit) -> list[list[float]]:
    z: list[list[float]] = visit.drawings["learn_map"]["figure"]["data"][0]["z"]
    return z


def alone(snapshots: int, plan: Plan = PLAN) -> Run:
    """The same run without a page."""
    run = Run(plan)
    for _ in range(snapshots):
        run.advance(60.0)
    return run


def test_start_stop_resume_and_anew() -> None:
    visit = Visit(SMALL, PAGE)
    assert (visit.values, label(visit)) == ([0.0], "Start")
    visit.run()
    assert visit.values == [0.0], "nothing trains before it is asked for"
    press(visit)
    assert label(visit) == "Stop"
    for _ in range(3):
        visit.run()
    assert visit.values == [4.0 * EVERY], "the scrubber follows"
    assert map_of(visit) == alone(4).last.weights.tolist()

    press(visit)
    stopped = visit.drawings
    assert (visit.values, label(visit)) == ([4.0 * EVERY], "Resume")
    visit.run()
    assert visit.drawings == stopped

    press(visit).run()
    assert visit.values == [6.0 * EVERY]
    assert map_of(visit) == alone(6).last.weights.tolist(), "as if it had never stopped"

    press(visit, "learn_anew")
    assert visit.values == [1.0 * EVERY]
    for _ in range(3):
        visit.run()
    press(visit)
    assert visit.drawings == stopped, "the same numbers, to the last digit"
    assert visit.link == SMALL, "a run is in no link"
    assert not visit.failed


def test_who_leaves_the_page_stops_the_work() -> None:
    visit = press(Visit(SMALL, PAGE))
    left = visit.values
    visit.go(LAB).run()
    visit.go(PAGE)
    assert (visit.values, label(visit)) == (left, "Resume")
    visit.run()
    assert visit.values == left
    assert press(visit).values == [left[0] + EVERY], "the network is still there"


def test_the_scrubber_plays_back_while_training_goes_on() -> None:
    visit = press(Visit(SMALL, PAGE))
    visit.run()
    visit.move([float(EVERY)])
    assert map_of(visit) == alone(1).last.weights.tolist()
    assert f"Trained {3 * EVERY} of" in visit.drawings["learn_right"]["reading"], "a movement does not keep it waiting"
    assert visit.drawings["learn_output"]["reading"].startswith(f"After {EVERY} steps")
    assert visit.run().values == [EVERY]
    visit.move([float(learning.HORIZON)])
    assert visit.values == [bench(visit).run.step], "beyond the end it follows"
    first, *_ = visit.move([0.0]).values
    assert first == 0.0
    assert visit.drawings["learn_reading"]["reading"].startswith("Before any training")
    assert visit.sliders["sliders"][0]["max"] == learning.HORIZON


def test_a_run_pauses_by_itself_and_goes_on_when_asked() -> None:
    visit = press(Visit(SMALL, PAGE))
    bench(visit).run.horizon = 2 * EVERY
    visit.run()
    assert (label(visit), visit.values, bench(visit).on) == ("Train on", [2.0 * EVERY], False)
    assert visit.run().values == [2.0 * EVERY]
    assert press(visit).values == [4.0 * EVERY]
    assert visit.sliders["sliders"][0]["max"] == 4 * EVERY


def test_the_control_has_no_map_and_is_compared() -> None:
    visit = press(Visit(SMALL, PAGE))
    press(visit)
    trained = visit.drawings
    visit.at.segmented_control(key="learn_network").set_value("without")
    visit.run()
    assert visit.link == {**SMALL, "network": "without"}
    assert (visit.values, label(visit)) == ([0.0], "Start")
    assert set(visit.frames) == set(visit.drawings) == set(trained) - {"learn_focus"}
    assert {trace["type"] for trace in visit.drawings["learn_map"]["figure"]["data"]} == {"bar"}
    press(visit)
    loss, other = alone(1, PLAN.twin).last.loss, alone(1).last.loss
    reading = visit.drawings["learn_reading"]["reading"]
    assert f"loss is {loss:.2f}" in reading
    assert f"with attention, after {EVERY}, the loss is {other:.2f}" in reading
    # Back at the network with attention, its run is still there, and so is the control's curve.
    visit.at.segmented_control(key="learn_network").set_value("attention")
    visit.run()
    assert visit.drawings["learn_map"] == trained["learn_map"]
    names = [trace.get("name") for trace in visit.drawings["learn_right"]["figure"]["data"]]
    assert "loss without" in names
    # Another length is another run.
    visit.at.number_input(key="learn_length").set_value(4)
    visit.run()
    assert (visit.values, label(visit), len(bench(visit).runs)) == ([0.0], "Start", 1)


def test_settings_are_in_the_link_and_bad_ones_are_named() -> None:
    link = {"task": "shift", "network": "without", "rate": "0.01", "length": "8", "start": "12"}
    visit = Visit(link, PAGE)
    assert visit.link == link
    assert bench(visit).run.plan == Plan("shift", 8, 12, 0.01, attention=False)
    for name, bad in (("task", "rotate"), ("network", "with"), ("rate", "1"), ("length", "9"), ("length", "2"), ("start", "-1")):
        (warning,) = Visit({name: bad}, PAGE).warnings
        assert f'"{name}" in the link is ignored' in warning


@pytest.mark.parametrize("unit", ["nats", "bits"])
def test_entropy_is_told_in_the_readers_unit(unit: str) -> None:
    reading = Visit({**SMALL, "unit": unit}, PAGE).drawings["learn_focus"]["reading"]
    most = "1.39" if unit == "nats" else "2.00"  # ln 4 and 2 bits: three letters and the end
    assert reading.endswith(f"of at most {most} {unit}.")
