"""Question bank

Every question of the course: predict, lock, be told why, try it; with numbers of its own for every sheet.

Stands on: 13.
"""

import streamlit as st

from pages.parts import bank, bank_cards, contents, controls, current, drawings, frame, worksheet_view
from pages.parts.describe import verbatim
from pages.parts.questions import KINDS, house_bank
from pages.parts.snippets import lab_block


def go(name: str) -> None:
    """Put a question on the page."""
    current.change_own(question=name)


def filters() -> None:
    """Which questions, how many, with which numbers."""
    pages = {page.number: page.label for page in contents.contents() if page.number}
    with st.popover(bank.filters_told(), icon=":material/tune:", key="bank_filters", width=270):
        controls.menu("bank_kind", "Kind", "kind", {"all kinds": "all kinds", **{kind: kind for kind in KINDS}}, width=300)
        controls.menu("bank_lesson", "Lesson", "lesson", {0: "all lessons", **pages}, width=300)
        controls.pick("bank_run", "How many", "run", help="A run of 5 or 10 for a class, drawn by the number of the sheet")
        controls.whole(
            "bank_sheet", "Sheet", "sheet", help="Another sheet has other numbers; the same sheet is the same everywhere"
        )
        bank.pick_by_hand("bank_picked")
        controls.pick("bank_wanted", "Show", "wanted", help="Not yet: what is not answered, or not right yet")


def steps(names: list[str], now: str) -> None:
    """Back, onwards, and anywhere."""
    place = names.index(now)
    before, after = names[place - 1] if place else "", names[place + 1] if place + 1 < len(names) else ""
    st.button("Previous", key="bank_before", icon=":material/chevron_left:", disabled=not before, on_click=go, args=(before,))
    st.session_state["bank_jump"] = now
    st.selectbox(
        f"Question {place + 1} of {len(names)}",
        names,
        key="bank_jump",
        width=170,
        on_change=lambda: go(st.session_state["bank_jump"]),
    )
    at_the_end = not after and current.own("wanted") == bank.ALL  # else it leads to what is left, or to the end
    st.button("Next", key="bank_after", icon=":material/chevron_right:", disabled=at_the_end, on_click=go, args=(after,))


with frame.page(__file__, *bank.SETTINGS):
    frame.idea("Say what you think, lock it, then be told why; and try it where it can be seen.")
    for fault in house_bank().faults:
        st.warning(verbatim(fault), icon=":material/report:")
    here, every, wanted = current.scenario(), bank.forms(), current.own("wanted")
    chosen = bank.chosen(every, *map(current.own, ("kind", "lesson", "run", "sheet", "picked")))
    now = bank.now(chosen, wanted) if current.own("view") == bank.ONE else ""
    forms = [every[name] for name in chosen]
    with st.container(horizontal=True, vertical_alignment="bottom", key="bank_tools", gap="small"):
        if now:
            steps(bank.queue(chosen, wanted, now), now)
        filters()
        controls.pick("bank_view", "As", "view", help="A worksheet to print or to download, and its key")
        st.markdown(bank.score_told(chosen), width="content")
    if not chosen:
        st.info("No question fits all of these filters. Widen one of them.", icon=":material/filter_alt:")
    elif now:
        bank_cards.show(now, *every[now])
        current.leave_question()
    elif current.own("view") == bank.ONE:
        st.success("Every question here is answered, and right. Take another sheet, or show all.", icon=":material/task_alt:")
    else:
        worksheet_view.show(forms, bank.sheet(), key=current.own("view") == bank.KEY)
        worksheet_view.downloads(forms, bank.sheet())
    with st.expander("Questions of your own", icon=":material/upload_file:", key="bank_own_panel"):
        worksheet_view.own_questions("bank_own")
    working = bank_cards.block(now, every[now][1]) if now else ""
    frame.numpy_block("bank_numpy", working or lab_block(here, drawings.step_of(here).annotations))
