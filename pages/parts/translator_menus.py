"""Lesson 10: the menus that choose a network and give it something to read."""

from __future__ import annotations

import streamlit as st

from pages.parts import current, interventions
from pages.parts.describe import verbatim
from pages.parts.translating import NETWORKS, checked


def _choose(name: str, first: int) -> None:
    """Another network begins with its first example."""
    current.change_own(model=name, input="", word=first, own={})


def _give(text: str) -> None:
    """Another text, if the network can read it."""
    try:
        current.change_own(input=checked(current.own("model"), text), own={})
    except ValueError as error:
        st.session_state["opened_trouble"] = f"Nothing was changed: {error}."


def menus(first: int) -> None:
    """Choose a network, which then stands at the step `first`, and give it something to read."""
    state, task = st.session_state, interventions.task_of(current.own("model"))
    trouble, text = state.pop("opened_trouble", ""), current.own("input") or task.examples[0]
    state["opened_model"], state["opened_example"] = current.own("model"), text if text in task.examples else None
    st.segmented_control(
        "Network", NETWORKS, key="opened_model", required=True, on_change=lambda: _choose(state["opened_model"], first)
    )
    if not trouble:  # what was typed stays there until it can be used
        state["opened_input"] = text
    st.text_input(
        "Type something", key="opened_input", width=330, help=verbatim(task.about), on_change=lambda: _give(state["opened_input"])
    )
    st.selectbox(
        "or pick", task.examples, key="opened_example", width=230, on_change=lambda: _give(state["opened_example"] or "")
    )
    if trouble:
        st.error(verbatim(trouble))
