"""Lesson 11: what a network can do, drawn at any step of its training."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

import attention_core as ac
from attention_core.seq2seq.model import END
from pages.parts import describe, figures
from pages.parts.describe import Unit, number, percent
from pages.parts.figures import Figure
from pages.parts.learning import HELD_OUT, LETTERS, POINTS, Run, Snapshot
from pages.parts.live import Drawing, Slider

END_SHOWN = "end"
BLIND = math.log(LETTERS + 1)  # the loss of who guesses all letters and the end alike
TOP = 1.18  # of the curves: an untrained network is a little worse than blind guessing


def scrubber(run: Run, at: int | None) -> Slider:
    """The slider that plays training back; its track is the whole run, so it shows the progress as well."""
    return Slider(
        word="step",
        spoken="step of training",
        value=float(run.at(at).step),
        home=float(run.last.step),
        min=0.0,
        max=float(run.horizon),
        least=0.0,
        most=float(run.horizon),
        step=run.every,
        symbol="w",
    )


# --- Figures ---------------------------------------------------------------------------------------------------------


def look_figure(run: Run, shown: Snapshot) -> Figure:
    """The map of the word shown, a frame around every true place; without attention the letters right at each place."""
    if not run.plan.attention:
        places = [f"letter {k + 1}" for k in range(run.plan.length)]
        texts = [percent(float(share)).removeprefix("exactly ") for share in shown.right_at]
        return figures.bars(places, shown.right_at.tolist(), texts, symbol="s", low=0.0, high=1.0, what="share right")
    example = run.example
    figure = figures.weight_map((*example.source, END_SHOWN), example.target, shown.weights, 0)
    frames = [
        {
            "type": "rect", "x0": place - 0.5, "x1": place + 0.5, "y0": row - 0.5, "y1": row + 0.5,
            "line": {"color": "@s", "width": 3}, "fillcolor": "rgba(0,0,0,0)",
        }
        for row, (place,) in enumerate(example.alignment)
    ]  # fmt: skip
    upright = {**figure["layout"]["xaxis"], "tickangle": 0}  # nine letters have room
    margin = {**figure["layout"]["margin"], "b": 24}
    return {**figure, "layout": {**figure["layout"], "shapes": frames, "dragmode": False, "xaxis": upright, "margin": margin}}


def right_figure(run: Run, twin: Run | None, shown: Snapshot) -> Figure:
    """Loss and accuracy over the steps, the twin's loss beside them."""
    curves = [
        _Curve(f"loss ÷ ln {LETTERS + 1}", run, [s.loss / BLIND for s in run.history], "@text", "solid"),
        _Curve("words right", run, [s.accuracy for s in run.history], "@s", "dash"),
    ]
    if twin:
        name = "loss with attention" if twin.plan.attention else "loss without"
        curves.append(_Curve(name, twin, [s.loss / BLIND for s in twin.history], "@line", "dot"))
    values = (shown.loss / BLIND, shown.accuracy)
    return _over_steps(run, shown.step, curves, values)


def focus_figure(run: Run, shown: Snapshot) -> Figure:
    """Weight on the true place, and entropy as a share of the largest there can be."""
    most = _most_entropy(run)
    curves = [
        _Curve("on true place", run, [s.mass for s in run.history], "@alpha", "solid"),
        _Curve("entropy ÷ most", run, [s.entropy / most for s in run.history], "@e", "dash"),
    ]
    return _over_steps(run, shown.step, curves, (shown.mass, shown.entropy / most))


class _Curve:
    """A curve with as many points as any history can have: what is not trained yet lies on its last point."""

    def __init__(self, name: str, run: Run, values: Sequence[float], colour: str, dash: str) -> None:
        missing = POINTS + 1 - len(values)
        steps = [s.step for s in run.history]
        self.x = steps + steps[-1:] * missing
        self.y = [*values, *[values[-1]] * missing]
        self.name, self.colour, self.dash = name, colour, dash

    @property
    def trace(self) -> dict[str, Any]:
        """The line."""
        return {
            "type": "scatter",
            "mode": "lines",
            "name": self.name,
            "x": self.x,
            "y": self.y,
            "line": {"color": self.colour, "width": 2.5, "dash": self.dash},
            "hovertemplate": f"step %{{x}}<br>{self.name} %{{y:.4f}}<extra></extra>",
        }


def _over_steps(run: Run, step: int, curves: Sequence[_Curve], values: Sequence[float]) -> Figure:
    """Curves over the whole run, with a dot where the step that is looked at meets those that have a value there."""
    quiet = {"type": "scatter", "showlegend": False, "hoverinfo": "skip"}
    marks = [
        {
            **quiet,
            "mode": "markers",
            "x": [step],
            "y": [value],
            "cliponaxis": False,
            "marker": {"size": 11, "color": curve.colour},
        }
        for curve, value in zip(curves, values, strict=False)
    ]
    # The bar along the foot grows with the training, wherever the reader looks.
    progress = {**quiet, "mode": "lines", "x": [0, run.last.step], "y": [0, 0], "line": {"color": "@w", "width": 7}}
    upright = {**quiet, "mode": "lines", "x": [step, step], "y": [0, TOP], "line": {"color": "@line", "width": 1.5}}
    return {
        "data": [progress, upright, *[curve.trace for curve in curves], *marks],
        "layout": figures.canvas(
            margin={"l": 34, "r": 16, "t": 26, "b": 24},
            xaxis={
                "range": [-0.02 * run.horizon, 1.02 * run.horizon],
                "fixedrange": True,
                "gridcolor": "@grid",
                "zeroline": False,
                "nticks": 6,
            },
            yaxis={
                "range": [0, TOP],
                "tickvals": [0, 0.25, 0.5, 0.75, 1],
                "fixedrange": True,
                "gridcolor": "@grid",
                "zeroline": False,
            },
            showlegend=True,
            legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False},
        ),
    }


def output_figure(run: Run, shown: Snapshot, big: bool) -> Figure:
    """The word read, the word it should write, the word it writes, one letter under the other."""
    places = run.plan.length + 2  # it may not find the end in time
    rows = (run.example.source, run.example.target, shown.output, _verdicts(run, shown))
    names, colours = ("reads", "should write", "writes", ""), ("@h-text", "@text", "@s-text", "@text")
    data = [
        {
            "type": "scatter",
            "mode": "text",
            "x": list(range(places)),
            "y": [r] * places,
            # An empty text has no place to write a letter into later.
            "text": [*row, *" " * (places - len(row))] if name != "writes" else [*row, *"·" * (places - len(row))],
            "textfont": {"color": colour, "size": 28 if big else 17},
            "hoverinfo": "skip",
        }
        for r, (row, name, colour) in enumerate(zip(rows, names, colours, strict=True))
    ]
    return {
        "data": data,
        "layout": figures.canvas(
            xaxis={"visible": False, "range": [-0.6, places - 0.4], "fixedrange": True},
            yaxis={
                "range": [3.5, -0.5],
                "tickvals": [0, 1, 2],
                "ticktext": names[:3],
                "ticks": "",
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            margin={"l": 92, "r": 8, "t": 2, "b": 2},
        ),
    }


def _verdicts(run: Run, shown: Snapshot) -> tuple[str, ...]:
    written = (*shown.output, *[END] * run.plan.length)  # it may have ended too soon
    return tuple("✓" if a == b else "✗" for a, b in zip(written, run.example.target, strict=False))


# --- Drawings --------------------------------------------------------------------------------------------------------


def moving(run: Run, twin: Run | None, step: int) -> dict[str, Figure]:
    """What follows the hand on the scrubber, by the last part of each frame's name."""
    shown = run.at(step)
    figures_of = {"map": look_figure(run, shown), "right": right_figure(run, twin, shown)}
    return figures_of | ({"focus": focus_figure(run, shown)} if run.plan.attention else {})


def drawings(run: Run, twin: Run | None, step: int, unit: Unit, *, big: bool = False) -> dict[str, Drawing]:
    """All frames at a step, by the last part of each frame's name; `big` for a projector."""
    shown = run.at(step)
    right = sum(a == "✓" for a in _verdicts(run, shown))
    wrote = "".join(shown.output) or "nothing"
    word, target = "".join(run.example.source), "".join(run.example.target)
    found = moving(run, twin, step)
    beside = f", {_kind(twin)} {number(twin.at(step).loss)}" if twin else ""
    drawn: dict[str, Drawing] = {
        "map": _look(run, shown, found["map"]),
        "right": {
            "figure": found["right"],
            "label": f"Curves over {run.last.step} of {run.horizon} steps. At step {shown.step}:"
            f" loss {number(shown.loss, 4)} nats, blind guessing {number(BLIND, 4)}{beside};"
            f" held-out words right {number(shown.accuracy, 4)}.",
            "reading": f"Trained {run.last.step} of {run.horizon} steps. Loss {number(shown.loss)} nats{beside};"
            f" blind guessing: ln {LETTERS + 1} = {number(BLIND)}.",
        },
        "output": {
            "figure": output_figure(run, shown, big),
            "label": f"The word {word}, to be written as {target}; after {shown.step} steps the network writes {wrote}.",
            "reading": f"After {shown.step} steps: {right} of {describe.count(len(target), 'letter')} right.",
        },
        "reading": {"label": "What it has learned", "reading": learned(run, twin, shown)},
    }
    if run.plan.attention:
        scale = 1 / math.log(2) if unit == "bits" else 1.0
        now, most = number(shown.entropy * scale), number(_most_entropy(run) * scale)
        drawn["focus"] = {
            "figure": found["focus"],
            "label": f"Curves. At step {shown.step}: weight on the true place {number(shown.mass, 4)}, entropy {now} {unit}"
            f" of at most {most}.",
            "reading": f"On the true place {number(shown.mass)}. Entropy {now} of at most {most} {unit}.",
        }
    return drawn


def _look(run: Run, shown: Snapshot, figure: Figure) -> Drawing:
    letters = run.example.target
    if not run.plan.attention:
        shares = describe.pairs(
            [f"letter {k + 1}" for k in range(len(letters))], [number(float(share)) for share in shown.right_at]
        )
        return {
            "figure": figure,
            "label": f"Bar chart, held-out words whose letter is right, by place: {shares}.",
            "reading": "No map: every letter is written from the same frozen vector.",
        }
    own = [float(shown.weights[t, place]) for t, (place,) in enumerate(run.example.alignment)]
    return {
        "figure": figure,
        "label": f"Heatmap of weights after {shown.step} steps; weight of each letter on its true place:"
        f" {describe.pairs(letters, [number(a) for a in own])}.",
        "reading": f"Framed: the true places. They hold {percent(float(np.mean(own)))} of this word's weight.",
    }


def learned(run: Run, twin: Run | None, shown: Snapshot) -> str:
    """One sentence, computed from the history: what it has learned by then."""
    right = f"writes {round(shown.accuracy * HELD_OUT)} of {HELD_OUT} unseen words right"
    opening = f"After {describe.count(shown.step, 'step')}" if shown.step else "Before any training"
    if run.plan.attention:
        return f"{opening} {percent(shown.mass)} of the weight is on the true place, and it {right}."
    if twin:
        other = twin.at(shown.step)
        return (
            f"{opening} its loss is {number(shown.loss)} nats and it {right};"
            f" with attention, after {other.step}, the loss is {number(other.loss)}."
        )
    return f"{opening} its loss is {number(shown.loss)} nats and it {right}. Train it with attention too, to compare."


def _kind(run: Run) -> str:
    return "with attention" if run.plan.attention else "without attention"


def _most_entropy(run: Run) -> float:
    return math.log(run.plan.length + 1)


# --- Arithmetic and code ---------------------------------------------------------------------------------------------


def arithmetic(run: Run, step: int) -> Drawing:
    """Every letter of the word shown: where it looks, what it gives the right letter, what that costs."""
    shown, example = run.at(step), run.example
    chances = _softmax(shown.logits)
    names = [END, *run.model.target_words[1:]]
    rows, masses, losses = [], [], []
    for t, letter in enumerate((*example.target, END)):
        chance, row = float(chances[t, names.index(letter)]), ["", ""]
        losses.append(-math.log(chance))
        if run.plan.attention and t < len(example.target):
            masses.append(float(shown.weights[t, example.alignment[t][0]]))
            row = [number(masses[-1], 4), number(float(ac.entropy(shown.weights[t])), 4)]
        said = names[int(chances[t].argmax())]
        rows.append([f"{t + 1}", _shown(letter), _shown(said), *row, number(chance, 4), number(losses[-1], 4)])
    mean = number(float(np.mean(masses)), 4) if masses else ""
    return {
        "table": {
            "columns": ["step t", "right", "likeliest", "α on true place", "H in nats", "p(right)", "−ln p"],
            "rows": rows,
            "total": ["mean", "", "", mean, "", "", number(float(np.mean(losses)), 4)],
        },
        "label": f"The word {''.join(example.source)} letter by letter, after {shown.step} steps.",
        "reading": "Given the right letters before each step. The loss is the mean of −ln p.",
    }


def _shown(letter: str) -> str:
    return END_SHOWN if letter == END else letter


def _softmax(logits: np.ndarray) -> np.ndarray:
    return np.asarray(ac.softmax(logits))


_BLOCK = """\
import numpy as np

# After {step} steps of learning to {task} "{source}" into "{target}".
{weights}letters = "{letters}"  # "." ends the word
right = letters.index("{first}")  # what step 1 should write
o = np.array([  # what the network says at step 1: one number per letter
{logits},
])

def loss(o):  # softmax, then -ln of what the right letter gets
    p = np.exp(o - o.max()) / np.exp(o - o.max()).sum()
    return -np.log(p[right])

p = np.exp(o - o.max()) / np.exp(o - o.max()).sum()
slope = p - (np.arange(len(o)) == right)  # of the loss: down for the right letter, up for all others
nudge = 1e-6 * (np.arange(len(o)) == right)
print("p(right)", p[right].round(4) + 0.0)
print("loss", loss(o).round(4) + 0.0)
print("slope", slope[right].round(4) + 0.0, "by a nudge", ((loss(o + nudge) - loss(o - nudge)) / 2e-6).round(4) + 0.0)
"""
_WEIGHTS = """\
alpha = np.array([  # one row per letter written, one column per letter read, the end last
{rows},
])
true = {places}
print("on true place", alpha[range(len(true)), true].round(4).tolist())
print("H in nats", (-(alpha * np.log(np.maximum(alpha, 1e-300))).sum(axis=1).round(4) + 0.0).tolist())
"""


def block(run: Run, step: int | None) -> str:
    """Write where the word shown is looked at, and the slope that learning starts from, as a NumPy program."""
    shown, example = run.at(step), run.example
    weights = ""
    if run.plan.attention:
        rows = ",\n".join("    [" + ", ".join(f"{a:.6g}" for a in row) + "]" for row in shown.weights.tolist())
        weights = _WEIGHTS.format(rows=rows, places=[place for (place,) in example.alignment])
    logits = [f"{o:.6f}" for o in shown.logits[0].tolist()]
    return _BLOCK.format(
        step=shown.step,
        task=run.plan.task,
        source="".join(example.source),
        target="".join(example.target),
        weights=weights,
        letters="".join([".", *run.model.target_words[1:]]),
        first=example.target[0],
        logits=",\n".join("    " + ", ".join(logits[k : k + 7]) for k in range(0, len(logits), 7)),
    )
