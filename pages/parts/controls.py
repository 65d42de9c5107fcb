"""Controls that change the scenario, each in one place: its key, its range, what it does.

A control mirrors the scenario: before it is drawn its value is set from the scenario, and its callback changes the
scenario. So a menu, a click in the map and a link never disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts import current, describe
from pages.parts.content import prepared_scenarios
from pages.parts.describe import UNITS
from pages.parts.live import Drawings, Slider, live_sliders
from pages.parts.scenario import MAX_SEED, OWN, SCORE_LIMIT, TEMPERATURE_RANGE, Scenario, from_file, words

TRACK = (0.1, 10.0)  # of the temperature slider; a typed temperature may be anything in TEMPERATURE_RANGE


def scenario_menu(key: str) -> None:
    """Choose a ready-made scenario."""
    here = current.scenario()
    names = [*prepared_scenarios(), *([OWN] if here.name == OWN else [])]

    def chosen() -> None:
        if st.session_state[key] != OWN:
            current.change(prepared_scenarios()[st.session_state[key]])

    st.session_state[key] = here.name
    st.selectbox("Scenario", names, key=key, width=250, on_change=chosen)


def step_control(key: str) -> None:
    """Choose the decoder step; counted from 1 on screen."""
    here = current.scenario()
    st.session_state[key] = here.t + 1
    st.number_input(
        f"Step t of {len(here.target)}",
        min_value=1,
        max_value=len(here.target),
        step=1,
        key=key,
        width=130,
        on_change=lambda: current.change(current.scenario().with_step(st.session_state[key] - 1)),
    )


def unit_control(key: str) -> None:
    """Nats or bits."""
    st.session_state[key] = current.view().unit
    st.segmented_control(
        "Unit of entropy",
        UNITS,
        key=key,
        required=True,
        on_change=lambda: current.look(replace(current.view(), unit=st.session_state[key])),
    )


def reset(key: str) -> None:
    """Back to the scenario as it was prepared."""
    st.button(
        "Reset",
        key=key,
        icon=":material/restart_alt:",
        disabled=current.scenario() == current.home(),
        help="Scores and temperature back to where this scenario began",
        on_click=lambda: current.change(current.home()),
    )


def own_sentences(key: str) -> None:
    """Type both sentences, open a file, draw other encoder states."""
    here = current.scenario()
    typed = {"source": f"{key}_source", "target": f"{key}_target"}
    trouble = st.session_state.pop(f"{key}_trouble", "")

    def take_words() -> None:
        try:
            source, target = words(st.session_state[typed["source"]]), words(st.session_state[typed["target"]])
            current.change(current.scenario().with_words(source, target))
        except ValueError as error:
            st.session_state[f"{key}_trouble"] = f"Nothing was changed: {error}."

    def take_file() -> None:
        upload = st.session_state[f"{key}_file"]
        if upload is None:
            return
        try:
            opened = from_file(upload.getvalue().decode("utf-8-sig"))
            known = prepared_scenarios().get(opened.name)
            if known is None or (known.source, known.target) != (opened.source, opened.target):
                opened = replace(opened, name=OWN)
            current.change(opened)
        except UnicodeDecodeError:
            st.session_state[f"{key}_trouble"] = "Nothing was changed: the file is not text; choose a file saved by this app."
        except ValueError as error:
            st.session_state[f"{key}_trouble"] = f"Nothing was changed: {error}."

    with st.popover("Own sentences", icon=":material/edit:", key=key):
        for side, widget in typed.items():
            if not trouble:  # what was typed stays there until it can be used
                st.session_state[widget] = " ".join(getattr(here, side))
            label = "Source sentence, to be read" if side == "source" else "Target sentence, to be written"
            st.text_input(label, key=widget, on_change=take_words, help="Words are split at blanks; 1 to 30 of them")
        if trouble:
            st.error(describe.verbatim(trouble))
        st.session_state[f"{key}_seed"] = here.seed
        st.number_input(
            "Seed of the encoder states h",
            min_value=0,
            max_value=MAX_SEED,
            step=1,
            key=f"{key}_seed",
            on_change=lambda: current.change(current.scenario().with_seed(st.session_state[f"{key}_seed"])),
        )
        st.file_uploader("Open a saved scenario", type="json", key=f"{key}_file", on_change=take_file, max_upload_size=1)


def pick(key: str, label: str, name: str, *, help: str | None = None) -> None:
    """Choose one of the options of a page's own setting."""
    setting = _setting(name)
    st.session_state[key] = current.own(name)
    st.segmented_control(
        label,
        setting.options,
        key=key,
        required=True,
        help=help,
        on_change=lambda: current.change_own(**{name: st.session_state[key]}),
    )


def menu(key: str, label: str, name: str, options: Mapping[Any, str], *, width: int = 200) -> None:
    """Choose one of many for a page's own setting; `options` gives the words for each value."""
    st.session_state[key] = current.own(name)
    st.selectbox(
        label,
        options,
        format_func=lambda value: options.get(value, str(value)),
        key=key,
        width=width,
        on_change=lambda: current.change_own(**{name: st.session_state[key]}),
    )


def switch(key: str, label: str, name: str, *, help: str | None = None) -> None:
    """Turn a page's own setting from its first option to its second and back."""
    first, second = _setting(name).options
    st.session_state[key] = current.own(name) == second
    st.toggle(
        label, key=key, help=help, on_change=lambda: current.change_own(**{name: second if st.session_state[key] else first})
    )


def whole(key: str, label: str, name: str, *, help: str | None = None) -> None:
    """Type or step a whole number that is a page's own setting."""
    setting = _setting(name)
    st.session_state[key] = current.own(name)
    st.number_input(
        label,
        min_value=setting.low,
        max_value=setting.most(current.scenario()),
        step=1,
        key=key,
        width=130,
        help=help,
        on_change=lambda: current.change_own(**{name: st.session_state[key]}),
    )


def _setting(name: str) -> Any:
    return next(setting for setting in st.session_state["settings"] if setting.name == name)


@st.fragment
def hand(
    key: str,
    *,
    label: str,
    sliders: Callable[[], Sequence[Slider]],
    draw: Callable[[list[float]], Drawings],
    between: Callable[[list[float]], Mapping[str, dict[str, Any]]],
    height: int,
    on_move: Callable[[list[float]], None],
    on_point: Callable[[str, float, float], list[float] | None] | None = None,
) -> None:
    """Place a group of sliders that moves the page's figures: this reruns while a slider moves, and nothing else of the page.

    Parameters
    ----------
    key : str
        Name of the group, and its CSS class.
    label : str
        The group in words, for those who hear the page.
    sliders : callable
        Gives the sliders as they stand now.
    draw : callable
        What all frames of the page show for given slider values.
    between : callable
        The figures, by frame name, that also follow positions the hand has passed: those next to the sliders.
    height : int
        Pixels; more sliders than fit scroll inside.
    on_move : callable
        Takes the newest values over: `current.move` for the scenario, `current.move_own` for the page's own settings.
    on_point : callable, optional
        Turns a point (frame, x, y) that the hand drags in a draggable frame into values of all sliders; None lets it pass.
    """
    live_sliders(
        sliders(),
        key=key,
        label=label,
        epoch=current.epoch(),
        draw=draw,
        between=between,
        height=height,
        on_move=on_move,
        on_point=on_point,
        on_rest=lambda: st.session_state.update({f"{key}_rested": True}),
    )
    if st.session_state.pop(f"{key}_rested", False):
        st.rerun()  # the movement has ended: link, files and code are renewed


def score_hand(
    key: str,
    *,
    draw: Callable[[list[float]], Drawings],
    between: Callable[[list[float]], Mapping[str, dict[str, Any]]],
    height: int,
    on_point: Callable[[str, float, float], list[float] | None] | None = None,
) -> None:
    """Place the sliders for the scores of the current step and the temperature. See `hand`."""
    hand(
        key,
        label=f"Scores of step {current.scenario().t + 1}",
        sliders=score_sliders,
        draw=draw,
        between=between,
        height=height,
        on_move=take_scores,
        on_point=on_point,
    )


def score_sliders() -> list[Slider]:
    """One slider per source word for the scores of the current step, and one for the temperature."""
    here, home, reach = current.scenario(), current.home(), current.reach()
    sliders = [
        Slider(
            word=word,
            spoken=describe.score_label(here.source, i),
            value=here.scores[here.t][i],
            home=home.scores[here.t][i],
            min=-reach,
            max=reach,
            least=-SCORE_LIMIT,
            most=SCORE_LIMIT,
        )
        for i, word in enumerate(here.source)
    ]
    temperature = Slider(
        word="temperature",
        spoken="temperature",
        value=here.temperature,
        home=home.temperature,
        min=TRACK[0],
        max=TRACK[1],
        least=TEMPERATURE_RANGE[0],
        most=TEMPERATURE_RANGE[1],
        symbol="w",
        scale="log",
        apart=True,
    )
    return [*sliders, temperature]


def moved(values: list[float]) -> Scenario:
    """The scenario with the sliders at these values: scores of the current step, then the temperature."""
    *row, temperature = values
    return current.scenario().with_row(row).with_temperature(temperature)


def take_scores(values: list[float]) -> None:
    """The sliders moved."""
    current.move(moved(values))
