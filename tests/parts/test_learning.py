"""A run in training: clear maps in time, the same numbers for the same plan, nothing trained that is held out, little memory."""

from __future__ import annotations

import ast
import itertools
import json
import math
import re
import tracemalloc
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from attention_core.seq2seq.measures import exact_match
from pages.parts import learning_drawings as drawn
from pages.parts.learning import HELD_OUT, LENGTHS, POINTS, TASKS, TICK, Bench, Plan, Run, words_of
from tests.content.test_snippets import run as printed
from tests.core import loops
from tests.parts.told import numbers

REVERSE = Plan("reverse", 6, 1, 0.01, attention=True)
SHORT = Plan("reverse", 3, 1, 0.03, attention=True)
MINUTE = 60.0


def trained(plan: Plan, snapshots: int) -> Run:
    run = Run(plan)
    for _ in range(snapshots):
        run.advance(MINUTE)
    return run


def same(one: Run, other: Run) -> bool:
    return all(
        np.array_equal(a, b)
        for mine, theirs in zip(one.history, other.history, strict=True)
        for a, b in zip(mine, theirs, strict=True)
        if not (isinstance(a, float) and math.isnan(a))
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_the_map_is_clear_within_400_steps(seed: int) -> None:
    run = Run(Plan("reverse", 6, seed, 0.01, attention=True))
    assert run.last.mass < 0.25
    while not run.finished and run.last.mass <= 0.8:
        run.advance(MINUTE)
    assert run.last.mass > 0.8
    assert run.last.step <= 400


@pytest.mark.parametrize("plan", [SHORT, SHORT.twin], ids=["attention", "without"])
def test_a_snapshot_is_what_loops_find(plan: Plan) -> None:
    """Loss, entropy, mass, accuracy over all held-out words, one letter at a time in plain Python."""
    run = trained(plan, 20)
    p, model = run.model.parameters, run.model
    sides: list[Any] = [model.encoder.forward, model.encoder.backward]
    number = {word: k for k, word in enumerate(model.source_words)}
    losses, entropies, masses, right, right_at = [], [], [], [], []
    for example in run.words.held_out:
        x = [p["E_x"][number[word]].tolist() for word in (*example.source, "<eos>")]
        ahead, back = loops.read("GRU", x, sides[0]), loops.read("GRU", x[::-1], sides[1])
        h = [a + b for a, b in zip(ahead, back[::-1], strict=True)]
        last = ahead[-1] + back[-1]
        state, y = [math.tanh(a) for a in loops.product(p["W_s"], last)], [0.0] * p["E_y"].shape[1]
        hits = []
        for t, letter in enumerate((*example.target, "<eos>")):
            if plan.attention:
                step = loops.write(model.decoder, state, y, h)
                state, said = step["state"], step["probabilities"]
            else:
                cell = {name: p[f"d_{name}"] for name in ("W", "U", "W_z", "U_z", "W_r", "U_r")}
                state = loops.cell("GRU", [*y, *last], state, cell)
                said = loops.shares(loops.product(p["W_o"], [*state, *last, *y]))
            losses.append(-math.log(said[number[letter]]))
            hits.append(said.index(max(said)) == number[letter])
            if plan.attention and letter != "<eos>":
                weights = step["weights"]
                masses.append(weights[example.alignment[t][0]])
                entropies.append(-math.fsum(a * math.log(a) for a in weights))
            y = p["E_y"][number[letter]].tolist()
        right.append(all(hits))  # as long as all is right, it reads its own letters
        right_at.append(hits[:-1])
    assert run.last.loss == pytest.approx(np.mean(losses), abs=1e-12)
    assert run.last.accuracy == np.mean(right) == exact_match(model, run.words.held_out)
    assert 0 < run.last.loss < 2.4
    np.testing.assert_allclose(run.last.right_at, np.mean(right_at, axis=0))
    if plan.attention:
        assert run.last.mass == pytest.approx(np.mean(masses), abs=1e-12)
        assert run.last.entropy == pytest.approx(np.mean(entropies), abs=1e-12)


def test_the_same_plan_gives_the_same_numbers_however_it_is_cut() -> None:
    whole, cut = trained(SHORT, 5), Run(SHORT)
    while cut.step < whole.step:
        cut.advance(0.0)  # no time: one step
    assert same(whole, cut)
    other = trained(Plan("reverse", 3, 2, 0.03, attention=True), 5)
    assert not same(whole, other)
    # The control is the same network without a look, and reads the same words.
    control = Run(SHORT.twin)
    np.testing.assert_array_equal(control.model.parameters["E_x"], Run(SHORT).model.parameters["E_x"])
    assert control.words is whole.words


def test_a_slice_ends_when_its_time_is_over_and_comes_when_it_is_due() -> None:
    bench = Bench()
    run = bench.hold(REVERSE)
    now = itertools.count(0.0, 0.03)  # every look at the clock finds 30 ms gone: each step is longer than a slice
    bench.work(lambda: next(now))
    assert run.step == 0, "it is not on"
    bench.turn(True)
    bench.work(lambda: next(now))
    assert run.step == 1
    bench.work(lambda: next(now))
    assert run.step == 1, "a hand calls again at once"
    late = itertools.repeat(next(now) + TICK)
    bench.work(lambda: next(late))
    assert run.step == run.every, "with time to spare a slice goes to the next snapshot"
    bench.turn(False)
    later = itertools.repeat(1000.0)
    bench.work(lambda: next(later))
    assert run.step == run.every


def test_a_press_during_a_slice_counts() -> None:
    """The answer to a press may be made while a slice is still under way: it is not undone, and no second slice begins."""
    bench = Bench()
    run = bench.hold(SHORT)
    bench.turn(True)
    times = itertools.count(0.0, 100.0)

    def clock() -> float:
        now = next(times)
        if run.step == 1:
            bench.work(lambda: next(times))
            bench.turn(False)
        return now

    bench.work(clock)
    assert (bench.on, run.step) == (False, 1)


def test_a_bench_keeps_a_run_and_its_twin_only() -> None:
    bench = Bench()
    first = bench.hold(SHORT)
    first.advance(MINUTE)
    bench.turn(True)
    assert bench.hold(SHORT) is first
    assert bench.on
    control = bench.hold(SHORT.twin)
    assert (bench.on, bench.run, bench.twin) == (False, control, first)
    assert bench.hold(SHORT) is first
    assert bench.twin is None, "a twin that has not been trained is no comparison"
    bench.hold(REVERSE)
    assert list(bench.runs) == [REVERSE]


def test_longer_runs_keep_their_room() -> None:
    run = trained(SHORT, 2)
    for _ in range(2):
        # As if it had been trained to its horizon.
        run.history = [run.last._replace(step=step) for step in range(0, run.horizon + 1, run.every)]
        run.step = run.horizon
        assert len(run.history) == POINTS + 1
        run.extend()
        assert [s.step for s in run.history] == list(range(0, run.step + 1, run.every))
        assert len(run.history) == POINTS // 2 + 1
        assert not run.finished
        run.advance(MINUTE)
        assert run.at(None) is run.last is run.at(10**9)
        assert run.last.step == run.step == run.horizon // 2 + run.every
        assert run.at(run.every + 1).step == run.every


def test_a_run_is_small() -> None:
    plan = Plan("sort", 8, 3, 0.01, attention=True)
    words_of(plan.task, plan.length)  # shared by all readers
    trained(plan, 1)
    tracemalloc.start()
    run = trained(plan, 2)
    size, _ = tracemalloc.get_traced_memory()
    run.advance(MINUTE)
    run.advance(MINUTE)
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size + POINTS * max(grown - size, 0) / 2 < 5e6


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("length", LENGTHS[:2])
def test_what_is_held_out_is_never_trained_on(task: str, length: int) -> None:
    words = words_of(task, length)
    assert len(words.held_out) == HELD_OUT
    assert not {source for source, _ in words.trained_on} & {example.source for example in words.held_out}
    for example in words.held_out:
        assert [example.source[place] for (place,) in example.alignment] == list(example.target)
        assert len(example.source) == length
    shown = words.held_out[0]
    assert len(set(shown.source)) == length
    assert (shown.source == shown.target) == (task == "copy")


@pytest.mark.parametrize("plan", [SHORT, SHORT.twin], ids=["attention", "without"])
def test_plotly_takes_the_figures_and_training_only_moves_marks(plan: Plan) -> None:
    run, twin = trained(plan, 3), trained(plan.twin, 5)
    free = {"bar": ("y", "text"), "scatter": ("x", "y", "text", "textfont"), "heatmap": ("z",)}

    def fixed(figure: dict[str, Any]) -> Any:
        assert all(math.isfinite(v) for v in numbers(figure))
        go.Figure(json.loads(re.sub(r'"@[\w-]+"', '"#123456"', json.dumps(figure, allow_nan=False))))
        lengths = [len(trace.get("y", trace.get("z"))) for trace in figure["data"]]
        return figure["layout"], lengths, [{k: v for k, v in t.items() if k not in free[t["type"]]} for t in figure["data"]]

    before = drawn.drawings(run, twin, 0, "nats")
    run.advance(MINUTE)
    after = drawn.drawings(run, twin, run.step, "nats")
    assert set(before) == set(after)
    for name in before:
        if "figure" in before[name]:
            assert fixed(before[name]["figure"]) == fixed(after[name]["figure"]), name
            assert before[name]["figure"]["data"] != after[name]["figure"]["data"], name


@pytest.mark.parametrize("plan", [SHORT, SHORT.twin], ids=["attention", "without"])
@pytest.mark.parametrize("snapshots", [0, 12])
def test_the_block_prints_what_the_arithmetic_shows(plan: Plan, snapshots: int) -> None:
    run = trained(plan, snapshots)
    table = drawn.arithmetic(run, run.step)["table"]
    lines = dict(line.split(" [", 1) if " [" in line else line.rsplit(" ", 1) for line in printed(drawn.block(run, None)))
    assert float(lines["p(right)"]) == pytest.approx(float(table["rows"][0][5]), abs=1.01e-4)
    assert float(lines["loss"]) == pytest.approx(float(table["rows"][0][6]), abs=1.01e-4)
    slope = next(line for line in lines if line.startswith("slope"))
    assert float(slope.split()[1]) == pytest.approx(float(table["rows"][0][5]) - 1, abs=1.01e-4)
    assert float(lines[slope]) == pytest.approx(float(table["rows"][0][5]) - 1, abs=1.01e-4)
    assert ("on true place" in lines) == plan.attention
    if plan.attention:
        for name, column in (("on true place", 3), ("H in nats", 4)):
            shown = [float(row[column]) for row in table["rows"] if row[column]]
            assert ast.literal_eval("[" + lines[name]) == pytest.approx(shown, abs=1.01e-4)
    losses = [float(row[6]) for row in table["rows"]]
    assert float(table["total"][6]) == pytest.approx(sum(losses) / len(losses), abs=1.01e-4)


def test_the_last_sentence_comes_from_the_history() -> None:
    run, control = trained(SHORT, 2), trained(SHORT.twin, 3)
    shown = run.last._replace(mass=0.8, accuracy=0.75)
    assert drawn.learned(run, None, shown) == (
        "After 8 steps 80 % of the weight is on the true place, and it writes 48 of 64 unseen words right."
    )
    sentence = drawn.learned(control, run, control.at(4))
    assert f"After 4 steps its loss is {control.at(4).loss:.3g} nats" in sentence
    assert f"with attention, after 4, the loss is {run.at(4).loss:.3g}" in sentence, "as many steps, not the newest"
    assert "with attention, after 8, " in drawn.learned(control, run, control.last), "it has made no more"
    assert "map" not in drawn.drawings(control, run, 0, "nats")["output"]["reading"]
    assert "focus" not in drawn.drawings(control, run, 0, "nats")


def test_every_letter_is_judged_even_if_the_word_ends_too_soon() -> None:
    run = trained(SHORT, 0)
    a, *rest = run.example.target
    for output, marks in (((), "✗✗✗"), ((a,), "✓✗✗"), ((a, *rest), "✓✓✓"), ((a, *rest, "a", "b"), "✓✓✓")):
        run.history[0] = run.last._replace(output=output)
        drawing = drawn.drawings(run, None, 0, "nats")["output"]
        assert "".join(drawing["figure"]["data"][3]["text"]).strip() == marks
        assert f"{marks.count('✓')} of 3 letters right" in drawing["reading"]
        assert len({len(trace["text"]) for trace in drawing["figure"]["data"]}) == 1, "as many places in every row"
