"""What a figure shows, in words: readings, spoken labels, numbers as people write them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Literal

import numpy as np

Unit = Literal["nats", "bits"]
UNITS: tuple[Unit, ...] = ("nats", "bits")


def number(value: float, digits: int = 2) -> str:
    """A number with a fixed count of decimals; never "-0.00".

    >>> number(-0.001), number(2.1), number(746.0)
    ('0.00', '2.10', '746.00')
    """
    text = f"{value:.{digits}f}"
    return text[1:] if text.startswith("-") and float(text) == 0 else text


def exact(value: float) -> str:
    """A score as it was set: two decimals, or as many as it has.

    >>> exact(2.1), exact(-0.0625), exact(-0.0)
    ('2.10', '-0.0625', '0.00')
    """
    places = len(repr(float(value)).partition(".")[2]) if abs(value) < 1e16 else 0
    return number(value, min(max(2, places), 4))


def percent(share: float) -> str:
    """A weight as people say it. What rounds to 0 or 100 without being it says so.

    >>> percent(0.731), percent(0.0), percent(1e-9), percent(1.0), percent(1 - 1e-9)
    ('73 %', 'exactly 0 %', 'under 0.1 %', '100 %', 'over 99.9 %')
    """
    if share == 0:
        return "exactly 0 %"
    if share < 0.001:
        return "under 0.1 %"
    if share < 0.01:
        return f"{share:.1%}".replace("%", " %")
    if share == 1:
        return "100 %"
    if share > 0.999:
        return "over 99.9 %"
    if share > 0.99:
        return f"{share:.1%}".replace("%", " %")
    return f"{round(share * 100)} %"


def named(words: Sequence[str], position: int) -> str:
    """A word in quotes; if it occurs more than once, with its position.

    >>> named(("the", "cat", "the"), 2), named(("the", "cat", "the"), 1)
    ('"the" (position 3)', '"cat"')
    """
    word = f'"{words[position]}"'
    return f"{word} (position {position + 1})" if list(words).count(words[position]) > 1 else word


def count(n: int, thing: str) -> str:
    """A number of things: "1 word", "3 words"."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def together(items: Sequence[str]) -> str:
    """Items as a list in a sentence: "a", "a and b", "a, b and c"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def score_label(words: Sequence[str], position: int) -> str:
    """What a screen reader says on reaching a slider; unique even if words repeat."""
    return f"score of {words[position]}, position {position + 1}"


def pairs(words: Sequence[str], values: Sequence[str]) -> str:
    """Words with their values, in sentence order."""
    return ", ".join(f"{named(words, i)} {value}" for i, value in enumerate(values))


def looks_at(source: Sequence[str], target: Sequence[str], t: int, weights: np.ndarray, effective: float) -> str:
    """The reading sentence of one step: where it looks, how strongly, how spread out.

    Parameters
    ----------
    weights : (T_x,) array
        The row of step t.
    effective : float
        exp(H), in words.
    """
    opening = f"At step {t + 1}, {named(target, t)} looks"
    n = len(source)
    if n == 1:
        return f"{opening} at {named(source, 0)}: there is nothing else, so its weight is 1 whatever the score."
    order = np.argsort(-weights, kind="stable")
    top = float(weights[order[0]])
    if np.ptp(weights) < 1e-12:
        return f"{opening} at all {n} words alike ({percent(top)} each); nothing stands out."
    # Neighbours at the top that nobody could tell apart on screen are named together.
    spread = f"spread over {number(effective, 1)} words' worth"
    leaders = [int(i) for i in order if top - weights[i] < 0.02]
    if len(leaders) > 3:
        return f"{opening} at {len(leaders)} of {n} words about alike ({percent(top)} each); {spread}."
    names = together([named(source, i) for i in leaders])
    shares = together([percent(float(weights[i])) for i in leaders])
    how = "only" if top == 1 else "mostly" if sum(weights[leaders]) >= 0.5 else "a little more"
    return f"{opening} {how} at {names} ({shares}); {spread}."


def true_sum(weights: np.ndarray, digits: int) -> str:
    """The sum of what is printed beside the sum of what is meant: rounded shares need not add up to 1.

    >>> true_sum(np.full(3, 1 / 3), 2)
    'printed 0.33 + 0.33 + 0.33 = 0.99, true sum 1'
    """
    printed = [number(float(a), digits) for a in weights]
    total = sum(round(float(a), digits) for a in weights)
    true = f"true sum {math.fsum(weights):.12g}"
    if abs(total - 1) < 10**-digits / 2 or len(printed) > 6:
        return true
    return f"printed {' + '.join(printed)} = {number(total, digits)}, {true}"


def verbatim(text: str) -> str:
    """Text that Markdown shows as typed."""
    return re.sub(r"([!-/:-@\\[-`{-~])", r"\\\1", text)
