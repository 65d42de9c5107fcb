"""The worksheet on the page: to print, to download, and with a teacher's own questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.parts import worksheet
from pages.parts.content import ASSETS
from pages.parts.describe import count, verbatim
from pages.parts.questions import KINDS, Bank, Form, Question, house_bank, read_bank

EXAMPLES = ASSETS / "question_examples"
MOST_FILES = 10
SAID_FAULTS = 8  # more than anyone mends at a time
SAID_IDS = 6
LONGEST_FAULT = 300  # characters; a fault quotes what it found, and that may be anything


def show(forms: Sequence[tuple[Question, Form]], sheet: int, *, key: bool) -> None:
    """Show a sheet as it will be printed: the questions with room to answer, or the answer key.

    Parameters
    ----------
    forms : sequence of (Question, Form)
    sheet : int
        Gives the numbers and the order of the reasons.
    key : bool
        Whether to show the answers.
    """
    texts = (worksheet.key if key else worksheet.questions)(forms, sheet, worksheet.on_page)
    with st.container(border=True, key="worksheet_key" if key else "worksheet_sheet"):
        st.markdown(f"## {f'Answer key to sheet {sheet}' if key else f'Sheet {sheet}'}")
        if not key:
            st.markdown(worksheet.NAME_AND_DATE)
        for text in texts:
            st.markdown(text)


def downloads(forms: Sequence[tuple[Question, Form]], sheet: int) -> None:
    """Offer the sheet with its key as files, and say how to print."""
    with st.container(horizontal=True, vertical_alignment="center", key="worksheet_files", gap="small"):
        st.download_button(
            "Sheet and key as Markdown",
            lambda: worksheet.markdown(forms, sheet),  # written when it is asked for
            f"sheet-{sheet}.md",
            "text/markdown",
            key="worksheet_markdown",
            icon=":material/download:",
            on_click="ignore",
        )
        st.download_button(
            "For Moodle (GIFT)",
            lambda: worksheet.gift(forms, sheet),
            f"sheet-{sheet}-gift.txt",
            "text/plain",
            key="worksheet_gift",
            icon=":material/download:",
            on_click="ignore",
        )
        st.caption("To print: Ctrl + P (on a Mac ⌘ P). Only the sheet comes out.")


def own_bank() -> Bank:
    """The questions that a teacher has brought in this session, and what was wrong in the last file."""
    bank: Bank = st.session_state.get("own_bank", Bank({}, ()))
    return bank


def own_questions(key: str) -> None:
    """Bring questions of one's own, see what is wrong in a file, take the questions out again."""
    own = own_bank()

    def take_file() -> None:
        upload = st.session_state[f"{key}_file"]
        if upload is not None:
            _take(upload.name, upload.getvalue())

    st.file_uploader(
        "Open a file of questions (TOML, at most 1 MB)", type="toml", key=f"{key}_file", on_change=take_file, max_upload_size=1
    )
    if own.faults:
        more = len(own.faults) - SAID_FAULTS
        said = [verbatim(fault if len(fault) <= LONGEST_FAULT else f"{fault[:LONGEST_FAULT]} …") for fault in own.faults]
        listed = "\n".join(f"- {fault}" for fault in said[:SAID_FAULTS])
        st.warning(f"{listed}\n- and {count(more, 'more fault')}." if more > 0 else listed, icon=":material/edit:")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if own.questions:
            held = f"{count(len(own.questions), 'question')} of your own"
            st.markdown(
                f"In the bank: {held}, {verbatim(_listed(list(own.questions)))}. They stay until the page is loaded anew."
            )
            st.button("Take them out", key=f"{key}_out", icon=":material/close:", on_click=_take_out)
        kind = st.selectbox("An example to begin with", KINDS, key=f"{key}_kind", width=200)
        st.download_button(
            "Download it",
            examples()[kind],
            f"{kind.replace(' ', '-')}.toml",
            "application/toml",
            key=f"{key}_example",
            icon=":material/download:",
            on_click="ignore",
        )


@st.cache_data(show_spinner=False)
def examples() -> dict[str, str]:
    """A small file of questions for each kind, to be changed into one's own."""
    files = {kind: EXAMPLES / f"{kind.replace(' ', '_')}.toml" for kind in KINDS}
    return {kind: file.read_text(encoding="utf-8") for kind, file in files.items()}


def _take(name: str, content: bytes) -> None:
    """Read a file. What is good in it is taken; what is not leaves what was there before in place."""
    files: dict[str, Mapping[str, Question]] = st.session_state.setdefault("own_files", {})
    others = {id: question for file, held in files.items() if file != name for id, question in held.items()}
    try:
        read = read_bank(content.decode("utf-8-sig"), name, known={**house_bank().questions, **others})
    except UnicodeDecodeError:
        read = Bank({}, (f"{name}: it is not text in UTF-8; save it as such.",))
    if len(files | {name: {}}) > MOST_FILES:
        read = Bank({}, (f"{name}: there are {MOST_FILES} files already, and that is the most; take your questions out first.",))
    if read.questions:
        # The same file again replaces itself. With a fault in it, the questions that are missing may be the faulty ones.
        files[name] = {**files.get(name, {}), **read.questions} if read.faults else read.questions
    st.session_state["own_bank"] = Bank({id: q for held in files.values() for id, q in held.items()}, read.faults)


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(ids[:SAID_IDS]) + (" …" if len(ids) > SAID_IDS else "")


def _take_out() -> None:
    for key in ("own_files", "own_bank"):
        st.session_state.pop(key, None)
