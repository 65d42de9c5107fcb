"""Lesson 10: what the reader chose, how far the network has written, and what all frames show of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from attention_core.seq2seq.shipped import SHIPPED
from pages.parts import describe, interventions, trained
from pages.parts import translating_figures as drawn
from pages.parts.describe import Unit, number
from pages.parts.figures import Figure, short
from pages.parts.interventions import AT_ONE_STEP, Run
from pages.parts.live import Drawing, Slider
from pages.parts.scenario import Scenario

NETWORKS = tuple(name for name, one in SHIPPED.items() if one.attention)
MOST_LETTERS = 200
MOST_STEPS = 60
ONE_LINE = 76  # letters under the map
MARK = "○ "
HEADINGS = ("Without it, with it", "Words, and how sure")
SMALL = "○ marks small words and the end, <eos> or ¶: no source word is theirs alone, so their rows may lie anywhere."


@dataclass(frozen=True)
class Typed:
    """A text that the reader types for a network; empty for the first of its examples.

    What a network can read is the network's own matter; here is only said how long a text may be.
    """

    name: str

    @property
    def default(self) -> str:
        """The first example."""
        return ""

    def read(self, text: str, scenario: Scenario) -> str:
        """A text of at most 200 characters, with single blanks."""
        text = " ".join(text.split())
        if len(text) > MOST_LETTERS:
            raise ValueError(f"it must have at most {MOST_LETTERS} characters")
        return text

    def write(self, value: str) -> str:
        """The text itself."""
        return value

    def fitted(self, value: str, scenario: Scenario) -> str:
        """The network's text does not depend on the scenario."""
        return value


def checked(name: str, text: str) -> str:
    """A text that this network can read, as it stands in the link: with single blanks, and empty for the first example.

    Raises
    ------
    ValueError
        One sentence that says why it cannot be read.
    """
    text = " ".join(text.split())
    interventions.source_of(name, text, "")
    if len(text) > MOST_LETTERS:
        raise ValueError(f"the text has {len(text)} characters but at most {MOST_LETTERS} go into a link: shorten it")
    return "" if text == interventions.task_of(name).examples[0] else text


@dataclass(frozen=True, eq=False)
class Scene:
    """What is on screen.

    Attributes
    ----------
    name : str
        The network.
    source : tuple of str
        What it was given, without the end.
    kind : str
        One of `interventions.KINDS`.
    t : int
        The step in hand, from 0.
    before, run : Run
        Written as the network would, and with the intervention.
    rows : int
        Steps that the figures have room for.
    widest : int
        Letters that the rows' names have room for.
    changed : bool
        Whether the reader has changed weights.
    """

    name: str
    source: tuple[str, ...]
    kind: str
    t: int
    order: int
    before: Run
    run: Run
    rows: int
    widest: int
    changed: bool

    @property
    def written(self) -> int:
        """How many steps are shown: up to the one in hand, or all if the change is at that step alone."""
        return len(self.run.words) if self.kind in AT_ONE_STEP else self.t + 1

    @property
    def steps(self) -> int:
        """How many steps can be gone to."""
        return len(self.before.words) if self.kind in AT_ONE_STEP else len(self.run.words)


def scene(name: str, source: tuple[str, ...], kind: str, word: int, order: int, own: Mapping[str, float]) -> Scene:
    """Let the network write, as it would and as the reader wants it; `word` counts from 1 and may be too large."""
    before = interventions.usual(name, source)
    t, parts = min(word, len(before.words)) - 1, None
    possible: tuple[Run, ...] = (before,)  # whatever a hand can move to, the figures have room for it
    if kind == "none":
        run = before
    elif kind == "block the top word":
        possible = interventions.blocked_at_each(name, source)
        run = possible[t]
    elif kind == "own weights":
        parts = parts_at(before, t, own)
        run = interventions.with_weights(name, source, t, parts)
    else:
        run = interventions.everywhere(name, source, kind, order)
        t = min(word, len(run.words)) - 1
    every = (before, run, *possible)
    rows = max(len(one.words) for one in every)
    widest = max(len(label) for one in every for label in _labels(name, one.words))
    changed = parts is not None and parts != parts_at(before, t, {})
    return Scene(name, source, kind, t, order, before, run, rows, widest, changed)


def parts_at(run: Run, t: int, own: Mapping[str, float]) -> tuple[float, ...]:
    """The parts of one whole at this step: the reader's where there are any, the network's elsewhere."""
    return tuple(own.get(str(i + 1), float(a)) for i, a in enumerate(run.weights[t]))


def own_weights(run: Run, t: int, values: Sequence[float]) -> dict[str, float]:
    """What sliders at these values change; what stands where the network has it is no change."""
    natural = run.weights[t].tolist()
    return {str(i + 1): round(v, 4) + 0.0 for i, v in enumerate(values) if v != natural[i]}


def moved(now: Scene, values: Sequence[float]) -> tuple[int, dict[str, float]]:
    """The step, counted from 1, and the reader's own weights once the sliders stand at these values."""
    if now.kind == "own weights":
        return now.t + 1, own_weights(now.before, now.t, values)
    return round(values[0]), {}


def sliders(now: Scene, own: Mapping[str, float]) -> list[Slider]:
    """One for the words written so far; with own weights one for every word that was read."""
    if now.kind != "own weights":
        label, spoken = ("at word", "changed at word") if now.kind in AT_ONE_STEP else ("written", "words written")
        return [
            Slider(
                label, spoken, now.t + 1, min(4, now.steps), 1, now.steps, 1, now.steps, step=1, symbol="s"
            )
        ]  # fmt: skip
    natural = now.before.weights[now.t].tolist()
    return [
        Slider(
            word,
            f"part of {word}, position {i + 1}",
            part,
            natural[i],
            0.0,
            1.0,
            0.0,
            1.0,
            step=0.01,
            symbol="alpha",
        )
        for i, (word, part) in enumerate(zip(now.before.source, parts_at(now.before, now.t, own), strict=True))
    ]


# --- Drawings --------------------------------------------------------------------------------------------------------


def _labels(name: str, words: Sequence[str]) -> list[str]:
    small = interventions.small_words(name)
    return [(MARK if word in small else "") + interventions.shown_word(name, word) for word in words]


def map_figure(now: Scene) -> Figure:
    """The alignment map alone."""
    run = now.run
    return drawn.map_figure(run.source, _labels(now.name, run.words), run.weights, now.rows, now.written, now.t, now.widest)


def drawings(now: Scene, unit: Unit) -> dict[str, Drawing]:
    """The live part, by the last part of each frame's name."""
    name, run, before, t = now.name, now.run, now.before, now.t
    base = 2 if unit == "bits" else None
    spread = interventions.entropies(run, base)
    most = math.log(len(run.source)) / (math.log(2) if base else 1)
    tops = [
        f"step {k + 1}, {run.words[k]}: {describe.named(run.source, int(run.weights[k].argmax()))}"
        f" {number(float(run.weights[k].max()))}"
        for k in range(now.written)
    ]
    return {
        "map": {
            "figure": map_figure(now),
            "label": f"Heatmap, {now.written} of {now.rows} rows written; largest weight of each row: {'; '.join(tops)}.",
            "reading": _outputs(now),
        },
        "words": _words(now),
        "entropy": {
            "figure": drawn.entropy_figure(run.source, spread, most, now.rows, now.written),
            "label": f"Entropy of each step in {unit}: {', '.join(number(h) for h in spread[: now.written])};"
            f" the most is log {len(run.source)} = {number(most)}.",
            "reading": f"This step: {number(spread[t])} of {number(most)} {unit}",
        },
        "guesses": _guesses(now),
        "shows": {"reading": interventions.shows(name, now.kind, t, before, run, own=now.changed)},
    }


def _outputs(now: Scene) -> str:
    """The text so far, in a line; the words one by one stand beside it."""
    text = interventions.text_of(now.name, now.run.words[: now.written])
    if now.kind == "none":
        return short(f"Written: {text}", ONE_LINE)
    without = f" · Without: {interventions.text_of(now.name, now.before.words)}"
    told = f"With it: {text}"
    return told + without if len(told + without) <= ONE_LINE else short(told, ONE_LINE)


def _words(now: Scene) -> Drawing:
    """The words of both runs side by side; with nothing changed, each word and how sure the network is."""
    run = now.run
    words = list(run.words)
    if now.kind == "none":
        sure = [describe.percent(float(row.max())) for row in run.probabilities]
        return {
            "figure": drawn.words_figure(run.source, words, sure, [], now.rows, now.written),
            "label": f"Words written and how sure: {describe.pairs(words[: now.written], sure[: now.written])}.",
            "reading": f"{now.written} of {now.rows} written",
        }
    old = list(now.before.words)
    marked = interventions.differences(now.before, run)[: now.written]
    dashes = ["–"] * now.rows
    first, second = (old + dashes)[: now.rows], (words + dashes)[: now.rows]
    changed = [f"step {k + 1} {first[k]} becomes {second[k]}" for k, is_marked in enumerate(marked) if is_marked]
    return {
        "figure": drawn.words_figure(run.source, first, second, marked, now.rows, now.written),
        "label": f"Words without and with the change, step by step; different: {', '.join(changed) or 'none of them'}.",
        "reading": f"≠ marks what differs: {sum(marked)}",
    }


def _guesses(now: Scene) -> Drawing:
    """The likeliest words of the step in hand."""
    row, words = now.run.probabilities[now.t], trained.load(now.name).target_words
    order = np.argsort(-row, kind="stable")[: drawn.TOP]
    names = [words[k] for k in order]
    shares = [float(row[k]) for k in order]
    as_before = now.kind != "none" and now.t < len(now.before.words)
    without = [float(now.before.probabilities[now.t, k]) if as_before else 0.0 for k in order]
    labels = interventions.task_of(now.name).labels
    scripts = [labels.get(word, "").removesuffix(word.replace("-", " ")).strip() for word in names] if labels else None
    told = describe.pairs(names, [number(p, 4) for p in shares])
    return {
        "figure": drawn.guesses_figure(names, scripts, shares, without),
        "label": f"Bar chart, the {len(names)} likeliest words of step {now.t + 1}: {told}.",
        "reading": f"Step {now.t + 1} writes the tallest."
        if now.kind == "none"
        else f"Step {now.t + 1}; outline: without the change",
    }


# --- Where the numbers live ------------------------------------------------------------------------------------------


def stored(name: str) -> str:
    """What is learned and kept in the file."""
    p = trained.load(name).parameters
    sizes = ", ".join(f"{key} {' × '.join(map(str, p[key].shape))}" for key in ("W_a", "U_a", "v_a"))
    every = sum(value.size for value in p.values())
    return f"{sizes} and the rest of the network: {every:,} numbers, {trained.kilobytes(name)} kB, the same for every input."


def computed(now: Scene) -> str:
    """What is made for this sentence alone."""
    rows, columns = now.before.weights.shape
    return f"{rows} × {columns} = {rows * columns} weights α, T_y × T_x, both counting <eos>, for this input; in no file."
