"""The pieces of the network, each with its derivative beside it.

A step takes what it needs and returns its result and a `cache`, what its derivative will need. The derivative, called
``..._back``, takes the slope of the loss at the result and returns the slopes at the inputs; slopes of parameters are
added to `slopes`. "The slope at x" is short for the derivative of the loss with respect to every number of x, an array
in the shape of x.

Symbols: ``B`` sentences in a batch, ``n`` numbers in a state, ``d_x`` in what a cell reads. The formulas are those of
`attention_core.cells` and `attention_core.scores`, for many sentences at once.

References
----------
Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, appendix A.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Parameters: TypeAlias = dict[str, Array]
Cache: TypeAlias = tuple[Array, ...]

# --- The gated recurrent unit ----------------------------------------------------------------------------------------


def gru_reads(x: Array, p: Parameters, prefix: str) -> Array:
    """Return ``[W x, W_z x, W_r x]`` for all inputs at once: (..., d_x) to (..., 3n)."""
    return np.asarray(x @ np.concatenate([p[prefix + "W"], p[prefix + "W_z"], p[prefix + "W_r"]]).T)


def gru_reads_back(d_a: Array, x: Array, p: Parameters, prefix: str, slopes: Parameters) -> Array:
    """Return the slope at x, (..., d_x), from the slope at ``[W x, W_z x, W_r x]``."""
    n, flat = len(p[prefix + "W"]), d_a.reshape(-1, d_a.shape[-1])
    d_W = flat.T @ x.reshape(-1, x.shape[-1])  # (3n, d_x)
    for k, name in enumerate(("W", "W_z", "W_r")):
        slopes[prefix + name] += d_W[k * n : (k + 1) * n]
    return np.asarray(d_a @ np.concatenate([p[prefix + "W"], p[prefix + "W_z"], p[prefix + "W_r"]]))


def gru_step(a: Array, s: Array, p: Parameters, prefix: str) -> tuple[Array, Cache]:
    """Return the next states, (B, n).

    ``z = sigma(W_z x + U_z s)``, ``r = sigma(W_r x + U_r s)``, ``proposal = tanh(W x + U (r * s))``,
    ``new = (1 - z) * s + z * proposal``.

    Parameters
    ----------
    a : (B, 3n) array
        From `gru_reads`.
    s : (B, n) array
        The states so far.
    """
    n = s.shape[1]
    z = sigmoid(a[:, n : 2 * n] + s @ p[prefix + "U_z"].T)
    r = sigmoid(a[:, 2 * n :] + s @ p[prefix + "U_r"].T)
    rs = r * s
    proposal = np.tanh(a[:, :n] + rs @ p[prefix + "U"].T)
    return s + z * (proposal - s), (s, z, r, rs, proposal)


def gru_step_back(d_new: Array, cache: Cache, p: Parameters, prefix: str, slopes: Parameters) -> tuple[Array, Array]:
    """Return the slopes at a, (B, 3n), and at s, (B, n)."""
    s, z, r, rs, proposal = cache
    d_proposal = d_new * z * (1 - proposal * proposal)  # before the tanh, as those below are before their sigma
    d_z = d_new * (proposal - s) * z * (1 - z)
    d_rs = d_proposal @ p[prefix + "U"]
    d_r = d_rs * s * r * (1 - r)
    d_s = d_new * (1 - z) + d_rs * r + d_z @ p[prefix + "U_z"] + d_r @ p[prefix + "U_r"]
    slopes[prefix + "U"] += d_proposal.T @ rs
    slopes[prefix + "U_z"] += d_z.T @ s
    slopes[prefix + "U_r"] += d_r.T @ s
    return np.concatenate([d_proposal, d_z, d_r], axis=1), d_s


def sigmoid(a: Array) -> Array:
    """``1 / (1 + exp(-a))``; its derivative is ``y (1 - y)``. By way of tanh, which never overflows."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * a)))


# --- A cell over a sentence ------------------------------------------------------------------------------------------


def read(x: Array, real: Array, p: Parameters, prefix: str) -> tuple[Array, list[Cache]]:
    """Run a cell over all sentences from their first word to their last.

    Parameters
    ----------
    x : (B, T, d_x) array
        Word vectors.
    real : (B, T) array of bool
        False where a shorter sentence is padded. There a state stays as it is.

    Returns
    -------
    states : (B, T, n) array
    caches : list
    """
    a = gru_reads(x, p, prefix)
    batch, length, _ = x.shape
    state = np.zeros((batch, len(p[prefix + "U"])), dtype=x.dtype)
    states, caches = np.empty((batch, length, state.shape[1]), dtype=x.dtype), []
    for i in range(length):
        new, cache = gru_step(a[:, i], state, p, prefix)
        state = np.where(real[:, i, np.newaxis], new, state)
        states[:, i] = state
        caches.append(cache)
    return states, caches


def read_back(
    d_states: Array, caches: list[Cache], x: Array, real: Array, p: Parameters, prefix: str, slopes: Parameters
) -> Array:
    """Return the slope at x, (B, T, d_x). The last word is the first to know."""
    d_a = np.empty((*x.shape[:2], 3 * d_states.shape[2]), dtype=x.dtype)
    d_state = np.zeros_like(d_states[:, 0])
    for i in reversed(range(x.shape[1])):
        d_state = d_state + d_states[:, i]
        here = real[:, i, np.newaxis]
        d_a[:, i], d_before = gru_step_back(np.where(here, d_state, 0), caches[i], p, prefix, slopes)
        d_state = np.where(here, d_before, d_state)
    return gru_reads_back(d_a, x, p, prefix, slopes)


# --- Additive attention ----------------------------------------------------------------------------------------------


def attend(s: Array, Uh: Array, h: Array, real: Array, p: Parameters) -> tuple[Array, Array, Cache]:
    """Look back once: scores ``v_a^T tanh(W_a s + U_a h_i)``, masked softmax, blend.

    Parameters
    ----------
    s : (B, n) array
        Decoder states before this step.
    Uh : (B, T_x, d_a) array
        ``U_a h_i``, the same at every step.
    h : (B, T_x, d_h) array
        Annotations.
    real : (B, T_x) array of bool
        False where padded; such a place gets weight exactly 0.

    Returns
    -------
    context : (B, d_h) array
    weights : (B, T_x) array
    cache : tuple
    """
    bent = fast_tanh((s @ p["W_a"].T)[:, np.newaxis] + Uh)  # (B, T_x, d_a)
    e = np.where(real, bent @ p["v_a"], -np.inf)  # (B, T_x)
    lifted = np.exp(e - e.max(axis=1, keepdims=True))
    weights = lifted / lifted.sum(axis=1, keepdims=True)
    context = (weights[:, np.newaxis] @ h)[:, 0]  # (B, 1, T_x) @ (B, T_x, d_h)
    return context, weights, (s, bent, weights)


def attend_back(
    d_context: Array, d_weights: Array | None, cache: Cache, h: Array, p: Parameters, slopes: Parameters
) -> tuple[Array, Array]:
    """Return the slopes at s, (B, n), and at Uh, (B, T_x, d_a).

    `d_weights`, (B, T_x), is what reaches the weights from elsewhere: the entropy penalty. The slope at h is left to
    the caller, who has all steps: ``sum over t of weights_t d_context_t`` is one product of matrices.
    """
    s, bent, weights = cache
    d_alpha = (h @ d_context[:, :, np.newaxis])[:, :, 0]
    if d_weights is not None:
        d_alpha = d_alpha + d_weights
    d_e = weights * (d_alpha - (weights * d_alpha).sum(axis=1, keepdims=True))  # softmax: diag(alpha) - alpha alpha^T
    slopes["v_a"] += np.tensordot(d_e, bent, axes=([0, 1], [0, 1]))
    d_Uh = d_e[:, :, np.newaxis] * p["v_a"] * (1 - bent * bent)
    d_Ws = d_Uh.sum(axis=1)
    slopes["W_a"] += d_Ws.T @ s
    return d_Ws @ p["W_a"], d_Uh


def fast_tanh(a: Array) -> Array:
    """``tanh(a) = 1 - 2 / (exp(2 a) + 1)``, changed in place: several times faster than np.tanh in float32.

    Its absolute error is that of float arithmetic near 1, which is all that a score needs. Where exp is infinite,
    the result is 1.
    """
    with np.errstate(over="ignore"):
        a *= 2
        np.exp(a, out=a)
        a += 1
        np.divide(-2, a, out=a)
        a += 1
    return a


# --- What comes out --------------------------------------------------------------------------------------------------


def cross_entropy(logits: Array, wanted: Array, real: Array) -> tuple[float, Array]:
    """Return the mean of ``-log p(wanted word)`` over all real words, and the slope at the logits.

    Parameters
    ----------
    logits : (B, T_y, V) array
    wanted : (B, T_y) array of int
    real : (B, T_y) array of bool
    """
    shifted = logits - logits.max(axis=-1, keepdims=True)
    lifted = np.exp(shifted)
    total = lifted.sum(axis=-1, keepdims=True)
    rows, columns = np.ogrid[: wanted.shape[0], : wanted.shape[1]]
    surprise = np.log(total[..., 0]) - shifted[rows, columns, wanted]
    count = real.sum()
    d_logits = lifted / total
    d_logits[rows, columns, wanted] -= 1
    d_logits *= (real / count)[..., np.newaxis]
    return float((surprise * real).sum() / count), d_logits
