"""Recipes for a whole sentence: the map and its columns, the writer's loop, the families of score."""

from __future__ import annotations

import math

import numpy as np

import attention_core as ac
from pages.parts.drawn_numbers import Drawn, Recipe, drawn, one_of, products, scores, sizes, told, total, weights, whole

# --- The map -----------------------------------------------------------------------------------------------------------


def column_sum(rng: np.random.Generator) -> Drawn:
    """The coverage of one source word."""
    alpha = np.array([weights(rng, 3) for _ in range(3)])
    i = whole(rng, 0, 2)
    answer = ac.coverage(alpha)[i]
    slips = {"row": alpha[i].sum(), "mean": answer / 3}
    code = f"alpha = np.array({alpha.tolist()})\nprint(alpha[:, {i}].sum())"
    rows = {f"row_{t + 1}": row for t, row in enumerate(alpha)}
    return drawn(answer, "number", slips, code, i=i + 1, sum=total(alpha[:, i]), **rows)


def mean_coverage(rng: np.random.Generator) -> Drawn:
    """What the coverage of a source word is on average."""
    T_x, T_y = sizes(rng, (3, 12), (3, 12))
    answer = ac.coverage(np.full((T_y, T_x), 1 / T_x)).mean()
    slips = {"turned": T_x / T_y, "always one": 1, "one row": 1 / T_x}
    code = f"alpha = np.full(({T_y}, {T_x}), 1 / {T_x})\nprint(alpha.sum(axis=0).mean())"
    return drawn(answer, "number", slips, code, T_x=T_x, T_y=T_y)


def missing_weight(rng: np.random.Generator) -> Drawn:
    """The one weight of a row that has been wiped out."""
    alpha = np.round(ac.softmax(scores(rng, 4, 1.5)), 2)
    known = alpha[:3]
    left = 1 - known.sum()
    slips = {"sum of the others": known.sum(), "equal share": 0.25, "mean of the others": known.mean()}
    return drawn(left, "share", slips, f"print(1 - np.sum({known.tolist()}))", known=known, sum=known.sum())


# --- The writer's loop -------------------------------------------------------------------------------------------------


def later_score(rng: np.random.Generator) -> Drawn:
    """A score of a later step, with the states around it."""
    t = whole(rng, 2, 9)
    older, before, after, h = map(float, scores(rng, 4, 1.2, 0.2))
    W, U = map(float, scores(rng, 2, 1.5, 0.5))
    v = float(scores(rng, 1, 3.0, 1.5)[0])
    right, late, early = ac.additive([[before], [after], [older]], [[h]], W_a=[[W]], U_a=[[U]], v_a=[v]).ravel()
    numbers = f"before, h = {before}, {h}  # the state before step {t}\nW_a, U_a, v_a = {W}, {U}, {v}"
    code = f"{numbers}\nprint(v_a * np.tanh(W_a * before + U_a * h))"
    return drawn(
        right, "number", {"too late": late, "too early": early}, code, t=t, t_1=t - 1, t_2=t - 2, older=older, before=before,
        after=after, h=h, W=W, U=U, v=v, inner=products([W, U], [before, h]), bent=right / v, outer=products([v], [right / v]),
    )  # fmt: skip


def contexts_made(rng: np.random.Generator) -> Drawn:
    """How many context vectors a sentence takes."""
    T_x, T_y = sizes(rng, (4, 15), (4, 15))
    slips = {"one for all": 1, "one per source word": T_x, "one per score": T_x * T_y}
    code = f"alpha, h = np.full(({T_y}, {T_x}), 1 / {T_x}), np.ones(({T_x}, 4))\nprint(len(alpha @ h))"
    return drawn(T_y, "count", slips, code, T_x=T_x, T_y=T_y)


def next_state(rng: np.random.Generator) -> Drawn:
    """The state after the first step, from the state before it and the context."""
    s_0, c = map(float, scores(rng, 2, 1.5, 0.3))
    W, U = map(float, scores(rng, 2, 1.5, 0.3))
    s_1 = ac.tanh_cell([c], [s_0], W=[[W]], U=[[U]])[0]
    inner = W * c + U * s_0
    slips = {"no context": math.tanh(U * s_0), "no memory": math.tanh(W * c), "no tanh": inner}
    code = f"s_0, c_1 = {s_0}, {c}\nprint(np.tanh({W} * c_1 + {U} * s_0))"
    return drawn(
        s_1, "number", slips, code, s_0=s_0, c=c, W=W, U=U, sum=products([W, U], [c, s_0]), inner=inner
    )  # fmt: skip


# --- Families of score -------------------------------------------------------------------------------------------------


def dot_score(rng: np.random.Generator) -> Drawn:
    """A dot product."""
    s, h = scores(rng, 3, 2.0, 0.2), scores(rng, 3, 2.0, 0.2)
    slips = {"sums multiplied": s.sum() * h.sum(), "scaled": ac.scaled_dot(s, [h])[0], "all added": s.sum() + h.sum()}
    code = f"s, h = np.array({s.tolist()}), np.array({h.tolist()})\nprint(s @ h)"
    return drawn(ac.dot(s, [h])[0], "number", slips, code, s=vector(s), h=vector(h), sum=products(s, h))


def general_score(rng: np.random.Generator) -> Drawn:
    """A general score, with a small matrix of whole numbers."""
    s, h = scores(rng, 2, 2.0, 0.5), scores(rng, 2, 2.0, 0.5)
    W = rng.choice([-3, -2, -1, 1, 2, 3], size=(2, 2))
    slips = {"no matrix": s @ h, "turned": ac.general(s, [h], W_a=W.T)[0]}
    code = f"s, h = np.array({s.tolist()}), np.array({h.tolist()})\nW_a = np.array({W.tolist()})\nprint(s @ W_a @ h)"
    return drawn(
        ac.general(s, [h], W_a=W)[0], "number", slips, code, s=vector(s), h=vector(h), row_1=W[0].astype(float),
        row_2=W[1].astype(float), Wh=vector(W @ h), sum=products(s, W @ h),
    )  # fmt: skip


def scaled_score(rng: np.random.Generator) -> Drawn:
    """A dot product, scaled."""
    d_k, dot = int(one_of(rng, 4, 9, 16, 25, 64)), float(scores(rng, 1, 12.0, 2.0)[0])
    s, h = np.zeros(d_k), np.eye(d_k)[0]
    s[0] = dot
    slips = {"not scaled": dot, "by the size": dot / d_k, "multiplied": dot * math.sqrt(d_k)}
    code = f"print({dot} / np.sqrt({d_k}))"
    return drawn(ac.scaled_dot(s, [h])[0], "number", slips, code, d_k=d_k, dot=dot, root=math.sqrt(d_k))


def general_size(rng: np.random.Generator) -> Drawn:
    """How many numbers the general score learns."""
    d_s, d_h = sizes(rng, (3, 12), (3, 12))
    parameters = ac.random_parameters("general", rng, d_s=d_s, d_h=d_h, d_a=1)
    slips = {"added": d_s + d_h, "square": d_h * d_h}
    code = f"W_a = np.zeros(({d_s}, {d_h}))\nprint(W_a.size)"
    return drawn(parameters["W_a"].size, "count", slips, code, d_s=d_s, d_h=d_h)


def vector(values: np.ndarray) -> str:
    """A vector in brackets, with semicolons, as a comma is a decimal point to many.

    >>> vector(np.array([0.5, -1.0]))
    '(0.5; -1)'
    """
    return f"({'; '.join(told(float(value)) for value in values)})"


RECIPES: dict[str, Recipe] = {
    "column sum": column_sum,
    "mean coverage": mean_coverage,
    "missing weight": missing_weight,
    "later score": later_score,
    "contexts made": contexts_made,
    "next state": next_state,
    "dot score": dot_score,
    "general score": general_score,
    "scaled score": scaled_score,
    "size of the general score": general_size,
}
