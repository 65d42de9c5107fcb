"""What every page keeps, found by walking the tree: a new lesson is held to it without an edit here.

Opening a page takes seconds, so each test looks at all that one opening can show.
"""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from pages.parts.contents import contents

PAGES = {page.slug or "lab": page for page in contents()}
# Eight words: enough for a phone to have no room for them.
LINK = (
    "source=eins+zwei+drei+vier+fuenf+sechs+sieben+achtundachtzig&target=one+two&t=2&temperature=0.5&seed=12&unit=bits"
    "&scores=1.5,-2,0,0,1,2,0,1;0,0.25,1,1,-1,0,2,2"
)
BAD_LINK = "scenario=none&t=99&temperature=-1&seed=x&unit=feet&scores=1,nan"

LOOK = """() => [...document.querySelectorAll(".live-figure-reading, .live-slider-word, .live-figure-plot")]
  .map((e) => e.getAttribute("aria-label") || e.textContent).concat([...document.querySelectorAll(".live-slider input")].map((e) => e.value))"""
CONTROLS = """() => [...document.querySelectorAll("[data-testid=stMain] :is(button, input, select, textarea, a[href], summary)")]
  .filter((e) => !e.disabled && e.tabIndex >= 0 && e.type !== "file" && e.checkVisibility({ visibilityProperty: true })
    && !e.closest("details:not([open]) > :not(summary)"))"""
WIDTH = "() => Math.max(document.documentElement.scrollWidth, document.querySelector('[data-testid=stMain]').scrollWidth)"


@pytest.fixture(params=PAGES.values(), ids=PAGES)
def page(request):
    return request.param


def figures_are_told_in_words(browser):
    for frame in browser.locator('.live-figure[data-kind="figure"]').all():
        assert len(frame.locator(".live-figure-plot").get_attribute("aria-label") or "") > 20
        assert frame.locator(".live-figure-reading").inner_text().strip()
        assert frame.locator(".live-figure-heading").inner_text().strip()


def axe_finds_nothing_serious(browser, *rules):
    only = {"runOnly": {"type": "rule", "values": [*rules]}} if rules else {}
    # A figure is one picture with one name: what it is drawn with is told to nobody.
    context = {"exclude": [[".live-figure-plot svg"]]}
    found = Axe().run(browser, context=context, options={"resultTypes": ["violations"], **only}).response["violations"]
    assert not [(v["id"], [n["html"][:150] for n in v["nodes"]]) for v in found if v["impact"] in ("serious", "critical")]


def the_keyboard_reaches_every_control(browser):
    wanted = browser.evaluate(f"() => (window.wanted = ({CONTROLS})()).length")
    assert wanted > 8
    browser.evaluate("""() => {
      window.reached = new Set();
      addEventListener("focusin", (event) => reached.add(event.target));
      document.activeElement.blur();
    }""")
    for n in range(wanted + 40):
        browser.keyboard.press("Tab")
        if n % 10 == 9 and browser.evaluate("() => wanted.every((e) => reached.has(e) || e.closest('[role=radiogroup]'))"):
            return
    # The arrow keys, not Tab, go from one answer of a group to the next.
    assert not browser.evaluate(
        """() => wanted.filter((e) => !reached.has(e) && !e.closest("[role=radiogroup]")).map((e) => e.outerHTML.slice(0, 200))"""
    )


def nothing_scrolls_sideways_on_a_phone(browser):
    browser.set_viewport_size({"width": 390, "height": 844})
    browser.wait_for_timeout(600)
    assert browser.evaluate(WIDTH) <= 390
    browser.get_by_role("button", name="Projector").click()
    browser.wait_for_function("() => location.search.includes('projector=1')")
    browser.wait_for_timeout(600)
    assert browser.evaluate(WIDTH) <= 390


def test_its_link_opens_what_its_sender_saw_told_in_words_and_open_to_everybody(visit, page):
    seen = visit()
    browser = seen.open(f"{page.slug}?{LINK}")
    sent = browser.evaluate(LOOK)
    if browser.locator(
        "[class*='st-key-'][class*='_scenario']"
    ).count():  # a page with sentences of its own keeps these for the others
        assert "zwei" in " ".join(sent)
    address = browser.url
    assert "t=2" in address
    browser.reload()  # a new session: nothing but the address line is left
    seen.ready()
    assert browser.evaluate(LOOK) == sent
    assert browser.url == address
    assert browser.locator("h1").count() == 1
    figures_are_told_in_words(browser)
    the_keyboard_reaches_every_control(browser)
    seen.open_panels()
    axe_finds_nothing_serious(browser)
    browser.get_by_role("button", name="Dark", exact=True).click()
    browser.wait_for_function("() => document.documentElement.dataset.ground === 'dark'")
    axe_finds_nothing_serious(browser, "color-contrast")  # nothing else differs between light and dark
    nothing_scrolls_sideways_on_a_phone(browser)
    assert not seen.errors
    assert not seen.elsewhere, "a request left the machine"


def test_a_bad_link_opens_with_one_notice(visit):
    """One page in a browser; `tests/site/test_links.py` walks all of them."""
    seen = visit()
    browser = seen.open(f"from_scores_to_shares?{BAD_LINK}&way=none")
    notices = browser.locator("[data-testid=stAlert]")
    assert notices.count() == 1
    text = notices.inner_text()
    for name in ("scenario", "t", "temperature", "seed", "unit", "scores", "way"):
        assert f'"{name}" in the link is ignored' in text
    assert not seen.errors
