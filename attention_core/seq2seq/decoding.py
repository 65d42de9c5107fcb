"""Write with a trained network: greedily, with everything seen on the way, and with a hand in the works.

Greedy decoding takes the likeliest word at every step and feeds it to the next. An intervention changes the weights of a
step, the order of the annotations, or the recurrence, and lets the network go on from there: what changes in the output is
caused by the change, which a map alone cannot show.

References
----------
Jain & Wallace 2019, Attention is not Explanation, arXiv:1902.10186; Wiegreffe & Pinter 2019, Attention is not not
Explanation, arXiv:1908.04626: why maps want interventions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from .layers import Array, Parameters, attend, gru_reads, gru_step
from .model import END, Seq2Seq, _turned

Look: TypeAlias = Callable[[int, Array, Array], Array]
"""Called with step t, counted from 0, the weights (B, T_x) and what is real (B, T_x); returns the weights to use."""


class Encoded(NamedTuple):
    """Sentences, read.

    Attributes
    ----------
    annotations : (B, T_x, 2n) ndarray
    real : (B, T_x) ndarray of bool
    last : (B, 2n) ndarray
        The last state of each direction.
    """

    annotations: Array
    real: Array
    last: Array


class Written(NamedTuple):
    """Sentences, written. Rows after a sentence's `END` mean nothing.

    Attributes
    ----------
    words : list of tuple of str
        Without `END`.
    numbers : (B, T_y) ndarray of int
        The same as numbers, 0 for `END`.
    before : (B, T_y, n) ndarray
        The state that each look came from.
    weights : (B, T_y, T_x) ndarray
        The weights that were used.
    contexts : (B, T_y, 2n) ndarray
    states : (B, T_y, n) ndarray
    logits : (B, T_y, V_y) ndarray
        One number per word of the vocabulary, before the softmax.
    """

    words: list[tuple[str, ...]]
    numbers: Array
    before: Array
    weights: Array
    contexts: Array
    states: Array
    logits: Array

    @property
    def probabilities(self) -> Array:
        """(B, T_y, V_y), each row adds up to 1."""
        lifted = np.exp(self.logits.astype(np.float64) - self.logits.max(axis=2, keepdims=True))
        return np.asarray(lifted / lifted.sum(axis=2, keepdims=True))


def encode(model: Seq2Seq, source: Array, real: Array, *, recurrence: bool = True) -> Encoded:
    """Read a batch of padded sentences.

    Parameters
    ----------
    model : Seq2Seq
    source, real : (B, T_x) ndarray
        As in `model.Batch`.
    recurrence : bool, optional
        False forgets the state before every word: each annotation then depends on its own word only.

    Returns
    -------
    Encoded
    """
    p, x = model.parameters, model.parameters["E_x"][source]
    forward = _read(x, real, p, "f_", recurrence)
    backward = _read(_turned(x, real), _turned(real, real), p, "b_", recurrence)
    last = np.concatenate([forward[:, -1], backward[:, -1]], axis=1)
    return Encoded(np.concatenate([forward, _turned(backward, real)], axis=2), real, last)


def shuffled(read: Encoded, rng: np.random.Generator) -> tuple[Encoded, Array]:
    """Put the annotations of each sentence into another order; the last states stay as they are.

    Returns
    -------
    read : Encoded
    order : (B, T_x) ndarray of int
        Place k of the new order holds what stood at ``order[b, k]``.
    """
    order = np.argsort(rng.random(read.real.shape) + ~read.real, axis=1)  # padding keeps to the end
    rows = np.arange(len(order))[:, np.newaxis]
    return Encoded(read.annotations[rows, order], read.real[rows, order], read.last), order


def greedy(model: Seq2Seq, read: Encoded, *, longest: int = 40, look: Look | None = None, given: Array | None = None) -> Written:
    """Write one sentence for each that was read.

    Parameters
    ----------
    model : Seq2Seq
    read : Encoded
    longest : int, optional
        Most words to write.
    look : callable, optional
        Changes the weights of a step before they are used.
    given : (B, T_y) ndarray of int, optional
        Words to feed instead of the network's own; then T_y steps are made, whatever it would have said.

    Returns
    -------
    Written
    """
    p = model.parameters
    h = read.annotations
    Uh = h @ p["U_a"].T if model.attention else h
    state = np.tanh(read.last @ p["W_s"].T)
    y = np.zeros((len(h), p["E_y"].shape[1]), dtype=h.dtype)
    open_ones = np.ones(len(h), dtype=bool)
    steps: list[tuple[Array, ...]] = []
    for t in range(longest if given is None else given.shape[1]):
        before = state
        context, weights = _look_back(model, state, Uh, read, t, look)
        state, logits = say(p, before, y, context)
        number = logits.argmax(axis=1)
        steps.append((number, before, weights, context, state, logits))
        y = p["E_y"][number if given is None else given[:, t]]
        open_ones &= number != 0
        if given is None and not open_ones.any():
            break
    numbers, *others = (np.stack(part, axis=1) for part in zip(*steps, strict=True))
    return Written(_worded(numbers, model.target_words), numbers, *others)


def say(p: Parameters, before: Array, y: Array, context: Array) -> tuple[Array, Array]:
    """Update the state and return it, (B, n), with a number for every word that could come next, (B, V_y)."""
    state, _ = gru_step(gru_reads(np.concatenate([y, context], axis=1), p, "d_"), before, p, "d_")
    return state, np.concatenate([state, context, y], axis=1) @ p["W_o"].T


def uniform(t: int, weights: Array, real: Array) -> Array:
    """A `Look` at all words alike."""
    return np.asarray(real / real.sum(axis=1, keepdims=True), dtype=weights.dtype)


def blocked(weights: Array, places: Array) -> Array:
    """Take one place out of each row, (B,) places, and share its weight out to the others, as a mask would."""
    left = weights.copy()
    left[np.arange(len(left)), places] = 0
    total = left.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(left, total, out=np.zeros_like(left), where=total > 0))


def _look_back(model: Seq2Seq, state: Array, Uh: Array, read: Encoded, t: int, look: Look | None) -> tuple[Array, Array]:
    if not model.attention:
        return read.last, np.zeros(read.real.shape, dtype=state.dtype)
    context, weights, _ = attend(state, Uh, read.annotations, read.real, model.parameters)
    if look is not None:
        weights = look(t, weights, read.real)
        context = (weights[:, np.newaxis] @ read.annotations)[:, 0]
    return context, weights


def _read(x: Array, real: Array, p: Parameters, prefix: str, recurrence: bool) -> Array:
    a = gru_reads(x, p, prefix)
    nothing = np.zeros((len(x), len(p[prefix + "U"])), dtype=x.dtype)
    state, states = nothing, []
    for i in range(x.shape[1]):
        new, _ = gru_step(a[:, i], state if recurrence else nothing, p, prefix)
        state = np.where(real[:, i, np.newaxis], new, state)
        states.append(state)
    return np.stack(states, axis=1)


def _worded(numbers: Array, words: Sequence[str]) -> list[tuple[str, ...]]:
    sentences = []
    for row in numbers.tolist():
        end = row.index(0) if 0 in row else len(row)
        sentences.append(tuple(words[k] for k in row[:end]))
    return sentences


__all__ = ["END", "Encoded", "Look", "Written", "blocked", "encode", "greedy", "say", "shuffled", "uniform"]
