"""A sheet, its key and both as files: read back, they hold what the bank holds, whatever stands in it."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pages.parts import worksheet
from pages.parts.questions import (
    CARD,
    KINDS,
    SPOT,
    TRUE_FALSE,
    WHY,
    Bank,
    Experiment,
    Form,
    Piece,
    Question,
    Reason,
    house_bank,
    read_bank,
)
from pages.parts.worksheet_view import EXAMPLES
from tests.parts.gift import Item, parse

EXAMPLE = {file.stem.replace("_", " "): file.read_text("utf-8") for file in EXAMPLES.glob("*.toml")}
SMALL = [form for text in EXAMPLE.values() for form in read_bank(text, "example").forms.values()]
HOUSE = list(house_bank().forms.values())
ALL = [*HOUSE, *SMALL]
SHEET = 7


def name(question: Question, form: Form) -> str:
    return f"{question.id}.{form.name}" if form.name else question.id


NAMES = [name(*form) for form in ALL]
every_form = pytest.mark.parametrize("pair", ALL, ids=NAMES)


def plain(text: str) -> str:
    """A text with its blanks and line breaks as one blank each."""
    return " ".join(text.split())


def bare(markdown: str) -> str:
    """A piece of a formula without its tags, its signs as themselves: what it reads like."""
    return plain(html.unescape(re.sub(r"</?(?:u|sub|sup)>|\*\*", "", markdown)))


def spelt(text: str) -> str:
    """The same of a piece in the bank's own notation."""
    return plain(re.sub(r"[_^]\{([^}]*)\}", r"\1", text))


# --- Examples ---------------------------------------------------------------------------------------------------------


def test_there_is_an_example_of_every_kind_and_it_goes_with_the_bank() -> None:
    assert set(EXAMPLE) == set(KINDS)
    taken: dict[str, Question] = dict(house_bank().questions)
    for kind, text in EXAMPLE.items():
        read = read_bank(text, kind, known=taken)
        assert read.faults == ()
        assert [question.kind for question in read.questions.values()] == [kind]
        taken |= read.questions


# --- GIFT -------------------------------------------------------------------------------------------------------------


def unmoodled(text: str) -> str:
    r"""What Moodle's Markdown makes of the formulas in a text, in the bank's own notation: \(…\) as $…$."""

    def formula(found: re.Match[str]) -> str:
        if found["code"]:
            return found[0]
        latex = html.unescape(re.sub(r"\\([\\`*_{}\[\]()>#+.!-])", r"\1", found["body"]))
        return f"${latex}$" if found["open"] == "(" else f"$${latex}$$"

    wanted = r"(?P<code>(`+)(?!`).*?(?<!`)\2(?!`))|\\\\(?P<open>[(\[])(?P<body>(?:\\.|[^\\])*?)\\\\[)\]]"
    return re.sub(wanted, formula, text, flags=re.DOTALL).replace("&#36;", r"\$")


@pytest.fixture(scope="module")
def items() -> dict[str, Item]:
    read = parse(worksheet.gift(ALL, SHEET))
    assert [item.name for item in read] == NAMES
    return {item.name: item for item in read}


@every_form
def test_moodle_gets_every_question(items: dict[str, Item], pair: tuple[Question, Form]) -> None:
    question, form = pair
    item = items[name(*pair)]
    assert item.format == "markdown"
    assert item.category == "Attention, hands on/Sheet 7"
    asked = unmoodled(item.prompt)
    if form.recipe:
        asked, _, how = asked.rpartition("\n\n")
        assert re.fullmatch(r"Type a number( of (nats|bits|words))? \((to within 0\.\d+|a whole number)\)\.", how)
        assert (form.drawn(SHEET).unit == "count") == ("whole" in how)
    elif question.kind == SPOT:
        asked = asked.rpartition("\n\n")[0]
    assert plain(asked) == plain(form.asked(SHEET))
    wanted = form.said(form.solution, SHEET) if form.recipe else question.why
    if question.points and not form.recipe:
        wanted += "\n\nA good answer names:\n\n" + "\n".join(f"- {point}" for point in question.points)
    assert plain(unmoodled(item.general)) == plain(wanted)
    kind = "number" if form.recipe else "choice" if question.kind in (TRUE_FALSE, SPOT) else "essay"
    assert item.kind == kind
    if kind == "number":
        drawn = form.drawn(SHEET)
        right, *wrong = item.answers
        assert (right.percent, float(right.text), right.within) == (100, drawn.answer, form.within)
        known = [(0, drawn.slips[slip], form.within, plain(form.said(form.slips[slip], SHEET))) for slip in form.slips]
        got = [(answer.percent, float(answer.text), answer.within, plain(unmoodled(answer.feedback))) for answer in wrong]
        assert sorted(got) == sorted(known)
    elif question.kind == TRUE_FALSE:
        choices = {plain(unmoodled(answer.text)): (answer.percent, plain(unmoodled(answer.feedback))) for answer in item.answers}
        opposite = f"It is {str(question.answer).lower()}."
        assert choices == {
            plain(f"**{said}.** {reason.text}"): (
                0 if said != question.answer else 50 if reason.why else 100,
                plain(f"{opposite if said != question.answer else ''} {reason.why}"),
            )
            for said in (True, False)
            for reason in question.reasons
        }
    elif question.kind == SPOT:
        pieces = [piece for piece in question.pieces if piece.say]
        got = [(answer.percent, bare(answer.text), plain(unmoodled(answer.feedback))) for answer in item.answers]
        assert got == [
            (100 * piece.wrong, f"{'①②③④⑤⑥⑦⑧⑨'[n]} {spelt(piece.text)}", plain(piece.why)) for n, piece in enumerate(pieces)
        ]
    assert sum(answer.percent == 100 for answer in item.answers) == (kind != "essay")


def test_what_cannot_be_typed_is_no_known_slip() -> None:
    """Moodle refuses a file in which an answer is infinite."""
    (question, form) = next(pair for pair in SMALL if pair[1].recipe)
    drawn = form.drawn(SHEET)
    broken = replace(drawn, slips={**drawn.slips, "no denominator": float("inf")})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Form, "drawn", lambda self, sheet: broken)
        (item,) = parse(worksheet.gift([(question, form)], SHEET))
        key = worksheet.markdown([(question, form)], SHEET)
    assert len(item.answers) == 1
    assert "inf" not in key


SIGNS = "\\~=#{}:$%[]()*_`<>&|\"'/-+!^n \n"
TEXTS = st.text(st.sampled_from(SIGNS) | st.sampled_from("aαß中ش👩é0"), min_size=1, max_size=40).filter(str.strip)


@given(st.lists(TEXTS, min_size=8, max_size=8))
@example(["[html]a", "[html]a", "//a", "\\n", "[html]a", "%50%a", "####", "::"])
@example(["a\n\nb", "{~=#}", "$", "$", "%50%a", "[plain]a", "::", "$"])
@example(["$\\frac{a}{b}$", "$CATEGORY: a", "$\\{a\\}$", "`$`$", "\\\\", "a\\", "[markdown]", "%100%"])
@settings(max_examples=150, deadline=None)
def test_no_text_breaks_out_of_gift(texts: list[str]) -> None:
    prompt, why, *others = texts
    nowhere = Experiment("", {}, "0")
    first, second, third, fourth, fifth, sixth = others
    forms = [
        Question("A1", TRUE_FALSE, (1,), (Form("", prompt),), nowhere, why, True, (Reason(first), Reason(second, third))),
        Question("A2", SPOT, (1,), (Form("", prompt),), nowhere, why, pieces=(Piece(f"x{first}", "a", fourth), Piece(f"x{second}", "b", wrong=True))),
        Question("A3", WHY, (1,), (Form("", fifth),), nowhere, sixth, points=(first, second)),
        Question("A4", CARD, (1,), (Form("", prompt),), nowhere, why),
    ]  # fmt: skip
    one, two, three, four = parse(worksheet.gift([(question, question.forms[0]) for question in forms], SHEET))

    def arrives(text: str) -> str:
        return worksheet.moodle(text).strip()

    assert [item.name for item in (one, two, three, four)] == ["A1", "A2", "A3", "A4"]
    assert [item.kind for item in (one, two, three, four)] == ["choice", "choice", "essay", "essay"]
    assert (one.prompt, three.prompt, four.prompt) == (arrives(prompt), arrives(fifth), arrives(prompt))
    assert (one.general, two.general, four.general) == (arrives(why),) * 3
    assert sorted((answer.percent, answer.text, answer.feedback) for answer in one.answers) == sorted(
        [
            (100, arrives(f"**True.** {first}"), ""),
            (50, arrives(f"**True.** {second}"), arrives(third)),
            (0, arrives(f"**False.** {first}"), "It is true."),
            (0, arrives(f"**False.** {second}"), arrives(f"It is true. {third}")),
        ]
    )
    assert [answer.feedback for answer in two.answers] == [arrives(fourth), ""]
    assert [bare(answer.text) for answer in two.answers] == [f"① {spelt('x' + first)}", f"② {spelt('x' + second)}"]
    names = "".join("- " + arrives(point).replace("\n", "\n  ") + "\n" for point in (first, second))
    assert three.general == f"{arrives(sixth)}\n\nA good answer names:\n\n{names}".strip()


def test_every_sign_of_gift_stands_behind_a_backslash() -> None:
    """Moodle forgives some of them in some places; other programs do not."""
    why = "[a] ~ = # { } : \\ \n\n//"
    question = Question("A1", CARD, (1,), (Form("", "~=#{}:\\ $a{b}$"),), Experiment("", {}, "0"), why)
    assert worksheet.gift([(question, question.forms[0])], 1).split("\n\n")[1] == (
        r"::A1::[markdown]\~\=\#\{\}\:\\ \\\\(a\{b\}\\\\){" + "\n" + r"####[markdown][a] \~ \= \# \{ \} \: \\ \n\n//" + "\n}\n"
    )


@pytest.mark.parametrize("text", ["a $ b", "$\n\n$", "`$a$`", "`` ` $a$ ``", "5 $", "$$$a$$$", "```\n$a$\n```"])
def test_what_is_no_formula_stays_as_it_is(text: str) -> None:
    assert worksheet.moodle(text) == text


BODY = st.text(st.sampled_from("\\_{}^*<>&[]()|#!+- ab1α"), min_size=1, max_size=20).filter(
    lambda body: body.strip() and not re.search(r"\\[()\[\]]", body)  # no formula in LaTeX has its own ends inside
)
PROSE = st.sampled_from(["a word", "**bold**", " ", "`$x`", "\\$", "50 %", "(b)", "\n", "ش"])


@given(st.lists(st.tuples(PROSE, BODY, st.sampled_from(["$", "$$"])), min_size=1, max_size=4))
@example([("x ", "a_i < b_j > c_k", "$"), (" ", "\\\\", "$"), (" ", "\\{a\\}", "$$")])
@settings(max_examples=200, deadline=None)
def test_formulas_reach_moodle_as_they_were_written(parts: list[tuple[str, str, str]]) -> None:
    text = "".join(f"{prose} {fence}{body.strip()}{fence} " for prose, body, fence in parts)
    arrived = worksheet.moodle(text)
    assert unmoodled(arrived) == "\n".join(text.strip().splitlines())
    assert arrived.count("\\\\(") + arrived.count("\\\\[") >= len(parts)
    # What Markdown would read as its own is escaped or an entity.
    for body in re.findall(r"\\\\[(\[](.*?)\\\\[)\]]", arrived):
        assert not re.search(r"[<>]|(?<!\\)(?:\\\\)*[_*`]", body)


# --- Markdown ---------------------------------------------------------------------------------------------------------


def sections(text: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Questions and answers of a Markdown file: name and body of each."""
    assert text.count('<div style="page-break-before: always"></div>\n\n---\n\n## Answer key to sheet 7\n') == 1
    halves = text.split("\n---\n")
    assert len(halves) == 2
    read = []
    for half in halves:
        parts = re.split(r"^### (\d+)\. ([A-Z][a-z ]+) \(([A-Z0-9.a-z-]+)\)$", half.partition("\n## ")[2], flags=re.MULTILINE)[1:]
        assert [int(n) for n in parts[::4]] == list(range(1, len(parts) // 4 + 1))
        read.append(list(zip(parts[2::4], parts[3::4], strict=True)))
    return read[0], read[1]


@pytest.fixture(scope="module")
def file() -> tuple[dict[str, str], dict[str, str]]:
    asked, answered = sections(worksheet.markdown(ALL, SHEET))
    assert [name for name, _ in asked] == [name for name, _ in answered] == NAMES
    return dict(asked), dict(answered)


@every_form
def test_the_file_holds_every_question_and_its_answer(
    file: tuple[dict[str, str], dict[str, str]], pair: tuple[Question, Form]
) -> None:
    question, form = pair
    asked, answered = file[0][name(*pair)], file[1][name(*pair)]
    assert plain(asked).startswith(plain(form.asked(SHEET)))
    assert plain(question.experiment.look) in plain(answered)
    assert f"`/{question.experiment.page}" in answered
    lines = asked.count("\n" + "_" * 40 + "\n")
    if form.recipe:
        drawn = form.drawn(SHEET)
        assert lines == 3
        unit = drawn.unit if drawn.unit in ("nats", "bits", "words") else ""
        how = "a whole number" if drawn.unit == "count" else f"to within {form.within:g}"
        assert plain(asked).endswith(plain(f"**Answer:** {'_' * 20} {unit} ({how})"))
        found = re.match(r"\*\*(-?[0-9.]+) ?([a-z]*)\*\* \((.*?)\)", answered.strip())
        assert found
        assert found.groups()[1:] == (unit, how)
        assert abs(float(found[1]) - drawn.answer) <= 5e-5
        assert plain(form.said(form.solution, SHEET)) in plain(answered)
        told = re.findall(r"^- \*\*(-?[0-9.]+)\*\* ", answered, flags=re.MULTILINE)
        assert ("Other results, and what went wrong:" in answered) == bool(told)
        assert [float(value) for value in told] == pytest.approx(
            [value for slip, value in drawn.slips.items() if slip in form.slips], abs=5e-5
        )
        return
    assert plain(question.why) in plain(answered)
    if question.kind == TRUE_FALSE:
        assert lines == 0
        reasons = dict(re.findall(r"^- \*\*([a-z])\)\*\* (.*?)(?=^- \*\*|\Z)", asked, flags=re.MULTILINE | re.DOTALL))
        assert sorted(map(plain, reasons.values())) == sorted(plain(reason.text) for reason in question.reasons)
        verdict, letter = re.match(r"\*\*(True|False)\*\*, because of \*\*([a-z])\)\*\*", answered.strip()).groups()  # type: ignore[union-attr]
        assert verdict == str(question.answer)
        wrong = dict(re.findall(r"^- \*\*([a-z])\)\*\* (.*?)(?=^- \*\*|\n\n|\Z)", answered, flags=re.MULTILINE | re.DOTALL))
        assert wrong.keys() == reasons.keys() - {letter}
        for other, reason in reasons.items():
            assert plain(wrong.get(other, "")) == next(plain(r.why) for r in question.reasons if plain(r.text) == plain(reason))
    elif question.kind == SPOT:
        assert lines == 2
        pieces = [piece for piece in question.pieces if piece.say]
        framed = re.findall(r"([①-⑳])\u00a0<u>(.*?)</u>", asked)
        assert [(sign, bare(text)) for sign, text in framed] == [("①②③④⑤⑥⑦⑧⑨"[n], spelt(p.text)) for n, p in enumerate(pieces)]
        error = next(n for n, piece in enumerate(pieces) if piece.wrong)
        assert bare(answered).startswith(f"The error is in {'①②③④⑤⑥⑦⑧⑨'[error]} {spelt(pieces[error].text)}")
        for n, piece in enumerate(pieces):
            assert (f"- {'①②③④⑤⑥⑦⑧⑨'[n]} {spelt(piece.text)}: {plain(piece.why)}" in bare(answered)) != piece.wrong
    else:
        assert lines == (2 if question.kind == CARD else 4)
        for point in question.points:
            assert f"- {plain(point)}" in plain(answered)


def test_the_same_sheet_is_the_same_and_another_is_another() -> None:
    assert worksheet.markdown(ALL, 3) == worksheet.markdown(ALL, 3)
    assert worksheet.gift(ALL, 3) != worksheet.gift(ALL, 4)
    orders = {tuple(worksheet.order_of_reasons(ALL[0][0], sheet)) for sheet in range(40)}
    assert len(orders) > 10, "no letter is the right one more often"


def test_an_empty_sheet_is_a_sheet() -> None:
    assert sections(worksheet.markdown([], SHEET)) == ([], [])
    assert parse(worksheet.gift([], SHEET)) == []


# --- Pieces -----------------------------------------------------------------------------------------------------------

NOTES = [
    ("α_{ti}", "$α_{ti}$", "α<sub>ti</sub>"),
    ("v_{a}^{T} u", "$v_{a}^{T}$ u", "v<sub>a</sub><sup>T</sup> u"),
    ("  W_{a}s_{t−1} ", "$W_{a}s_{t−1}$", "W<sub>a</sub>s<sub>t−1</sub>"),
    ("(e_{ti})", r"\($e_{ti}$\)", "(e<sub>ti</sub>)"),
    ("x_{a}_{b}", "$x_{a}{}_{b}$", "x<sub>a</sub><sub>b</sub>"),
    ("!_{a}", r"\!${}_{a}$", "&#33;<sub>a</sub>"),
    ("h_{a b}", r"$h_{\text{a b}}$", "h<sub>a b</sub>"),
    ("h_{$%#&_\\{[]~^}", r"$h_{\text{\textdollar{}\%\#\&\_\textbackslash{}\textbraceleft{}\lbrack{}\rbrack{}\textasciitilde{}\textasciicircum{}}}$",
     "h<sub>&#36;%&#35;&#38;&#95;&#92;{&#91;&#93;&#126;&#94;</sub>"),
    ("<b>*a*</b> $5$", r"\<b\>\*a\*\<\/b\> \$5\$", "&#60;b&#62;&#42;a&#42;&#60;/b&#62; &#36;5&#36;"),
    ("d_h", r"d\_h", "d&#95;h"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "page", "file"), NOTES)
def test_a_piece_is_set_as_a_formula_and_shows_its_signs(text: str, page: str, file: str) -> None:
    assert worksheet.on_page(text, False) == page
    assert worksheet.on_page(text, True) == f":gray-background[{page}]"
    assert worksheet.in_file(text, True) == f"<u>{file}</u>"


@given(st.text(st.sampled_from("_^{}[]$\\`* abα1:<&#~%\n"), min_size=1, max_size=25).filter(str.strip))
@settings(max_examples=200, deadline=None)
def test_no_piece_breaks_out_of_its_place(text: str) -> None:
    page, file = worksheet.on_page(text, False), worksheet.in_file(text, False)
    assert "\n" not in page + file
    outside = re.sub(r"\\.", "", re.sub(r"(?<!\\)(?:\\\\)*\$.*?\$", "", page))
    assert not re.search(r"[$`*_^<\[\]]", outside)
    assert bare(file) == spelt(text)
    assert not re.search(r"[$`*_\[\]\\]|<(?!/?su[bp]>)", file)


def test_a_sentence_in_pieces_reads_as_a_sentence() -> None:
    pieces = (Piece("They are kept", "a", "b"), Piece(", and"), Piece("f("), Piece("x", "c", wrong=True), Piece(")."))
    question = Question("A1", SPOT, (1,), (Form("", "?"),), Experiment("", {}, "0"), "?", pieces=pieces)
    (text,) = worksheet.questions([(question, question.forms[0])], 1, worksheet.in_file)
    assert "①\u00a0<u>They are kept</u>, and f(②\u00a0<u>x</u>)." in text


def test_the_bank_of_the_house_needs_no_more_circles_and_letters_than_there_are() -> None:
    bank: Bank = house_bank()
    assert max(len(question.pieces) for question in bank.questions.values()) <= 20
    assert max(len(question.reasons) for question in bank.questions.values()) <= 26
