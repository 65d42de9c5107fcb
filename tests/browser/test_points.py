"""A point in a figure under a mouse and a finger: the sliders follow it."""

from __future__ import annotations

import math

import pytest

from tests.browser.lab import expect_weights, plotted, settled, values

PLANE = "focus_plane"
MIDDLE = (0.5, math.sqrt(3) / 6)


def spot(page, x: float, y: float) -> tuple[float, float]:
    """Where on the screen a point of the figure is."""
    return page.evaluate(
        """([key, x, y]) => {
          const node = document.querySelector(`.st-key-${key} .js-plotly-plot`);
          const { xaxis, yaxis } = node._fullLayout;
          const { left, top } = node.getBoundingClientRect();
          return [left + xaxis._offset + xaxis.c2p(x), top + yaxis._offset + yaxis.c2p(y)];
        }""",
        [PLANE, x, y],
    )


def test_a_dragged_point_moves_weights_and_sliders_before_the_button_is_released(visit):
    seen = visit()
    page = seen.open("how_focused")
    node = page.evaluate_handle("document.querySelector('.st-key-focus_plane .main-svg')")
    page.mouse.move(*spot(page, 0.5, 0.6))
    page.mouse.down()
    page.mouse.move(*spot(page, 0.9, 0.1), steps=8)
    page.mouse.move(*spot(page, *MIDDLE), steps=8)
    expect_weights(page, [1 / 3] * 3, "focus_weights", digits=2)
    page.wait_for_function(  # the sliders follow, thumb and number
        """() => {
          const [thumbs, numbers] = ["range", "text"].map((type) => [...document.querySelectorAll(`.live-slider input[type=${type}]`)].slice(0, 3));
          return [...thumbs, ...numbers].every((input) => Math.abs(input.value - 0.97) < 0.02);
        }"""
    )
    dot = page.evaluate(
        f"document.querySelector('.st-key-{PLANE} .js-plotly-plot').data.findLastIndex((trace) => trace.type === 'scatter')"
    )
    (x,), (y,) = (plotted(page, PLANE, dot, axis) for axis in "xy")
    assert (x, y) == pytest.approx(MIDDLE, abs=0.01)
    assert "scores=" not in page.url, "the link waits for the end of the movement"
    # Far outside, the corner is as near as it gets; nothing scrolls, nothing zooms.
    page.mouse.move(5, 760, steps=4)
    expect_weights(page, [1, 0, 0], "focus_weights")
    page.mouse.up()
    settled(page, "5,-5,-5")
    assert values(page) == ["5.00", "-5.00", "-5.00", "1.00"]
    page.mouse.move(*spot(page, *MIDDLE))
    page.wait_for_timeout(300)
    assert values(page) == ["5.00", "-5.00", "-5.00", "1.00"], "without a button nothing is dragged"
    assert node.evaluate("(svg) => svg === document.querySelector('.st-key-focus_plane .main-svg')")
    assert not seen.errors


def test_a_finger_drags_the_point_and_not_the_page(visit):
    seen = visit("phone")
    page = seen.open("how_focused")
    page.locator(f".st-key-{PLANE} .live-figure-plot").scroll_into_view_if_needed()
    page.touchscreen.tap(*spot(page, *MIDDLE))
    expect_weights(page, [1 / 3] * 3, "focus_weights", digits=2)
    settled(page, "scores=")
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(scrolled)
    finger = page.context.new_cdp_session(page)
    for n in range(11):
        x, y = spot(page, 0.5, MIDDLE[1] + 0.05 * n)
        kind = "touchMove" if n else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        page.wait_for_timeout(20)
    up = 2 / math.sqrt(3) * (MIDDLE[1] + 0.5)
    expect_weights(page, [(1 - up) / 2, up, (1 - up) / 2], "focus_weights", digits=2)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.evaluate(scrolled) == before
    assert not seen.errors
