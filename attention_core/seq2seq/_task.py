"""What a task is: a language of its own, made by a grammar, in which every example knows its true alignment.

A grammar writes an example with a `Draft`: it *reads* source words, which gives their positions, and *says* target
words, each with the positions that it comes from. So the alignment is true by construction and nobody marks anything
by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Example:
    """A source, its target, and what comes from where.

    Attributes
    ----------
    source, target : tuple of str
        Tokens, without the end mark.
    alignment : tuple of tuple of int
        For each target token the source positions, counted from 0, that it comes from. More than one if the source
        says it in several pieces: "not" comes from "ne" and "pas". Empty if no place is the true one: nothing in
        "je suis étudiant" says the "a" of "I am a student". An empty row is not scored.
    content : tuple of bool
        For each target token whether it is a content word: noun, adjective, verb, adverb, pronoun, letter or digit.
        Articles, conjunctions, particles and hyphens are not, nor are the copula ("is", "desu") and the auxiliary "do".
        A content word always has a place.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: tuple[tuple[int, ...], ...]
    content: tuple[bool, ...]


@dataclass(frozen=True, eq=False)
class Task:
    """Something that an encoder-decoder can learn, and all that a page needs to offer it.

    Attributes
    ----------
    name : str
        Its key in ``TASKS``.
    about : str
        One sentence for a menu.
    source_words, target_words : tuple of str
        The vocabularies, in a fixed order, without any mark for padding or for the end.
    longest : int
        The most source tokens that `read` lets pass. No example is longer.
    draw : callable
        ``draw(rng)`` returns one example of the whole grammar, whatever split it belongs to.
    read : callable
        ``read(text)`` turns what somebody typed into source tokens. Case, missing accents, any kind of apostrophe,
        blanks and punctuation at the end are understood. Anything else raises a ``ValueError`` with one sentence.
    write : callable
        ``write(tokens)`` turns target tokens into text as people write it.
    examples : tuple of str
        Inputs worth trying, as somebody would type them.
    labels : mapping of str to str
        How a target token is shown, where that differs from the token.
    """

    name: str
    about: str
    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    longest: int
    draw: Callable[[np.random.Generator], Example]
    read: Callable[[str], tuple[str, ...]]
    write: Callable[[Sequence[str]], str]
    examples: tuple[str, ...]
    labels: Mapping[str, str] = field(default_factory=dict)


class Draft:
    """An example that is being written.

    Examples
    --------
    >>> draft = Draft()
    >>> house = draft.read("maison")
    >>> red = draft.read("rouge")
    >>> draft.say("red", red)
    >>> draft.say("house", house)
    >>> draft.example()
    Example(source=('maison', 'rouge'), target=('red', 'house'), alignment=((1,), (0,)), content=(True, True))
    """

    def __init__(self) -> None:
        self._source: list[str] = []
        self._target: list[str] = []
        self._alignment: list[tuple[int, ...]] = []
        self._content: list[bool] = []

    def read(self, word: str) -> int:
        """Put a word at the end of the source and return its position."""
        self._source.append(word)
        return len(self._source) - 1

    def say(self, word: str, *places: int, content: bool = True) -> None:
        """Put a word at the end of the target, with the source positions that it comes from."""
        self._target.append(word)
        self._alignment.append(places)
        self._content.append(content)

    def example(self) -> Example:
        """Return what was written so far."""
        return Example(tuple(self._source), tuple(self._target), tuple(self._alignment), tuple(self._content))


def pick(rng: np.random.Generator, things: Sequence[Thing]) -> Thing:
    """Draw one of the things, each with the same chance."""
    return things[int(rng.random() * len(things))]  # several times quicker than rng.integers


def often(rng: np.random.Generator, share: float) -> bool:
    """Tell whether this time is one of a share of all times."""
    return bool(rng.random() < share)
