"""A reader without a browser: opens a page by its link, sees what the page sends, and answers as the components would.

The components' JavaScript does not run here. What it would receive is read from the messages, and what it would send is sent
in the same form, so callbacks, session and link take part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

import mpmath
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest

from pages.parts.contents import ROOT, Page, contents
from tests.parts.told import told

PAGES = contents()
LAB = PAGES[0]
LESSONS = PAGES[1:]
PANELS = {
    page: [
        f"{key}_panel" for key in re.findall(r'frame\.(?:arithmetic|numpy_block)\("(\w+)"', (ROOT / page.file).read_text("utf-8"))
    ]
    for page in PAGES
}


class Visit:
    """One reader's session. Properties read the page as it stands after the last run."""

    def __init__(self, link: Mapping[str, str] | None = None, page: Page = LAB, url: str = "") -> None:
        self.at = AppTest.from_file(ROOT / "app.py", default_timeout=60)
        # Left alone, AppTest would search all installed packages for components, anew for every session.
        self.at._bidi_component_manager = BidiComponentManager()
        if url:
            self.at.context["url"] = url
        self.at.query_params = dict(link or {})  # before the first run, or the page opens without them
        self.page = page
        if page != LAB:
            self.at.switch_page(page.file)
        self.run()

    # What a reader does.

    def run(self) -> Visit:
        """Run the page again, as any press of a key would."""
        for panel in PANELS[self.page]:  # all are open: what is in them is part of the page
            self.at.session_state[panel] = True
        self.at.run()
        self._forget()
        return self

    def go(self, page: Page) -> Visit:
        """Follow the menu to another page, by the link that stands there."""
        (menu,) = (link.proto for link in self.at.sidebar.get("page_link") if link.proto.page == page.slug)
        self.page = page
        self.at.switch_page(page.file)
        self.at.query_params = dict(parse_qsl(menu.query_string))
        return self.run()

    def open(self, link: Mapping[str, str]) -> Visit:
        """Arrive by a link in the same session: the back button, or a link of a friend."""
        self.at.query_params = dict(link)
        return self.run()

    def move(self, values: list[float], **changed: object) -> Visit:
        """Move the sliders to these values."""
        report = {"epoch": self.sliders["epoch"], "seq": self.sliders["seq"] + 1, "path": [values], **changed}
        return self.send(self.sliders_key, {"moved": report})

    def send(self, key: str, state: object) -> Visit:
        """Report a component's state."""
        return self._answer(self._proto(key).id, json_value=json.dumps(state))

    def trigger(self, key: str, event: str, value: object) -> Visit:
        """Report an event that counts once: a click."""
        events = json.dumps([{"event": event, "value": value}])
        return self._answer(_make_trigger_id(self._proto(key).id, "events"), json_trigger_value=events)

    def type(self, side: str, sentence: str) -> Visit:
        """Type a sentence of one's own."""
        self.at.text_input(key=f"lab_own_{side}").set_value(sentence)
        return self.run()

    # What a reader sees.

    @property
    def link(self) -> dict[str, str]:
        """What stands in the address line."""
        return dict(self.at.query_params)

    @property
    def title(self) -> list[str]:
        """All headings of the first order."""
        return [title.value for title in self.at.title]

    @property
    def warnings(self) -> list[str]:
        """What the page warns of, as it is read."""
        return [unescaped(warning.value) for warning in self.at.warning]

    @property
    def errors(self) -> list[str]:
        """What the page refuses, as it is read."""
        return [unescaped(error.value) for error in self.at.error]

    @property
    def failed(self) -> bool:
        """Whether the page shows a traceback."""
        return bool(self.at.exception)

    @cached_property
    def components(self) -> dict[str, tuple[str, dict[str, Any]]]:
        """Name of the component and its data, by key."""
        protos = [element.proto for element in self.at.get("bidi_component")]
        return {p.id.rpartition("-")[2]: (p.component_name, json.loads(p.bytes or p.json)) for p in protos}

    def _of(self, name: str) -> dict[str, dict[str, Any]]:
        return {key: data for key, (kind, data) in self.components.items() if kind == name}

    @property
    def has_sliders(self) -> bool:
        """Whether the page has sliders."""
        return bool(self._of("live_sliders"))

    @property
    def sliders_key(self) -> str:
        """The key of the page's sliders."""
        (key,) = self._of("live_sliders")
        return key

    @property
    def sliders(self) -> dict[str, Any]:
        """What the sliders were sent."""
        return self._of("live_sliders")[self.sliders_key]

    @property
    def values(self) -> list[float]:
        """Where the sliders stand; the last one is the temperature."""
        return [slider["value"] for slider in self.sliders["sliders"]]

    @property
    def bar(self) -> dict[str, Any]:
        """What the page's tools were sent."""
        return self._of("frame_bar")["frame_bar"]

    @property
    def frames(self) -> dict[str, dict[str, Any]]:
        """The frames placed on the page, by name."""
        return {data["frame"]: data for data in self._of("live_figure").values() if "frame" in data}

    @property
    def drawings(self) -> dict[str, dict[str, Any]]:
        """The drawings for the frames, whoever brings them."""
        brought: dict[str, dict[str, Any]] = {}
        for _, data in self.components.values():
            brought |= data.get("drawings") or {}
        return brought

    def drawing(self, name: str) -> dict[str, Any]:
        """One of the lab's drawings."""
        return self.drawings[f"lab_{name}"]

    def trace(self, name: str, number: int = 0) -> dict[str, Any]:
        """One trace of a drawing's figure."""
        return self.drawing(name)["figure"]["data"][number]

    @property
    def texts(self) -> list[str]:
        """Every text of every drawing."""
        return [text for drawing in self.drawings.values() for text in told(drawing)]

    @property
    def read_as_markdown(self) -> list[str]:
        """Every text on the page that Streamlit reads as Markdown or HTML."""
        kinds = ("markdown", "caption", "html", "warning", "error", "info", "success", "heading", "title", "header", "subheader")
        return [str(element.proto.body) for kind in kinds for element in self.at.get(kind)]

    # How it is done.

    def _proto(self, key: str) -> Any:
        return next(e.proto for e in self.at.get("bidi_component") if e.proto.id.endswith(f"-{key}"))

    def _answer(self, widget: str, **value: str) -> Visit:
        # AppTest has no method for components; this is how it runs with the values of its own widgets.
        states = self.at._tree.get_widget_states()
        states.widgets.add(id=widget, **value)
        self.at._run(states)
        self._forget()
        return self

    def _forget(self) -> None:
        self.__dict__.pop("components", None)


def unescaped(markdown: str) -> str:
    """What Markdown shows where it holds nothing but escaped signs."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


def softmax(scores: list[float], temperature: float = 1.0) -> list[float]:
    """Weights with 50 digits, rounded once."""
    with mpmath.workdps(50):
        lifted = [mpmath.exp((mpmath.mpf(e) - max(scores)) / mpmath.mpf(temperature)) for e in scores]
        return [float(x / mpmath.fsum(lifted)) for x in lifted]


def entropy(weights: list[float], base: float = mpmath.e) -> float:
    """Entropy with 50 digits, rounded once."""
    with mpmath.workdps(50):
        return float(-mpmath.fsum(mpmath.mpf(a) * mpmath.log(a) / mpmath.log(base) for a in weights if a > 0))
