"""Every page of the course opens, is complete, and says in words what it shows."""

from __future__ import annotations

import ast
import json
import re

import pytest

from pages.parts.contents import ROOT, Page
from pages.parts.frame import APP
from tests.content.test_snippets import run
from tests.parts.told import MINUS_ZERO, NO_NUMBER
from tests.site.visit import LAB, PAGES, Visit

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file)
some_links = pytest.mark.parametrize(
    "link",
    [
        {},
        {"scenario": "one source word"},
        {"scenario": "a gap too wide for float64"},
        {"scenario": "repeated words", "unit": "bits", "projector": "1"},
        {"source": "<b> $x$ ** %{z} 10 1E1", "target": "`a` [b](c)", "scores": "0,0,0,0,0,0;1000,-1000,0.0001,0,1,2", "t": "2"},
    ],
    ids=["plain", "one word", "underflow", "bits on a projector", "odd words"],
)


@some_links
@every_page
def test_a_page_opens_complete(page: Page, link: dict[str, str]) -> None:
    visit = Visit(link, page)
    assert not visit.failed
    assert visit.warnings == []
    assert visit.errors == []
    assert visit.title == [page.label if page != LAB else APP]
    # Every frame finds its drawing and every drawing its frame.
    assert set(visit.frames) == set(visit.drawings)
    for name, frame in visit.frames.items():
        assert frame["height"] > 0
        assert frame["plotly"].endswith("/plotly.min.js")
        drawing = visit.drawings[name]
        assert drawing.get("label") or drawing.get("reading"), f"{name} says nothing to those who cannot see it"
        if "figure" in drawing:
            assert drawing["label"], f"{name} has no text alternative"
            assert frame["heading"], f"{name} has no heading"
        elif "table" in drawing:
            assert drawing["label"], f"{name} has no name"
    for text in visit.texts:
        assert not MINUS_ZERO.search(text), text
        assert not NO_NUMBER.search(text), text
    json.dumps(visit.drawings, allow_nan=False)


@every_page
def test_the_menu_lists_every_page_and_the_foot_its_neighbours(page: Page) -> None:
    visit = Visit({"scenario": "repeated words", "t": "2", "unit": "bits"}, page)
    menu = [element.proto for element in visit.at.sidebar.get("page_link")]
    assert [link.label for link in menu] == [other.label for other in PAGES]
    assert [link.page for link in menu] == [other.slug for other in PAGES]
    assert [link.help.removesuffix(" You are here.") for link in menu] == [other.summary for other in PAGES]
    assert [bool(link.icon) for link in menu] == [other == page for other in PAGES]  # you are here
    foot = [element.proto for element in visit.at.main.get("page_link") if re.match(r"(Back|Next): ", element.proto.label)]
    place = PAGES.index(page)
    before = [f"Back: {PAGES[place - 1].label}"] if place else []
    after = [f"Next: {PAGES[place + 1].label}"] if place + 1 < len(PAGES) else []
    assert [link.label for link in foot] == before + after
    # What the reader has in hand goes along.
    for link in (*menu, *foot):
        assert link.query_string == "scenario=repeated+words&t=2&unit=bits"


@every_page
def test_the_course_map_shows_every_page(page: Page) -> None:
    visit = Visit({"unit": "bits"}, page)
    menu = len(visit.at.get("page_link"))
    visit.trigger("frame_bar", "open", "map")
    assert not visit.failed
    cards = [element.proto for element in visit.at.get("page_link")][menu:]
    assert [card.label for card in cards] == [other.label for other in PAGES]
    assert [bool(card.icon) for card in cards] == [other == page for other in PAGES]
    assert {card.query_string for card in cards} == {"unit=bits"}
    # The arrows: one curve for every lesson that another stands on.
    (style,) = [text for text in visit.read_as_markdown if "map_card_0" in text]
    assert style.count("%20C") == sum(len(other.needs) for other in PAGES)


@every_page
def test_the_idea_is_short(page: Page) -> None:
    calls = [node for node in ast.walk(ast.parse((ROOT / page.file).read_text("utf-8"))) if isinstance(node, ast.Call)]
    ideas = [call.args[0].value for call in calls if ast.unparse(call.func) == "frame.idea"]  # type: ignore[attr-defined]
    assert len(ideas) == (page != LAB)
    for idea in ideas:
        assert 4 <= len(idea.split()) <= 20, idea


@every_page
def test_its_code_runs_in_a_bare_python_and_prints(page: Page) -> None:
    visit = Visit({"scenario": "near-tie", "t": "3", "unit": "bits"}, page)
    blocks = [block for block in visit.at.code if block.language == "python"]
    assert blocks, "no NumPy block"
    for block in blocks:
        assert len(run(block.value)) >= 2


def test_the_list_of_symbols_opens_on_every_page_alike() -> None:
    tables = set()
    for page in (PAGES[0], PAGES[-1]):
        visit = Visit({}, page).trigger("frame_bar", "open", "symbols")
        assert not visit.failed
        (table,) = [text for text in visit.read_as_markdown if text.startswith("| Symbol")]
        tables.add(table)
    assert len(tables) == 1


def test_no_two_pages_share_a_key() -> None:
    """A key belongs to the whole app: two pages with the same one would share a value."""
    owner: dict[str, str] = {}
    for page in PAGES:
        for key in Visit({}, page).components:
            assert owner.setdefault(key, page.file) == page.file or key == "frame_bar"


@every_page
def test_a_page_runs_again_and_again_without_changing(page: Page) -> None:
    visit = Visit({"scenario": "near-tie", "scores": "2,1.98,-1,-0.6;0.4,3.1,-0.2,0.6;-0.5,0.3,2.9,0.8;1,2,3,4", "t": "4"}, page)
    drawings, link, bar = visit.drawings, visit.link, visit.bar
    for _ in range(2):
        visit.run()
        assert not visit.failed
        assert (visit.drawings, visit.link, visit.bar) == (drawings, link, bar)
