"""The frame around the pages, the map, the downloads, the sessions."""

from __future__ import annotations

import json

import pytest

from tests.browser.lab import plotted, reading, settled, slider, values

FIRST_SCREEN = ["lab_scores", "lab_before", "lab_after", "lab_map", "lab_entropy"]


def cell(page, row: int, column: int) -> tuple[float, float]:
    """Where a cell of the map is on screen."""
    return page.evaluate(
        """([row, column]) => {
          const plot = document.querySelector(".st-key-lab_map .js-plotly-plot");
          const box = plot.querySelector(".nsewdrag").getBoundingClientRect();
          const { xaxis, yaxis } = plot._fullLayout;
          return [box.x + xaxis.c2p(column), box.y + yaxis.c2p(row)];
        }""",
        [row, column],
    )


@pytest.mark.parametrize("size", ["laptop", "large"])
def test_the_first_screen_holds_the_whole_lab(visit, size):
    page = visit(size).open()
    height = page.viewport_size["height"]
    for key in FIRST_SCREEN:
        box = page.locator(f".st-key-{key}").first.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height, key
    assert page.locator("[data-testid=stSidebar]").get_attribute("aria-expanded") in ("false", None)


def test_a_click_in_the_map_holds_its_row(lab):
    lab.mouse.click(*cell(lab, 3, 0))
    settled(lab, "t=4")
    assert values(lab)[:3] == ["-0.50", "0.40", "2.80"]
    assert 'step 4, "student"' in reading(lab)
    lab.mouse.click(*cell(lab, 0, 2))
    settled(lab, "t=1")


def test_a_zoom_is_kept_while_sliders_move(lab):
    x, y = cell(lab, 0, 0)
    x2, y2 = cell(lab, 2, 1)
    lab.mouse.move(x, y)
    lab.mouse.down()
    lab.mouse.move(x2, y2, steps=5)
    lab.mouse.up()
    ranges = "() => { const l = document.querySelector('.st-key-lab_map .js-plotly-plot')._fullLayout; return [l.xaxis.range, l.yaxis.range].flat(); }"
    lab.wait_for_timeout(500)
    zoomed = lab.evaluate(ranges)
    assert zoomed != [-0.5, 2.5, 3.5, -0.5]
    slider(lab, 0).press("End")
    settled(lab, "scores=")
    lab.wait_for_timeout(1000)
    assert lab.evaluate(ranges) == pytest.approx(zoomed)


def test_light_and_dark_change_the_figures_too(lab):
    colour = "() => getComputedStyle(document.querySelector('.st-key-lab_after .xtick text')).fill"
    light = lab.evaluate(colour)
    lab.get_by_role("button", name="Dark", exact=True).click()
    lab.wait_for_function(f"() => ({colour})() !== '{light}'")
    assert lab.evaluate("document.documentElement.dataset.ground") == "dark"
    lab.get_by_role("button", name="Light", exact=True).click()
    lab.wait_for_function(f"() => ({colour})() === '{light}'")
    lab.get_by_role("button", name="Dark", exact=True).click()
    lab.wait_for_function("() => document.documentElement.dataset.ground === 'dark'")
    lab.reload()
    lab.wait_for_function("() => document.documentElement.dataset.ground === 'dark'")


def test_the_projector_is_in_the_link_and_makes_type_larger(lab):
    size = "() => parseFloat(getComputedStyle(document.querySelector('.st-key-lab_after .xtick text')).fontSize)"
    small = lab.evaluate(size)
    lab.get_by_role("button", name="Projector").click()
    settled(lab, "projector=1")
    lab.wait_for_function(f"() => ({size})() > {small} * 1.4")
    assert lab.evaluate("() => parseFloat(getComputedStyle(document.querySelector('.live-slider-word')).fontSize)") >= 24


def test_copy_link_gives_the_address_that_opens_the_same(visit):
    seen = visit()
    page = seen.open()
    slider(page, 0).press("End")
    settled(page, "scores=")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Link copied.").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    other = visit()
    other.page.goto(link)
    other.ready()
    assert values(other.page) == values(page)
    assert reading(other.page) == reading(page)


def test_drags_do_not_fill_the_history(lab):
    length = lab.evaluate("history.length")
    for key, part in (("End", ";5,2.1"), ("Home", ";-5,2.1"), ("PageUp", ";-4,2.1")):
        slider(lab, 0).press(key)
        settled(lab, part)
    assert lab.evaluate("history.length") == length


def test_next_keeps_the_scenario_and_back_brings_it_again(visit):
    page = visit().open("from_scores_to_shares")
    slider(page, 0).press("End")
    settled(page, "scores=")
    before = values(page)[:4]  # three scores and the temperature; the lesson's own sliders stay with it
    page.get_by_role("link", name="Next: 5. How focused?").click()
    page.get_by_role("heading", level=1, name="5. How focused?").wait_for()
    page.wait_for_function("() => document.querySelectorAll('.live-slider').length === 4")
    assert values(page) == before
    slider(page, 1).press("Home")
    settled(page, "-5")
    changed = values(page)
    page.get_by_role("link", name="Back: 4. From scores to shares").click()
    page.locator(".st-key-shares_weights .main-svg").first.wait_for()
    page.wait_for_function("() => document.querySelectorAll('.live-slider input[type=text]')[1]?.value === '-5.00'")
    assert values(page)[:4] == changed
    page.go_back()
    page.get_by_role("heading", level=1, name="5. How focused?").wait_for()
    page.wait_for_function("() => document.querySelectorAll('.live-slider input[type=text]')[1]?.value === '-5.00'")


def test_the_course_menu_shows_the_place(lab):
    lab.get_by_test_id("stExpandSidebarButton").click()
    menu = lab.get_by_test_id("stSidebar")
    menu.get_by_role("link", name="4. From scores to shares").wait_for()
    menu.get_by_role("link", name="4. From scores to shares").click()
    lab.get_by_role("heading", level=1, name="4. From scores to shares").wait_for()


def test_a_figure_downloads(lab):
    for kind, mark in {"png": b"\x89PNG", "svg": b"<svg"}.items():
        with lab.expect_download() as waiting:
            lab.get_by_role("button", name=f'Download "After: weights α" as {kind.upper()}').click()
        assert waiting.value.path().read_bytes().startswith(mark)
        assert waiting.value.suggested_filename == f"lab_after.{kind}"


def test_the_grid_downloads_and_opens_again(visit, lab, tmp_path):
    slider(lab, 0).press("End")
    settled(lab, "scores=")
    with lab.expect_download() as waiting:
        lab.get_by_role("button", name="Everything as JSON").click()
    file = tmp_path / "saved.json"
    waiting.value.save_as(file)
    saved = json.loads(file.read_text(encoding="utf-8"))
    assert saved["scores"][1] == [5.0, 2.1, 0.5]
    other = visit().open()
    other.get_by_role("button", name="Own sentences").click()
    other.locator("input[type=file]").set_input_files(file)
    other.wait_for_function("() => document.querySelector('.live-slider input[type=text]').value === '5.00'")


def test_two_browsers_never_see_each_other(visit):
    one, two = visit().open(), visit()
    two.open("?scenario=all+equal")
    before = values(two.page)
    slider(one, 0).press("End")
    settled(one, "scores=")
    two.page.reload()
    two.ready()
    assert values(two.page) == before
    slider(two.page, 0).press("PageDown")
    settled(two.page, "scores=")
    assert values(one)[0] == "5.00"


ODD = ["<b>bold</b>", "$x_1$", "**", "%{z}", "the", "the", "&lt;", "شمس", "👩\u200d🚀", "10", "1E1", "2026-01"]


def test_words_show_as_typed_everywhere(visit):
    seen = visit()
    page = seen.open("?" + "&".join(("source=" + "+".join(map(_escaped, ODD)), "target=a+%3Ci%3Eb%3C/i%3E")))
    assert page.locator(".live-slider-word").all_inner_texts()[: len(ODD)] == ODD
    for key in ("lab_before", "lab_after", "lab_map"):
        ticks = page.locator(f".st-key-{key} .xtick text").evaluate_all("(es) => es.map((e) => e.textContent)")
        assert ticks == ODD
    assert page.locator(".st-key-lab_map .ytick text").evaluate_all("(es) => es.map((e) => e.textContent)") == ["a", "<i>b</i>"]
    assert page.locator(".st-key-lab_map .xtick").count() == len(ODD)
    seen.open_panels()
    cells = page.locator(".live-figure-table tbody th").evaluate_all("(es) => es.map((e) => e.textContent)")
    assert [text.split("  ", 1)[1] for text in cells] == ODD


def test_repeated_words_keep_their_columns(visit):
    page = visit().open("?scenario=repeated+words")
    z = plotted(page, "lab_map", 0, "z")
    assert {len(row) for row in z} == {5}
    assert page.locator(".st-key-lab_map .xtick").count() == 5


def test_hover_tells_word_and_position(visit):
    page = visit().open("?scenario=repeated+words")
    x, y = cell(page, 0, 3)
    page.mouse.move(x - 3, y - 3)
    page.mouse.move(x, y, steps=4)
    label = page.locator(".st-key-lab_map .hoverlayer .hovertext").first
    label.wait_for(state="attached")
    assert "position 4" in label.evaluate("(e) => e.textContent")


def test_sentences_that_do_not_fit_are_answered_and_lose_nothing(lab):
    lab.get_by_role("button", name="Own sentences").click()
    field = lab.get_by_role("textbox", name="Source sentence, to be read")
    for words, answer in ((" ", "no words"), (" ".join(["word"] * 31), "31 words"), ("x" * 41, "41 characters")):
        field.fill(words)
        field.press("Enter")
        lab.get_by_test_id("stAlert").get_by_text(answer).wait_for()
        assert values(lab)[:3] == ["0.30", "2.10", "0.50"]


def test_own_sentences_keep_scores_by_position(lab):
    lab.get_by_role("button", name="Own sentences").click()
    field = lab.get_by_role("textbox", name="Source sentence, to be read")
    field.fill("Je suis une étudiante heureuse")
    field.press("Enter")
    settled(lab, "source=")
    lab.wait_for_function("() => document.querySelectorAll('.live-slider').length === 6")
    assert values(lab) == ["0.30", "2.10", "0.50", "0.00", "0.00", "1.00"]


def _escaped(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")
