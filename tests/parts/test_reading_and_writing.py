"""Drawings of lessons 2 and 8: Plotly takes every figure, and a hand changes nothing but what the browser moves in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import plotly.graph_objects as go
import pytest

from pages.parts import reading, writing
from pages.parts.content import prepared_scenarios
from pages.parts.live import Drawing
from pages.parts.scenario import Scenario
from tests.parts.test_figures import in_colour
from tests.parts.told import MINUS_ZERO, NO_NUMBER, told

ODD = ("<b>", "$x$", "%{z}", "نعم", "👩‍🎓", "the", "the", "1E1", "@h")
SCENARIOS = {
    "running": prepared_scenarios()["running example"],
    "one word": Scenario("x", ("a",), ("b",), ((0.0,),), 0, 1.0, 7),
    "odd": Scenario("x", ODD, ODD, ((0.0,) * 9,) * 9, 8, 1.0, 3),
    "thirty": Scenario("x", ("w",) * 30, ("w",) * 30, ((0.0,) * 30,) * 30, 29, 1.0, 3),
}
every_scenario = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)


def read_at(scenario: Scenario, value: float) -> dict[str, Drawing]:
    plan = reading.Plan("GRU", len(scenario.source) > 1, True, 8, len(scenario.source) - 1, "moon")
    read = reading.read(scenario, plan, value)
    return {**reading.drawings(read, reading.top_of(scenario, plan)), "arithmetic": reading.arithmetic(read)}


def written_at(scenario: Scenario, value: float, stage: int = 6, wiring: str = writing.WIRINGS[0]) -> dict[str, Drawing]:
    w = writing.write(scenario, stage, wiring, {f"s{scenario.t + 1}_2": value})
    return {**writing.drawings(w, False), "arithmetic": writing.arithmetic(w)}


def kept(figure: dict[str, Any]) -> Iterator[Any]:
    """What marks.js does not move, and so must stay while a hand moves."""
    yield figure["layout"]
    for trace in figure["data"]:
        yield (
            {key: value for key, value in trace.items() if key not in ("x", "y", "z", "text", "textfont")},
            len(trace["y"] if "y" in trace else trace["z"]),
        )


@every_scenario
@pytest.mark.parametrize("drawn_at", [read_at, written_at])
def test_plotly_takes_every_figure_and_a_hand_only_moves_marks(
    drawn_at: Callable[[Scenario, float], dict[str, Drawing]], scenario: Scenario
) -> None:
    one, other = drawn_at(scenario, 0.1), drawn_at(scenario, 0.9)
    for name, drawing in one.items():
        for text in told(drawing):
            assert not MINUS_ZERO.search(text), text
            assert not NO_NUMBER.search(text), text
        if "figure" in drawing:
            go.Figure(in_colour(drawing["figure"]))
            assert len(drawing["label"]) > 20
            assert list(kept(drawing["figure"])) == list(kept(other[name]["figure"])), name


@pytest.mark.parametrize("stage", range(1, 7))
@pytest.mark.parametrize("wiring", writing.WIRINGS)
def test_plotly_takes_every_stage(stage: int, wiring: str) -> None:
    for drawing in written_at(SCENARIOS["running"], 0.5, stage, wiring).values():
        if "figure" in drawing:
            go.Figure(in_colour(drawing["figure"]))


def test_colours_and_axes_hold_whatever_a_hand_can_reach() -> None:
    for scenario in SCENARIOS.values():
        for value in (-1.0, 1.0):
            for name, drawing in written_at(scenario, value).items():
                if name in ("scores", "weights", "context", "memory", "guess"):
                    low, high = drawing["figure"]["layout"]["yaxis"]["range"]
                    assert all(low <= v <= high for v in drawing["figure"]["data"][0]["y"]), name
        for step in range(21):
            moved = read_at(scenario, step / 20)["moved"]["figure"]
            assert max(moved["data"][0]["y"]) <= moved["layout"]["yaxis"]["range"][1]
