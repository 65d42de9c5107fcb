"""Lesson 2: a sentence is read; one of its words turns into another, and the annotations that feel it change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import attention_core as ac
from pages.parts import describe, figures, strips
from pages.parts.describe import number
from pages.parts.figures import Figure, plain, short
from pages.parts.live import Drawing
from pages.parts.network import D_X, encoder_of
from pages.parts.scenario import MAX_LETTERS, Scenario, words

DIRECTIONS = ("left to right", "both directions")
RECURRENCE = ("on", "off")
WIDE = 3.0  # word vectors are standard normal numbers: 99.7 % lie within
TOPS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)  # ends of the axis of changes; numbers between -1 and 1 differ by less than 2


@dataclass(frozen=True)
class OneWord:
    """A setting that is a word."""

    name: str
    default: str

    def read(self, text: str, scenario: Scenario) -> str:
        """The word, without blanks around it."""
        try:
            found = words(text)
        except ValueError:
            found = ()
        if len(found) != 1:
            raise ValueError(f"it must be one word of 1 to {MAX_LETTERS} letters")
        return found[0]

    def write(self, value: str) -> str:
        """The word itself."""
        return value

    def fitted(self, value: str, scenario: Scenario) -> str:
        """Any word goes with any sentence."""
        return value


@dataclass(frozen=True)
class Plan:
    """How the sentence is read: the page's settings."""

    cell: str
    both: bool
    recurrence: bool
    d_h: int
    k: int  # the word that changes, from 0
    word: str  # what it changes into


@dataclass(frozen=True, eq=False)
class Reading:
    """The sentence read, as it is and with word k changed.

    Attributes
    ----------
    x, h : (T_x, d_x) and (T_x, d_h) array
        Word vectors and annotations with the change.
    x_before, h_before : arrays of the same shapes
        Without it.
    change : float
        0: word k is itself; 1: it is the other word.
    """

    source: tuple[str, ...]
    plan: Plan
    encoder: ac.Encoder
    change: float
    x: np.ndarray
    h: np.ndarray
    x_before: np.ndarray
    h_before: np.ndarray

    @property
    def moved(self) -> list[float]:
        """The largest difference that the change makes to a number of each annotation."""
        largest: list[float] = np.abs(self.h - self.h_before).max(axis=1).tolist()
        return largest


def read(scenario: Scenario, plan: Plan, change: float) -> Reading:
    """Read the sentence with word k on its way to the other word."""
    x_before, encoder, h_before = _unchanged(scenario.source, scenario.seed, plan.cell, plan.both, plan.recurrence, plan.d_h)
    x = x_before.copy()
    x[plan.k] = (1 - change) * x_before[plan.k] + change * ac.word_vectors([plan.word], D_X, scenario.seed)[0]
    h = ac.encode(x, encoder, recurrence=plan.recurrence)
    return Reading(scenario.source, plan, encoder, change, x, h, x_before, h_before)


@lru_cache(maxsize=128)
def _unchanged(
    source: tuple[str, ...], seed: int, cell: str, both: bool, recurrence: bool, d_h: int
) -> tuple[np.ndarray, ac.Encoder, np.ndarray]:
    x, encoder = ac.word_vectors(source, D_X, seed), encoder_of(seed, d_h, cell, both)
    h = ac.encode(x, encoder, recurrence=recurrence)
    x.flags.writeable = h.flags.writeable = False
    return x, encoder, h


@lru_cache(maxsize=128)
def top_of(scenario: Scenario, plan: Plan) -> float:
    """The end of the axis of changes: what fits the whole way of the slider, so that it stays while a hand moves."""
    largest = max(max(read(scenario, plan, step / 10).moved) for step in range(11))
    return next(top for top in TOPS if top >= min(1.05 * largest, TOPS[-1]))


def number_labels(reading: Reading) -> tuple[str, ...]:
    """The numbers of an annotation, counted from 1; with two directions, which one made each."""
    d = len(reading.encoder.forward["U"])
    both = reading.encoder.backward is not None
    return tuple(f"{j + 1}{(' →' if j < d else ' ←') if both else ''}" for j in range(reading.encoder.d_h))


def heights(source: Sequence[str], d_h: int, projector: bool) -> tuple[int, int, int, int]:
    """Pixels of the frames: the word, all words, all annotations, their changes."""
    big = 1.5 if projector else 1.0
    slant = strips.room(_names(tuple(source))) - strips.ROW
    return int(190 * big), int((58 + 19 * D_X + slant) * big), int((66 + 19 * d_h) * big), int(134 * big)


# --- Figures ---------------------------------------------------------------------------------------------------------


def word_figure(reading: Reading) -> Figure:
    """The changing word as what it is, a list of numbers; outlined, the word as it was."""
    now, before = reading.x[reading.plan.k].tolist(), reading.x_before[reading.plan.k].tolist()
    names = [str(j + 1) for j in range(D_X)]
    figure = figures.bars(names, now, [""] * D_X, symbol="h", low=-WIDE, high=WIDE, what="number")
    figure = figures.with_outline(figure, before)
    # The numbers stand in a row of their own: at the bars, the outline would cross them out.
    numbers = {"x": list(range(D_X)), "y": [1.12 * WIDE] * D_X, "text": [number(v) for v in now]}
    return {**figure, "data": [*figure["data"], {"type": "scatter", "mode": "text", **numbers, "hoverinfo": "skip"}]}


def x_figure(reading: Reading) -> Figure:
    """All words as lists of numbers."""
    rows = tuple(str(j + 1) for j in range(D_X))
    return strips.strips(
        reading.source, reading.x, reach=WIDE, what="x", labels=_names(reading.source), rows=rows, top=True, held=reading.plan.k
    )


def h_figure(reading: Reading) -> Figure:
    """All annotations."""
    return strips.strips(
        reading.source, reading.h, reach=1.0, what="h", labels=_signs(len(reading.source)), rows=number_labels(reading)
    )


def moved_figure(reading: Reading, top: float) -> Figure:
    """How much each annotation has changed. An exact 0 is written as 0."""
    moved = reading.moved
    figure = figures.bars(
        reading.source, moved, [_moved_text(d) for d in moved], symbol="h", low=0.0, high=top, what="changed by"
    )
    axis = strips.strip_axis(_signs(len(moved)), False)
    margin = {"l": strips.LEFT, "r": strips.RIGHT, "t": 4, "b": 22}
    y_axis = {**figure["layout"]["yaxis"], "tickvals": [0, top / 2, top]}
    return {**figure, "layout": {**figure["layout"], "xaxis": axis, "yaxis": y_axis, "margin": margin}}


@lru_cache(maxsize=64)
def _names(source: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(plain(short(word, 12)) for word in source)


@lru_cache(maxsize=64)
def _signs(n: int) -> tuple[str, ...]:
    return tuple(f"h<sub>{i + 1}</sub>" for i in range(n))


def _moved_text(difference: float) -> str:
    if difference == 0:
        return "0"
    return number(difference) if difference >= 0.005 else "&lt;0.01"


# --- Drawings --------------------------------------------------------------------------------------------------------


def drawings(reading: Reading, top: float) -> dict[str, Drawing]:
    """The live part, by the last part of each frame's name."""
    plan, source = reading.plan, reading.source
    k, old = plan.k, describe.named(source, plan.k)
    new = f'"{plan.word}"'
    way = f"{describe.percent(reading.change)} of the way from {old} to {new}"
    if plan.word == source[k]:
        way = f"{old} turns into itself: nothing can change"
    elif reading.change in (0, 1):
        way = f"{old} as it is" if reading.change == 0 else f"{old} has become {new}"
    own = ", ".join(number(v) for v in reading.x[k])
    annotation = ", ".join(number(v) for v in reading.h[k])
    sizes = f"{describe.count(len(source), 'word')} by"
    return {
        "word": {
            "figure": word_figure(reading),
            "label": f"Bar chart, the {D_X} numbers of word {k + 1}: {own}. It is {way}.",
            "reading": way[0].upper() + way[1:] + ".",
        },
        "x": {
            "figure": x_figure(reading),
            "label": f"Colour strips of word vectors, {sizes} {D_X} numbers; word {k + 1}, {old}: {own}.",
            "reading": "The same word has the same numbers everywhere.",
        },
        "h": {
            "figure": h_figure(reading),
            "label": f"Colour strips of summaries, {sizes} {plan.d_h} numbers; h of word {k + 1}, {old}: {annotation}.",
            "reading": _how_read(plan),
        },
        "moved": {
            "figure": moved_figure(reading, top),
            "label": "Bar chart, largest change in each h: "
            + describe.pairs(source, [number(d, 4) if d else "exactly 0" for d in reading.moved])
            + ".",
            "reading": _who_moved(reading),
        },
    }


def _how_read(plan: Plan) -> str:
    if not plan.recurrence:
        return "Wiped before every word: h knows its own word only."
    if plan.both:
        return "→ has read up to here, ← from the end back to here."
    return "Each h is made from its word and the h before it."


def _who_moved(reading: Reading) -> str:
    moved = [i for i, d in enumerate(reading.moved) if d]
    still = [i for i, d in enumerate(reading.moved) if not d]
    if not moved:
        return "Exactly 0 everywhere: nothing has changed."
    if not still:
        return "Changed: every h." if len(reading.moved) > 1 else "Changed: h of the only word."
    return f"Changed: h of {_listed(moved)}. Exactly 0: h of {_listed(still)}."


def _listed(places: Sequence[int]) -> str:
    """Positions, counted from 1, three and more neighbours taken together: "words 1 to 3 and 5"."""
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][1] == place - 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    names = []
    for a, b in runs:
        names += [f"{a + 1} to {b + 1}"] if b > a + 1 else [str(place + 1) for place in range(a, b + 1)]
    return ("word " if len(places) == 1 else "words ") + describe.together(names)


# --- Arithmetic ------------------------------------------------------------------------------------------------------

HOW = {
    "tanh": {"sum": "W x + U h", "s′": "tanh(sum)"},
    "GRU": {
        "z": "σ(W_z x + U_z h)",
        "r": "σ(W_r x + U_r h)",
        "proposal": "tanh(W x + U (r ∘ h))",
        "s′": "(1 − z) ∘ h + z ∘ proposal",
    },
}


def stages(reading: Reading) -> dict[str, np.ndarray]:
    """What the cells made on the way to the annotation of word k, number by number: (d_h,) each, by the core's formulas."""
    plan, encoder = reading.plan, reading.encoder
    d = len(encoder.forward["U"])
    ways = [(encoder.forward, reading.h[:, :d], plan.k - 1)]
    if encoder.backward is not None:
        ways.append((encoder.backward, reading.h[:, d:], plan.k + 1))
    parts = []
    for parameters, states, source in ways:
        known = plan.recurrence and 0 <= source < len(states)
        before = states[source] if known else np.zeros(states.shape[1])
        parts.append({"s": before, **ac.CELLS[plan.cell].stages(reading.x[plan.k], before, **parameters)})
    return {formula: np.concatenate([part[formula] for part in parts]) for formula in parts[0]}


def arithmetic(reading: Reading) -> Drawing:
    """How the annotation of word k is made, one row per number."""
    made, how = stages(reading), HOW[reading.plan.cell]
    h = f"h_{reading.plan.k + 1}"
    names = {"s": "h before", "s′": f"{h}, new"}
    columns = [f"number of {h}", *(names.get(formula, formula.replace(" s", " h")) for formula in made)]
    table = [
        [label, *(number(v, 4) for v in row)]
        for label, row in zip(number_labels(reading), zip(*made.values(), strict=True), strict=True)
    ]
    return {
        "table": {"columns": columns, "rows": table, "total": ["how", *(how.get(formula, "") for formula in made)]},
        "label": f"How {h} is made, number by number",
        "reading": "x is the word's vector. σ squeezes into 0 to 1, tanh into −1 to 1; ∘ multiplies number by number.",
    }


# --- The same in NumPy; doubled braces are the block's own -----------------------------------------------------------

_HEAD = """\
import numpy as np

words = {words}
k, other, change = {k}, {other}, {change}  # k counts from 1
seed, d_x = {seed}, {d_x}

def vector(word):  # every word draws its own numbers, seeded by its letters
    return np.random.default_rng([seed, *word.encode()]).standard_normal(d_x)

x = np.array([vector(word) for word in words])
x[k - 1] = (1 - change) * x[k - 1] + change * vector(other)

rng = np.random.default_rng(seed)

def matrix(rows, columns):  # drawn, not learned
    return rng.standard_normal((rows, columns)) / np.sqrt(columns)

"""
_READ = """\
def read(x, d):  # {cell}: returns one summary of d numbers per word
    {matrices} = [{gain} * matrix(d, d_x) if reads else matrix(d, d) for reads in [True, False]{times}]
    h, summaries = np.zeros(d), []
    for v in x:
{step}
        summaries.append(h)
{wipe}    return np.array(summaries)

"""
_STEPS = {
    "tanh": """\
        h = np.tanh(W @ v + U @ h)""",
    "GRU": """\
        z = 1 / (1 + np.exp(-(W_z @ v + U_z @ h)))  # how much of each number is replaced
        r = 1 / (1 + np.exp(-(W_r @ v + U_r @ h)))  # how much of the old summary the proposal sees
        h = (1 - z) * h + z * np.tanh(W @ v + U @ (r * h))""",
}
_MATRICES = {"tanh": "W, U", "GRU": "W, U, W_z, U_z, W_r, U_r"}
_FORWARD = """\
h = read(x, {d_h})
"""
_BOTH = """\
forward = read(x, {first})
backward = read(x[::-1], {second})[::-1]  # from the end to the start, then put in the words' order
h = np.hstack([forward, backward])
"""
_PRINT = """\
for word, summary in zip(words, h):
    print((summary.round(4) + 0.0).tolist(), word)
"""


def block(scenario: Scenario, plan: Plan, change: float) -> str:
    """Write the reading as a NumPy program that prints every annotation."""
    head = _HEAD.format(
        words=list(scenario.source), k=plan.k + 1, other=repr(plan.word), change=change, seed=scenario.seed, d_x=D_X
    )
    reader = _READ.format(
        cell=plan.cell,
        matrices=_MATRICES[plan.cell],
        gain=1.5,
        times=" * 3" if plan.cell == "GRU" else "",
        step=_STEPS[plan.cell],
        wipe="" if plan.recurrence else "        h = np.zeros(d)  # recurrence off: forget\n",
    )
    run = (_BOTH if plan.both else _FORWARD).format(d_h=plan.d_h, first=plan.d_h - plan.d_h // 2, second=plan.d_h // 2)
    return head + reader + run + _PRINT
