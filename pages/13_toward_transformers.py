"""Toward Transformers

The same four moves when the questions come from the sentence itself: self-attention, several heads, and masks.

Stands on: 9.
"""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts import controls, current, frame, quiz
from pages.parts import self_attention as parts
from pages.parts import self_attention_drawings as drawings
from pages.parts.figures import Figure
from pages.parts.live import Drawings, Slider, live_figure
from pages.parts.settings import Choice, Edits, Whole

SETTINGS = (
    Whole("word", 1, lambda scenario: len(scenario.source), 2),
    Whole("heads", 1, parts.MOST_HEADS, 2),
    Whole("head", 1, parts.MOST_HEADS, 1),
    Choice("mask", parts.MASKS),
    Whole("padding", 1, lambda scenario: len(scenario.source), 1),
    Choice("way", parts.WAYS),
    Edits("vectors", parts.PLACES, "x2_1", parts.LIMIT),
)


def choices() -> parts.Choices:
    """What the reader has set. A head that is not there any more gives way to the last one."""
    heads = current.own("heads")
    return parts.Choices(
        word=current.own("word") - 1,
        head=min(current.own("head"), heads) - 1,
        heads=heads,
        mask=current.own("mask"),
        padding=current.own("padding"),
        way=current.own("way"),
    )


def now(values: list[float] | None = None) -> parts.SelfAttention:
    """The sentence looking at itself, with the sliders at these values."""
    here, set_now = current.scenario(), choices()
    if values is None:
        return parts.self_attention(here, set_now, current.own("vectors"))
    new = changed(values)
    return parts.self_attention(here.with_temperature(values[parts.D]), replace(set_now, padding=new["padding"]), new["vectors"])


def changed(values: list[float]) -> dict[str, Any]:
    """The page's settings with the sliders at these values: numbers of a word, the temperature, perhaps words of padding."""
    here = current.scenario()
    home = parts.word_vectors(here.source, here.seed)
    vectors = parts.moved(current.own("vectors"), home, current.own("word") - 1, values[: parts.D])
    padding = round(values[-1]) if len(values) > parts.D + 1 else current.own("padding")
    return {"vectors": vectors, "padding": padding}


def sliders() -> list[Slider]:
    """What the hand holds."""
    return parts.sliders(now(), controls.score_sliders()[-1])


def draw(values: list[float]) -> Drawings:
    """All frames, with the sliders at these values."""
    return drawings.drawn(now(values), current.view().unit, worked_out=frame.is_open("self_arithmetic"))


def between(values: list[float]) -> dict[str, Figure]:
    """The row and the map in hand at a position the hand has passed."""
    return drawings.passed(now(values))


def take(values: list[float]) -> None:
    """The sliders moved."""
    current.move_own(**changed(values))
    current.move(current.scenario().with_temperature(values[parts.D]))


def hold(head: int, row: int) -> None:
    """A click in a map takes its row and its head in hand."""
    if row < len(current.scenario().source):
        current.change_own(word=row + 1, head=head + 1)


with frame.page(__file__, *SETTINGS):
    here = now()
    look = str(current.view().projector)
    top, maps, sentence = drawings.heights(len(here.words), current.view().projector)
    frame.idea("The words of one sentence ask each other: score, softmax, weights, blend, the four moves you know.")
    quiz.predict(
        "self_causal",
        "With a causal mask a word sees itself and what came before. Where can the first word look?",
        ("Anywhere", "Only at itself", "Nowhere"),
        right=1,
        why="One place is left, so its weight is 1 whatever its score. The last word may look at all of them.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="self_toolbar", gap="small"):
        controls.scenario_menu("self_scenario")
        controls.whole("self_word", f"Word of {len(here.words)}", "word")
        controls.whole("self_heads", "Heads", "heads")
        controls.pick("self_mask", "Mask", "mask", help="Causal: nobody looks ahead. Padding: the last words only fill the row")
        controls.pick("self_way", "Masked with", "way", help="Before or after the softmax: one of them is wrong")

    hand, pair, last = st.columns([1.3, 2, 1], gap="small")
    with hand:
        room = 294 if here.choices.mask == "padding" else 248  # for fingers; sliders take less where there is a mouse
        label = f"Vector of word {here.i + 1}, with its place"
        frames = {"sliders": sliders, "draw": draw, "between": between}
        with st.container(horizontal=True, vertical_alignment="center", key="self_held", gap="small"):
            st.markdown(f"**{label}**", width="content")
            undo = {"icon": ":material/restart_alt:", "disabled": not current.own("vectors")}
            st.button("Undo", key="self_undo", type="tertiary", on_click=lambda: current.change_own(vectors={}), **undo)
        controls.hand("self_hand", label=label, **frames, height=room, on_move=take)
    moves = {"scores": "1. Scores e", "weights": "2. Softmax, 3. weights α", "blend": "4. Blend c of the values"}
    # Before and after the softmax stay side by side on a phone.
    places = [*pair.columns(2, gap="small", wrap=False), last]
    for column, (name, heading) in zip(places, moves.items(), strict=True):
        with column:
            live_figure(f"self_{name}", heading=heading, height=top, look=look)
    for k, (column, heading) in enumerate(zip(st.columns(len(here.heads), gap="small"), drawings.headings(here), strict=True)):
        with column:
            click = {"on_click": lambda row, column, head=k: hold(head, row)}
            live_figure(f"self_head{k + 1}", heading=heading, height=maps, look=look, **click)
    live_figure("self_said", heading="", height=sentence, look=look)
    with st.container(key="self_prose"):
        st.caption(
            "A word's query asks, its key answers, its value is what is blended. The matrices that make them are drawn from the"
            f" seed {here.scenario.seed}, not learned: watch how the looks are made, not what they mean."
        )
    frame.arithmetic("self_arithmetic", len(here.words))
    frame.numpy_block("self_numpy", parts.block(here))
