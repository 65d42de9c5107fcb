"""Where the numbers of a question come from: recipes that draw them from a seed, and compute the answer with the core."""

from __future__ import annotations

import zlib
from functools import lru_cache

import numpy as np

from pages.parts import number_recipes_edge, number_recipes_network, number_recipes_sentence, number_recipes_step
from pages.parts.drawn_numbers import UNITS, Drawn, Recipe

__all__ = ["RECIPES", "UNITS", "Drawn", "draw"]

TRIES = 1000

RECIPES: dict[str, Recipe] = {
    **number_recipes_step.RECIPES,
    **number_recipes_sentence.RECIPES,
    **number_recipes_network.RECIPES,
    **number_recipes_edge.RECIPES,
}


@lru_cache(maxsize=512)  # one form has several texts, and each names some of its numbers
def draw(recipe: str, name: str, sheet: int) -> Drawn:
    """Draw the numbers of a form; sheets and forms have numbers of their own.

    Numbers by which a known slip would come out right, or like another slip, are drawn again.

    Parameters
    ----------
    recipe : str
        A name in `RECIPES`.
    name : str
        The form's name.
    sheet : int
        The seed of the sheet.

    Raises
    ------
    RuntimeError
        If a recipe finds no clear numbers at all; the tests draw from every recipe.
    """
    rng = np.random.default_rng([sheet, zlib.crc32(f"{recipe} {name}".encode())])
    for _ in range(TRIES):
        drawn = RECIPES[recipe](rng)
        if drawn.clear:
            return drawn
    raise RuntimeError(f"the recipe {recipe!r} drew no clear numbers in {TRIES} tries: its slips are too near to its answer")
