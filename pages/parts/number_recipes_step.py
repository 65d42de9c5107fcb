"""Recipes for one step of attention: how many scores and states there are, one score, its softmax, the entropy, the blend."""

from __future__ import annotations

import math

import numpy as np

import attention_core as ac
from pages.parts.drawn_numbers import (
    Drawn,
    Recipe,
    drawn,
    one_of,
    products,
    scores,
    signed,
    sizes,
    tenth,
    told,
    total,
    weights,
    whole,
)  # fmt: skip

# --- Two rows of boxes, and the states of the reader -------------------------------------------------------------------


def looks(rng: np.random.Generator) -> Drawn:
    """How many scores a sentence pair takes."""
    T_x, T_y = sizes(rng, (4, 15), (4, 15))
    slips = {"added": T_x + T_y, "one step": T_x}
    return drawn(T_x * T_y, "count", slips, f"print(np.ones(({T_y}, {T_x})).size)", T_x=T_x, T_y=T_y)


def looks_left(rng: np.random.Generator) -> Drawn:
    """How many scores are still to come after some steps."""
    T_x, T_y = sizes(rng, (4, 12), (5, 12))
    t = whole(rng, 2, T_y - 2)
    left = T_y - t
    slips = {"so far": t * T_x, "steps only": left, "one look per step": T_y * T_x - t}
    code = f"e = np.ones(({T_y}, {T_x}))\nprint(e[{t}:].size)"
    return drawn(left * T_x, "count", slips, code, T_x=T_x, T_y=T_y, t=t, left=left)


def words_read(rng: np.random.Generator) -> Drawn:
    """The length of the source, from the size of the map."""
    T_x, T_y = sizes(rng, (4, 15), (4, 15))
    cells = T_x * T_y
    return drawn(T_x, "count", {"taken away": cells - T_y, "rows": T_y}, f"print({cells} // {T_y})", cells=cells, T_y=T_y)


def numbers_in_states(rng: np.random.Generator) -> Drawn:
    """How many numbers all encoder states hold."""
    T_x, d_h = sizes(rng, (4, 15), (3, 9))
    slips = {"one state": d_h, "added": T_x + d_h}
    return drawn(T_x * d_h, "count", slips, f"h = np.zeros(({T_x}, {d_h}))\nprint(h.size)", T_x=T_x, d_h=d_h)


def numbers_both_ways(rng: np.random.Generator) -> Drawn:
    """How many numbers all encoder states hold if the sentence is read in both directions."""
    T_x, n = sizes(rng, (4, 12), (3, 9))
    code = f"rightwards = leftwards = np.zeros(({T_x}, {n}))\nprint(np.hstack([rightwards, leftwards]).size)"
    return drawn(2 * T_x * n, "count", {"one direction": T_x * n, "one state": 2 * n}, code, T_x=T_x, n=n, d_h=2 * n)


def states_changed(rng: np.random.Generator) -> Drawn:
    """How many states change with one word, read from left to right."""
    T_x = whole(rng, 6, 15)
    k = whole(rng, 2, T_x - 2)
    slips = {"without its own": T_x - k, "the earlier ones": k, "all": T_x, "only its own": 1}
    code = f"places = np.arange(1, {T_x} + 1)\nprint((places >= {k}).sum())"
    return drawn(T_x - k + 1, "count", slips, code, T_x=T_x, k=k)


def second_state(rng: np.random.Generator) -> Drawn:
    """The second state of a recurrent cell with one number."""
    x_1, x_2 = map(float, scores(rng, 2, 1.5, 0.3))
    W, U = map(float, scores(rng, 2, 1.5, 0.3))
    h_1 = ac.tanh_cell([x_1], [0.0], W=[[W]], U=[[U]])
    h_2 = ac.tanh_cell([x_2], h_1, W=[[W]], U=[[U]])
    inner = W * x_2 + U * float(h_1[0])
    code = f"W, U = {W}, {U}\nh_1 = np.tanh(W * {x_1})\nprint(np.tanh(W * {x_2} + U * h_1))"
    slips = {"no recurrence": math.tanh(W * x_2), "no tanh": inner, "first state": float(h_1[0])}
    return drawn(
        float(h_2[0]), "number", slips, code, x_1=x_1, x_2=x_2, W=W, U=U, h_1=float(h_1[0]), inner=inner,
        first=products([W], [x_1]), second=rf"{products([W], [x_2])} + {products([U], h_1)}",
    )  # fmt: skip


# --- One score ---------------------------------------------------------------------------------------------------------


def additive_score(rng: np.random.Generator) -> Drawn:
    """One additive score, with all vectors of one number."""
    s, h = map(float, scores(rng, 2, 1.0, 0.1))
    W, U = map(float, scores(rng, 2, 1.5, 0.5))
    v = float(scores(rng, 1, 3.0, 1.5)[0])
    stages = ac.additive_stages([s], [[h]], W_a=[[W]], U_a=[[U]], v_a=[v])
    summed, bent = stages.summed.item(), stages.bent.item()
    code = f"s, h = {s}, {h}\nW_a, U_a, v_a = {W}, {U}, {v}\nprint(v_a * np.tanh(W_a * s + U_a * h))"
    return drawn(
        stages.scores.item(), "number", {"no tanh": v * summed, "no v": bent}, code, s=s, h=h, W=W, U=U, v=v,
        inner=products([W, U], [s, h]), summed=summed, bent=bent, outer=products([v], [bent]),
    )  # fmt: skip


def score_size(rng: np.random.Generator) -> Drawn:
    """How many numbers the additive score learns."""
    d_s, d_h, d_a = sizes(rng, (2, 6), (2, 6), (2, 6))
    parameters = ac.random_parameters("additive", rng, d_s=d_s, d_h=d_h, d_a=d_a)
    answer = sum(array.size for array in parameters.values())
    slips = {"no v": answer - d_a, "sizes added": d_s + d_h + d_a, "all multiplied": d_s * d_h * d_a}
    arrays = f"W_a, U_a, v_a = np.zeros(({d_a}, {d_s})), np.zeros(({d_a}, {d_h})), np.zeros({d_a})"
    code = f"{arrays}\nprint(W_a.size + U_a.size + v_a.size)"
    return drawn(answer, "count", slips, code, d_s=d_s, d_h=d_h, d_a=d_a, in_W=d_a * d_s, in_U=d_a * d_h)


def score_bound(rng: np.random.Generator) -> Drawn:
    """How large a score can get."""
    v = scores(rng, 3, 3.0, 0.3)
    v[0], v[1] = abs(v[0]), -abs(v[1])  # both signs, or the slip with the signs would not show
    # A state and a word so large that every tanh stands at the sign of its weight.
    answer = float(ac.additive([1e6], [[0.0]], W_a=np.sign(v)[:, np.newaxis], U_a=np.zeros((3, 1)), v_a=v)[0])
    slips = {"signs kept": v.sum(), "largest only": np.abs(v).max()}
    code = f"v_a = np.array({v.tolist()})\nprint(np.abs(v_a).sum())"
    return drawn(answer, "number", slips, code, v=v, sizes=" + ".join(told(abs(x)) for x in v.tolist()))


def gap_without_tanh(rng: np.random.Generator) -> Drawn:
    """By how much two words' scores differ if tanh is taken out."""
    s, *h = map(float, scores(rng, 3, 2.0, 0.2))
    W, U, v = map(float, scores(rng, 3, 2.0, 0.5))
    stages = ac.additive_stages([s], [[x] for x in h], W_a=[[W]], U_a=[[U]], v_a=[v])
    a, b = (stages.summed @ [v]).ravel().tolist()
    bent, other = stages.scores.ravel().tolist()
    code = f"s, h = {s}, np.array({h})\nW_a, U_a, v_a = {W}, {U}, {v}\ne = v_a * (W_a * s + U_a * h)\nprint(e[0] - e[1])"
    return drawn(
        a - b, "number", {"no v": U * (h[0] - h[1]), "with tanh": bent - other}, code, s=s, h_1=h[0], h_2=h[1], W=W, U=U, v=v,
        away=v * W * s, inner=rf"{signed(v)} \cdot {signed(U)} \cdot ({told(h[0])} - {signed(h[1])})",
    )  # fmt: skip


# --- From scores to shares ---------------------------------------------------------------------------------------------


def weight_of_word(rng: np.random.Generator) -> Drawn:
    """The weight of one of three words, from their scores."""
    e = scores(rng, 3)
    i = whole(rng, 0, 2)
    alpha, lifted = ac.softmax(e), np.exp(e)
    slips = {"no denominator": lifted[i], "no exp": e[i] / e.sum() if abs(e.sum()) > 0.05 else e[i]}
    code = f"e = np.array({e.tolist()})\nalpha = np.exp(e) / np.exp(e).sum()\nprint(alpha[{i}])"
    return drawn(
        alpha[i], "share", slips, code, scores=e, i=i + 1, lifted=total(lifted), one=lifted[i], total=lifted.sum()
    )  # fmt: skip


def ratio_of_weights(rng: np.random.Generator) -> Drawn:
    """How many times as much weight the higher of two scores gets."""
    low, gap = float(scores(rng, 1, 1.5, 0.2)[0]), tenth(rng, 0.3, 2.0)
    high = round(low + gap, 1)
    alpha = ac.softmax([high, low])
    slips = {"difference": gap, "ratio of scores": high / low}
    code = f"print(np.exp({high}) / np.exp({low}))"
    return drawn(alpha[0] / alpha[1], "number", slips, code, high=high, low=low, low_signed=signed(low), gap=gap)


def score_for_ratio(rng: np.random.Generator) -> Drawn:
    """Which score gets a given multiple of another one's weight."""
    e, times = float(scores(rng, 1, 2.0, 0.3)[0]), whole(rng, 2, 9)
    step = math.log(times)
    slips = {"multiplied": e * times, "added": e + times, "step only": step}
    return drawn(e + step, "number", slips, f"print({e} + np.log({times}))", e=e, times=times, step=step)


def with_temperature(rng: np.random.Generator) -> Drawn:
    """The larger of two weights at a temperature."""
    low, gap, T = float(scores(rng, 1, 1.5)[0]), tenth(rng, 0.4, 2.0), one_of(rng, 0.5, 2.0, 4.0)
    e = [round(low + gap, 1), low]
    divided = gap / T
    slips = {"ignored": ac.softmax(e)[0], "multiplied": ac.softmax(np.multiply(e, T))[0]}
    code = f"e = np.array({e}) / {T}\nprint(np.exp(e[0]) / np.exp(e).sum())"
    return drawn(
        ac.softmax(e, temperature=T)[0], "share", slips, code, high=e[0], low=e[1], T=T, gap=gap, divided=divided,
        below=math.exp(-divided),
    )  # fmt: skip


def constant_added(rng: np.random.Generator) -> Drawn:
    """A weight after the same number was added to every score."""
    e, i, k = scores(rng, 3, 2.0), whole(rng, 0, 2), one_of(rng, -3, -2, -1, 1, 2, 3)
    alpha = ac.softmax(e + k)
    raised = e + k * (np.arange(3) == i)
    slips = {"only one": ac.softmax(raised)[i], "multiplied": alpha[i] * math.exp(k)}
    code = f"e = np.array({e.tolist()}) + {k}\nprint(np.exp(e[{i}]) / np.exp(e).sum())"
    lifted = np.exp(e)
    return drawn(
        alpha[i], "share", slips, code, scores=e, i=i + 1, k=int(k), lifted=total(lifted), one=lifted[i], total=lifted.sum()
    )  # fmt: skip


def own_slope(rng: np.random.Generator) -> Drawn:
    """How steeply a share answers to its own score."""
    alpha = whole(rng, 10, 90) / 100
    slope = ac.softmax_jacobian([alpha, 1 - alpha])[0, 0]
    slips = {"share itself": alpha, "squared": alpha**2}
    return drawn(slope, "number", slips, f"alpha = {alpha}\nprint(alpha * (1 - alpha))", alpha=alpha, rest=1 - alpha)


def other_slope(rng: np.random.Generator) -> Drawn:
    """How steeply a share answers to another word's score."""
    a, b, _ = alpha = weights(rng, 3)
    slope = ac.softmax_jacobian(alpha)[0, 1]
    slips = {"wrong way": a * b, "own score": a * (1 - a)}
    return drawn(slope, "number", slips, f"print(-{a} * {b})", a=a, b=b)


# --- Entropy -----------------------------------------------------------------------------------------------------------


def entropy_in_nats(rng: np.random.Generator) -> Drawn:
    """The entropy of three weights, in nats."""
    alpha = weights(rng, 3)
    H = float(ac.entropy(alpha))
    slips = {"bits": H / math.log(2), "not weighed": -np.log(alpha).sum()}
    code = f"alpha = np.array({alpha.tolist()})\nprint(-(alpha * np.log(alpha)).sum())"
    return drawn(H, "nats", slips, code, weights=alpha, terms=total(-alpha * np.log(alpha)))


def entropy_in_bits(rng: np.random.Generator) -> Drawn:
    """The entropy of three weights, in bits."""
    alpha = weights(rng, 3)
    H = float(ac.entropy(alpha, base=2))
    slips = {"nats": H * math.log(2), "not weighed": -np.log2(alpha).sum()}
    code = f"alpha = np.array({alpha.tolist()})\nprint(-(alpha * np.log2(alpha)).sum())"
    return drawn(H, "bits", slips, code, weights=alpha, terms=total(-alpha * np.log2(alpha)))


def effective_words(rng: np.random.Generator) -> Drawn:
    """How many words' worth a row looks at, from its weights."""
    alpha = weights(rng, whole(rng, 3, 4))
    H = float(ac.entropy(alpha))
    slips = {"entropy only": H, "base 2": 2**H, "counted": len(alpha)}
    code = f"alpha = np.array({alpha.tolist()})\nH = -(alpha * np.log(alpha)).sum()\nprint(np.exp(H))"
    return drawn(float(ac.effective_positions(alpha)), "words", slips, code, weights=alpha, H=H, n=len(alpha))


def nats_to_bits(rng: np.random.Generator) -> Drawn:
    """The same entropy in the other unit."""
    H = whole(rng, 30, 240) / 100
    slips = {"multiplied": H * math.log(2), "unchanged": H}
    return drawn(H / math.log(2), "bits", slips, f"print({H} / np.log(2))", H=H)


# --- The blend ---------------------------------------------------------------------------------------------------------


def blended(rng: np.random.Generator) -> Drawn:
    """One number of the context vector, from weights and states."""
    alpha, h = weights(rng, 3), scores(rng, 3, 2.0, 0.2)
    c = ac.attend(np.log(alpha), h[:, np.newaxis]).context[0]
    slips = {"plain mean": h.mean(), "not weighed": h.sum(), "top word only": h[alpha.argmax()]}
    code = f"alpha, h = np.array({alpha.tolist()}), np.array({h.tolist()})\nprint(alpha @ h)"
    return drawn(c, "number", slips, code, weights=alpha, h=h, sum=products(alpha, h))


def landing(rng: np.random.Generator) -> Drawn:
    """Which weight brings the context to a given place between two states."""
    h, alpha = scores(rng, 2, 3.0, 0.5), one_of(rng, *(k / 20 for k in range(2, 19) if k != 10))
    c = ac.attend(np.log([alpha, 1 - alpha]), h[:, np.newaxis]).context[0]
    slips = {"the other weight": 1 - alpha, "one state only": c / h[0]}
    code = f"c, h_1, h_2 = {told(c)}, {h[0]}, {h[1]}\nprint((c - h_2) / (h_1 - h_2))"
    return drawn(
        alpha, "share", slips, code, c=c, h_1=h[0], h_2=h[1], h_2_signed=signed(h[1]), above=c - h[1], below=h[0] - h[1]
    )  # fmt: skip


def from_scores(rng: np.random.Generator) -> Drawn:
    """One number of the context vector, from two scores and two states."""
    e, h = scores(rng, 2, 1.5), scores(rng, 2, 3.0, 0.3)
    step = ac.attend(e, h[:, np.newaxis])
    slips = {"plain mean": h.mean(), "raw scores": e @ h, "top word only": h[e.argmax()]}
    code = f"e, h = np.array({e.tolist()}), np.array({h.tolist()})\nalpha = np.exp(e) / np.exp(e).sum()\nprint(alpha @ h)"
    return drawn(
        step.context[0], "number", slips, code, e_1=e[0], e_2=e[1], h_1=h[0], h_2=h[1], weights=step.weights,
        sum=products(step.weights, h),
    )  # fmt: skip


RECIPES: dict[str, Recipe] = {
    "looks": looks,
    "looks left": looks_left,
    "words read": words_read,
    "numbers in states": numbers_in_states,
    "numbers both ways": numbers_both_ways,
    "states changed": states_changed,
    "second state": second_state,
    "additive score": additive_score,
    "size of a score function": score_size,
    "largest score": score_bound,
    "gap without tanh": gap_without_tanh,
    "weight of a word": weight_of_word,
    "ratio of weights": ratio_of_weights,
    "score for a ratio": score_for_ratio,
    "weight with temperature": with_temperature,
    "constant added": constant_added,
    "slope by the own score": own_slope,
    "slope by another score": other_slope,
    "entropy in nats": entropy_in_nats,
    "entropy in bits": entropy_in_bits,
    "effective words": effective_words,
    "nats to bits": nats_to_bits,
    "blended number": blended,
    "weight for a place": landing,
    "blend from scores": from_scores,
}
