"""Shapes of a map: what is made of any size has the shape, what is named has it too, and what is not clear is not named."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from pages.parts.content import prepared_scenarios
from pages.parts.patterns import LEAD, PATTERNS, peaks_of, scores_of, shape_of, shape_of_peaks
from pages.parts.scenario import OWN, Scenario
from tests.site.visit import softmax

SIZES = [(1, 1), (1, 30), (30, 1), (2, 2), (3, 4), (4, 3), (7, 5), (30, 30), (30, 2), (5, 30)]


def weights(grid: tuple[tuple[float, ...], ...]) -> np.ndarray:
    return np.array([softmax(list(row)) for row in grid])


def tops(grid: tuple[tuple[float, ...], ...]) -> list[int]:
    """The place of each row's largest score, which must be alone."""
    for row in grid:
        assert row.count(max(row)) == 1
    return [row.index(max(row)) for row in grid]


def is_block_swap(peaks: list[int]) -> bool:
    """By trying all cuts: two neighbouring blocks exchanged give a sorted row, and not all of the row has moved."""
    n = len(peaks)
    for a, b, c in itertools.combinations(range(n + 1), 3):
        swapped = peaks[:a] + peaks[b:c] + peaks[a:b] + peaks[c:]
        if swapped == sorted(peaks) and (a > 0 or c < n):
            return True
    return False


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_of_any_size_has_its_shape(name: str, size: tuple[int, int]) -> None:
    T_y, T_x = size
    grid = scores_of(name, T_y, T_x, 7)
    # It is a scenario's grid: shape and bounds are checked there.
    Scenario(OWN, tuple(f"s{i}" for i in range(T_x)), tuple(f"t{i}" for i in range(T_y)), grid, 0, 1.0, 0)
    if name == "uniform":
        assert {e for row in grid for e in row} == {0.0}
        return
    peaks = tops(grid)
    rising = [round(T_x * (t + 0.5) / T_y - 0.5 + 1e-9) for t in range(T_y)]  # the middle of each step's share
    if name == "diagonal":
        assert peaks == sorted(peaks)
        assert all(abs(a - b) <= 1 for a, b in zip(peaks, rising, strict=True))
    elif name == "anti-diagonal":
        assert peaks == sorted(peaks, reverse=True)
        assert sorted(peaks) == tops(scores_of("diagonal", T_y, T_x))
    elif name == "one-column sink":
        assert peaks == [T_x - 1] * T_y
    else:
        assert sorted(peaks) == tops(scores_of("diagonal", T_y, T_x)), "the same looks in another order"
        if len(set(peaks)) >= 2 and T_y >= 3:
            assert is_block_swap(peaks) == (name == "block swap")
            assert peaks not in (sorted(peaks), sorted(peaks, reverse=True))


def test_every_size_is_made_and_recognised() -> None:
    """With two steps there is no order but forwards and backwards, and of one step or word no shape at all."""
    for T_y in range(1, 31):
        for T_x in (1, 2, 3, 4, 11, 30):
            for name in PATTERNS:
                seen = shape_of(weights(scores_of(name, T_y, T_x, 3)) if T_y * T_x < 60 else _quick(scores_of(name, T_y, T_x, 3)))
                if T_y == 1 or T_x == 1:
                    assert seen is None
                elif T_y == 2 and name in ("scattered", "block swap"):
                    assert seen in ("diagonal", "anti-diagonal")
                elif (T_y, T_x, name) != (3, 2, "scattered"):  # three looks at two words: 0 1 1 is all there is to order
                    assert seen == name, (T_y, T_x)


def _quick(grid: tuple[tuple[float, ...], ...]) -> np.ndarray:
    rows = [[math.exp(e) for e in row] for row in grid]
    return np.array([[x / sum(row) for x in row] for row in rows])


def test_the_seed_draws_the_scattered_order() -> None:
    orders = {tuple(tops(scores_of("scattered", 8, 8, seed))) for seed in range(6)}
    assert len(orders) == 6
    assert scores_of("scattered", 8, 8, 5) == scores_of("scattered", 8, 8, 5)


PREPARED = {
    "running example": "diagonal",
    "all equal": "uniform",
    "one source word": None,
    "near-tie": None,
    "winner takes almost all": "diagonal",
    "negative scores": "diagonal",
    "a gap too wide for float64": "diagonal",
    "near-diagonal": "diagonal",
    "anti-diagonal": "anti-diagonal",
    "diffuse": "uniform",
    "repeated words": "diagonal",
}


@pytest.mark.parametrize("name", prepared_scenarios())
def test_the_prepared_scenarios_are_named_as_they_are_meant(name: str) -> None:
    scenario = prepared_scenarios()[name]
    assert shape_of(np.array([softmax(list(row), scenario.temperature) for row in scenario.scores])) == PREPARED[name]


def test_peaks_of_orders_are_named_as_all_cuts_say() -> None:
    for n in (3, 4, 5):
        for order in map(list, itertools.product(range(n), repeat=n)):
            name = shape_of_peaks(order, n)
            if len(set(order)) == 1:
                assert name == "one-column sink"
            elif 2 * (max(order) - min(order)) < n - 1:
                assert name is None
            elif order == sorted(order):
                assert name == "diagonal"
            elif order == sorted(order, reverse=True):
                assert name == "anti-diagonal"
            else:
                assert name == ("block swap" if is_block_swap(order) else "scattered")


def test_a_step_without_a_clear_lead_keeps_the_map_unnamed() -> None:
    clear, unclear = [0.1, 0.7, 0.2], [0.45, 0.45 - LEAD + 0.001, 0.1 + LEAD - 0.001]
    assert peaks_of(np.array([clear, unclear])) == [1, None]
    assert shape_of(np.array([[0.8, 0.1, 0.1], clear, [0.1, 0.1, 0.8]])) == "diagonal"
    assert shape_of(np.array([[0.8, 0.1, 0.1], unclear, [0.1, 0.1, 0.8]])) is None


def test_noise_is_rarely_given_a_shape_that_means_something() -> None:
    """Random scores may look scattered. Anything else would be read into them."""
    draw = random.Random(5)
    named = [shape_of(_quick(tuple(tuple(draw.gauss(0, 1.5) for _ in range(8)) for _ in range(8)))) for _ in range(300)]
    assert {name for name in named if name} <= {"scattered"}
    assert named.count(None) > 150
