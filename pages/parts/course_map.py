"""The course map: which lesson stands on which, where the reader is, what is done. And the list of symbols."""

from __future__ import annotations

from collections import Counter
from urllib.parse import quote

import streamlit as st

from pages.parts import contents, current
from pages.parts.content import glossary
from pages.parts.contents import Page
from pages.parts.describe import verbatim

GREY = "#80858e"  # stands out from a light and from a dark ground
ROW, CARD = 74, 46  # pixels from one row of cards to the next, and the height of a card


@st.dialog("Course map", width="large")
def show_map() -> None:
    """Open the map."""
    here, done = current.page(), current.done()
    pages = contents.contents()
    places = layout(pages)
    height = ROW * (1 + max(row for row, _, _ in places.values()))
    st.markdown(
        f"An arrow leads from a lesson to one that stands on it. Predicted so far: {len(done)} of {len(pages) - 1} lessons."
    )
    with st.container(key="course_map", height=height, border=False):
        st.html(f"<style>{_style(pages, places, height)}</style>")
        for page in pages:
            with st.container(key=f"map_card_{page.number}"):
                st.page_link(
                    page.file,
                    label=page.label,
                    icon=icon(page, here, done),
                    query_params=current.link_to_write(page.slug),
                    help=told(page, here, done),
                )


def icon(page: Page, here: str, done: set[str]) -> str | None:
    """The mark of a page in menu and map."""
    if page.slug == here:
        return ":material/my_location:"
    return ":material/check_circle:" if page.slug in done else None


def told(page: Page, here: str, done: set[str]) -> str | None:
    """A page's summary, and what its mark means."""
    marks = ["You are here."] * (page.slug == here) + ["Done."] * (page.slug in done)
    return " ".join([page.summary, *marks]).strip() or None


def layout(pages: tuple[Page, ...]) -> dict[int, tuple[int, float, float]]:
    """Give every page, by number, a row, and where in the row its card begins and ends, from 0 to 1.

    A page stands one row below the lowest page that it needs, so that every arrow points down.
    """
    rows: dict[int, int] = {}
    for page in pages:
        rows[page.number] = 1 + max((rows[need] for need in page.needs if need in rows), default=-1)
    in_row = Counter(rows.values())
    seen: Counter[int] = Counter()
    places = {}
    for number, row in rows.items():
        width = 1 / in_row[row]
        air = 0.02 if in_row[row] > 1 else 0.2
        places[number] = row, (seen[row] + air) * width, (seen[row] + 1 - air) * width
        seen[row] += 1
    return places


def _style(pages: tuple[Page, ...], places: dict[int, tuple[int, float, float]], height: int) -> str:
    """Where the cards stand, and behind them the arrows, as a stylesheet. No word of a reader is in it.

    The arrows are a picture inside the stylesheet because Streamlit takes drawings out of HTML.
    """
    rules = [
        f".st-key-map_card_{n} {{ position: absolute; left: {100 * left:.1f}%; width: {100 * (right - left):.1f}%;"
        f" top: {ROW * row}px; height: {CARD}px; }}"
        for n, (row, left, right) in places.items()
    ]
    lines = []
    for page in pages:
        row, left, right = places[page.number]
        for above, from_left, from_right in (places[need] for need in page.needs if need in places):
            x1, x2 = 500 * (from_left + from_right), 500 * (left + right)
            y1, y2 = above * ROW + CARD, row * ROW - 2
            bend = (y2 - y1) / 2
            lines.append(f"M{x1:.0f},{y1} C{x1:.0f},{y1 + bend:.0f} {x2:.0f},{y2 - bend:.0f} {x2:.0f},{y2}")
            lines.append(f"M{x2 - 8:.0f},{y2 - 8} L{x2:.0f},{y2} L{x2 + 8:.0f},{y2 - 8}")
    path = f"<path d='{' '.join(lines)}' vector-effect='non-scaling-stroke'/>"
    size = f"viewBox='0 0 1000 {height}' preserveAspectRatio='none'"
    picture = f"<svg xmlns='http://www.w3.org/2000/svg' {size} fill='none' stroke='{GREY}' stroke-width='2'>{path}</svg>"
    return f"""{" ".join(rules)} .st-key-course_map {{ background-image: url("data:image/svg+xml,{quote(picture)}"); }}"""


@st.dialog("Symbols", width="large")
def show_symbols() -> None:
    """Open the list of symbols."""
    st.markdown("Every symbol of the course, how to say it, its size, and what the two papers call it.")
    labels = {page.number: page.label for page in contents.contents()}
    head = ["Symbol", "Say", "What it is", "Size", "Lesson", "Bahdanau and others 2015", "Luong and others 2015"]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for s in glossary():
        cells = (s.sign, s.say, s.means, s.size, labels.get(s.lesson, str(s.lesson)), s.bahdanau, s.luong)
        lines.append("| " + " | ".join(verbatim(cell) for cell in cells) + " |")
    with st.container(key="symbols"):
        st.markdown("\n".join(lines))
