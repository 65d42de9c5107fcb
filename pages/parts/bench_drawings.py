"""The figures of the break-it bench: right and broken side by side, what is no share marked as such, and the alarm panel."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

import attention_core as ac
from pages.parts import alarms, describe, figures
from pages.parts.bench import Bench, D
from pages.parts.broken import NOTHING, Run
from pages.parts.describe import exact, named, number
from pages.parts.drawings import small
from pages.parts.figures import NUMBERS_UP_TO, Figure, plain, short
from pages.parts.live import Drawing, Drawings
from pages.parts.sharing import told
from pages.parts.strips import strips

LETTERS = 8  # of a target word above its column of c
SENTENCES = 2  # of ringing alarms that are read out: more would be a wall
NUMBERS = tuple(f"{k + 1}" for k in range(D))


def drawn(b: Bench, *, hidden: bool, worked_out: bool) -> Drawings:
    """All frames of the page.

    Parameters
    ----------
    b : Bench
    hidden : bool
        Whether the bug's name is a secret.
    worked_out : bool
        Whether the arithmetic is wanted.
    """
    drawings: dict[str, Drawing] = {
        "bench_right": map_drawing(b, b.right, "right code"),
        "bench_broken": map_drawing(b, b.broken, "this code"),
        "bench_right_c": context_drawing(b, b.right, "right code"),
        "bench_broken_c": context_drawing(b, b.broken, "this code"),
        "bench_alarms": alarm_drawing(b),
        "bench_said": {"label": "", "reading": said(b, hidden=hidden)},
    }
    if worked_out:
        drawings["bench_arithmetic"] = arithmetic_drawing(b)
    return drawings


def heights(steps: int, projector: bool) -> tuple[int, int, int, int]:
    """Of maps, contexts, alarms and sentence: more for many steps, and for large type."""
    maps = 230 if steps <= 6 else 330 if steps <= NUMBERS_UP_TO else 480
    return (maps + 130, 230, 700, 120) if projector else (maps, 172, 428, 54)


# --- Maps ------------------------------------------------------------------------------------------------------------


def map_figure(b: Bench, run: Run) -> Figure:
    """All weights, on the scale from 0 to 1; what is beyond it is framed, what is no number is grey and says what it is."""
    figure = figures.weight_map(b.source, b.scenario.target, _finite(run.weights), b.t)
    figure["data"][0]["colorbar"]["thickness"] = 6
    return _honest(figure, run.weights, 0.0, 1.0)


def map_drawing(b: Bench, run: Run, whose: str) -> Drawing:
    """The weights of one code, in words too."""
    weights, target = run.weights, b.scenario.target
    size = f"{describe.count(len(target), 'step')} by {describe.count(len(b.source), 'word')}"
    rows = [f"step {t + 1} {named(target, t)}: {_listed(row)}" for t, row in enumerate(weights[:NUMBERS_UP_TO])]
    return {
        "figure": map_figure(b, run),
        "label": f"Heatmap of weights of {whose}, {size}. {'; '.join(rows)}.",
        "reading": _map_reading(weights, b.t),
    }


def _map_reading(weights: np.ndarray, t: int) -> str:
    lost, beyond = int((~np.isfinite(weights)).sum()), int((weights[np.isfinite(weights)] > 1 + alarms.TOLERANCE).sum())
    with np.errstate(all="ignore"):
        reading = f"Step {t + 1} adds up to {alarms.sum_told(float(weights[t].sum()))}."
    if beyond:
        reading += f" {describe.count(beyond, 'weight')} above 1."
    return reading + (f" {describe.count(lost, 'weight')} no number." if lost else "")


def context_drawing(b: Bench, run: Run, whose: str) -> Drawing:
    """The contexts of one code: a column per step."""
    c, target = run.context, b.scenario.target
    labels = tuple(plain(short(word, LETTERS)) for word in target)
    rows = NUMBERS
    figure = strips(target, _finite(c), reach=1.0, what="c", labels=labels, rows=rows, held=b.t, symbol="c")
    return {
        "figure": _honest(figure, c.T, -1.0, 1.0),
        "label": f"Heatmap of contexts of {whose}. "
        + "; ".join(f"step {t + 1} {named(target, t)}: {_listed(row)}" for t, row in enumerate(c[:NUMBERS_UP_TO]))
        + ".",
        "reading": f"c of step {b.t + 1}: ({_listed(c[b.t])}).",
    }


def _cell(value: float) -> str:
    return number(value) if abs(value) < 1000 else told(value)  # NaN fails the comparison


def _listed(row: np.ndarray) -> str:
    return ", ".join(_cell(float(x)) for x in row)


def _finite(values: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(values), values, 0.0)


def _honest(figure: Figure, values: np.ndarray, low: float, high: float) -> Figure:
    """Say in every cell what it is: frames around what the colours cannot show, no colour where there is no number."""
    lost = ~np.isfinite(values)
    with np.errstate(invalid="ignore"):
        beyond = ~lost & ((values < low - alarms.TOLERANCE) | (values > high + alarms.TOLERANCE))
    cells = figure["data"][0]
    cells["z"] = [
        [None if bad else z for z, bad in zip(*pair, strict=True)] for pair in zip(cells["z"], lost.tolist(), strict=True)
    ]
    if len(figure["data"]) > 1:
        flat = values.ravel()
        texts = figure["data"][1]
        texts["text"] = [_cell(float(v)) for v in flat]
        colours = zip(texts["textfont"]["color"], lost.ravel().tolist(), strict=True)
        texts["textfont"] = {"color": ["@text" if bad else colour for colour, bad in colours]}
    grey = {"line": {"width": 0}, "fillcolor": "@grid", "layer": "below"}
    framed = {"line": {"color": "@text", "width": 2, "dash": "dot"}, "fillcolor": "rgba(0,0,0,0)"}
    figure["layout"]["shapes"] = [*_runs(lost, grey), *_runs(beyond, framed), *figure["layout"]["shapes"]]
    return figure


def _runs(where: np.ndarray, look: dict[str, Any]) -> list[dict[str, Any]]:
    """A rectangle per run of cells in a row."""
    shapes = []
    for r, row in enumerate(where.tolist()):
        column = 0
        for there, run in groupby(row):
            width = len(list(run))
            if there:
                place = {"x0": column - 0.5, "x1": column + width - 0.5, "y0": r - 0.5, "y1": r + 0.5}
                shapes.append({"type": "rect", **place, **look})
            column += width
    return shapes


# --- Alarms ----------------------------------------------------------------------------------------------------------


def alarm_drawing(b: Bench) -> Drawing:
    """Every alarm, for the right code and for this one."""
    rows = [[name, _heard(b.quiet[name]), _heard(b.loud[name])] for name in alarms.ALARMS]
    counts = [f"{len(alarms.ringing(said))} of {len(rows)}" for said in (b.quiet, b.loud)]
    return {
        "table": {"columns": ["alarm", "right code", "this code"], "rows": rows, "total": ["ringing", *counts]},
        "label": "Alarms",
        "reading": "",
    }


def _heard(reading: alarms.Reading) -> str:
    if not reading.rings:
        return "quiet"
    return f"▲ RINGS {reading.measured}".rstrip()


def said(b: Bench, *, hidden: bool) -> str:
    """What rings, in sentences."""
    loud = alarms.ringing(b.loud)
    if b.bug == NOTHING and not hidden:
        return "Nothing is broken: both sides run the right code. Choose a bug."
    if not loud:
        return "No alarm rings."
    more = f" And {len(loud) - SENTENCES} more." if len(loud) > SENTENCES else ""
    return " ".join(b.loud[name].sentence for name in loud[:SENTENCES]) + more


# --- The row worked out ----------------------------------------------------------------------------------------------


def arithmetic_drawing(b: Bench) -> Drawing:
    """Every number of the step in hand, right and broken: one line per word."""
    t, g = b.t, b.g
    stages = ac.softmax_stages(b.right.scores[t], temperature=g.T, mask=g.may)
    with np.errstate(all="ignore"):
        plain_exp, columns = np.exp(b.broken.scores[t] / g.T), b.broken.weights.sum(axis=0)
        total, whole = float(b.broken.weights[t].sum()), float(plain_exp[g.may].sum())
    rows = []
    for i, word in enumerate(b.source):
        may = bool(g.may[i])
        rows.append(
            [
                f"{i + 1}  {word}",
                exact(b.right.scores[t, i]) if may else "masked: −∞",
                small(float(stages.lifted[i])),
                small(float(b.right.weights[t, i])),
                exact(b.broken.scores[t, i]),
                _plain(plain_exp[i]),
                told(b.broken.weights[t, i], 4),
                told(columns[i], 4),
            ]
        )
    scaled = "" if g.T == 1 else " ÷ T"
    names = ["source word", "score e", "exp(e − max)" if g.T == 1 else "exp((e − max) ÷ T)", "weight"]
    names += ["this code: e", f"exp(e{scaled})", "this code: weight", "sum of its column"]
    sums = ["sum", "", small(float(stages.total)), number(float(b.right.weights[t].sum()), 4)]
    sums += ["", f"{_plain(whole)} without padding", told(total, 4), ""]
    return {
        "table": {"columns": names, "rows": rows, "total": sums},
        "label": f"Arithmetic of step {t + 1}, right code and this code",
        "reading": f"c = Σ α h = ({_listed4(b.right.context[t])}); this code: c = ({_listed4(b.broken.context[t])}).",
    }


def _listed4(row: np.ndarray) -> str:
    return ", ".join(told(float(x), 4) for x in row)


def _plain(lifted: float) -> str:
    return "over 1.8e308" if np.isinf(lifted) else told(lifted, 4)
