"""The bill: operations counted one by one in loops, slopes of known powers, and times that keep to their budget."""

from __future__ import annotations

import time

import plotly.graph_objects as go
import pytest

from attention_core.seq2seq.model import Sizes
from pages.parts import bill, bottleneck
from pages.parts.bill import Bill, Times
from tests.content.test_snippets import run
from tests.parts.test_focus import in_colour
from tests.parts.told import MINUS_ZERO, NO_NUMBER, told

SIZES = Sizes(units=3, embedding=4, d_a=5)
STANDARD = Sizes()


def counted(T_x: int, T_y: int, n: int, d_x: int, d_a: int) -> tuple[int, int]:
    """Both bills, one operation at a time, in the order in which they are done."""
    looks = works = 0

    def products(rows: int, columns: int) -> int:
        return sum(1 for _ in range(rows) for _ in range(columns))

    def cell(fed: int) -> int:
        done = 0
        for _ in ("proposal", "z", "r"):
            done += products(n, fed) + products(n, n)
            done += n  # a bend of each number
        return done + n + n + n  # r * s; the difference to the old state; z times it, added

    for _ in range(T_x):
        looks += products(d_a, 2 * n)  # U_a h
        works += cell(d_x) + cell(d_x)
    for _ in range(T_y):
        looks += products(d_a, n)  # W_a s
        for _ in range(T_x):
            looks += d_a  # sum
            looks += d_a  # tanh
            looks += d_a  # v_a
            looks += 1 + 1  # exp, division
            looks += 2 * n  # weight times annotation, added up
        works += cell(d_x + 2 * n)
    return looks, works


@pytest.mark.parametrize(("T_x", "T_y"), [(1, 1), (1, 7), (6, 1), (5, 8)])
def test_operations_are_those_of_loops(T_x: int, T_y: int) -> None:
    it = Bill(T_x, T_y, SIZES)
    assert (it.attention, it.network) == counted(T_x, T_y, 3, 4, 5)
    assert it.scores == T_x * T_y


@pytest.mark.parametrize("ratio", [0.25, 1, 3])
def test_where_both_cost_the_same(ratio: float) -> None:
    cross = Bill(100, round(100 * ratio), STANDARD).crossing()
    short, long = (Bill(round(x), round(x * ratio), STANDARD) for x in (0.9 * cross, 1.1 * cross))
    assert short.attention < short.network
    assert long.attention > long.network


def test_the_quadratic_term_wins_for_long_sentences() -> None:
    for times, least, most in ((1, 2.0, 2.2), (1000, 3.95, 4.0)):
        one, two = Bill(times, times, STANDARD), Bill(2 * times, 2 * times, STANDARD)
        assert two.scores == 4 * one.scores
        assert two.network == 2 * one.network
        assert least < two.attention / one.attention < most


@pytest.mark.parametrize(("power", "factor"), [(1, 2), (2, 4), (1.5, 2.8284271247461903)])
@pytest.mark.parametrize("lengths", [bill.LENGTHS, (16, 32), (16, 32, 64, 128)])
def test_what_doubling_does_is_read_from_the_slope(power: float, factor: float, lengths: tuple[int, ...]) -> None:
    assert bill.doubling(lengths, tuple(3e-6 * n**power for n in lengths)) == pytest.approx(factor, abs=1e-9)


def test_the_length_from_which_attention_is_slower() -> None:
    assert Times((16, 32, 64), (1, 2, 9), (2, 3, 4)).dearer_from == 64
    assert Times((16, 32, 64), (3, 1, 9), (2, 3, 4)).dearer_from == 64
    assert Times((16, 32, 64), (3, 4, 9), (2, 3, 4)).dearer_from == 16
    assert Times((16, 32, 64), (1, 2, 3), (2, 3, 4)).dearer_from is None


def test_this_machine_is_measured_once_and_within_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bill, "BUDGET", 0.3)
    begun = time.perf_counter()
    times = bill.measured(SIZES)
    assert time.perf_counter() - begun < 1.0
    assert times.lengths == bill.LENGTHS[: len(times.lengths)]
    assert len(times.lengths) >= 2
    assert all(t > 0 for t in times.attention + times.network)
    assert bill.measured(SIZES) is times


def test_the_block_counts_what_the_page_counts() -> None:
    it = Bill(17, 33, STANDARD)
    lines = run(bill.block(it))
    assert lines[:3] == [
        f"scores: {17 * 33} and of twice the lengths: {4 * 17 * 33}",
        f"operations of attention: {it.attention}",
        f"operations of the network: {it.network}",
    ]
    assert [line.split(":")[0] for line in lines[3:]] == ["T = 64", "T = 128", "T = 256", "T = 512"]


@pytest.mark.parametrize(("T_x", "T_y"), [(1, 1), (1, 2000), (2000, 1), (2000, 2000), (64, 65)])
def test_every_drawing_is_a_figure_and_says_no_nonsense(T_x: int, T_y: int) -> None:
    times = Times(bill.LENGTHS, tuple(1e-6 * n**2 for n in bill.LENGTHS), tuple(1e-4 * n for n in bill.LENGTHS))
    for seconds in (None, times):
        drawn = bottleneck.drawn(20, Bill(T_x, T_y, STANDARD), seconds, worked_out=True)
        for drawing in drawn.values():
            if "figure" in drawing:
                go.Figure(in_colour(drawing["figure"]))
            for text in told(drawing):
                assert not MINUS_ZERO.search(text), text
                assert not NO_NUMBER.search(text), text
    assert drawn["bill_seconds"]["reading"] == (
        "Doubling makes attention 4.0 times, the network 2.0 times as long. Attention is slower from 128 words on."
    )
