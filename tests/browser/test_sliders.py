"""The sliders under a mouse, a keyboard, a finger."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.lab import drag, expect_weights, number, plotted, reading, settled, slider, values

HOME = ["0.30", "2.10", "0.50", "1.00"]


def shares(*scores: float) -> list[float]:
    """Softmax by the textbook, without NumPy."""
    lifted = [math.exp(e) for e in scores]
    return [x / math.fsum(lifted) for x in lifted]


@pytest.fixture(scope="module")
def kept(contexts, server) -> Iterator[Page]:
    """One opening of the lab for all tests that leave it with nothing but moved sliders, within the range they have."""
    seen = Visit(contexts("laptop", "light").new_page(), server.url)
    yield seen.open()
    assert not seen.errors
    seen.page.close()


@pytest.fixture
def lab(kept: Page) -> Page:
    """The lab with the running example as it was prepared, as if it had just been opened."""
    kept.bring_to_front()  # a tab behind another one is not painted
    if values(kept) != HOME:
        kept.wait_for_function("() => location.search !== ''", timeout=20_000)  # the movement before this has ended
        kept.get_by_role("button", name="Reset").click()
    kept.wait_for_function(
        "() => location.search === '' && document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'",
        timeout=20_000,
    )
    expect_weights(kept, shares(0.3, 2.1, 0.5))
    assert values(kept) == HOME
    return kept


def test_a_drag_moves_everything_before_the_button_is_released(lab):
    box = slider(lab, 0).bounding_box()
    y = box["y"] + box["height"] / 2
    readings = {key: reading(lab, key) for key in ("lab_reading", "lab_entropy", "lab_context")}
    lab.mouse.move(box["x"] + box["width"] * 0.53, y)
    lab.mouse.down()
    lab.mouse.move(box["x"] + box["width"] + 50, y, steps=15)
    expect_weights(lab, shares(5, 2.1, 0.5))  # the button is still down
    for key, text in readings.items():
        assert reading(lab, key) != text
    assert plotted(lab, "lab_map", 0, "z")[1] == pytest.approx(shares(5, 2.1, 0.5))
    assert plotted(lab, "lab_map", 0, "z")[0] != plotted(lab, "lab_map", 0, "z")[1]
    lab.mouse.up()
    settled(lab, "scores=")
    assert values(lab) == ["5.00", "2.10", "0.50", "1.00"]


def test_the_chart_is_the_same_node_after_a_hundred_updates_and_never_blank(lab):
    lab.evaluate(
        """() => {
          window.watched = { node: document.querySelector(".st-key-lab_after .main-svg"), blank: 0, updates: 0, last: "" };
          const look = () => {
            const bars = [...document.querySelectorAll(".st-key-lab_after .bars .point path")].map((p) => p.getAttribute("d")).join();
            if (!bars) watched.blank += 1;
            if (bars !== watched.last) { watched.updates += 1; watched.last = bars; }
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    slider(lab, 1).focus()
    for n in range(4000):
        lab.keyboard.press("ArrowRight" if n // 20 % 2 else "ArrowLeft")
        if n % 20 == 19 and lab.evaluate("watched.updates") >= 100:
            break
    assert lab.evaluate("watched.updates") >= 100
    assert lab.evaluate("watched.blank") == 0
    assert lab.evaluate("watched.node === document.querySelector('.st-key-lab_after .main-svg')")


def test_moved_marks_stand_where_plotly_would_draw_them(lab):
    """While a hand moves, marks are moved in place; at rest Plotly draws them exactly. Nothing may jump between the two."""
    where = """() => [...document.querySelectorAll(".st-key-lab_before, .st-key-lab_after, .st-key-lab_entropy, .st-key-lab_context, .st-key-lab_map")]
      .flatMap((frame) => [...frame.querySelectorAll(".point path, path.point, .js-line, .bartext, .textpoint text")])
      .map((e) => { const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })"""
    box = slider(lab, 0).bounding_box()
    y = box["y"] + box["height"] / 2
    lab.mouse.move(box["x"] + box["width"] * 0.53, y)
    lab.mouse.down()
    lab.mouse.move(box["x"] + box["width"] * 0.8, y, steps=10)
    lab.wait_for_timeout(800)
    moved = lab.evaluate(where)
    lab.mouse.up()
    settled(lab, "scores=")
    lab.wait_for_timeout(1500)
    drawn = lab.evaluate(where)
    assert len(moved) == len(drawn) > 25
    for a, b in zip(moved, drawn, strict=True):
        assert a == pytest.approx(b, abs=1.5)


KEYS = {
    "ArrowRight": "0.40", "ArrowUp": "0.40", "ArrowLeft": "0.20", "ArrowDown": "0.20",
    "PageUp": "1.30", "PageDown": "-0.70", "Home": "-5.00", "End": "5.00",
}  # fmt: skip


def test_keys(lab):
    for key, value in KEYS.items():
        slider(lab, 0).press("Delete")
        slider(lab, 0).press(key)
        assert values(lab)[0] == value, key
        assert slider(lab, 0).get_attribute("aria-valuetext") == value
        expect_weights(lab, shares(float(value), 2.1, 0.5))


def test_back_to_where_the_scenario_began(lab):
    for way in ("Delete", "double-click"):
        slider(lab, 1).press("End")
        expect_weights(lab, shares(0.3, 5, 0.5))
        slider(lab, 1).press("Delete") if way == "Delete" else slider(lab, 1).dblclick()
        expect_weights(lab, shares(0.3, 2.1, 0.5))
        assert values(lab)[1] == "2.10", way


def test_a_typed_number(lab):
    for typed, value in {"2,1": 2.1, "-1.25": -1.25, "\u22123": -3.0, ".5": 0.5, "4e0": 4.0}.items():
        number(lab, 0).fill(typed)
        number(lab, 0).press("Enter")
        expect_weights(lab, shares(value, 2.1, 0.5))
        assert float(values(lab)[0]) == value, typed


def test_a_typed_nonsense_is_answered_and_loses_nothing(lab):
    for typed in ("abc", "", "1,2,3", "9999", "NaN", "1e999", "<b>2</b>", "٣"):
        number(lab, 0).fill(typed)
        number(lab, 0).press("Enter")
        assert "Je stays at 0.30" in lab.locator(".live-sliders-trouble").inner_text(), typed
        assert number(lab, 0).get_attribute("aria-invalid") == "true"
        expect_weights(lab, shares(0.3, 2.1, 0.5))
        number(lab, 0).press("Escape")
        assert values(lab)[0] == "0.30"


def test_a_large_typed_score_widens_the_scale_and_keeps_the_number(visit):
    lab = visit().open()
    number(lab, 1).fill("40")
    number(lab, 1).press("Enter")
    settled(lab, "scores=")
    lab.wait_for_function("() => document.querySelectorAll('.live-slider input[type=range]')[1].max === '50'")
    assert values(lab)[1] == "40.00"
    assert plotted(lab, "lab_after")[1] == 1
    assert "only" in reading(lab)
    number(lab, 0).fill("1e1")
    number(lab, 0).press("Enter")
    expect_weights(lab, shares(10, 40, 0.5))
    assert values(lab)[0] == "10.00"


def test_step_noise_never_shows(lab):
    slider(lab, 0).press("Home")
    for _ in range(53):
        slider(lab, 0).press("ArrowRight")
    assert values(lab)[0] == "0.30"
    settled(lab, "t=2") if "t=2" in lab.url else lab.wait_for_timeout(1500)
    assert "0000000" not in lab.url


def test_every_slider_says_its_own_name(visit):
    page = visit().open("?scenario=repeated+words")
    labels = page.locator(".live-slider input").evaluate_all("(es) => es.map((e) => e.getAttribute('aria-label'))")
    assert len(set(labels)) == len(labels) == 12
    assert "score of the, position 1" in labels
    assert "score of the, position 4" in labels


def test_a_finger_drags(visit):
    page = visit("phone").open()
    page.locator(".live-slider input[type=range]").nth(0).scroll_into_view_if_needed()
    box = slider(page, 0).bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    page.wait_for_function("() => Number(document.querySelector('.live-slider input[type=text]').value) > 3")
    after = page.locator(".st-key-lab_after").bounding_box()
    assert after["y"] + after["height"] - box["y"] < 844  # sliders and both charts fit one screen


def test_the_temperature_flattens_and_sharpens(lab):
    number(lab, 3).fill("0.5")
    number(lab, 3).press("Enter")
    expect_weights(lab, shares(0.6, 4.2, 1.0))
    drag(lab, 3, 1.0)
    expect_weights(lab, shares(0.03, 0.21, 0.05))
    assert values(lab)[3] == "10.00"


def test_a_fast_drag_ends_on_the_last_value(lab):
    box = slider(lab, 1).bounding_box()
    y = box["y"] + box["height"] / 2
    lab.mouse.move(box["x"] + box["width"] * 0.7, y)
    lab.mouse.down()
    for n in range(120):
        lab.mouse.move(box["x"] + box["width"] * (0.5 + 0.4 * math.sin(n)), y)
    lab.mouse.move(box["x"] - 30, y)
    lab.mouse.up()
    expect_weights(lab, shares(0.3, -5, 0.5))
    settled(lab, "-5")
    assert values(lab)[1] == "-5.00"


def test_a_track_keeps_its_own_grid_and_reaches_every_step_of_it(lab):
    """A range of 0.5 to 3.5 in steps of 1 holds 0.5, 1.5, 2.5 and 3.5, by thumb and by key, without step noise."""
    found = lab.evaluate(
        """async () => {
          const script = performance.getEntriesByType("resource").find((entry) => entry.name.endsWith("live_sliders/values.js")).name;
          const { keyed, nearest, parse } = await import(script);
          const spec = { min: 0.5, max: 3.5, step: 1, home: 0.5 };
          const keys = [];
          for (let value = 0.5, n = 0; n < 4; n += 1) { value = keyed({ key: "ArrowRight" }, value, spec); keys.push(value); }
          const tenths = { min: 0, max: 1, step: 0.1, home: 0 };
          return [[0.5, 0.9, 1.1, 1.9, 2.1, 3.5].map((at) => nearest(at, spec)), keys, nearest(0.30000000000000004, tenths), parse("0.30000000000000004")];
        }"""
    )
    assert found == [[0.5, 0.5, 1.5, 1.5, 2.5, 3.5], [1.5, 2.5, 3.5, 3.5], 0.3, 0.3]
