"""What the recipes of questions with numbers draw from: scores and weights for a blackboard, and how they are told."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from pages.parts.describe import number

UNITS = ("share", "nats", "bits", "words", "number", "count")  # what an answer may be measured in
APART = 0.03  # between an answer and each known slip: three times the tolerance of 0.01
SMALLEST = 0.05  # of an answer: what is nearly 0 is right by accident


@dataclass(frozen=True)
class Drawn:
    """The numbers of one question on one sheet.

    Attributes
    ----------
    given : mapping of str to str
        What the texts of a question may name in braces: the numbers that are told, and the steps of the solution.
        "answer" is the answer as a solution prints it, "equals" the sign before it: equal, or about equal.
    answer : float
    unit : str
        One of `UNITS`. A "share" may be typed in percent; a "count" is a whole number.
    slips : mapping of str to float
        Wrong results by name: what comes out if one particular thing goes wrong.
    code : str
        NumPy that prints the answer from the numbers given; it runs in a bare Python.
    """

    given: Mapping[str, str]
    answer: float
    unit: str
    slips: Mapping[str, float] = field(default_factory=dict)
    code: str = ""

    @property
    def clear(self) -> bool:
        """Whether right and each known wrong can be told apart, also by someone who rounds, or forgets a percent sign."""
        results = [self.answer, *self.slips.values()]
        if self.unit == "share":
            results += [slip / 100 for slip in self.slips.values() if slip > 1]
        ordered = sorted(results)
        apart = all(above - below >= APART for below, above in pairwise(ordered))
        return apart and all(map(math.isfinite, results)) and abs(self.answer) >= SMALLEST


Recipe = Callable[[np.random.Generator], Drawn]
Told = int | float | str | Sequence[float] | np.ndarray


def drawn(answer: float, unit: str, slips: Mapping[str, float], code: str, **given: Told) -> Drawn:
    """The numbers of a question, with everything that is told written out, and the code headed by its import."""
    texts = {name: told(value) for name, value in {**given, "answer": float(answer)}.items()}
    texts["equals"] = "=" if math.isclose(float(texts["answer"]), answer, rel_tol=1e-9) else r"\approx"
    wrong = {name: float(slip) for name, slip in slips.items()}
    return Drawn(texts, float(answer), unit, wrong, f"import numpy as np\n\n{code}\n")


def told(value: Told) -> str:
    """A number with at most three decimals, or numbers in a sentence.

    >>> told(0.5), told(-0.0), told(2.0), told(1 / 3), told([0.3, 2.1, -0.5]), told([4.0])
    ('0.5', '0', '2', '0.333', '0.3, 2.1 and -0.5', '4')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        text = number(value, 3)
        return text.rstrip("0").rstrip(".")
    *rest, last = (told(float(one)) for one in value)
    return f"{', '.join(rest)} and {last}" if rest else last


def signed(value: float) -> str:
    """A number as a factor or summand: in brackets if it is negative.

    >>> signed(0.5), signed(-0.5)
    ('0.5', '(-0.5)')
    """
    return told(value) if value >= 0 else f"({told(value)})"


def products(left: Sequence[float] | np.ndarray, right: Sequence[float] | np.ndarray) -> str:
    r"""A sum of products in LaTeX.

    >>> products([0.5, -1.0], [2.0, 3.0])
    '0.5 \\cdot 2 + (-1) \\cdot 3'
    """
    pairs = zip(map(float, left), map(float, right), strict=True)
    return " + ".join(rf"{signed(a)} \cdot {signed(b)}" for a, b in pairs)


def total(values: Sequence[float] | np.ndarray) -> str:
    """A sum, written out.

    >>> total([1.5, -2.0])
    '1.5 + (-2)'
    """
    return " + ".join(signed(float(value)) for value in values)


def scores(rng: np.random.Generator, length: int, reach: float = 3.0, least: float = 0.0) -> np.ndarray:
    """(length,) numbers with one decimal from -reach to reach, none nearer to 0 than `least`, no two alike."""
    most = round(10 * reach)
    tenths = np.arange(-most, most + 1)
    return np.asarray(rng.choice(tenths[np.abs(tenths) >= round(10 * least)], size=length, replace=False) / 10)


def weights(rng: np.random.Generator, length: int) -> np.ndarray:
    """(length,) weights in tenths, none of them 0, together 1."""
    cuts = np.sort(rng.choice(np.arange(1, 10), size=length - 1, replace=False))
    return np.asarray(np.diff([0, *cuts, 10]) / 10)


def whole(rng: np.random.Generator, low: int, high: int) -> int:
    """A whole number from low to high, both included."""
    return int(rng.integers(low, high + 1))


def tenth(rng: np.random.Generator, low: float, high: float) -> float:
    """A number with one decimal from low to high, both included."""
    return whole(rng, round(10 * low), round(10 * high)) / 10


def one_of(rng: np.random.Generator, *options: float) -> float:
    """One of a few numbers."""
    return options[whole(rng, 0, len(options) - 1)]


def sizes(rng: np.random.Generator, *ranges: tuple[int, int]) -> Iterator[int]:
    """Whole numbers, one per range."""
    return (whole(rng, low, high) for low, high in ranges)
