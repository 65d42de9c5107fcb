"""Predict, lock, reveal: say what will happen before you touch it.

Who predicts first sees more (Crouch, Fagen, Callan & Mazur 2004). An answer can be changed until it is locked; then the page
says what is right and why. Locked answers last for the session.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st


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
    locked: dict[str, int] = st.session_state.setdefault("predictions", {})

    def forget() -> None:
        locked.pop(key, None)

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
                on_click=lambda: locked.update({key: st.session_state[f"{key}_choice"]}),
            )
            return False
        verdict = "Right." if locked[key] == right else f"It is: {answers[right].lower()}."
        icon = ":material/check_circle:" if locked[key] == right else ":material/lightbulb:"
        st.markdown(f"{icon} **{verdict}** {why}", width="stretch")
        st.button("Ask me again", key=f"{key}_again", on_click=forget)
    return True
