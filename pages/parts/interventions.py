"""Lesson 10: a trained network writes a sentence, as it would and with a hand in the works, and what that shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

import numpy as np

import attention_core as ac
from attention_core.seq2seq.decoding import Encoded, Look, Written, blocked, encode, greedy, shuffled, uniform
from attention_core.seq2seq.model import END, batch_of
from attention_core.seq2seq.shipped import PROBED, TEST
from attention_core.seq2seq.tasks import TASKS, Task
from pages.parts import describe, trained
from pages.parts.describe import count, named, percent

KINDS = (
    "none",
    "block the top word",
    "uniform weights",
    "shuffle the states",
    "shuffle the input",
    "recurrence off",
    "own weights",
)
AT_ONE_STEP = ("block the top word", "own weights")
SHUFFLES = ("shuffle the states", "shuffle the input")
MORE = 3  # words that a sentence may grow by when a hand is in the works; then it is cut
DRAWN = 2000  # examples, to see which words are ever content words


@dataclass(frozen=True, eq=False)
class Run:
    """One sentence, written.

    Attributes
    ----------
    source : tuple of str
        What was read, `END` included, in the order of the annotations.
    words : tuple of str
        What was written, `END` included if it came that far.
    h : (T_x, 2n) array
    before : (T_y, n) array
        The state that each look came from.
    weights : (T_y, T_x) array
        As they were used.
    logits, probabilities : (T_y, V_y) array
    """

    source: tuple[str, ...]
    words: tuple[str, ...]
    h: np.ndarray
    before: np.ndarray
    weights: np.ndarray
    logits: np.ndarray
    probabilities: np.ndarray


def task_of(name: str) -> Task:
    """What a network has learned."""
    return TASKS[trained.card(name)["task"]]


@lru_cache(maxsize=512)
def source_of(name: str, text: str, instead: str | None = None) -> tuple[str, ...]:
    """What a network reads in a text; an empty text is its first example, or `instead`.

    Raises
    ------
    ValueError
        One sentence that says why it cannot be read.
    """
    task = task_of(name)
    return task.read(text or (task.examples[0] if instead is None else instead))


def unreadable(name: str, text: str) -> str:
    """Why a network cannot read a text; empty if it can."""
    try:
        source_of(name, text)
    except ValueError as error:
        return str(error)
    return ""


def text_of(name: str, words: Sequence[str]) -> str:
    """Words as people write them."""
    return task_of(name).write([word for word in words if word != END])


@lru_cache(maxsize=16)
def small_words(name: str) -> frozenset[str]:
    """Target words that are never content words: articles, particles, the end. Their rows may lie anywhere."""
    rng, task = np.random.default_rng(0), task_of(name)
    content = {
        word
        for example in (task.draw(rng) for _ in range(DRAWN))
        for word, is_content in zip(example.target, example.content, strict=True)
        if is_content
    }
    return frozenset({END, *task.target_words} - content)


# --- Writing ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _read(name: str, source: tuple[str, ...], recurrence: bool = True) -> Encoded:
    model = trained.load(name)
    batch = batch_of([(source, ())], model)
    return encode(model, batch.source, batch.source_real, recurrence=recurrence)


def _one(name: str, source: tuple[str, ...], read: Encoded, written: Written, row: int = 0) -> Run:
    numbers = written.numbers[row].tolist()
    end = numbers.index(0) + 1 if 0 in numbers else len(numbers)
    words = trained.load(name).target_words
    before, weights, logits, probabilities = (
        part[row, :end] for part in (written.before, written.weights, written.logits, written.probabilities)
    )
    return Run(source, tuple(words[k] for k in numbers[:end]), read.annotations[row], before, weights, logits, probabilities)


@lru_cache(maxsize=512)
def usual(name: str, source: tuple[str, ...]) -> Run:
    """Write what the network would write."""
    read = _read(name, source)
    return _one(name, (*source, END), read, greedy(trained.load(name), read))


@lru_cache(maxsize=256)
def blocked_at_each(name: str, source: tuple[str, ...]) -> tuple[Run, ...]:
    """Write as often as there are steps, each time with the top word of one step blocked: all in one batch."""
    steps = len(usual(name, source).words)
    once = _read(name, source)
    read = Encoded(*(np.repeat(part, steps, axis=0) for part in once))

    def look(t: int, weights: np.ndarray, real: np.ndarray) -> np.ndarray:
        if t >= steps:
            return weights
        changed = weights.copy()
        changed[t] = blocked(weights[t : t + 1], weights[t : t + 1].argmax(axis=1))[0]
        return changed

    written = greedy(trained.load(name), read, longest=steps + MORE, look=look)
    return tuple(_one(name, (*source, END), read, written, row) for row in range(steps))


@lru_cache(maxsize=256)
def everywhere(name: str, source: tuple[str, ...], kind: str, order: int) -> Run:
    """Write with an intervention that holds for all steps; `order` draws the order of a shuffle."""
    model, read = trained.load(name), _read(name, source)
    look: Look | None = None
    shown = source
    if kind == "uniform weights":
        look = uniform
    elif kind == "recurrence off":
        read = _read(name, source, recurrence=False)
    elif kind == "shuffle the input":
        shown = tuple(source[k] for k in _another_order(source, order))
        read = _read(name, shown)
    complete = (*shown, END)
    if kind == "shuffle the states":
        rng, places = np.random.default_rng(order), np.arange(len(complete))[np.newaxis]
        while (places == np.arange(len(complete))).all():
            mixed, places = shuffled(read, rng)
        read, complete = mixed, tuple(complete[k] for k in places[0])
    longest = len(usual(name, source).words) + MORE
    return _one(name, complete, read, greedy(model, read, longest=longest, look=look))


def with_weights(name: str, source: tuple[str, ...], t: int, parts: tuple[float, ...]) -> Run:
    """Write with one step looking as it is told to, in parts of one whole, and let the network go on from there."""
    read, shares = _read(name, source), shares_of(parts)

    def look(step: int, weights: np.ndarray, real: np.ndarray) -> np.ndarray:
        return np.array([shares], dtype=weights.dtype) if step == t else weights

    longest = len(usual(name, source).words) + MORE
    return _one(name, (*source, END), read, greedy(trained.load(name), read, longest=longest, look=look))


def shares_of(parts: Sequence[float]) -> list[float]:
    """Parts as shares of one whole; nothing anywhere is the same everywhere."""
    total = sum(parts)
    return [part / total for part in parts] if total > 0 else [1 / len(parts)] * len(parts)


def _another_order(words: tuple[str, ...], seed: int) -> list[int]:
    """An order in which the words read differently, if there is one."""
    rng, order = np.random.default_rng(seed), np.arange(len(words))
    while len(set(words)) > 1 and tuple(words[k] for k in order) == words:
        order = rng.permutation(len(words))
    return [int(k) for k in order]


@lru_cache(maxsize=32)
def _same_without_recurrence(name: str) -> tuple[int, int]:
    """Of a network's examples, how many come out the same with the recurrence off, and of how many."""
    task = task_of(name)
    pairs = [(usual(name, source), everywhere(name, source, "recurrence off", 1)) for source in map(task.read, task.examples)]
    return sum(a.words == b.words for a, b in pairs), len(pairs)


# --- What it shows ---------------------------------------------------------------------------------------------------


def shown_word(name: str, word: str) -> str:
    """A target word for the eye, with its script if it has another."""
    return task_of(name).labels.get(word, word)


def differences(before: Run, after: Run) -> list[bool]:
    """Step by step, whether the words differ."""
    return [a != b for a, b in zip_longest(before.words, after.words)]


def _how_many(before: Run, after: Run) -> str:
    changed = [a != b for a, b in zip_longest(_told(before), _told(after))]
    if not any(changed):
        return "the output stays the same"
    return f"{sum(changed)} of {count(len(changed), 'word')} {'comes' if sum(changed) == 1 else 'come'} out differently"


def _told(run: Run) -> tuple[str, ...]:
    return tuple(word for word in run.words if word != END)


def shows(name: str, kind: str, t: int, before: Run, after: Run, *, own: bool = False) -> str:
    """What an intervention shows for this sentence; `own` tells whether the reader has changed a weight."""
    source = before.source
    if kind == "none":
        return describe.looks_at(source, before.words, t, before.weights[t], float(ac.effective_positions(_exact(before, t))))
    if kind == "block the top word":
        top = int(before.weights[t].argmax())
        opening = f"Without {named(source, top)}, which had {percent(float(before.weights[t, top]))} of the look, step {t + 1}"
        return opening + _said(before, after, t, "a large weight is no proof of cause")
    if kind == "own weights":
        if not own:
            return "These are the network's own weights of this step. Drag one: the network goes on from there."
        top = int(after.weights[t].argmax())
        opening = f"With your weights, most on {named(source, top)} ({percent(float(after.weights[t, top]))}), step {t + 1}"
        return opening + _said(before, after, t, "the other words' states know enough")
    if kind == "uniform weights":
        same = before.words == after.words
        why = "It could be guessed from the plain average" if same else "A plain average is too blurred"
        return f"Every word gets {percent(1 / len(source))} at every step: {_how_many(before, after)}. {why}."
    if kind == "shuffle the states":
        moved = _largest_move(before, after)
        logits = "" if moved is None else f" No logit moves by more than {_tiny(moved)}:"
        return f"The weights moved along with their states: c is the same.{logits} {_how_many(before, after)}."
    if kind == "shuffle the input":
        if before.source == after.source:
            return "There is only one order of these words: nothing was shuffled."
        read = (" " if len(max(source[:-1], key=len)) > 1 else "").join(after.source[:-1])
        return f'It reads "{read}": other neighbours, so other states h; {_how_many(before, after)}.'
    return f"Each h knows its own word and no neighbour: {_how_many(before, after)}."


def _said(before: Run, after: Run, t: int, if_same: str) -> str:
    old, new = before.words[t], after.words[t]
    return f' still writes "{old}": {if_same}.' if old == new else f' writes "{new}" instead of "{old}".'


def _exact(run: Run, t: int) -> np.ndarray:
    """A row in float64, divided by its own sum: float32 is off 1 by a few millionths."""
    row = run.weights[t].astype(np.float64)
    return np.asarray(row / row.sum())


def entropies(run: Run, base: int | None) -> list[float]:
    """Entropy of every step, in nats or, with base 2, in bits."""
    return [float(ac.entropy(_exact(run, t), base=2 if base else None)) for t in range(len(run.words))]


def _largest_move(before: Run, after: Run) -> float | None:
    return float(np.abs(before.logits - after.logits).max()) if before.words == after.words else None


def _tiny(value: float) -> str:
    return f"{value:.6f}" if value >= 1e-6 else "0.000001"


def measured(name: str, kind: str) -> str:
    """What was measured on test sentences, from the network's card; what was not, but can be counted now, is."""
    scores = trained.card(name)["scores"]
    over, content = f"Measured over {PROBED} test inputs:", len(small_words(name)) > 1  # letters are all content
    if kind == "none":
        return (
            f"Measured over {TEST:,} test inputs: {share(scores['exact_match'])} without a mistake,"
            f" {share(scores['mass_content'])} of the weight on the true places{' of content words' if content else ''}."
        )
    if kind == "block the top word":
        return (
            f"{over} blocking the top word changed {'content words' if content else 'what was written'}"
            f" in {share(scores['block_top_changes'])} of steps; blocking another word in {share(scores['block_other_changes'])}."
        )
    if kind == "uniform weights":
        return f"{over} {share(scores['uniform_exact_match'])} came out right with uniform weights."
    if kind == "shuffle the states":
        return (
            f"{over} {share(scores['shuffled_states_same'])} of outputs stayed the same;"
            f" no logit moved by more than {_tiny(scores['shuffled_states_move'])}."
        )
    if kind == "shuffle the input":
        return f"{over} {share(scores['shuffled_input_changes'])} of outputs changed."
    if kind == "recurrence off":
        same, examples = _same_without_recurrence(name)
        return f"Counted now: of the {examples} examples of this network, {same} come out the same with the recurrence off."
    return "Not measured: what comes out depends on the weights you choose."


def share(value: float) -> str:
    """A measured share: whole per cent, but a tenth where that would claim all or nothing."""
    near = 0 < value < 0.005 or 0.995 <= value < 1
    return f"{100 * value:.1f} %" if near else f"{100 * value:.0f} %"
