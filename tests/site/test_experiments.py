"""Every question's experiment opens the page that shows its answer: without a warning, as linked, with the numbers it quotes."""

from __future__ import annotations

from functools import cache

import pytest

from pages.parts.questions import Experiment, house_bank
from tests.parts.told import printed_numbers, told
from tests.site.visit import PAGES, Visit, unescaped

BANK = house_bank()
PAGE = {page.slug: page for page in PAGES}
OF_EVERY_PAGE = {"scenario", "source", "target", "scores", "t", "temperature", "seed", "unit"}
ASKED = {form.prompt for _, form in BANK.forms.values() if not form.recipe}  # they stand at the foot of lessons

every_question = pytest.mark.parametrize("id", BANK.questions)


@cache
def opened(page: str, link: tuple[tuple[str, str], ...]) -> tuple[Visit, frozenset[str], frozenset[str]]:
    """An experiment as it is opened, once for all tests; the numbers that are seen at once, and those of its arithmetic."""
    visit = Visit(dict(link), PAGE[page])
    at_once: list[str] = []
    worked_out: list[str] = []
    for name, drawing in visit.drawings.items():
        (worked_out if name.endswith("_arithmetic") else at_once).extend(told(drawing))
    at_once += [text for text in visit.read_as_markdown if text not in ASKED and not text.startswith("<style")]
    at_once += [frame[place] for frame in visit.frames.values() for place in ("heading", "note") if frame.get(place)]
    at_once += [element.proto.label for kind in ("number_input", "text_input", "selectbox") for element in visit.at.get(kind)]
    at_once += [option.content for group in visit.at.get("button_group") for option in group.proto.options]
    return visit, *(frozenset(printed_numbers(map(unescaped, texts))) for texts in (at_once, worked_out))


def experiment(id: str) -> Experiment:
    return BANK.questions[id].experiment


def open_it(there: Experiment) -> tuple[Visit, frozenset[str]]:
    """An experiment, and the numbers that its question may quote: those of the arithmetic if it sends the reader there."""
    visit, at_once, worked_out = opened(there.page, tuple(sorted(there.link.items())))
    return visit, at_once | worked_out if "arithmetic" in there.look.lower() else at_once


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,000 × 1,000 = 1,000,000", {"1,000", "1,000,000"}),
        ("12-14 words: 28 %, -0.59 and (-0.03, −1.5).", {"12", "14", "28 %", "-0.59", "-0.03", "−1.5"}),
        ("h2, e₂₂ = 1.52, 1.9e-174, x1.5 and 3rd", {"1.52", "1.9e-174"}),
        ("5 of 5, 0.7 % and 11.1647, not 1.", {"5", "0.7 %", "11.1647", "1"}),
    ],
)
def test_numbers_are_read_as_they_are_printed(text: str, found: set[str]) -> None:
    assert printed_numbers([text]) == found


@every_question
def test_the_experiment_opens_as_it_is_linked(id: str) -> None:
    there = experiment(id)
    visit, _ = open_it(there)
    assert not visit.failed
    assert visit.warnings == []
    assert visit.errors == []
    own = {setting.name for setting in visit.at.session_state["settings"]}
    assert not there.link.keys() - own - OF_EVERY_PAGE, "no page reads this"
    assert not visit.link.keys() - there.link.keys()
    for name, value in there.link.items():
        if name in visit.link:
            assert visit.link[name] == value
        else:  # what stands at its default is left out: then a link without it opens the same
            rest = tuple(sorted((other, text) for other, text in there.link.items() if other != name))
            assert opened(there.page, rest)[0].drawings == visit.drawings, name


@every_question
def test_every_number_that_is_quoted_is_there(id: str) -> None:
    there = experiment(id)
    quoted = printed_numbers([there.look])
    assert quoted, "nothing to look for"
    not_there = quoted - open_it(there)[1]
    assert not not_there


@every_question
def test_the_link_brings_a_number_that_the_bare_page_does_not_show(id: str) -> None:
    there = experiment(id)
    if not there.link:
        pytest.skip("the page itself is the experiment")
    bare, *shown = opened(there.page, ())
    visit, _ = open_it(there)
    assert visit.drawings != bare.drawings
    assert printed_numbers([there.look]).difference(*shown), "all that is quoted is there without the link too"


def test_an_experiment_can_be_reached_from_a_session_in_any_state() -> None:
    """What the reader has in hand gives way to the link."""
    there = experiment("TF4")
    visit = Visit({"scenario": "repeated words", "t": "5", "temperature": "3"}, PAGE[there.page]).open(there.link)
    assert visit.link == there.link
    assert visit.drawings == open_it(there)[0].drawings
