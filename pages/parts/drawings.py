"""One decoder step as drawings: each a figure, its words for the ear, and its reading line.

The lab and the lessons show the same step with the same drawings; a page picks the frames it wants by name.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import attention_core as ac
from pages.parts import describe, figures
from pages.parts.describe import Unit, number
from pages.parts.live import Drawing
from pages.parts.scenario import Scenario


@dataclass(frozen=True)
class Step:
    """A scenario with everything that follows from it, computed once per movement."""

    scenario: Scenario
    annotations: np.ndarray  # (T_x, 2)
    grid: np.ndarray  # (T_y, T_x) weights of all steps
    context: np.ndarray  # (2,) of the current step
    entropies: np.ndarray  # (T_y,) nats

    @property
    def weights(self) -> np.ndarray:
        """(T_x,) weights of the current step."""
        row: np.ndarray = self.grid[self.scenario.t]
        return row

    @property
    def entropy(self) -> float:
        """Entropy of the current step, in nats."""
        return float(self.entropies[self.scenario.t])

    @property
    def effective(self) -> float:
        """exp(H) of the current step, in words."""
        return math.exp(self.entropy)


@lru_cache(maxsize=256)
def encoder_states(length: int, seed: int) -> np.ndarray:
    """Small seeded states h_1..h_Tx, two numbers each, so that a context vector can be drawn on paper.

    Spread around a circle, then shaken: points that coincide would hide how the blend moves.
    """
    rng = np.random.default_rng(seed)
    angles = 2 * np.pi * (np.arange(length) / length + rng.uniform())
    radii = rng.uniform(0.6, 1.0, length)
    states = np.column_stack([radii * np.cos(angles), radii * np.sin(angles)]).round(2) + 0.0
    states.flags.writeable = False
    return states


def step_of(scenario: Scenario) -> Step:
    """Compute all that the drawings show."""
    h = encoder_states(len(scenario.source), scenario.seed)
    seen = ac.attend(scenario.scores, h, temperature=scenario.temperature)
    return Step(scenario, h, seen.weights, seen.context[scenario.t], ac.entropy(seen.weights))


def bars(source: Sequence[str], values: list[float], reach: float) -> tuple[figures.Figure, figures.Figure]:
    """The bars before and after the softmax, straight from slider values: scores of a step, then the temperature."""
    *row, temperature = values
    weights = ac.softmax(row, temperature=temperature)
    return figures.score_bars(source, row, reach), figures.weight_bars(source, weights.tolist())


def scores_drawing(step: Step, reach: float) -> Drawing:
    """The scores before the softmax, within ±reach."""
    s = step.scenario
    row = s.scores[s.t]
    texts = [describe.exact(e) for e in row]
    return {
        "figure": figures.score_bars(s.source, row, reach),
        "label": f"Bar chart, scores of step {s.t + 1}: {describe.pairs(s.source, texts)}.",
        "reading": "Any number, any sign."
        if s.temperature == 1
        else f"Softmax divides them by the temperature, {s.temperature:g}.",
    }


def lifted_drawing(step: Step) -> Drawing:
    """The scores lifted above zero by exp."""
    s = step.scenario
    stages = ac.softmax_stages(s.scores[s.t], temperature=s.temperature)
    texts = [small(float(x)) for x in stages.lifted]
    return {
        "figure": figures.lifted_bars(s.source, stages.lifted.tolist()),
        "label": f"Bar chart, lifted scores of step {s.t + 1}: {describe.pairs(s.source, texts)}.",
        "reading": f"All above zero, the highest is 1. Sum {number(float(stages.total))}.",
    }


def weights_drawing(step: Step) -> Drawing:
    """The weights after the softmax."""
    s = step.scenario
    texts = [number(float(a), 4) for a in step.weights]
    return {
        "figure": figures.weight_bars(s.source, step.weights.tolist()),
        "label": f"Bar chart, weights of step {s.t + 1}: {describe.pairs(s.source, texts)}.",
        "reading": describe.true_sum(step.weights, 2).capitalize() + ".",
    }


def map_drawing(step: Step) -> Drawing:
    """The weights of all steps."""
    s = step.scenario
    tops = [
        f"step {t + 1} {describe.named(s.target, t)}: {describe.named(s.source, int(row.argmax()))} {number(row.max())}"
        for t, row in enumerate(step.grid)
    ]
    size = f"{describe.count(len(s.target), 'step')} by {describe.count(len(s.source), 'word')}"
    return {
        "figure": figures.weight_map(s.source, s.target, step.grid, s.t),
        "label": f"Heatmap of weights, {size}; largest weight of each row: {'; '.join(tops)}.",
        "reading": f"Each row adds up to 1. Framed: step {s.t + 1}. Click a row to hold it.",
    }


def entropy_drawing(step: Step, unit: Unit) -> Drawing:
    """How focused each step is, and the current one in numbers."""
    n = len(step.weights)
    per = 1.0 if unit == "nats" else math.log(2)
    h, most = step.entropy / per, math.log(n) / per
    reading = (
        f"H = {number(h)} {unit} of at most {number(most)} {unit}: like {number(step.effective)} of {describe.count(n, 'word')}."
    )
    return {
        "figure": figures.focus_ruler(step.scenario.target, np.exp(step.entropies), step.scenario.t, n),
        "label": f"Ruler from 1 to {describe.count(n, 'word')}. {reading}",
        "reading": reading,
    }


def context_drawing(step: Step) -> Drawing:
    """The encoder states and their blend."""
    s = step.scenario
    c = ", ".join(number(float(x)) for x in step.context)
    points = [f"h{i + 1} = ({number(float(x))}, {number(float(y))})" for i, (x, y) in enumerate(step.annotations)]
    return {
        "figure": figures.blend(s.source, step.annotations, step.weights, step.context),
        "label": f"Plane with the encoder states {'; '.join(points)}, each as large as its weight, and the context c = ({c}).",
        "reading": f"c = ({c}), the balance point of the h's.",
    }


def reading_drawing(step: Step) -> Drawing:
    """The step in one sentence."""
    s = step.scenario
    return {
        "label": "",
        "reading": describe.looks_at(s.source, s.target, s.t, step.weights, step.effective),
    }


def arithmetic_drawing(step: Step, unit: Unit) -> Drawing:
    """Every number of the step worked out: one row per source word, sums below."""
    s = step.scenario
    stages = ac.softmax_stages(s.scores[s.t], temperature=s.temperature)
    top = max(s.scores[s.t])
    base = math.log(2) if unit == "bits" else 1.0
    log = "log₂" if unit == "bits" else "ln"
    alpha = step.weights
    terms = [-a * math.log(a) / base if a > 0 else 0.0 for a in alpha.tolist()]
    scaled = s.temperature != 1
    rows = []
    for i, word in enumerate(s.source):
        row = [f"{i + 1}  {word}", describe.exact(s.scores[s.t][i]), number(s.scores[s.t][i] - top, 4)]
        if scaled:
            row.append(number(float(stages.shifted[i]), 4))
        row += [small(float(stages.lifted[i])), small(float(alpha[i])), number(terms[i], 4)]
        rows.append(row + [number(float(alpha[i] * x), 4) for x in step.annotations[i]])
    columns = ["source word", "score e", f"e − max (max {describe.exact(top)})"]
    columns += ["÷ temperature"] if scaled else []
    columns += ["exp", "weight α = exp ÷ sum", f"−α {log} α ({unit})", "α · h, first", "α · h, second"]
    total = ["sum", "", ""] + [""] * scaled
    total += [small(float(stages.total)), small(math.fsum(alpha)), f"H = {number(step.entropy / base, 4)}"]
    total += [f"c = {number(float(c), 4)}" if k == 0 else number(float(c), 4) for k, c in enumerate(step.context)]
    return {
        "table": {"columns": columns, "rows": rows, "total": total},
        "label": f"Arithmetic of step {s.t + 1}",
        "reading": f"exp(H) = {number(step.effective, 4)}: as spread as looking at that many words equally.",
    }


def small(value: float) -> str:
    """A number between 0 and 1 that may be tiny: four decimals, or its size; an exact 0 says so."""
    if value == 0:
        return "0 (exactly)"
    return number(value, 4) if value >= 0.0001 else f"{value:.2e}"
