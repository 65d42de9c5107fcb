"""Attention code, whole and broken: four stages in a row, each of which can be replaced by one that makes a known mistake.

The right stages call the core. The wrong ones really compute what they should not; what they do wrong stands in their
comments. The page shows both by their source, so what is shown is what runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attention_core import additive, dot, tanh_cell
from attention_core import softmax as core_softmax

Array: TypeAlias = NDArray[np.float64]

NOTHING = "none"
ORIGINS = ("scores", "decoder", "head")  # where scores come from: given, made by a decoder, made by one head of several


@dataclass(frozen=True, eq=False)
class Given:
    """All that the code is given. Which of it is used depends on where the scores come from.

    Attributes
    ----------
    origin : str
        One of `ORIGINS`.
    scores : (T_y, T_x) array
        Scores that are given and not made.
    h : (T_x, d) array
        The encoder's states, those of padding included.
    last : (d,) array
        The encoder's last state, which it hands over beside `h`.
    s_0 : (d,) array
    read : (T_y, d_y) array
        Row t: the vector of the word that step t reads, the one written before. The first step reads zeros.
    states : (T_y, d) array
        Row t: s_(t-1), for code that is handed the states.
    queries : (T_y, d) array
        What all heads together ask with.
    d_k : int
        Numbers of one head; the head in hand has the first ones.
    may : (T_x,) array of bool
        False for padding.
    T : float
        The temperature.
    plus : float
        A constant that is added to every score.
    score, cell : mapping of str to array
        Parameters of the additive score and of the decoder's cell.
    """

    origin: str
    scores: Array
    h: Array
    last: Array
    s_0: Array
    read: Array
    states: Array
    queries: Array
    d_k: int
    may: NDArray[np.bool_]
    T: float
    plus: float
    score: Mapping[str, Array]
    cell: Mapping[str, Array]


class Run(NamedTuple):
    """What the code computed, for all steps: scores and weights (T_y, T_x), contexts (T_y, d). May hold inf and NaN."""

    scores: Array
    weights: Array
    context: Array


def softmax(e: Array, may: NDArray[np.bool_], T: float) -> Array:
    """The softmax that the stages call: the core's."""
    return core_softmax(e, temperature=T, mask=may)


# --- Right stages ----------------------------------------------------------------------------------------------------


def states_as_they_are(g: Given) -> Array:
    """Hand on one state per word."""
    return g.h


def scores_as_given(h: Array, g: Given) -> Array:
    """Take the scores that are given."""
    return g.scores


def scores_of_decoder(h: Array, g: Given) -> Array:
    """Score, look, then update the state."""
    s, rows = g.s_0, []
    for y in g.read:
        e = additive(s, h, **g.score)
        c = softmax(e, g.may, g.T) @ h
        s = tanh_cell(np.concatenate([y, c]), s, **g.cell)
        rows.append(e)
    return np.array(rows)


def scores_of_head(h: Array, g: Given) -> Array:
    """Compare queries and keys of one head."""
    q, k = g.queries[:, : g.d_k], h[:, : g.d_k]
    e: Array = dot(q, k) / np.sqrt(g.d_k)
    return e


def shares(e: Array, g: Given) -> Array:
    """Share out each row, padding left out."""
    return softmax(e, g.may, g.T)


def blend_of_h(alpha: Array, h: Array, g: Given) -> Array:
    """Blend the encoder's states."""
    c: Array = alpha @ h
    return c


# --- Wrong stages ----------------------------------------------------------------------------------------------------


def last_state_for_all(g: Given) -> Array:
    """Take the encoder's last state for the list of all its states."""
    # one state for every word, and g.h is never used
    return np.tile(g.last, (len(g.h), 1))


def scores_after_update(h: Array, g: Given) -> Array:
    """Update the state, then score."""
    s, c, rows = g.s_0, np.zeros(h.shape[1]), []
    for y in g.read:
        # too early: c is still that of the step before
        s = tanh_cell(np.concatenate([y, c]), s, **g.cell)
        e = additive(s, h, **g.score)
        c = softmax(e, g.may, g.T) @ h
        rows.append(e)
    return np.array(rows)


def scores_of_all_heads(h: Array, g: Given) -> Array:
    """Compare queries and keys of one head, as if it were all of them."""
    q, k = g.queries[:, : g.d_k], h[:, : g.d_k]
    # the size of all heads together
    e: Array = dot(q, k) / np.sqrt(g.queries.shape[1])
    return e


def shares_of_columns(e: Array, g: Given) -> Array:
    """Share out each column."""
    # -1e9 in place of minus infinity: a common habit
    e = np.where(g.may, e, -1e9)
    # axis 0 runs down the steps
    lifted = np.exp((e - e.max(axis=0)) / g.T)
    alpha: Array = lifted / lifted.sum(axis=0)
    return alpha


def lifted_only(e: Array, g: Given) -> Array:
    """Lift the scores and stop there."""
    e = np.where(g.may, e, -np.inf)
    # nothing is divided by the sum
    return np.exp(e / g.T)


def shares_then_mask(e: Array, g: Given) -> Array:
    """Share out each row among all, then take padding out."""
    alpha = softmax(e, np.ones_like(g.may), g.T)
    # too late: padding had its share
    return np.where(g.may, alpha, 0.0)


def shares_without_maximum(e: Array, g: Given) -> Array:
    """Share out each row, lifted as it is."""
    e = np.where(g.may, e, -np.inf)
    # above 709.78 this is inf
    lifted = np.exp(e / g.T)
    alpha: Array = lifted / lifted.sum(axis=-1, keepdims=True)
    return alpha


def blend_of_s(alpha: Array, h: Array, g: Given) -> Array:
    """Blend the decoder's state."""
    rows = zip(alpha, g.states, strict=True)
    # s is the same for every i
    return np.array([sum(a * s for a in row) for row, s in rows])


# --- The code and its bugs -------------------------------------------------------------------------------------------

Stage = Callable[..., Array]
SCORES: Mapping[str, Stage] = dict(zip(ORIGINS, (scores_as_given, scores_of_decoder, scores_of_head), strict=True))


@dataclass(frozen=True)
class Bug:
    """A mistake that people make.

    Attributes
    ----------
    stage : str
        The stage that is replaced: "states", "scores", "weights" or "context".
    wrong : callable
        What replaces it.
    origins : tuple of str
        Where scores may come from for this mistake to be possible; the first is what the bench shows.
    story : str
        How it comes about, in one sentence.
    """

    stage: str
    wrong: Stage
    origins: tuple[str, ...]
    story: str


_ANYWHERE = ("scores", "head")
BUGS: Mapping[str, Bug] = {
    "softmax over the wrong axis": Bug(
        "weights", shares_of_columns, _ANYWHERE, "The axis is counted from the wrong end, and the shapes fit all the same."
    ),
    "no denominator": Bug(
        "weights",
        lifted_only,
        _ANYWHERE,
        "exp makes every score positive, so the numbers look like weights, and the division is forgotten.",
    ),
    "s_t instead of s_(t-1)": Bug(
        "scores", scores_after_update, ("decoder",), "Two lines are swapped: the state is updated before the scores are made."
    ),
    "mask after the softmax": Bug(
        "weights", shares_then_mask, _ANYWHERE, "Zeros in the result look just like a mask, so it is put where it is easy to put."
    ),
    "no maximum subtracted": Bug(
        "weights",
        shares_without_maximum,
        _ANYWHERE,
        "The formula is typed as it stands in the paper, and small scores forgive it.",
    ),
    "blend over s": Bug(
        "context", blend_of_s, _ANYWHERE, "One letter in the loop is wrong, and where d_s = d_h nothing complains."
    ),
    "scale by the wrong dimension": Bug(
        "scores", scores_of_all_heads, ("head",), "The size is read from the vector before it is cut into heads."
    ),
    "encoder states never used": Bug(
        "states",
        last_state_for_all,
        ("decoder", "head"),
        "An encoder hands over all its states and its last one; the wrong one is taken.",
    ),
}
"""The mistakes by name, in the order of the menu."""

NAMES = (NOTHING, *BUGS)


def stages_of(origin: str, bug: str = NOTHING) -> dict[str, Stage]:
    """The four stages, in order, one of them perhaps broken.

    Parameters
    ----------
    origin : str
        One of `ORIGINS`.
    bug : str, optional
        One of `NAMES`.
    """
    stages: dict[str, Stage] = {
        "states": states_as_they_are,
        "scores": SCORES[origin],
        "weights": shares,
        "context": blend_of_h,
    }
    if bug != NOTHING:
        stages[BUGS[bug].stage] = BUGS[bug].wrong
    return stages


def code_of(origin: str, bug: str = NOTHING) -> Callable[[Given], Run]:
    """The whole code as one function.

    Parameters
    ----------
    origin, bug : str
        See `stages_of`.

    Returns
    -------
    callable
        Takes a `Given`, returns a `Run`. Warns of nothing: that inf and NaN come out is what is to be seen.
    """
    stages = stages_of(origin, bug)

    def code(g: Given) -> Run:
        with np.errstate(all="ignore"):
            h = stages["states"](g)
            e = stages["scores"](h, g) + g.plus
            alpha = stages["weights"](e, g)
            return Run(e, alpha, stages["context"](alpha, h, g))

    return code


def written(stage: Callable[..., Any]) -> str:
    """The source of a stage, without what Python does not need: types, and what its name says already."""
    lines = inspect.getsource(stage).splitlines()
    names = ", ".join(inspect.signature(stage).parameters)
    return "\n".join([f"def {stage.__name__}({names}):", *(line.replace(": Array =", " =") for line in lines[2:])])
