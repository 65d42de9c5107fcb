"""The writer's loop as a picture: what each thing is made from, what is being made now, and the wiring that cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pages.parts.describe import count
from pages.parts.figures import Figure, canvas, plain, short
from pages.parts.scenario import Scenario

SUB = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
CIRCLE = 36  # pixels across
AIR = "\u00a0\u00a0\u00a0"  # between a name and the arrow beside it
CAPTION = 0.66  # how far above or below its node a name stands


def sub(n: int) -> str:
    """A number as an index: 12 is "₁₂"."""
    return str(n).translate(SUB)


@dataclass(frozen=True)
class Node:
    """A thing of the loop: where it stands, from which stage on it is there, and its colour."""

    x: float
    y: float
    stage: int
    symbol: str


@dataclass(frozen=True)
class Edge:
    """An arrow along some corners, first made use of at a stage."""

    stage: int
    corners: tuple[tuple[float, float], ...]
    dash: str = "solid"


# The columns of the page's bars stand under the nodes of the same name; to the right of each is room for its name.
NODES = {
    "before": Node(0.06, 0.0, 0, "s"),
    "h": Node(0.395, 1.0, 0, "h"),
    "scores": Node(0.235, 0.0, 1, "e"),
    "weights": Node(0.395, 0.0, 2, "alpha"),
    "context": Node(0.55, 0.0, 3, "c"),
    "memory": Node(0.715, 0.0, 4, "s"),
    "guess": Node(0.88, 0.0, 5, "s"),
    "written": Node(0.715, 1.0, 0, "s"),
    "word": Node(0.88, 1.0, 6, "s"),
}
TOP, BOTTOM, UNDER = 2.1, -1.5, -1.05
JOIN = 0.08  # how far before a node two arrows to it become one


def _at(name: str) -> tuple[float, float]:
    return NODES[name].x, NODES[name].y


def _by(start: str, end: str, *between: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    return (_at(start), *between, _at(end))


def _above(name: str, y: float) -> tuple[float, float]:
    return NODES[name].x, y


FROM_BEFORE = Edge(1, _by("before", "scores"))
EDGES = (
    Edge(1, _by("h", "scores", _above("scores", 1.0))),
    Edge(2, _by("scores", "weights")),
    Edge(3, _by("weights", "context")),
    Edge(3, _by("h", "context", _above("context", 1.0))),
    Edge(4, _by("before", "memory", _above("before", TOP), (_at("memory")[0] - JOIN, TOP), (_at("memory")[0] - JOIN, 0.0))),
    Edge(4, _by("context", "memory")),
    Edge(4, _by("written", "memory")),
    Edge(5, _by("context", "guess", _above("context", UNDER), _above("guess", UNDER))),
    Edge(5, _by("memory", "guess")),
    Edge(5, _by("written", "guess", (_at("guess")[0] - JOIN, 1.0), (_at("guess")[0] - JOIN, 0.0))),
    Edge(6, _by("guess", "word")),
)
NEXT = (
    Edge(6, _by("memory", "before", _above("memory", BOTTOM), _above("before", BOTTOM)), "dash"),
    Edge(6, _by("word", "written", _above("word", TOP), _above("written", TOP)), "dash"),
)
# The scores from s_t: with the three arrows from there to s_t it closes a circle.
WRONG = Edge(1, _by("memory", "scores", _above("memory", BOTTOM), _above("scores", BOTTOM)))
CIRCLE_EDGES = (EDGES[1], EDGES[2], EDGES[5], WRONG)


def picture(scenario: Scenario, stage: int, possible: bool, big: bool) -> Figure:
    """Draw the loop of the step in hand.

    Parameters
    ----------
    stage : int
        How many things the step has made, 1 to 6; the newest is lit.
    possible : bool
        False draws the scores' arrow from s_t instead, and the circle that it closes.
    big : bool
        For the projector.
    """
    return _picture(scenario.target, len(scenario.source), scenario.t, stage, possible, big)


@lru_cache(maxsize=256)
def _picture(target: tuple[str, ...], length: int, t: int, stage: int, possible: bool, big: bool) -> Figure:
    size = CIRCLE * (1.5 if big else 1.0)
    drawn: list[tuple[Edge, str, float, str]] = []
    for edge in (*((FROM_BEFORE,) if possible else ()), *EDGES, *(NEXT if possible else ())):
        if possible and edge.stage == stage:
            symbol = next(node.symbol for node in NODES.values() if node.stage == stage)
            drawn.append((edge, f"@{symbol}", 4, edge.dash))
        elif possible and edge.stage < stage:
            drawn.append((edge, "@text", 1.5, edge.dash))
        elif edge not in CIRCLE_EDGES or possible:
            drawn.append((edge, "@line", 1, "dot"))
    if not possible:
        drawn += [(edge, "@s", 4, "dash") for edge in CIRCLE_EDGES]
    lines: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [x for x, _ in edge.corners],
            "y": [y for _, y in edge.corners],
            "line": {"color": colour, "width": width, "dash": dash},
            "hoverinfo": "skip",
        }
        for edge, colour, width, dash in drawn
    ]
    return {
        "data": [*lines, *_nodes(target, length, t, stage if possible else 0, size)],
        "layout": canvas(
            xaxis={"visible": False, "range": [0.0, 1.0], "fixedrange": True},
            yaxis={"visible": False, "range": [BOTTOM - 0.15, TOP + 0.3], "fixedrange": True},
            margin={"l": 0, "r": 0, "t": 0, "b": 0},
            annotations=[_head(edge, colour, width, size) for edge, colour, width, _ in drawn],
        ),
    }


def _head(edge: Edge, colour: str, width: float, size: float) -> dict[str, Any]:
    """An arrow's head at the rim of the circle that it leads to; the tail is a few pixels long."""
    (x0, y0), (x1, y1) = edge.corners[-2:]
    way = ((x0 > x1) - (x0 < x1), (y0 < y1) - (y0 > y1))  # where the arrow comes from; pixels count downwards
    tail = size / 2 + 12
    return {
        "x": x1, "y": y1, "ax": way[0] * tail, "ay": way[1] * tail, "showarrow": True, "text": "", "standoff": size / 2 + 1,
        "arrowhead": 2, "arrowsize": 1 if width > 2 else 1.4, "arrowwidth": max(width * 0.8, 1), "arrowcolor": colour,
    }  # fmt: skip


def _nodes(target: tuple[str, ...], length: int, t: int, stage: int, size: float) -> list[dict[str, Any]]:
    """Circles with their signs in them and their names below; what is not made yet is pale and dotted round."""
    step, last = t + 1, f"–{length}" if length > 1 else ""
    told = {
        "before": (f"s{sub(t)}", "memory"),
        "h": (f"h<sub>1{last}</sub>", count(length, "word")),
        "scores": (f"e{sub(step)}", "scores"),
        "weights": (f"α{sub(step)}", "weights"),
        "context": (f"c{sub(step)}", "context"),
        "memory": (f"s{sub(step)}", "memory"),
        "guess": (f"ỹ{sub(step)}", "guess"),
        "written": (f"y{sub(t)}", plain(short(target[t - 1], 6)) if t else "no word yet"),
        "word": (f"y{sub(step)}", plain(short(target[t], 6)) if stage >= 6 else "word"),
    }
    nodes = [(name, NODES[name], *told[name]) for name in NODES]
    made = [node.stage <= stage for _, node, _, _ in nodes]
    lit = [node.stage == stage and stage > 0 for _, node, _, _ in nodes]
    x, y = [node.x for _, node, _, _ in nodes], [node.y for _, node, _, _ in nodes]
    inks = ["#ffffff" if node.symbol == "h" else "#000000" for _, node, _, _ in nodes]
    return [
        {
            "type": "scatter",
            "mode": "text",
            "x": x,
            "y": [v + CAPTION if v > 0 else v - CAPTION for v in y],
            "text": [f"{AIR}{name}" for _, _, _, name in nodes],
            "textposition": "middle right",  # beside the arrows that come and go above and below
            "cliponaxis": False,
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "x": x,
            "y": y,
            "marker": {
                "size": size,
                "opacity": 1,
                "color": [f"@{node.symbol}" if there else "@grid" for (_, node, _, _), there in zip(nodes, made, strict=True)],
                "line": {
                    "color": ["@text" if now else "@line" for now in lit],
                    "width": [4 if now else 1 for now in lit],
                },
            },
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "mode": "text",
            "x": x,
            "y": y,
            "text": [f"<b>{sign}</b>" if now else sign for (_, _, sign, _), now in zip(nodes, lit, strict=True)],
            "textfont": {"color": [ink if there else "@text" for ink, there in zip(inks, made, strict=True)]},
            "hoverinfo": "skip",
        },
    ]
