"""All score functions of the registry on the same states, and what scaling does to a dot product.

The states are those of the small network, rounded to two decimals, times a factor that the reader sets. Each function gets the
state that its paper gives it: additive s_(t-1), the others s_t. A state is one thing: changed by hand, s_2 is s_t at step 2
and s_(t-1) at step 3. Places are written ``s2_1``: number 1 of s_2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np

import attention_core as ac
from pages.parts import microscope
from pages.parts.live import Slider
from pages.parts.network import GAIN, network_of
from pages.parts.scenario import Scenario

FIRST = "additive"  # the others are compared with it
HELD = ("sₜ", "sₜ₋₁")
PLACES = r"s([0-9]|[12][0-9]|30)_[1-8]"
LIMIT = 10.0  # of a changed number
FACTORS = (0.1, 10.0)  # of the states
D_A = 4
LONGEST, HEADS, DRAWS = 64, 8, 200  # of the experiment with d_k; Vaswani et al. have 8 heads, so d_model is 8 d_k


@dataclass(frozen=True, eq=False)
class Families:
    """Every score function on one scenario.

    Attributes
    ----------
    scenario : Scenario
    i : int
        The word of the pair that is worked out, counted from 0.
    states, home : (T_y + 1, d_s) array
        s_0 to s_Ty as a hand has left them, times the factor; and as they were prepared, without it.
    factor : float
    h : (T_x, d_h) array
    parameters : mapping of str to mapping of str to array
        What each function has learned; here drawn.
    scores, weights : mapping of str to (T_y, T_x) array
        Of the functions that can be used on these sizes.
    refused : mapping of str to str
        Why the others cannot.
    """

    scenario: Scenario
    i: int
    states: np.ndarray
    home: np.ndarray
    factor: float
    h: np.ndarray
    parameters: Mapping[str, Mapping[str, np.ndarray]]
    scores: Mapping[str, np.ndarray]
    weights: Mapping[str, np.ndarray]
    refused: Mapping[str, str]

    @property
    def t(self) -> int:
        """The step, counted from 0."""
        return self.scenario.t

    def state(self, name: str) -> np.ndarray:
        """(d_s,) the state that a function uses at this step."""
        row: np.ndarray = self.states[self.index(name)]
        return row

    def index(self, name: str) -> int:
        """Which state that is: 0 for s_0."""
        return self.t + (ac.SCORES[name].state == "current")

    @property
    def order(self) -> list[str]:
        """The functions: first those that can be used."""
        return [*self.scores, *self.refused]


def others() -> tuple[str, ...]:
    """The functions that can be compared with additive."""
    return tuple(name for name in ac.SCORES if name != FIRST)


@lru_cache(maxsize=64)
def _prepared(
    scenario: Scenario, d_s: int, d_h: int, names: tuple[str, ...]
) -> tuple[np.ndarray, np.ndarray, dict[str, dict[str, np.ndarray]]]:
    network = network_of(scenario, d_s=d_s, d_h=d_h, d_a=D_A)
    parameters = {}
    for name in names:
        # Seeded by its name, so that a new function leaves the numbers of the others as they are.
        rng = np.random.default_rng([scenario.seed, crc32(name.encode())])
        drawn = ac.random_parameters(name, rng, d_s=d_s, d_h=d_h, d_a=D_A)
        parameters[name] = {symbol: (GAIN * array).round(2) + 0.0 for symbol, array in drawn.items()}
    parameters[FIRST] = {symbol: array.round(2) + 0.0 for symbol, array in network.decoder.score.items()}
    states = np.vstack([network.run.before, network.run.state[-1:]]).round(2) + 0.0
    return states, network.h.round(2) + 0.0, parameters


def families(scenario: Scenario, i: int, sizes: tuple[int, int], edits: Mapping[str, float], factor: float) -> Families:
    """Score all pairs with every function; sizes are d_s and d_h, the word i is counted from 0."""
    home, h, parameters = _prepared(scenario, *sizes, tuple(ac.SCORES))
    states = home.copy()
    for place, value in edits.items():
        index = position(place)
        if index[0] < states.shape[0] and index[1] < states.shape[1]:
            states[index] = value
    states *= factor
    scores, refused = {}, {}
    for name, card in ac.SCORES.items():
        s = states[:-1] if card.state == "previous" else states[1:]
        try:
            scores[name] = card.function(s, h, **parameters[name])
        except ValueError as error:
            refused[name] = str(error)
    weights = {name: ac.softmax(grid) for name, grid in scores.items()}
    return Families(scenario, i, states, home, factor, h, parameters, scores, weights, refused)


def position(place: str) -> tuple[int, int]:
    """Row and column of a place.

    >>> position("s2_1")
    (2, 0)
    """
    row, _, column = place[1:].partition("_")
    return int(row), int(column) - 1


# --- The hand ---------------------------------------------------------------------------------------------------------


def places(held: str, t: int, d_s: int) -> list[str]:
    """The places of the state that the sliders hold at a step."""
    return [f"s{t + (held == HELD[0])}_{k + 1}" for k in range(d_s)]


def moved(edits: Mapping[str, float], home: np.ndarray, held: Sequence[str], values: Sequence[float]) -> dict[str, float]:
    """The edits once these places have these values; what is back at home is no edit."""
    others = {place: value for place, value in edits.items() if place not in held}
    return others | {place: new for place, new in zip(held, values, strict=True) if new != float(home[position(place)])}


def sliders(f: Families, edits: Mapping[str, float], held: str, d_k: int) -> list[Slider]:
    """The numbers of one state, the factor of all states, and d_k of the experiment."""
    made = []
    for place in places(held, f.t, f.home.shape[1]):
        home = float(f.home[position(place)])
        now = edits.get(place, home)
        n, k = place[1:].split("_")
        reach = 1.0 if abs(now) <= 1 else LIMIT
        name, said = f"s{microscope.sub(int(n))} [{k}]", f"number {k} of state {n}"
        step = 0.02 if reach == 1 else 0.1
        made.append(Slider(name, said, now, home, -reach, reach, -LIMIT, LIMIT, step=step, symbol="s"))
    made.append(Slider("all s ×", "factor of all states", f.factor, 1.0, *FACTORS, *FACTORS, symbol="s", scale="log"))
    made.append(Slider("dₖ", "d k of the scaling experiment", d_k, 16, 2, LONGEST, 2, LONGEST, step=1, symbol="w", apart=True))
    return made


# --- Scaling ----------------------------------------------------------------------------------------------------------


def scalings(d_k: int, d_model: int) -> dict[str, float]:
    """What the dot product is multiplied with; the first is right."""
    return {
        "÷√dₖ": 1 / math.sqrt(d_k),
        "÷√d": 1 / math.sqrt(d_model),
        "÷dₖ": 1 / d_k,
        "none": 1.0,
        "×√dₖ": math.sqrt(d_k),
    }


@lru_cache(maxsize=8)
def _dots(length: int, seed: int) -> np.ndarray:
    """(LONGEST, DRAWS, length) dot products of the first d_k numbers, of independent queries and keys of size 1."""
    rng = np.random.default_rng([seed, LONGEST])
    queries, keys = rng.standard_normal((LONGEST, DRAWS, 1)), rng.standard_normal((LONGEST, DRAWS, length))
    return np.asarray(np.cumsum(queries * keys, axis=0))


@lru_cache(maxsize=256)
def entropies(length: int, seed: int, d_k: int) -> dict[str, float]:
    """Mean entropy over all draws, in nats, by scaling."""
    dots = _dots(length, seed)[d_k - 1]
    return {
        name: float(np.mean(ac.entropy(ac.softmax(dots * factor)))) + 0.0 for name, factor in scalings(d_k, HEADS * d_k).items()
    }


# --- In NumPy ---------------------------------------------------------------------------------------------------------

_CODE = {
    "additive": "np.tanh(W_a @ s_before + h @ U_a.T) @ v_a",
    "dot": "h @ s_now",
    "general": "h @ (s_now @ W_general)",
    "concat": "np.array([v_concat @ np.tanh(W_concat @ np.concatenate([s_now, h_i])) for h_i in h])",
    "scaled dot": "h @ s_now / np.sqrt(s_now.size)",
}
_LETTERS = {
    "additive": {"W_a": "W_a", "U_a": "U_a", "v_a": "v_a"},
    "general": {"W_a": "W_general"},
    "concat": {"W_a": "W_concat", "v_a": "v_concat"},
}
_BLOCK = """\
import numpy as np

source = {source}
factor = {factor}  # of all states
s_before = factor * np.array({before})  # s{t_before}: additive scores with the state before step {t}
s_now = factor * np.array({now})  # s{t}: the others with the state at step {t}
h = np.array([{h}])  # annotations: a row per source word
{parameters}
scores = {{
{scores}
}}
for name, e in scores.items():
    lifted = np.exp(e - e.max())
    alpha = lifted / lifted.sum()
    p = alpha[alpha > 0]  # 0 log 0 counts as 0
    H = -np.sum(p * {log}(p)) + 0.0  # + 0.0 turns -0.0 into 0.0
    print(f"{{name}}: scores {{(e.round(4) + 0.0).tolist()}}")
    print(f"{{name}}: weights {{alpha.round(4).tolist()}}, entropy {{H:.4f}} {unit}")
"""


def block(f: Families, *, bits: bool) -> str:
    """Write all functions at this step as a NumPy program that prints scores, weights and entropies."""
    before, now = ((f.states[k] / f.factor).round(4) + 0.0 for k in (f.t, f.t + 1))
    lines, learned = [], []
    for name in f.order:
        if name in f.refused:
            lines.append(f"    # {name} is refused: s has {f.states.shape[1]} numbers, h has {f.h.shape[1]}")
        elif name in _CODE:
            lines.append(f'    "{name}": {_CODE[name]},')
            for symbol, letter in _LETTERS.get(name, {}).items():
                learned.append(f"{letter} = np.array({_written(f.parameters[name][symbol], letter)})")
    return _BLOCK.format(
        source=list(f.scenario.source),
        factor=f.factor,
        before=before.tolist(),
        now=now.tolist(),
        t_before=f.t,
        t=f.t + 1,
        h=_written(f.h, "h")[1:-1],
        parameters="\n".join(learned),
        scores="\n".join(lines),
        log="np.log2" if bits else "np.log",
        unit="bits" if bits else "nats",
    )


def _written(array: np.ndarray, letter: str) -> str:
    """A vector, or a matrix with one row per line, aligned under the bracket."""
    if array.ndim == 1:
        return str(array.tolist())
    return "[" + (",\n" + " " * len(f"{letter} = np.array([")).join(str(row) for row in array.tolist()) + "]"
