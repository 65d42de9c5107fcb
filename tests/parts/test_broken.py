"""The bench's code: right where it should be right, and wrong exactly as it says, against numbers worked out elsewhere."""

from __future__ import annotations

import copy
import math
from dataclasses import fields
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest

import attention_core as ac
from pages.parts import bench, bench_code, broken
from pages.parts.broken import BUGS, NAMES, NOTHING, ORIGINS, Given, Run, code_of, stages_of, written
from pages.parts.scenario import Scenario
from tests.site.visit import softmax

RUNNING = Scenario(
    "running",
    ("Je", "suis", "étudiant"),
    ("I", "am", "a", "student"),
    ((2.4, 0.6, -0.4), (0.3, 2.1, 0.5), (-0.4, 0.9, 1.3), (-0.5, 0.4, 2.8)),
    1,
    1.0,
    7,
)


def given(origin: str = "scores", padding: int = 1, temperature: float = 1.0, plus: float = 0.0) -> Given:
    return bench.given_of(RUNNING.with_temperature(temperature), origin, padding, {}, plus)


def ran(bug: str, g: Given) -> Run:
    return code_of(g.origin, bug)(g)


def test_the_mistakes_are_those_that_links_name() -> None:
    assert NAMES == (
        "none",
        "softmax over the wrong axis",
        "no denominator",
        "s_t instead of s_(t-1)",
        "mask after the softmax",
        "no maximum subtracted",
        "blend over s",
        "scale by the wrong dimension",
        "encoder states never used",
    )


# --- The right code ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_given_scores_become_softmax_and_blend(temperature: float) -> None:
    g = given(temperature=temperature)
    run = ran(NOTHING, g)
    for t, row in enumerate(RUNNING.scores):
        alpha = softmax(list(row), temperature)
        assert run.weights[t] == pytest.approx([*alpha, 0.0], abs=1e-15)
        for k in range(bench.D):
            assert run.context[t, k] == pytest.approx(math.fsum(a * h for a, h in zip(alpha, g.h[:, k], strict=False)), abs=1e-14)


def steps_by_hand(g: Given, *, early: bool) -> list[list[float]]:
    """Scores of a Bahdanau decoder in plain Python, a number at a time; `early` updates the state before it scores."""

    def times(W: np.ndarray, v: list[float]) -> list[float]:
        return [math.fsum(w * x for w, x in zip(row, v, strict=True)) for row in W.tolist()]

    s, c, rows = g.s_0.tolist(), [0.0] * bench.D, []
    for y in g.read.tolist():
        for move in ("update", "look") if early else ("look", "update"):
            if move == "update":
                s = [math.tanh(a + b) for a, b in zip(times(g.cell["W"], [*y, *c]), times(g.cell["U"], s), strict=True)]
                continue
            Ws = times(g.score["W_a"], s)
            compared = [[a + b for a, b in zip(Ws, times(g.score["U_a"], h), strict=True)] for h in g.h.tolist()]
            e = [math.fsum(v * math.tanh(x) for v, x in zip(g.score["v_a"].tolist(), row, strict=True)) for row in compared]
            alpha = softmax(e[: int(g.may.sum())], g.T)
            c = [math.fsum(a * h for a, h in zip(alpha, column, strict=False)) for column in g.h.T.tolist()]
            rows.append(e)
    return rows


@pytest.mark.parametrize("bug", [NOTHING, "s_t instead of s_(t-1)"])
@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_the_decoder_scores_before_it_updates_and_the_mistake_after(bug: str, temperature: float) -> None:
    g = given("decoder", padding=2, temperature=temperature)
    assert ran(bug, g).scores == pytest.approx(np.array(steps_by_hand(g, early=bug != NOTHING)), abs=1e-12)


def test_the_decoder_is_the_cores() -> None:
    """Without padding, `attention_core.decode` on the same parameters."""
    g = given("decoder", padding=0)
    decoder = ac.Decoder("tanh", g.cell, g.score, np.zeros((bench.D, bench.D)), np.zeros((2, 2 * bench.D + g.read.shape[1])))
    written_words = np.vstack([g.read[1:], np.zeros(g.read.shape[1])])
    run = ac.decode(g.h, g.s_0, written_words, decoder)
    assert ran(NOTHING, g).weights == pytest.approx(run.weights, abs=1e-12)
    assert ran(NOTHING, g).context == pytest.approx(run.context, abs=1e-12)
    assert g.states == pytest.approx(run.before, abs=5.1e-5)  # kept to four decimals


def test_one_head_scales_by_its_own_size() -> None:
    g = given("head")
    right, wrong = ran(NOTHING, g), ran("scale by the wrong dimension", g)
    for t, q in enumerate(g.queries.tolist()):
        for i, k in enumerate(g.h.tolist()):
            product = q[0] * k[0] + q[1] * k[1]
            assert right.scores[t, i] == pytest.approx(product / math.sqrt(2), abs=1e-14)
            assert wrong.scores[t, i] == pytest.approx(product / math.sqrt(4), abs=1e-14)


# --- The wrong code ------------------------------------------------------------------------------------------------------


def test_the_wrong_axis_shares_out_columns() -> None:
    run = ran("softmax over the wrong axis", given())
    for i in range(3):
        assert run.weights[:, i] == pytest.approx(softmax([row[i] for row in RUNNING.scores]), abs=1e-15)
    assert run.weights[:, 3].tolist() == [0.25] * 4  # the mask is gone: equal numbers, equal shares


@pytest.mark.parametrize("temperature", [0.5, 1.0])
def test_without_the_denominator_exp_is_all(temperature: float) -> None:
    run = ran("no denominator", given(temperature=temperature))
    for t, row in enumerate(RUNNING.scores):
        assert run.weights[t] == pytest.approx([*(float(mpmath.exp(mpmath.mpf(e) / temperature)) for e in row), 0.0], rel=1e-14)
    assert run.weights[1].sum() == pytest.approx(11.1647, abs=5e-5) or temperature != 1  # the curriculum's figure


def test_masking_after_the_softmax_loses_the_share_of_the_padding() -> None:
    run = ran("mask after the softmax", given(padding=2))
    for t, row in enumerate(RUNNING.scores):
        everything = softmax([*row, 0.0, 0.0])
        assert run.weights[t] == pytest.approx([*everything[:3], 0.0, 0.0], abs=1e-15)
    assert ran("mask after the softmax", given(padding=0)).weights == pytest.approx(
        ran(NOTHING, given(padding=0)).weights, abs=1e-15
    )


def test_without_the_maximum_large_scores_are_lost() -> None:
    assert ran("no maximum subtracted", given()).weights == pytest.approx(ran(NOTHING, given()).weights, abs=1e-15)
    # exp(709.78) is the last one below 1.8e308; step 4 has the largest score, 2.8.
    fits, too_large = (ran("no maximum subtracted", given(plus=plus)).weights for plus in (706.0, 707.5))
    assert np.isfinite(fits).all()
    assert np.isnan(too_large[3, 2])
    assert np.isnan(ran("no maximum subtracted", given(plus=-1000.0)).weights[:, :3]).all()  # 0 / 0
    assert ran(NOTHING, given(plus=707.5)).weights == pytest.approx(ran(NOTHING, given()).weights, abs=1e-12)


def test_blending_s_gives_back_s() -> None:
    g = given()
    assert ran("blend over s", g).context == pytest.approx(g.states, abs=1e-14)
    assert ran("blend over s", g).weights.tolist() == ran(NOTHING, g).weights.tolist()


@pytest.mark.parametrize("origin", ["decoder", "head"])
def test_with_the_last_state_alone_all_words_are_alike(origin: str) -> None:
    g = given(origin)
    run = ran("encoder states never used", g)
    assert run.weights == pytest.approx(np.tile([1 / 3, 1 / 3, 1 / 3, 0.0], (4, 1)), abs=1e-15)
    assert run.context == pytest.approx(np.tile(g.h[2], (4, 1)), abs=1e-14)  # the bottleneck is back


@pytest.mark.parametrize("bug", NAMES)
def test_nothing_that_is_given_is_changed_and_nothing_warns(bug: str) -> None:
    scenario = Scenario("wide", ("a", "b"), ("c", "d"), ((1000.0, -1000.0), (-1000.0, -1000.0)), 0, 0.01, 1)
    for origin in ORIGINS if bug == NOTHING else BUGS[bug].origins:
        g = bench.given_of(scenario, origin, 1, {}, 500.0)
        before = copy.deepcopy(g)
        ran(bug, g)  # pytest turns a warning into an error
        for field in fields(Given):
            np.testing.assert_equal(getattr(g, field.name), getattr(before, field.name))


# --- What is shown is what runs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bug", BUGS)
def test_the_source_that_is_shown_is_the_code_that_runs(bug: str) -> None:
    g = given(BUGS[bug].origins[0])
    names = {name: getattr(broken, name) for name in ("additive", "dot", "tanh_cell", "softmax")}
    for stages in (stages_of(g.origin), stages_of(g.origin, bug)):
        passed: list[np.ndarray] = []
        for stage in stages.values():
            space: dict[str, object] = {"np": np, **names}
            exec(written(stage), space)
            arguments = [*passed[-1:], *passed[:1], g] if len(passed) == 3 else [*passed[-1:], g]
            result = stage(*arguments)
            shown = space[stage.__name__](*copy.deepcopy(arguments))  # type: ignore[operator]
            np.testing.assert_array_equal(result, shown)
            passed.append(result)


@pytest.mark.parametrize("bug", BUGS)
def test_side_by_side_stands_the_stage_that_differs(bug: str) -> None:
    for origin in BUGS[bug].origins:
        right, wrong = bench_code.side_by_side(origin, bug)
        assert right != wrong
        assert "# " in wrong, "the wrong line says what is wrong"
        for text in (right, wrong):
            assert text.startswith("def ")
            assert "Array" not in text
            assert max(map(len, text.splitlines())) < 100


def test_the_cores_functions_written_out_are_the_cores() -> None:
    space: dict[str, object] = {"np": np}
    for text in bench_code._CORE.values():
        exec(text, space)
    own = SimpleNamespace(**space)
    rng = np.random.default_rng(1)
    e, may = rng.normal(0, 30, (5, 4)), np.array([True, True, False, True])
    assert own.softmax(e, may, 0.7) == pytest.approx(ac.softmax(e, temperature=0.7, mask=may), abs=1e-13)
    s, h = rng.standard_normal(4), rng.standard_normal((5, 4))
    parameters = {"W_a": rng.standard_normal((3, 4)), "U_a": rng.standard_normal((3, 4)), "v_a": rng.standard_normal(3)}
    assert own.additive(s, h, **parameters) == pytest.approx(ac.additive(s, h, **parameters), abs=1e-14)
    assert own.dot(s, h) == pytest.approx(ac.dot(s, h), abs=1e-14)
    W, U = rng.standard_normal((4, 4)), rng.standard_normal((4, 4))
    assert own.tanh_cell(s, s, W, U) == pytest.approx(ac.tanh_cell(s, s, W, U), abs=1e-14)


# --- The game ------------------------------------------------------------------------------------------------------------


def test_every_mistake_is_drawn() -> None:
    drawn = [bench.game_of(RUNNING.source, RUNNING.target, seed) for seed in range(1, 41)]
    assert {game.bug for game in drawn} == set(NAMES)
    assert {game.origin for game in drawn} == set(ORIGINS)


@pytest.mark.parametrize(("source", "target"), [(RUNNING.source, RUNNING.target), (("a",), ("b",)), (("a", "b"), ("c",))])
def test_in_a_game_no_other_mistake_sounds_alike(source: tuple[str, ...], target: tuple[str, ...]) -> None:
    """Also where there is little to see: with one word and one step several mistakes ring the same alarms."""
    for seed in range(1, 16):
        game = bench.game_of(source, target, seed)
        g = bench.given_of(game.scenario, game.origin, game.padding, {}, 0.0)
        heard = {bug: bench.ringing(bench.readings(code_of(game.origin, bug), g)) for bug in bench.possible(game.origin)}
        assert bool(heard[game.bug]) == (game.bug != NOTHING)
        assert [bug for bug, rings in heard.items() if rings == heard[game.bug]] == [game.bug]


def test_mistakes_that_sound_alike_are_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    twins = {"no denominator": "softmax over the wrong axis"}
    monkeypatch.setattr(bench, "code_of", lambda origin, bug=NOTHING: code_of(origin, twins.get(bug, bug)))
    bench.game_of.cache_clear()
    drawn = {bench.game_of(("a", "b"), ("c", "d"), seed).bug for seed in range(1, 31)}
    bench.game_of.cache_clear()
    assert drawn == set(NAMES) - {"no denominator", "softmax over the wrong axis"}


def test_the_same_seed_and_words_draw_the_same_game() -> None:
    once = bench.game_of(("a",), ("b",), 5)
    bench.game_of.cache_clear()
    assert bench.game_of(("a",), ("b",), 5) == once  # even one word and one step have a game
    assert bench.game_of(RUNNING.source, RUNNING.target, 5) != once
