"""Recipes for edge cases: equal scores, one word, the largest entropy, exact zeros, the first step, reversed order."""

from __future__ import annotations

import math

import numpy as np

import attention_core as ac
from pages.parts.drawn_numbers import Drawn, Recipe, drawn, products, scores, signed, sizes, tenth, total, weights, whole

# --- Equal scores, and one word ----------------------------------------------------------------------------------------


def equal_weight(rng: np.random.Generator) -> Drawn:
    """The weight of a word if all scores are equal."""
    n, e = whole(rng, 3, 9), float(scores(rng, 1, 5.0, 1.0)[0])
    slips = {"each has all": 1, "nobody has any": 0, "score shared": e / n}
    code = f"e = np.full({n}, {e})\nprint((np.exp(e) / np.exp(e).sum())[0])"
    return drawn(ac.softmax(np.full(n, e))[0], "share", slips, code, n=n, e=e)


def equal_blend(rng: np.random.Generator) -> Drawn:
    """One number of the context if all scores are equal."""
    n, e = whole(rng, 3, 4), float(scores(rng, 1, 5.0, 0.5)[0])
    h = scores(rng, n, 2.0, 0.2)
    slips = {"added up": h.sum(), "largest": h.max(), "times the score": e * h.mean()}
    code = f"h = np.array({h.tolist()})\nprint(h.mean())"
    c = ac.attend(np.full(n, e), h[:, np.newaxis]).context[0]
    return drawn(c, "number", slips, code, n=n, e=e, h=h, sum=total(h))


def only_weight(rng: np.random.Generator) -> Drawn:
    """The weight of the only word."""
    e = float(scores(rng, 1, 3.0, 0.5)[0])
    slips = {"no denominator": math.exp(e), "score itself": e, "against zero": 1 / (1 + math.exp(-e))}
    code = f"e = np.array([{e}])\nprint((np.exp(e) / np.exp(e).sum())[0])"
    return drawn(ac.softmax([e])[0], "share", slips, code, e=e, lifted=math.exp(e))


def only_blend(rng: np.random.Generator) -> Drawn:
    """One number of the context if there is one word."""
    t, e = whole(rng, 2, 9), float(scores(rng, 1, 3.0, 0.5)[0])
    h = scores(rng, 2, 2.0, 0.2)
    c = ac.attend([e], [h]).context
    slips = {"times the score": e * h[1], "first number": h[0], "added up": t * h[1]}
    return drawn(c[1], "number", slips, f"h = np.array([{h.tolist()}])\nprint((1.0 * h[0])[1])", t=t, e=e, h_1=h[0], h_2=h[1])


# --- The largest entropy -----------------------------------------------------------------------------------------------


def largest_in_nats(rng: np.random.Generator) -> Drawn:
    """The largest entropy of a row, in nats."""
    n = whole(rng, 2, 20)
    H = float(ac.entropy(np.full(n, 1 / n)))
    slips = {"bits": math.log2(n), "words": n, "of one word": math.log(n) / n}
    return drawn(H, "nats", slips, f"print(np.log({n}))", n=n)


def largest_in_bits(rng: np.random.Generator) -> Drawn:
    """The largest entropy of a row, in bits."""
    n = whole(rng, 2, 20)
    H = float(ac.entropy(np.full(n, 1 / n), base=2))
    slips = {"nats": math.log(n), "words": n, "halved": n / 2}
    return drawn(H, "bits", slips, f"print(np.log2({n}))", n=n)


def words_of_largest(rng: np.random.Generator) -> Drawn:
    """How many words there are, from the largest entropy."""
    n, t = whole(rng, 3, 12), whole(rng, 1, 9)
    H = math.log(n)
    # Three decimals: with them exp(H) is within 0.01 of a whole number, so that nobody loses by not rounding.
    slips = {"bits": round(2**H), "entropy itself": H}
    code = f"print(np.round(np.exp({H:.3f})))"
    return drawn(round(float(ac.effective_positions(np.full(n, 1 / n)))), "count", slips, code, H=H, t=t)


# --- Exactly 0 ---------------------------------------------------------------------------------------------------------


def zeros_of_weight(rng: np.random.Generator) -> Drawn:
    """How many zeros stand behind the point of a small weight."""
    gap, high = whole(rng, 8, 34), whole(rng, 1, 9)
    alpha = ac.softmax([0.0, -float(gap)])[1]
    zeros = math.floor(-math.log10(alpha))
    slips = {"one more": zeros + 1, "gap": gap}
    code = f"alpha = np.exp(-{gap}) / (1 + np.exp(-{gap}))\nprint(np.floor(-np.log10(alpha)))"
    return drawn(zeros, "count", slips, code, gap=gap, high=high, low=high - gap, power=-math.log10(alpha))


def left_for_others(rng: np.random.Generator) -> Drawn:
    """How much of the look is left for all words behind the first."""
    n, gap = whole(rng, 3, 9), tenth(rng, 1.0, 4.0)
    alpha = ac.softmax([gap] + n * [0.0])
    slips = {"one word": 1 / (1 + math.exp(gap)), "each": alpha[1], "first word": alpha[0]}
    code = f"lifted = np.exp([{gap}] + {n} * [0.0])\nprint(lifted[1:].sum() / lifted.sum())"
    return drawn(alpha[1:].sum(), "share", slips, code, n=n, gap=gap, lifted=math.exp(gap), total=n + math.exp(gap))


def first_exact_zero(rng: np.random.Generator) -> Drawn:
    """The first whole gap at which a computer's weight is exactly 0, found by trying."""
    T = tenth(rng, 0.3, 5.0)

    def first(temperature: float) -> int:
        gaps = np.arange(math.floor(740 * temperature), math.ceil(750 * temperature) + 1)
        alpha = ac.softmax(np.stack([0.0 * gaps, -gaps], axis=-1), temperature=temperature)
        return int(gaps[np.argmax(alpha[:, 1] == 0)])

    gap = first(T)
    slips = {"ignored": first(1.0), "divided": first(1 / T), "one too few": gap - 1}
    code = f"gaps = np.arange({10 * gap // 9})\nprint(gaps[np.exp(-gaps / {T}) == 0][0])"
    return drawn(gap, "count", slips, code, T=T, end=745.133 * T)


# --- The first step, and reversed order --------------------------------------------------------------------------------


def first_score(rng: np.random.Generator) -> Drawn:
    """A score of the first step."""
    s_0, s_1, h = map(float, scores(rng, 3, 1.2, 0.2))
    W, U = map(float, scores(rng, 2, 1.5, 0.5))
    v = float(scores(rng, 1, 3.0, 1.5)[0])
    right, late, none = ac.additive([[s_0], [s_1], [0.0]], [[h]], W_a=[[W]], U_a=[[U]], v_a=[v]).ravel()
    code = f"s_0, h = {s_0}, {h}\nW_a, U_a, v_a = {W}, {U}, {v}\nprint(v_a * np.tanh(W_a * s_0 + U_a * h))"
    return drawn(
        right, "number", {"s_1": late, "no state": none}, code, s_0=s_0, s_1=s_1, h=h, W=W, U=U, v=v,
        inner=products([W, U], [s_0, h]), summed=W * s_0 + U * h, v_signed=signed(v),
    )  # fmt: skip


def start_state(rng: np.random.Generator) -> Drawn:
    """The state before the first word."""
    h, W = scores(rng, 3, 1.5, 0.2), float(scores(rng, 1, 1.5, 0.5)[0])
    s_0 = ac.initial_state(h[-1:], [[W]])[0]
    slips = {"first state": math.tanh(W * h[0]), "no tanh": W * h[2], "all states": math.tanh(W * h.sum())}
    code = f"h = np.array({h.tolist()})\nprint(np.tanh({W} * h[-1]))"
    return drawn(
        s_0, "number", slips, code, h_1=h[0], h_2=h[1], h_3=h[2], W=W, inner=products([W], h[2:]), product=W * h[2]
    )  # fmt: skip


def reversed_place(rng: np.random.Generator) -> Drawn:
    """Where a step looks if the order is reversed."""
    (n,) = sizes(rng, (5, 15))
    t = whole(rng, 2, n - 1)
    slips = {"same place": t, "one too few": n - t}
    return drawn(n + 1 - t, "count", slips, f"places = np.arange(1, {n} + 1)\nprint(places[::-1][{t} - 1])", n=n, t=t)


def mean_place(rng: np.random.Generator) -> Drawn:
    """Where a row looks on average."""
    alpha = weights(rng, 4)
    places = np.arange(1.0, 5.0)
    c = ac.attend(np.log(alpha), places[:, np.newaxis]).context[0]
    slips = {"from zero": c - 1, "plain middle": places.mean(), "top word": alpha.argmax() + 1}
    code = f"alpha = np.array({alpha.tolist()})\nprint(alpha @ np.arange(1, 5))"
    return drawn(c, "number", slips, code, weights=alpha, sum=products(alpha, places))


RECIPES: dict[str, Recipe] = {
    "equal weight": equal_weight,
    "equal blend": equal_blend,
    "only weight": only_weight,
    "only blend": only_blend,
    "largest entropy in nats": largest_in_nats,
    "largest entropy in bits": largest_in_bits,
    "words of the largest entropy": words_of_largest,
    "zeros of a weight": zeros_of_weight,
    "left for others": left_for_others,
    "first exact zero": first_exact_zero,
    "first score": first_score,
    "start state": start_state,
    "reversed place": reversed_place,
    "mean place": mean_place,
}
