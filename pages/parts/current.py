"""What the reader has in hand: one scenario and one way of looking at it, for all pages of this session.

The link is where it comes from and where it goes. A link that was not written here (the first visit, a friend's link, the
back button) is read; after every full run the link is written, if it changed. While a hand moves, only the session knows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from pages.parts import scenario as scenarios
from pages.parts.content import prepared_scenarios
from pages.parts.describe import UNITS, Unit
from pages.parts.scenario import Scenario


@dataclass(frozen=True)
class View:
    """How the reader looks at it: the unit of entropy, and large type for a projector."""

    unit: Unit = UNITS[0]
    projector: bool = False


def read_link() -> list[str]:
    """Take over a link that was not written here; return one sentence per part of it that could not be used."""
    params = st.query_params.to_dict()
    if st.session_state.get("link") == params:
        return []
    st.session_state["scenario"], problems = scenarios.from_link(params, prepared_scenarios())
    st.session_state["view"], more = _read_view(params)
    st.session_state["link"] = params
    renew(keep_reach=False)
    return problems + more


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


def link() -> dict[str, str]:
    """The link's parameters for what the reader has in hand, however long."""
    here = view()
    looks: dict[str, str] = {"unit": here.unit} if here.unit != UNITS[0] else {}
    if here.projector:
        looks["projector"] = "1"
    return {**scenarios.to_link(scenario(), prepared_scenarios()), **looks}


def link_is_too_long() -> bool:
    """Whether the whole address would pass the length that every program keeps."""
    return scenarios.too_long(f"{st.context.url or ''}/?{scenarios.query(link())}")


def link_to_write() -> dict[str, str]:
    """What stands in the address line and in the links between pages; without the scenario if that is too long."""
    params = link()
    if link_is_too_long():
        return {key: value for key, value in params.items() if key in ("unit", "projector")}
    return params


def write_link() -> None:
    """Write the link, if it changed."""
    params = link_to_write()
    st.session_state["link"] = params
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
