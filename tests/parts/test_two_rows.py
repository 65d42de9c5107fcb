"""Two rows of boxes: what can be chosen, what is counted, and what the pictures say."""

from __future__ import annotations

import pytest

from pages.parts import two_rows
from pages.parts.scenario import Scenario
from tests.content.test_snippets import run
from tests.parts.test_figures import check_accepted

HOSTILE = ("<b>", "$x$", "@h", "the", "the", "10", "نعم", "👨‍👩‍👧", "'", "\\")


def scenario(read: int, written: int, t: int = 0) -> Scenario:
    def words(n: int) -> tuple[str, ...]:
        return tuple(HOSTILE[k % len(HOSTILE)] for k in range(n))

    return Scenario("own", words(read), words(written), ((0.5,) * read,) * written, t, 1.0, 0)


def test_three_answers_differ_and_one_is_right_for_every_pair_of_lengths() -> None:
    for read in range(1, 31):
        for written in range(1, 31):
            texts, right = two_rows.answers(read, written)
            counts = [int(text.split()[0]) for text in texts]
            assert len(set(counts)) == 3
            assert min(counts) >= 1
            assert [n == len([(t, i) for t in range(written) for i in range(read)]) for n in counts].index(True) == right
    assert two_rows.answers(1, 1)[0] == ("1 look", "2 looks", "3 looks")


@pytest.mark.parametrize(("read", "written"), [(1, 1), (2, 1), (1, 3), (3, 4), (12, 12), (13, 2), (30, 30)])
def test_the_pictures_hold_for_every_size_and_step(read: int, written: int) -> None:
    for t in {0, written // 2, written - 1}:
        here = scenario(read, written, t)
        rows, grid = two_rows.rows_drawing(here, read - 1), two_rows.grid_drawing(here, read - 1)
        for drawing in (rows, grid):
            check_accepted(drawing["figure"])
        lines = [trace for trace in rows["figure"]["data"] if trace["type"] == "scatter"]
        assert len(lines) == read, "a look at every word that was read"
        before, now = grid["figure"]["data"][:2]
        assert before["y"] == [1] * t + [0] * (written - t)
        assert now["y"] == [int(k == t) for k in range(written)]
        numbers = [trace for trace in grid["figure"]["data"] if trace.get("mode") == "text"]
        assert bool(numbers) == (max(read, written) <= 12)
        if numbers:
            assert [text for text in numbers[0]["text"] if text.strip()] == [str(k + 1) for k in range((t + 1) * read)]
        assert f"So far {t + 1} × {read} = {sum(read for _ in range(t + 1))}" in grid["reading"]
        assert f"in all {written} × {read} = {sum(read for _ in range(written))}" in grid["reading"]
        assert f"Look {(t + 1) * read}:" in grid["reading"]


def test_the_words_of_empty_boxes_are_not_told_yet() -> None:
    here = Scenario("own", ("a", "b"), ("eins", "zwei", "drei"), ((0.0, 1.0),) * 3, 1, 1.0, 0)
    drawing = two_rows.rows_drawing(here, 0)
    shown = [note["text"] for note in drawing["figure"]["layout"]["annotations"]]
    assert "zwei" in shown
    assert "drei" not in str(drawing)
    assert "1 box." in drawing["label"]


def test_words_show_as_typed() -> None:
    here = scenario(10, 10, 9)
    shown = {note["text"] for note in two_rows.rows_drawing(here, 0)["figure"]["layout"]["annotations"]}
    assert {"&lt;b>", "&#36;x&#36;", "&#64;h", "نعم", "10"} <= shown


@pytest.mark.parametrize(("read", "written"), [(1, 1), (3, 4), (10, 7), (30, 30)])
def test_the_block_counts_to_the_same_numbers(read: int, written: int) -> None:
    here = scenario(read, written)
    lines = run(two_rows.block(here))
    for t, word in enumerate(here.target, start=1):
        assert lines[t - 1] == f"t = {t}: {word}: {read} looks, {t * read} so far"
    assert lines[-1] == f"looks in all: T_y * T_x = {written} * {read} = {written * read}"
    assert "..." not in lines, "the whole grid is printed"
    assert max(len(line) for line in two_rows._BLOCK.splitlines()) <= 110
