"""What every page wears: title, course menu, tools, style; at the foot, previous and next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from pages.parts import asked, contents, course_map, current, describe, server
from pages.parts.live import frame_bar, live_figure, style
from pages.parts.scenario import MAX_LINK, query
from pages.parts.settings import Setting

APP = "Attention, hands on"
STYLE = Path(__file__).resolve().parents[2] / "assets" / "style"


@contextmanager
def page(file: str, *settings: Setting) -> Iterator[contents.Page]:
    """Dress a page. All that the page shows goes inside; the link is written when it is done.

    Parameters
    ----------
    file : str
        The page's own ``__file__``; its docstring gives title and summary.
    settings : Setting
        The page's own switches and sizes. `current.own` gives their values, `controls` has their widgets, and they stand
        in the page's link.
    """
    here = contents.page_of(file)
    st.set_page_config(
        page_title=f"{here.title} · {APP}" if here.number else APP,
        page_icon=str(STYLE / "favicon.png"),
        layout="wide",
        initial_sidebar_state="collapsed",
    )
    server.make_ready()
    troubles = current.read_link(here.slug, settings)
    _style()
    _menu(here)
    with st.container(horizontal=True, vertical_alignment="center", key="frame_head", gap="small"):
        st.title(here.label if here.number else APP, anchor=False, width="content")
        _bar()
    if troubles:
        st.warning(describe.verbatim(" ".join(troubles)), icon=":material/link_off:")
    asked.show_way_back()
    yield here
    asked.show_questions(here)
    _foot(here)
    wanted = st.session_state.pop("frame_wanted", None)
    if wanted == "map":
        course_map.show_map()
    elif wanted == "symbols":
        course_map.show_symbols()
    current.write_link()


def idea(text: str) -> None:
    """The page's idea, in one sentence; it stays in projector mode."""
    with st.container(key="frame_idea"):
        st.markdown(text)


def arithmetic(key: str, rows: int) -> None:
    """The worked numbers, on demand: a table that follows the hand."""
    with _panel(key, "Arithmetic: every number worked out", ":material/calculate:") as panel:
        if panel.open:
            live_figure(key, heading="", height=110 + 31 * rows)


def is_open(key: str) -> bool:
    """Whether the reader has opened this panel; a closed one costs a moving hand nothing."""
    return bool(st.session_state.get(f"{key}_panel"))


def numpy_block(key: str, block: str) -> None:
    """The same in NumPy, on demand, with the current numbers in it."""
    with _panel(key, "NumPy: the same in code", ":material/code:") as panel:
        if panel.open:
            st.markdown("Paste it into Python; it prints the numbers you see.")
            st.code(block, language="python", wrap_lines=True)  # nothing to scroll sideways, with or without a mouse


def _panel(key: str, label: str, icon: str) -> ExpanderContainer:
    """A panel that is filled when it is opened: whatever stands on a page is looked through at every movement."""
    return st.expander(label, icon=icon, key=f"{key}_panel", on_change="rerun")


def _style() -> None:
    sheets = [*((STYLE / name).read_text(encoding="utf-8") for name in ("page.css", "print.css")), style()]
    if current.view().projector:
        sheets.append((STYLE / "projector.css").read_text(encoding="utf-8"))
    st.html("<style>" + "\n".join(sheets) + "</style>")


def _menu(here: contents.Page) -> None:
    with st.sidebar:
        st.markdown(f"**{APP}**")
        for page in contents.contents():
            st.page_link(
                page.file,
                label=page.label,
                icon=course_map.icon(page, here.slug, current.done()),
                query_params=current.link_to_write(page.slug),
                help=course_map.told(page, here.slug, current.done()),
            )


def _bar() -> None:
    trouble = ""
    if current.link_is_too_long():
        trouble = (
            f"The link would pass {MAX_LINK:,} characters, and some programs cut it there. Save the scenario as a file instead."
        )

    def projector(on: bool) -> None:
        current.look(replace(current.view(), projector=on))

    frame_bar(
        query=query(current.link_to_write()),
        projector=current.view().projector,
        trouble=trouble,
        on_projector=projector,
        on_open=lambda what: st.session_state.update(frame_wanted=what),
    )
    if trouble:
        st.caption(trouble)


def _foot(here: contents.Page) -> None:
    before, after = contents.neighbours(here)
    st.space("small")
    with st.container(horizontal=True, horizontal_alignment="distribute", key="frame_foot"):
        for page, way in ((before, "Back"), (after, "Next")):
            if page:
                st.page_link(
                    page.file,
                    label=f"{way}: {page.label}",
                    icon=":material/arrow_back:" if way == "Back" else ":material/arrow_forward:",
                    query_params=current.link_to_write(page.slug),
                )
