"""What the reader has in hand: one scenario and one way of looking at it, for all pages of this session.

The link is where it comes from and where it goes. A link that was not written here (the first visit, a friend's link, the
back button) is read; after every full run the link is written, if it changed. While a hand moves, only the session knows.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts import scenario as scenarios
from pages.parts import settings
from pages.parts.content import prepared_scenarios
from pages.parts.describe import UNITS, Unit
from pages.parts.scenario import Scenario

LATE = 10.0  # seconds after which every browser has heard of a new link
ASKED = r"[A-Z]{1,4}[0-9]{1,3}(\.[a-z][a-z0-9-]{0,30})?"  # TF3, or E1.mean


@dataclass(frozen=True)
class View:
    """How the reader looks at it: the unit of entropy, and large type for a projector."""

    unit: Unit = UNITS[0]
    projector: bool = False


def read_link(page: str, own_settings: Sequence[settings.Setting]) -> list[str]:
    """Take over a link that was not written here; return one sentence per part of it that could not be used.

    Parameters
    ----------
    page : str
        The slug of the page that is being shown.
    own_settings : sequence of Setting
        What that page has of its own.
    """
    params = st.query_params.to_dict()
    state = st.session_state
    state["settings"] = own_settings
    all_own: dict[str, dict[str, Any]] = state.setdefault("own", {})
    if "scenario" in state:
        # A menu brings the reader here with the link that this session would write for this page.
        arrived = state["page"] != page
        if params == link_to_write(page) if arrived else _written_here(params):
            state["page"] = page
            all_own.setdefault(page, {setting.name: setting.default for setting in own_settings})
            if arrived:
                state["asked"] = ""  # whoever goes on by the menu has left the question
                state["links"] = [(params, math.inf)]
                renew(keep_reach=True)
            return []
    state["page"] = page
    state["scenario"], problems = scenarios.from_link(params, prepared_scenarios())
    state["view"], more = _read_view(params)
    all_own[page], still_more = settings.read(own_settings, params, state["scenario"])
    state["asked"] = params.get("asked", "")
    if state["asked"] and not re.fullmatch(ASKED, state["asked"]):
        state["asked"] = ""
        still_more.append('"asked" in the link is ignored: it must be the name of a question, such as TF1.')
    state["links"] = [(params, math.inf)]
    renew(keep_reach=False)
    return problems + more + still_more


def _written_here(params: dict[str, str]) -> bool:
    """Whether this session wrote a link just now, or a moment ago.

    A browser learns of a new link a moment after it was written. What is pressed in between still comes with the link before,
    and means what is pressed, not that link.
    """
    *before, (newest, _) = st.session_state["links"]
    return params == newest or any(params == link and time.monotonic() - until < LATE for link, until in before)


def asked() -> str:
    """The question that sent the reader to this page for its experiment; empty if none did."""
    return str(st.session_state.get("asked", ""))


def own(name: str) -> Any:
    """A setting of the page that is being shown; see `frame.page`."""
    setting = next(s for s in st.session_state["settings"] if s.name == name)
    return setting.fitted(st.session_state["own"][page()][name], scenario())


def change_own(**values: Any) -> None:
    """A control changed settings of this page: what sliders have under way is void."""
    move_own(**values)
    renew(keep_reach=True)


def move_own(**values: Any) -> None:
    """A slider changed settings of this page: the same epoch goes on."""
    st.session_state["own"][page()].update(values)


def page() -> str:
    """The slug of the page that is being shown."""
    return str(st.session_state["page"])


def done() -> set[str]:
    """The slugs of the pages whose prediction the reader has locked in this session."""
    slugs: set[str] = st.session_state.setdefault("done", set())
    return slugs


def scenario() -> Scenario:
    """The scenario in hand."""
    value: Scenario = st.session_state["scenario"]
    return value


def view() -> View:
    """The way of looking at it."""
    value: View = st.session_state["view"]
    return value


def epoch() -> str:
    """Changes with every change that does not come from a slider, so that sliders know whose values they show."""
    return str(st.session_state["epoch"])


def reach() -> float:
    """The range of the score sliders and bars: it may grow while a hand moves, and shrinks at the next change of scenario."""
    st.session_state["reach"] = max(st.session_state["reach"], scenario().reach)
    return float(st.session_state["reach"])


def home() -> Scenario:
    """The scenario as it was prepared, with the same step: where Reset goes."""
    here = scenario()
    prepared = prepared_scenarios().get(here.name)
    if prepared is None:
        prepared = replace(here, scores=((0.0,) * len(here.source),) * len(here.target), temperature=1.0)
    return prepared.with_step(here.t)


def move(moved: Scenario) -> None:
    """A slider moved: the same epoch goes on."""
    st.session_state["scenario"] = moved


def change(changed: Scenario) -> None:
    """Anything but a slider changed the scenario: what sliders have under way is void."""
    same_words = (changed.source, changed.target) == (scenario().source, scenario().target)
    st.session_state["scenario"] = changed
    renew(keep_reach=same_words)


def look(changed: View) -> None:
    """Change the way of looking."""
    st.session_state["view"] = changed


def renew(*, keep_reach: bool) -> None:
    """Begin a new epoch."""
    st.session_state["epoch"] = st.session_state.get("epoch", 0) + 1
    st.session_state["reach"] = st.session_state.get("reach", 0.0) if keep_reach else scenario().reach


def link(to: str | None = None) -> dict[str, str]:
    """The link's parameters for what the reader has in hand, however long.

    Parameters
    ----------
    to : str, optional
        The slug of the page that the link leads to; this page if left out.
    """
    here = view()
    looks: dict[str, str] = {"unit": here.unit} if here.unit != UNITS[0] else {}
    if here.projector:
        looks["projector"] = "1"
    question = {"asked": asked()} if to is None and asked() else {}
    return {**scenarios.to_link(scenario(), prepared_scenarios()), **looks, **_own_link(page() if to is None else to), **question}


def experiment_link(link_there: Mapping[str, str], question: str) -> dict[str, str]:
    """The link from a question to its experiment: what belongs there, and how this reader looks at things."""
    looks = {key: value for key, value in link_to_write().items() if key in ("unit", "projector")}
    return {**looks, **link_there, "asked": question}


def leave_question() -> None:
    """Keep what the reader has in hand while a question is on the page: after its experiment all that comes back."""
    st.session_state["left"] = link_to_write()


def link_back(question: str) -> dict[str, str]:
    """The link from an experiment back to its question, with what the reader had in hand before it."""
    looks = {key: value for key, value in link_to_write().items() if key in ("unit", "projector")}
    before = {key: value for key, value in st.session_state.get("left", {}).items() if key not in ("unit", "projector")}
    return {**before, **looks, "question": question}


def _own_link(slug: str) -> dict[str, str]:
    """The settings of a page. Of a page that is not being shown, the link as it was written last."""
    written: dict[str, dict[str, str]] = st.session_state.setdefault("own_links", {})
    if slug == page():
        own_settings = st.session_state["settings"]
        written[slug] = settings.to_link(own_settings, {setting.name: own(setting.name) for setting in own_settings})
    return written.get(slug, {})


def link_is_too_long(to: str | None = None) -> bool:
    """Whether the whole address would pass the length that every program keeps."""
    return scenarios.too_long(f"{st.context.url or ''}/?{scenarios.query(link(to))}")


def link_to_write(to: str | None = None) -> dict[str, str]:
    """What stands in the address line and in the links between pages; without the scenario if that is too long."""
    params = link(to)
    if link_is_too_long(to):
        return {key: value for key, value in params.items() if key in ("unit", "projector")}
    return params


def write_link() -> None:
    """Write the link, if it changed."""
    params, now = link_to_write(), time.monotonic()
    *before, (newest, _) = st.session_state["links"]
    if params != newest:  # each link with the time until which it was the newest
        before = [(link, until) for link, until in before if now - until < LATE]
        st.session_state["links"] = [*before, (newest, now), (params, math.inf)]
    if st.query_params.to_dict() != params:
        st.query_params.from_dict(params)


def _read_view(params: dict[str, str]) -> tuple[View, list[str]]:
    problems = []
    named, projector = params.get("unit", UNITS[0]), params.get("projector", "0")
    unit = next((unit for unit in UNITS if unit == named), UNITS[0])
    if unit != named:
        problems.append(f'"unit" in the link is ignored: it must be {" or ".join(UNITS)}.')
    if projector not in ("0", "1"):
        problems.append('"projector" in the link is ignored: it must be 0 or 1.')
        projector = "0"
    return View(unit, projector == "1"), problems
