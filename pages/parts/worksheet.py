"""What stands on a sheet: the questions with room to answer, the answer key, and both as files. Text only, no Streamlit.

On the page and in a Markdown file a sheet is the same Markdown; they differ in how a piece of a formula is set (`on_page`,
`in_file`). For Moodle it is GIFT (see "GIFT format" in the Moodle Docs), whose texts are Markdown too.
"""

from __future__ import annotations

import html
import math
import random
import re
from collections.abc import Callable, Sequence

from pages.parts.describe import exact, number, verbatim
from pages.parts.question_numbers import Drawn
from pages.parts.questions import CARD, SPOT, TRUE_FALSE, Form, Piece, Question
from pages.parts.scenario import query

TITLE = "Attention, hands on"
ROOM = {SPOT: 2, CARD: 2}  # lines to write on
ROOM_IN_WORDS = 4
ROOM_TO_WORK = 3
OTHER_RESULTS = "Other results, and what went wrong:"
GOOD_ANSWER = "A good answer names:"
HALF = 50  # percent for the right verdict with a wrong reason, as on the page

Forms = Sequence[tuple[Question, Form]]
Typeset = Callable[[str, bool], str]

_LEVEL = r"[_^]\{[^}]*\}"  # the notation of pieces: _{ti} lowers, ^{2} raises
_PLAIN = r"[A-Za-z0-9\u0370-\u03ff]"
_RUN = re.compile(rf"(?:{_PLAIN}?(?:{_LEVEL})+)+")
# Code and an escaped dollar first, so that a dollar in them opens no formula. Nothing of this goes on behind an empty line.
_CODE_OR_MATHS = re.compile(
    r"(?P<code>(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\2(?!`))|(?P<dollar>\\\$)|"
    r"(?<!\$)(?P<fence>\$\$?)(?!\$)(?P<maths>(?:(?!\n\s*\n).)+?)(?<!\$)(?P=fence)(?!\$)",
    re.DOTALL,
)


def name_of(question: Question, form: Form) -> str:
    """The name of a form in links and on sheets: TF3, or E1.mean."""
    return f"{question.id}.{form.name}" if form.name else question.id


def order_of_reasons(question: Question, sheet: int) -> list[int]:
    """The order of the reasons on a sheet: one of its own for every question and sheet, so that no place is the right one."""
    return random.Random(f"{question.id} {sheet}").sample(range(len(question.reasons)), len(question.reasons))


# --- How a piece of a formula is set ---------------------------------------------------------------------------------


def in_file(text: str, framed: bool) -> str:
    """A piece's text as Markdown for any program: tags for what is lowered, raised, and can be marked."""
    parts = re.split(f"({_LEVEL})", " ".join(text.split()))
    tags = {"_": "sub", "^": "sup"}
    typeset = "".join(
        f"<{tags[part[0]]}>{_entities(part[2:-1])}</{tags[part[0]]}>" if place % 2 else _entities(part)
        for place, part in enumerate(parts)
    )
    return f"<u>{typeset}</u>" if framed else typeset


def on_page(text: str, framed: bool) -> str:
    """A piece's text as Streamlit's Markdown: formulas for what is lowered and raised, a ground for what can be marked."""
    text = " ".join(text.split())
    parts: list[str] = []
    end = 0
    for run in _RUN.finditer(text):
        parts += [verbatim(text[end : run.start()]), f"${_levels(run[0])}$"]
        end = run.end()
    typeset = "".join([*parts, verbatim(text[end:])])
    return f":gray-background[{typeset}]" if framed else typeset


def _entities(text: str) -> str:
    """Text that any Markdown shows as typed. Programs differ in what they unescape, but all of them read entities."""
    return re.sub(r"[!#$&*<>\[\\\]^_`|~]", lambda sign: f"&#{ord(sign[0])};", text)


def _levels(run: str) -> str:
    """Letters with lowered and raised parts as LaTeX."""
    formula = ""
    open_levels: set[str] = set()
    for part in filter(None, re.split(f"({_LEVEL})", run)):
        if not re.fullmatch(_LEVEL, part):
            formula, open_levels = formula + part, set()
            continue
        if part[0] in open_levels or not formula:  # LaTeX takes one of each for a letter
            formula, open_levels = formula + "{}", set()
        open_levels.add(part[0])
        formula += f"{part[0]}{{{_latex(part[2:-1])}}}"
    return formula


_LATEX = {
    "\\": r"\textbackslash{}", "$": r"\textdollar{}", "{": r"\textbraceleft{}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "[": r"\lbrack{}", "]": r"\rbrack{}", "#": r"\#", "%": r"\%", "&": r"\&", "_": r"\_",
}  # fmt: skip


def _latex(text: str) -> str:
    if re.fullmatch(rf"(?:{_PLAIN}|[-+−=,.])*", text):
        return text
    return f"\\text{{{''.join(_LATEX.get(sign, sign) for sign in text)}}}"


def _pieces(question: Question, typeset: Typeset) -> list[tuple[str, Piece]]:
    """The pieces that can be marked, each with its number in a circle."""
    choices = [piece for piece in question.pieces if piece.say]
    return [(f"**{_circled(n)}**\u00a0{typeset(piece.text, False)}", piece) for n, piece in enumerate(choices, start=1)]


def _line_of_pieces(question: Question, typeset: Typeset) -> str:
    line, n = "", 0
    for piece in question.pieces:
        n += bool(piece.say)
        text = f"{_circled(n)}\u00a0{typeset(piece.text, True)}" if piece.say else typeset(piece.text, False)
        line += text if not line or piece.text.lstrip()[:1] in ",.;:!?)" or line.endswith("(") else f" {text}"
    return line


def _circled(n: int) -> str:
    return chr(ord("①") + n - 1) if n <= 20 else f"({n})"


# --- Questions and key as Markdown -----------------------------------------------------------------------------------


def questions(forms: Forms, sheet: int, typeset: Typeset) -> list[str]:
    """The questions with room to answer: Markdown, one text for each."""
    return [_question(n, question, form, sheet, typeset) for n, (question, form) in enumerate(forms, start=1)]


def key(forms: Forms, sheet: int, typeset: Typeset) -> list[str]:
    """The answers, with what is wrong about wrong ones and where it can be seen: Markdown, one text for each."""
    return [_answer(n, question, form, sheet, typeset) for n, (question, form) in enumerate(forms, start=1)]


def markdown(forms: Forms, sheet: int) -> str:
    """Write a sheet and, on a page of its own, its answer key as Markdown.

    Parameters
    ----------
    forms : sequence of (Question, Form)
    sheet : int
        Gives the numbers and the order of the reasons; the same sheet is always the same.
    """
    parts = [
        f"# {TITLE}: sheet {sheet}",
        NAME_AND_DATE,
        "## Questions",
        *questions(forms, sheet, in_file),
        '<div style="page-break-before: always"></div>',
        "---",
        f"## Answer key to sheet {sheet}",
        *key(forms, sheet, in_file),
    ]
    return "\n\n".join(parts) + "\n"


NAME_AND_DATE = f"Name: {'_' * 30} Date: {'_' * 15}"


def _heading(n: int, question: Question, form: Form) -> str:
    return f"### {n}. {question.kind.capitalize()} ({name_of(question, form)})"


def _question(n: int, question: Question, form: Form, sheet: int, typeset: Typeset) -> str:
    parts = [_heading(n, question, form), _lines(form.asked(sheet))]
    if form.recipe:
        drawn = form.drawn(sheet)
        parts += [_room(ROOM_TO_WORK), f"**Answer:** {'_' * 20}{_unit(drawn)} ({_exactness(form, drawn)})"]
    elif question.kind == TRUE_FALSE:
        reasons = [question.reasons[k].text for k in order_of_reasons(question, sheet)]
        parts += ["**True / False**, because …", _list([f"**{_letter(k)}** {text}" for k, text in enumerate(reasons)])]
    else:
        if question.kind == SPOT:
            parts += [_line_of_pieces(question, typeset), f"**The error is in piece** {'_' * 6} , because"]
        parts.append(_room(ROOM.get(question.kind, ROOM_IN_WORDS)))
    return "\n\n".join(parts)


def _answer(n: int, question: Question, form: Form, sheet: int, typeset: Typeset) -> str:
    there = question.experiment
    address = f"/{there.page}" + (f"?{query(there.link)}" if there.link else "")
    parts = [
        _heading(n, question, form),
        *_solved(question, form, sheet, typeset),
        f"**To see it** at `{address}`: {_lines(there.look)}",
    ]
    return "\n\n".join(part for part in parts if part)


def _solved(question: Question, form: Form, sheet: int, typeset: Typeset) -> list[str]:
    """The answer, why, and what is wrong about other answers."""
    why = _lines(question.why)
    if form.recipe:
        drawn = form.drawn(sheet)
        wrong = _list([f"**{_number(slip, drawn)}** {text}" for slip, text in _slips(form, drawn, sheet)])
        answer = f"**{_number(drawn.answer, drawn)}{_unit(drawn)}** ({_exactness(form, drawn)})"
        return [answer, _lines(form.said(form.solution, sheet)), f"{OTHER_RESULTS}\n\n{wrong}" if wrong else ""]
    if question.kind == TRUE_FALSE:
        reasons = [(_letter(place), question.reasons[k]) for place, k in enumerate(order_of_reasons(question, sheet))]
        right = next(letter for letter, reason in reasons if not reason.why)
        wrong = _list([f"**{letter}** {reason.why}" for letter, reason in reasons if reason.why])
        return [f"**{question.answer}**, because of **{right}**", why, wrong]
    if question.kind == SPOT:
        pieces = _pieces(question, typeset)
        right = next(text for text, piece in pieces if piece.wrong)
        return [f"**The error is in** {right}", why, _list([f"{text}: {piece.why}" for text, piece in pieces if not piece.wrong])]
    return [why, f"{GOOD_ANSWER}\n\n{_list(question.points)}" if question.points else ""]


def _letter(place: int) -> str:
    return f"{chr(ord('a') + place)})" if place < 26 else f"{place + 1})"


def _list(texts: Sequence[str]) -> str:
    return "\n".join("- " + _lines(text).replace("\n", "\n  ") for text in texts)


def _lines(text: str) -> str:
    """A text without blanks around it, its lines ended in the same way."""
    return "\n".join(text.strip().splitlines())


def _room(lines: int) -> str:
    """Lines to write on: Markdown draws them, and they look the same where nothing does."""
    return "\n\n".join(["_" * 40] * lines)


def _number(value: float, drawn: Drawn) -> str:
    value = round(value, 4)
    return number(value, 0) if drawn.unit == "count" and value.is_integer() else exact(value)


def _unit(drawn: Drawn) -> str:
    return f" {drawn.unit}" if drawn.unit in ("nats", "bits", "words") else ""


def _exactness(form: Form, drawn: Drawn) -> str:
    return "a whole number" if drawn.unit == "count" else f"to within {form.within:g}"


def _slips(form: Form, drawn: Drawn, sheet: int) -> list[tuple[float, str]]:
    """Known wrong results with what has gone wrong in them, in the order in which they are recognised."""
    told = [(slip, form.slips[name]) for name, slip in drawn.slips.items() if name in form.slips and math.isfinite(slip)]
    return [(slip, form.said(text, sheet)) for slip, text in told]


# --- GIFT ------------------------------------------------------------------------------------------------------------


def gift(forms: Forms, sheet: int) -> str:
    """Write a sheet as Moodle GIFT, in a category of its own.

    Parameters
    ----------
    forms : sequence of (Question, Form)
    sheet : int

    Returns
    -------
    str
        True or false becomes a choice among verdicts with reasons: only so the reasons keep their feedback. Spot the error
        is a choice among the pieces, a number is numerical with its known slips, and what is answered in words is an essay
        with the good answer as general feedback.
    """
    head = f"// {TITLE}, sheet {sheet}\n$CATEGORY: {TITLE}/Sheet {sheet}"
    return "\n\n".join([head, *(_gift(question, form, sheet) for question, form in forms)]) + "\n"


def _gift(question: Question, form: Form, sheet: int) -> str:
    prompt, general, opening = moodle(form.asked(sheet)), moodle(question.why), "{"
    answers: list[str] = []
    if form.recipe:
        drawn = form.drawn(sheet)
        opening, general = "{#", moodle(form.said(form.solution, sheet))
        prompt += f"\n\nType a number{' of' * bool(_unit(drawn))}{_unit(drawn)} ({_exactness(form, drawn)})."
        answers = [_about("=", drawn.answer, form)]
        answers += [_told(_about("=%0%", slip, form), text) for slip, text in _slips(form, drawn, sheet)]
    elif question.kind == TRUE_FALSE:
        answers = [_verdict(question, k, said) for said in (True, False) for k in order_of_reasons(question, sheet)]
    elif question.kind == SPOT:
        prompt += f"\n\n{_line_of_pieces(question, in_file)}"
        answers = [_told(f"{'=' if p.wrong else '~'}{_escaped(text)}", p.why) for text, p in _pieces(question, in_file)]
    elif question.points:
        general += f"\n\n{GOOD_ANSWER}\n\n" + _list([moodle(point) for point in question.points])
    lines = [opening, *answers, f"####{_escaped(general)}", "}"]
    return f"::{_signs(name_of(question, form))}::[markdown]{_signs(prompt)}" + "\n".join(lines)


def _verdict(question: Question, place: int, said: bool) -> str:
    reason = question.reasons[place]
    right = said == question.answer
    weight = "~" if not right else f"~%{HALF}%" if reason.why else "="
    verdict = "" if right else f"It is {str(question.answer).lower()}. "
    return _told(weight + _escaped(moodle(f"**{said}.** {reason.text}")), verdict + reason.why)


def _about(weight: str, value: float, form: Form) -> str:
    # All digits; -0 is 0.
    return f"{weight}{float(value) + 0.0!r}:{form.within!r}"


def _told(answer: str, feedback: str) -> str:
    return answer + (f"#{_escaped(moodle(feedback))}" if feedback else "")


def moodle(text: str) -> str:
    r"""A text with its formulas as Moodle's Markdown takes them: ``\(…\)``, and nothing in them that Markdown would read.

    >>> print(moodle(r"the weight $\alpha_{ti}$, and `$x$`"))
    the weight \\(\\alpha\_{ti}\\), and `$x$`
    """

    def changed(found: re.Match[str]) -> str:
        if found["code"]:
            return found[0]
        if found["dollar"]:
            return "&#36;"
        body = re.sub(r"([\\`*_\[\]])", r"\\\1", html.escape(found["maths"], quote=False))
        return rf"\\({body}\\)" if found["fence"] == "$" else rf"\\[{body}\\]"

    return _CODE_OR_MATHS.sub(changed, _lines(text))


def _escaped(text: str) -> str:
    """An answer or feedback as GIFT writes it. Where it begins like a format or a weight, its format is named first."""
    prefix = "[markdown]" if text.lstrip()[:1] in ("[", "%") else ""
    return prefix + _signs(text)


def _signs(text: str) -> str:
    """GIFT's own signs with a backslash; an item ends with an empty line, so line breaks are written out."""
    return re.sub(r"([\\~=#{}:])", r"\\\1", text).replace("\n", r"\n")
