"""A page's own switches and sizes: checked on the way in, short on the way out."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts import settings
from pages.parts.content import prepared_scenarios
from pages.parts.settings import Choice, Edits, Real, Setting, Whole

RUNNING = prepared_scenarios()["running example"]  # 3 source words, 4 target words
CELL = Choice("cell", ("GRU", "tanh", "both directions"))
PLACE = Whole("i", 1, lambda scenario: len(scenario.source), 2)
FACTOR = Real("factor", -2.0, 1000.0, 1.0)
NUMBERS = Edits("numbers", r"[sv][1-8]|W[1-8]_[1-8]", "s1", 5.0)
ALL: tuple[Setting, ...] = (CELL, PLACE, FACTOR, NUMBERS)


def test_what_nobody_touched_stays_out_of_the_link() -> None:
    values, problems = settings.read(ALL, {}, RUNNING)
    assert values == {"cell": "GRU", "i": 2, "factor": 1.0, "numbers": {}}
    assert problems == []
    assert settings.to_link(ALL, values) == {}


@given(
    cell=st.sampled_from(CELL.options),
    i=st.integers(1, 3),
    factor=st.integers(-20000, 10000000).map(lambda n: n / 10000),
    numbers=st.dictionaries(st.from_regex(NUMBERS.places, fullmatch=True), st.integers(-50000, 50000).map(lambda n: n / 10000)),
)
def test_what_is_written_is_read_again(cell: str, i: int, factor: float, numbers: dict[str, float]) -> None:
    values: dict[str, Any] = {"cell": cell, "i": i, "factor": factor, "numbers": numbers}
    assert settings.read(ALL, settings.to_link(ALL, values), RUNNING) == (values, [])


BAD = {
    "cell": ["", "gru", "GRU ", "x" * 20000],
    "i": ["0", "4", "-1", "1.0", "٢", "", "1e0", "9" * 20000],
    "factor": ["-2.0001", "1001", "nan", "inf", "1e2", "", "1,5", "½", "9" * 20000],
    "numbers": ["s1", "s1:", "s9:1", "s1:6", "s1:nan", "s1=1", ":1", "s1:1,", "s1:1;s2:2", "<b>:1", "s1:1," * 300 + "s1:1"],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in BAD.items() for text in texts])
def test_a_bad_value_is_named_and_the_others_count(name: str, text: str) -> None:
    good = {"cell": "tanh", "i": "3", "factor": "0.5", "numbers": "s1:1"}
    values, problems = settings.read(ALL, {**good, name: text}, RUNNING)
    right, _ = settings.read(ALL, good, RUNNING)
    (default,) = (setting.default for setting in ALL if setting.name == name)
    assert values == {**right, name: default}
    (problem,) = problems
    assert problem.startswith(f'"{name}" in the link is ignored: it must be ')
    assert len(problem) < 200


def test_a_place_follows_a_shorter_sentence() -> None:
    assert PLACE.fitted(3, RUNNING.with_words(("one",), RUNNING.target)) == 1
    assert PLACE.fitted(3, RUNNING) == 3


def test_numbers_are_written_short_and_without_a_minus_zero() -> None:
    assert settings.to_link(ALL, {"cell": "GRU", "i": 2, "factor": 0.1 + 0.2, "numbers": {"v1": -0.00001, "s2": 2.5}}) == {
        "factor": "0.3",
        "numbers": "s2:2.5,v1:0",
    }
    values, _ = settings.read(ALL, {"numbers": "s1:-0"}, RUNNING)
    assert math.copysign(1, values["numbers"]["s1"]) == 1
