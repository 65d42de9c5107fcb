"""All possible rows of weights as a plane, and the way from a point in it back to scores."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Sequence

import mpmath
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.parts import drawings, focus
from pages.parts.content import prepared_scenarios
from pages.parts.scenario import OWN, Scenario
from tests.parts.told import MINUS_ZERO, NO_NUMBER, shown, told

RUNNING = prepared_scenarios()["running example"]
LN3, LN2 = math.log(3), math.log(2)


def own(*row: float, temperature: float = 1.0) -> Scenario:
    return Scenario(OWN, tuple(f"w{i}" for i in range(len(row))), ("v",), (row,), 0, temperature, 7)


def softmax(scores: Sequence[float], temperature: float = 1.0) -> list[float]:
    with mpmath.workdps(40):
        lifted = [mpmath.exp((mpmath.mpf(e) - max(scores)) / mpmath.mpf(temperature)) for e in scores]
        return [float(x / mpmath.fsum(lifted)) for x in lifted]


def entropy(weights: Sequence[float]) -> float:
    return -math.fsum(a * math.log(a) for a in weights if a > 0)


def spot(weights: Sequence[float]) -> tuple[float, float]:
    """Where three weights are in a triangle with corners (0, 0), (1/2, sqrt(3)/2), (1, 0)."""
    _, second, third = weights
    return 0.5 * second + third, math.sqrt(3) / 2 * second


def in_colour(value: object, key: str = "") -> object:
    """The figure with a real colour for every "@name", as the browser makes it."""
    if isinstance(value, str) and value.startswith("@") and key.endswith("color"):
        return "#123456"
    if isinstance(value, dict):
        return {k: in_colour(v, k) for k, v in value.items()}
    return [in_colour(v, key) for v in value] if isinstance(value, list) else value


# --- The coloured ground ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("unit", "per"), [("nats", 1.0), ("bits", 0.6931471805599453)])
def test_no_row_of_three_words_has_more_entropy_than_the_even_one(unit: focus.Unit, per: float) -> None:
    """Read from the figure's own data: thousands of rows, each checked, and the largest H is log 3, at equal weights."""
    (trace,) = focus.ground(3, unit)
    seen: dict[tuple[float, float, float], float] = {}
    for y, line in zip(trace["y"], trace["z"], strict=True):
        for x, h in zip(trace["x"], line, strict=True):
            second = y / (math.sqrt(3) / 2)
            row = (1 - second - (x - second / 2), second, x - second / 2)
            if min(row) >= 0:
                seen[row] = h
    assert len(seen) >= 5000
    for row, h in seen.items():
        assert h == pytest.approx(entropy(row) / per, abs=2e-5)
    top = max(seen, key=lambda row: seen[row])
    assert top == pytest.approx([1 / 3] * 3, abs=2e-6)
    assert seen[top] == trace["zmax"].__round__(5)
    assert seen[top] == pytest.approx(1.0986122886681098 / per, abs=1e-5)
    assert sum(h >= seen[top] for h in seen.values()) == 1
    go.Figure(data=[trace])


@pytest.mark.parametrize("length", [1, 2, 4, 30])
def test_only_three_words_have_a_coloured_ground(length: int) -> None:
    assert focus.ground(length, "nats") == []


# --- The row in the plane, and back ----------------------------------------------------------------------------------


def test_the_current_row_is_where_its_weights_balance() -> None:
    step = drawings.step_of(RUNNING)
    *_, others, dot = focus.plane(step, "nats")["data"]
    assert (dot["x"][0], dot["y"][0]) == pytest.approx(spot(softmax([0.3, 2.1, 0.5])), abs=1e-12)
    assert dot["text"] == ["2"]
    assert others["text"] == ["1", "3", "4"]
    rows = [softmax(RUNNING.scores[r]) for r in (0, 2, 3)]
    assert list(zip(others["x"], others["y"], strict=True)) == [pytest.approx(spot(row)) for row in rows]


def test_of_two_words_the_plane_is_the_curve_of_their_entropy() -> None:
    curve, _, dot = focus.plane(drawings.step_of(own(1.0, 2.0)), "bits")["data"]
    for p, h in zip(curve["x"], curve["y"], strict=True):
        assert h == pytest.approx(entropy([1 - p, p]) / LN2, abs=1e-12)
    assert max(curve["y"]) == curve["y"][curve["x"].index(0.5)] == 1.0
    p = softmax([1, 2])[1]
    assert (dot["x"][0], dot["y"][0]) == pytest.approx((p, entropy([1 - p, p]) / LN2))


@pytest.mark.parametrize("row", [(2.0,), (0.3, -1.0, 2.0, 0.0), (0.1,) * 30, (1000.0, -1000.0, 0.0, 0.0)])
def test_of_other_numbers_of_words_bars_add_up_to_the_entropy(row: tuple[float, ...]) -> None:
    (bars,) = focus.plane(drawings.step_of(own(*row)), "nats")["data"]
    weights = softmax(row)
    assert bars["y"] == pytest.approx([-a * math.log(a) if a > 0 else 0 for a in weights], abs=1e-12)
    assert math.fsum(bars["y"]) == pytest.approx(entropy(weights), abs=1e-12)


shares = st.tuples(*[st.floats(0.001, 1)] * 3).map(lambda raw: [x / math.fsum(raw) for x in raw])
scores = st.tuples(*[st.floats(-4, 4).map(lambda x: round(x, 2))] * 3)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(shares, scores, st.sampled_from([0.5, 1.0, 2.0]))
def test_a_dragged_point_gives_scores_whose_softmax_is_that_point(weights: list[float], row: tuple[float, ...], T: float) -> None:
    back = focus.weights_at(3, *spot(weights))
    assert back == pytest.approx(weights, abs=1e-9)
    e = focus.scores_for(back, own(*row, temperature=T), 20.0)
    assert softmax(e, T) == pytest.approx(weights, abs=0.006 / T)  # scores keep two decimals
    assert math.fsum(e) / 3 == pytest.approx(math.fsum(row) / 3, abs=0.006), "the mean of the scores stays"


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    st.floats(-1e6, 1e6),
    st.floats(-1e6, 1e6),
    st.integers(2, 3),
    st.sampled_from([0.01, 1.0, 100.0]),
    st.sampled_from([5.0, 1000.0]),
)
def test_wherever_the_hand_goes_the_scores_stay_on_their_sliders(x: float, y: float, n: int, T: float, reach: float) -> None:
    weights = focus.weights_at(n, x, y)
    assert min(weights) >= 0
    assert math.fsum(weights) == pytest.approx(1)
    e = focus.scores_for(weights, own(*[4.0, -3.0, 5.0][:n], temperature=T), reach)
    assert all(-reach <= score <= reach for score in e)
    assert all(str(score) != "-0.0" for score in e)
    assert max(e, default=0) == e[weights.index(max(weights))] or math.isclose(
        max(e), e[weights.index(max(weights))], abs_tol=0.011
    )


def test_a_corner_is_the_farthest_that_the_sliders_reach() -> None:
    for x, y, first in ((0.0, 0.0, 0), (0.5, 0.9, 1), (1.2, -0.3, 2)):
        e = focus.scores_for(focus.weights_at(3, x, y), own(0.3, 2.1, 0.5), 5.0)
        assert e == [5.0 if i == first else -5.0 for i in range(3)]


def test_a_constant_stays_where_it_was_and_any_other_would_do() -> None:
    high = focus.scores_for([0.2, 0.3, 0.5], own(3.0, 3.0, 3.0), 5.0)
    low = focus.scores_for([0.2, 0.3, 0.5], own(-1.0, -1.0, -1.0), 5.0)
    assert [a - b for a, b in zip(high, low, strict=True)] == pytest.approx([4.0] * 3, abs=0.011)
    assert softmax(high) == pytest.approx(softmax(low), abs=0.006)


# --- What is said ----------------------------------------------------------------------------------------------------


def test_the_two_tasks_are_opposite_and_both_are_said_to_be_right() -> None:
    drawing = focus.tasks_drawing("bits")
    assert "Neither is better" in drawing["reading"]
    rows = prepared_scenarios()["near-diagonal"].scores
    focused = min(entropy(softmax(row)) for row in rows)
    spread = max(entropy(softmax(row)) for row in prepared_scenarios()["diffuse"].scores)
    assert f"H = {focused / LN2:.2f} bits, like {math.exp(focused):.1f} of 6 words" in drawing["reading"]
    assert f"H = {spread / LN2:.2f} bits, like {math.exp(spread):.1f} of 12 words" in drawing["reading"]


@pytest.mark.parametrize("unit", ["nats", "bits"])
@pytest.mark.parametrize("name", prepared_scenarios())
def test_every_drawing_is_valid_and_told_in_words_with_its_unit(name: str, unit: focus.Unit) -> None:
    scenario = prepared_scenarios()[name]
    for t in range(len(scenario.target)):
        step = drawings.step_of(scenario.with_step(t))
        for drawing in (focus.plane_drawing(step, unit), focus.tasks_drawing(unit), focus.arithmetic_drawing(step, unit)):
            if "figure" in drawing:
                go.Figure(in_colour(drawing["figure"]))
                assert len(drawing["label"]) > 20
            for text in told(drawing):
                assert not MINUS_ZERO.search(text), text
                assert not NO_NUMBER.search(text), text
        assert f" {unit}" in focus.plane_drawing(step, unit)["reading"]
        h = entropy(softmax(scenario.scores[t])) / (LN2 if unit == "bits" else 1) + 0.0
        assert f"H = {h:.2f} {unit}" in focus.plane_drawing(step, unit)["reading"]


def test_words_in_the_corners_are_text() -> None:
    scenario = RUNNING.with_words(("<b>x</b>", "$y$", "@alpha"), ("a",))
    texts = [t["text"][0] for t in focus.plane(drawings.step_of(scenario), "nats")["data"] if t.get("mode") == "text"]
    assert [shown(text) for text in texts] == ["<b>x</b>", "$y$", "@alpha"]
    assert "@alpha" not in texts


def test_the_arithmetic_is_that_of_the_running_example() -> None:
    table = focus.arithmetic_drawing(drawings.step_of(RUNNING), "nats")["table"]
    assert table["rows"][1] == ["2  suis", "2.10", "0.7314", "-0.3128", "0.2288"]
    assert table["total"][-1] == "H = 0.7667"
    assert "1.1061 bits" in focus.arithmetic_drawing(drawings.step_of(RUNNING), "nats")["reading"]
    assert focus.arithmetic_drawing(drawings.step_of(RUNNING), "bits")["table"]["total"][-1] == "H = 1.1061"


@pytest.mark.parametrize("scenario", [RUNNING, own(2.0), own(1000.0, -1000.0, 0.0), own(*[0.1] * 30, temperature=0.01)], ids=str)
def test_the_block_prints_the_entropy_in_a_bare_interpreter(scenario: Scenario) -> None:
    command = [sys.executable, "-I", "-X", "utf8", "-W", "error", "-c", focus.block(scenario)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.stderr == ""
    *_, h, most, words, above = done.stdout.splitlines()
    row = softmax(scenario.scores[scenario.t], scenario.temperature)
    n = len(row)
    assert h == f"entropy: {entropy(row) + 0.0:.4f} nats = {entropy(row) / LN2 + 0.0:.4f} bits"
    assert most == f"at most: {math.log(n):.4f} nats = {math.log2(n):.4f} bits"
    assert words == f"effective words: {math.exp(entropy(row)):.4f} of {n}"
    assert above == "random rows above the most: 0"
    assert max(map(len, focus.block(RUNNING).splitlines())) <= 110
