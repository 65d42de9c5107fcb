"""The alarms: right code never rings one, every mistake that changes anything rings some, on 200 scenarios of all kinds."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from pages.parts import bench
from pages.parts.alarms import ALARMS, TOLERANCE, distance_to_hull, readings, ringing, sum_told
from pages.parts.broken import BUGS, ORIGINS, Given, Run, code_of
from pages.parts.scenario import Scenario

SCENARIOS = 200
OTHERS = 60  # where the same mistake is tried once more on scores from elsewhere
VISIBLE = 1e-6  # a difference that is far above rounding
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "slept"]


def drawn(seed: int) -> tuple[Scenario, int, dict[str, float]]:
    """A scenario of any size, with scores of any size or all alike, padding, and a changed s_0 now and then."""
    rng = np.random.default_rng(seed)
    T_x, T_y = (int(n) for n in rng.integers(1, 9, 2))
    size = 10.0 ** rng.uniform(-2, 3)
    scores = rng.normal(0, size, (T_y, T_x)).clip(-1000, 1000)
    kind = rng.integers(8)
    if kind == 0:
        scores[:] = scores[0, 0]
    elif kind == 1:
        scores[:] = scores[0]  # all steps alike
    elif kind == 2:
        scores[:] = scores[:, :1]  # all words alike
    elif kind == 3:
        scores = scores.round()  # ties
    T = float(rng.choice([0.01, 0.1, 1, 1, 1, 10, 100]))
    source, target = (tuple(rng.choice(WORDS, n).tolist()) for n in (T_x, T_y))
    grid = tuple(tuple(row) for row in scores.tolist())
    start = {f"s{k + 1}": float(v) for k, v in enumerate(rng.choice([-3.0, 0.0, 1.0], 4))} if rng.random() < 0.3 else {}
    if rng.random() < 0.1:
        start = dict.fromkeys(("s1", "s2", "s3", "s4"), 0.0)
    scenario = Scenario("drawn", source, target, grid, T_y - 1, T, int(rng.integers(10_000)))
    return scenario, int(rng.integers(0, 4)), start


@cache
def inputs(origin: str) -> list[Given]:
    """The same 200 scenarios, with scores from there."""
    return [bench.given_of(scenario, origin, padding, start, 0.0) for scenario, padding, start in map(drawn, range(SCENARIOS))]


def differs(one: Run, other: Run) -> bool:
    """Whether what the code is for, weights and contexts, differs by more than rounding."""
    pairs = ((one.weights, other.weights), (one.context, other.context))
    with np.errstate(all="ignore"):
        return any(bool((~(np.abs(a - b) <= VISIBLE)).any()) for a, b in pairs)


def test_the_scenarios_hold_the_edges() -> None:
    given = inputs("scores")
    shapes = Counter((g.scores.shape[0], int(g.may.sum())) for g in given)
    assert any(T_y == 1 for T_y, _ in shapes)
    assert any(T_x == 1 for _, T_x in shapes)
    assert {int((~g.may).sum()) for g in given} == {0, 1, 2, 3}
    assert any(np.ptp(g.scores) == 0 for g in given)
    assert any(np.abs(g.scores).max() / g.T > 745 for g in given)
    assert any((g.s_0 == 0).all() for g in given)


@pytest.mark.parametrize("origin", ORIGINS)
def test_right_code_never_rings_an_alarm(origin: str) -> None:
    for seed, g in enumerate(inputs(origin)):
        for plus in (0.0, -1000.0, 0.1):
            assert ringing(readings(code_of(origin), replace(g, plus=plus))) == (), (seed, plus)
            if seed % 10:
                break


def test_every_mistake_rings_an_alarm_wherever_it_changes_anything(capsys: pytest.CaptureFixture[str]) -> None:
    heard: dict[str, Counter[str]] = {}
    for bug, card in BUGS.items():
        for origin in card.origins:
            column = heard[f"{bug} ({origin})"] = Counter()
            few = inputs(origin) if origin == card.origins[0] else inputs(origin)[:OTHERS]
            for seed, g in enumerate(few):
                loud = ringing(readings(code_of(origin, bug), g))
                changes = differs(code_of(origin)(g), code_of(origin, bug)(g))
                assert loud or not changes, (bug, origin, seed)
                column.update(loud)
                column["changes weights or contexts"] += changes
                column["any alarm"] += bool(loud)
    names = [*ALARMS, "any alarm", "changes weights or contexts"]
    lines = [f"Alarms in {SCENARIOS} scenarios each, {OTHERS} where the mistake comes a second time; columns are mistakes:"]
    lines += [f"{k + 1:>4}  {title}" for k, title in enumerate(heard)]
    lines.append(" " * 28 + "".join(f"{k + 1:>5}" for k in range(len(heard))))
    lines += [f"{name:<28}" + "".join(f"{column[name]:>5}" for column in heard.values()) for name in names]
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    for title, column in heard.items():
        assert column["any alarm"] >= OTHERS / 2, f"{title} is hardly ever heard"
    for name in ALARMS:
        assert any(column[name] for column in heard.values()), f"{name} never rings for anything"


def test_one_word_and_one_step_hide_the_wrong_axis() -> None:
    """Where a row is a column there is nothing to see, and the alarms do not pretend."""
    scenario = Scenario("one", ("a",), ("b",), ((2.5,),), 0, 1.0, 3)
    g = bench.given_of(scenario, "scores", 0, {}, 0.0)
    broken = code_of("scores", "softmax over the wrong axis")
    assert not differs(code_of("scores")(g), broken(g))
    assert ringing(readings(broken, g)) == ()


def test_where_all_steps_score_alike_only_a_changed_step_tells_the_wrong_axis() -> None:
    """As many words as steps, all rows of scores the same: each weight is 1 / 3, and every sum is 1."""
    scenario = Scenario("alike", ("a", "b", "c"), ("x", "y", "z"), ((0.0, 1.0, 2.0),) * 3, 0, 1.0, 3)
    g = bench.given_of(scenario, "scores", 0, {}, 0.0)
    assert ringing(readings(code_of("scores", "softmax over the wrong axis"), g)) == ("steps mix",)


# --- One alarm at a time, on code that is broken in other ways -----------------------------------------------------------


def tampered(**change: object) -> tuple[dict[str, object], Given]:
    """Readings of the right code with its results changed by hand."""
    scenario = Scenario("s", ("a", "b", "c"), ("x", "y"), ((0.3, 2.1, 0.5), (1.0, -1.0, 0.0)), 0, 1.0, 7)
    g = bench.given_of(scenario, "scores", 1, {}, 0.0)

    def code(given: Given) -> Run:
        run = code_of("scores")(given)
        return run._replace(**{name: alter(getattr(run, name)) for name, alter in change.items()})  # type: ignore[operator]

    return readings(code, g), g


def test_sums_are_heard_above_rounding_and_not_below() -> None:
    assert ringing(tampered(weights=lambda a: a * (1 + TOLERANCE / 10))[0]) == ()
    loud, _ = tampered(weights=lambda a: a * (1 + 10 * TOLERANCE))
    assert "row sums" in ringing(loud)
    assert loud["row sums"].sentence == "The weights of step 1 add up to 1.00000001, not to 1."


def test_what_is_no_number_is_called_by_its_name() -> None:
    loud, _ = tampered(weights=lambda a: np.where(a > 0.5, np.nan, a))
    assert loud["not finite"].measured == "NaN"
    assert "2 of 8 weights are NaN, not a number" in loud["not finite"].sentence
    loud, _ = tampered(weights=lambda a: np.where(a > 0.5, np.inf, a))
    assert loud["not finite"].measured == "inf"
    loud, _ = tampered(context=lambda c: c * np.inf)
    assert "context" in loud["not finite"].sentence


def test_columns_are_heard_where_padding_is_left_out_of_them() -> None:
    loud, _ = tampered(weights=lambda a: np.nan_to_num(a / np.where(a > 0, a.sum(axis=0), 1.0)))
    assert loud["column sums"].rings
    assert not loud["weight on padding"].rings


def test_a_little_weight_on_padding_is_heard() -> None:
    loud, _ = tampered(weights=lambda a: np.where(a == 0, 0.1, a))
    assert loud["weight on padding"].measured == "0.10"
    assert "weight on padding" not in ringing(tampered(weights=lambda a: np.where(a == 0, 1e-12, a))[0])


def test_a_context_just_outside_the_hull_is_heard_and_one_inside_is_not() -> None:
    def beyond(c: np.ndarray) -> np.ndarray:
        return h[2] + share * (h[2] - c)

    h = tampered()[1].h
    share = 1e-5
    assert "outside the hull" in ringing(tampered(context=beyond)[0])
    share = -1e-5
    assert "outside the hull" not in ringing(tampered(context=beyond)[0])


def test_a_context_that_never_moves_is_deaf() -> None:
    assert "deaf to h" in ringing(tampered(context=np.zeros_like)[0])
    assert "deaf to h" not in ringing(tampered(context=lambda c: 0.001 * c)[0])


def test_a_negative_weight_is_an_entropy_nobody_can_have() -> None:
    loud, _ = tampered(weights=lambda a: np.where(a < 0.2, -a, a))
    assert loud["entropies"].rings
    assert loud["entropies"].measured.endswith(" nats")


def test_who_rings_says_why_and_who_does_not_says_nothing() -> None:
    for bug, card in BUGS.items():
        for reading in readings(code_of(card.origins[0], bug), inputs(card.origins[0])[5]).values():
            assert bool(reading.sentence) == reading.rings
            assert len(reading.sentence) < 150
            assert reading.measured == "" or reading.rings


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1"), (1 + 1e-12, "1"), (1.00000001, "1.00000001"), (0.999, "0.999"), (2.5, "2.50"), (np.nan, "NaN")],
)
def test_a_sum_shows_that_it_is_not_1(value: float, text: str) -> None:
    assert sum_told(value) == text


# --- The hull ------------------------------------------------------------------------------------------------------------


def points(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Corners and a point on a coarse grid: points on edges, on lines and twice at one place are common there."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 9)), int(rng.integers(1, 5))
    return rng.integers(-3, 4, d) / 2, rng.integers(-3, 4, (n, d)) / 2


def within(point: np.ndarray, corners: np.ndarray) -> bool:
    """Whether there are weights, by linear programming (scipy's HiGHS)."""
    A = np.vstack([corners.T, np.ones(len(corners))])
    return bool(linprog(np.zeros(len(corners)), A_eq=A, b_eq=[*point, 1.0]).status == 0)


def test_the_hull_holds_what_linear_programming_says() -> None:
    seen = Counter()
    for seed in range(400):
        point, corners = points(seed)
        away = distance_to_hull(point, corners)
        inside = within(point, corners)
        # On this grid a point outside is at least a hundredth away.
        assert away < 1e-9 if inside else away > 1e-2, seed
        seen[inside] += 1
    assert min(seen.values()) > 60


def test_the_distance_is_the_least_there_is() -> None:
    """Against a general minimiser (scipy's SLSQP) over the weights."""
    for seed in range(400, 430):
        point, corners = points(seed)
        n = len(corners)
        found = minimize(
            lambda w, A=corners, p=point: float(((w @ A - p) ** 2).sum()),
            np.full(n, 1 / n),
            bounds=[(0, 1)] * n,
            constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
            options={"ftol": 1e-14, "maxiter": 500},
        )
        assert distance_to_hull(point, corners) == pytest.approx(found.fun**0.5, abs=1e-5), seed


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9, 1e300])
def test_the_distance_keeps_to_any_scale(size: float) -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    assert distance_to_hull(size * np.array([4.0, 5.0]), size * square) == pytest.approx(5 * size, rel=1e-9)
    assert distance_to_hull(size * np.array([0.25, 1.0]), size * square) == pytest.approx(0, abs=1e-9 * size)
