"""Lesson 11: a network in training, a slice at a time, and what it could do on the way.

Training never runs on its own: whoever shows it calls `Bench.work` again and again, and each call trains for a few
steps at most. When nobody calls, nothing happens. So there is no thread to stop, and a page that is left costs nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

import attention_core as ac
from attention_core.seq2seq.decoding import Encoded, encode, greedy
from attention_core.seq2seq.model import Batch, Seq2Seq, Sizes, batch_of, random_model
from attention_core.seq2seq.tasks import Example, letter_task, sample
from attention_core.seq2seq.training import Recipe, train

TASKS = ("reverse", "copy", "sort", "shift")
RATES = ("0.003", "0.01", "0.03")
NETWORKS = ("attention", "without")
LENGTHS = (3, 8, 6)  # least, most, at first
MOST_SEED = 9999

SIZES = Sizes(units=16, embedding=12, d_a=16)
LETTERS, BATCH = 12, 16
TRAINED_ON, HELD_OUT = 3000, 64  # words
POINTS = 100  # of a history, beside its beginning, however long the run
HORIZON = 400  # steps until a run pauses by itself

TICK = 0.2  # seconds from slice to slice: slow enough to be watched
SLICE = 0.02  # seconds of training in one, so that a server with several learners still answers others
BREATH = 0.001  # seconds after every step: whoever waits for the interpreter gets in, which takes 5 ms otherwise


@dataclass(frozen=True)
class Plan:
    """What decides a run, to the last digit."""

    task: str
    length: int
    seed: int
    rate: float
    attention: bool

    @property
    def twin(self) -> Plan:
        """The same with the other kind of network."""
        return replace(self, attention=not self.attention)


class Words(NamedTuple):
    """The words of a task: those trained on, and others that no network here is ever trained on.

    Attributes
    ----------
    trained_on : tuple of (source, target)
    held_out : tuple of Example
        The first is the one whose map is shown.
    """

    trained_on: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    held_out: tuple[Example, ...]


class Snapshot(NamedTuple):
    """What the network can do after some steps.

    Attributes
    ----------
    step : int
    loss : float
        Mean over the held-out words and their letters, the end mark included, in nats.
    accuracy : float
        Share of the held-out words that it writes without any mistake.
    right_at : (L,) ndarray
        Share of held-out words whose letter at this place it would write right, the right letters before it being given.
    entropy, mass : float
        Of the rows of its maps, mean over held-out words: entropy in nats, weight on the true place. NaN without attention.
    weights : (L, L + 1) ndarray
        Map of the word shown, the right letters being given. The last column is the end mark.
    logits : (L + 1, V) ndarray
        For the word shown, the same way.
    output : tuple of str
        What it makes of the word shown when it reads its own letters.
    """

    step: int
    loss: float
    accuracy: float
    right_at: np.ndarray
    entropy: float
    mass: float
    weights: np.ndarray
    logits: np.ndarray
    output: tuple[str, ...]


class Run:
    """One network, from its first step on.

    Attributes
    ----------
    step : int
        Steps made.
    every : int
        Steps from one snapshot to the next.
    horizon : int
        Where the run pauses by itself.
    history : list of Snapshot
        The first was taken before any training.
    """

    def __init__(self, plan: Plan) -> None:
        """Draw the network; nothing is trained yet."""
        self.plan = plan
        self.words = words_of(plan.task, plan.length)
        task = letter_task(plan.task, shortest=plan.length, longest=plan.length, letters=LETTERS)
        # The words come in the same order to both kinds of network.
        drawing, order = (np.random.default_rng([plan.seed, k]) for k in (0, 1))
        self.model: Seq2Seq = random_model(
            task.source_words, task.target_words, SIZES, drawing, attention=plan.attention, dtype=np.float64
        )
        self._held_out = batch_of([(e.source, e.target) for e in self.words.held_out], self.model)
        # No end and no falling rate: how long to train is the reader's choice, made later.
        recipe = Recipe(10**9, batch=BATCH, rate=plan.rate, warm_up=1, dropout=0.0, steady=True)
        self._steps = train(self.model, self.words.trained_on, recipe, order)
        self.step, self.every, self.horizon = 0, HORIZON // POINTS, HORIZON
        self.history = [snapshot(self.model, self.words.held_out, self._held_out, 0)]

    @property
    def example(self) -> Example:
        """The held-out word whose map is shown."""
        return self.words.held_out[0]

    @property
    def finished(self) -> bool:
        """Whether the run has paused by itself."""
        return self.step >= self.horizon

    @property
    def last(self) -> Snapshot:
        """The newest snapshot."""
        return self.history[-1]

    def at(self, step: int | None) -> Snapshot:
        """The newest snapshot that is not later than a step; None: the newest of all."""
        if step is None:
            return self.last
        return self.history[min(max(step, 0) // self.every, len(self.history) - 1)]

    def advance(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Train until the next snapshot, or until the time is over; one step at least."""
        end = clock() + seconds
        while not self.finished:
            next(self._steps)
            time.sleep(BREATH)
            self.step += 1
            if self.step % self.every == 0:
                self.history.append(snapshot(self.model, self.words.held_out, self._held_out, self.step))
                return
            if clock() >= end:
                return

    def extend(self) -> None:
        """Make room for as many steps again. Every second snapshot goes, so that a history never grows beyond its room."""
        self.horizon *= 2
        self.every *= 2
        self.history = self.history[::2]


@dataclass
class Bench:
    """What one reader has under way: a run and, for comparison, its twin.

    Attributes
    ----------
    on : bool
        Whether `work` trains.
    at : int or None
        The step that is looked at; None follows the newest.
    """

    runs: dict[Plan, Run] = field(default_factory=dict)
    on: bool = False
    at: int | None = None
    _worked: float = -1e9
    _busy: threading.Lock = field(default_factory=threading.Lock)

    def hold(self, plan: Plan) -> Run:
        """Turn to a plan. Another plan than before stops the work; whatever is neither it nor its twin is given up."""
        if next(reversed(self.runs), None) != plan:
            self.on, self.at = False, None
            twins = {kept: run for kept, run in self.runs.items() if kept == plan.twin}
            self.runs = {**twins, plan: self.runs.get(plan) or Run(plan)}  # the last one is in hand
        return self.runs[plan]

    @property
    def run(self) -> Run:
        """The run in hand."""
        return next(reversed(self.runs.values()))

    @property
    def twin(self) -> Run | None:
        """The run with the other kind of network, if it has been trained."""
        twin = self.runs.get(self.run.plan.twin)
        return twin if twin and twin.step else None

    def turn(self, on: bool) -> None:
        """Start, resume or train beyond the horizon; or stop. Said twice it is done once."""
        if on == self.on:
            return
        self.on = on
        if on:
            self.at, self._worked = None, -1e9
            if self.run.finished:
                self.run.extend()

    def anew(self) -> None:
        """Begin again from the untrained network; the same plan gives the same numbers."""
        plan = self.run.plan
        self.runs[plan] = Run(plan)
        self.on, self.at, self._worked = True, None, -1e9

    def scrub(self, step: int) -> None:
        """Look at a step; the newest is followed."""
        self.at = step if step < self.run.last.step else None

    def work(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Train for a slice, if it is time: a hand on the scrubber calls far more often than training is to run.

        A button may be pressed, and its answer may call this again, while a slice is still under way.
        """
        if not self.on or clock() - self._worked < 0.8 * TICK or not self._busy.acquire(blocking=False):
            return
        try:
            self._worked = clock()
            self.run.advance(SLICE, clock)
        finally:
            self._busy.release()
        if self.run.finished:
            self.on = False


@lru_cache(maxsize=len(TASKS) * 6)
def words_of(task: str, length: int) -> Words:
    """The words of a task, the same for every run and every reader."""
    letters = letter_task(task, shortest=length, longest=length, letters=LETTERS)
    rng = np.random.default_rng([TASKS.index(task), length])
    held_out = sample(letters, rng, HELD_OUT, "test")
    # A word of different letters is shown: what it looks at can then be told from what it writes. And one that changes.
    good = [e for e in held_out if len(set(e.source)) == length and (task == "copy" or e.source != e.target)]
    shown = good[0] if good else held_out[0]
    held_out.remove(shown)
    trained_on = sample(letters, rng, TRAINED_ON, "train")
    return Words(tuple((e.source, e.target) for e in trained_on), (shown, *held_out))


def snapshot(model: Seq2Seq, examples: tuple[Example, ...], batch: Batch, step: int) -> Snapshot:
    """Let a network write the held-out words, the right letters being given, and the word shown also by itself."""
    read = encode(model, batch.source, batch.source_real)
    given = greedy(model, read, given=batch.target)
    alone = greedy(model, Encoded(*(part[:1] for part in read)), longest=batch.target.shape[1] + 1)
    right = given.numbers == batch.target
    length = batch.target.shape[1] - 1
    places = np.array([[place for (place,) in e.alignment] for e in examples])  # (B, L): each letter has one true place
    rows = given.weights[:, :length]  # the step that ends a word has no true place
    chances = np.take_along_axis(given.probabilities, batch.target[..., np.newaxis], axis=2)
    return Snapshot(
        step=step,
        loss=float(-np.log(chances).mean()),
        # While all is right, the letters that it would read by itself are the ones that it is given.
        accuracy=float(right.all(axis=1).mean()),
        right_at=right[:, :length].mean(axis=0),
        entropy=float(np.mean(ac.entropy(rows))) if model.attention else float("nan"),
        mass=float(np.take_along_axis(rows, places[..., np.newaxis], axis=2).mean()) if model.attention else float("nan"),
        weights=rows[0].copy(),
        logits=given.logits[0].copy(),
        output=alone.words[0],
    )
