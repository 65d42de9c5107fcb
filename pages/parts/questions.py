"""The question bank, read and checked: every item of ``assets/questions/``, and of a file that a teacher brings.

One TOML file holds one kind of question. A file is read item by item, so that a fault takes down the item it is in and
nothing else; whoever reads gets both what is good and one sentence for each fault.

A question has one or more *forms*. The first form of most questions is asked in words. A form with numbers names a recipe
(`question_numbers.RECIPES`), which draws the numbers from the sheet's seed, and computes answer and worked solution.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from pages.parts import contents
from pages.parts.content import ASSETS
from pages.parts.question_numbers import RECIPES, Drawn, draw

FOLDER = ASSETS / "questions"
TRUE_FALSE, SPOT, WHY, EDGE, CARD, NUMBERS = KINDS = (
    "true or false",
    "spot the error",
    "why",
    "edge case",
    "flash card",
    "numbers",
)
ID = r"[A-Z]{1,4}[0-9]{1,3}"
FORM_NAME = r"[a-z][a-z0-9-]{0,30}"
LONGEST = 1200  # characters of one text
MOST = 200  # questions in one file


@dataclass(frozen=True)
class Experiment:
    """Where the answer can be seen: a page, what stands in its link, and what to do and look at there.

    Every number in `look` is on the page that the link opens.
    """

    page: str
    link: Mapping[str, str]
    look: str


@dataclass(frozen=True)
class Reason:
    """A reason that may be chosen for true or false; `why` says what is wrong with it, and is empty for the right one."""

    text: str
    why: str = ""


@dataclass(frozen=True)
class Piece:
    """A piece of a formula or a sentence. ``_{ti}`` in `text` lowers, ``^{2}`` raises.

    A piece with `say` can be clicked, and is called that by a screen reader. `why` says why the error is not there; the
    piece in which it is has `wrong` instead.
    """

    text: str
    say: str = ""
    why: str = ""
    wrong: bool = False


@dataclass(frozen=True)
class Form:
    """One way of asking a question.

    `recipe` is empty for a form in words. The texts of a form with numbers hold the recipe's names in braces.
    `slips` maps a wrong result that the recipe knows to what has gone wrong there.
    """

    name: str
    prompt: str
    recipe: str = ""
    within: float = 0.0
    solution: str = ""
    slips: Mapping[str, str] = field(default_factory=dict)

    def drawn(self, sheet: int) -> Drawn:
        """The form's numbers on a sheet: the same seed gives the same sheet."""
        return draw(self.recipe, self.name, sheet)

    def said(self, text: str, sheet: int) -> str:
        """One of the form's texts (prompt, solution, a slip's), with the sheet's numbers in it."""
        return text.format(**self.drawn(sheet).given) if self.recipe else text

    def asked(self, sheet: int) -> str:
        """The prompt, with the sheet's numbers in it."""
        return self.said(self.prompt, sheet)


@dataclass(frozen=True)
class Question:
    """One item of the bank."""

    id: str
    kind: str
    lessons: tuple[int, ...]
    forms: tuple[Form, ...]
    experiment: Experiment
    why: str = ""  # shown after the reveal; the model answer of a question in words
    answer: bool | None = None  # true or false
    reasons: tuple[Reason, ...] = ()
    pieces: tuple[Piece, ...] = ()
    points: tuple[str, ...] = ()  # what a good answer in words names


@dataclass(frozen=True)
class Bank:
    """What was read: questions by id in order, and a sentence for each fault."""

    questions: Mapping[str, Question]
    faults: tuple[str, ...]

    @property
    def forms(self) -> dict[str, tuple[Question, Form]]:
        """Every form with its question, by the name it has in links: ``TF3``, or ``E1.mean``."""
        return {
            question.id if not form.name else f"{question.id}.{form.name}": (question, form)
            for question in self.questions.values()
            for form in question.forms
        }


# What each kind needs, beside id, lessons and experiment.
_NEEDS: dict[str, dict[str, type]] = {
    TRUE_FALSE: {"prompt": str, "answer": bool, "why": str, "reason": list},
    SPOT: {"prompt": str, "pieces": list, "why": str},
    WHY: {"prompt": str, "why": str, "points": list},
    EDGE: {"prompt": str, "why": str, "points": list},
    CARD: {"prompt": str, "why": str},
    NUMBERS: {"form": list},
}
_MAY: dict[str, dict[str, type]] = {EDGE: {"form": list}, WHY: {"form": list}, CARD: {"form": list}}
_FORM = {"name": str, "prompt": str, "recipe": str, "within": float, "solution": str, "slips": dict}


class _FaultError(ValueError):
    """What is wrong, in which field."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__(what)
        self.place = place


@cache
def house_bank(folder: Path = FOLDER) -> Bank:
    """Read all files of the house's own bank, in the order of `KINDS`."""
    questions: dict[str, Question] = {}
    faults: list[str] = []
    for file in sorted(folder.glob("*.toml")):
        read = read_bank(file.read_text(encoding="utf-8"), file.name, known=questions)
        questions |= read.questions
        faults += read.faults
    ordered = sorted(questions.values(), key=lambda question: KINDS.index(question.kind))
    return Bank({question.id: question for question in ordered}, tuple(faults))


def read_bank(text: str, file: str, known: Mapping[str, Question] | None = None) -> Bank:
    """Read one file of questions.

    Parameters
    ----------
    text : str
        TOML: ``kind`` and a ``[[question]]`` table for each item.
    file : str
        The file's name, for the faults.
    known : mapping of str to Question, optional
        Questions whose ids are taken.

    Returns
    -------
    Bank
        The questions that can be asked, and one sentence for each that cannot: file, line, id, field, what is wrong, and
        what to do. Nothing is ever raised.
    """
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, brackets thousands deep
        return Bank({}, (f"{file}: not TOML ({error}); correct that place.",))
    kind, entries = content.get("kind"), content.get("question")
    if kind not in KINDS:
        return Bank({}, (f'{file}: "kind" is {kind!r} but must be one of {", ".join(KINDS)}; put it into the first line.',))
    if not isinstance(entries, list) or not 1 <= len(entries) <= MOST:
        return Bank({}, (f"{file}: there must be 1 to {MOST} [[question]] tables; add one.",))
    extra = sorted(content.keys() - {"kind", "question"})
    faults = [f'{file}: "{key}" is not known here; take it out.' for key in extra]
    questions: dict[str, Question] = {}
    for place, entry in enumerate(entries):
        try:
            question = _question(entry, kind)
            if question.id in questions or question.id in (known or {}):
                raise _FaultError("id", f"{question.id} is taken already; choose another")
            questions[question.id] = question
        except _FaultError as fault:
            named = entry.get("id") if isinstance(entry, dict) else None
            line = _line(text, place, fault.place)
            faults.append(f'{file}, line {line}: question {named or place + 1}: "{fault.place}": {fault}.')
    return Bank(questions, tuple(faults))


def _question(entry: Any, kind: str) -> Question:
    if not isinstance(entry, dict):
        raise _FaultError("question", "it must be a [[question]] table")
    own = _NEEDS[kind] | _MAY.get(kind, {})
    kinds = {"id": str, "lessons": list, "experiment": dict} | own
    _only(entry, kinds, may=_MAY.get(kind, {}))
    if not re.fullmatch(ID, entry["id"]):
        raise _FaultError("id", f"{entry['id'][:20]!r} must be one to four capitals and a number, such as TF10")
    numbers = {page.number for page in contents.contents()} - {0}
    lessons = entry["lessons"]
    if not lessons or any(type(n) is not int or n not in numbers for n in lessons):
        raise _FaultError("lessons", f"{lessons!r} must be numbers of lessons, from {min(numbers)} to {max(numbers)}")
    words = (Form("", entry["prompt"]),) if "prompt" in own else ()
    forms = tuple(_form(form, entry["id"]) for form in entry.get("form", ()))
    names = [form.name for form in forms]
    if len(set(names)) < len(names):
        raise _FaultError("form", "two forms have the same name; choose another")
    return Question(
        id=entry["id"],
        kind=kind,
        lessons=tuple(lessons),
        forms=words + forms,
        experiment=_experiment(entry["experiment"]),
        why=entry.get("why", ""),
        answer=entry.get("answer"),
        reasons=_reasons(entry["reason"]) if "reason" in own else (),
        pieces=_pieces(entry["pieces"]) if "pieces" in own else (),
        points=_points(entry["points"]) if "points" in own else (),
    )


def _only(entry: Mapping[str, Any], kinds: Mapping[str, type], may: Mapping[str, type], inside: str = "") -> None:
    """These keys, of these types, with something in them, and no others."""
    for key in sorted(entry.keys() - kinds.keys()):
        raise _FaultError(inside + key, f"it is not known here; expected {', '.join(kinds)}")
    for key, kind in kinds.items():
        if key not in entry:
            if key in may:
                continue
            raise _FaultError(inside + key, "it is missing; add it")
        value = entry[key]
        # A number may be written 1 or 1.0. Exact types otherwise, because True is an int in Python.
        if type(value) not in ((int, float) if kind is float else (kind,)):
            said = {str: "a text", bool: "true or false", list: "a list", dict: "a table", float: "a number"}[kind]
            raise _FaultError(inside + key, f"it is {str(value)[:40]!r} but must be {said}")
        if kind is str:
            _text(inside + key, value)


def _text(place: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST:
        raise _FaultError(place, f"it must be a text of 1 to {LONGEST} characters")
    if "![" in value:  # Markdown would fetch it, and nothing is fetched from elsewhere
        raise _FaultError(place, "pictures are not shown; take out ![…](…)")
    return value


def _experiment(entry: Mapping[str, Any]) -> Experiment:
    _only(entry, {"page": str, "link": dict, "look": str}, may={}, inside="experiment.")
    slugs = [page.slug for page in contents.contents()]
    if entry["page"] != "lab" and entry["page"] not in slugs:
        raise _FaultError("experiment.page", f"there is no page {entry['page'][:40]!r}; expected lab, {', '.join(slugs[1:])}")
    if any(type(value) is not str for value in entry["link"].values()):
        raise _FaultError("experiment.link", "every value of a link is a text; write it in quotation marks")
    return Experiment("" if entry["page"] == "lab" else entry["page"], entry["link"], entry["look"])


def _reasons(entries: list[Any]) -> tuple[Reason, ...]:
    for entry in entries:
        if not isinstance(entry, dict):
            raise _FaultError("reason", "every reason is a [[question.reason]] table")
        _only(entry, {"text": str, "why": str}, may={"why": str}, inside="reason.")
    reasons = tuple(Reason(**entry) for entry in entries)
    if len(reasons) < 2 or sum(not reason.why for reason in reasons) != 1:
        raise _FaultError("reason.why", "there must be at least two reasons; all but the right one say why they are wrong")
    return reasons


def _pieces(entries: list[Any]) -> tuple[Piece, ...]:
    for entry in entries:
        if not isinstance(entry, dict):
            raise _FaultError("pieces", "every piece is a table: { text = …, say = …, why = … }")
        may = {"say": str, "why": str, "wrong": bool}
        if entry.keys() == {"text"} and not str(entry["text"]).strip():
            continue  # a blank between two pieces
        _only(entry, {"text": str, **may}, may=may, inside="pieces.")
        if "say" in entry and ("why" in entry) == bool(entry.get("wrong")):
            raise _FaultError("pieces.why", "a piece that can be clicked either is wrong or says why it is not")
    pieces = tuple(Piece(**entry) for entry in entries)
    if sum(piece.wrong for piece in pieces) != 1 or sum(bool(piece.say) for piece in pieces) < 2:
        raise _FaultError("pieces.wrong", "exactly one of at least two pieces with a say must be wrong")
    return pieces


def _points(entries: list[Any]) -> tuple[str, ...]:
    if not entries:
        raise _FaultError("points", "name at least one thing that a good answer says")
    return tuple(_text("points", entry) for entry in entries)


def _form(entry: Any, id: str) -> Form:
    if not isinstance(entry, dict):
        raise _FaultError("form", "every form is a [[question.form]] table")
    _only(entry, _FORM, may={"slips": dict}, inside="form.")
    if not re.fullmatch(FORM_NAME, entry["name"]):
        raise _FaultError("form.name", f"{entry['name'][:40]!r} must be small letters, digits and hyphens")
    if entry["recipe"] not in RECIPES:
        raise _FaultError("form.recipe", f"there is no recipe {entry['recipe'][:40]!r}; expected {', '.join(RECIPES)}")
    if not 0 < entry["within"] < 1:
        raise _FaultError("form.within", f"it is {entry['within']} but must lie between 0 and 1")
    form = Form(**{**entry, "within": float(entry["within"])})
    drawn = form.drawn(0)
    for key in ("prompt", "solution"):
        _fill(f"form.{key}", getattr(form, key), drawn.given)
    for slip, text in form.slips.items():
        if slip not in drawn.slips:
            raise _FaultError("form.slips", f"the recipe knows no slip {slip[:40]!r}; expected {', '.join(drawn.slips)}")
        _fill("form.slips", _text("form.slips", text), drawn.given)
    return form


def _fill(place: str, text: str, given: Mapping[str, str]) -> str:
    try:
        for _, name, width, conversion in Formatter().parse(text):
            if name is not None and name not in given:
                raise _FaultError(place, f"the recipe gives no {{{name[:40]}}}; expected {', '.join(given)}")
            if width or conversion:
                raise _FaultError(place, f"{{{name}}} is put in as it stands; take out what follows its name")
    except ValueError as error:
        if isinstance(error, _FaultError):
            raise
        raise _FaultError(place, f"{error}; braces that are meant as such are written twice") from error
    return text


def _line(text: str, place: int, key: str) -> int:
    """The line of a field in the source of an item; of what it is in, if the field is not there."""
    lines = text.splitlines()
    starts = [n for n, line in enumerate(lines) if re.match(r"\s*\[\[\s*question\s*\]\]", line)] + [len(lines)]
    if place + 1 >= len(starts):
        return 1
    at = starts[place]
    for name in map(re.escape, key.split(".")):
        found = rf"\s*{name}\s*=|\s*\[\[?\s*question\.{name}\s*\]|.*[{{,]\s*{name}\s*="
        at = next((n for n in range(at, starts[place + 1]) if re.match(found, lines[n])), at)
    return at + 1
