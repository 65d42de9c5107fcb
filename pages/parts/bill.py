"""What attention costs beside the recurrent network: operations counted, and seconds measured on this machine.

An operation is a multiplication with its addition, or one addition, one bend (tanh, sigma), one exp, one division. The sizes
are those of the trained network, n numbers per direction and in the writer, so d_h = 2 n and d_s = n. The output layer is left
out: it depends on the vocabulary, and is the same with attention and without.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from threading import Lock

import numpy as np

from attention_core.seq2seq import layers
from attention_core.seq2seq.model import Sizes, random_model

LENGTHS = (16, 32, 64, 128, 256, 512, 1024)  # words on both sides
FITTED_FROM = 128  # shorter sentences cost little but calls
BUDGET = 2.0  # seconds for all measurements
REPEATS = 5


@dataclass(frozen=True)
class Term:
    """One line of the bill: what is done, its formula, the factors, the operations."""

    what: str
    formula: str
    factors: tuple[int, ...]

    @property
    def operations(self) -> int:
        """The product."""
        return math.prod(self.factors)


@dataclass(frozen=True)
class Bill:
    """Operations for one sentence of T_x words that becomes one of T_y words."""

    T_x: int
    T_y: int
    sizes: Sizes

    @property
    def scores(self) -> int:
        """One for every pair."""
        return self.T_x * self.T_y

    @property
    def per_pair(self) -> int:
        """d_a sums, d_a bends, d_a products with v_a; one exp and one division; d_h products for the blend."""
        return 3 * self.sizes.d_a + 2 * self.sizes.units + 2

    @property
    def attention_terms(self) -> tuple[Term, ...]:
        """Every pair is compared and blended; every annotation and every state is brought to size d_a once."""
        n, d_a = self.sizes.units, self.sizes.d_a
        return (
            Term("every pair: score, softmax, blend", "T_x · T_y · (3 dₐ + dₕ + 2)", (self.T_x, self.T_y, self.per_pair)),
            Term("Uₐ h, once per source word", "T_x · dₐ · dₕ", (self.T_x, d_a, 2 * n)),
            Term("Wₐ s, once per step", "T_y · dₐ · dₛ", (self.T_y, d_a, n)),
        )

    @property
    def network_terms(self) -> tuple[Term, ...]:
        """The cells that read, one in each direction, and the cell that writes, fed with a word and a context."""
        n, d_x = self.sizes.units, self.sizes.embedding
        return (
            Term("reading, both directions", "T_x · 2 · 3 n (dᵥ + n + 2)", (self.T_x, 2, 3 * n, d_x + n + 2)),
            Term("writing", "T_y · 3 n (dᵥ + dₕ + n + 2)", (self.T_y, 3 * n, d_x + 2 * n + n + 2)),
        )

    @property
    def attention(self) -> int:
        """All operations of attention."""
        return sum(term.operations for term in self.attention_terms)

    @property
    def network(self) -> int:
        """All operations of the recurrent network."""
        return sum(term.operations for term in self.network_terms)

    def crossing(self) -> float:
        """The T_x from which on attention is dearer than the network, T_y growing along in the same proportion."""
        _, *once = self.attention_terms
        ratio = self.T_y / self.T_x
        spare = (self.network - sum(term.operations for term in once)) / self.T_x
        return spare / (ratio * self.per_pair)


# --- Seconds ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Times:
    """Seconds by length, the best of a few runs each.

    Attributes
    ----------
    lengths : tuple of int
        Words on both sides; on a slow machine the longest may be missing.
    attention, network : tuple of float
    """

    lengths: tuple[int, ...]
    attention: tuple[float, ...]
    network: tuple[float, ...]

    @property
    def dearer_from(self) -> int | None:
        """The first measured length from which on attention is always slower than the network."""
        cheaper = [k for k, (a, b) in enumerate(zip(self.attention, self.network, strict=True)) if a <= b]
        first = cheaper[-1] + 1 if cheaper else 0
        return self.lengths[first] if first < len(self.lengths) else None


def doubling(lengths: tuple[int, ...], seconds: tuple[float, ...]) -> float:
    """What doubling the length makes of the time: 2 to the power of the slope on log-log paper, fitted to long sentences."""
    long = max(2, sum(n >= FITTED_FROM for n in lengths))  # two points make a line
    slope = np.polyfit(np.log(lengths[-long:]), np.log(seconds[-long:]), 1)[0]
    return float(2.0**slope)


_ONCE = Lock()


def measured(sizes: Sizes) -> Times:
    """Measure this machine, once per process; whoever asks meanwhile waits."""
    with _ONCE:
        return _measured(sizes)


@cache
def _measured(sizes: Sizes) -> Times:
    begun = time.perf_counter()
    best: dict[int, list[float]] = {}
    for repeat in range(REPEATS):
        for length in LENGTHS:
            # Twice the length takes up to four times as long; what would not fit is left out.
            expected = sum(best[length]) if length in best else 4 * sum(best.get(length // 2, [0.0]))
            if time.perf_counter() - begun + expected > BUDGET or (repeat and length not in best):
                break
            found = [_seconds(work) for work in runs(sizes, length)]
            best[length] = [min(pair) for pair in zip(found, best.get(length, found), strict=True)]
    return Times(tuple(best), *(tuple(pair[k] for pair in best.values()) for k in (0, 1)))


def runs(sizes: Sizes, length: int) -> tuple[Callable[[], None], Callable[[], None]]:
    """What is timed, on one sentence of this many words on both sides: all looks back, and all reading and writing."""
    rng = np.random.default_rng(0)
    p = random_model(("a",), ("a",), sizes, rng).parameters
    n, d_x = sizes.units, sizes.embedding
    x, fed, h, s = (rng.standard_normal((1, length, d)).astype(np.float32) for d in (d_x, d_x + 2 * n, 2 * n, n))
    real = np.ones((1, length), dtype=bool)

    def attention() -> None:
        Uh = h @ p["U_a"].T
        for t in range(length):  # a step at a time, as the next state needs the context
            layers.attend(s[:, t], Uh, h, real, p)

    def network() -> None:
        layers.read(x, real, p, "f_")
        layers.read(x[:, ::-1], real, p, "b_")
        layers.read(fed, real, p, "d_")

    return attention, network


def _seconds(work: Callable[[], None]) -> float:
    """Of this thread's work alone: what else the machine is busy with does not count."""
    begun = time.thread_time()
    work()
    return max(time.thread_time() - begun, 1e-7)


# --- The code ---------------------------------------------------------------------------------------------------------

# Doubled braces are the block's own.
_BLOCK = """\
import time
import numpy as np

T_x, T_y = {T_x}, {T_y}  # words to read, words to write
n, d_v, d_a = {n}, {d_x}, {d_a}  # numbers of a state, of a word vector, of a comparison
d_h, d_s = 2 * n, n  # reading runs in two directions

def cell(fed):  # one step of a gated unit: products, bends, mixing
    return 3 * n * (fed + n + 2)

attention = T_x * T_y * (3 * d_a + d_h + 2) + T_x * d_a * d_h + T_y * d_a * d_s
network = T_x * 2 * cell(d_v) + T_y * cell(d_v + d_h)
print("scores:", T_x * T_y, "and of twice the lengths:", 2 * T_x * 2 * T_y)
print("operations of attention:", attention)
print("operations of the network:", network)

rng = np.random.default_rng(0)  # now measured: all looks back of sentences of T words
W_a, U_a, v_a = (rng.standard_normal(shape).astype(np.float32) for shape in ((d_a, d_s), (d_a, d_h), d_a))
for T in (64, 128, 256, 512):
    h, states = (rng.standard_normal((T, d)).astype(np.float32) for d in (d_h, d_s))
    begun = time.perf_counter()
    compared = h @ U_a.T
    for s in states:
        e = np.tanh(W_a @ s + compared) @ v_a
        lifted = np.exp(e - e.max())
        c = lifted / lifted.sum() @ h
    print(f"T = {{T}}: {{1000 * (time.perf_counter() - begun):.1f}} ms")
"""


def block(bill: Bill) -> str:
    """Counts and a measurement as a NumPy program."""
    sizes = bill.sizes
    return _BLOCK.format(T_x=bill.T_x, T_y=bill.T_y, n=sizes.units, d_x=sizes.embedding, d_a=sizes.d_a)
