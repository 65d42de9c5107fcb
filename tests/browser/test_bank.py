"""The question bank without a mouse: the formula that is pointed at, what is told aloud, and every kind of card for axe."""

from __future__ import annotations

from tests.browser.test_contract import axe_finds_nothing_serious

FOCUS = "() => { const e = document.activeElement; return [e.getAttribute('role') || e.tagName, e.getAttribute('aria-label') || e.textContent]; }"


def tab_to(browser, wanted: str, most: int = 40) -> None:
    for _ in range(most):
        browser.keyboard.press("Tab")
        if wanted in browser.evaluate(FOCUS):
            return
    raise AssertionError(f"{wanted} cannot be reached with Tab")


def test_a_formula_is_pointed_at_locked_and_left_with_the_keyboard_alone(visit):
    seen = visit()
    browser = seen.open("question_bank?question=SE2&kind=spot+the+error")
    group = browser.get_by_role("radiogroup", name="Choose the wrong place: c t = the sum over i")
    pieces = group.get_by_role("radio")
    assert pieces.count() >= 3
    assert group.locator("[aria-checked=true]").count() == 0
    assert group.locator("sub").count() >= 3, "what is low is lowered, not spelt"
    tab_to(browser, "c t")
    for wanted in ("the sum over i", "alpha t i", "s t minus 1", "c t", "s t minus 1"):
        key = "ArrowLeft" if wanted == "s t minus 1" and browser.evaluate(FOCUS)[1] == "c t" else "ArrowRight"
        browser.keyboard.press(key)
        assert browser.evaluate(FOCUS) == ["radio", wanted]
        group.locator(f"[aria-label='{wanted}'][aria-checked=true]").wait_for()
    tab_to(browser, "Lock my choice")
    browser.keyboard.press("Enter")
    group.locator("[aria-label='s t minus 1, here']").wait_for()
    browser.locator(".st-key-bank_card").get_by_text("Right.", exact=True).wait_for()
    axe_finds_nothing_serious(browser)
    # The next one is asked afresh, and pointed at with a mouse; what is locked stays as it was.
    browser.get_by_role("button", name="Next", exact=True).click()
    other = browser.get_by_role("radiogroup", name="Choose the wrong place: e t i")
    other.get_by_role("radio").first.click()
    other.locator("[aria-checked=true]").wait_for()
    browser.get_by_role("button", name="Lock my choice").click()
    other.locator("[data-wrong=true]").wait_for()
    browser.get_by_role("button", name="Previous").click()
    group.locator("[aria-label='s t minus 1, here']").wait_for()
    group.get_by_role("radio").first.click(force=True)
    assert group.locator("[aria-checked=true]").get_attribute("aria-label") == "s t minus 1, here"
    assert not seen.errors


def test_a_number_is_typed_and_locked_with_enter_and_the_way_leads_to_the_experiment_and_back(visit):
    seen = visit("laptop", "dark")
    browser = seen.open("question_bank?question=N4.weight&sheet=3")
    field = browser.get_by_label("Your answer, a share")
    field.fill("abc")
    field.press("Enter")
    browser.get_by_text("is not a number").wait_for()
    assert field.input_value() == "abc", "what was typed is not lost"
    axe_finds_nothing_serious(browser)
    field.fill("0,5")
    field.press("Enter")
    browser.get_by_text("You typed 0,5.").wait_for()
    browser.locator(".st-key-bank_experiment a").click()
    browser.get_by_role("link", name="Back to question N4.weight").wait_for()
    browser.wait_for_function("() => location.search.includes('asked=N4.weight')")
    seen.ready()
    axe_finds_nothing_serious(browser)
    browser.get_by_role("link", name="Back to question N4.weight").click()
    browser.get_by_text("You typed 0,5.").wait_for()
    assert "sheet=3" in browser.url
    assert not seen.errors
    assert not seen.elsewhere
