"""On paper a sheet is alone, in black on white, with no item torn apart; other pages lose what is of no use there."""

from __future__ import annotations

import re

A4_HEIGHT = (297 - 2 * 14) * 96 / 25.4  # CSS pixels between the margins
SHEET = "question_bank?view={view}&sheet=3"

# What can be seen, where the sheet's elements stand, and the colours that are in the sheet.
# Streamlit takes the page's style out for a moment when the ground changes; without it there is nothing to see yet.
SEEN = """(key) => {
  const styled = [...document.querySelectorAll("style")].some((e) => e.textContent.includes("worksheet_sheet"));
  if (!styled || !matchMedia("print").matches || innerWidth !== 673) return null;
  const sheet = document.querySelector(`.st-key-worksheet_${key}`);
  const visible = (e) => e.getClientRects().length > 0;
  const inside = [...sheet.querySelectorAll("*")].filter(visible);
  return {
    outside: [...document.querySelectorAll("button, input, a, [data-testid=stHeader], .st-key-frame_head, .st-key-frame_idea, summary")]
      .filter((e) => visible(e) && !sheet.contains(e)).map((e) => e.outerHTML.slice(0, 80)),
    colours: [...new Set(inside.map((e) => getComputedStyle(e).color))],
    grounds: [...new Set([...inside, document.body, document.querySelector("[data-testid=stApp]")].map((e) => getComputedStyle(e).backgroundColor))],
    items: [...sheet.children].map((e) => [e.getBoundingClientRect().height, getComputedStyle(e).breakInside]),
    wide: inside.filter((e) => e.getBoundingClientRect().right > sheet.getBoundingClientRect().right + 1 && !e.closest(".katex-mathml, svg"))
      .map((e) => e.outerHTML.slice(0, 80)),
    rules: [...sheet.querySelectorAll("hr")].map((e) => e.getBoundingClientRect().height),
    scrolls: ["stApp", "stAppViewContainer", "stMain"].filter((id) => getComputedStyle(document.querySelector(`[data-testid=${id}]`)).overflow !== "visible"),
  };
}"""


def pages_of(page) -> int:
    """How many pages come out."""
    pdf = page.pdf(format="A4", print_background=True)
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


NASTY = """
kind = "spot the error"
[[question]]
id = "MY1"
lessons = [4]
prompt = 'Where? $\\alpha_{ti}$'
why = "There."
pieces = [
  { text = "h_{$%#&_\\\\{[]~^ شمس 👩}", say = "a", why = "No." },
  { text = "x_{a}_{b}y^{2}^{3} <b>*a*</b> $5$ [b] `c`", say = "b", wrong = true },
]
experiment = { page = "lab", link = {}, look = "0.73" }
"""


def test_a_sheet_prints_alone_in_black_on_white_and_whole(visit):
    seen = visit("laptop", "dark")
    page = seen.page
    for view, key in (("answer+key", "key"), ("worksheet", "sheet")):
        page.goto(seen.url + SHEET.format(view=view))
        page.locator(f".st-key-worksheet_{key} h3").nth(60).wait_for()
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        assert page.locator(f".st-key-worksheet_{key} .katex").count() > 50
        page.set_viewport_size({"width": 673, "height": 1017})  # what is between the margins
        page.emulate_media(media="print", color_scheme="dark")
        found = page.wait_for_function(SEEN, arg=key).json_value()
        assert found["outside"] == []
        assert found["colours"] == ["rgb(0, 0, 0)"]
        assert set(found["grounds"]) <= {"rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"}
        assert {how for _, how in found["items"]} == {"avoid"}
        assert max(height for height, _ in found["items"]) < A4_HEIGHT
        assert found["wide"] == []
        assert found["scrolls"] == []
        assert all(height > 16 for height in found["rules"])
        total = sum(height for height, _ in found["items"])
        assert total / A4_HEIGHT < pages_of(page) < 2 * total / A4_HEIGHT + 1
        page.emulate_media(media="screen", color_scheme="dark")
    page.set_viewport_size({"width": 1366, "height": 768})
    # A piece with every sign that LaTeX, Markdown or HTML would take for its own.
    page.locator("summary").filter(has_text="your own").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "mine.toml", "mimeType": "application/toml", "buffer": NASTY.encode()}
    )
    page.get_by_text("In the bank: 1 question of your own, MY1.").wait_for()
    nasty = page.locator(".st-key-worksheet_sheet p").filter(has_text="①").last
    nasty.wait_for()
    shown = nasty.evaluate(
        "(e) => { e = e.cloneNode(true); e.querySelectorAll('.katex-mathml').forEach((m) => m.remove()); return e.textContent; }"
    )
    assert re.sub(r"[\s\u200b]", "", shown) == "①h$%#&_\\{[]~^شمس👩②xaby23<b>*a*</b>$5$[b]`c`"
    assert page.locator(".katex-error").count() == 0
    for button, first in (
        ("Sheet and key as Markdown", "# Attention, hands on: sheet 3"),
        ("For Moodle (GIFT)", "// Attention, hands on, sheet 3"),
    ):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=button).click()
        text = waiting.value.path().read_text("utf-8")
        assert text.startswith(first)
        assert "MY1" in text
    assert not seen.errors
    assert not seen.elsewhere
