"""Two rows of boxes: the sliders step through the looks, and the step goes along to the other pages."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest

from tests.site.visit import LAB, LESSONS, Visit, unescaped

(PAGE,) = (page for page in LESSONS if page.slug == "two_rows_of_boxes")


def reading(visit: Visit, name: str) -> str:
    return str(visit.drawings[f"boxes_{name}"]["reading"])


def test_the_sliders_stand_at_the_step_and_at_the_place() -> None:
    visit = Visit({"t": "3", "i": "2"}, PAGE)
    assert visit.values == [3, 2]
    assert [(s["min"], s["max"], s["step"]) for s in visit.sliders["sliders"]] == [(1, 4, 1), (1, 3, 1)]
    assert reading(visit, "grid") == 'So far 3 × 3 = 9; in all 4 × 3 = 12. Look 8: "a" at "suis".'
    assert reading(visit, "rows").startswith('t = 3: to write "a", it looks back at all 3 words you read.')


def test_a_moved_step_is_the_scenario_s_and_the_movement_goes_on() -> None:
    visit = Visit({}, PAGE)
    epoch = visit.sliders["epoch"]
    visit.move([4, 3])
    assert visit.sliders["epoch"] == epoch
    assert visit.values == [4, 3]
    assert visit.run().link == {"t": "4", "i": "3"}
    assert "in all 4 × 3 = 12" in reading(visit, "grid")
    # The step goes along; the place belongs to this page and stays in the menu's link to it.
    visit.go(LAB)
    assert visit.sliders["label"] == "Scores of step 4"
    assert visit.values == [-0.5, 0.4, 2.8, 1.0], "the row of that step"
    assert visit.link == {"t": "4"}
    visit.move([1, 2, 3, 1.0])
    (menu,) = (link.proto for link in visit.at.sidebar.get("page_link") if link.proto.page == PAGE.slug)
    assert dict(parse_qsl(menu.query_string)) == {"t": "4", "i": "3", "scores": "2.4,0.6,-0.3;0.3,2.1,0.5;-0.4,0.9,1.3;1,2,3"}


def test_a_typed_number_between_two_words_is_the_nearer_word() -> None:
    assert Visit({}, PAGE).move([2.6, 1.2]).values == [3, 1]


@pytest.mark.parametrize(("typed", "problem"), [("0", "1 to 3"), ("4", "1 to 3"), ("x", "1 to 3"), ("1.5", "1 to 3")])
def test_a_place_that_is_none_is_named(typed: str, problem: str) -> None:
    visit = Visit({"i": typed, "t": "1"}, PAGE)
    assert visit.warnings == [f'"i" in the link is ignored: it must be a whole number from {problem}.']
    assert visit.values == [1, 1]


def test_both_rows_can_be_typed_and_the_question_is_asked_for_them() -> None:
    visit = Visit({"i": "3"}, PAGE)
    assert visit.at.radio[0].options == ["7 looks", "12 looks", "16 looks"]
    visit.at.text_input(key="boxes_own_source").set_value("hallo Welt")
    visit.run()
    visit.at.text_input(key="boxes_own_target").set_value("hello world")
    visit.run()
    assert not visit.failed
    assert visit.values == [2, 2], "the place that is gone gives way to the last"
    assert visit.at.radio[0].options == ["2 looks", "4 looks", "6 looks"]
    letters = [unescaped(text) for text in visit.read_as_markdown if "Why two letters" in text]
    assert len(letters) == 1
    assert "from 1 to T_x = 2;" in letters[0]
    assert "both happen to end at the same number" in letters[0]
    table = visit.drawings["boxes_arithmetic"]["table"]
    assert [row[2] for row in table["rows"]] == ["1 × 2 = 2", "2 × 2 = 4"]
    assert table["total"][2] == "T_y × T_x = 2 × 2 = 4"


def test_an_answer_locked_for_one_pair_is_not_the_answer_for_another() -> None:
    visit = Visit({}, PAGE)
    visit.at.radio[0].set_value(1)
    visit.run()
    visit.at.button(key="boxes_count_3_4_lock").click()
    visit.run()
    assert any("**Right.**" in text for text in visit.read_as_markdown)
    visit.at.selectbox(key="boxes_scenario").set_value("one source word")
    visit.run()
    assert not visit.at.radio[0].disabled
    assert not any("**Right.**" in text for text in visit.read_as_markdown)
