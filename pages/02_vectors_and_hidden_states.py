"""Vectors and hidden states

A word is a list of numbers; the encoder reads word by word and keeps a summary after each: change a word, see who notices.

Stands on: 1.
"""

import streamlit as st

import attention_core as ac
from pages.parts import controls, current, describe, frame, quiz, reading
from pages.parts.figures import Figure
from pages.parts.live import Drawings, Slider, live_figure
from pages.parts.network import D_X, SIZES
from pages.parts.settings import Choice, Real, Whole

WORD = reading.OneWord("word", "moon")
SETTINGS = (
    Choice("cell", tuple(ac.CELLS)),
    Choice("direction", reading.DIRECTIONS),
    Choice("recurrence", reading.RECURRENCE),
    Whole("d_h", *SIZES, 4),
    Whole("k", 1, lambda scenario: len(scenario.source), 2),
    Real("change", 0.0, 1.0, 0.0),
    WORD,
)


def plan() -> reading.Plan:
    """How the sentence is read."""
    both, recurrence = current.own("direction") != reading.DIRECTIONS[0], current.own("recurrence") == "on"
    return reading.Plan(current.own("cell"), both, recurrence, current.own("d_h"), current.own("k") - 1, current.own("word"))


def all_drawings(values: list[float]) -> Drawings:
    """All frames with the slider at this value."""
    read = reading.read(current.scenario(), plan(), values[0])
    drawn = {f"vectors_{name}": d for name, d in reading.drawings(read, reading.top_of(current.scenario(), plan())).items()}
    if frame.is_open("vectors_arithmetic"):
        drawn["vectors_arithmetic"] = reading.arithmetic(read)
    return drawn


def passing(values: list[float]) -> dict[str, Figure]:
    """The word, the summaries and how much they changed, at a position the hand has passed."""
    read = reading.read(current.scenario(), plan(), values[0])
    return {
        "vectors_word": reading.word_figure(read),
        "vectors_h": reading.h_figure(read),
        "vectors_moved": reading.moved_figure(read, reading.top_of(current.scenario(), plan())),
    }


def sliders() -> list[Slider]:
    """One slider: how far word k is on its way to the other word."""
    spoken = f"how far {describe.named(current.scenario().source, plan().k)} is changed into {plan().word}"
    return [Slider("change", spoken, current.own("change"), 0.0, 0.0, 1.0, 0.0, 1.0, step=0.01, symbol="h")]


def take_word() -> None:
    """Another word was typed."""
    try:
        current.change_own(word=WORD.read(st.session_state["vectors_other"], current.scenario()))
    except ValueError as error:
        st.session_state["vectors_trouble"] = f"Nothing was changed: {error}."


def hold(row: int, column: int) -> None:
    """A click on a column chooses its word."""
    if column < len(current.scenario().source):
        current.change_own(k=column + 1)


with frame.page(__file__, *SETTINGS):
    here, look, now = current.scenario(), str(current.view().projector), plan()
    frame.idea("A word is a list of numbers. Reading left to right, the encoder keeps a summary h after every word.")
    quiz.predict(
        "vectors_change",
        "Reading left to right, one word in the middle is changed. Which summaries h change?",
        ("That word's only", "That word's and all later ones", "All of them"),
        right=1,
        why="Each h is made from its word and the h before it, so a change travels on to the right and never back.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="vectors_toolbar", gap="small"):
        controls.scenario_menu("vectors_scenario")
        controls.own_sentences("vectors_own")
        controls.pick("vectors_direction", "The encoder reads", "direction")
        controls.pick("vectors_recurrence", "Recurrence", "recurrence", help="Off: the summary is wiped before every word")
        controls.pick("vectors_cell", "Cell", "cell", help="GRU: gates decide what is kept. tanh: the plain recurrent cell")
        controls.whole("vectors_d_h", "Numbers in h: d_h", "d_h")
    tall = reading.heights(here.source, now.d_h, current.view().projector)
    hand, strips = st.columns([1, 2.6], gap="small")
    with hand:
        with st.container(horizontal=True, vertical_alignment="bottom", key="vectors_words", gap="small"):
            controls.whole("vectors_k", f"Word 1 to {len(here.source)}", "k")
            trouble = st.session_state.pop("vectors_trouble", "")
            if not trouble:  # what was typed stays there until it can be used
                st.session_state["vectors_other"] = now.word
            st.text_input("turns into", key="vectors_other", on_change=take_word, width=150)
        if trouble:
            st.error(describe.verbatim(trouble))
        controls.hand(
            "vectors_hand",
            label=f"Change word {now.k + 1}",
            sliders=sliders,
            draw=all_drawings,
            between=passing,
            height=60,
            on_move=lambda values: current.move_own(change=values[0]),
        )
        live_figure("vectors_word", heading=f"Word {now.k + 1} as a list of numbers", height=tall[0], look=look)
        with st.container(key="vectors_prose"):
            st.caption(
                f"A word has d_x = {D_X} numbers, a summary d_h = {now.d_h}; the writer's states may have another size, d_s."
                f" All weights are drawn from seed {here.seed}, none is learned."
            )
    with strips:
        live_figure("vectors_x", heading="The words x, read", height=tall[1], look=look, on_click=hold)
        live_figure("vectors_h", heading="The summaries h, kept", height=tall[2], look=look, on_click=hold)
        live_figure("vectors_moved", heading="How much has each h changed?", height=tall[3], look=look)
    frame.arithmetic("vectors_arithmetic", now.d_h)
    frame.numpy_block("vectors_numpy", reading.block(here, now, current.own("change")))
