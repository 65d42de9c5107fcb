"""The question bank is complete and well made, and a fault is named by file, line, id and field and takes one item down."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pages.parts import current, worksheet
from pages.parts.question_numbers import RECIPES, draw
from pages.parts.questions import KINDS, LONGEST, MOST, SPOT, TRUE_FALSE, Question, house_bank, read_bank

BANK = house_bank()
CURRICULUM = [f"{kind}{n}" for kind, last in (("TF", 9), ("SE", 6), ("W", 6), ("E", 6), ("Q", 8)) for n in range(1, last + 1)]
SHEETS = (0, 1, 2026)

# --- The house's own questions ----------------------------------------------------------------------------------------


def texts_of(question: Question) -> list[tuple[str, str]]:
    """Every text of a question that is read as Markdown, by the name of its field."""
    found = [("why", question.why), ("experiment.look", question.experiment.look)]
    found += [("reason.text", reason.text) for reason in question.reasons] + [("reason.why", r.why) for r in question.reasons]
    found += [("pieces.why", piece.why) for piece in question.pieces] + [("points", point) for point in question.points]
    for form in question.forms:
        for text in (form.prompt, form.solution, *form.slips.values()):
            found += [(f"form {form.name}", form.said(text, sheet)) for sheet in SHEETS[: 1 + 2 * bool(form.recipe)]]
    return [(place, text) for place, text in found if text]


TEXTS = [(question.id, place, text) for question in BANK.questions.values() for place, text in texts_of(question)]


def test_no_file_of_the_house_has_a_fault() -> None:
    assert not BANK.faults, "\n".join(BANK.faults)


def test_every_item_of_the_curriculum_is_there() -> None:
    assert not set(CURRICULUM) - BANK.questions.keys()
    assert list(BANK.questions) == sorted(BANK.questions, key=lambda id: KINDS.index(BANK.questions[id].kind))


def test_there_are_many_forms_and_every_lesson_has_some() -> None:
    assert len(BANK.forms) >= 60
    asked = Counter(lesson for question, _ in BANK.forms.values() for lesson in set(question.lessons))
    assert not [lesson for lesson in range(1, 14) if asked[lesson] < 2]


def test_a_form_can_be_named_in_a_link() -> None:
    for name in BANK.forms:
        assert re.fullmatch(current.ASKED, name), name


def test_no_two_forms_ask_the_same() -> None:
    for sheet in SHEETS:
        prompts = Counter(" ".join(form.asked(sheet).split()).lower() for _, form in BANK.forms.values())
        assert prompts.most_common(1)[0][1] == 1, prompts.most_common(1)


def is_longest(chosen: str, all_of_them: list[str]) -> bool:
    return len(chosen) == max(map(len, all_of_them))


def test_the_right_reason_is_not_given_away_by_its_length_or_its_place() -> None:
    asked = [question for question in BANK.questions.values() if question.kind == TRUE_FALSE]
    right = [[reason.why for reason in question.reasons].index("") for question in asked]
    assert all(3 <= len(question.reasons) <= 4 for question in asked)
    assert max(Counter(right).values()) <= len(asked) / 2
    longest = [is_longest(q.reasons[k].text, [r.text for r in q.reasons]) for q, k in zip(asked, right, strict=True)]
    assert sum(longest) <= len(asked) / 2
    for question in asked:
        lengths = sorted(len(reason.text) for reason in question.reasons)
        assert lengths[-1] <= 2 * lengths[0], (question.id, lengths)
    assert {question.answer for question in asked} == {True, False}


def test_the_wrong_piece_is_not_given_away_by_its_length_or_its_place() -> None:
    asked = [question for question in BANK.questions.values() if question.kind == SPOT]
    offered = [[piece for piece in question.pieces if piece.say] for question in asked]
    wrong = [next(k for k, piece in enumerate(pieces) if piece.wrong) for pieces in offered]
    assert all(3 <= len(pieces) <= 5 for pieces in offered)
    assert sum(k == len(pieces) - 1 for k, pieces in zip(wrong, offered, strict=True)) <= len(asked) / 2
    longest = [is_longest(pieces[k].text, [p.text for p in pieces]) for k, pieces in zip(wrong, offered, strict=True)]
    assert sum(longest) <= len(asked) / 2
    for question in asked:
        assert len({piece.say for piece in question.pieces if piece.say}) == sum(bool(piece.say) for piece in question.pieces)


def test_what_is_spoken_of_a_piece_holds_no_sign_that_cannot_be_spoken() -> None:
    for question in BANK.questions.values():
        for piece in question.pieces:
            assert re.fullmatch(r"[\w ,']*", piece.say), (question.id, piece.say)
            assert not re.search(r"[_^](?!\{\w[^{}]*\})", piece.text), (question.id, piece.text)
            assert "$" not in piece.text, (question.id, piece.text)


@pytest.mark.parametrize("kind", KINDS)
def test_markup_is_maths_and_nothing_else(kind: str) -> None:
    for id, place, text in TEXTS:
        if BANK.questions[id].kind != kind:
            continue
        where = f"{id}, {place}: {text}"
        words, maths = text.split("$")[::2], text.split("$")[1::2]
        assert text.count("$") % 2 == 0, where
        for piece in words:
            assert not re.search(r"[\\*_`^{}\[\]<>#|~]", piece), where
        for piece in maths:
            assert piece.strip() == piece != "", where
            assert "\n" not in piece, where
            depth = 0
            for sign in re.sub(r"\\[{}]", "", piece):
                depth += (sign == "{") - (sign == "}")
                assert depth >= 0, where
            assert depth == 0, where
            assert not re.search(r"[_^][A-Za-z0-9]{2}", piece), f"only the first letter is lowered: {where}"


def test_texts_are_short() -> None:
    for id, place, text in TEXTS:
        most = 70 if place in ("why", "experiment.look") or place.startswith("form") else 30
        assert len(text.split()) <= most, (id, place, len(text.split()))
        assert text.strip()[-1] in ".?!:$)”'" or text.strip()[-1].isalnum(), (id, place, text)


# --- Files ------------------------------------------------------------------------------------------------------------

RECIPE = next(iter(RECIPES))
SLIP = next(iter(draw(RECIPE, "form", 0).slips))
COMMON = """\
[[question]]
id = "{id}"
lessons = [3, 4]
"""
EXPERIMENT = """\
[question.experiment]
page = "build_one_score"
link = {{ t = "3" }}
look = "Read 0.5."
"""
FORM = f"""\
[[question.form]]
name = "form"
prompt = "How much?"
recipe = "{RECIPE}"
within = 0.01
solution = "It is {{{{answer}}}}."
slips = {{{{ "{SLIP}" = "Not so." }}}}
"""
GOOD = {
    "true or false": COMMON
    + """\
prompt = "Is it?"
answer = true
why = "It is."
[[question.reason]]
text = "One"
[[question.reason]]
text = "Two"
why = "No."
"""
    + EXPERIMENT,
    "spot the error": COMMON
    + """\
prompt = "Where?"
why = "There."
pieces = [
  {{ text = "a", say = "a", why = "Fine." }},
  {{ text = " " }},
  {{ text = "b", say = "b", wrong = true }},
]
"""
    + EXPERIMENT,
    "why": COMMON + 'prompt = "Why?"\nwhy = "So."\npoints = ["One thing"]\n' + FORM + EXPERIMENT,
    "edge case": COMMON + 'prompt = "What if?"\nwhy = "Then."\npoints = ["One thing"]\n' + FORM + EXPERIMENT,
    "flash card": COMMON + 'prompt = "Front"\nwhy = "Back"\n' + FORM + EXPERIMENT,
    "numbers": COMMON + FORM + EXPERIMENT,
}


def item(kind: str, id: str) -> str:
    return GOOD[kind].format(id=id)


def file_of(kind: str, *items: str) -> str:
    return "\n".join([f'kind = "{kind}"', *(items or [item(kind, id) for id in ("A1", "B2", "C3")])])


@pytest.mark.parametrize("kind", KINDS)
def test_a_good_file_is_read(kind: str) -> None:
    bank = read_bank(file_of(kind), "good.toml")
    assert bank.faults == ()
    assert list(bank.questions) == ["A1", "B2", "C3"]
    question = bank.questions["B2"]
    assert (question.kind, question.lessons) == (kind, (3, 4))
    there = question.experiment
    assert (there.page, dict(there.link), there.look) == ("build_one_score", {"t": "3"}, "Read 0.5.")


def test_what_a_file_says_is_what_is_asked() -> None:
    question = read_bank(file_of("true or false"), "f.toml").questions["A1"]
    assert (question.answer, question.why, question.forms[0].asked(5)) == (True, "It is.", "Is it?")
    assert [(reason.text, reason.why) for reason in question.reasons] == [("One", ""), ("Two", "No.")]
    question = read_bank(file_of("spot the error"), "f.toml").questions["A1"]
    assert [(p.text, p.say, p.why, p.wrong) for p in question.pieces] == [
        ("a", "a", "Fine.", False),
        (" ", "", "", False),
        ("b", "b", "", True),
    ]
    bank = read_bank(file_of("edge case"), "f.toml")
    question, form = bank.forms["A1.form"]
    assert list(bank.forms) == ["A1", "A1.form", "B2", "B2.form", "C3", "C3.form"]
    assert question.points == ("One thing",)
    assert (form.within, form.asked(7)) == (0.01, "How much?")
    assert form.said(form.solution, 7) == f"It is {form.drawn(7).given['answer']}."
    assert form.said(form.slips[SLIP], 7) == "Not so."


def test_a_blank_between_two_pieces_is_a_blank_on_the_worksheet_too() -> None:
    forms = list(read_bank(file_of("spot the error", item("spot the error", "A1")), "f.toml").forms.values())
    for written in (worksheet.markdown, worksheet.gift):
        assert re.search("①\\s<u>a</u>\\s②\\s<u>b</u>", written(forms, 1)), written.__name__


def test_the_score_lab_can_be_an_experiment() -> None:
    text = file_of("why", item("why", "A1").replace("build_one_score", "lab"))
    assert read_bank(text, "f.toml").questions["A1"].experiment.page == ""


def with_damage(kind: str, old: str, new: str) -> list[str]:
    """The lines of a file of three questions, the second of which is damaged."""
    second = item(kind, "B2")
    assert old in second
    return file_of(kind, item(kind, "A1"), second.replace(old, new, 1), item(kind, "C3")).splitlines()


TF, SE, WHY, CARD, NUMBERS = "true or false", "spot the error", "why", "flash card", "numbers"
LONG = "x" * (LONGEST + 1)
FAULTS = [
    # kind, what is replaced, by what, the field that is named, what stands in the line that is named, what is said
    (TF, 'id = "B2"', 'id = "b2"', "id", 'id = "b2"', "capitals and a number"),
    (TF, 'id = "B2"', 'id = "ABCDE1"', "id", 'id = "ABCDE1"', "capitals and a number"),
    (TF, 'id = "B2"', 'id = "A1"', "id", 'id = "A1"', "taken already"),
    (TF, 'id = "B2"', "id = 2", "id", "id = 2", "must be a text"),
    (TF, 'id = "B2"\n', "", "id", "[[question]]", "missing"),
    (TF, "lessons = [3, 4]", "lessons = []", "lessons", "lessons", "numbers of lessons"),
    (TF, "lessons = [3, 4]", "lessons = [99]", "lessons", "lessons", "numbers of lessons"),
    (TF, "lessons = [3, 4]", "lessons = [0]", "lessons", "lessons", "numbers of lessons"),
    (TF, "lessons = [3, 4]", "lessons = [true]", "lessons", "lessons", "numbers of lessons"),
    (TF, "lessons = [3, 4]", 'lessons = ["3"]', "lessons", "lessons", "numbers of lessons"),
    (TF, "lessons = [3, 4]", "lessons = 3", "lessons", "lessons", "must be a list"),
    (TF, 'prompt = "Is it?"', 'question = "Is it?"', "question", "question =", "not known here"),
    (TF, 'prompt = "Is it?"', 'prompt = ""', "prompt", "prompt", "1 to 1200 characters"),
    (TF, 'prompt = "Is it?"', 'prompt = "  "', "prompt", "prompt", "1 to 1200 characters"),
    (TF, 'prompt = "Is it?"', f'prompt = "{LONG}"', "prompt", "prompt", "1 to 1200 characters"),
    (TF, "answer = true", 'answer = "true"', "answer", "answer", "must be true or false"),
    (TF, "answer = true", "answer = 1", "answer", "answer", "must be true or false"),
    (TF, "answer = true\n", "", "answer", "[[question]]", "missing"),
    (TF, 'why = "It is."\n', "", "why", 'why = "No."', "missing"),
    (TF, '[[question.reason]]\ntext = "Two"\nwhy = "No."\n', "", "reason.why", "[[question.reason]]", "at least two reasons"),
    (TF, 'text = "Two"\nwhy = "No."', 'text = "Two"', "reason.why", "[[question.reason]]", "at least two reasons"),
    (TF, 'text = "One"', 'text = "One"\nwhy = "No."', "reason.why", 'why = "No."', "at least two reasons"),
    (TF, 'text = "One"', "text = 1", "reason.text", "text = 1", "must be a text"),
    (TF, 'text = "One"', 'say = "One"', "reason.say", "say", "not known here"),
    (TF, 'text = "One"\n', "", "reason.text", 'text = "Two"', "missing"),
    (SE, '{ text = " " }', "3", "pieces", "pieces", "every piece is a table"),
    (SE, '{ text = " " }', '{ text = " ", colour = "red" }', "pieces.colour", "colour", "not known here"),
    (SE, '{ text = " " }', '{ text = "" , say = "x", why = "x" }', "pieces.text", 'text = "a"', "1 to 1200 characters"),
    (SE, 'say = "a", why = "Fine."', 'say = "a"', "pieces.why", "pieces = [", "either is wrong or says why"),
    (SE, "wrong = true", 'wrong = true, why = "x"', "pieces.why", 'why = "Fine."', "either is wrong or says why"),
    (SE, 'why = "Fine."', "wrong = true", "pieces.wrong", "wrong = true", "exactly one"),
    (SE, "wrong = true", 'why = "Fine."', "pieces.wrong", "pieces = [", "exactly one"),
    (SE, 'say = "a", why = "Fine." }', 'why = "Fine." }', "pieces.wrong", "wrong = true", "exactly one"),
    (SE, 'pieces = [\n  { text = "a"', 'pieces = 3\nbits = [\n  { text = "a"', "bits", "bits", "not known here"),
    (WHY, 'points = ["One thing"]', "points = []", "points", "points", "at least one thing"),
    (WHY, 'points = ["One thing"]', "points = [1]", "points", "points", "1 to 1200 characters"),
    (WHY, 'points = ["One thing"]', 'points = [""]', "points", "points", "1 to 1200 characters"),
    (CARD, 'why = "Back"\n', 'why = "Back"\npoints = ["a"]\n', "points", "points", "not known here"),
    (CARD, 'page = "build_one_score"', 'page = "nowhere"', "experiment.page", "page", "no page"),
    (CARD, 'page = "build_one_score"\n', "", "experiment.page", "[question.experiment]", "missing"),
    (CARD, 'link = { t = "3" }', "link = { t = 3 }", "experiment.link", "link", "quotation marks"),
    (CARD, 'link = { t = "3" }', 'link = "t=3"', "experiment.link", "link", "must be a table"),
    (CARD, 'look = "Read 0.5."', 'see = "Read 0.5."', "experiment.see", "see", "not known here"),
    (CARD, 'look = "Read 0.5."', 'look = " "', "experiment.look", "look", "1 to 1200 characters"),
    (CARD, EXPERIMENT.format(), "", "experiment", "[[question]]", "missing"),
    (NUMBERS, FORM.format(), "", "form", "[[question]]", "missing"),
    (NUMBERS, FORM.format(), FORM.format() * 2, "form", "[[question.form]]", "same name"),
    (NUMBERS, 'name = "form"', 'name = "Form one"', "form.name", "name", "small letters"),
    (NUMBERS, 'name = "form"\n', "", "form.name", "[[question.form]]", "missing"),
    (NUMBERS, f'recipe = "{RECIPE}"', 'recipe = "soup"', "form.recipe", "recipe", "no recipe 'soup'"),
    (NUMBERS, "within = 0.01", "within = 0", "form.within", "within", "between 0 and 1"),
    (NUMBERS, "within = 0.01", "within = nan", "form.within", "within", "between 0 and 1"),
    (NUMBERS, "within = 0.01", "within = true", "form.within", "within", "must be a number"),
    (NUMBERS, 'prompt = "How much?"', 'prompt = "{much}?"', "form.prompt", "prompt", "gives no {much}"),
    (NUMBERS, 'prompt = "How much?"', 'prompt = "{?"', "form.prompt", "prompt", "written twice"),
    (NUMBERS, 'prompt = "How much?"', 'prompt = "{}"', "form.prompt", "prompt", "gives no {}"),
    (NUMBERS, '"It is {answer}."', '"It is {answer:>99999999999}."', "form.solution", "solution", "as it stands"),
    (NUMBERS, '"It is {answer}."', '"It is {answer!z}."', "form.solution", "solution", "as it stands"),
    (NUMBERS, '"It is {answer}."', '"It is {answer.real}."', "form.solution", "solution", "gives no {answer.real}"),
    (NUMBERS, f'"{SLIP}" = "Not so."', 'slip = "Not so."', "form.slips", "slips", "knows no slip 'slip'"),
    (NUMBERS, '= "Not so."', '= "{so}"', "form.slips", "slips", "gives no {so}"),
    (NUMBERS, '= "Not so."', "= 3", "form.slips", "slips", "1 to 1200 characters"),
    (NUMBERS, 'name = "form"', 'name = "form"\nunit = "nats"', "form.unit", "unit", "not known here"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "old", "new", "place", "line", "said"), FAULTS)
def test_a_fault_is_named_and_takes_down_one_item(kind: str, old: str, new: str, place: str, line: str, said: str) -> None:
    lines = with_damage(kind, old, new)
    bank = read_bank("\n".join(lines), "own.toml")
    assert list(bank.questions) == ["A1", "C3"]
    (fault,) = bank.faults
    named = re.fullmatch(r"own\.toml, line (\d+): question (\w+): \"([\w.]+)\": (.*)\.", fault)
    assert named, fault
    starts = [n for n, text in enumerate(lines, start=1) if text == "[[question]]"]
    assert starts[1] <= int(named[1]) < starts[2], fault
    assert line in lines[int(named[1]) - 1], fault
    id = re.search(r'^id = "?(\w+)', "\n".join(lines[starts[1] - 1 : starts[2] - 1]), flags=re.MULTILINE)
    assert named[2] == (id[1] if id else "2"), fault
    assert named[3] == place
    assert said in named[4]


def test_an_entry_that_is_no_table_is_named() -> None:
    bank = read_bank('kind = "why"\nquestion = [3]\n', "own.toml")
    assert bank.faults == ('own.toml, line 1: question 1: "question": it must be a [[question]] table.',)
    for inner, kind in (("reason = [3, 4]", TF), ("form = [3]", NUMBERS)):
        whole = item(kind, "A1")
        start, end = whole.index(f"[[question.{inner.split()[0]}]]"), whole.index("[question.experiment]")
        bank = read_bank(file_of(kind, whole[:start] + inner + "\n" + whole[end:]), "own.toml")
        (fault,) = bank.faults
        assert f'question A1: "{inner.split()[0]}": every {inner.split()[0]} is a [[question' in fault


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", '"kind" is None'),
        ('kind = "riddle"', "'riddle' but must be one of true or false"),
        ('kind = "why"', f"1 to {MOST} [[question]] tables"),
        ('kind = "why"\nquestion = []', f"1 to {MOST} [[question]] tables"),
        ('kind = "why"\n' + "[[question]]\n" * (MOST + 1), f"1 to {MOST} [[question]] tables"),
        ('kind = "why"\nquestion = 3', f"1 to {MOST} [[question]] tables"),
        ("kind = why", "not TOML"),
        ("kind = " + "1" * 5000, "not TOML"),
        ("kind = " + "[" * 20_000, "not TOML"),
        ("\x00", "not TOML"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_a_file_that_holds_no_questions_says_so(text: str, said: str) -> None:
    bank = read_bank(text, "own.toml")
    assert not bank.questions
    (fault,) = bank.faults
    assert fault.startswith("own.toml: ")
    assert said in fault


def test_what_stands_beside_the_questions_is_named_and_does_no_harm() -> None:
    bank = read_bank(file_of("why").replace('kind = "why"', 'kind = "why"\nauthor = "me"'), "own.toml")
    assert list(bank.questions) == ["A1", "B2", "C3"]
    assert bank.faults == ('own.toml: "author" is not known here; take it out.',)


def test_a_teachers_question_cannot_take_a_name_of_the_house() -> None:
    bank = read_bank(file_of("why"), "own.toml", known={"B2": BANK.questions["TF1"]})
    assert list(bank.questions) == ["A1", "C3"]
    assert '"id": B2 is taken already' in bank.faults[0]


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "1.toml").write_text(file_of("numbers", item("numbers", "N1")), encoding="utf-8")
    (tmp_path / "2.toml").write_text(file_of("why", item("why", "W1"), item("why", "N1")), encoding="utf-8")
    (tmp_path / "3.toml").write_text("kind =", encoding="utf-8")
    bank = house_bank(tmp_path)
    assert list(bank.questions) == ["W1", "N1"]  # in the order of the kinds, not of the files
    assert bank.questions["N1"].kind == "numbers"
    assert [fault.split(":")[0] for fault in bank.faults] == [
        f"2.toml, line {2 + len(item('why', 'W1').splitlines()) + 2}",
        "3.toml",
    ]


WHOLE = {kind: file_of(kind) for kind in KINDS}
SIGNS = st.sampled_from('{}[]"=,.\n\\ #_^$') | st.characters(codec="utf-8")


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    kind=st.sampled_from(KINDS),
    cut=st.tuples(st.floats(0, 1), st.integers(0, 30)),
    put=st.text(SIGNS, max_size=12) | st.sampled_from(['"', "= true", "= 3", "[[question]]", "= []", "= {}", "{answer:d}"]),
)
@example(kind="spot the error", cut=(0.5, 0), put='"""')
def test_no_damage_ever_raises(kind: str, cut: tuple[float, int], put: str) -> None:
    text = WHOLE[kind]
    start = int(cut[0] * len(text))
    bank = read_bank(text[:start] + put + text[start + cut[1] :], "own.toml")
    for fault in bank.faults:
        assert fault.startswith("own.toml")
        assert fault.endswith(".")
    for question, form in bank.forms.values():
        for text in (form.prompt, form.solution, *form.slips.values()):
            form.said(text, 3)  # what was let through can be asked
        assert question.experiment.look
    assert len(bank.questions) == 3 or bank.faults or cut[1] or put
