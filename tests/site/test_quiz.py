"""Predict, lock, reveal: an answer counts once it is locked, and touches nothing else."""

from __future__ import annotations

import json
import re

import mpmath
import pytest

from pages.parts.contents import ROOT, Page
from tests.site.visit import LAB, PAGES, Visit, softmax

ASKING = [page for page in PAGES if "quiz.predict(" in (ROOT / page.file).read_text("utf-8")]
every_question = pytest.mark.parametrize("page", ASKING, ids=lambda page: page.file)


def question(visit: Visit) -> str:
    """The key of the page's first question."""
    return visit.at.radio[0].key.removesuffix("_choice")


def verdicts(visit: Visit) -> list[str]:
    return [text for text in visit.read_as_markdown if "**Right.**" in text or "**It is: " in text]


def answer(visit: Visit, choice: int) -> Visit:
    visit.at.radio(key=f"{question(visit)}_choice").set_value(choice)
    visit.run()
    visit.at.button(key=f"{question(visit)}_lock").click()
    return visit.run()


def test_some_page_asks() -> None:
    assert ASKING


@every_question
def test_nothing_is_chosen_for_the_reader_and_nothing_is_told(page: Page) -> None:
    visit = Visit({}, page)
    assert visit.at.radio[0].value is None
    assert visit.at.button(key=f"{question(visit)}_lock").disabled
    assert verdicts(visit) == []
    visit.at.radio[0].set_value(0)
    visit.run()
    assert verdicts(visit) == [], "an answer can be changed until it is locked"
    assert not visit.at.button(key=f"{question(visit)}_lock").disabled


@every_question
def test_one_answer_is_right_and_every_lock_tells_why(page: Page) -> None:
    first = Visit({}, page)
    told = []
    for choice in range(len(first.at.radio[0].options)):
        visit = answer(Visit({}, page), choice)
        (verdict,) = verdicts(visit)
        told.append("**Right.**" in verdict)
        assert visit.at.radio[0].disabled
        assert visit.at.radio[0].value == choice
        assert not [button for button in visit.at.button if button.key == f"{question(visit)}_lock"]
    assert sum(told) == 1


@every_question
def test_a_locked_answer_lasts_and_what_was_moved_stays(page: Page) -> None:
    visit = Visit({"scenario": "near-tie", "t": "2"}, page)
    visit.move([slider["max"] for slider in visit.sliders["sliders"]])
    visit.run()
    link, drawings, values = visit.link, visit.drawings, visit.values
    (verdict,) = verdicts(answer(visit, 1))
    assert (visit.link, visit.drawings) == (link, drawings)
    visit.go(LAB)
    assert visit.link.items() <= link.items()  # what is the page's own stays with the page
    visit.go(page)
    assert verdicts(visit) == [verdict]
    assert visit.at.radio[0].value == 1
    assert (visit.values, visit.drawings) == (values, drawings)


@every_question
def test_the_question_can_be_asked_again(page: Page) -> None:
    visit = answer(Visit({}, page), 0)
    visit.at.button(key=f"{question(visit)}_again").click()
    visit.run()
    assert not visit.failed
    assert verdicts(visit) == []
    assert not visit.at.radio[0].disabled
    assert verdicts(answer(visit, 1))


@every_question
def test_another_reader_is_asked_anew(page: Page) -> None:
    answer(Visit({}, page), 0)
    assert verdicts(Visit({}, page)) == []


# --- Sketches: the same gesture, with bars ---------------------------------------------------------------------------

SKETCHES = [
    (page, key) for page in PAGES for key in re.findall(r'quiz\.sketch\(\s*"(\w+)"', (ROOT / page.file).read_text("utf-8"))
]
every_sketch = pytest.mark.parametrize(("page", "key"), SKETCHES, ids=[key for _, key in SKETCHES])


def opened(page: Page, key: str) -> Visit:
    """A page with its sketch open."""
    return opened_again(Visit({}, page), key)


def opened_again(visit: Visit, key: str) -> Visit:
    visit.at.session_state[f"{key}_panel"] = True
    return visit.run()


def guess(visit: Visit, key: str, parts: list[float]) -> Visit:
    _, data = visit.components[f"{key}_hand"]
    return visit.send(f"{key}_hand", {"moved": {"epoch": data["epoch"], "seq": data["seq"] + 1, "path": [parts]}})


def sketched(visit: Visit, key: str) -> list[dict[str, object]]:
    return visit.drawings[f"{key}_bars"]["figure"]["data"]


def lock(visit: Visit, key: str) -> Visit:
    visit.at.button(key=f"{key}_lock").click()
    return visit.run()


def test_some_page_asks_for_a_sketch() -> None:
    assert SKETCHES


@every_sketch
def test_a_sketch_gives_nothing_away_before_it_is_locked(page: Page, key: str) -> None:
    visit = guess(opened(page, key), key, [10, 30, 60])
    filled, outline = sketched(visit, key)
    assert filled["y"] == [0.0] * 3
    assert outline["y"] == pytest.approx([0.1, 0.3, 0.6])
    assert not visit.failed


@every_sketch
def test_a_locked_sketch_is_compared_lasts_and_can_be_taken_back(page: Page, key: str) -> None:
    visit = lock(guess(opened(page, key), key, [10, 30, 60]), key)
    right, outline = sketched(visit, key)
    assert outline["y"] == pytest.approx([0.1, 0.3, 0.6])
    assert sum(right["y"]) == pytest.approx(1)
    # KL and exp(H), worked out apart from the core.
    off = float(mpmath.fsum(a * mpmath.log(a / b) for a, b in zip(right["y"], outline["y"], strict=True) if a > 0))
    worth = [float(mpmath.exp(-mpmath.fsum(a * mpmath.log(a) for a in bars["y"] if a > 0))) for bars in (outline, right)]
    (verdict,) = [text for text in visit.read_as_markdown if "Off by" in text]
    assert f"Off by {off:.3f} nats" in verdict
    assert f"over {worth[0]:.2f} words' worth; it is {worth[1]:.2f}" in verdict
    opened_again(visit.go(LAB).go(page), key)
    assert sketched(visit, key) == [right, outline]
    assert page.slug in visit.at.session_state["done"]
    visit.at.button(key=f"{key}_again").click()
    visit.run()
    assert sketched(visit, key)[0]["y"] == [0.0] * 3
    assert visit.at.button(key=f"{key}_lock")


def test_the_doubled_scores_are_what_is_right() -> None:
    page, key = next((page, key) for page, key in SKETCHES if key == "shares_double")
    right, _ = sketched(lock(opened(page, key), key), key)
    assert right["y"] == pytest.approx(softmax([0.6, 4.2, 1.0]), abs=1e-15)


def test_a_sketch_that_no_hand_could_make_is_dropped() -> None:
    page, key = SKETCHES[0]
    visit = opened(page, key)
    before = json.dumps(sketched(visit, key))
    for parts in ([0, 50, 50], [50, 50], [1e9, 1, 1], [float("nan"), 1, 1], "abc"):
        assert json.dumps(sketched(guess(visit, key, parts), key)) == before
        assert not visit.failed
