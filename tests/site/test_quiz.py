"""Predict, lock, reveal: an answer counts once it is locked, and touches nothing else."""

from __future__ import annotations

import pytest

from tests.site.visit import LAB, PAGES, Visit

ASKING = [page for page in PAGES if Visit({}, page).at.radio]
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
def test_nothing_is_chosen_for_the_reader_and_nothing_is_told(page: object) -> None:
    visit = Visit({}, page)  # type: ignore[arg-type]
    assert visit.at.radio[0].value is None
    assert visit.at.button(key=f"{question(visit)}_lock").disabled
    assert verdicts(visit) == []
    visit.at.radio[0].set_value(0)
    visit.run()
    assert verdicts(visit) == [], "an answer can be changed until it is locked"
    assert not visit.at.button(key=f"{question(visit)}_lock").disabled


@every_question
def test_one_answer_is_right_and_every_lock_tells_why(page: object) -> None:
    first = Visit({}, page)  # type: ignore[arg-type]
    told = []
    for choice in range(len(first.at.radio[0].options)):
        visit = answer(Visit({}, page), choice)  # type: ignore[arg-type]
        (verdict,) = verdicts(visit)
        told.append("**Right.**" in verdict)
        assert visit.at.radio[0].disabled
        assert visit.at.radio[0].value == choice
        assert not [button for button in visit.at.button if button.key == f"{question(visit)}_lock"]
    assert sum(told) == 1


@every_question
def test_a_locked_answer_lasts_and_scores_stay(page: object) -> None:
    visit = Visit({"scenario": "near-tie", "t": "2"}, page)  # type: ignore[arg-type]
    has_scores = visit.has_sliders and visit.sliders["label"].startswith("Scores of step")
    if has_scores:
        visit.move([3.2, -1, 0.5, 0, 0.7])
    link, drawings = visit.link, visit.drawings
    (verdict,) = verdicts(answer(visit, 1))
    assert (visit.link, visit.drawings) == (link, drawings)
    visit.go(LAB)
    assert visit.link == link
    if has_scores:
        assert visit.values == [3.2, -1, 0.5, 0, 0.7]
    visit.go(page)  # type: ignore[arg-type]
    assert verdicts(visit) == [verdict]
    assert visit.at.radio[0].value == 1
    assert (visit.link, visit.drawings) == (link, drawings)


@every_question
def test_the_question_can_be_asked_again(page: object) -> None:
    visit = answer(Visit({}, page), 0)  # type: ignore[arg-type]
    visit.at.button(key=f"{question(visit)}_again").click()
    visit.run()
    assert not visit.failed
    assert verdicts(visit) == []
    assert not visit.at.radio[0].disabled
    assert verdicts(answer(visit, 1))


@every_question
def test_another_reader_is_asked_anew(page: object) -> None:
    answer(Visit({}, page), 0)  # type: ignore[arg-type]
    assert verdicts(Visit({}, page)) == []  # type: ignore[arg-type]
