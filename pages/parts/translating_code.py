"""Lesson 10, worked out: scores and weights of the step in hand, and the same as a NumPy program."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

import attention_core as ac
from attention_core.seq2seq.model import END
from pages.parts import trained
from pages.parts import translating_figures as drawn
from pages.parts.describe import number
from pages.parts.live import Drawing
from pages.parts.translating import Scene, parts_at


@lru_cache(maxsize=8)
def _score(name: str) -> dict[str, np.ndarray]:
    p = trained.load(name).parameters
    return {key: p[key].astype(np.float64) for key in ("W_a", "U_a", "v_a")}


def looked(now: Scene) -> ac.AdditiveStages:
    """The look of the step in hand, by the core, before any hand is in the works."""
    run = now.run
    return ac.additive_stages(run.before[now.t].astype(np.float64), run.h.astype(np.float64), **_score(now.name))


def arithmetic(now: Scene) -> Drawing:
    """Scores and weights of the step in hand."""
    scores = looked(now).scores
    lifted = np.exp(scores - scores.max())
    shares, used = lifted / lifted.sum(), now.run.weights[now.t].astype(np.float64)
    p = trained.load(now.name).parameters
    columns = ["word read", "score e", "e − max", "exp(e − max)", "α = exp ÷ sum", "α that was used"]
    rows = [
        [word, *(number(float(v), 4) for v in (e, e - scores.max(), x, a, b))]
        for word, e, x, a, b in zip(now.run.source, scores, lifted, shares, used, strict=True)
    ]
    sums = ["", "", number(float(lifted.sum()), 4), number(float(shares.sum()), 4), number(float(used.sum()), 4)]
    d_a, n = p["W_a"].shape
    return {
        "table": {"columns": columns, "rows": rows, "total": ["sum", *sums]},
        "label": f"Arithmetic of step {now.t + 1}: scores and weights",
        "reading": f"e = v_a · tanh(W_a s + U_a h): s has {n} numbers, each h {p['U_a'].shape[1]}, between them d_a = {d_a}.",
    }


_BLOCK = """\
import numpy as np  # start Python in the project's folder: the network's numbers are in a file there

p = dict(np.load({file!r}))
source = {source}  # what is read{note}
written = {written}  # the words before step {t}
can_read, can_say = p["source_words"].tolist(), p["target_words"].tolist()

def cell(x, s, side):  # one step of a GRU
    z, r = (1 / (1 + np.exp(-(p[side + "W_" + gate] @ x + p[side + "U_" + gate] @ s))) for gate in "zr")
    return (1 - z) * s + z * np.tanh(p[side + "W"] @ x + p[side + "U"] @ (r * s))

def read(words, side):
    states = [np.zeros(len(p["W_s"]))]
    for word in words:
        states.append(cell(p["E_x"][can_read.index(word)], {state}, side))
    return np.array(states[1:])

forward, backward = read(source, "f_"), read(source[::-1], "b_")
s = np.tanh(p["W_s"] @ np.concatenate([forward[-1], backward[-1]]))  # s_0
h = np.hstack([forward, backward[::-1]]){shuffle}
y = np.zeros(p["E_y"].shape[1])  # no word yet
for word in [*written, None]:
    e = np.tanh(p["W_a"] @ s + h @ p["U_a"].T) @ p["v_a"]
    alpha = np.exp(e - e.max()) / np.exp(e - e.max()).sum()
{hand}    c = alpha @ h
    s = cell(np.concatenate([y, c]), s, "d_")
    logits = p["W_o"] @ np.concatenate([s, c, y])
    y = p["E_y"][can_say.index(word)] if word else y

likely = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
print("alpha", (alpha.round(4) + 0.0).tolist())
for k in np.argsort(-likely, kind="stable")[:{top}]:
    print(f"{{likely[k]:.4f}} {{can_say[k]}}")
"""

_HANDS = {
    "block the top word": """\
    if word is None:  # the step in hand
        alpha[alpha.argmax()] = 0
        alpha /= alpha.sum()
""",
    "uniform weights": "    alpha = np.full(len(h), 1 / len(h))\n",
    "own weights": """\
    if word is None:  # the step in hand
        parts = np.array({parts})
        alpha = parts / parts.sum()
""",
}


def block(now: Scene, own: Mapping[str, float]) -> str:
    """Write the step in hand as a NumPy program that opens the network's file."""
    read, shuffle, note = [*now.source, END], "", ""
    if now.kind == "shuffle the states":
        order = _order(now)
        shuffle = f"[{order}]  # the states in another order"
    elif now.kind == "shuffle the input":
        read, note = list(now.run.source), ", in another order"
    parts = parts_at(now.before, now.t, own) if now.kind == "own weights" else ()
    return _BLOCK.format(
        file=trained.model_file(now.name).as_posix(),
        source=read,
        note=note,
        written=list(now.run.words[: now.t]),
        t=now.t + 1,
        state="states[0]" if now.kind == "recurrence off" else "states[-1]",
        shuffle=shuffle,
        hand=_HANDS.get(now.kind, "").format(parts=list(parts) if sum(parts) else [1] * len(parts)),
        top=drawn.TOP,
    )


def _order(now: Scene) -> list[int]:
    """Where each shuffled state stood: states are looked up by themselves, as a word may come twice."""
    return [int(np.flatnonzero((now.before.h == row).all(axis=1))[0]) for row in now.run.h]
