"""What the browser tests read from the lab's page."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

SLIDERS = ".live-slider input[type=range]"
NUMBERS = ".live-slider input[type=text]"


def slider(page: Page, position: int) -> Locator:
    return page.locator(SLIDERS).nth(position)


def number(page: Page, position: int) -> Locator:
    return page.locator(NUMBERS).nth(position)


def values(page: Page) -> list[str]:
    """What stands in the number fields: scores of the step, then the temperature."""
    return [field.input_value() for field in page.locator(NUMBERS).all()]


def plotted(page: Page, key: str, trace: int = 0, what: str = "y") -> list:
    """The values that a figure shows."""
    return page.evaluate(
        "([key, trace, what]) => JSON.parse(JSON.stringify(document.querySelector(`.st-key-${key} .js-plotly-plot`).data[trace][what]))",
        [key, trace, what],
    )


def reading(page: Page, key: str = "lab_reading") -> str:
    return page.locator(f".st-key-{key} .live-figure-reading").inner_text()


def expect_weights(page: Page, expected: list[float], key: str = "lab_after", digits: int = 3) -> None:
    """Wait until the weight bars show these values."""
    page.wait_for_function(
        """([key, expected, digits]) => {
          const y = document.querySelector(`.st-key-${key} .js-plotly-plot`)?.data[0].y;
          return y?.length === expected.length && expected.every((v, i) => Math.abs(v - y[i]) < 0.6 * 10 ** -digits);
        }""",
        arg=[key, expected, digits],
        timeout=20_000,
    )


def settled(page: Page, part: str) -> None:
    """Wait until the address line holds this part: the movement has ended and its link is written."""
    page.wait_for_function("(part) => decodeURIComponent(location.search).includes(part)", arg=part, timeout=20_000)


def drag(page: Page, position: int, to: float, steps: int = 12) -> None:
    """Drag a slider's thumb to a share of its track."""
    thumb = slider(page, position)
    box = thumb.bounding_box()
    assert box
    x, y = box["x"], box["y"] + box["height"] / 2
    inset = 11  # half a thumb
    at = float(thumb.evaluate("(r) => (r.value - r.min) / (r.max - r.min)"))
    page.mouse.move(x + inset + at * (box["width"] - 2 * inset), y)
    page.mouse.down()
    page.mouse.move(x + inset + to * (box["width"] - 2 * inset), y, steps=steps)
    page.mouse.up()
