"""Tasks of letters: the target is the source in another order, so the true alignment is that order.

The smallest tasks that need attention at all, and the only ones whose map has a shape one knows beforehand: reversal
is the falling diagonal turned round, copying the diagonal itself.
"""

from __future__ import annotations

import string
from collections.abc import Callable

import numpy as np

from ._reading import BETWEEN_WORDS, listed, plain, quoted, refuse_strange, skeleton
from ._task import Draft, Example, Task

Order = Callable[[tuple[str, ...]], list[int]]

ORDERS: dict[str, Order] = {
    "reverse": lambda letters: list(range(len(letters)))[::-1],
    "copy": lambda letters: list(range(len(letters))),
    "sort": lambda letters: sorted(range(len(letters)), key=letters.__getitem__),
    "shift": lambda letters: [*range(1, len(letters)), 0],
}
"""For each task the source positions in the order of the target. Sorting keeps the order of equal letters."""

ABOUT = {
    "reverse": "Write the letters backwards: the map is the diagonal turned round.",
    "copy": "Write the letters as they are: the map is the diagonal.",
    "sort": "Write the letters in the order of the alphabet: the map is another one for every word.",
    "shift": "Write the letters with the first one moved to the end: the map is the diagonal, one place on.",
}

EXAMPLES = ("attention", "stressed", "noon", "zigzag", "cabbage", "accede")


def letter_task(name: str, *, shortest: int = 3, longest: int = 12, letters: int = 26) -> Task:
    """Make a task that puts letters in another order.

    Parameters
    ----------
    name : {"reverse", "copy", "sort", "shift"}
        What to do with them.
    shortest, longest : int, optional
        The lengths that are drawn, each as often, and the longest that may be typed. No network trained on these
        lengths can be relied on at others.
    letters : int, optional
        How many letters of the alphabet there are, from "a" on: 1 to 26.

    Returns
    -------
    Task

    Raises
    ------
    ValueError
        If there is no such order, or if lengths or letters cannot be.

    Examples
    --------
    >>> import numpy as np
    >>> example = letter_task("reverse").draw(np.random.default_rng(4))
    >>> "".join(example.source), "".join(example.target), example.alignment[0]
    ('ywnyzzclph', 'hplczzynwy', (9,))
    """
    if name not in ORDERS:
        raise ValueError(f"there is no task of letters called {name!r}: choose one of {', '.join(ORDERS)}")
    if not (1 <= shortest <= longest and 1 <= letters <= 26):
        raise ValueError(
            f"lengths {shortest} to {longest} of {letters} letters cannot be drawn:"
            " give lengths from 1, the shorter one first, and 1 to 26 letters"
        )
    alphabet, order = tuple(string.ascii_lowercase[:letters]), ORDERS[name]

    def draw(rng: np.random.Generator) -> Example:
        length = int(rng.integers(shortest, longest + 1))
        source = tuple(alphabet[i] for i in rng.integers(letters, size=length))
        draft = Draft()
        for letter in source:
            draft.read(letter)
        for place in order(source):
            draft.say(source[place], place)
        return draft.example()

    def fits(word: str) -> bool:
        return shortest <= len(word) <= longest and set(word) <= set(alphabet)

    examples = tuple(word for word in EXAMPLES if fits(word)) or ("".join(alphabet * longest)[:longest],)

    def read(text: str) -> tuple[str, ...]:
        return _read(text, alphabet, shortest, longest, examples[0])

    return Task(
        name=name,
        about=ABOUT[name],
        source_words=alphabet,
        target_words=alphabet,
        longest=longest,
        draw=draw,
        read=read,
        write="".join,
        examples=examples,
    )


def _read(text: str, alphabet: tuple[str, ...], shortest: int, longest: int, example: str) -> tuple[str, ...]:
    """The letters of a text, without what stands between them."""
    run = "".join(BETWEEN_WORDS.split(skeleton(plain(text))))
    letters = tuple(c for c in run if c.isalnum() or not c.isascii())
    expected = f"{shortest} to {longest} letters from {alphabet[0]} to {alphabet[-1]}"
    if not letters:
        raise ValueError(f"there is no letter to read but the model needs {expected}: type a word, such as “{example}”")
    strange = [letter for letter in letters if letter not in alphabet]
    if strange:
        remedy = f"leave that out, or try “{example}”"
        refuse_strange(strange, expected, remedy)
        named = listed(quoted(letter) for letter in dict.fromkeys(strange))
        raise ValueError(f"the model does not know {named} but only {expected}: {remedy}")
    if not shortest <= len(letters) <= longest:
        change = "shorten it" if len(letters) > longest else "add some"
        raise ValueError(f"the word has {len(letters)} letters but the model learned {expected}: {change}, or try “{example}”")
    return letters
