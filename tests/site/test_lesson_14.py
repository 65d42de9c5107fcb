"""The question bank: predict, lock, reveal; the score; experiments and the way back; what a link and a run hold."""

from __future__ import annotations

import re

import pytest

from pages.parts import asked, bank
from pages.parts.contents import ROOT, page_of
from pages.parts.questions import KINDS, NUMBERS, house_bank
from tests.site.visit import LESSONS, PAGES, Visit

PAGE = page_of(str(ROOT / "pages" / "14_question_bank.py"))
BANK = house_bank()
NUMERIC = next(name for name, (_, form) in BANK.forms.items() if form.recipe)


def ask(name: str, **link: str) -> Visit:
    visit = Visit({"question": name, **link}, PAGE)
    assert not visit.failed
    return visit


def shown(visit: Visit) -> str:
    return "\n".join(visit.read_as_markdown)


def score(visit: Visit) -> str:
    return next(text for text in visit.read_as_markdown if "to go." in text or "Nothing answered" in text)


def press(visit: Visit, key: str) -> Visit:
    visit.at.button(key=key).click()
    visit.run()
    assert not visit.failed
    return visit


# --- Each kind of question ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "right_reason", "points"), [(False, True, "1"), (False, False, "0.5"), (True, True, "0"), (True, False, "0")]
)
def test_true_or_false_needs_a_reason_before_anything_is_revealed(said: bool, right_reason: bool, points: str) -> None:
    question = BANK.questions["TF5"]
    assert question.answer is False
    right = next(k for k, reason in enumerate(question.reasons) if not reason.why)
    wrong = next(k for k, reason in enumerate(question.reasons) if reason.why)
    visit = ask("TF5")
    assert visit.at.button(key="bank_TF5_lock").disabled
    visit.at.radio(key="bank_TF5_verdict").set_value(int(said))
    visit.run()
    assert visit.at.button(key="bank_TF5_lock").disabled, "a verdict without a reason is a guess"
    visit.at.radio(key="bank_TF5_because").set_value(right if right_reason else wrong)
    visit.run()
    assert question.why not in shown(visit)
    press(visit, "bank_TF5_lock")
    assert question.why in shown(visit)
    assert question.experiment.look in shown(visit)
    assert ("You said true" in shown(visit)) == said
    assert (question.reasons[wrong].why in shown(visit)) == (not right_reason)
    assert score(visit).startswith(f"**{points}** of 1 point")
    press(visit, "bank_TF5_again")
    assert question.why not in shown(visit)
    assert score(visit) == "Nothing answered yet."


def formula(visit: Visit) -> dict:
    ((_, data),) = [value for key, value in visit.components.items() if key.startswith("bank_formula_")]
    return data


def test_the_wrong_place_is_pointed_at() -> None:
    question = BANK.questions["SE2"]
    place = next(k for k, piece in enumerate(question.pieces) if piece.wrong)
    glue = next(k for k, piece in enumerate(question.pieces) if not piece.say)
    other = next(k for k, piece in enumerate(question.pieces) if piece.why)
    visit = ask("SE2")
    assert formula(visit)["chosen"] is None
    assert visit.at.button(key="bank_SE2_lock").disabled
    for odd in (glue, -1, len(question.pieces), True, "1", None, [place], 1.0):
        visit.trigger("bank_formula_SE2", "chosen", odd)
        assert not visit.failed
        assert formula(visit)["chosen"] is None, odd
    visit.trigger("bank_formula_SE2", "chosen", other)
    assert formula(visit)["chosen"] == other
    press(visit, "bank_SE2_lock")
    assert question.pieces[other].why in shown(visit)
    assert question.why in shown(visit)
    assert formula(visit)["pieces"][place]["mark"] == "here"
    assert formula(visit)["pieces"][other]["mark"] == "your choice"
    assert score(visit).startswith("**0** of 1 point")
    visit.trigger("bank_formula_SE2", "chosen", place)
    assert formula(visit)["chosen"] == other, "locked is locked"
    press(visit, "bank_SE2_again")
    visit.trigger("bank_formula_SE2", "chosen", place)
    press(visit, "bank_SE2_lock")
    assert score(visit).startswith("**1** of 1 point")
    # A screen reader hears every piece by a name of its own, and the whole as one sentence.
    names = [piece["say"] for piece in formula(visit)["pieces"] if piece["say"]]
    assert len(names) == len(set(names)) >= 2
    assert all(name in formula(visit)["label"] for name in names)


def test_an_answer_in_words_is_compared_and_rated_by_whoever_gave_it() -> None:
    question = BANK.questions["W1"]
    visit = ask("W1")
    press(visit, "bank_W1_lock")
    assert question.why not in shown(visit), "nothing was answered"
    assert len(visit.warnings) == 1
    assert press(visit, "bank_before").warnings == [], "said once"
    press(visit, "bank_after")
    visit.at.text_area(key="bank_W1_sentence").set_value("<b>to</b> $remember$ **and** :red[say] ![](//h.test/i.png)")
    visit.run()
    # What was written is still there after a walk through the course.
    visit.go(LESSONS[3]).go(PAGE)
    assert "$remember$" in visit.at.text_area(key="bank_W1_sentence").value
    press(visit, "bank_W1_lock")
    assert question.why in shown(visit)
    assert all(point in shown(visit) for point in question.points)
    assert r"\<b\>to\<\/b\> \$remember\$ \*\*and" in shown(visit), "shown as typed"
    assert score(visit) == "Nothing answered yet.", "not rated yet"
    for rating, points in (("half", "0.5"), ("had it", "1"), ("not yet", "0")):
        visit.at.button_group(key="bank_W1_rating").set_value(rating)
        visit.run()
        assert score(visit).startswith(f"**{points}** of 1 point")


def test_a_flash_card_is_turned_over() -> None:
    question = BANK.questions["Q4"]
    visit = ask("Q4")
    assert question.why not in shown(visit)
    press(visit, "bank_Q4_lock")
    assert question.why in shown(visit)
    visit.at.button_group(key="bank_Q4_rating").set_value("had it")
    visit.run()
    assert score(visit).startswith("**1** of 1 point")


def submit(visit: Visit, typed: str) -> Visit:
    (field,) = [text for text in visit.at.text_input if text.key.endswith("_number")]
    field.set_value(typed)
    (button,) = [button for button in visit.at.button if button.label == "Lock my answer"]
    button.click()
    visit.run()
    assert not visit.failed
    return visit


def test_a_number_is_judged_hinted_at_or_explained() -> None:
    _, form = BANK.forms[NUMERIC]
    drawn = form.drawn(7)
    visit = ask(NUMERIC, sheet="7")
    assert form.asked(7) in shown(visit)
    for typed in ("", "abc", "∞", "1/0", "9" * 60):
        submit(visit, typed)
        assert len(visit.warnings) == 1, typed
        assert score(visit) == "Nothing answered yet.", "a slip of the keyboard costs nothing"
        assert next(text for text in visit.at.text_input if text.key.endswith("_number")).value == typed
    submit(visit, f"{drawn.answer:.9f}".replace(".", ","))
    assert "**Right.**" in shown(visit)
    assert form.said(form.solution, 7) in shown(visit)
    assert score(visit).startswith("**1** of 1 point")
    assert drawn.code.strip() in [block.value for block in visit.at.code]
    # Another sheet is another question; the first stays answered.
    visit.at.number_input(key="bank_sheet").set_value(8)
    visit.run()
    assert score(visit) == "Nothing answered yet."
    assert form.asked(8) in shown(visit)
    assert drawn.code.strip() not in [block.value for block in visit.at.code]
    submit(visit, f"{form.drawn(8).answer + 10 * form.within:.9f}")
    assert "**Not yet.**" in shown(visit)
    assert score(visit).startswith("**0** of 1 point")
    visit.at.number_input(key="bank_sheet").set_value(7)
    visit.run()
    assert "**Right.**" in shown(visit)


def test_a_known_slip_is_explained_and_a_forgotten_percent_sign_asked_for() -> None:
    name, form, slip = next(
        (name, form, slip)
        for name, (_, form) in BANK.forms.items()
        if form.recipe
        for slip in form.slips
        if form.drawn(3).slips[slip] != 0
    )
    visit = submit(ask(name, sheet="3"), repr(form.drawn(3).slips[slip]))
    assert form.said(form.slips[slip], 3) in shown(visit)
    share = next(name for name, (_, form) in BANK.forms.items() if form.recipe and form.drawn(3).unit == "share")
    answer = BANK.forms[share][1].drawn(3).answer
    visit = submit(ask(share, sheet="3"), f"{100 * answer:.4f}")
    assert "%" in visit.warnings[0]
    assert score(visit) == "Nothing answered yet."
    assert "**Right.**" in shown(submit(visit, f"{100 * answer:.4f} %"))


# --- Which questions, in what order ----------------------------------------------------------------------------------


def jump(visit: Visit) -> list[str]:
    return list(visit.at.selectbox(key="bank_jump").options)


def test_every_form_can_be_reached_and_shown() -> None:
    visit = ask("TF1")
    assert jump(visit) == list(BANK.forms)
    for name, (_, form) in BANK.forms.items():
        visit.at.selectbox(key="bank_jump").set_value(name)
        visit.run()
        assert not visit.failed
        assert visit.link.get("question") == name
        assert form.asked(1) in shown(visit)
        assert visit.errors == visit.warnings == []


def test_next_and_previous_go_through_what_the_filters_let_through() -> None:
    visit = Visit({"kind": "spot the error"}, PAGE)
    assert jump(visit) == [name for name, (question, _) in BANK.forms.items() if question.kind == "spot the error"]
    assert visit.at.button(key="bank_before").disabled
    press(visit, "bank_after")
    assert visit.at.selectbox(key="bank_jump").value == "SE2"
    visit.at.selectbox(key="bank_lesson").set_value(3)
    visit.run()
    assert jump(visit) == [
        name for name, (question, _) in BANK.forms.items() if question.kind == "spot the error" and 3 in question.lessons
    ]
    assert visit.link["kind"] == "spot the error"
    assert visit.link["lesson"] == "3"
    # A kind that a lesson has no question of: said, and the way out.
    visit = Visit({"kind": "spot the error", "lesson": "1"}, PAGE)
    assert [info.value for info in visit.at.info] == ["No question fits all of these filters. Widen one of them."]


def test_what_is_right_leaves_the_list_of_what_is_not_yet() -> None:
    visit = Visit({"kind": "flash card", "wanted": "not yet"}, PAGE)
    before = jump(visit)
    press(visit, f"bank_{before[0]}_lock")
    visit.at.button_group(key=f"bank_{before[0]}_rating").set_value("had it")
    visit.run()
    assert jump(visit) == before, "what is on the page stays there to be read"
    press(visit, "bank_after")
    assert jump(visit) == before[1:]
    for name in before[1:]:
        visit.at.selectbox(key="bank_jump").set_value(name)
        visit.run()
        press(visit, f"bank_{name}_lock")
        visit.at.button_group(key=f"bank_{name}_rating").set_value("had it")
        visit.run()
    assert score(visit).startswith(f"**{len(before)}** of {len(before)} points; 0 to go")
    press(visit, "bank_after")
    assert [done.value for done in visit.at.success] == [
        "Every question here is answered, and right. Take another sheet, or show all."
    ]


@pytest.mark.parametrize("length", [5, 10])
def test_a_run_is_the_same_for_everybody_with_the_same_sheet(length: int) -> None:
    runs = [bank.chosen(BANK.forms, "all kinds", 0, str(length), sheet) for sheet in range(40)]
    assert runs == [bank.chosen(BANK.forms, "all kinds", 0, str(length), sheet) for sheet in range(40)]
    assert len({tuple(run) for run in runs}) > 35
    for run in runs:
        assert len(set(run)) == length
        assert len({BANK.forms[name][0].id for name in run}) == length, "of different questions"
    assert {name for run in runs for name in run} > {name for name, (q, _) in BANK.forms.items() if q.kind == "true or false"}
    # Too few to choose from: all there are.
    few = bank.chosen(BANK.forms, "spot the error", 3, str(length), 1)
    assert set(few) <= set(bank.chosen(BANK.forms, "spot the error", 3, "all", 1))
    visit = Visit({"run": str(length), "sheet": "12"}, PAGE)
    assert jump(visit) == runs[12]
    assert visit.link == {"run": str(length), "sheet": "12"}


def test_questions_are_picked_by_hand() -> None:
    visit = Visit({"kind": "why", "view": "worksheet"}, PAGE)
    visit.at.multiselect(key="bank_picked").set_value(["E2.blend", "TF1"])
    visit.run()
    assert visit.link == {"kind": "why", "view": "worksheet", "picked": "E2.blend,TF1"}
    assert BANK.questions["TF1"].forms[0].prompt in shown(visit)
    assert BANK.questions["W1"].forms[0].prompt not in shown(visit)
    visit.at.segmented_control(key="bank_view").set_value("one by one")
    visit.run()
    assert jump(visit) == ["TF1", "E2.blend"]
    visit.at.multiselect(key="bank_picked").set_value([])
    visit.run()
    assert jump(visit) == [name for name, (question, _) in BANK.forms.items() if question.kind == "why"]
    assert visit.link == {"kind": "why"}


LINKS = {
    "a question that is not there": ({"question": "TF77"}, {"question": "TF77"}, 0),
    "no name of a question": ({"question": "<b>"}, {}, 1),
    "a sheet that is none": ({"sheet": "12000", "kind": "why"}, {"kind": "why"}, 1),
    "a kind that is none": ({"kind": "riddle", "sheet": "3"}, {"sheet": "3"}, 1),
    "picked, one of them not there": ({"picked": "TF1,TF77"}, {"picked": "TF1,TF77"}, 0),
    "picked nonsense": ({"picked": "TF1,<b>"}, {}, 1),
    "everything": ({"kind": "numbers", "lesson": "4", "wanted": "not yet", "run": "5", "sheet": "0"},) * 2 + (0,),
}


@pytest.mark.parametrize("name", LINKS)
def test_a_link_opens_what_is_left_of_it(name: str) -> None:
    link, left, warnings = LINKS[name]
    visit = Visit(link, PAGE)
    assert not visit.failed
    assert visit.link == left
    assert len(visit.warnings) == warnings
    assert visit.at.selectbox(key="bank_jump").value in BANK.forms


# --- Experiments, and the questions of a lesson ----------------------------------------------------------------------


def link_of(visit: Visit, label: str) -> tuple[str, dict[str, str]]:
    (link,) = [element.proto for element in visit.at.main.get("page_link") if element.proto.label.startswith(label)]
    from urllib.parse import parse_qsl

    return link.page, dict(parse_qsl(link.query_string))


def follow(visit: Visit, label: str) -> Visit:
    slug, params = link_of(visit, label)
    visit.page = next(page for page in PAGES if page.slug == slug)
    visit.at.switch_page(visit.page.file)
    visit.at.query_params = params
    return visit.run()


def test_an_experiment_opens_with_its_state_and_leads_back_to_the_same_question() -> None:
    mine = {"source": "my own words", "target": "stay", "scores": "1,2,3", "t": "1", "unit": "bits", "projector": "1"}
    visit = ask("TF4", kind="true or false", **mine)
    follow(visit, "Try it")
    experiment = BANK.questions["TF4"].experiment
    assert visit.link == {**experiment.link, "unit": "bits", "projector": "1", "asked": "TF4"}
    assert experiment.look in shown(visit)
    visit.run()
    assert visit.link["asked"] == "TF4", "it stays while the reader tries"
    follow(visit, "Back to question TF4")
    assert visit.page == PAGE
    assert visit.link == {key: value for key, value in {**mine, "kind": "true or false", "question": "TF4"}.items() if key != "t"}
    assert visit.at.selectbox(key="bank_jump").value == "TF4"


def test_whoever_goes_on_by_the_menu_has_left_the_question() -> None:
    visit = follow(ask("TF4"), "Try it")
    visit.go(LESSONS[4])
    assert "asked" not in visit.link
    assert not [element for element in visit.at.main.get("page_link") if "Back to question" in element.proto.label]


def test_an_experiment_sent_to_a_friend_leads_to_the_question_too() -> None:
    visit = Visit({"asked": "TF4", "scenario": "all equal"}, LESSONS[3])
    follow(visit, "Back to question TF4")
    assert visit.at.selectbox(key="bank_jump").value == "TF4"
    visit = Visit({"asked": "<b>x"}, LESSONS[3])
    assert visit.link == {}
    assert re.search(r'"asked" in the link is ignored', visit.warnings[0])
    unknown = Visit({"asked": "ZZ9"}, LESSONS[3])
    assert not unknown.failed


@pytest.mark.parametrize("lesson", [page for page in PAGES if page != PAGE], ids=lambda page: page.file)
def test_every_page_ends_with_two_or_three_of_its_questions(lesson) -> None:
    names = asked.questions_of(lesson, BANK)
    assert 2 <= len(names) <= 3
    if lesson.number:
        assert all(lesson.number in BANK.forms[name][0].lessons for name in names)


def test_the_questions_at_a_foot_open_in_the_bank() -> None:
    visit = Visit({"scenario": "near-tie"}, LESSONS[3])
    name = asked.questions_of(LESSONS[3], BANK)[0]
    assert BANK.forms[name][1].asked(1) in shown(visit)
    follow(visit, f"Question {name}")
    assert visit.at.selectbox(key="bank_jump").value == name
    assert visit.link == {"scenario": "near-tie", "question": name}


def test_kinds_are_said_in_one_order() -> None:
    order = [KINDS.index(question.kind) for question in BANK.questions.values()]
    assert order == sorted(order)
    assert BANK.forms[NUMERIC][1].recipe
    assert NUMBERS in KINDS
