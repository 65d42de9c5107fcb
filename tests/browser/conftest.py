"""One server for all browser tests; a fresh tab, and so a fresh session of the app, for each visit.

Tabs of one size and ground share a browser, so that the scripts of the page are fetched and compiled once, not for every test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.serving import ROOT, Server, serve

collect_ignore = ["keeping.py"]  # a script for a server; importing it would make an app in this process

SIZES = {"laptop": (1366, 768), "large": (1920, 1080), "phone": (390, 844)}


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serve(ROOT / "tests" / "browser" / "keeping.py") as running:
        yield running


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


class Visit:
    """A page with what went wrong on it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda m: m.type == "error" and "404" not in m.text and self.errors.append(m.text))
        page.on("request", self._request)

    def _request(self, request) -> None:
        scheme, host = urlsplit(request.url)[:2]
        if scheme not in ("data", "blob") and host != urlsplit(self.url).netloc:
            self.elsewhere.append(request.url)

    def open(self, path: str = "") -> Page:
        """Open an address below the app's root and wait until its figures are drawn."""
        self.page.goto(self.url + path)
        self.ready()
        return self.page

    def open_panels(self) -> None:
        """Open everything that is shown on demand."""
        for summary in self.page.locator("summary").all():
            summary.click()
            self.page.wait_for_timeout(100)
        self.page.wait_for_timeout(300)
        self.ready()

    def ready(self) -> None:
        """Wait until the page has come to its foot, every figure frame has a figure, and the script rests."""
        self.page.wait_for_function(
            """() => {
              const foot = document.querySelector(".st-key-frame_foot");
              const parts = [...document.querySelectorAll('[data-testid^="stBidiComponent"]')];
              const here = (part) => part.querySelector(".live-figure[data-kind], .live-slider, .frame-bar button, .live-formula > *");
              const drawn = (frame) => frame.querySelector(".main-svg") || !frame.querySelector(".live-figure-plot").clientWidth;
              const frames = [...document.querySelectorAll('.live-figure[data-kind="figure"]')];
              const app = document.querySelector('[data-testid="stApp"]');
              return foot && parts.length && parts.every(here) && frames.every(drawn) && app?.dataset.testScriptState === "notRunning";
            }""",
            timeout=60_000,
        )


@pytest.fixture(scope="session")
def contexts(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, str], BrowserContext]]:
    """A browser for each size and ground, with a profile on disk: without one, nothing compiled is kept."""
    made: dict[tuple[str, str], BrowserContext] = {}

    def context(size: str, scheme: str) -> BrowserContext:
        if (size, scheme) not in made:
            width, height = SIZES[size]
            made[size, scheme] = playwright.chromium.launch_persistent_context(
                tmp_path_factory.mktemp("profile"),
                executable_path=find_chromium(),
                args=FLAGS,
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                has_touch=size == "phone",
                permissions=["clipboard-read", "clipboard-write"],
            )
            made[size, scheme].set_default_timeout(30_000)
        return made[size, scheme]

    yield context
    for each in made.values():
        each.close()


@pytest.fixture
def visit(contexts: Callable[[str, str], BrowserContext], server: Server) -> Iterator[Callable[..., Visit]]:
    pages: list[Page] = []

    def begin(size: str = "laptop", scheme: str = "light") -> Visit:
        pages.append(contexts(size, scheme).new_page())
        return Visit(pages[-1], server.url)

    yield begin
    for page in pages:
        if page.url.startswith("http"):
            page.evaluate("localStorage.clear()")  # a choice of light or dark is the test's own
        page.close()


@pytest.fixture
def lab(visit: Callable[..., Visit]) -> Page:
    """The score lab with the running example, on a laptop."""
    return visit().open()
