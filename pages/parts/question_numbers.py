"""Where the numbers of a question come from: recipes that draw them from a seed, and compute the answer with the core."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

import attention_core as ac
from pages.parts.describe import number

UNITS = ("share", "nats", "bits", "words", "number", "count")  # what an answer may be measured in


@dataclass(frozen=True)
class Drawn:
    """The numbers of one question on one sheet.

    Attributes
    ----------
    given : mapping of str to str
        What the texts of a question may name in braces: the numbers that are told, and the steps of the solution.
        "answer" is the answer as a solution prints it.
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


Recipe = Callable[[np.random.Generator], Drawn]


def draw(recipe: str, name: str, sheet: int) -> Drawn:
    """Draw the numbers of a form; sheets and forms have numbers of their own.

    Parameters
    ----------
    recipe : str
        A name in `RECIPES`.
    name : str
        The form's name.
    sheet : int
        The seed of the sheet.
    """
    return RECIPES[recipe](np.random.default_rng([sheet, zlib.crc32(f"{recipe} {name}".encode())]))


def scores(rng: np.random.Generator, length: int, reach: float = 3.0) -> np.ndarray:
    """Scores with one decimal, no two alike: numbers for a blackboard."""
    tenths = int(10 * reach)
    return rng.choice(np.arange(-tenths, tenths + 1), size=length, replace=False) / 10


def listed(values: Sequence[float] | np.ndarray, digits: int = 1) -> str:
    """Numbers in a sentence: "0.3, 2.1 and 0.5"."""
    *rest, last = (number(float(value), digits) for value in values)
    return f"{', '.join(rest)} and {last}" if rest else last


def weight_of_word(rng: np.random.Generator) -> Drawn:
    """The weight of one of three words, from their scores."""
    e = scores(rng, 3)
    i = int(rng.integers(3))
    lifted, alpha = np.exp(e), ac.softmax(e)
    return Drawn(
        given={
            "scores": listed(e),
            "i": str(i + 1),
            "lifted": listed(lifted, 3),
            "total": number(float(lifted.sum()), 3),
            "one": number(float(lifted[i]), 3),
            "answer": number(float(alpha[i]), 3),
        },
        answer=float(alpha[i]),
        unit="share",
        slips={"no denominator": float(lifted[i]), "no exp": float(e[i] / e.sum()) if abs(e.sum()) > 0.05 else float(e[i])},
        code=f"import numpy as np\n\ne = np.array({e.tolist()})\nalpha = np.exp(e) / np.exp(e).sum()\nprint(alpha[{i}])\n",
    )


RECIPES: dict[str, Recipe] = {
    "weight of a word": weight_of_word,
}
