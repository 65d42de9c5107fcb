"""One additive score under the microscope: its numbers, the hand on them, and what is left when a part is taken out.

All numbers are those of the small network, rounded to two decimals, so that what stands on screen is what is computed with.
A hand overwrites single numbers, by place:

- ``s2_1``: number 1 of the state before step 2. It counts at step 2 only: other steps keep the states that the decoder made,
  so all T_y x T_x scores stay defined whatever is changed (how a state grows out of the one before is lesson 8);
- ``h3_2``: number 2 of the annotation of word 3, for every step;
- ``W1_2``, ``U1_2``, ``v3``: row and column of the learned parameters, for every pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import attention_core as ac
from pages.parts.live import Slider
from pages.parts.network import network_of
from pages.parts.scenario import Scenario

HELD = ("h", "s", "Wₐ", "Uₐ", "vₐ")
BREAKS = ("none", "no projection", "no v_a", "no tanh")
PLACES = r"[sh][1-9][0-9]?_[1-8]|[WU][1-8]_[1-8]|v[1-8]"
LIMIT = 50.0  # of a changed number
LOUDER = 3.0  # what "saturate it" multiplies both matrices with
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True, eq=False)
class Numbers:
    """All that the scores are made of.

    Attributes
    ----------
    s : (T_y, d_s) array
        The state before each step: row 0 is s_0.
    h : (T_x, d_h) array
    W : (d_a, d_s) array
    U : (d_a, d_h) array
    v : (d_a,) array
    """

    s: np.ndarray
    h: np.ndarray
    W: np.ndarray
    U: np.ndarray
    v: np.ndarray


@dataclass(frozen=True, eq=False)
class Stages:
    """What becomes of them, for every pair (t, i); None from the stage on that cannot be.

    Attributes
    ----------
    state : (T_y, d) array
        Each state, projected to d = d_a numbers; as it is without projection.
    annotation : (T_x, d) array
    summed, bent : (T_y, T_x, d) array or None
    scores, weights : (T_y, T_x) array or None
    """

    state: np.ndarray
    annotation: np.ndarray
    summed: np.ndarray | None
    bent: np.ndarray | None
    scores: np.ndarray | None
    weights: np.ndarray | None


@dataclass(frozen=True, eq=False)
class Microscope:
    """The pair (t, i) with everything around it.

    Attributes
    ----------
    scenario : Scenario
    i : int
        The word, counted from 0.
    breaks : str
        One of `BREAKS`.
    numbers, home : Numbers
        As a hand has left them, and as they were prepared.
    stages, ghost : Stages
        What becomes of either, with what `breaks` takes out.
    whole, whole_ghost : Stages
        With nothing taken out: what stays in sight where there is nothing else to show.
    """

    scenario: Scenario
    i: int
    breaks: str
    numbers: Numbers
    home: Numbers
    stages: Stages
    ghost: Stages
    whole: Stages
    whole_ghost: Stages

    @property
    def t(self) -> int:
        """The step, counted from 0."""
        return self.scenario.t

    @property
    def sizes(self) -> tuple[int, int, int]:
        """d_s, d_h, d_a."""
        return self.numbers.s.shape[1], self.numbers.h.shape[1], len(self.numbers.v)

    @property
    def bound(self) -> float:
        """The sum of |v_a|: no score is larger while tanh is there."""
        return float(np.abs(self.numbers.v).sum())


def prepared(scenario: Scenario, sizes: tuple[int, int, int]) -> Numbers:
    """The network's numbers, rounded; sizes are d_s, d_h, d_a."""
    d_s, d_h, d_a = sizes
    network = network_of(scenario, d_s=d_s, d_h=d_h, d_a=d_a)
    score = network.decoder.score
    return Numbers(
        *((array.round(2) + 0.0) for array in (network.run.before, network.h, score["W_a"], score["U_a"], score["v_a"]))
    )


def edited(numbers: Numbers, edits: Mapping[str, float]) -> Numbers:
    """The numbers with some overwritten; places beyond the sizes are passed over."""
    arrays = {letter: array.copy() for letter, array in vars(numbers).items()}
    for place, value in edits.items():
        array, index = arrays[place[0]], tuple(int(n) - 1 for n in place[1:].split("_"))
        if all(k < size for k, size in zip(index, array.shape, strict=True)):
            array[index] = value
    return Numbers(**arrays)


def stages_of(numbers: Numbers, breaks: str = "none") -> Stages:
    """Compute every stage for all pairs, as far as it goes with what `breaks` takes out."""
    s, h, W, U, v = (numbers.s, numbers.h, numbers.W, numbers.U, numbers.v)
    if breaks == "none":
        made = ac.additive_stages(s, h, W, U, v)
        return Stages(
            made.projected_state, made.projected_annotations, made.summed, made.bent, made.scores, ac.softmax(made.scores)
        )
    state, annotation = (s, h) if breaks == "no projection" else (s @ W.T, h @ U.T)
    if state.shape[1] != annotation.shape[1]:
        return Stages(state, annotation, None, None, None, None)
    summed = state[:, np.newaxis, :] + annotation
    bent = summed if breaks == "no tanh" else np.tanh(summed)
    if breaks == "no v_a" or bent.shape[-1] != len(v):
        return Stages(state, annotation, summed, bent, None, None)
    scores = bent @ v
    return Stages(state, annotation, summed, bent, scores, ac.softmax(scores))


def microscope(
    scenario: Scenario, i: int, sizes: tuple[int, int, int], edits: Mapping[str, float], breaks: str = "none"
) -> Microscope:
    """Put a pair under the microscope; the word i is counted from 0."""
    home = prepared(scenario, sizes)
    numbers = edited(home, edits)
    whole, whole_ghost = stages_of(numbers), stages_of(home)
    broken = breaks != "none"
    stages, ghost = (stages_of(numbers, breaks), stages_of(home, breaks)) if broken else (whole, whole_ghost)
    return Microscope(scenario, i, breaks, numbers, home, stages, ghost, whole, whole_ghost)


# --- The hand ---------------------------------------------------------------------------------------------------------


def places(held: str, t: int, i: int, sizes: tuple[int, int, int]) -> list[str]:
    """The places that the sliders hold: one state, one annotation, or one set of parameters."""
    d_s, d_h, d_a = sizes
    grids = {"Wₐ": ("W", d_s), "Uₐ": ("U", d_h)}
    if held == "s":
        return [f"s{t + 1}_{k + 1}" for k in range(d_s)]
    if held == "h":
        return [f"h{i + 1}_{k + 1}" for k in range(d_h)]
    if held == "vₐ":
        return [f"v{k + 1}" for k in range(d_a)]
    letter, columns = grids[held]
    return [f"{letter}{r + 1}_{c + 1}" for r in range(d_a) for c in range(columns)]


def value(numbers: Numbers, place: str) -> float:
    """The number at a place."""
    array: np.ndarray = vars(numbers)[place[0]]
    return float(array[tuple(int(n) - 1 for n in place[1:].split("_"))])


def moved(edits: Mapping[str, float], home: Numbers, held: Sequence[str], values: Sequence[float]) -> dict[str, float]:
    """The edits once these places have these values; what is back at home is no edit."""
    others = {place: number for place, number in edits.items() if place not in held}
    return others | {place: new for place, new in zip(held, values, strict=True) if new != value(home, place)}


def louder(numbers: Numbers) -> dict[str, float]:
    """Both matrices times `LOUDER`: most of what tanh gets then lies where it is flat."""
    return {
        f"{letter}{r + 1}_{c + 1}": round(float(np.clip(LOUDER * entry, -LIMIT, LIMIT)), 2) + 0.0
        for letter in "WU"
        for (r, c), entry in np.ndenumerate(vars(numbers)[letter])
    }


def flipped(numbers: Numbers) -> dict[str, float]:
    """v_a with every sign turned."""
    return {f"v{k + 1}": -float(entry) + 0.0 for k, entry in enumerate(numbers.v)}


def sliders(m: Microscope, held: str) -> list[Slider]:
    """One slider per number that the hand holds."""
    symbol = held if held in ("s", "h") else "w"
    made = []
    for place in places(held, m.t, m.i, m.sizes):
        now, home = value(m.numbers, place), value(m.home, place)
        # A state of this network lives between -1 and 1; parameters may be any number.
        reach = next(end for end in (1.0, 5.0, 10.0, 20.0, LIMIT) if end >= max(abs(home), abs(now), 0 if symbol != "w" else 5))
        made.append(
            Slider(
                word=name(place),
                spoken=spoken(place),
                value=now,
                home=home,
                min=-reach,
                max=reach,
                least=-LIMIT,
                most=LIMIT,
                step=0.02 if reach == 1 else 0.1,
                symbol=symbol,
            )
        )
    return made


def sub(n: int) -> str:
    """A number as a subscript."""
    return str(n).translate(SUBSCRIPTS)


def name(place: str) -> str:
    """A place as it is written: of s and h the number's own place, of a matrix row and column.

    >>> name("s2_1"), name("W1_2"), name("v3")
    ('s₁ [1]', 'W₁₂', 'v₃')
    """
    first, _, second = place[1:].partition("_")
    if place[0] == "s":
        return f"s{sub(int(first) - 1)} [{second}]"
    if place[0] == "h":
        return f"h{sub(int(first))} [{second}]"
    return f"{place[0]}{sub(int(first + second))}"


def spoken(place: str) -> str:
    """A place as it is said.

    >>> spoken("s2_1"), spoken("W1_2"), spoken("v3")
    ('number 1 of the state before step 2', 'W row 1, column 2', 'v number 3')
    """
    first, _, second = place[1:].partition("_")
    if place[0] == "s":
        return f"number {second} of the state before step {first}"
    if place[0] == "h":
        return f"number {second} of the annotation of word {first}"
    return f"{place[0]} row {first}, column {second}" if second else f"v number {first}"
