"""The figures of self-attention: the row in hand as scores, weights and blend; a map per head; the row worked out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np

import attention_core as ac
from pages.parts import describe, figures
from pages.parts.describe import Unit, exact, named, number, percent
from pages.parts.drawings import small
from pages.parts.figures import CIVIDIS, NUMBERS_UP_TO, Figure, canvas, plain, short, word_axis
from pages.parts.live import Drawing, Drawings
from pages.parts.microscope_figures import texts_at
from pages.parts.self_attention import D_K, DIVIDED, RIGHT, Head, SelfAttention

REACHES = (2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0)  # ends of axes: they change seldom while a hand moves
NOTHING = "nothing to attend to"
NO_SHARE = "0 ÷ 0: no weights"
ROOM_FOR_SUM = 42


def drawn(s: SelfAttention, unit: Unit, *, worked_out: bool) -> Drawings:
    """All frames of the page."""
    drawings: dict[str, Drawing] = {
        "self_scores": scores_drawing(s),
        "self_weights": weights_drawing(s),
        "self_blend": blend_drawing(s),
        **{f"self_head{k + 1}": map_drawing(s, k, unit) for k in range(len(s.heads))},
        "self_said": {"label": "", "reading": said(s, unit)},
    }
    if worked_out:
        drawings["self_arithmetic"] = arithmetic_drawing(s)
    return drawings


def passed(s: SelfAttention) -> dict[str, Figure]:
    """What also follows positions that the hand has passed."""
    return {
        "self_scores": scores_figure(s),
        "self_weights": weights_figure(s),
        f"self_head{s.choices.head + 1}": map_figure(s, s.choices.head),
    }


def heights(words: int, projector: bool) -> tuple[int, int, int]:
    """Of the row in hand, the maps and the sentence: more for many words, and for large type."""
    maps = 210 if words <= 6 else 290 if words <= 12 else 420
    return (340, maps + 100, 84) if projector else (234, maps, 34)


def headings(s: SelfAttention) -> list[str]:
    """One for each map."""
    return [f"Head {k + 1}{', in hand' if k == s.choices.head else ''}" for k in range(len(s.heads))]


def why_not(s: SelfAttention) -> str:
    """What stands in a row without weights."""
    return NOTHING if s.choices.way == RIGHT else NO_SHARE


def said(s: SelfAttention, unit: Unit) -> str:
    """The row in hand in one sentence, and what the mask did to it."""
    head, i, way = s.held, s.i, s.choices.way
    opening = f"Head {s.choices.head + 1}: "
    if not head.there[i]:
        if way == RIGHT:
            return f"{opening}every place is masked, so {named(s.words, i)} has nothing to attend to. Softmax refuses such a row."
        return f"{opening}all that is left of the row is 0, and 0 ÷ 0 is no number: {named(s.words, i)} has no weights."
    total, hidden = math.fsum(head.weights[i]), int((~s.may[i]).sum())
    if hidden and way not in (RIGHT, DIVIDED):
        return (
            f"{opening}the row of {named(s.words, i)} adds up to {number(total, 4)}, not 1:"
            f" {percent(math.fsum(s.plain(head)[~s.may[i]]))} of the look went to masked places and is lost."
        )
    H = float(ac.entropy(head.weights[i], base=2 if unit == "bits" else None))
    sentence = describe.looks_at(s.words, s.words, i, head.weights[i], float(ac.effective_positions(head.weights[i])))
    ending = f" H = {number(H)} {unit}."
    if hidden and way == DIVIDED:
        ending += " Divided again the shares are right, unless 0 is all that is left."
    return opening + sentence.removeprefix(f"At step {i + 1}, ") + ending


def reach_of(values: np.ndarray) -> float:
    """The end of an axis that holds these numbers."""
    most = float(np.abs(values).max())
    return next((reach for reach in REACHES if most <= reach), most)


# --- The row in hand --------------------------------------------------------------------------------------------------


def scores_figure(s: SelfAttention) -> Figure:
    """Scores of the row in hand; a score that the mask took out is an outline."""
    raw, may = s.held.scores[s.i], s.may[s.i]
    reach = reach_of(s.held.scores)
    if s.choices.way != RIGHT:
        may = np.ones_like(may)  # softmax knows of no mask
    texts = [number(e) if m else "−∞" for e, m in zip(raw, may, strict=True)]
    kept = np.where(may, raw, 0.0).tolist()
    figure = figures.bars(s.words, kept, texts, symbol="e", low=-reach, high=reach, what="score")
    if may.all():
        return figure
    figure["data"][0]["customdata"] = [
        place if m else f"{place}, masked: −∞, not" for place, m in zip(figures.places(s.words), may, strict=True)
    ]
    figure = figures.with_outline(figure, raw.tolist())
    taken = np.flatnonzero(~may)
    figure["data"][-1] |= {"x": taken.tolist(), "y": raw[taken].tolist()}
    return figure


def scores_drawing(s: SelfAttention) -> Drawing:
    """The first move."""
    raw, may = s.held.scores[s.i], s.may[s.i]
    before = s.choices.way == RIGHT
    texts = [number(e) if m or not before else "masked, −∞" for e, m in zip(raw, may, strict=True)]
    reading = "e = q · k ÷ √4" if may.all() else "Outlined: set to −∞" if before else "The mask is not here yet"
    return {
        "figure": scores_figure(s),
        "label": f"Bar chart, scores of {named(s.words, s.i)} in head {s.choices.head + 1}: {describe.pairs(s.words, texts)}.",
        "reading": f"{reading}.",
    }


def weights_figure(s: SelfAttention) -> Figure:
    """Weights of the row in hand; done wrong, an outline of what softmax gave."""
    row, there = s.held.weights[s.i], bool(s.held.there[s.i])
    texts = [number(a) if there else "" for a in row]
    figure = figures.bars(s.words, row.tolist(), texts, symbol="alpha", low=0.0, high=1.0, what="weight")
    if s.choices.way == RIGHT or s.may[s.i].all():
        return figure
    return figures.with_outline(figure, s.plain(s.held).tolist())


def weights_drawing(s: SelfAttention) -> Drawing:
    """The second and third move."""
    row = s.held.weights[s.i]
    listed = describe.pairs(s.words, [number(a, 4) for a in row])
    reading = f"True sum {math.fsum(row):.6g}."
    if s.choices.way != RIGHT and not s.may[s.i].all():
        reading += " Outline: softmax."
    if not s.held.there[s.i]:
        listed, reading = why_not(s), f"{why_not(s)}.".capitalize()
    return {
        "figure": weights_figure(s),
        "label": f"Bar chart, weights of {named(s.words, s.i)} in head {s.choices.head + 1}: {listed}.",
        "reading": reading,
    }


def blend_drawing(s: SelfAttention) -> Drawing:
    """The fourth move: the values, blended."""
    c, there = s.held.context[s.i], bool(s.held.there[s.i])
    texts = [number(x) if there else "" for x in c]
    names = [f"{k + 1}" for k in range(D_K)]
    reach = reach_of(s.held.v)
    figure = figures.bars(names, c.tolist(), texts, symbol="c", low=-reach, high=reach, what="c")
    figure["data"][0]["customdata"] = [f"number {name}" for name in names]
    listed = f"({', '.join(number(x, 4) for x in c)})" if there else f"none, {why_not(s)}"
    joined = f" All heads side by side: {D_K * len(s.heads)}." if len(s.heads) > 1 else ""
    return {
        "figure": figure,
        "label": f"Bar chart, blend c of {named(s.words, s.i)} in head {s.choices.head + 1}: {listed}.",
        "reading": f"c = Σ α v.{joined}" if there else "Nothing to blend.",
    }


# --- The maps ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _cells(words: tuple[str, ...]) -> list[list[str]]:
    """Both words and places of every cell, for hover texts. Shared: do not change it."""
    places = [f"{plain(word)} ({i + 1})" for i, word in enumerate(words)]
    return [[f"{one} looks at {other}" for other in places] for one in places]


def map_figure(s: SelfAttention, number_of_head: int) -> Figure:
    """The weights of one head, a row per word that looks; what is masked is grey, the row in hand framed."""
    head, words = s.heads[number_of_head], s.words
    n = len(words)
    z = (head.weights + 0.0).tolist()
    gap = 2 if n <= NUMBERS_UP_TO else 1
    data: list[dict[str, Any]] = [
        {
            "type": "heatmap", "z": z, "zmin": 0, "zmax": 1, "colorscale": [list(stop) for stop in CIVIDIS],
            "xgap": gap, "ygap": gap, "customdata": _cells(words), "showscale": False,
            "hovertemplate": "%{customdata}<br>weight %{z:.4f}<extra></extra>",
        }
    ]  # fmt: skip
    if n <= NUMBERS_UP_TO:
        cells = [(c, r) for r in range(n) for c in range(n)]
        shown = s.may & head.there[:, np.newaxis]
        texts = [number(z[r][c]) if shown[r, c] else "" for c, r in cells]
        data.append(
            {
                **texts_at([c for c, _ in cells], [r for _, r in cells], texts, "middle center"),
                "textfont": {"color": ["#000000" if z[r][c] > 0.525 else "#ffffff" for c, r in cells]},
            }
        )
        sums = ["\u00a0" + (number(math.fsum(row), 3) if there else "none") for row, there in zip(z, head.there, strict=True)]
        data.append(texts_at([n - 0.5] * n, list(range(n)), sums, "middle right"))
    letters = 8
    x_axis = word_axis(words, letters)
    widest = max(len(short(word, letters)) for word in words)
    return {
        "data": data,
        "layout": canvas(
            xaxis=x_axis,
            yaxis={**x_axis, "range": [n - 0.5, -0.5], "tickangle": 0},
            margin={"l": 16 + 8 * widest, "r": ROOM_FOR_SUM, "t": 18, "b": 58 if x_axis["tickangle"] else 24},
            shapes=[*_masked(s, head), _frame(s, number_of_head)],
            annotations=_notes(s, head),
        ),
    }


def map_drawing(s: SelfAttention, number_of_head: int, unit: Unit) -> Drawing:
    """One head: every word of the sentence looks at every word."""
    head, words = s.heads[number_of_head], s.words
    told = []
    for i, row in enumerate(head.weights):
        if not head.there[i]:
            told.append(f"{named(words, i)} {why_not(s)}")
        else:
            told.append(
                f"{named(words, i)} most at {named(words, int(row.argmax()))} {number(row.max())}, sum {number(sum(row))}"
            )
    return {
        "figure": map_figure(s, number_of_head),
        "label": f"Heatmap of head {number_of_head + 1}, mask: {s.choices.mask}. {'; '.join(told)}.",
        "reading": _reading(s, head, unit),
    }


def _reading(s: SelfAttention, head: Head, unit: Unit) -> str:
    row = head.weights[s.i]
    if not head.there[s.i]:
        return f"{why_not(s)}.".capitalize()
    most = int(row.argmax())
    total = math.fsum(row)
    if abs(total - 1) > 1e-9:
        return f"{named(s.words, s.i)}: the row adds up to {number(total, 4)}."
    H = float(ac.entropy(row, base=2 if unit == "bits" else None))
    return f"{named(s.words, s.i)} most at {named(s.words, most)}, {percent(float(row[most]))}; H {number(H)} {unit}."


def _masked(s: SelfAttention, head: Head) -> list[dict[str, Any]]:
    """Grey over what is masked, a rectangle per run of places; over a whole row where a row has no weights."""
    runs: dict[tuple[int, int], list[int]] = {}
    for r, row in enumerate(s.may.tolist()):
        column = 0
        for seen, run in groupby(row if head.there[r] else [False] * len(row)):
            width = len(list(run))
            if not seen:
                runs.setdefault((column, width), []).append(r)
            column += width
    shapes = []
    for (column, width), rows in runs.items():
        # Rows masked alike, one below the other, share a rectangle.
        for _, group in groupby(enumerate(rows), lambda pair: pair[1] - pair[0]):
            block = [r for _, r in group]
            shapes.append(
                {
                    "type": "rect", "x0": column - 0.5, "x1": column + width - 0.5, "y0": block[0] - 0.5, "y1": block[-1] + 0.5,
                    "line": {"width": 0}, "fillcolor": "@grid",
                }
            )  # fmt: skip
    return shapes


def _frame(s: SelfAttention, number_of_head: int) -> dict[str, Any]:
    width = 3 if number_of_head == s.choices.head else 1
    return {
        "type": "rect", "x0": -0.5, "x1": len(s.words) - 0.5, "y0": s.i - 0.5, "y1": s.i + 0.5,
        "line": {"color": "@s", "width": width}, "fillcolor": "rgba(0,0,0,0)",
    }  # fmt: skip


def _notes(s: SelfAttention, head: Head) -> list[dict[str, Any]]:
    n = len(s.words)
    notes = [
        {"text": why_not(s), "x": (n - 1) / 2, "y": r, "showarrow": False, "font": {"size": 12}}
        for r in range(n)
        if not head.there[r] and n <= NUMBERS_UP_TO
    ]
    if n <= NUMBERS_UP_TO:
        notes.append({"text": "sum", "x": 1, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"})
        notes[-1]["showarrow"] = False
    return notes


# --- The row worked out -----------------------------------------------------------------------------------------------


def arithmetic_drawing(s: SelfAttention) -> Drawing:
    """Every number of the row in hand: one line per word looked at."""
    head, i, right = s.held, s.i, s.choices.way == RIGHT
    may, there, T = s.may[i], bool(head.there[i]), s.scenario.temperature
    stages = ac.softmax_stages(head.scores[i], temperature=T, mask=may if right else None) if there or not right else None
    products = head.q[i] @ head.k.T
    rows = []
    for j in range(len(s.words)):
        line = [f"{j + 1}  {s.words[j]}", number(products[j], 4), number(head.scores[i, j], 4)]
        line.append("yes" if may[j] else "no: −∞" if right else "no: 0")
        line += [small(float(stages.lifted[j])), small(float(stages.weights[j]))] if stages else ["none", "none"]
        if not right:
            line.append(small(float(head.weights[i, j])) if there else "none")
        line += [number(a, 4) if there else "none" for a in head.weights[i, j] * head.v[j]]
        rows.append(line)
    columns = ["word", "q · k", "e = q · k ÷ √4", "may be seen", "exp((e − max) ÷ T)", "softmax"]
    total = ["sum", "", "", "", *([small(float(stages.total)), small(math.fsum(stages.weights))] if stages else ["none", "none"])]
    if not right:
        columns.append("0 put in" if s.choices.way != DIVIDED else "0 put in, divided")
        total.append(small(math.fsum(head.weights[i])) if there else "none")
    columns += [f"α · v, number {k + 1}" for k in range(D_K)]
    total += [f"c = {number(c, 4)}" if there else "none" for c in head.context[i]]
    return {
        "table": {"columns": columns, "rows": rows, "total": total},
        "label": f"Arithmetic of {named(s.words, i)} in head {s.choices.head + 1}",
        "reading": f"x = ({_listed(s.x[i])}), q = W_Q x = ({_listed(head.q[i], 4)}); T = {T:g}."
        " W_Q, W_K and W_V are drawn, not learned.",
    }


def _listed(row: Sequence[float] | np.ndarray, digits: int | None = None) -> str:
    return ", ".join(exact(float(x)) if digits is None else number(float(x), digits) for x in row)
