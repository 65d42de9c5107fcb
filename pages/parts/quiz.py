"""Predict, lock, reveal: say what will happen before you touch it.

Who predicts first sees more (Crouch, Fagen, Callan & Mazur 2004). One gesture for all pages: pick an answer or sketch the
bars, change it until it is locked, and then be told what is right and why. Locked answers last for the session and can be
taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

import attention_core as ac
from pages.parts import current, describe, figures
from pages.parts.describe import number
from pages.parts.live import Drawing, Slider, live_figure, live_sliders

MOST = 100.0  # parts, the top of a sketching slider
LEAST = 0.5  # softmax gives no share of exactly 0, and so does no sketch


@dataclass(frozen=True)
class Sketch:
    """A locked sketch: what was asked, guessed and right."""

    words: tuple[str, ...]
    guess: tuple[float, ...]
    truth: tuple[float, ...]


def predict(key: str, question: str, answers: Sequence[str], *, right: int, why: str) -> bool:
    """Ask for a prediction; return whether it is locked.

    Parameters
    ----------
    key : str
        Begins with the page's slug.
    answers : sequence of str
        What can be chosen.
    right : int
        Index of the answer that turns out right.
    why : str
        Shown after locking, one or two sentences.
    """
    locked = _locked()
    with st.container(border=True, horizontal=True, vertical_alignment="bottom", key=f"{key}_box"):
        choice = st.radio(
            f"**Predict.** {question}",
            range(len(answers)),
            index=locked.get(key),
            format_func=lambda i: answers[i],
            key=f"{key}_choice",
            disabled=key in locked,
            horizontal=True,
            width="content",
        )
        if key not in locked:
            st.button(
                "Lock my answer",
                key=f"{key}_lock",
                disabled=choice is None,
                on_click=lambda: _lock(key, st.session_state[f"{key}_choice"]),
            )
            return False
        verdict = "Right." if locked[key] == right else f"It is: {answers[right].lower()}."
        icon = ":material/check_circle:" if locked[key] == right else ":material/lightbulb:"
        st.markdown(f"{icon} **{verdict}** {why}", width="stretch")
        st.button("Ask me again", key=f"{key}_again", on_click=lambda: locked.pop(key))
    return True


@st.fragment
def sketch(key: str, question: str, words: Sequence[str], truth: Sequence[float], *, why: str) -> None:
    """Ask for a sketch of weights, one bar per word; after locking show it as an outline around the right bars.

    Parameters
    ----------
    key : str
        Begins with the page's slug.
    words : sequence of str
    truth : sequence of float
        The right weights.
    why : str
        Shown after locking, one or two sentences.
    """
    locked = _locked()
    done: Sketch | None = locked.get(key)
    if done and done.words != tuple(words):
        done = None  # locked for another sentence: this one has not been asked yet
    parts_key, height = f"{key}_parts", 76 + 34 * min(len(words), 6)
    parts: list[float] = st.session_state.get(parts_key, [])
    if len(parts) != len(words):
        parts = st.session_state[parts_key] = [MOST / 2] * len(words)
    frame = f"{key}_bars"

    def take(values: list[float]) -> None:
        st.session_state[parts_key] = values

    panel = st.expander(f"**Predict.** {question}", key=f"{key}_panel", on_change="rerun", icon=":material/draw:")
    if not panel.open:
        return
    with panel:
        left, right = st.columns([1, 1.3], gap="small")
        with left:
            live_sliders(
                [] if done else _sketching(words, parts),
                key=f"{key}_hand",
                label="Your sketch: parts of one whole",
                epoch=f"{key} {len(words)} {bool(done)}",
                draw=lambda values: {frame: compared(done) if done else guessed(words, values)},
                between=lambda values: {frame: _outline(words, shares(values))},
                height=height,
                on_move=take,
                on_rest=lambda: None,
            )
            if done:
                st.markdown(f":material/insights: {verdict(done)} {why}")
                st.button("Ask me again", key=f"{key}_again", on_click=lambda: locked.pop(key))
            else:
                st.button(
                    "Lock my sketch",
                    key=f"{key}_lock",
                    on_click=lambda: _lock(key, Sketch(tuple(words), tuple(shares(parts)), tuple(truth))),
                )
        with right:
            live_figure(frame, heading="Your sketch of the weights", height=height, look=str(current.view().projector))


def _sketching(words: Sequence[str], parts: Sequence[float]) -> list[Slider]:
    return [
        Slider(
            word=word,
            spoken=f"guessed weight of {word}, position {i + 1}",
            value=part,
            home=MOST / 2,
            min=LEAST,
            max=MOST,
            least=LEAST,
            most=MOST,
            step=0.5,
            symbol="alpha",
        )
        for i, (word, part) in enumerate(zip(words, parts, strict=True))
    ]


def shares(parts: Sequence[float]) -> list[float]:
    """Parts as shares of one whole."""
    return [part / sum(parts) for part in parts]


def verdict(done: Sketch) -> str:
    """How far a sketch is from the truth, in nats and in words' worth.

    KL(truth, guess) is what a code made for the guess wastes on the truth; exp(H) says how many words' worth a look is
    spread over.
    """
    off = float(ac.kl_divergence(done.truth, done.guess))
    yours, real = (float(ac.effective_positions(np.array(row))) for row in (done.guess, done.truth))
    how = "Spot on." if off < 0.01 else "Close." if off < 0.1 else "Not yet."
    return f"**{how}** Off by {number(off, 3)} nats. You spread it over {number(yours)} words' worth; it is {number(real)}."


def guessed(words: Sequence[str], parts: Sequence[float]) -> Drawing:
    """The sketch while it is made."""
    return {
        "figure": _outline(words, shares(parts)),
        "label": f"Bar chart, your sketch: {describe.pairs(words, [number(a) for a in shares(parts)])}.",
        "reading": "Parts of one whole: raise one and the others give way.",
    }


def compared(done: Sketch) -> Drawing:
    """The locked sketch as an outline around the right bars."""
    return {
        "figure": figures.with_outline(figures.weight_bars(done.words, done.truth), done.guess),
        "label": f"Bar chart, right weights: {describe.pairs(done.words, [number(a) for a in done.truth])};"
        f" your sketch: {describe.pairs(done.words, [number(a) for a in done.guess])}.",
        "reading": "Filled: what it is. Outline: what you sketched.",
    }


def _outline(words: Sequence[str], guess: Sequence[float]) -> figures.Figure:
    return figures.with_outline(figures.weight_bars(words, [0.0] * len(words), numbers=False), guess)


def _locked() -> dict[str, Any]:
    locked: dict[str, Any] = st.session_state.setdefault("predictions", {})
    return locked


def _lock(key: str, answer: Any) -> None:
    _locked()[key] = answer
    current.done().add(current.page())
