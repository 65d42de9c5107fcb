"""A trainable encoder-decoder with additive attention, and the same without: one frozen vector for every step.

The network is that of `attention_core.encoder` and `attention_core.decoder`: a bidirectional GRU reads, a GRU fed with
the last word and the context writes. Here it runs on a batch of padded sentences and has a derivative.

References
----------
Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, section 3 and appendix A. Sutskever, Vinyals & Le 2014, arXiv:1409.3215,
for the network without attention.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..decoder import Decoder
from ..encoder import Encoder
from .layers import (
    Array,
    Cache,
    Parameters,
    attend,
    attend_back,
    cross_entropy,
    gru_reads,
    gru_reads_back,
    gru_step,
    gru_step_back,
    read,
    read_back,
)

END = "<eos>"  # closes every sentence; its number is 0 on both sides
_GRU = ("W", "U", "W_z", "U_z", "W_r", "U_r")


@dataclass(frozen=True)
class Sizes:
    """How large a network is: `units` n per direction and in the decoder, `embedding` d_x per word vector, `d_a`."""

    units: int = 32
    embedding: int = 24
    d_a: int = 64


@dataclass(frozen=True, eq=False)
class Seq2Seq:
    """A network with its two vocabularies.

    Attributes
    ----------
    source_words, target_words : tuple of str
        The word of every number; number 0 is `END`.
    attention : bool
        False: the decoder gets the encoder's last state at every step instead of a context made for it.
    parameters : dict of str to ndarray
        ``E_x`` (V_x, d_x) and ``E_y`` (V_y, d_x) word vectors; ``f_*`` and ``b_*`` the cells that read forwards and
        backwards; ``W_s`` (n, 2n) for s_0; ``W_a`` ``U_a`` ``v_a`` for the score; ``d_*`` the cell that writes;
        ``W_o`` (V_y, n + 2n + d_x).
    """

    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    attention: bool
    parameters: Parameters

    @property
    def encoder(self) -> Encoder:
        """The reading part, as the core knows it."""
        forward, backward = ({name: self.parameters[side + name] for name in _GRU} for side in ("f_", "b_"))
        return Encoder("GRU", forward, backward)

    @property
    def decoder(self) -> Decoder:
        """The writing part, as the core knows it; only with attention."""
        p = self.parameters
        return Decoder(
            "GRU", {name: p["d_" + name] for name in _GRU}, {name: p[name] for name in ("W_a", "U_a", "v_a")}, p["W_s"], p["W_o"]
        )


class Batch(NamedTuple):
    """Sentences as numbers, padded to the longest.

    Attributes
    ----------
    source : (B, T_x) ndarray of int
        Each sentence ends with 0, `END`.
    source_real : (B, T_x) ndarray of bool
        False where padded.
    target, target_real : (B, T_y) ndarray
    """

    source: Array
    source_real: Array
    target: Array
    target_real: Array


class Seen(NamedTuple):
    """What one pass over a batch found.

    Attributes
    ----------
    loss : float
        Mean cross-entropy per target word, in nats, and the entropy penalty.
    weights : (B, T_y, T_x) ndarray
        Attention weights; without attention all 0.
    logits : (B, T_y, V_y) ndarray
    """

    loss: float
    weights: Array
    logits: Array


def batch_of(pairs: Sequence[tuple[Sequence[str], Sequence[str]]], model: Seq2Seq) -> Batch:
    """Turn pairs of (source words, target words) into numbers and close every sentence with `END`."""
    source = _numbered([pair[0] for pair in pairs], model.source_words)
    target = _numbered([pair[1] for pair in pairs], model.target_words)
    return Batch(*source, *target)


def random_model(
    source_words: Sequence[str],
    target_words: Sequence[str],
    sizes: Sizes,
    rng: np.random.Generator,
    *,
    attention: bool = True,
    dtype: type[np.floating] = np.float32,
) -> Seq2Seq:
    """Draw a network before training.

    Matrices between different things are drawn as Glorot & Bengio 2010 have it, those that carry a state on are
    orthogonal, so that a state neither fades nor explodes before anything is learned.
    """
    n, d_x, d_a = sizes.units, sizes.embedding, sizes.d_a
    x_words, y_words = (END, *source_words), (END, *target_words)
    shapes: dict[str, tuple[int, ...]] = {"E_x": (len(x_words), d_x), "E_y": (len(y_words), d_x)}
    for side, reads in (("f_", d_x), ("b_", d_x), ("d_", d_x + 2 * n)):
        shapes |= {side + name: (n, reads) if name.startswith("W") else (n, n) for name in _GRU}
    shapes["W_s"] = (n, 2 * n)
    if attention:
        shapes |= {"W_a": (d_a, n), "U_a": (d_a, 2 * n), "v_a": (d_a,)}
    shapes["W_o"] = (len(y_words), 3 * n + d_x)
    drawn = {}
    for name, shape in shapes.items():
        if name.startswith("E_"):
            value = 0.3 * rng.standard_normal(shape)
        elif name[2:].startswith("U"):
            value, _ = np.linalg.qr(rng.standard_normal(shape))
        else:
            value = rng.standard_normal(shape) * np.sqrt(2 / (sum(shape) + (len(shape) == 1)))
        drawn[name] = value.astype(dtype)
    return Seq2Seq(x_words, y_words, attention, drawn)


def loss_and_slopes(
    model: Seq2Seq,
    batch: Batch,
    *,
    penalty: float = 0.0,
    dropout: float = 0.0,
    rng: np.random.Generator | None = None,
) -> tuple[Seen, Parameters]:
    """Run the network on a batch with the right target words given, and return the slope of the loss at every parameter.

    Parameters
    ----------
    model : Seq2Seq
    batch : Batch
    penalty : float, optional
        Weight of the mean entropy of the attention rows in the loss: sharpens the maps.
    dropout : float, optional
        Share of the numbers in the source's word vectors that are set to 0, the others grow to make up for it.
    rng : numpy.random.Generator, optional
        Draws what is dropped.

    Returns
    -------
    seen : Seen
    slopes : dict of str to ndarray
        One array for every parameter, in its shape.
    """
    p = model.parameters
    slopes = {name: np.zeros_like(value) for name, value in p.items()}

    # Read: word vectors, both directions, s_0 from the last state of each direction.
    keep = np.ones(())
    if dropout and rng is not None:
        shape = (*batch.source.shape, p["E_x"].shape[1])
        keep = ((rng.random(shape) >= dropout) / (1 - dropout)).astype(p["E_x"].dtype)
    x = p["E_x"][batch.source] * keep.astype(p["E_x"].dtype)  # (B, T_x, d_x)
    real = batch.source_real
    turned, turned_real = _turned(x, real), _turned(real, real)
    forward, forward_caches = read(x, real, p, "f_")
    backward, backward_caches = read(turned, turned_real, p, "b_")
    h = np.concatenate([forward, _turned(backward, real)], axis=2)  # (B, T_x, 2n)
    last = np.concatenate([forward[:, -1], backward[:, -1]], axis=1)  # (B, 2n): padding keeps the last state
    s_0 = np.tanh(last @ p["W_s"].T)

    # Write: look back, update the state; the output layer runs once for all steps.
    y = np.zeros((*batch.target.shape, p["E_y"].shape[1]), dtype=x.dtype)  # (B, T_y, d_x): step t reads word t - 1
    y[:, 1:] = p["E_y"][batch.target[:, :-1]]
    Uh = h @ p["U_a"].T if model.attention else h  # (B, T_x, d_a)
    state, steps = s_0, []
    for t in range(batch.target.shape[1]):
        if model.attention:
            context, weights, look = attend(state, Uh, h, real, p)
        else:
            context, weights, look = last, np.zeros_like(real, dtype=x.dtype), ()
        fed = np.concatenate([y[:, t], context], axis=1)
        state, cache = gru_step(gru_reads(fed, p, "d_"), state, p, "d_")
        steps.append(_Step(state, context, weights, fed, look, cache))
    told = np.concatenate(
        [np.stack([s.state for s in steps], axis=1), np.stack([s.context for s in steps], axis=1), y], axis=2
    )  # (B, T_y, n + 2n + d_x)
    logits = told @ p["W_o"].T
    loss, d_logits = cross_entropy(logits, batch.target, batch.target_real)
    weights = np.stack([s.weights for s in steps], axis=1)
    d_weights: Array | None = None
    if penalty and model.attention:
        logs = np.log(np.where(weights > 0, weights, 1))
        shares = (penalty * batch.target_real / batch.target_real.sum())[..., np.newaxis].astype(x.dtype)
        loss += float(-(shares * weights * logs).sum())
        d_weights = -shares * (logs + 1)  # the slope of -w log w

    # Back: the last step first.
    n = len(p["d_U"])
    flat = d_logits.reshape(-1, d_logits.shape[-1])
    slopes["W_o"] += flat.T @ told.reshape(-1, told.shape[-1])
    d_told = d_logits @ p["W_o"]
    d_y = d_told[..., 3 * n :].copy()
    d_contexts = np.empty((*batch.target.shape, 2 * n), dtype=x.dtype)
    d_h, d_Uh, d_last = np.zeros_like(h), np.zeros_like(Uh), np.zeros_like(last)
    d_state = np.zeros_like(s_0)
    for t in reversed(range(len(steps))):
        step = steps[t]
        d_a, d_before = gru_step_back(d_state + d_told[:, t, :n], step.cache, p, "d_", slopes)
        d_fed = gru_reads_back(d_a, step.fed, p, "d_", slopes)
        d_y[:, t] += d_fed[:, : y.shape[2]]
        d_contexts[:, t] = d_told[:, t, n : 3 * n] + d_fed[:, y.shape[2] :]
        d_state = d_before
        if model.attention:
            d_look = None if d_weights is None else d_weights[:, t]
            d_s, d_Uh_t = attend_back(d_contexts[:, t], d_look, step.look, h, p, slopes)
            d_state += d_s
            d_Uh += d_Uh_t
    np.add.at(slopes["E_y"], batch.target[:, :-1], d_y[:, 1:])
    if model.attention:
        slopes["U_a"] += np.tensordot(d_Uh, h, axes=([0, 1], [0, 1]))
        d_h = weights.transpose(0, 2, 1) @ d_contexts + d_Uh @ p["U_a"]  # (B, T_x, T_y) @ (B, T_y, 2n)
    else:
        d_last += d_contexts.sum(axis=1)
    d_before_tanh = d_state * (1 - s_0 * s_0)
    slopes["W_s"] += d_before_tanh.T @ last
    d_last += d_before_tanh @ p["W_s"]

    d_forward, d_backward = d_h[..., :n].copy(), _turned(d_h[..., n:], real)
    d_forward[:, -1] += d_last[:, :n]
    d_backward[:, -1] += d_last[:, n:]
    d_x = read_back(d_forward, forward_caches, x, real, p, "f_", slopes)
    d_x += _turned(read_back(d_backward, backward_caches, turned, turned_real, p, "b_", slopes), real)
    np.add.at(slopes["E_x"], batch.source, d_x * keep.astype(x.dtype))
    return Seen(loss, weights, logits), slopes


class _Step(NamedTuple):
    state: Array
    context: Array
    weights: Array
    fed: Array
    look: Cache
    cache: Cache


def _turned(rows: Array, real: Array) -> Array:
    """Turn every sentence round, its padding staying at the end; twice gives the original."""
    lengths = real.sum(axis=1)
    places = np.arange(real.shape[1])
    order = np.where(places < lengths[:, np.newaxis], lengths[:, np.newaxis] - 1 - places, places)  # (B, T)
    return np.asarray(rows[np.arange(len(rows))[:, np.newaxis], order])


def _numbered(sentences: Sequence[Sequence[str]], words: Sequence[str]) -> tuple[Array, Array]:
    number = {word: k for k, word in enumerate(words)}
    longest = max(len(sentence) for sentence in sentences) + 1
    numbers, real = np.zeros((len(sentences), longest), dtype=np.int64), np.zeros((len(sentences), longest), dtype=bool)
    for row, sentence in enumerate(sentences):
        numbers[row, : len(sentence)] = [number[word] for word in sentence]
        real[row, : len(sentence) + 1] = True  # the 0 that follows is END
    return numbers, real
