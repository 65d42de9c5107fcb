"""Typed scores are read as meant or refused in one sentence that says where."""

from __future__ import annotations

import pytest

from pages.parts import typed_cells
from pages.parts.content import prepared_scenarios


@pytest.mark.parametrize(
    ("text", "value"), [("2.1", 2.1), (" 2,5 ", 2.5), ("−3", -3.0), ("+.5", 0.5), ("1e2", 100.0), ("-1000", -1000.0), ("0", 0.0)]
)
def test_a_number_is_read_as_people_write_it(text: str, value: float) -> None:
    assert typed_cells.cell(text) == value


@pytest.mark.parametrize(
    "text", ["", " ", "two", "nan", "inf", "-inf", "1000.01", "1e9", "1_0", "٣", "1.2.3", "<b>", "0x1", "9" * 5000]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a number from -1000 to 1000; type for example 2\.1") as caught:
        typed_cells.cell(text)
    assert len(str(caught.value)) < 100


def test_a_grid_is_read_line_by_line() -> None:
    assert typed_cells.grid("1 2,5\t-3\n\n 4;5; 6;\r\n", 2, 3) == ((1.0, 2.5, -3.0), (4.0, 5.0, 6.0))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1 2 3", "there must be 2 lines, one per target word, but there are 1"),
        ("", "there must be 2 lines, one per target word, but there are 0"),
        ("1 2 3\n4 5", "line 2 must have 3 numbers, one per source word, but has 2"),
        ("1 2 3 4\n4 5 6", "line 1 must have 3 numbers, one per source word, but has 4"),
        ("1 2 3\n4 x 6", 'line 2: "x" is not a number from -1000 to 1000; type for example 2.1'),
        ("1 2 3\n4 5 nan", 'line 2: "nan" is not a number from -1000 to 1000; type for example 2.1'),
    ],
)
def test_a_bad_grid_is_refused_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(ValueError) as caught:
        typed_cells.grid(text, 2, 3)
    assert str(caught.value) == problem


def test_a_changed_cell_leaves_the_others_and_is_in_hand() -> None:
    here = prepared_scenarios()["running example"]
    changed = typed_cells.with_cell(here, 3, 0, 7.5)
    assert changed.t == 3
    assert changed.scores == (*here.scores[:3], (7.5, *here.scores[3][1:]))
