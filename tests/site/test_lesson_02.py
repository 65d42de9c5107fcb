"""Lesson 2: a changed word is felt by exactly the summaries that can know of it, and every number is the loop's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import attention_core as ac
from tests.content.test_snippets import run
from tests.core import loops
from tests.site.visit import PAGES, Visit

PAGE = next(page for page in PAGES if page.slug == "vectors_and_hidden_states")
SENTENCE = {"source": "le chat voit le chien", "target": "x"}


def cells(visit: Visit, name: str) -> np.ndarray:
    """The numbers of a strip: one row per word."""
    return np.array(visit.drawings[f"vectors_{name}"]["figure"]["data"][0]["z"]).T


def moved(visit: Visit) -> list[float]:
    return visit.drawings["vectors_moved"]["figure"]["data"][0]["y"]


def looped(words: list[str], change: float, k: int, other: str, *, cell: str, both: bool, on: bool, d_h: int, seed: int = 7):
    """Word vectors and annotations in plain Python. The weights are drawn as the page's NumPy block says."""
    rows = [np.random.default_rng([seed, *word.encode()]).standard_normal(4).tolist() for word in [*words, other]]
    end = rows.pop()
    rows[k] = [(1 - change) * a + change * b for a, b in zip(rows[k], end, strict=True)]
    rng = np.random.default_rng(seed)

    def drawn(d: int) -> dict[str, np.ndarray]:
        names = ["W", "U", "W_z", "U_z", "W_r", "U_r"] if cell == "GRU" else ["W", "U"]
        return {n: rng.standard_normal((d, w)) * g / w**0.5 for n, w, g in zip(names, [4, d] * 3, [1.5, 1.0] * 3, strict=False)}

    if not both:
        return rows, loops.read(cell, rows, drawn(d_h), on)
    forward, backward = drawn(d_h - d_h // 2), drawn(d_h // 2)
    back = loops.read(cell, rows[::-1], backward, on)[::-1]
    return rows, [[*f, *b] for f, b in zip(loops.read(cell, rows, forward, on), back, strict=True)]


@pytest.mark.parametrize(("cell", "both", "on"), [*itertools.product(ac.CELLS, (False, True), (True, False))])
def test_who_notices_a_changed_word(cell: str, both: bool, on: bool) -> None:
    link = {"cell": cell, "direction": "both directions" if both else "left to right", "recurrence": "on" if on else "off"}
    visit = Visit({**SENTENCE, **link, "k": "3", "word": "lune", "d_h": "5"}, PAGE)
    assert visit.warnings == []
    before = cells(visit, "h")
    assert moved(visit) == [0.0] * 5
    assert "Exactly 0 everywhere" in visit.drawings["vectors_moved"]["reading"]
    visit.move([0.65])
    after = cells(visit, "h")
    same = [bool((a == b).all()) for a, b in zip(before, after, strict=True)]
    assert same == ([True, True, False, True, True] if not on else [False] * 5 if both else [True, True, False, False, False])
    assert moved(visit) == np.abs(after - before).max(axis=1).tolist()
    assert [d == 0 for d in moved(visit)] == same
    texts = visit.drawings["vectors_moved"]["figure"]["data"][0]["text"]
    assert [text == "0" for text in texts] == same
    reading = visit.drawings["vectors_moved"]["reading"]
    told = {
        (True, False): "Changed: h of words 3 to 5. Exactly 0: h of words 1 and 2.",
        (True, True): "Changed: every h.",
    }.get((on, both), "Changed: h of word 3. Exactly 0: h of words 1, 2, 4 and 5.")
    assert reading == told
    # Every number is the loop's.
    x, h = looped(SENTENCE["source"].split(), 0.65, 2, "lune", cell=cell, both=both, on=on, d_h=5)
    np.testing.assert_allclose(cells(visit, "x"), x, rtol=0, atol=1e-12)
    np.testing.assert_allclose(after, h, rtol=0, atol=1e-12)
    # And the block prints it.
    printed = run(visit.at.code[0].value)
    for line, row, word in zip(printed, h, SENTENCE["source"].split(), strict=True):
        numbers, _, shown = line.rpartition(" ")
        assert shown == word
        np.testing.assert_allclose([float(n) for n in numbers.strip("[]").split(",")], row, rtol=0, atol=0.51e-4)


@pytest.mark.parametrize("cell", ac.CELLS)
def test_the_arithmetic_ends_in_the_summary_on_screen(cell: str) -> None:
    visit = Visit({**SENTENCE, "cell": cell, "direction": "both directions", "k": "2", "change": "0.4"}, PAGE)
    table = visit.drawings["vectors_arithmetic"]["table"]
    rows = [dict(zip(table["columns"][1:], map(float, row[1:]), strict=True)) for row in table["rows"]]
    h = cells(visit, "h")
    assert [row[0] for row in table["rows"]] == ["1 →", "2 →", "3 ←", "4 ←"]
    for j, row in enumerate(rows):
        assert row["h_2, new"] == pytest.approx(h[1, j], abs=0.51e-4)
        assert row["h before"] == pytest.approx(h[0 if j < 2 else 2, j], abs=0.51e-4)
        if cell == "GRU":
            assert row["z"] == pytest.approx(loops.squeezed(row["W_z x"] + row["U_z h"]), abs=1e-4)
            assert row["h_2, new"] == pytest.approx((1 - row["z"]) * row["h before"] + row["z"] * row["proposal"], abs=2e-4)


def test_without_recurrence_the_summary_before_counts_as_nothing() -> None:
    table = Visit({**SENTENCE, "recurrence": "off", "k": "2"}, PAGE).drawings["vectors_arithmetic"]["table"]
    assert [row[1] for row in table["rows"]] == ["0.0000"] * 4


def test_one_vector_becomes_the_other_words() -> None:
    visit = Visit({**SENTENCE, "k": "2", "word": "chien", "change": "1"}, PAGE)
    x = cells(visit, "x")
    assert x[1].tolist() == x[4].tolist(), "it is that word's vector, to the last digit"
    assert x[0].tolist() == x[3].tolist(), "a repeated word has one vector"
    still = Visit({**SENTENCE, "k": "2", "word": "chat", "change": "0.3"}, PAGE)
    assert "nothing can change" in still.drawings["vectors_word"]["reading"]


def test_settings_go_into_the_link_and_come_back() -> None:
    link = {
        "cell": "tanh",
        "direction": "both directions",
        "recurrence": "off",
        "d_h": "8",
        "k": "3",
        "change": "0.25",
        "word": "نعم",
    }
    visit = Visit({"scenario": "near-tie", **link}, PAGE)
    assert visit.warnings == []
    assert visit.link == {"scenario": "near-tie", **link}
    assert len(visit.drawings["vectors_h"]["figure"]["data"][0]["z"]) == 8
    assert Visit(visit.link, PAGE).drawings == visit.drawings
    visit.move([0.5])
    visit.run()
    assert visit.link["change"] == "0.5"


@pytest.mark.parametrize(
    ("name", "bad"),
    [("cell", "LSTM"), ("direction", "up"), ("recurrence", "1"), ("d_h", "9"), ("k", "4"), ("k", "0"), ("change", "1.5")]
    + [("word", text) for text in ("two words", " ", "x" * 41, "\u200b")],
)
def test_a_bad_setting_is_named(name: str, bad: str) -> None:
    visit = Visit({name: bad}, PAGE)
    (warning,) = visit.warnings
    assert f'"{name}" in the link is ignored' in warning
    assert visit.drawings == Visit({}, PAGE).drawings


def test_typing_a_word_and_clicking_a_column() -> None:
    visit = Visit({}, PAGE)
    visit.at.text_input(key="vectors_other").set_value("lune")
    visit.run()
    assert visit.link == {"word": "lune"}
    visit.at.text_input(key="vectors_other").set_value("la lune")
    visit.run()
    assert visit.errors == ["Nothing was changed: it must be one word of 1 to 40 letters."]
    assert visit.link == {"word": "lune"}, "the last good word stays"
    visit.trigger("vectors_h", "clicked", {"row": 1, "column": 2})
    assert visit.link == {"k": "3", "word": "lune"}


def test_a_hand_repaints_nothing() -> None:
    """All that differs between two positions is what marks.js moves: values, texts, their colours."""
    visit = Visit({"scenario": "repeated words"}, PAGE)
    stills = []
    for value in (0.2, 0.9):
        visit.move([value])
        figures = [visit.drawings[f"vectors_{name}"]["figure"] for name in ("word", "x", "h", "moved")]
        still = [[{k: v for k, v in t.items() if k not in ("y", "z", "text", "textfont")} for t in f["data"]] for f in figures]
        stills.append((still, [f["layout"] for f in figures]))
    assert stills[0] == stills[1]
