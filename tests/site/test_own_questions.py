"""A teacher's own questions: what is good is taken, what is not is named, nothing is lost; and the sheet's downloads."""

from __future__ import annotations

import re

import pytest

from pages.parts import worksheet
from pages.parts.contents import ROOT, page_of
from pages.parts.questions import KINDS, Experiment, house_bank, read_bank
from pages.parts.worksheet_view import EXAMPLES, LONGEST_FAULT, MOST_FILES, SAID_FAULTS
from tests.parts.told import printed_numbers
from tests.site.test_experiments import open_it
from tests.site.visit import LAB, Visit, unescaped

PAGE = page_of(str(ROOT / "pages" / "14_question_bank.py"))
ITEM = """
[[question]]
id = "{id}"
lessons = {lessons}
prompt = "Why {id}?"
why = "Because."
points = ["It is so."]
experiment = {{ page = "lab", link = {{}}, look = "0.73" }}
"""


def file(*ids: str, kind: str = "why", lessons: str = "[4]") -> str:
    return f'kind = "{kind}"\n' + "".join(ITEM.format(id=id, lessons=lessons) for id in ids)


def bring(visit: Visit, text: str | bytes, name: str = "mine.toml") -> Visit:
    content = text if isinstance(text, bytes) else text.encode()
    visit.at.file_uploader(key="bank_own_file").upload(name, content, "application/toml")
    visit.run()
    assert not visit.failed
    return visit


def own(visit: Visit) -> list[str]:
    return list(visit.at.session_state["own_bank"].questions)


def offered(visit: Visit) -> list[str]:
    """The questions that the page asks, by name."""
    return [option.split()[0] for option in visit.at.selectbox(key="bank_jump").options]


def test_good_questions_are_asked_with_the_others_until_they_are_taken_out() -> None:
    visit = Visit({}, PAGE)
    before = offered(visit)
    bring(visit, file("MY1", "MY2"))
    assert visit.warnings == []
    assert offered(visit) == [*before, "MY1", "MY2"]
    assert any("In the bank: 2 questions of your own, MY1, MY2." in unescaped(text) for text in visit.read_as_markdown)
    assert offered(visit.run()) == [*before, "MY1", "MY2"], "they stay"
    visit.go(LAB).go(PAGE)
    assert offered(visit) == [*before, "MY1", "MY2"], "on other pages, too"
    assert offered(Visit({}, PAGE)) == before, "and nobody else sees them"
    assert "Why MY2?" in "\n".join(visit.open({"view": "worksheet"}).read_as_markdown)
    visit.open({})
    visit.at.button(key="bank_own_out").click()
    assert offered(visit.run()) == before
    assert visit.warnings == []


def test_good_items_are_taken_and_the_others_named_by_file_line_id_and_field() -> None:
    text = file("MY1", "TF1") + ITEM.format(id="MY2", lessons="[99]")
    visit = bring(Visit({}, PAGE), text, "my *file* $x$ <b>.toml")
    assert own(visit) == ["MY1"]
    assert r"my \*file\* \$x\$ \<b\>" in visit.at.warning[0].value, "a file's name is not obeyed"
    (warning,) = visit.warnings
    taken, lessons = warning.splitlines()
    place = text.splitlines().index('id = "TF1"') + 1
    assert taken == f'- my *file* $x$ <b>.toml, line {place}: question TF1: "id": TF1 is taken already; choose another.'
    assert lessons.startswith('- my *file* $x$ <b>.toml, line 21: question MY2: "lessons": [99]')


@pytest.mark.parametrize("field", ["prompt", "why", "points"])
def test_no_text_fetches_a_picture_from_elsewhere(field: str) -> None:
    plain = {"prompt": "Why MY1?", "why": "Because.", "points": "It is so."}[field]
    visit = bring(Visit({}, PAGE), file("MY1", "MY2").replace(plain, f"{plain} ![](http://example.test/a.png)"))
    assert own(visit) == (["MY2"] if field == "prompt" else [])
    assert f'question MY1: "{field}": pictures are not shown' in visit.warnings[0]


BROKEN = {
    "not TOML": 'kind = "why',
    "nothing": b"",
    "not text": b"\xff\xfe\x00\x01",
    "another kind": file("MY9", kind="riddle"),
    "no good item": file("MY9", lessons="[0]"),
    "an endless list": "a = " + "[" * 100_000,
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_leaves_everything_in_place(name: str) -> None:
    visit = bring(bring(Visit({}, PAGE), file("MY1", "MY2")), BROKEN[name])
    assert own(visit) == ["MY1", "MY2"]
    (warning,) = visit.warnings
    assert warning.startswith("- mine.toml")
    assert len(warning) < 2 * LONGEST_FAULT
    # Mended, it is taken, and the trouble is over.
    bring(visit, file("MY1", "MY3"))
    assert own(visit) == ["MY1", "MY3"]
    assert visit.warnings == []


def test_a_fault_in_a_new_version_does_not_take_out_what_was_good_in_the_last_one() -> None:
    visit = bring(Visit({}, PAGE), file("MY1", "MY2"))
    bring(visit, file("MY1") + ITEM.format(id="MY2", lessons="[]") + ITEM.format(id="MY3", lessons="[4]"))
    assert own(visit) == ["MY1", "MY2", "MY3"]
    assert len(visit.warnings) == 1


def test_several_files_add_up_and_their_ids_must_differ() -> None:
    visit = bring(Visit({}, PAGE), file("MY1"), "one.toml")
    bring(visit, file("MY2", "MY1"), "two.toml")
    assert own(visit) == ["MY1", "MY2"]
    assert "two.toml, line 12: question MY1" in visit.warnings[0]
    for n in range(3, MOST_FILES + 1):
        bring(visit, file(f"MY{n}"), f"{n}.toml")
    assert visit.warnings == []
    bring(visit, file("MY99"), "more.toml")
    assert "that is the most" in visit.warnings[0]
    assert own(visit) == [f"MY{n}" for n in range(1, MOST_FILES + 1)]
    bring(visit, file("MY98"), "one.toml")
    assert own(visit)[0] == "MY98", "an old one can still be renewed"


def test_endless_faults_are_counted_and_long_ones_cut() -> None:
    visit = bring(Visit({}, PAGE), f"{'x' * 5000} = 1\n" + file(*[f"MY{n}" for n in range(50)], lessons="[0]"))
    (warning,) = visit.warnings
    lines = warning.splitlines()
    assert len(lines) == SAID_FAULTS + 1
    assert lines[-1] == f"- and {51 - SAID_FAULTS} more faults."
    assert max(map(len, lines)) < LONGEST_FAULT + 10
    assert own(visit) == []


def test_an_example_of_every_kind_can_be_downloaded_and_opened(downloads: dict[str, str]) -> None:
    visit = Visit({}, PAGE)
    for kind in KINDS:
        visit.at.selectbox(key="bank_own_kind").set_value(kind)
        visit.run()
        name = f"{kind.replace(' ', '-')}.toml"
        bring(visit, downloads[name], name)
        assert visit.warnings == []
    questions = visit.at.session_state["own_bank"].questions
    assert [question.kind for question in questions.values()] == list(KINDS)


LOOKS = {
    id: question.experiment
    for example in sorted(EXAMPLES.glob("*.toml"))
    for id, question in read_bank(example.read_text("utf-8"), example.name).questions.items()
}


@pytest.mark.parametrize("id", LOOKS)
def test_an_example_keeps_its_own_promise(id: str) -> None:
    there: Experiment = LOOKS[id]
    visit, seen = open_it(there)
    assert visit.warnings == []
    quoted = printed_numbers([there.look])
    assert quoted
    assert quoted <= seen


def test_the_sheet_on_the_page_is_the_one_in_the_files(downloads: dict[str, object]) -> None:
    visit = Visit({"view": "worksheet", "kind": "numbers", "lesson": "4", "sheet": "12"}, PAGE)
    forms = [pair for pair in house_bank().forms.values() if pair[0].kind == "numbers" and 4 in pair[0].lessons]
    markdown, gift = downloads["sheet-12.md"], downloads["sheet-12-gift.txt"]
    assert callable(markdown)
    assert callable(gift)
    assert markdown() == worksheet.markdown(forms, 12)
    assert gift() == worksheet.gift(forms, 12)
    on_page = "\n\n".join(visit.read_as_markdown)
    asked, answers = markdown().split("\n\n<div")
    assert asked.split("## Questions\n\n")[1] in on_page
    assert "Answer key" not in on_page
    key = "\n\n".join(visit.open({"view": "answer key", "kind": "numbers", "lesson": "4", "sheet": "12"}).read_as_markdown)
    assert re.search(r"## Answer key to sheet 12\n\n(### 1.*)\n$", answers, re.DOTALL)[1] in key  # type: ignore[index]


def test_reasons_stand_in_the_same_order_on_the_screen_and_on_paper() -> None:
    question = house_bank().questions["TF5"]
    visit = Visit({"question": "TF5", "sheet": "12"}, PAGE)
    on_paper = [question.reasons[k].text for k in worksheet.order_of_reasons(question, 12)]
    assert visit.at.radio(key="bank_TF5_because").options == on_paper
