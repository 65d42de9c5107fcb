"""Every experiment of the question bank, opened in a browser: what its question quotes is there to be seen or heard."""

from __future__ import annotations

import re

import pytest

from pages.parts.questions import house_bank
from pages.parts.scenario import query
from tests.parts.told import printed_numbers

CHUNKS = 6  # so that several browsers can share the walk
TOLD = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  const texts = [];
  const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node.nodeType === 1 && node.matches("style, script, .st-key-frame_questions") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.nodeType === 3) texts.push(node.data);
    else texts.push(node.getAttribute("aria-label") ?? "", node.matches("input") ? node.value : "");
  }
  return texts;
}"""


def walks() -> dict[str, set[str]]:
    """What is quoted, by the address below the app's root: each address is opened once."""
    quoted: dict[str, set[str]] = {}
    for question in house_bank().questions.values():
        there = question.experiment
        seen_at_once = re.split(r"(?i)[^.?!]*arithmetic", there.look)[0]  # that panel is closed until somebody opens it
        quoted.setdefault(f"{there.page}?{query(there.link)}", set()).update(printed_numbers([seen_at_once]))
    return quoted


def missing(browser, quoted: set[str]) -> set[str]:
    """What is quoted and has not come: figures are drawn one by one, and some after the page has come to its foot."""
    browser.locator(".st-key-frame_foot").wait_for(state="attached")
    for _ in range(100):
        left = quoted - printed_numbers(browser.evaluate(TOLD))
        if not left:
            break
        browser.wait_for_timeout(100)
    return left


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_a_question_quotes_is_on_the_page(visit, chunk):
    seen = visit()
    browser = seen.page
    for address, quoted in list(walks().items())[chunk::CHUNKS]:
        browser.goto(seen.url + address)
        assert not missing(browser, quoted), address
        assert not browser.locator("[data-testid=stAlert], [data-testid=stException]").count(), address
        assert not seen.errors, address
        assert not seen.elsewhere, address
