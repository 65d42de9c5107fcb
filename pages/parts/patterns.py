"""Shapes of an alignment map: how to make one of any size, and how to tell which one a map has.

A map is read by its peaks. The peak of a step is the position with the largest weight, if that weight leads every other
by `LEAD` at least; a step without such a lead has no peak. The shape is then

- uniform: every row is spread evenly, H at least `EVEN` times log T_x;
- one-column sink: every step has its peak at the same position;
- diagonal: peaks never go back; anti-diagonal: peaks never go forward;
- block swap: exchanging two neighbouring blocks of steps makes it a diagonal, and some steps stay where they are;
- scattered: every step has a peak, and it is none of these.

Where some step has no peak, where there is a single step or word, and where the peaks of a line stay within less than half
of the sentence, nothing is named: better silent than wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

import attention_core as ac

LEAD = 0.1  # by which the largest weight of a step must lead, so that an eye sees it too
EVEN = 0.95  # share of the largest possible entropy from which a row counts as evenly spread
PEAK, SLOPE, FLOOR = 4.0, 2.0, -2.0  # scores of a made row: at its peak, lost per position beside it, far from it
DRAWS = 200  # orders tried until one is scattered; three steps have two such orders of six

Peaks = list[int]
Grid = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Pattern:
    """One shape.

    Attributes
    ----------
    name : str
        As the menu shows it.
    about : str
        What such a map means, one or two sentences.
    build : callable
        Peaks of T_y steps over T_x positions, from (T_y, T_x, seed); None if no step has one.
    """

    name: str
    about: str
    build: Callable[[int, int, int], Peaks | None]


def diagonal(T_y: int, T_x: int) -> Peaks:
    """Peaks along the diagonal: the middle of each step's share of the source, in whole positions.

    >>> diagonal(4, 3), diagonal(3, 3), diagonal(1, 5)
    ([0, 1, 1, 2], [0, 1, 2], [2])
    """
    return [(2 * t + 1) * T_x // (2 * T_y) for t in range(T_y)]


def anti_diagonal(T_y: int, T_x: int) -> Peaks:
    """Peaks along the other diagonal.

    >>> anti_diagonal(3, 3)
    [2, 1, 0]
    """
    return diagonal(T_y, T_x)[::-1]


def block_swap(T_y: int, T_x: int) -> Peaks:
    """A diagonal in which two neighbouring blocks of steps have changed places, as near to the middle as shows.

    >>> block_swap(3, 3), block_swap(8, 8), block_swap(4, 3)
    ([0, 2, 1], [0, 1, 4, 5, 2, 3, 6, 7], [0, 1, 2, 1])
    """
    swapped = peaks = diagonal(T_y, T_x)
    for block in range(max(1, T_y // 4), 0, -1):
        for start in sorted(range(T_y - 2 * block + 1), key=lambda start: (abs(2 * (start + block) - T_y), -start)):
            middle, end = start + block, start + 2 * block
            swapped = [*peaks[:start], *peaks[middle:end], *peaks[start:middle], *peaks[end:]]
            if shape_of_peaks(swapped, T_x) == "block swap":  # not so if both blocks look at the same words
                return swapped
    return swapped


def scattered(T_y: int, T_x: int, seed: int) -> Peaks:
    """The diagonal's peaks in a seeded order that is no other shape; with fewer than three steps, in any order."""
    rng = np.random.default_rng(seed)
    peaks = diagonal(T_y, T_x)
    for _ in range(DRAWS):
        order: Peaks = rng.permutation(peaks).tolist()
        if shape_of_peaks(order, T_x) == "scattered":
            return order
    return order


PATTERNS = {
    pattern.name: pattern
    for pattern in (
        Pattern(
            "diagonal",
            "Both sentences run in the same order (monotone). Normal for speech and for reading print: healthy, not broken.",
            lambda T_y, T_x, seed: diagonal(T_y, T_x),
        ),
        Pattern(
            "anti-diagonal",
            "The order reverses, as from English to Japanese it often does. That is reordering, not an error.",
            lambda T_y, T_x, seed: anti_diagonal(T_y, T_x),
        ),
        Pattern(
            "scattered",
            "Words move to other places: free reordering. Each step still knows where to look.",
            scattered,
        ),
        Pattern(
            "block swap",
            "Two neighbouring parts change places and the rest runs on, like a French noun and its adjective.",
            lambda T_y, T_x, seed: block_swap(T_y, T_x),
        ),
        Pattern(
            "one-column sink",
            "Every step looks at the same word, often the full stop. Such a map tells little about who translates whom.",
            lambda T_y, T_x, seed: [T_x - 1] * T_y,
        ),
        Pattern(
            "uniform",
            "Every step looks at all words alike, as for a summary. No word is found, and none has to be.",
            lambda T_y, T_x, seed: None,
        ),
    )
}


def scores_of(name: str, T_y: int, T_x: int, seed: int = 0) -> Grid:
    """Make the scores of a pattern.

    Parameters
    ----------
    name : str
        A key of `PATTERNS`.
    T_y, T_x : int
        Steps and source words, each at least 1.
    seed : int, optional
        Of the scattered order.

    Returns
    -------
    tuple of tuple of float
        T_y rows of T_x scores. All are 0 for the uniform pattern; otherwise a row falls off on both sides of its peak, and
        in the sink it is flat beside it.
    """
    peaks = PATTERNS[name].build(T_y, T_x, seed)
    if peaks is None:
        return ((0.0,) * T_x,) * T_y
    slope = 2 * PEAK if name == "one-column sink" else SLOPE
    return tuple(tuple(max(FLOOR, PEAK - slope * abs(i - peak)) for i in range(T_x)) for peak in peaks)


def peaks_of(weights: np.ndarray) -> list[int | None]:
    """The peak of every step, counted from 0; None where the largest weight does not lead clearly.

    Parameters
    ----------
    weights : (T_y, T_x) array
    """
    if weights.shape[1] == 1:
        return [0] * len(weights)
    second, first = np.sort(weights, axis=1)[:, -2:].T
    return [
        int(top) if lead >= LEAD else None for top, lead in zip(weights.argmax(axis=1), (first - second).tolist(), strict=True)
    ]


def shape_of_peaks(peaks: Sequence[int], T_x: int) -> str | None:
    """The shape of a map in which every step has its peak; None if it has none worth a name.

    >>> shape_of_peaks([0, 0, 2], 3), shape_of_peaks([0, 2, 1], 3), shape_of_peaks([1, 1, 1], 9)
    ('diagonal', 'block swap', 'one-column sink')
    """
    if len(peaks) < 2 or T_x < 2:
        return None
    if len(set(peaks)) == 1:
        return "one-column sink"
    if 2 * (max(peaks) - min(peaks)) < T_x - 1:
        return None
    if _sorted(peaks):
        return "diagonal"
    if _sorted(peaks[::-1]):
        return "anti-diagonal"
    return "block swap" if _is_block_swap(peaks) else "scattered"


def shape_of(weights: np.ndarray) -> str | None:
    """The name of the shape that a map of weights has, a key of `PATTERNS`; None if it is not clear. See the module.

    Parameters
    ----------
    weights : (T_y, T_x) array
    """
    T_y, T_x = weights.shape
    if T_y < 2 or T_x < 2:
        return None
    if float(ac.normalised_entropy(weights).min()) >= EVEN:
        return "uniform"
    peaks = peaks_of(weights)
    return None if None in peaks else shape_of_peaks([peak for peak in peaks if peak is not None], T_x)


def _sorted(peaks: Sequence[int]) -> bool:
    return all(a <= b for a, b in pairwise(peaks))


def _is_block_swap(peaks: Sequence[int]) -> bool:
    """Whether two neighbouring blocks can be exchanged so that peaks never go back, with something left in its place.

    What is in its place at both ends is what a sorted order would have there; in between one cut is looked for.
    """
    right = sorted(peaks)
    n = len(peaks)
    start = next(k for k in range(n) if peaks[k] != right[k])
    end = next(k for k in range(n, 0, -1) if peaks[k - 1] != right[k - 1])
    inner = list(peaks[start:end])
    return end - start < n and any(inner[cut:] + inner[:cut] == right[start:end] for cut in range(1, len(inner)))
