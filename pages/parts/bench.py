"""The break-it bench: the scenario as input for code, whole or broken; the game with a hidden bug; the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

import attention_core as ac
from pages.parts.alarms import Reading, readings, ringing
from pages.parts.broken import BUGS, NAMES, NOTHING, ORIGINS, Array, Given, Run, code_of, softmax
from pages.parts.live import Slider
from pages.parts.microscope import sub
from pages.parts.network import D_X, network_of
from pages.parts.scenario import MAX_SEED, Scenario

PAD = "(pad)"  # what stands in an empty place
MOST_PADDING = 4
D, D_A, D_K = 4, 3, 2  # numbers of a state, d_s = d_h; of the space of comparison; of one head
WIDE = 3.0  # of a head's queries: a dot product of two numbers below 1 says little
PLACES, LIMIT = r"s[1-4]", 3.0  # of s_0
PLUS = (-1000.0, 1000.0)
TOLD = {
    "scores": "Scores are those of the scenario; states are those of a small network that has not learned.",
    "decoder": "Scores are made by a small decoder that has not learned: s₀ moves, and all its steps move.",
    "head": "Scores are made by one head of two: it compares its 2 of the 4 numbers of s and h. Nothing is learned.",
}


@dataclass(frozen=True, eq=False)
class Bench:
    """Right code beside broken code, on one input.

    Attributes
    ----------
    scenario : Scenario
    bug : str
        One of `broken.NAMES`.
    g : Given
    right, broken : Run
    quiet, loud : mapping of str to Reading
        What the alarms say of the right code and of the broken one.
    """

    scenario: Scenario
    bug: str
    g: Given
    right: Run
    broken: Run
    quiet: Mapping[str, Reading]
    loud: Mapping[str, Reading]

    @property
    def source(self) -> tuple[str, ...]:
        """The words that are looked at, padding at the end."""
        return padded(self.scenario.source, len(self.g.may) - len(self.scenario.source))

    @property
    def t(self) -> int:
        """The step in hand, counted from 0."""
        return self.scenario.t


def padded(source: tuple[str, ...], padding: int) -> tuple[str, ...]:
    """A sentence with empty places at its end, as sentences in one batch are made equally long."""
    return (*source, *[PAD] * padding)


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What the words make before anybody moves anything, rounded so that it can be printed."""

    h: Array
    last: Array
    s_0: Array
    read: Array
    score: Mapping[str, Array]
    cell: Mapping[str, Array]


@lru_cache(maxsize=128)
def _prepared(source: tuple[str, ...], target: tuple[str, ...], seed: int, padding: int) -> _Prepared:
    scenario = Scenario("words", source, target, ((0.0,) * len(source),) * len(target), 0, 1.0, seed)
    network = network_of(scenario, d_h=D, d_s=D, d_a=D_A, cell="tanh")
    h = _rounded(ac.encode(ac.word_vectors(padded(source, padding), D_X, seed), network.encoder))
    read = np.vstack([np.zeros(D_X), network.y[:-1]])
    return _Prepared(
        h=h,
        last=h[len(source) - 1],
        s_0=_rounded(network.s_0),
        read=_rounded(read),
        score={symbol: _rounded(array) for symbol, array in network.decoder.score.items()},
        cell={symbol: _rounded(array) for symbol, array in network.decoder.recurrent.items()},
    )


def _rounded(array: Array) -> Array:
    return np.round(array, 2) + 0.0


def given_of(scenario: Scenario, origin: str, padding: int, start: Mapping[str, float], plus: float) -> Given:
    """What the code is given.

    Parameters
    ----------
    scenario : Scenario
    origin : str
        One of `broken.ORIGINS`.
    padding : int
        Empty places at the end of the source.
    start : mapping of str to float
        Changed numbers of s_0, by place: "s1" is its first.
    plus : float
        A constant on all scores.
    """
    made = _prepared(scenario.source, scenario.target, scenario.seed, padding)
    s_0 = np.array([start.get(f"s{k + 1}", home) for k, home in enumerate(made.s_0)])
    rows, blank = np.array(scenario.scores), np.zeros((len(scenario.target), padding))
    g = Given(
        origin=origin,
        scores=np.hstack([rows, blank]),
        h=made.h,
        last=made.last,
        s_0=s_0,
        read=made.read,
        states=s_0[np.newaxis],
        queries=s_0[np.newaxis],
        d_k=D_K,
        may=np.arange(len(made.h)) < len(scenario.source),
        T=scenario.temperature,
        plus=plus,
        score=made.score,
        cell=made.cell,
    )
    states = _states(g)
    return replace(g, states=states, queries=(WIDE * states).round(2) + 0.0)


def _states(g: Given) -> Array:
    """s_(t-1) of every step of the right decoder."""
    s, rows = g.s_0, []
    for y in g.read:
        rows.append(s)
        c = softmax(ac.additive(s, g.h, **g.score), g.may, g.T) @ g.h
        s = ac.tanh_cell(np.concatenate([y, c]), s, **g.cell)
    return np.round(rows, 4) + 0.0


def set_up(scenario: Scenario, bug: str, padding: int, start: Mapping[str, float], plus: float) -> Bench:
    """Put a bug on the bench, beside the right code. See `given_of`."""
    return on_bench(scenario, given_of(scenario, origin_of(bug), padding, start, plus), bug)


def on_bench(scenario: Scenario, g: Given, bug: str) -> Bench:
    """Run right code and broken code, and let every alarm listen to both."""
    whole, broken = code_of(g.origin), code_of(g.origin, bug)
    quiet = readings(whole, g)
    loud = quiet if bug == NOTHING else readings(broken, g)
    return Bench(scenario, bug, g, whole(g), broken(g), quiet, loud)


def origin_of(bug: str) -> str:
    """Where scores come from on the bench."""
    return ORIGINS[0] if bug == NOTHING else BUGS[bug].origins[0]


# --- The game --------------------------------------------------------------------------------------------------------

TRIES = 6
LAST_GAME = 9999
DRAWN = 933  # of all constants tried, one whose first nine games hold each mistake once, and one without any


@dataclass(frozen=True)
class Game:
    """A hidden bug, and the numbers on which it shows.

    Attributes
    ----------
    bug, origin : str
    padding : int
    scenario : Scenario
        The reader's words with other scores, another seed and temperature 1.
    """

    bug: str
    origin: str
    padding: int
    scenario: Scenario


@lru_cache(maxsize=64)
def game_of(source: tuple[str, ...], target: tuple[str, ...], seed: int) -> Game:
    """Draw a bug, and numbers on which no other bug makes the same alarms ring.

    Parameters
    ----------
    source, target : tuple of str
    seed : int
        The same seed and words draw the same game.
    """
    rng = np.random.default_rng([DRAWN, seed])
    for bug in rng.permutation(NAMES).tolist():
        for _ in range(TRIES):
            origin = str(rng.choice(ORIGINS if bug == NOTHING else BUGS[bug].origins))
            padding = int(rng.integers(1, 3))
            scores = rng.normal(0.0, 2.0, (len(target), len(source))).round(1) + 0.0
            grid = tuple(tuple(row) for row in scores.tolist())
            scenario = Scenario("game", source, target, grid, 0, 1.0, int(rng.integers(MAX_SEED)))
            g = given_of(scenario, origin, padding, {}, 0.0)
            heard = {name: ringing(readings(code_of(origin, name), g)) for name in possible(origin)}
            # No other bug sounds like it; and as right code is among them, a bug is never silent.
            if list(heard.values()).count(heard[bug]) == 1:
                return Game(bug, origin, padding, scenario)
    raise AssertionError("the alarm for a late score rings on all numbers, and for one bug only")


def play(scenario: Scenario, seed: int, plus: float) -> Bench:
    """Put the hidden bug of a game on the bench; of the scenario, its words, step and temperature count."""
    game = game_of(scenario.source, scenario.target, seed)
    drawn = game.scenario.with_step(scenario.t).with_temperature(scenario.temperature)
    return on_bench(drawn, given_of(drawn, game.origin, game.padding, {}, plus), game.bug)


def possible(origin: str) -> list[str]:
    """The bugs that code with scores from there can have, and none."""
    return [NOTHING, *(name for name, bug in BUGS.items() if origin in bug.origins)]


# --- The hand --------------------------------------------------------------------------------------------------------


def start_sliders(s_0: Array, home: Array) -> list[Slider]:
    """The numbers of the first state."""
    reach = 1.0 if np.abs(s_0).max() <= 1 else LIMIT
    bounds = (-reach, reach, -LIMIT, LIMIT)
    return [
        Slider(f"s{sub(0)} [{k + 1}]", f"number {k + 1} of state 0", float(now), float(at), *bounds, step=0.02, symbol="s")
        for k, (now, at) in enumerate(zip(s_0, home, strict=True))
    ]


def moved_start(home: Array, values: Sequence[float]) -> dict[str, float]:
    """The changed numbers of s_0, with the sliders at these values."""
    return {f"s{k + 1}": value for k, (value, at) in enumerate(zip(values, home, strict=True)) if value != float(at)}


def home_start(scenario: Scenario) -> Array:
    """s_0 as the words make it."""
    return _prepared(scenario.source, scenario.target, scenario.seed, 0).s_0


def plus_slider(plus: float) -> Slider:
    """The constant on all scores."""
    return Slider("+ constant", "constant added to every score", plus, 0.0, *PLUS, *PLUS, step=1.0, symbol="w")
