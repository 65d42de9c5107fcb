"""The course map: a lesson stands below what it needs, and no card covers another."""

from __future__ import annotations

import itertools
import random

import pytest

from pages.parts.contents import Page, contents
from pages.parts.course_map import layout


def course(*needs: tuple[int, ...]) -> tuple[Page, ...]:
    """Pages numbered from 0, with what they need."""
    return tuple(Page(f"{n}.py", f"page_{n}", n, f"Page {n}", "", need) for n, need in enumerate(needs))


def random_course(seed: int) -> tuple[Page, ...]:
    draw = random.Random(seed)
    return course((), *(tuple(draw.sample(range(n), draw.randint(1, min(3, n)))) for n in range(1, 17)))


COURSES = {"as it is": contents(), **{f"drawn {seed}": random_course(seed) for seed in range(20)}}


@pytest.mark.parametrize("name", COURSES)
def test_every_arrow_points_down(name: str) -> None:
    pages = COURSES[name]
    places = layout(pages)
    assert set(places) == {page.number for page in pages}
    for page in pages:
        for need in page.needs:
            if need in places:
                assert places[need][0] < places[page.number][0]


@pytest.mark.parametrize("name", COURSES)
def test_cards_of_a_row_stand_side_by_side(name: str) -> None:
    places = layout(COURSES[name])
    for row in {row for row, _, _ in places.values()}:
        cards = sorted((left, right) for where, left, right in places.values() if where == row)
        assert all(0 <= left < right <= 1 for left, right in cards)
        assert all(right < left for (_, right), (left, _) in itertools.pairwise(cards))


@pytest.mark.parametrize("name", COURSES)
def test_no_row_is_empty(name: str) -> None:
    rows = {row for row, _, _ in layout(COURSES[name]).values()}
    assert rows == set(range(len(rows)))


def test_a_lesson_stands_right_below_the_lowest_that_it_needs() -> None:
    places = layout(course((), (0,), (1,), (0,), (2, 3), (0,)))
    assert {number: row for number, (row, _, _) in places.items()} == {0: 0, 1: 1, 2: 2, 3: 1, 4: 3, 5: 1}
    lefts = [places[number][1] for number in (1, 3, 5)]
    assert lefts == sorted(lefts), "in a row, the order of the course"


def test_a_lesson_that_is_not_there_is_passed_over() -> None:
    places = layout(course((), (0,), (99,), (1, 99)))
    assert {number: row for number, (row, _, _) in places.items()} == {0: 0, 1: 1, 2: 0, 3: 2}
