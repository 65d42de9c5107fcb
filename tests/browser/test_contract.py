"""What every page keeps, found by walking the tree: a new lesson is held to it without an edit here."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from pages.parts.contents import contents

PAGES = {page.slug or "lab": page for page in contents()}
BAD_LINK = "scenario=none&t=99&temperature=-1&seed=x&unit=feet&scores=1,nan"


@pytest.fixture(params=PAGES.values(), ids=PAGES)
def page(request):
    return request.param


def test_it_opens_without_errors_and_stays_on_the_machine(visit, page):
    seen = visit()
    browser = seen.open(page.slug)
    assert browser.locator("h1").count() == 1
    assert not seen.errors
    assert not seen.elsewhere


def test_every_figure_is_told_in_words(visit, page):
    browser = visit().open(page.slug)
    for frame in browser.locator('.live-figure[data-kind="figure"]').all():
        assert len(frame.locator(".live-figure-plot").get_attribute("aria-label") or "") > 20
        assert frame.locator(".live-figure-reading").inner_text().strip()
        assert frame.locator(".live-figure-heading").inner_text().strip()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(visit, page, scheme):
    seen = visit(scheme=scheme)
    browser = seen.open(page.slug)
    assert browser.evaluate("document.documentElement.dataset.ground") == scheme
    seen.open_panels()
    found = Axe().run(browser).response["violations"]
    bad = [(v["id"], [n["html"][:150] for n in v["nodes"]]) for v in found if v["impact"] in ("serious", "critical")]
    assert not bad


CONTROLS = """() => [...document.querySelectorAll("[data-testid=stMain] :is(button, input, select, textarea, a[href], summary)")]
  .filter((e) => !e.disabled && e.tabIndex >= 0 && e.type !== "file" && e.checkVisibility({ visibilityProperty: true })
    && !e.closest("details:not([open]) > :not(summary)"))"""


def test_the_keyboard_reaches_every_control(visit, page):
    browser = visit().open(page.slug)
    wanted = browser.evaluate(f"() => (window.wanted = ({CONTROLS})()).length")
    assert wanted > 8
    browser.evaluate("() => { window.reached = new Set(); document.activeElement.blur(); }")
    for _ in range(wanted + 40):
        browser.keyboard.press("Tab")
        browser.evaluate("() => reached.add(document.activeElement)")
    # The arrow keys, not Tab, go from one answer of a group to the next.
    missed = browser.evaluate(
        """() => wanted.filter((e) => !reached.has(e) && !e.closest("[role=radiogroup]")).map((e) => e.outerHTML.slice(0, 200))"""
    )
    assert not missed


@pytest.mark.parametrize("query", ["", "scenario=diffuse", "projector=1"])
def test_a_phone_never_scrolls_sideways(visit, page, query):
    browser = visit("phone").open(f"{page.slug}?{query}")
    wide = "() => Math.max(document.documentElement.scrollWidth, document.querySelector('[data-testid=stMain]').scrollWidth)"
    assert browser.evaluate(wide) <= 390


def test_a_link_opens_what_its_sender_saw(visit, page):
    query = "scores=1.5,-2;0,0.25&source=eins+zwei&target=one+two&t=2&temperature=0.5&seed=12&unit=bits"
    first, second = visit().open(f"{page.slug}?{query}"), None
    link = first.url
    second = visit()
    second.page.goto(link)
    second.ready()
    look = """() => [...document.querySelectorAll(".live-figure-reading, .live-slider-word, .live-figure-plot")]
      .map((e) => e.getAttribute("aria-label") || e.textContent).concat([...document.querySelectorAll(".live-slider input")].map((e) => e.value))"""
    assert first.evaluate(look) == second.page.evaluate(look)
    assert "zwei" in " ".join(first.evaluate(look))


def test_a_bad_link_opens_with_one_notice(visit, page):
    seen = visit()
    browser = seen.open(f"{page.slug}?{BAD_LINK}")
    notices = browser.locator("[data-testid=stAlert]")
    assert notices.count() == 1
    text = notices.inner_text()
    for name in ("scenario", "t", "temperature", "seed", "unit", "scores"):
        assert f'"{name}" in the link is ignored' in text
    assert not seen.errors


def test_reload_keeps_the_place(visit, page):
    seen = visit()
    browser = seen.open(f"{page.slug}?t=3&temperature=2")
    before = browser.locator(".live-slider input[type=text]").evaluate_all("(es) => es.map((e) => e.value)")
    browser.reload()
    seen.ready()
    assert browser.locator(".live-slider input[type=text]").evaluate_all("(es) => es.map((e) => e.value)") == before
    assert "t=3" in browser.url
