"""How well do the pages follow a hand? The same drag on several pages in one Chromium, paired in one run.

    python -m tests.benchmarks.bench_drag [--seconds 6] [--rounds 3] [--lessons]

A mouse is moved 60 times a second over the second slider, sent without waiting for anything. In every animation frame the
page is asked for the outlines of its weight bars; a new set of outlines is an update. Printed: updates per second, the
median gap between two, the delay from the last movement to the last update, frames without bars, and whether the chart is
still the same DOM node. Ratios are what counts: machines differ.

With ``--lessons`` every page of the course is dragged, at its first slider that has room to move; an update is then any
change of the marks in its figures.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import math
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import plotly
from playwright.async_api import Page, async_playwright

from pages.parts.contents import contents
from tests.benchmarks.pages import native_app, plain_page
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.serving import serve

SLIDER = ".live-slider input[type=range]"
PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
# What moves: bars (d), points (transform), lines (d), cells of a heatmap (fill).
MARKS = ".bars .point path, .scatterlayer path, .heatmaplayer rect"
WATCH = """([selector, marks]) => {
  const w = (window.watched = { times: [], blank: 0, node: document.querySelector(selector + " .main-svg"), last: "" });
  const of = (p) => p.getAttribute("d") + p.getAttribute("transform") + p.getAttribute("fill");
  const look = () => {
    const bars = [...document.querySelectorAll(selector)].flatMap((f) => [...f.querySelectorAll(marks)].map(of)).join();
    if (!bars) w.blank += 1;
    else if (bars !== w.last) { w.times.push(performance.timeOrigin + performance.now()); w.last = bars; }
    w.frame = requestAnimationFrame(look);
  };
  look();
}"""
READ = """(selector) => {
  cancelAnimationFrame(watched.frame);
  return { times: watched.times, blank: watched.blank, same: watched.node === document.querySelector(selector + " .main-svg") };
}"""


@dataclass
class Drag:
    """What one drag showed."""

    rate: float
    gap: float
    delay: float
    blank: int
    same: bool


async def drag(page: Page, bars: str, slider: str, seconds: float, which: int = 1, marks: str = ".bars .point path") -> Drag:
    """Drag to and fro for some seconds and watch the marks."""
    thumb = page.locator(slider).nth(which)
    await thumb.scroll_into_view_if_needed()
    box = await thumb.bounding_box()
    assert box
    y, left, width = box["y"] + box["height"] / 2, box["x"] + 12, box["width"] - 24
    wire = await page.context.new_cdp_session(page)
    await page.mouse.move(left + 0.7 * width, y)
    await page.mouse.down()
    await page.evaluate(WATCH, [bars, marks])
    start, sent = time.time(), []
    for n in range(int(seconds * 60)):
        x = left + width * (0.5 + 0.45 * math.sin(n / 20))
        move = {"type": "mouseMoved", "x": x, "y": y, "button": "left", "buttons": 1}
        sent.append(asyncio.ensure_future(wire.send("Input.dispatchMouseEvent", move)))
        await asyncio.sleep(max(0.0, start + (n + 1) / 60 - time.time()))
    end = time.time()
    await asyncio.gather(*sent)
    arrived = time.time()  # the browser has taken the last movement
    await page.wait_for_timeout(800)
    seen = await page.evaluate(READ, bars)
    await page.mouse.up()
    times = [t / 1000 for t in seen["times"]][1:]
    during = [t for t in times if start <= t <= end]
    gaps = [b - a for a, b in itertools.pairwise(during)]
    return Drag(
        rate=len(during) / (end - start),
        gap=1000 * statistics.median(gaps) if gaps else math.inf,
        delay=1000 * max(0.0, times[-1] - max(end, arrived)) if times else math.inf,
        blank=seen["blank"],
        same=seen["same"],
    )


async def measure(seconds: float, rounds: int) -> dict[str, list[Drag]]:
    """Drag on each page in turn, several rounds."""
    results: dict[str, list[Drag]] = {"lab": [], "plain JavaScript": [], "native widgets": []}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "native.py"
        script.write_text(native_app(), encoding="utf-8")
        with serve() as lab, serve(script) as native:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
                page = await browser.new_page(viewport={"width": 1366, "height": 768})
                html = plain_page()
                await page.route("http://plain.test/", lambda r: r.fulfill(body=html, content_type="text/html"))
                await page.route("http://plain.test/plotly.min.js", lambda r: r.fulfill(path=PLOTLY))
                pages = {
                    "lab": (lab.url, ".st-key-lab_after", SLIDER),
                    "plain JavaScript": ("http://plain.test/", "#lab_after", "input"),
                    "native widgets": (
                        native.url,
                        ".stPlotlyChart >> nth=1",
                        "[data-testid=stSlider] [role=slider], .stSlider input",
                    ),
                }
                for n in range(rounds):
                    for name, (url, bars, slider) in pages.items():
                        if name == "native widgets" and n:
                            continue
                        await page.goto(url)
                        await page.wait_for_selector(".bars .point path", timeout=60_000)
                        await page.wait_for_timeout(2500)
                        if name == "native widgets":
                            bars = ".stPlotlyChart"
                        results[name].append(await drag(page, bars, slider, seconds))
                await browser.close()
    return results


async def measure_lessons(seconds: float) -> dict[str, Drag]:
    """Drag once on every page of the course, and on the plain page."""
    results: dict[str, Drag] = {}
    with serve() as app:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            page = await browser.new_page(viewport={"width": 1366, "height": 768})
            html = plain_page()
            await page.route("http://plain.test/", lambda r: r.fulfill(body=html, content_type="text/html"))
            await page.route("http://plain.test/plotly.min.js", lambda r: r.fulfill(path=PLOTLY))
            await page.goto("http://plain.test/")
            await page.wait_for_selector(".bars .point path", timeout=60_000)
            await page.wait_for_timeout(2500)
            results["plain JavaScript"] = await drag(page, "#lab_after", "input", seconds)
            for lesson in contents():
                await page.goto(app.url + lesson.slug)
                await page.wait_for_selector(".live-figure .main-svg", timeout=60_000, state="attached")
                await page.wait_for_timeout(2500)
                room = "(all) => all.findIndex((r) => r.checkVisibility() && !r.disabled)"
                first = await page.locator(SLIDER).evaluate_all(room)
                results[lesson.label] = await drag(page, ".live-figure-plot", SLIDER, seconds, first, MARKS)
            await browser.close()
    return results


def print_lessons(results: dict[str, Drag]) -> None:
    """Print a line per page, beside the plain page."""
    plain = results["plain JavaScript"].rate
    print(f"{'page':34} {'updates/s':>9} {'of plain':>9} {'median gap':>11} {'last value':>11} {'blank':>6} same node")
    for name, d in results.items():
        print(f"{name:34} {d.rate:9.1f} {d.rate / plain:9.1f} {d.gap:8.0f} ms {d.delay:8.0f} ms {d.blank:6d} {d.same}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lessons", action="store_true", help="every page of the course, once")
    wanted = parser.parse_args()
    if wanted.lessons:
        print_lessons(asyncio.run(measure_lessons(wanted.seconds)))
        return
    results = asyncio.run(measure(wanted.seconds, wanted.rounds))
    print(f"{'page':18} {'updates/s':>9} {'median gap':>11} {'last value':>11} {'blank frames':>13} same node")
    for name, drags in results.items():
        rate, gap, delay = (statistics.median(getattr(d, what) for d in drags) for what in ("rate", "gap", "delay"))
        print(
            f"{name:18} {rate:9.1f} {gap:8.0f} ms {delay:8.0f} ms {sum(d.blank for d in drags):13d} {all(d.same for d in drags)}"
        )
    ratios = [a.rate / b.rate for a, b in zip(results["lab"], results["plain JavaScript"], strict=True)]
    print(
        f"lab / plain JavaScript, pair by pair: {', '.join(f'{r:.2f}' for r in ratios)}; median {statistics.median(ratios):.2f}"
    )


if __name__ == "__main__":
    main()
