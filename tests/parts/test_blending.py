"""The context as a balance point: never outside the hull, the mean for equal weights, and h_1 where it is alone.

Which points a hull holds is decided here by linear programming (scipy) and by exact fractions, not by the code under test.
"""

from __future__ import annotations

import ast
import math
import subprocess
import sys
from fractions import Fraction
from itertools import permutations

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from pages.parts import blending, drawings
from pages.parts.content import prepared_scenarios
from pages.parts.scenario import OWN, Scenario
from tests.parts.test_focus import in_colour, softmax
from tests.parts.told import MINUS_ZERO, NO_NUMBER, told

PREPARED = prepared_scenarios()
RUNNING = PREPARED["running example"]


def own(*rows: tuple[float, ...], temperature: float = 1.0, seed: int = 7) -> Scenario:
    words = tuple(f"w{i}" for i in range(len(rows[0])))
    return Scenario(OWN, words, tuple(f"v{r}" for r in range(len(rows))), rows, 0, temperature, seed)


def outside(point: np.ndarray, points: np.ndarray) -> float:
    """How far a point is from being a mean of others: the smallest largest error that weights of theirs leave."""
    n = len(points)
    room = np.ones(2 * points.shape[1])
    balance = np.vstack([points.T, -points.T])
    found = linprog(
        c=[0.0] * n + [1.0],
        A_ub=np.column_stack([balance, -room]),
        b_ub=np.concatenate([point, -point]),
        A_eq=[[1.0] * n + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * (n + 1),
    )
    assert found.status == 0
    return float(found.fun)


rows = st.integers(1, 8).flatmap(lambda n: st.tuples(*[st.floats(-1000, 1000).map(lambda x: round(x, 4))] * n))


@settings(derandomize=True, deadline=None, max_examples=150)
@given(rows, st.floats(0.01, 100), st.integers(0, 9999), st.floats(0, 1))
@example((0.0,) * 8, 1.0, 7, 0.0)
@example((1000.0, -1000.0), 0.01, 0, 1.0)
@example((0.5,), 1.0, 3, 1.0)
def test_no_weights_take_c_out_of_the_hull(row: tuple[float, ...], temperature: float, seed: int, spread: float) -> None:
    blend = blending.blend_of(own(row, temperature=temperature, seed=seed), spread)
    assert outside(blend.c, blend.h) < 1e-9
    # The drawn polygon holds as much as all the points do.
    corners = blend.h[list(blend.corners)]
    for state in blend.h:
        assert outside(state, corners) < 1e-9
    assert outside(blend.c, corners) < 1e-9


def test_what_is_outside_is_found_outside() -> None:
    triangle = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    assert outside(np.array([0.6, 0.6]), triangle) == pytest.approx(0.1)
    assert outside(np.array([0.2, 0.2]), triangle) == pytest.approx(0.0, abs=1e-12)


# --- The hull --------------------------------------------------------------------------------------------------------

grid_points = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=9)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(grid_points)
def test_the_hull_turns_left_at_every_corner_and_leaves_nothing_out(points: list[tuple[int, int]]) -> None:
    """On a small grid most points coincide or lie on lines."""
    p = [(Fraction(x, 10), Fraction(y, 10)) for x, y in points]
    corners = [p[i] for i in blending.hull(np.array(points) / 10)]
    assert len(set(corners)) == len(corners)

    def side(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction], q: tuple[Fraction, Fraction]) -> Fraction:
        return (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])

    edges = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    if len(corners) == 1:
        assert set(p) == set(corners)
        return
    if len(corners) == 2:
        a, b = corners
        assert all(side(a, b, q) == 0 and min(a, b) <= q <= max(a, b) for q in p)
        return
    assert all(side(a, b, q) >= 0 for a, b in edges for q in p)
    assert all(side(a, b, c) > 0 for (a, b), (_, c) in zip(edges, [*edges[1:], edges[0]], strict=True))


@pytest.mark.parametrize(
    ("points", "corners"),
    [
        ([(1, 1)], 1),
        ([(1, 1), (1, 1)], 1),
        ([(0, 0), (1, 2)], 2),
        ([(0, 0), (1, 1), (2, 2)], 2),
        ([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)], 4),
    ],
)
def test_hulls_that_are_hardly_any(points: list[tuple[float, float]], corners: int) -> None:
    assert len(blending.hull(np.array(points, dtype=float))) == corners


def test_the_hull_does_not_depend_on_the_order_of_the_words() -> None:
    points = np.array([(0, 0), (0.9, 0.1), (0.5, 0.8), (0.5, 0.3)])
    hulls = {
        frozenset(map(tuple, points[list(order)][list(blending.hull(points[list(order)]))])) for order in permutations(range(4))
    }
    assert hulls == {frozenset({(0.0, 0.0), (0.9, 0.1), (0.5, 0.8)})}


# --- Where c is ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spread", [0.0, 0.37, 1.0])
def test_with_one_word_c_is_its_state_at_every_step(spread: float) -> None:
    blend = blending.blend_of(own((2.0,), (-3.0,), (1000.0,)), spread)
    assert blend.contexts.tolist() == [blend.h[0].tolist()] * 3
    assert "h1 at every step" in blending.reading(blend)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 30])
@pytest.mark.parametrize("score", [0.0, -1000.0, 4.5])
def test_equal_scores_give_the_plain_mean(n: int, score: float) -> None:
    blend = blending.blend_of(own((score,) * n), 1.0)
    mean = [float(sum(Fraction(v) for v in column) / n) for column in blend.h.T.tolist()]
    assert blend.c.tolist() == pytest.approx(mean, abs=1e-15)
    if n > 1:
        assert "plain average" in blending.reading(blend)


def test_the_blend_is_the_weighted_sum_worked_out_by_hand() -> None:
    blend = blending.blend_of(RUNNING, 1.0)
    for row, c in zip(RUNNING.scores, blend.contexts, strict=True):
        weights = softmax(row)
        assert c.tolist() == pytest.approx(
            [math.fsum(a * h for a, h in zip(weights, column, strict=True)) for column in blend.h.T.tolist()], abs=1e-12
        )


def test_one_weight_near_1_is_a_look_up() -> None:
    blend = blending.blend_of(PREPARED["winner takes almost all"], 1.0)
    assert math.dist(blend.c, blend.h[2]) < 0.01
    assert 'almost on h3, "window"' in blending.reading(blend)


def test_states_are_pulled_to_their_mean_and_the_largest_move_is_their_largest_distance() -> None:
    whole = drawings.encoder_states(5, 7).tolist()
    mean = [math.fsum(column) / 5 for column in zip(*whole, strict=True)]
    for spread in (0.0, 0.1, 0.5, 1.0):
        blend = blending.blend_of(own((0.0,) * 5), spread)
        for h, (x, y) in zip(blend.h.tolist(), whole, strict=True):
            assert h == pytest.approx([mean[0] + spread * (x - mean[0]), mean[1] + spread * (y - mean[1])], abs=0.51e-4)
        assert blend.farthest == pytest.approx(max(math.dist(a, b) for a in blend.h for b in blend.h), abs=1e-15)
    assert blending.blend_of(own((0.0,) * 5), 0.0).corners in [(i,) for i in range(5)]
    assert "all states are the same" in blending.reading(blending.blend_of(RUNNING, 0.0))
    nearly = blending.blend_of(RUNNING, 0.1)
    assert f"no weights can move c by more than {nearly.farthest:.2f}" in blending.reading(nearly)


# --- Drawings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PREPARED)
@pytest.mark.parametrize("spread", [0.0, 0.05, 1.0])
def test_every_drawing_is_valid_and_told_in_words(name: str, spread: float) -> None:
    blend = blending.blend_of(PREPARED[name], spread)
    for drawing in (blending.plane_drawing(blend), blending.steps_drawing(blend), blending.arithmetic_drawing(blend)):
        if "figure" in drawing:
            go.Figure(in_colour(drawing["figure"]))
            assert len(drawing["label"]) > 20
        for text in told(drawing):
            assert not MINUS_ZERO.search(text), text
            assert not NO_NUMBER.search(text), text


@pytest.mark.parametrize("n", [1, 2, 3, 12, 13, 30])
def test_a_hand_changes_nothing_but_places_and_sizes(n: int) -> None:
    """Or the browser would have to draw the plane anew at every movement; see marks.js."""

    def rest(blend: blending.Blend) -> tuple[object, list[object]]:
        figure = blending.plane(blend)
        moving = {"x", "y", "text"}
        traces = []
        for trace in figure["data"]:
            still = {k: v for k, v in trace.items() if k not in moving} | {"count": (len(trace["x"]), len(trace["y"]))}
            traces.append({**still, "marker": {k: v for k, v in trace.get("marker", {}).items() if k != "size"}})
            assert all(trace["text"]) if "text" in trace and "text" in trace["mode"] else True
        return figure["layout"], traces

    row = tuple(float(i % 4) for i in range(n))
    first = rest(blending.blend_of(own(row, row), 1.0))
    for spread in (0.0, 0.3):
        assert rest(blending.blend_of(own(row[::-1], row), spread)) == first


def test_the_frozen_vector_is_the_last_state_at_every_step() -> None:
    blend = blending.blend_of(RUNNING, 1.0)
    z = blending.steps_drawing(blend)["figure"]["data"][0]["z"]
    last = drawings.encoder_states(3, 7)[-1].tolist()
    assert z[2:] == [[last[0]] * 4, [last[1]] * 4]
    assert list(zip(*z[:2], strict=True)) == [tuple(c) for c in blend.contexts.tolist()]
    frozen = blending.plane(blend)["data"][3]
    assert (frozen["x"], frozen["y"]) == ([last[0]], [last[1]])
    assert "old way" in frozen["text"][0]


@pytest.mark.parametrize(
    ("scenario", "spread"),
    [(RUNNING, 1.0), (RUNNING, 0.35), (PREPARED["one source word"], 1.0), (PREPARED["a gap too wide for float64"], 0.0)],
)
def test_the_block_prints_the_contexts_in_a_bare_interpreter(scenario: Scenario, spread: float) -> None:
    blend = blending.blend_of(scenario, spread)
    program = blending.block(blend)
    command = [sys.executable, "-I", "-X", "utf8", "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    n, steps = len(scenario.source), len(scenario.target)
    states = blend.h.tolist()
    for step, line in enumerate(lines[n + 1 : n + 1 + steps]):
        weights = softmax(scenario.scores[step], scenario.temperature)
        right = [math.fsum(a * v for a, v in zip(weights, column, strict=True)) for column in zip(*states, strict=True)]
        assert ast.literal_eval(line.split("  ")[0].partition(": ")[2]) == pytest.approx(right, abs=0.51e-4)
        if step == scenario.t:
            assert ast.literal_eval(lines[n].partition(": ")[2]) == pytest.approx(right, abs=0.51e-4)
    assert lines[-2] == f"the old way, every step: {states[-1]}"
    assert lines[-1].endswith(f"{max(math.dist(a, b) for a in states for b in states):.4f}")
    assert max(map(len, program.splitlines())) <= 110
