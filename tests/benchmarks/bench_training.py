"""Does a drag in the lab still follow the hand while others train a network? And how soon does Stop answer?

    python -m tests.benchmarks.bench_training [--seconds 4] [--rounds 3] [--learners 1]

The lab is dragged as in `bench_drag`, in turn on a quiet server and while learners train on lesson 11, each in a session of
its own. The learners' pages lie in the background of the same Chromium. Printed: updates per second of both, their ratio pair
by pair, the steps that the learners made meanwhile, and the time from the press on Stop, the lab at rest again, to the button
that says Resume.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from dataclasses import dataclass, field

from playwright.async_api import Page, async_playwright

from tests.benchmarks.bench_drag import SLIDER, drag
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.serving import serve

LESSON = "watch_it_learn"
GO = ":is(.st-key-learn_go, .st-key-learn_stop) button"
# From the press to the moment at which the button says something else, as the reader sees it.
PRESS = """([selector, answer]) => new Promise((done, fail) => {
  const from = performance.now();
  const look = () => {
    const told = document.querySelector(selector)?.textContent ?? "";
    if (told.includes(answer)) done(performance.now() - from);
    else if (performance.now() - from > 20000) fail(new Error(`the button says ${told}, not ${answer}`));
    else requestAnimationFrame(look);
  };
  document.querySelector(selector).click();
  look();
})"""


@dataclass
class Trained:
    """What was measured."""

    quiet: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    stop: list[float] = field(default_factory=list)


async def open_lesson(page: Page, url: str, seed: int) -> None:
    """Become a new reader of lesson 11, with a network that is not trained yet."""
    await page.goto(f"{url}{LESSON}?start={seed}")
    await page.wait_for_selector(".st-key-learn_map .main-svg", timeout=60_000, state="attached")
    await page.wait_for_timeout(2500)


async def step_of(page: Page) -> int:
    """Where the scrubber stands."""
    return int(float(await page.locator(".st-key-learn_scrubber .live-slider input[type=text]").input_value()))


async def measure(seconds: float, rounds: int, learners: int) -> Trained:
    """Drag, and drag again while the learners train."""
    result = Trained()
    with serve() as app:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            pages = [await browser.new_page(viewport={"width": 1366, "height": 768}) for _ in range(learners)]
            lab = await browser.new_page(viewport={"width": 1366, "height": 768})
            await lab.goto(app.url)
            await lab.wait_for_selector(".bars .point path", timeout=60_000)
            await lab.wait_for_timeout(2500)
            for _ in range(rounds):
                result.quiet.append((await drag(lab, ".st-key-lab_after", SLIDER, seconds)).rate)
                for seed, page in enumerate(pages):
                    await open_lesson(page, app.url, seed)
                for page in pages:
                    await page.evaluate(PRESS, [GO, "Stop"])
                result.busy.append((await drag(lab, ".st-key-lab_after", SLIDER, seconds)).rate)
                await lab.wait_for_timeout(1500)  # the lab rests again
                for page in pages:
                    result.stop.append(await page.evaluate(PRESS, [GO, "Resume"]))
                await lab.wait_for_timeout(500)
                result.steps += [await step_of(page) for page in pages]
            await browser.close()
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--learners", type=int, default=1)
    wanted = parser.parse_args()
    seen = asyncio.run(measure(wanted.seconds, wanted.rounds, wanted.learners))
    ratios = [busy / quiet for busy, quiet in zip(seen.busy, seen.quiet, strict=True)]
    print(f"updates/s in the lab, quiet server: {', '.join(f'{rate:.1f}' for rate in seen.quiet)}")
    print(f"while others train ({wanted.learners}):       {', '.join(f'{rate:.1f}' for rate in seen.busy)}")
    print(f"ratio, pair by pair: {', '.join(f'{r:.2f}' for r in ratios)}; median {statistics.median(ratios):.2f}")
    print(f"steps trained meanwhile, each learner: {', '.join(map(str, seen.steps))}")
    print(f"Stop answers in: {', '.join(f'{ms:.0f}' for ms in seen.stop)} ms; median {statistics.median(seen.stop):.0f} ms")


if __name__ == "__main__":
    main()
