"""Recipes for networks that learned: hands in the works, the loss, the bill, masks; and for code that is broken."""

from __future__ import annotations

import math

import numpy as np

import attention_core as ac
from pages.parts.drawn_numbers import Drawn, Recipe, drawn, one_of, products, scores, sizes, total, weights, whole

# --- Hands in the works ------------------------------------------------------------------------------------------------


def after_blocking(rng: np.random.Generator) -> Drawn:
    """The new share of a word after the top word was blocked."""
    alpha = weights(rng, 4)
    top, i = int(alpha.argmax()), whole(rng, 0, 3)
    i = (top + 1) % 4 if i == top else i
    shares = ac.softmax(np.log(alpha), mask=np.arange(4) != top)
    slips = {"unchanged": alpha[i], "spread evenly": alpha[i] + alpha[top] / 3, "added": alpha[i] + alpha[top]}
    code = f"alpha = np.array({alpha.tolist()})\nalpha[{top}] = 0\nprint(alpha[{i}] / alpha.sum())"
    return drawn(
        shares[i], "share", slips, code, weights=alpha, top=top + 1, i=i + 1, old=alpha[i], left=1 - alpha[top]
    )  # fmt: skip


def after_shuffling(rng: np.random.Generator) -> Drawn:
    """The weight at a place after the encoder states were shuffled."""
    alpha, order, k = weights(rng, 3), np.roll(np.arange(3), whole(rng, 1, 2)), whole(rng, 0, 2)
    moved = ac.attend(np.log(alpha)[order], np.zeros((3, 1))).weights
    slips = {"stays in place": alpha[k], "wrong way": alpha[np.argsort(order)[k]], "even": 1 / 3}
    code = f"alpha = np.array({alpha.tolist()})\nprint(alpha[{order.tolist()}][{k}])"
    return drawn(moved[k], "share", slips, code, weights=alpha, order=order + 1.0, k=k + 1, old=int(order[k]) + 1)


def context_after_shuffling(rng: np.random.Generator) -> Drawn:
    """One number of the context after the encoder states were shuffled."""
    alpha, h = weights(rng, 3), scores(rng, 3, 2.0, 0.2)
    order = np.roll(np.arange(3), whole(rng, 1, 2))
    c = ac.attend(np.log(alpha)[order], h[order, np.newaxis]).context[0]
    slips = {"weights stay": alpha @ h[order], "plain mean": h.mean()}
    arrays = f"order = {order.tolist()}\nalpha, h = np.array({alpha.tolist()}), np.array({h.tolist()})"
    code = f"{arrays}\nprint(alpha[order] @ h[order])"
    return drawn(c, "number", slips, code, weights=alpha, h=h, order=order + 1.0, sum=products(alpha, h))


# --- The loss ----------------------------------------------------------------------------------------------------------


def loss(rng: np.random.Generator) -> Drawn:
    """The loss of one guess."""
    p = whole(rng, 5, 90) / 100
    slips = {"what is missing": 1 - p, "bits": -math.log2(p), "base 10": -math.log10(p)}
    answer = -ac.log_softmax(np.log([p, 1 - p]))[0]
    return drawn(answer, "nats", slips, f"print(-np.log({p}))", p=p)


def blind_loss(rng: np.random.Generator) -> Drawn:
    """The loss of guessing blindly."""
    V = whole(rng, 5, 60)
    slips = {"bits": math.log2(V), "share": 1 / V, "what is missing": 1 - 1 / V}
    return drawn(-ac.log_softmax(np.zeros(V))[0], "nats", slips, f"print(-np.log(1 / {V}))", V=V)


def mean_loss(rng: np.random.Generator) -> Drawn:
    """The loss of a word of three letters."""
    p = rng.choice(np.arange(1, 10), size=3, replace=False) / 10
    losses = -np.log(p)
    slips = {"added up": losses.sum(), "of the mean": -math.log(p.mean()), "product": p.prod()}
    code = f"p = np.array({p.tolist()})\nprint(-np.log(p).mean())"
    return drawn(losses.mean(), "nats", slips, code, p=p, sum=total(losses))


def share_from_loss(rng: np.random.Generator) -> Drawn:
    """How likely the right letter was, from the loss."""
    loss = whole(rng, 20, 250) / 100
    slips = {"base 2": 2**-loss, "taken from 1": 1 - loss, "no minus": math.exp(loss)}
    return drawn(math.exp(-loss), "share", slips, f"print(np.exp(-{loss}))", loss=loss)


# --- The bottleneck and the bill ---------------------------------------------------------------------------------------


def both_doubled(rng: np.random.Generator) -> Drawn:
    """How many scores there are after both lengths have grown."""
    (T_x, T_y), times = sizes(rng, (5, 30), (5, 30)), whole(rng, 2, 4)
    now = T_x * T_y
    slips = {"grown once": times * now, "unchanged": now, "lengths added": times * (T_x + T_y)}
    code = f"print(np.ones(({times} * {T_y}, {times} * {T_x})).size)"
    grown = {2: "twice", 3: "three times", 4: "four times"}[times]
    return drawn(
        times**2 * now, "count", slips, code, T_x=T_x, T_y=T_y, times=grown, now=now, long_x=times * T_x, long_y=times * T_y
    )  # fmt: skip


def numbers_per_word(rng: np.random.Generator) -> Drawn:
    """How much room one frozen vector has for each word."""
    d, T_x = int(one_of(rng, 32, 48, 64, 96)), whole(rng, 5, 40)
    slips = {"all of them": d, "multiplied": d * T_x, "turned": T_x / d}
    return drawn(d / T_x, "number", slips, f"h = np.zeros({d})\nprint(h.size / {T_x})", d=d, T_x=T_x)


def crossing(rng: np.random.Generator) -> Drawn:
    """From which length on the scores cost more than the network."""
    per_pair, n = 10 * whole(rng, 10, 40), whole(rng, 10, 90)
    per_word = per_pair * n // 2
    slips = {"one sentence": n / 2, "product": 2 * n, "root": math.sqrt(n)}
    code = f"n = np.arange(1, 1000)\nprint(n[{per_pair} * n * n == {per_word} * (n + n)][0])"
    return drawn(n, "count", slips, code, per_pair=per_pair, per_word=per_word, both=2 * per_word)


# --- Self-attention ----------------------------------------------------------------------------------------------------


def causal_equal(rng: np.random.Generator) -> Drawn:
    """A weight under the causal mask if all scores are equal."""
    n = whole(rng, 4, 12)
    row = whole(rng, 2, n - 1)
    alpha = ac.softmax(np.zeros(n), mask=np.arange(n) < row)
    slips = {"no mask": 1 / n, "without itself": 1 / (row - 1), "one too many": 1 / (row + 1)}
    code = f"alpha = np.tri({n})\nalpha /= alpha.sum(axis=1, keepdims=True)\nprint(alpha[{row} - 1, 0])"
    return drawn(alpha[0], "share", slips, code, n=n, row=row)


def causal_weight(rng: np.random.Generator) -> Drawn:
    """A weight of the second row under the causal mask."""
    e = scores(rng, 3, 2.0, 0.2)
    alpha = ac.softmax(e, mask=[True, True, False])
    slips = {"no mask": ac.softmax(e)[0], "zero as a score": ac.softmax([e[0], e[1], 0.0])[0]}
    code = f"e = np.array({e[:2].tolist()} + [-np.inf])\nprint(np.exp(e[0]) / np.exp(e).sum())"
    lifted = np.exp(e[:2])
    return drawn(alpha[0], "share", slips, code, scores=e, one=lifted[0], lifted=total(lifted), total=lifted.sum())


def allowed_pairs(rng: np.random.Generator) -> Drawn:
    """How many looks the causal mask leaves."""
    n = whole(rng, 5, 30)
    slips = {"no mask": n * n, "without themselves": n * (n - 1) // 2, "half": n * n / 2}
    return drawn(n * (n + 1) // 2, "count", slips, f"print(int(np.tri({n}).sum()))", n=n, next=n + 1)


def sum_after_zero(rng: np.random.Generator) -> Drawn:
    """What a row adds up to if places are set to zero after the softmax."""
    alpha, row = weights(rng, 4), whole(rng, 2, 3)
    answer = alpha[:row].sum()
    slips = {"still one": 1, "what is lost": 1 - answer}
    code = f"alpha = np.array({alpha.tolist()})\nalpha[{row}:] = 0\nprint(alpha.sum())"
    return drawn(answer, "share", slips, code, weights=alpha, row=row, sum=total(alpha[:row]))


def weights_of_heads(rng: np.random.Generator) -> Drawn:
    """How many weights several heads make."""
    heads, n = whole(rng, 2, 8), whole(rng, 4, 15)
    slips = {"one head": n * n, "one row each": heads * n, "split": n * n / heads}
    return drawn(heads * n * n, "count", slips, f"print(np.ones(({heads}, {n}, {n})).size)", heads=heads, n=n)


# --- Broken code -------------------------------------------------------------------------------------------------------


def wrong_axis(rng: np.random.Generator) -> Drawn:
    """What stands where a weight should, if softmax runs down the steps."""
    e = scores(rng, 4, 2.0).reshape(2, 2)
    alpha = ac.softmax(e.T).T
    slips = {"right code": ac.softmax(e)[0, 0], "whole map": ac.softmax(e.ravel())[0]}
    code = f"e = np.array({e.tolist()})\nprint((np.exp(e) / np.exp(e).sum(axis=0))[0, 0])"
    lifted = np.exp(e[:, 0])
    return drawn(
        alpha[0, 0], "share", slips, code, row_1=e[0], row_2=e[1], one=lifted[0], lifted=total(lifted), total=lifted.sum()
    )  # fmt: skip


def sum_without_denominator(rng: np.random.Generator) -> Drawn:
    """What a row adds up to if nothing is divided."""
    e = scores(rng, 3, 2.0)
    lifted = np.exp(e)
    slips = {"right code": 1, "raw scores": e.sum(), "exp of the sum": math.exp(e.sum())}
    code = f"e = np.array({e.tolist()})\nprint(np.exp(e).sum())"
    return drawn(lifted.sum(), "number", slips, code, scores=e, lifted=total(lifted))


def wrong_dimension(rng: np.random.Generator) -> Drawn:
    """The score of one head, divided by the size of all heads together."""
    d_k, heads = int(one_of(rng, 4, 8, 16)), int(one_of(rng, 2, 4, 8))
    dot, d = float(scores(rng, 1, 12.0, 4.0)[0]), d_k * heads
    slips = {"right code": ac.scaled_dot([dot] + (d_k - 1) * [0.0], np.eye(d_k)[:1])[0], "no root": dot / d, "not scaled": dot}
    answer = ac.scaled_dot([dot] + (d - 1) * [0.0], np.eye(d)[:1])[0]
    return drawn(answer, "number", slips, f"print({dot} / np.sqrt({d_k} * {heads}))", d_k=d_k, heads=heads, dot=dot, d=d)


RECIPES: dict[str, Recipe] = {
    "after blocking": after_blocking,
    "after shuffling": after_shuffling,
    "context after shuffling": context_after_shuffling,
    "loss of a guess": loss,
    "loss of guessing blindly": blind_loss,
    "mean loss": mean_loss,
    "share from a loss": share_from_loss,
    "both lengths grown": both_doubled,
    "numbers per word": numbers_per_word,
    "crossing": crossing,
    "causal mask, equal scores": causal_equal,
    "causal mask": causal_weight,
    "allowed pairs": allowed_pairs,
    "sum after zeros": sum_after_zero,
    "weights of heads": weights_of_heads,
    "wrong axis": wrong_axis,
    "sum without a denominator": sum_without_denominator,
    "wrong dimension": wrong_dimension,
}
