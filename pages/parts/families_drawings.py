"""The figures of the families of score: one step five ways, whole maps and their difference, scaling, the two wirings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

import attention_core as ac
from pages.parts import describe, figures
from pages.parts.describe import Unit, exact, named, number, percent
from pages.parts.families import FIRST, HEADS, Families, entropies
from pages.parts.figures import CIVIDIS, NUMBERS_UP_TO, Figure, canvas, plain, short, word_axis
from pages.parts.live import Drawing, Drawings
from pages.parts.microscope import sub
from pages.parts.microscope_figures import CLEAR, chosen, level, texts_at
from pages.parts.strips import DIVERGING

Trace = dict[str, Any]


def drawn(f: Families, compared: str, d_k: int, unit: Unit, *, worked_out: bool) -> Drawings:
    """All frames of the page."""
    drawings: dict[str, Drawing] = {
        "family_rows": rows_drawing(f, compared),
        "family_focus": focus_drawing(f, unit),
        "family_scaling": scaling_drawing(f, d_k, unit),
        "family_said": {"label": "", "reading": said(f, compared)},
        "family_first": map_drawing(f, FIRST),
        "family_other": map_drawing(f, compared),
        "family_difference": difference_drawing(f, compared),
        "family_wiring": wiring_drawing(f),
    }
    if worked_out:
        drawings["family_arithmetic"] = arithmetic_drawing(f)
    return drawings


def said(f: Families, compared: str) -> str:
    """How the two rows of this step differ, and why a function is refused."""
    why = f" {next(iter(f.refused.values()))}." if f.refused else ""
    if compared in f.refused:
        return f"{f.refused[compared]}."
    one, other = f.weights[FIRST][f.t], f.weights[compared][f.t]
    words = f.scenario.source
    first, its = leaders(words, one), leaders(words, other)
    apart = int(np.abs(other - one).argmax())
    if len(words) == 1:
        return f"One word: every function gives {named(words, 0)} the weight 1.{why}"
    agree = f"both look most at {first}" if first == its else f"{FIRST} looks most at {first}, {compared} at {its}"
    return (
        f"Step {f.t + 1}: {agree}. They differ most at {named(words, apart)}: {percent(float(one[apart]))} from s"
        f"{sub(f.index(FIRST))} against {percent(float(other[apart]))} from s{sub(f.index(compared))}.{why}"
    )


def leaders(words: Sequence[str], weights: np.ndarray) -> str:
    """The word with the largest weight; a tie is named as a tie."""
    tops = [named(words, int(i)) for i in np.flatnonzero(weights.max() - weights < 1e-12)]
    if len(tops) > 3:
        return f"{len(tops)} words alike"
    return describe.together(tops) + " alike" * (len(tops) > 1)


def rows_drawing(f: Families, compared: str) -> Drawing:
    """The weights of this step, one row per function; those that cannot be used stand empty at the foot."""
    words, names = f.scenario.source, f.order
    rows = [f.weights[name][f.t] for name in f.scores]
    spots = [[f"{name} with s{sub(f.index(name))}<br>{place}" for place in figures.places(tuple(words))] for name in f.scores]
    data = _heat(rows, spots, CIVIDIS, 0.0, "weight %{z:.4f}", lambda a: "#000000" if a > 0.525 else "#ffffff")
    refused = range(len(rows), len(names))
    middle = (len(words) - 1) / 2
    if refused:  # a trace without points has no marks that could be moved
        data.append(texts_at([middle] * len(refused), list(refused), ["refused"] * len(refused), "middle center"))
    ticks = [f"{plain(short(name, 12))} s<sub>{f.index(name)}</sub>" for name in names]
    layout = _map_layout(words, ticks, names.index(compared))
    told = [f"{name}: {describe.pairs(words, [number(float(a)) for a in row])}" for name, row in zip(f.scores, rows, strict=True)]
    state = "Beside each name: the state that it uses."
    return {
        "figure": {"data": data, "layout": layout},
        "label": f"Heatmap, weights of step {f.t + 1} by score function. {'; '.join(told)}. {' '.join(f.refused.values())}",
        "reading": f"{describe.together(list(f.refused))}: refused, see below." if f.refused else state,
    }


def focus_drawing(f: Families, unit: Unit) -> Drawing:
    """The entropy of each row, on the rows of the map beside it."""
    per = math.log(2) if unit == "bits" else 1.0
    length = len(f.scenario.source)
    most = math.log(max(length, 2)) / per
    values = [float(ac.entropy(f.weights[name][f.t])) / per for name in f.scores]
    rows = list(range(len(values)))
    data: list[Trace] = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": values,
            "y": rows,
            "marker": {"size": 13, "color": "@alpha", "symbol": ["circle" if n == FIRST else "diamond" for n in f.scores]},
            "customdata": [plain(name) for name in f.scores],
            "hovertemplate": f"%{{customdata}}<br>%{{x:.4f}} {unit}<extra></extra>",
            "cliponaxis": False,
        },
        texts_at(values, [row - 0.12 for row in rows], [number(h) for h in values], "top center"),
    ]
    count = len(f.order)
    room = 0.12 * most
    layout = canvas(
        xaxis={"range": [-room, most + room], "fixedrange": True, "gridcolor": "@grid", "zerolinecolor": "@line", "nticks": 5},
        yaxis={"range": [count - 0.5, -0.5], "fixedrange": True, "showgrid": False, "zeroline": False, "showticklabels": False},
        margin={"l": 10, "r": 10, "t": 4, "b": 70 if word_axis(tuple(f.scenario.source))["tickangle"] else 24},
    )
    listed = ", ".join(f"{name} {number(h)}" for name, h in zip(f.scores, values, strict=True))
    return {
        "figure": {"data": data, "layout": layout},
        "label": f"Entropy of each row in {unit}: {listed}; at most {number(math.log(length) / per)}.",
        "reading": f"0: one word, {number(math.log(length) / per)}: all alike",
    }


def scaling_drawing(f: Families, d_k: int, unit: Unit) -> Drawing:
    """The mean entropy of softmax over drawn dot products of length d_k, scaled rightly and wrongly."""
    per = math.log(2) if unit == "bits" else 1.0
    length = len(f.scenario.source)
    found = {name: h / per for name, h in entropies(length, f.scenario.seed, d_k).items()}
    high = math.log(max(length, 2)) / per
    texts = [number(h) for h in found.values()]
    told = ", ".join(f"{name} {text}" for name, text in zip(found, texts, strict=True))
    figure = figures.bars(
        list(found), list(found.values()), texts, symbol="alpha", low=0.0, high=high, what=f"mean entropy, {unit},"
    )
    figure = chosen(figure, 0, len(found))
    figure["data"].append(level(math.log(length) / per, len(found)))
    return {
        "figure": figure,
        "label": f"Bar chart, mean entropy in {unit} with d_k = {d_k}: {told}.",
        "reading": f"dₖ = {d_k}, d = {HEADS} heads · dₖ = {HEADS * d_k}. Right: ÷√dₖ.",
    }


def map_drawing(f: Families, name: str) -> Drawing:
    """The weights of all steps with one function."""
    if name in f.refused:
        return {"label": "", "reading": f"{f.refused[name]}."}
    grid = f.weights[name]
    when = "before" if ac.SCORES[name].state == "previous" else "at"
    tops = [f"step {t + 1}: {named(f.scenario.source, int(row.argmax()))} {number(row.max())}" for t, row in enumerate(grid)]
    return {
        "figure": _framed(figures.weight_map(f.scenario.source, f.scenario.target, grid, f.t), f),
        "label": f"Heatmap of weights, {name}; largest of each row: {'; '.join(tops)}.",
        "reading": f"{ac.SCORES[name].formula}: the state {when} each step",
    }


def difference_drawing(f: Families, compared: str) -> Drawing:
    """The compared function's weights minus those of additive."""
    if compared in f.refused:
        return {"label": "", "reading": f"Nothing to compare: {compared} has no weights for these sizes."}
    apart = f.weights[compared] - f.weights[FIRST]
    words, steps = f.scenario.source, f.scenario.target
    data = _heat(
        list(apart), figures.cells(tuple(words), tuple(steps)), DIVERGING, -1.0, "difference %{z:+.4f}",
        lambda a: "#000000" if abs(a) < 0.7 else "#ffffff",
    )  # fmt: skip
    layout = _map_layout(words, [plain(short(word, 12)) for word in steps], f.t)
    t, i = (int(k) for k in np.unravel_index(int(np.abs(apart).argmax()), apart.shape))
    most = f"{number(float(apart[t, i]))} at step {t + 1}, {named(words, i)}"
    return {
        "figure": _framed({"data": data, "layout": layout}, f),
        "label": f"Heatmap, weights of {compared} minus weights of {FIRST}, from -1 to 1; largest difference {most}.",
        "reading": f"Blue: more than {FIRST}, brown: less. Largest: {most}.",
    }


def wiring_drawing(f: Families) -> Drawing:
    """The order in which the two papers do things, with the state that each scores with in a thick frame."""
    t = f.t + 1
    before, now = f"s<sub>{f.t}</sub>", f"s<sub>{t}</sub>"
    scores, shares, context = (f"{letter}<sub>{t}</sub>" for letter in ("e", "α", "c"))
    looks, says = [(scores, "e"), (shares, "alpha"), (context, "c")], ("word", "text")
    rows = (
        ("Bahdanau", 1.0, [(before, "s"), *looks, (now, "s"), says], 0, 4),
        ("Luong", 0.0, [(before, "s"), (now, "s"), *looks, (f"s̃<sub>{t}</sub>", "s"), says], 1, 5),
    )
    notes: list[dict[str, Any]] = []
    data: list[Trace] = []
    for paper, y, nodes, used, joined in rows:
        notes.append({"text": f"<b>{paper}</b>", "x": -0.75, "y": y, "showarrow": False, "xanchor": "center"})
        for k, (text, symbol) in enumerate(nodes):
            colour = "@text" if symbol == "text" else f"@{symbol}-text"
            notes.append(
                {
                    "text": text, "x": k, "y": y, "showarrow": False, "font": {"color": colour}, "borderpad": 5,
                    "bordercolor": "@text" if k == used else "@line", "borderwidth": 3 if k == used else 1,
                }
            )  # fmt: skip
            if k:
                notes.append(_arrow(k - 0.7, y, k - 0.3, y))
        # The state is read twice: by the scores, and by what comes of the context.
        data.append(_detour(used, joined, y))
        notes.append(_arrow(joined, y + 0.42, joined, y + 0.22))
    layout = canvas(
        xaxis={"range": [-1.35, 6.5], "visible": False, "fixedrange": True},
        yaxis={"range": [-0.45, 1.6], "visible": False, "fixedrange": True},
        annotations=notes,
        margin={"l": 2, "r": 2, "t": 2, "b": 2},
    )
    reading = (
        f"Thick: the state that scores. Bahdanau looks with s{sub(f.t)} and then makes s{sub(t)}; "
        f"Luong makes s{sub(t)}, looks with it, and mixes both into s̃{sub(t)}."
    )
    return {"figure": {"data": data, "layout": layout}, "label": f"Two timelines of step {t}. {reading}", "reading": reading}


def arithmetic_drawing(f: Families) -> Drawing:
    """The score of the pair with every function, product by product."""
    rows = []
    for name in f.order:
        card = ac.SCORES[name]
        start = [name, f"s{sub(f.index(name))}", card.formula]
        if name in f.refused:
            rows.append([*start, f"refused: {f.states.shape[1]} numbers and {f.h.shape[1]}", "none", "none"])
            continue
        score, weight = float(f.scores[name][f.t, f.i]), float(f.weights[name][f.t, f.i])
        rows.append([*start, _worked(f, name), number(score, 4), percent(weight)])
    pair = f"step {f.t + 1}, {named(f.scenario.source, f.i)}"
    return {
        "table": {
            "columns": ["function", "state", "formula", "worked out", f"score, {pair}", "weight"],
            "rows": rows,
            "total": ["", "", "", "", "", ""],
        },
        "label": f"Arithmetic of all scores of {pair}",
        "reading": f"One pair, {pair}: click another in a map.",
    }


# --- Pieces -----------------------------------------------------------------------------------------------------------


def _worked(f: Families, name: str) -> str:
    """A score's products with their numbers; of a function that is not known here, nothing but the formula."""
    s, h, parameters = f.state(name), f.h[f.i], f.parameters[name]
    if name in ("dot", "scaled dot"):
        end = f") ÷ √{len(s)}" if name == "scaled dot" else ""
        return f"{'(' if end else ''}{_products(s, h)}{end}"
    if name == "general":
        return f"sₜᵀ Wₐ = ({_listed(s @ parameters['W_a'])}); {_products(s @ parameters['W_a'], h)}"
    if name in ("additive", "concat"):
        both = np.concatenate([s, h])
        matrix = np.hstack([parameters["W_a"], parameters["U_a"]]) if name == "additive" else parameters["W_a"]
        bent = np.tanh(matrix @ both)
        return f"tanh({_listed(matrix @ both)}) = ({_listed(bent)}); {_products(parameters['v_a'], bent)}"
    return "by its formula"


def _products(a: np.ndarray, b: np.ndarray) -> str:
    return " + ".join(f"{_factor(float(x))} · {_factor(float(y))}" for x, y in zip(a, b, strict=True))


def _factor(x: float) -> str:
    text = exact(round(x, 4))
    return f"({text})" if text.startswith("-") else text


def _listed(row: np.ndarray) -> str:
    return ", ".join(exact(round(float(x), 4)) for x in row)


def _heat(
    rows: Sequence[np.ndarray], spots: Sequence[Sequence[str]], scale: Any, low: float, hover: str, ink: Any
) -> list[Trace]:
    """A heatmap from low to 1, step or function 1 on top, with its numbers where there is room for them."""
    z = [[float(a) + 0.0 for a in row] for row in rows]
    wide = max(len(z), len(z[0]))
    data: list[Trace] = [
        {
            "type": "heatmap", "z": z, "zmin": low, "zmax": 1, "colorscale": [list(stop) for stop in scale],
            "xgap": 2 if wide <= NUMBERS_UP_TO else 1, "ygap": 2 if wide <= NUMBERS_UP_TO else 1,
            "customdata": [list(row) for row in spots], "hovertemplate": f"%{{customdata}}<br>{hover}<extra></extra>",
            "showscale": False,
        }
    ]  # fmt: skip
    if wide <= NUMBERS_UP_TO:
        cells = [(c, r, a) for r, row in enumerate(z) for c, a in enumerate(row)]
        texts = texts_at([c for c, _, _ in cells], [r for _, r, _ in cells], [number(a) for _, _, a in cells], "middle center")
        data.append({**texts, "textfont": {"color": [ink(a) for _, _, a in cells]}})
    return data


def _map_layout(words: Sequence[str], ticks: list[str], row: int) -> dict[str, Any]:
    """Words below, rows at the left, the row in hand framed."""
    widest = max(len(tick.replace("<sub>", "").replace("</sub>", "")) for tick in ticks)
    x_axis = word_axis(tuple(words))
    frame = {
        "type": "rect", "x0": -0.5, "x1": len(words) - 0.5, "y0": row - 0.5, "y1": row + 0.5,
        "line": {"color": "@s", "width": 3}, "fillcolor": CLEAR,
    }  # fmt: skip
    rows = word_axis(tuple(str(k) for k in range(len(ticks))))
    return canvas(
        xaxis=x_axis,
        yaxis={**rows, "ticktext": ticks, "range": [len(ticks) - 0.5, -0.5], "tickangle": 0},
        margin={"l": 16 + 7 * widest, "r": 8, "t": 4, "b": 70 if x_axis["tickangle"] else 24},
        shapes=[frame],
    )


def _framed(figure: Figure, f: Families) -> Figure:
    """A map with the pair's cell framed too."""
    cell = {
        "type": "rect", "x0": f.i - 0.42, "x1": f.i + 0.42, "y0": f.t - 0.42, "y1": f.t + 0.42,
        "line": {"color": "@h", "width": 3}, "fillcolor": CLEAR,
    }  # fmt: skip
    return {"data": figure["data"], "layout": {**figure["layout"], "shapes": [*figure["layout"]["shapes"], cell]}}


def _arrow(from_x: float, from_y: float, to_x: float, to_y: float) -> dict[str, Any]:
    return {
        "x": to_x, "y": to_y, "ax": from_x, "ay": from_y, "axref": "x", "ayref": "y", "xref": "x", "yref": "y", "text": "",
        "showarrow": True, "arrowhead": 2, "arrowwidth": 1.5, "arrowcolor": "@text",
    }  # fmt: skip


def _detour(start: int, end: int, y: float) -> Trace:
    """A line that leaves a node, passes above the others and comes down on another."""
    return {
        "type": "scatter", "mode": "lines", "x": [start, start, end, end], "y": [y + 0.22, y + 0.42, y + 0.42, y + 0.3],
        "line": {"color": "@text", "width": 1.5}, "hoverinfo": "skip",
    }  # fmt: skip
