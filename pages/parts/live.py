"""The browser components, typed: sliders that speak while they are dragged, figures that stay, a formula to point at.

Why not the native ones: `st.slider` sends on release only, and `st.plotly_chart` builds its chart anew whenever a number
changes. How the pieces work together, for a page that moves:

1. The page places empty frames with `live_figure` where it wants them, outside any fragment, each with a fixed height.
2. Inside one `st.fragment` it calls `live_sliders`, which also carries the drawings for all frames. So a movement
   costs one rerun of one fragment and one message to the browser.
3. Between two answers a hand goes through several positions. A report holds up to `PATH` of them, the newest last. The
   newest is drawn in full; of the others just the bars, which the browser shows one after the other. So bars pass where
   the hand passed, and a busy server is not asked for more than the eye follows.
4. A point in a figure can be dragged too (`draggable`). The browser says where the hand is in the figure's coordinates,
   the page says which slider values that means (`on_point`), and from there on it is a movement of the sliders.

The scripts live in ``assets/components/`` and are served as files; what Streamlit sends with every update is a short loader.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict

import plotly
import streamlit as st
from streamlit.components.v1 import declare_component
from streamlit.components.v2 import component

PATH = 6  # positions in one report, at most; component.js of the sliders keeps to the same number
FARTHEST = 1e6  # no figure has coordinates beyond this
MOVES = ("x", "y", "z", "base", "text")  # what marks.js moves

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "components"


class Table(TypedDict):
    """Texts in rows; the first column names the row, the last row is the sum."""

    columns: list[str]
    rows: list[list[str]]
    total: list[str]


class Drawing(TypedDict, total=False):
    """What one frame shows: a figure, a table, or just its sentence."""

    figure: dict[str, Any]  # a Plotly figure as plain data
    table: Table
    label: str  # the figure in words, for those who hear the page
    reading: str  # the sentence under the figure


Drawings = Mapping[str, Drawing]


@dataclass(frozen=True)
class Slider:
    """One slider of a group.

    `min` and `max` bound the track, `least` and `most` bound what may be typed; `home` is where double-click and Delete
    go. `symbol` names its colour ("e", "alpha", …), `apart` draws a line above it.
    """

    word: str
    spoken: str
    value: float
    home: float
    min: float
    max: float
    least: float
    most: float
    step: float = 0.1
    symbol: str = "e"
    scale: Literal["linear", "log"] = "linear"
    apart: bool = False


def _served(name: str, folder: Path) -> str:
    """Let Streamlit serve a folder; return its address below the app's root."""
    return f"component/{declare_component(name, path=str(folder)).name}"


# Browsers keep these files, and the scripts import one another: another content must be another folder.
_CONTENT = hashlib.sha256(b"".join(p.read_bytes() for p in sorted(ASSETS.rglob("*.js")))).hexdigest()[:12]
_SCRIPTS = _served(f"live_{_CONTENT}", ASSETS)
_PLOTLY = _served(f"plotly_{plotly.__version__.replace('.', '_')}", Path(plotly.__file__).parent / "package_data")


def _loader(name: str) -> str:
    """A component script that fetches the real one: the app's root is where Streamlit's own script came from."""
    return f"""
const root = document.querySelector('script[src*="static/js/"]').src.replace(/static\\/js\\/.*$/, "");
const module = import(`${{root}}{_SCRIPTS}/{name}/component.js`);
export default (instance) => {{
  module.then(({{ render }}) => render({{ ...instance, root }}));
  return () => module.then(({{ forget }}) => forget(instance));
}};
"""


def _declare(name: str) -> Callable[..., Any]:
    html = (ASSETS / name / "component.html").read_text(encoding="utf-8")
    return component(name, html=html, js=_loader(name), isolate_styles=False)


_figure = _declare("live_figure")
_sliders = _declare("live_sliders")
_bar = _declare("frame_bar")
_formula = _declare("live_formula")


def style() -> str:
    """The components' stylesheets, for the page's one style element."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(ASSETS.glob("*/component.css")))


def live_figure(
    key: str,
    *,
    heading: str,
    height: int,
    look: str = "",
    on_click: Callable[[int, int], None] | None = None,
    draggable: bool = False,
    ground: Sequence[dict[str, Any]] = (),
) -> None:
    """Place a frame that keeps its node; its drawing arrives with `live_sliders`.

    Parameters
    ----------
    key : str
        The frame's name among the drawings, and its CSS class ``st-key-<key>``.
    heading : str
        One line above the figure.
    height : int
        Pixels, heading and reading line included. Fixed, so that nothing jumps.
    look : str
        Changes when type or strokes change (the projector), so that the figure is painted again.
    on_click : callable, optional
        Called with (row, column), 0-based, when a cell is clicked; the whole page reruns after it.
    draggable : bool
        Whether a hand may drag a point over the plot; see `on_point` of `live_sliders`.
    ground : sequence of dict
        Traces that lie below the drawing and do not move with the hand, such as a coloured ground of thousands of points:
        they travel when the page runs, not with every movement. Not of a type that moves: "contour", say.
    """
    movable: set[str] = st.session_state.setdefault("draggable", set())
    (movable.add if draggable else movable.discard)(key)

    def clicked() -> None:
        cell = st.session_state[key].get("clicked")
        row, column = (cell.get("row"), cell.get("column")) if isinstance(cell, dict) else (None, None)
        # True is an int in Python.
        if on_click and type(row) is int and type(column) is int and row >= 0 and column >= 0:
            on_click(row, column)

    _figure(
        key=key,
        data={
            "frame": key,
            "heading": heading,
            "clickable": on_click is not None,
            "draggable": draggable,
            "ground": list(ground),
            "plotly": f"{_PLOTLY}/plotly.min.js",
            "look": look,
            "height": height,
        },
        on_clicked_change=clicked,
    )


def live_sliders(
    sliders: Sequence[Slider],
    *,
    key: str,
    label: str,
    epoch: str,
    draw: Callable[[list[float]], Drawings],
    between: Callable[[list[float]], Mapping[str, dict[str, Any]]],
    height: int,
    on_move: Callable[[list[float]], None],
    on_rest: Callable[[], None],
    on_point: Callable[[str, float, float], list[float] | None] | None = None,
) -> None:
    """Show a group of sliders and bring the drawings of their page with them. Call it inside an `st.fragment`.

    Parameters
    ----------
    sliders : sequence of Slider
    key : str
        Name of the group, and its CSS class.
    label : str
        The group in words, for those who hear the page.
    epoch : str
        Whose values these are. A report that was sent for another epoch (before a reset, for another step) is dropped.
    draw : callable
        What the frames show for given slider values.
    between : callable
        The figures, by frame name, that also follow positions the hand has passed: those next to the sliders.
    height : int
        Pixels; more sliders than fit scroll inside.
    on_move : callable
        Called with the newest values of all sliders before the fragment runs again.
    on_rest : callable
        Called once a movement has ended.
    on_point : callable, optional
        Turns a point (frame, x, y) that a hand drags in a draggable frame into values of all sliders; None lets it pass.
    """
    path_key, frames_key = f"{key}_path", f"{key}_frames"

    def moved() -> None:
        report = st.session_state[key].get("moved")
        path = checked(report, epoch, sliders)
        if path is None and on_point:
            frames = st.session_state["draggable"] & st.session_state[frames_key]
            points = [on_point(*point) for point in checked_points(report, epoch, frames) or []]
            path = checked({"epoch": epoch, "path": [values for values in points if values is not None]}, epoch, sliders)
        if path:
            *st.session_state[path_key], newest = path
            on_move(newest)

    def settled() -> None:
        if st.session_state[key].get("settled"):
            on_rest()

    report = st.session_state.get(key, {}).get("moved")
    seq = report.get("seq") if isinstance(report, dict) else None
    drawings = draw([slider.value for slider in sliders])
    st.session_state[frames_key] = set(drawings)
    data = {
        "label": label,
        "epoch": epoch,
        "seq": seq if type(seq) is int else 0,
        "height": height,
        "sliders": [vars(slider) for slider in sliders],
        "drawings": drawings,
        "passed": [moving_parts(between(values)) for values in st.session_state.pop(path_key, [])],
    }
    _sliders(
        key=key,
        # Bytes pass through as they are; a dictionary would be searched for tables and written out twice.
        data=json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(),
        on_moved_change=moved,
        on_settled_change=settled,
    )


def moving_parts(figures: Mapping[str, dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """What differs between two figures of one movement: the values of their traces."""
    return {name: [{k: trace[k] for k in MOVES if k in trace} for trace in figure["data"]] for name, figure in figures.items()}


def frame_bar(
    *, query: str, projector: bool, trouble: str, on_projector: Callable[[bool], None], on_open: Callable[[str], None]
) -> None:
    """Show the page's tools: course map, symbols, copy link, light or dark, projector.

    Parameters
    ----------
    query : str
        The escaped parameters of the link to copy.
    projector : bool
        Whether the projector's look is on.
    trouble : str
        Why the link cannot be copied; empty if it can.
    on_projector : callable
        Called with the new state of the projector switch; the whole page reruns after it.
    on_open : callable
        Called with "map" or "symbols"; the whole page reruns after it.
    """

    def pressed() -> None:
        on_projector(st.session_state["frame_bar"].get("projector") is True)

    def opened() -> None:
        on_open(str(st.session_state["frame_bar"].get("open")))

    _bar(
        key="frame_bar",
        data={"query": query, "projector": projector, "trouble": trouble, "themes": _themes()},
        on_projector_change=pressed,
        on_open_change=opened,
    )


def live_formula(
    key: str,
    pieces: Sequence[Mapping[str, Any]],
    *,
    label: str,
    chosen: int | None,
    locked: bool,
    on_choose: Callable[[int], None],
) -> None:
    """Show a formula in pieces, one of which can be chosen by hand or by keyboard.

    Parameters
    ----------
    key : str
        Its name, and its CSS class.
    pieces : sequence of mapping
        Each with "text", in which ``_{…}`` lowers and ``^{…}`` raises; "say", what a screen reader calls a piece that can
        be chosen; "mark", a word below it; "wrong", whether it is framed as the wrong one.
    label : str
        The whole formula in words, for those who hear the page.
    chosen : int or None
        Index of the chosen piece.
    locked : bool
        Whether the choice stands.
    on_choose : callable
        Called with the index of a piece that can be chosen; the whole page reruns after it.
    """

    def picked() -> None:
        index = st.session_state[key].get("chosen")
        # True is an int in Python.
        if not locked and type(index) is int and 0 <= index < len(pieces) and pieces[index].get("say"):
            on_choose(index)

    data = {"pieces": [dict(piece) for piece in pieces], "label": label, "chosen": chosen, "locked": locked}
    _formula(key=key, data=data, on_chosen_change=picked)


def _themes() -> dict[str, dict[str, str]]:
    """Both themes of the configuration, as the browser takes them."""
    shared = {name: st.get_option(f"theme.{name}") for name in ("paddingTop", "paddingBottom")}
    return {ground: {**shared, "primaryColor": st.get_option(f"theme.{ground}.primaryColor")} for ground in ("light", "dark")}


def checked(report: object, epoch: str, sliders: Sequence[Slider]) -> list[list[float]] | None:
    """Positions from the browser, oldest first; None if they are not of this epoch, not one value per slider, or not in bounds.

    The browser keeps to the bounds; a report that does not is nobody's movement.
    """
    if not isinstance(report, dict) or report.get("epoch") != epoch:
        return None
    path = report.get("path")
    if not isinstance(path, list) or not 1 <= len(path) <= PATH:
        return None
    for values in path:
        if not isinstance(values, list) or len(values) != len(sliders):
            return None
        for value, slider in zip(values, sliders, strict=True):
            # NaN fails every comparison; a whole number too large for a float compares all the same.
            if type(value) not in (int, float) or not slider.least <= value <= slider.most:
                return None
    return [[float(value) for value in values] for values in path]


def checked_points(report: object, epoch: str, frames: Collection[str]) -> list[tuple[str, float, float]] | None:
    """Points from the browser, oldest first, each with its frame; None if they are not of this epoch and of one of these frames.

    A hand may leave the figure, so a point may lie anywhere; but it is two finite numbers.
    """
    if not isinstance(report, dict) or report.get("epoch") != epoch:
        return None
    frame, points = report.get("frame"), report.get("points")
    if not isinstance(frame, str) or frame not in frames:
        return None
    if not isinstance(points, list) or not 1 <= len(points) <= PATH:
        return None
    for point in points:
        if not isinstance(point, list) or len(point) != 2:
            return None
        # NaN fails the comparison; a whole number too large for a float compares all the same.
        if any(type(x) not in (int, float) or not abs(x) <= FARTHEST for x in point):
            return None
    return [(frame, float(x), float(y)) for x, y in points]
