"""The microscope's figures: five stages from left to right, then the row of scores, its weights and the map.

Filled is what is; outlined is what was prepared. While a hand moves nothing but values changes in these figures, so that
their marks are moved and not painted again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from pages.parts import current, describe, figures
from pages.parts.describe import exact, named, number, percent
from pages.parts.figures import Figure, canvas, plain, short
from pages.parts.live import Drawing, Drawings
from pages.parts.microscope import Microscope, Numbers, Stages, sub
from pages.parts.microscope_figures import (
    CLEAR,
    MARGIN,
    axis,
    chosen,
    counted,
    lanes,
    level,
    outline,
    points,
    signed_bars,
    texts_at,
    waterfall,
)
from pages.parts.microscope_words import pair, said

FLAT = 2.0  # tanh(2) = 0.96: beyond it lies the saturated zone
ENDS = (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 1e6)
Reaches = Mapping[str, float]
Trace = dict[str, Any]


def reaches(m: Microscope) -> Reaches:
    """The ranges of the axes. They may grow while a hand moves; they shrink at the next change of anything else."""
    kept: dict[str, Any] = st.session_state.get("microscope_reaches", {})
    if kept.get("epoch") != current.epoch():
        kept = {}
    grown = {key: max(end, kept.get(key, 0.0)) for key, end in wanted(m).items()}
    st.session_state["microscope_reaches"] = {"epoch": current.epoch(), **grown}
    return grown


def wanted(m: Microscope) -> Reaches:
    """The ranges that hold the pair, as it is and as it was prepared."""
    both = ((m.stages, m.numbers), (m.ghost, m.home))
    parts: dict[str, list[np.ndarray]] = {"states": [], "projected": [], "summed": [], "bent": [], "scores": [], "total": []}
    for stages, numbers in both:
        state, annotation, summed = stages.state[m.t], stages.annotation[m.i], _of(m, stages.summed)
        parts["states"] += [numbers.s[m.t], numbers.h[m.i]]
        parts["projected"] += [state, annotation]
        parts["summed"] += [state, annotation if summed is None else summed]
        parts["bent"] += [] if summed is None else [summed]
        parts["scores"] += [] if stages.scores is None else [stages.scores[m.t]]
        parts["total"] += [np.abs(numbers.v).sum(keepdims=True), np.cumsum(_products(m, stages, numbers))]
    parts["scores"] += parts["total"][::2]  # no score of the whole formula is larger
    least = {"states": 1.0, "bent": 4.0}
    ends = {}
    for key, arrays in parts.items():
        top = max((float(np.abs(array).max()) for array in arrays if array.size), default=0.0)
        ends[key] = max(least.get(key, 1.0), next((end for end in ENDS if end >= top), top))
    return ends


def headings(m: Microscope) -> dict[str, str]:
    """What stands above each stage."""
    s, h = f"s{sub(m.t)}", f"h{sub(m.i + 1)}"
    titles = {
        "states": f"1. State {s}, word {h}",
        "projected": "2. Projected",
        "summed": "3. Added up: a",
        "bent": "4. Bent: tanh a",
        "score": f"5. Times vₐ: {pair(m)}",
    }
    if m.breaks == "no projection":
        titles["projected"] = "2. Not projected"
    if m.breaks == "no tanh":
        titles["bent"] = "4. Not bent"
    if m.breaks == "no v_a":
        titles["score"] = "5. No vₐ: no score"
    return titles


def drawn(m: Microscope, ends: Reaches, *, worked_out: bool) -> Drawings:
    """All frames of the page."""
    drawings: dict[str, Drawing] = {
        "micro_states": states_drawing(m, ends),
        "micro_projected": projected_drawing(m, ends),
        "micro_summed": summed_drawing(m, ends),
        "micro_bent": bent_drawing(m, ends),
        "micro_score": score_drawing(m, ends),
        "micro_said": {"label": "", "reading": said(m)},
        "micro_row": row_drawing(m, ends),
        "micro_weights": weights_drawing(m),
        "micro_map": map_drawing(m),
    }
    if worked_out:
        drawings["micro_arithmetic"] = arithmetic_drawing(m)
    return drawings


def passed(m: Microscope, ends: Reaches) -> dict[str, Figure]:
    """The figures that also follow positions the hand has passed."""
    return {"micro_bent": bent_drawing(m, ends)["figure"], "micro_score": score_drawing(m, ends)["figure"]}


# --- The five stages --------------------------------------------------------------------------------------------------


def states_drawing(m: Microscope, ends: Reaches) -> Drawing:
    """The decoder's state and the word's annotation as signed bars."""
    d_s, d_h, _ = m.sizes
    s, h = m.numbers.s[m.t], m.numbers.h[m.i]
    target, source = (plain(short(w, 9)) for w in (m.scenario.target[m.t], m.scenario.source[m.i]))
    names = (f"s{sub(m.t)}, before “{target}”", f"h{sub(m.i + 1)}, “{source}”")
    return {
        "figure": lanes((s, h), (m.home.s[m.t], m.home.h[m.i]), names, ends["states"], exact),
        "label": f"Two rows of bars. s{m.t}: {_listed(s, exact)}. h{m.i + 1}: {_listed(h, exact)}.",
        "reading": f"{d_s} and {d_h} numbers",
    }


def projected_drawing(m: Microscope, ends: Reaches) -> Drawing:
    """Both in the space of comparison; or, without projection, as they were."""
    state, annotation = m.stages.state[m.t], m.stages.annotation[m.i]
    bare = m.breaks == "no projection"
    s, h = f"s{sub(m.t)}", f"h{sub(m.i + 1)}"
    names = (s, h) if bare else (f"Wₐ{s}", f"Uₐ{h}")
    reading = f"{len(state)} and {len(annotation)} numbers"
    if bare:
        reading = f"Still {len(state)} and {len(annotation)} numbers"
    return {
        "figure": lanes((state, annotation), (m.ghost.state[m.t], m.ghost.annotation[m.i]), names, ends["projected"], number),
        "label": f"Two rows of bars. {names[0]}: {_listed(state)}. {names[1]}: {_listed(annotation)}.",
        "reading": reading,
    }


def summed_drawing(m: Microscope, ends: Reaches) -> Drawing:
    """The two added number by number, head to tail; where one is missing there is no sum."""
    state, annotation = m.stages.state[m.t], m.stages.annotation[m.i]
    places = max(len(state), len(annotation))
    first, second = ([*part.tolist(), *[0.0] * (places - len(part))] for part in (state, annotation))
    total, ghost = _of(m, m.stages.summed), _of(m, m.ghost.summed)
    end = ends["summed"]
    x = list(range(places))
    data = [
        signed_bars([k - 0.19 for k in x], first, [0.0] * places, "@s", width=0.36),
        signed_bars([k + 0.19 for k in x], second, first, "@h", width=0.36),
    ]
    if total is not None and ghost is not None:
        data.append(points(x, ghost.tolist(), "diamond-open", 13, ["a as prepared"] * places))
        data.append(points(x, total.tolist(), "diamond", 9, [f"a, number {k + 1}" for k in x]))
        if places <= 5:  # over whatever is highest, where nothing is in the way
            tops = [max(0.0, *heads) + 0.11 * end for heads in zip(first, total.tolist(), ghost.tolist(), strict=True)]
            data.append(texts_at(x, tops, [number(float(a)) for a in total], "top center"))
        label, reading = f"a = {_listed(total)}", f"◆ a: {len(total)} numbers"
    else:
        missing = range(min(len(state), len(annotation)), places)
        data.append(texts_at(list(missing), [0.6 * end] * len(missing), ["no<br>sum"] * len(missing), "middle center"))
        label = f"No sum: {len(state)} numbers cannot be added to {len(annotation)}"
        reading = f"{len(state)} + {len(annotation)} numbers: impossible"
    layout = canvas(xaxis=counted(places), yaxis=axis(1.15 * end), barmode="overlay", margin=MARGIN)
    return {
        "figure": {"data": data, "layout": layout},
        "label": f"Bars head to tail, one pair per number. {label}.",
        "reading": reading,
    }


def bent_drawing(m: Microscope, ends: Reaches) -> Drawing:
    """Each sum as a dot that slides on the curve of tanh; beyond ±2 the curve is flat."""
    end = ends["bent"]
    straight = m.breaks == "no tanh"
    data: list[Trace] = [_curve(end, straight)]
    summed, bent = _of(m, m.stages.summed), _of(m, m.stages.bent)
    old_summed, old_bent = _of(m, m.ghost.summed), _of(m, m.ghost.bent)
    high = 1.12 * end if straight else 1.45
    if summed is None or bent is None or old_summed is None or old_bent is None:
        label, reading = "Nothing arrives here, because there is no sum", "Nothing arrives here"
    else:
        count = len(bent)
        data.append(points(old_summed.tolist(), old_bent.tolist(), "circle-open", 15, ["as prepared"] * count))
        data.append(points(summed.tolist(), bent.tolist(), "circle", 11, [f"number {k + 1}" for k in range(count)]))
        # Dots may meet, their numbers may not: these stand in the two corners that the curve never enters.
        spots = [(-0.96 * end, high * (0.9 - 0.17 * k)) if k < 4 else (0.1 * end, high * (0.33 - 0.17 * k)) for k in range(count)]
        texts = [f"{k + 1}: {number(float(b))}" for k, b in enumerate(bent)]
        data.append(texts_at([x for x, _ in spots], [y for _, y in spots], texts, "middle right"))
        flat = int((np.abs(summed) > FLAT).sum())
        label = f"{'a' if straight else 'tanh a'} = {_listed(bent)}; {flat} of {count} in the saturated zones"
        reading = "A straight line: no bend" if straight else f"Shaded (flat): {flat} of {count}"
    shapes = [
        {"type": "rect", "x0": a, "x1": b, "y0": -1.2, "y1": 1.2, "line": {"width": 0}, "fillcolor": "@grid", "layer": "below"}
        for a, b in ((-end, -FLAT), (FLAT, end))
    ]
    layout = canvas(
        xaxis=axis(end, nticks=7),
        yaxis=axis(high) if straight else axis(high, tickvals=[-1, 0, 1]),
        shapes=[] if straight else shapes,
        margin=MARGIN,
    )
    return {
        "figure": {"data": data, "layout": layout},
        "label": f"Dots on the {'straight line a' if straight else 'curve tanh'}. {label}.",
        "reading": reading,
    }


def _curve(end: float, straight: bool) -> Trace:
    x = np.linspace(-end, end, 81)
    y = x if straight else np.tanh(x)
    line = {"color": "@line", "width": 2.5}
    return {"type": "scatter", "mode": "lines", "x": x.tolist(), "y": y.tolist(), "line": line, "hoverinfo": "skip"}


def score_drawing(m: Microscope, ends: Reaches) -> Drawing:
    """Each bent number times v_a, standing on one another, and what they come to."""
    products, before = _products(m, m.stages, m.numbers), _products(m, m.ghost, m.home)
    scored = m.stages.scores is not None
    count = len(products) if scored or m.stages.bent is None else m.stages.bent.shape[-1]
    ticks = [f"v{sub(k + 1)}" if scored else str(k + 1) for k in range(count)]
    end = ends["total"] if scored else max(1.0, ends["summed"] if m.breaks == "no tanh" else 1.0)
    data = []
    if scored:
        heights, feet = waterfall(products)
        old_heights, old_feet = waterfall(before)
        x = list(range(len(heights)))
        texts = [number(h) for h in heights]
        data.append(signed_bars(x, heights, feet, ["@w"] * len(products) + ["@e"], texts=texts))
        data.append(outline(x, old_heights, old_feet))
        if m.breaks != "no tanh":
            data += [level(sign * m.bound, len(heights)) for sign in (-1, 1)]
        ticks.append("e")
        e = number(heights[-1])
        label = f"v_a times tanh a: {_listed(products)}; together e = {e}, within ±{number(m.bound)}"
        reading = f"e = {e}, no longer bounded" if m.breaks == "no tanh" else f"e = {e}, within ±{number(m.bound)}"
    elif m.stages.bent is not None:
        vector = m.stages.bent[m.t, m.i]
        data.append(
            signed_bars(list(range(count)), vector.tolist(), [0.0] * count, "@line", texts=[number(float(b)) for b in vector])
        )
        label = f"A vector of length {count} and no score: {_listed(vector)}"
        reading = f"A vector of length {count}"
    else:
        label, reading = "No score, because there is no sum", "No score"
    return {
        "figure": {
            "data": data,
            "layout": canvas(
                xaxis=counted(max(len(ticks), 1)) | {"ticktext": ticks, "tickvals": list(range(len(ticks))), "tickangle": 0},
                yaxis=axis(1.2 * end),
                barmode="overlay",
                bargap=0.25,
                margin=MARGIN,
            ),
        },
        "label": f"Bars standing on one another. {label}.",
        "reading": reading,
    }


# --- The row, its weights, all steps ----------------------------------------------------------------------------------


def row_drawing(m: Microscope, ends: Reaches) -> Drawing:
    """The scores of this step for all words."""
    scores, ghost, kept = _shown(m, "scores")
    words = m.scenario.source
    row = scores[m.t].tolist()
    end = ends["scores"]
    figure = figures.bars(words, row, [number(e) for e in row], symbol="e", low=-end, high=end, what="score")
    return {
        "figure": chosen(figures.with_outline(figure, ghost[m.t].tolist()), m.i, len(words)),
        "label": f"Bar chart, scores of step {m.t + 1}: {describe.pairs(words, [number(e) for e in row])}.",
        "reading": kept or f"{pair(m)} = {number(row[m.i])} is the one above.",
    }


def weights_drawing(m: Microscope) -> Drawing:
    """Their softmax."""
    weights, ghost, kept = _shown(m, "weights")
    words = m.scenario.source
    row = weights[m.t].tolist()
    return {
        "figure": chosen(figures.with_outline(figures.weight_bars(words, row), ghost[m.t].tolist()), m.i, len(words)),
        "label": f"Bar chart, weights of step {m.t + 1}: {describe.pairs(words, [number(a, 4) for a in row])}.",
        "reading": kept or f"{named(words, m.i)} gets {percent(row[m.i])}.",
    }


def map_drawing(m: Microscope) -> Drawing:
    """The weights of all steps; a click picks step and word."""
    weights, _, kept = _shown(m, "weights")
    figure = figures.weight_map(m.scenario.source, m.scenario.target, weights, m.t)
    cell = {
        "type": "rect", "x0": m.i - 0.42, "x1": m.i + 0.42, "y0": m.t - 0.42, "y1": m.t + 0.42,
        "line": {"color": "@h", "width": 3}, "fillcolor": CLEAR,
    }  # fmt: skip
    layout = {**figure["layout"], "shapes": [*figure["layout"]["shapes"], cell]}
    rows = len(weights)
    apart = float(np.abs(weights - weights[0]).max())
    reading = "Click a cell to look into it."
    if m.breaks == "no tanh" and rows > 1:
        reading = f"All {rows} rows are the same: the step no longer matters."
    tops = [f"step {t + 1}: {named(m.scenario.source, int(row.argmax()))} {number(row.max())}" for t, row in enumerate(weights)]
    return {
        "figure": {"data": figure["data"], "layout": layout},
        "label": f"Heatmap of weights; largest of each row: {'; '.join(tops)}. Rows differ by at most {number(apart, 4)}.",
        "reading": kept or reading,
    }


def arithmetic_drawing(m: Microscope) -> Drawing:
    """Every product and every sum of the pair, one row per number of the space of comparison."""
    s, h = m.numbers.s[m.t], m.numbers.h[m.i]
    state, annotation = m.stages.state[m.t], m.stages.annotation[m.i]
    summed, bent = _of(m, m.stages.summed), _of(m, m.stages.bent)
    scored = m.stages.scores is not None
    projected = m.breaks != "no projection"
    rows = []
    for k in range(max(len(state), len(annotation))):
        rows.append(
            [
                str(k + 1),
                _sum_of_products(m.numbers.W[k], s, state[k]) if projected else _entry(state, k, exact),
                _sum_of_products(m.numbers.U[k], h, annotation[k]) if projected else _entry(annotation, k, exact),
                "no sum" if summed is None else f"{_entry(state, k)} + {_signed(annotation[k])} = {number(summed[k], 4)}",
                _entry(bent, k, digits=4),
                f"{exact(m.numbers.v[k])} · {_signed(bent[k])} = {number(m.numbers.v[k] * bent[k], 4)}"
                if scored and bent is not None
                else "no product",
            ]
        )
    total = f"e = {number(m.stages.scores[m.t, m.i], 4)}" if m.stages.scores is not None else "no score"
    bend = "not bent" if m.breaks == "no tanh" else "tanh a"
    first, second = ("Wₐ s", "Uₐ h") if projected else ("s", "h")
    return {
        "table": {
            "columns": ["number", first, second, "a, their sum", bend, f"vₐ · {bend}"],
            "rows": rows,
            "total": ["sum", "", "", "", "", total],
        },
        "label": f"Arithmetic of the score of step {m.t + 1} and word {m.i + 1}",
        "reading": said(m),
    }


# --- Pieces ---------------------------------------------------------------------------------------------------------


def _of(m: Microscope, stage: np.ndarray | None) -> np.ndarray | None:
    """What a stage holds for the pair."""
    return None if stage is None else stage[m.t, m.i]


def _products(m: Microscope, stages: Stages, numbers: Numbers) -> np.ndarray:
    """v_a times the bent numbers of the pair; without a score none."""
    if stages.scores is None or stages.bent is None:
        return np.zeros(0)
    return np.asarray(numbers.v * stages.bent[m.t, m.i])


def _shown(m: Microscope, what: str) -> tuple[np.ndarray, np.ndarray, str]:
    """Scores or weights, as prepared too; without a score, those of the whole formula, and a sentence that says so."""
    now, ghost = getattr(m.stages, what), getattr(m.ghost, what)
    if now is not None and ghost is not None:
        return now, ghost, ""
    return getattr(m.whole, what), getattr(m.whole_ghost, what), "No score. Shown: the whole formula's."


def _listed(numbers: np.ndarray, tell: Any = number) -> str:
    return ", ".join(tell(float(x)) for x in numbers)


def _entry(numbers: np.ndarray | None, k: int, tell: Any = number, **digits: int) -> str:
    return "missing" if numbers is None or k >= len(numbers) else tell(float(numbers[k]), **digits)


def _signed(x: float) -> str:
    """A number as a factor or summand: a negative one in brackets."""
    text = number(float(x), 4)
    return f"({text})" if text.startswith("-") else text


def _sum_of_products(row: np.ndarray, vector: np.ndarray, total: float) -> str:
    products = " + ".join(
        f"{exact(float(a))} · {f'({exact(float(b))})' if b < 0 else exact(float(b))}" for a, b in zip(row, vector, strict=True)
    )
    return f"{products} = {number(float(total), 4)}"
