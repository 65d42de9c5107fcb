"""A question of the bank as a card: predict, lock, reveal. One way of asking for each kind of answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages.parts import answers, asked, bank
from pages.parts.bank import Answer
from pages.parts.describe import verbatim
from pages.parts.live import live_formula
from pages.parts.questions import CARD, SPOT, TRUE_FALSE, Form, Question, Reason
from pages.parts.worksheet import order_of_reasons

RIGHT, HALF, WRONG = ":material/check_circle: **Right.**", ":material/star_half: **Half.**", ":material/lightbulb: **Not yet.**"
UNITS = {"number": "", "count": ", a whole number", "share": ", a share"}


def show(name: str, question: Question, form: Form) -> None:
    """Ask a question, or show what was answered and what is right."""
    locked = bank.answer(name)
    with st.container(border=True, key="bank_card"):
        lessons = ", ".join(str(n) for n in question.lessons)
        kind = question.kind if not form.recipe else f"{question.kind} · sheet {bank.sheet()}"
        st.caption(f"{name} · {kind} · lesson{'s' * (len(question.lessons) > 1)} {lessons} · {bank.mark(name)}")
        with st.container(key="bank_prompt"):
            st.markdown(form.asked(bank.sheet()))
        _way_of_asking(question, form)(name, question, form, locked)
        asked.show_experiment(name, question, revealed=locked is not None)


def block(name: str, form: Form) -> str:
    """The NumPy of a question's own working, once it is answered; nothing before."""
    return form.drawn(bank.sheet()).code if form.recipe and bank.answer(name) else ""


def _way_of_asking(question: Question, form: Form) -> Callable[[str, Question, Form, Answer | None], None]:
    if form.recipe:
        return _number
    return {TRUE_FALSE: _true_or_false, SPOT: _wrong_place, CARD: _card}.get(question.kind, _sentence)


def _true_or_false(name: str, question: Question, form: Form, locked: Answer | None) -> None:
    order = order_of_reasons(question, bank.sheet())
    if locked is None:
        left, right = st.columns([1, 4.5], gap="small")
        with left:
            said = _kept_radio(f"{name} verdict", "True or false?", {1: "True", 0: "False"})
        with right:
            because = _kept_radio(f"{name} because", "Because …", {k: question.reasons[k].text for k in order})

        def lock() -> None:
            right_reason = because is not None and not question.reasons[because].why
            bank.lock(name, (said, because), (0.5 + 0.5 * right_reason) * (said == question.answer))

        _lock_button(name, "Lock my answer", lock, missing=None in (said, because))
        return
    said, because = locked.given
    yours = "" if locked.points == 1 else f" You said {'true' if said else 'false'}."
    opening = {1.0: RIGHT, 0.5: HALF}.get(locked.points or 0.0, WRONG)
    _reveal(
        name,
        f"{opening} It is **{str(question.answer).lower()}**.{yours} {question.why}",
        "\n".join(_compared(reason, chosen=k == because) for k, reason in ((k, question.reasons[k]) for k in order)),
    )


def _compared(reason: Reason, *, chosen: bool) -> str:
    """A reason after the reveal: the right one and the chosen one stand out."""
    if not reason.why:
        return f"- :material/check: **{reason.text}**{' Your reason.' if chosen else ''}"
    return f"- :material/close: {reason.text} **Your reason.** {reason.why}" if chosen else f"- {reason.text}"


def _wrong_place(name: str, question: Question, form: Form, locked: Answer | None) -> None:
    pieces: list[dict[str, Any]] = [{"text": piece.text, "say": piece.say} for piece in question.pieces]
    chosen = bank.drafts().get(name) if locked is None else locked.given
    if locked is not None:
        pieces[locked.given]["mark"] = "your choice"
        place = next(i for i, piece in enumerate(question.pieces) if piece.wrong)
        pieces[place] |= {"mark": "here", "wrong": True}

    def choose(index: int) -> None:
        bank.drafts()[name] = index

    live_formula(
        f"bank_formula_{_slug(name)}",
        pieces,
        label=f"Choose the wrong place: {' '.join(piece.say or piece.text for piece in question.pieces)}",
        chosen=chosen,
        locked=locked is not None,
        on_choose=choose,
    )
    if locked is None:

        def lock() -> None:
            index = bank.drafts()[name]
            bank.lock(name, index, float(question.pieces[index].wrong))

        _lock_button(name, "Lock my choice", lock, missing=chosen is None)
        return
    piece = question.pieces[locked.given]
    _reveal(name, f"{RIGHT if piece.wrong else WRONG} {question.why}", f"Where you pointed: {piece.why}" if piece.why else "")


def _sentence(name: str, question: Question, form: Form, locked: Answer | None) -> None:
    key = f"bank_{_slug(name)}_sentence"
    if locked is None:
        st.session_state[key] = bank.drafts().get(name, "")

        def keep() -> None:
            bank.drafts()[name] = st.session_state[key]

        def lock() -> None:
            if st.session_state[key].strip():
                bank.lock(name, st.session_state[key].strip(), None)
            else:
                _hint(name, "Write a sentence first, as you would say it to a friend; then compare.")

        st.text_area("Your answer, in a sentence or two", key=key, on_change=keep, height=110, max_chars=1500)
        _lock_button(name, "Compare with a good answer", lock)
        return
    yours, good = st.columns(2, gap="medium")
    with yours:
        st.markdown("**You wrote**")
        st.markdown(verbatim(locked.given))
    with good:
        st.markdown("**A good answer**")
        st.markdown(question.why)
        st.markdown("It names:\n" + "\n".join(f"- {point}" for point in question.points))
    _rating(name, locked)


def _card(name: str, question: Question, form: Form, locked: Answer | None) -> None:
    if locked is None:
        st.markdown("Say it aloud or think it, then turn the card over.")
        _lock_button(name, "Turn over", lambda: bank.lock(name, None, None))
        return
    st.markdown(question.why)
    _rating(name, locked)


def _number(name: str, question: Question, form: Form, locked: Answer | None) -> None:
    drawn = form.drawn(bank.sheet())
    key = f"bank_{_slug(name)}_{bank.sheet()}_number"
    if locked is None:

        def lock() -> None:
            typed = st.session_state[key]
            bank.drafts()[key] = typed
            try:
                value = answers.typed_number(typed, drawn.unit)
            except ValueError as hint:
                _hint(name, str(hint))
                return
            if answers.percent_is_meant(value, drawn, form.within):
                _hint(name, f"A share lies between 0 and 1. If you mean percent, write {typed.strip()} %.")
                return
            verdict = answers.judge(value, drawn, form.within)
            bank.lock(name, (typed.strip(), verdict.slip), float(verdict.right))

        st.session_state[key] = bank.drafts().get(key, "")
        with st.form(f"bank_{_slug(name)}_form", border=False):
            st.text_input(
                f"Your answer{UNITS.get(drawn.unit, f', in {drawn.unit}')}",
                key=key,
                width=260,
                max_chars=60,
            )
            st.form_submit_button("Lock my answer", type="primary", on_click=lock)
        _say_hint(name)
        st.caption(f"Anything within {form.within:g} counts, and more digits are fine. You may type 0.67, 0,67, 2/3 or 6.7e-1.")
        return
    typed, slip = locked.given
    said = [RIGHT] if locked.points == 1 else [WRONG, f"You typed {verbatim(typed)}."]
    if slip in form.slips:
        said.append(form.said(form.slips[slip], bank.sheet()))
    unit = "" if drawn.unit in UNITS else f" {drawn.unit}"
    said.append(f"The answer is {drawn.given['answer']}{unit}.")
    _reveal(name, " ".join(said), form.said(form.solution, bank.sheet()))


def _reveal(name: str, *texts: str) -> None:
    for text in texts:
        if text:
            st.markdown(text)
    _again(name)


def _rating(name: str, locked: Answer) -> None:
    """How good was it? Nobody but the reader can say."""
    key = f"bank_{_slug(name)}_rating"
    st.session_state[key] = next((r for r in bank.RATINGS if bank.POINTS[r] == locked.points), None)

    def rated() -> None:
        if st.session_state[key]:
            bank.rate(name, st.session_state[key])

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Compared with that, I …",
            bank.RATINGS,
            key=key,
            on_change=rated,
        )
        _again(name)


def _again(name: str) -> None:
    st.button("Ask me again", key=f"bank_{_slug(name)}_again", on_click=lambda: bank.ask_again(name))


def _lock_button(name: str, label: str, lock: Callable[[], None], *, missing: bool = False) -> None:
    st.button(label, key=f"bank_{_slug(name)}_lock", type="primary", disabled=missing, on_click=lock)
    _say_hint(name)


def _hint(name: str, text: str) -> None:
    st.session_state["bank_hint"] = name, text


def _say_hint(name: str) -> None:
    """What is missing, said once."""
    of, text = st.session_state.pop("bank_hint", ("", ""))
    if of == name:
        st.warning(verbatim(text), icon=":material/edit:")


def _kept_radio(key: str, label: str, options: Mapping[int, str]) -> int | None:
    """A choice that is still there when the reader comes back from another page."""
    widget = f"bank_{_slug(key)}"
    st.session_state[widget] = bank.drafts().get(key)
    chosen: int | None = st.radio(
        label,
        options,
        index=None,
        format_func=options.__getitem__,
        key=widget,
        on_change=lambda: bank.drafts().update({key: st.session_state[widget]}),
    )
    return chosen


def _slug(name: str) -> str:
    return name.replace(".", "-").replace(" ", "_")
