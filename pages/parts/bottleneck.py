"""The figures of the bottleneck and of the bill: accuracy by length, as measured when the networks were made; costs by length."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from attention_core.seq2seq.model import Sizes
from attention_core.seq2seq.shipped import TEST
from pages.parts import bill, trained
from pages.parts.bill import Bill, Times
from pages.parts.describe import number, percent
from pages.parts.figures import Figure, canvas
from pages.parts.live import Drawing, Drawings, Slider

WITH, WITHOUT = "long-french", "long-french-without"
LONGEST = 2000  # words on the bill's sliders
GAP = "\u00a0\u00a0"  # between a mark and its number
CURVE = 49  # points of a line on log-log paper, enough for its bend
LEGEND = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False}


@dataclass(frozen=True)
class Accuracy:
    """Share of sentences without any mistake, by length.

    Attributes
    ----------
    bins : tuple of (int, int)
        Shortest and longest sentence of each bin, in words.
    attention, frozen : tuple of float
        With attention, and with one frozen vector.
    overall : tuple of float
        Both, over sentences of all lengths.
    command : str
        What makes both networks and their figures again.
    sizes : Sizes
        The same for both.
    sentences, steps : int
        How many sentences they were trained on, and for how many batches; the same for both.
    """

    bins: tuple[tuple[int, int], ...]
    attention: tuple[float, ...]
    frozen: tuple[float, ...]
    overall: tuple[float, float]
    command: str
    sizes: Sizes
    sentences: int
    steps: int

    def place(self, length: int) -> int:
        """The bin of a length."""
        return next(k for k, (low, high) in enumerate(self.bins) if low <= length <= high)

    @property
    def names(self) -> list[str]:
        """The bins as they are written."""
        return [f"{low}-{high}" for low, high in self.bins]


@cache
def accuracy() -> Accuracy:
    """Read the cards of both networks."""
    one, other = trained.card(WITH), trained.card(WITHOUT)
    by_length: Mapping[str, float] = one["exact_match_by_length"]
    return Accuracy(
        bins=tuple((int(low), int(high)) for low, high in (name.split("-") for name in by_length)),
        attention=tuple(by_length.values()),
        frozen=tuple(other["exact_match_by_length"][name] for name in by_length),
        overall=(one["scores"]["exact_match"], other["scores"]["exact_match"]),
        command=f"{one['command']} {WITHOUT}",
        sizes=Sizes(**one["sizes"]),
        sentences=one["training_sentences"],
        steps=one["recipe"]["steps"],
    )


def lengths() -> tuple[int, int]:
    """The shortest and the longest sentence that was measured."""
    bins = accuracy().bins
    return bins[0][0], bins[-1][1]


def sliders(length: int, T_x: int, T_y: int) -> list[Slider]:
    """The length of a sentence to translate, and both lengths of the bill."""
    low, high = lengths()
    counted = {"min": 1, "max": LONGEST, "least": 1, "most": LONGEST, "step": 1, "scale": "log"}
    sizes: Any = counted
    return [
        Slider("words", "words of the sentence to translate", length, 16, low, high, low, high, step=1, symbol="text"),
        Slider("T_x", "source words, T_x", T_x, 20, **sizes, symbol="h", apart=True),
        Slider("T_y", "target words, T_y", T_y, 20, **sizes, symbol="s"),
    ]


def drawn(length: int, it: Bill, times: Times | None, *, worked_out: bool) -> Drawings:
    """All frames of the page."""
    drawings: dict[str, Drawing] = {
        "bill_accuracy": accuracy_drawing(length),
        "bill_operations": operations_drawing(it),
        "bill_seconds": seconds_drawing(it, times),
        "bill_table": table_drawing(),
        "bill_said": {"label": "", "reading": said(length, it)},
    }
    if worked_out:
        drawings["bill_arithmetic"] = arithmetic_drawing(it)
    return drawings


def passed(length: int, it: Bill, times: Times | None) -> dict[str, Figure]:
    """What also follows positions that the hand has passed."""
    figures = {"bill_accuracy": accuracy_figure(length), "bill_operations": operations_figure(it)}
    return figures if times is None else {**figures, "bill_seconds": seconds_figure(it, times)}


def said(length: int, it: Bill) -> str:
    """Both halves of the page in a few words."""
    a = accuracy()
    k = a.place(length)
    return (
        f"{length} words: {percent(a.attention[k])} right with attention, {percent(a.frozen[k])} from one frozen vector."
        f" The bill: {it.T_x:,} × {it.T_y:,} = {it.scores:,} score{'s' * (it.scores > 1)};"
        f" both lengths doubled, {4 * it.scores:,}."
    )


# --- The bottleneck ---------------------------------------------------------------------------------------------------


def accuracy_figure(length: int) -> Figure:
    """Two lines over the bins, and the bin of the sentence."""
    a = accuracy()
    k, n = a.place(length), len(a.bins)
    shown = [percent(a.attention[k]), percent(a.frozen[k])]
    return {
        "data": [
            _line(list(range(n)), a.attention, "alpha", "circle", "attention", "%{customdata}: %{y:.1%}", a.names),
            _line(list(range(n)), a.frozen, "s", "square", "one vector", "%{customdata}: %{y:.1%}", a.names),
            _upright(k, 0.0, 1.0),
            {
                "type": "scatter", "mode": "text", "x": [k, k], "y": [a.attention[k] + 0.03, a.frozen[k] - 0.03],
                "text": shown, "textposition": ["top center", "bottom left"], "cliponaxis": False, "hoverinfo": "skip",
                "showlegend": False, "textfont": {"weight": 700},
            },
        ],
        "layout": canvas(
            showlegend=True,
            legend=LEGEND,
            xaxis={
                "range": [-0.5, n - 0.5], "tickvals": list(range(n)), "ticktext": a.names, "fixedrange": True,
                "showgrid": False, "zeroline": False, "title": {"text": "words in the sentence"},
            },
            yaxis={
                "range": [-0.16, 1.16], "tickvals": [0, 0.25, 0.5, 0.75, 1], "tickformat": ".0%", "fixedrange": True,
                "gridcolor": "@grid", "zerolinecolor": "@line",
            },
            margin={"l": 46, "r": 8, "t": 26, "b": 44},
        ),
    }  # fmt: skip


def accuracy_drawing(length: int) -> Drawing:
    """How many sentences come out without a mistake."""
    a = accuracy()
    told = [
        f"{name} words: {percent(x)} with attention, {percent(y)} without"
        for name, x, y in zip(a.names, a.attention, a.frozen, strict=True)
    ]
    k = a.place(length)
    return {
        "figure": accuracy_figure(length),
        "label": f"Line chart, sentences translated without any mistake by length. {'; '.join(told)}.",
        "reading": f"{a.names[k]} words: {percent(a.attention[k])} right with attention, {percent(a.frozen[k])} without.",
    }


def table_drawing() -> Drawing:
    """The measured figures as a table."""
    a = accuracy()
    rows = [[n, percent(x), percent(y)] for n, x, y in zip(a.names, a.attention, a.frozen, strict=True)]
    return {
        "table": {
            "columns": ["words", "with attention", "one frozen vector"],
            "rows": rows,
            "total": ["all", *(percent(share) for share in a.overall)],
        },
        "label": "Accuracy by length as a table",
        "reading": f"Sentences kept from training; the last row: {TEST:,} of all lengths.",
    }


# --- The bill ---------------------------------------------------------------------------------------------------------


def operations_figure(it: Bill) -> Figure:
    """Operations over T_x on log-log paper, T_y growing along in the proportion that is set."""
    grid = [LONGEST ** (k / (CURVE - 1)) for k in range(CURVE)]
    per_word = it.T_y / it.T_x
    bend = it.per_pair * per_word
    straight = (it.attention - it.scores * it.per_pair) / it.T_x
    carried = it.network / it.T_x
    lower, upper = sorted((it.attention, it.network))
    cross = it.crossing()
    inside = 1 <= cross <= LONGEST
    return {
        "data": [
            _line(grid, [(bend * x + straight) * x for x in grid], "alpha", "", "attention"),
            _line(grid, [carried * x for x in grid], "s", "", "network", dash="dash"),
            {
                "type": "scatter", "mode": "markers", "x": [cross if inside else 1], "y": [carried * cross if inside else 1],
                "marker": {"symbol": "x", "size": 10, "color": "@text"}, "showlegend": False,
                "hovertemplate": "both cost the same at T<sub>x</sub> = %{x:.0f}<extra></extra>",
            },
            _upright(it.T_x, 1.0, 1e13),
            _spot(it.T_x, it.attention, "alpha", "circle"),
            _spot(it.T_x, it.network, "s", "square"),
            # Both lines rise, so there is room above on the left and below on the right, but for the ends of the paper. The
            # line is not seen: texts alone are taken for the cells of a map, with one place per number on the axis.
            {
                "type": "scatter", "mode": "lines+text", "line": {"color": "rgba(0,0,0,0)"}, "x": [it.T_x, it.T_x],
                "y": [upper, lower], "text": [f"{GAP}{large(k)}{GAP}" for k in (upper, lower)],
                "textposition": [
                    "top left" if it.T_x >= 20 else "top right", "bottom right" if it.T_x <= 300 else "bottom center",
                ],
                "textfont": {"weight": 700}, "cliponaxis": False, "hoverinfo": "skip", "showlegend": False,
            },
        ],
        "layout": _paper("source words T<sub>x</sub>", LONGEST, [3.4, 9.4], "operations"),
    }  # fmt: skip


def operations_drawing(it: Bill) -> Drawing:
    """What is to be computed."""
    cross = it.crossing()
    where = f"Equal at T_x = {cross:,.0f}" if 1 <= cross <= LONGEST else f"Equal at T_x = {number(cross, 1)}, outside"
    return {
        "figure": operations_figure(it),
        "label": f"Line chart on log-log paper. T_x = {it.T_x:,}, T_y = {it.T_y:,}: attention {it.attention:,} operations,"
        f" recurrent network {it.network:,}. {where} if T_y grows along.",
        "reading": f"Attention {number(it.attention / it.network)} times the network. {where} if T_y grows along.",
    }


def seconds_figure(it: Bill, times: Times) -> Figure:
    """Measured processor time over the length of both sentences."""
    low, high = (math.log10(f(times.attention + times.network)) for f in (min, max))
    hover = "%{x} words: %{y:.2s}s"
    return {
        "data": [
            _line(times.lengths, times.attention, "alpha", "circle", "attention", hover),
            _line(times.lengths, times.network, "s", "square", "network", hover, dash="dash"),
            _upright(it.T_x, 1e-9, 1e4),
        ],
        "layout": _paper("words on both sides", LONGEST, [math.floor(low - 0.1), math.ceil(high + 0.1)], "s"),
    }


def seconds_drawing(it: Bill, times: Times | None) -> Drawing:
    """What it takes here, once somebody wants to know."""
    if times is None:
        return {"label": "", "reading": "Not measured yet. The button below does it, in about two seconds."}
    a, b = bill.doubling(times.lengths, times.attention), bill.doubling(times.lengths, times.network)
    since = times.dearer_from
    dearer = f"Attention is slower from {since} words on." if since else f"The network is slower up to {times.lengths[-1]} words."
    each = "; ".join(
        f"{n} words: {1000 * x:.2f} and {1000 * y:.2f} ms"
        for n, x, y in zip(times.lengths, times.attention, times.network, strict=True)
    )
    return {
        "figure": seconds_figure(it, times),
        "label": f"Line chart on log-log paper, processor time of attention and of the recurrent network. {each}.",
        "reading": f"Doubling makes attention {number(a, 1)} times, the network {number(b, 1)} times as long. {dearer}",
    }


def arithmetic_drawing(it: Bill) -> Drawing:
    """Every line of the bill."""
    rows = []
    for name, terms, total in (("attention", it.attention_terms, it.attention), ("network", it.network_terms, it.network)):
        for term in terms:
            rows.append([term.what, term.formula, " · ".join(f"{f:,}" for f in term.factors), f"{term.operations:,}"])
        rows.append([f"{name}, together", "", " + ".join(f"{term.operations:,}" for term in terms), f"{total:,}"])
    n, d_x, d_a = it.sizes.units, it.sizes.embedding, it.sizes.d_a
    return {
        "table": {
            "columns": ["what is done", "formula", "with numbers", "operations"],
            "rows": rows,
            "total": ["attention ÷ network", "", f"{it.attention:,} ÷ {it.network:,}", number(it.attention / it.network, 4)],
        },
        "label": "Arithmetic of the bill",
        "reading": f"n = dₛ = {n}, dᵥ = {d_x} numbers per word, dₐ = {d_a}, dₕ = 2 n = {2 * n}. Counted: a product with its sum,"
        " a tanh or σ, an exp, a division.",
    }


def large(count: int) -> str:
    """A large number as people say it.

    >>> large(400), large(226080), large(1043000000)
    ('400', '226,080', '1,043 million')
    """
    if count < 1_000_000:
        return f"{count:,}"
    return f"{count / 1e6:,.1f} million" if count < 1e8 else f"{count / 1e6:,.0f} million"


def _line(
    x: Sequence[float],
    y: Sequence[float],
    symbol: str,
    mark: str,
    name: str,
    hover: str = "",
    spots: list[str] | None = None,
    dash: str = "solid",
) -> dict[str, Any]:
    trace: dict[str, Any] = {
        "type": "scatter", "mode": "lines+markers" if mark else "lines", "x": list(x), "y": list(y), "name": name,
        "line": {"color": f"@{symbol}", "width": 2.5, "dash": dash},
    }  # fmt: skip
    if mark:
        trace["marker"] = {"symbol": mark, "size": 9, "color": f"@{symbol}"}
    if spots:
        trace["customdata"] = spots
    return trace | ({"hovertemplate": f"{hover}<extra>{name}</extra>"} if hover else {"hoverinfo": "skip"})


def _upright(x: float, low: float, high: float) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines", "x": [x, x], "y": [low, high], "hoverinfo": "skip", "showlegend": False,
        "line": {"color": "@text", "width": 1.5, "dash": "dot"},
    }  # fmt: skip


def _spot(x: int, operations: int, symbol: str, mark: str) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers", "x": [x], "y": [operations],
        "marker": {"size": 12, "color": f"@{symbol}", "symbol": mark},
        "cliponaxis": False, "showlegend": False, "hovertemplate": "%{y:,.0f} operations<extra></extra>",
    }  # fmt: skip


def _paper(what: str, longest: int, powers: list[float], unit: str) -> dict[str, Any]:
    ticks = {"thousand": [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10], "s": [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10]}
    texts = {
        "thousand": ["1,000", "10,000", "100,000", "1 million", "10 million", "100 million", "1 billion", "10 billion"],
        "s": ["10 µs", "0.1 ms", "1 ms", "10 ms", "0.1 s", "1 s", "10 s"],
    }
    kind = "s" if unit == "s" else "thousand"
    return canvas(
        showlegend=True,
        legend=LEGEND,
        xaxis={
            "type": "log", "range": [-0.15, math.log10(longest) + 0.45], "tickvals": [1, 10, 100, 1000], "fixedrange": True,
            "ticktext": ["1", "10", "100", "1,000"], "gridcolor": "@grid", "title": {"text": what},
        },
        yaxis={
            "type": "log", "range": powers, "tickvals": ticks[kind], "ticktext": texts[kind], "fixedrange": True,
            "gridcolor": "@grid",
        },
        margin={"l": 72, "r": 10, "t": 26, "b": 44},
    )  # fmt: skip
