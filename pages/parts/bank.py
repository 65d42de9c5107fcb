"""The question bank in this session: which questions are asked, in what order, what was answered, and the score."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts import contents, current
from pages.parts.describe import count
from pages.parts.questions import KINDS, Form, Question, house_bank
from pages.parts.settings import Choice, Named, Setting, Whole
from pages.parts.worksheet_view import own_bank

SLUG = "question_bank"
ALL, NOT_YET = WANTED = ("all", "not yet")
RUNS = ("all", "5", "10")
ONE, SHEET, KEY = VIEWS = ("one by one", "worksheet", "answer key")
HAD, HALF, MISSED = RATINGS = ("had it", "half", "not yet")
POINTS = {HAD: 1.0, HALF: 0.5, MISSED: 0.0}
FIRST_SHEET, LAST_SHEET = 1, 9999
MOST_PICKED = 40  # their names fit into a link
SETTINGS: tuple[Setting, ...] = (
    Choice("kind", ("all kinds", *KINDS)),
    Whole("lesson", 0, len(contents.contents()) - 1, 0),
    Choice("wanted", WANTED),
    Choice("run", RUNS),
    Named("picked", rf"{current.ASKED}(,{current.ASKED}){{0,{MOST_PICKED - 1}}}", "names of questions, such as TF1,E2.blend"),
    Whole("sheet", 0, LAST_SHEET, FIRST_SHEET),
    Choice("view", VIEWS),
    Named("question", current.ASKED, "the name of a question, such as TF1 or E1"),
)

Forms = Mapping[str, tuple[Question, Form]]


@dataclass(frozen=True)
class Answer:
    """A locked answer. `points` is 1, 0.5 or 0, and None until an answer in words has been rated by whoever gave it."""

    given: Any
    points: float | None


def forms() -> dict[str, tuple[Question, Form]]:
    """Every form that can be asked: the house's, then a teacher's own."""
    return house_bank().forms | own_bank().forms


def chosen(every: Forms, kind: str, lesson: int, run: str, sheet: int, picked: str = "") -> list[str]:
    """The names of the forms that the filters let through, in order; or of those that were picked by hand.

    A run is a draw from them: forms of different questions as far as there are enough, the same for the same sheet.
    """
    if picked:
        by_hand = picked.split(",")
        return [name for name in every if name in by_hand]
    names = [
        name
        for name, (question, _) in every.items()
        if kind in (question.kind, "all kinds") and (not lesson or lesson in question.lessons)
    ]
    if run == RUNS[0]:
        return names
    order = random.Random(f"{sheet} {kind} {lesson}").sample(names, len(names))
    first_of: dict[str, str] = {}
    for name in order:
        first_of.setdefault(every[name][0].id, name)
    drawn = [*first_of.values(), *(name for name in order if name not in first_of.values())][: int(run)]
    return sorted(drawn, key=names.index)


def queue(names: Sequence[str], wanted: str, now: str) -> list[str]:
    """What is left to ask of these; the question that is on the page stays, whatever became of it."""
    return [name for name in names if wanted == ALL or name == now or points(name) != 1]


def now(names: Sequence[str], wanted: str) -> str:
    """The question on the page: the one that the link names, or else the first."""
    named = str(current.own("question"))
    if named in names:
        return named
    return next((name for name in names if wanted == ALL or points(name) != 1), "")


def pick_by_hand(key: str) -> None:
    """Choose single questions; while any is chosen, the other filters wait."""
    every = forms()
    st.session_state[key] = [name for name in str(current.own("picked")).split(",") if name in every]
    st.multiselect(
        "Or pick them by hand",
        list(every),
        key=key,
        width=300,
        max_selections=MOST_PICKED,
        placeholder="TF1, E2.blend …",
        on_change=lambda: current.change_own(picked=",".join(st.session_state[key])),
    )


def sheet() -> int:
    """The seed of the numbers."""
    return int(current.own("sheet"))


def answer(name: str) -> Answer | None:
    """What was answered to a form on this sheet."""
    return _answers().get(_place(name))


def points(name: str) -> float | None:
    """The points for a form on this sheet; None if there are none yet."""
    given = answer(name)
    return given.points if given else None


def mark(name: str) -> str:
    """What became of a question: right, half, not yet, to be rated; or that it was not answered."""
    if answer(name) is None:
        return "not answered"
    return {1.0: "✓ right", 0.5: "½ half", 0.0: "✗ not yet", None: "say how good it was"}[points(name)]


def lock(name: str, given: Any, points: float | None) -> None:
    """Lock an answer."""
    _answers()[_place(name)] = Answer(given, points)
    current.move_own(question=name)  # it stays on the page, right or not
    current.done().add(current.page())


def rate(name: str, rating: str) -> None:
    """Say how good one's own answer in words was."""
    place = _place(name)
    _answers()[place] = replace(_answers()[place], points=POINTS[rating])


def ask_again(name: str) -> None:
    """Take an answer back."""
    _answers().pop(_place(name), None)


def score_told(names: Sequence[str]) -> str:
    """The score for what was answered of these forms, in words."""
    rated = [value for value in map(points, names) if value is not None]
    if not rated:
        return "Nothing answered yet."
    return f"**{sum(rated):g}** of {count(len(rated), 'point')}; {len(names) - len(rated)} to go."


def filters_told() -> str:
    """The filters in a few words."""
    kind, lesson, run, picked = (current.own(name) for name in ("kind", "lesson", "run", "picked"))
    if picked:
        return f"{picked.count(',') + 1} picked by hand · sheet {sheet()}"
    return f"{run} · {kind} · {f'lesson {lesson}' if lesson else 'all lessons'} · sheet {sheet()}"


def drafts() -> dict[str, Any]:
    """Answers under way by form: widgets forget what is in them when the reader goes to another page."""
    kept: dict[str, Any] = st.session_state.setdefault("bank_drafts", {})
    return kept


def _answers() -> dict[tuple[str, int], Answer]:
    answers: dict[tuple[str, int], Answer] = st.session_state.setdefault("bank_answers", {})
    return answers


def _place(name: str) -> tuple[str, int]:
    """Numbers differ from sheet to sheet, words do not; only a form with numbers has a name behind a point."""
    return name, sheet() if "." in name else 0
