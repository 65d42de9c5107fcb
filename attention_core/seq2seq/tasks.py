"""What an encoder-decoder can learn here: languages made by grammars, without end, each example with its true alignment.

>>> import numpy as np
>>> rng = np.random.default_rng(3)
>>> example = sample(TASKS["french"], rng, 1, "train")[0]
>>> example.source, example.target
(('la', 'bonne', 'voiture', 'rouge'), ('the', 'good', 'red', 'car'))
>>> TASKS["french"].read("JE SUIS ETUDIANT !")
('je', 'suis', 'étudiant')

Training and test must not meet
-------------------------------
Drawing is endless and the grammars are small, so the same sentence comes up again and again. Which split it belongs to
is therefore decided by the sentence itself, by a checksum of its source (`split_of`): on every machine, in every run,
whoever draws it. Taking the first thousand *different* sentences as the test would be a trap: short kinds of sentences
have few of them, and their words would be missing in training.

The files: `_task` says what a task is, `_reading` understands what people type, and `_letters`, `_dates`, `_french` and
`_japanese` are the grammars.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

import numpy as np

from ._dates import DATES
from ._french import FRENCH, LONG_FRENCH, holds_running_example, holds_unseen_pair
from ._japanese import JAPANESE
from ._letters import letter_task
from ._task import Example, Task

__all__ = ["TASKS", "Example", "Split", "Task", "holds_unseen_pair", "letter_task", "sample", "sample_unseen_pairs", "split_of"]

Split: TypeAlias = Literal["train", "validation", "test"]

TASKS: Mapping[str, Task] = MappingProxyType(
    {task.name: task for task in (FRENCH, JAPANESE, DATES, letter_task("reverse"), letter_task("copy"), LONG_FRENCH)}
)
"""Every task by its name: "french", "japanese", "dates", "reverse", "copy", "long french"."""


def _is_kept_out(example: Example) -> bool:
    return holds_unseen_pair(example) or holds_running_example(example)


_KEPT_OUT: Mapping[str, Callable[[Example], bool]] = {FRENCH.name: _is_kept_out, LONG_FRENCH.name: _is_kept_out}
"""What is never trained, whatever its checksum."""


def split_of(example: Example, task: Task) -> Split:
    """Tell whether an example may be trained on.

    Parameters
    ----------
    example : Example
    task : Task
        The task that it belongs to.

    Returns
    -------
    {"train", "validation", "test"}
        By the crc32 of the source tokens joined by blanks, modulo 10: 0 is "test", 1 is "validation", all others are
        "train". French that has "je suis étudiant" or an unseen pair in it (`holds_unseen_pair`) is always "test".

    Examples
    --------
    >>> split_of(Example(("a", "b", "d"), ("d", "b", "a"), ((2,), (1,), (0,)), (True,) * 3), TASKS["reverse"])
    'train'
    """
    if _KEPT_OUT.get(task.name, _nothing)(example):
        return "test"
    return _split_by_checksum(example)


def _nothing(example: Example) -> bool:
    return False


def _split_by_checksum(example: Example) -> Split:
    remainder = zlib.crc32(" ".join(example.source).encode()) % 10
    return "test" if remainder == 0 else "validation" if remainder == 1 else "train"


def sample(task: Task, rng: np.random.Generator, n: int, split: Split) -> list[Example]:
    """Draw examples of one split, with replacement: a likely sentence may come twice.

    Parameters
    ----------
    task : Task
    rng : numpy.random.Generator
        The same seed draws the same examples.
    n : int
        How many.
    split : {"train", "validation", "test"}

    Returns
    -------
    list of Example
        All three splits are drawn alike. So French that is kept out of training by rule is in none of them, not even in
        "test", where it would be far more frequent than it is in French: `sample_unseen_pairs` draws it.

    Raises
    ------
    ValueError
        If there is no such split.

    See Also
    --------
    sample_unseen_pairs : French with a noun and an adjective that training never puts side by side.
    """
    if split not in get_args(Split):
        raise ValueError(f"there is no split {split!r}: choose one of {', '.join(get_args(Split))}")
    kept_out = _KEPT_OUT.get(task.name, _nothing)
    return _first(n, task, rng, lambda example: _split_by_checksum(example) == split and not kept_out(example))


def sample_unseen_pairs(rng: np.random.Generator, n: int) -> list[Example]:
    """Draw French with a noun and an adjective that never stand side by side in training, though each does with others.

    Parameters
    ----------
    rng : numpy.random.Generator
        The same seed draws the same examples.
    n : int
        How many.

    Returns
    -------
    list of Example
        Of the task "french", with replacement. `split_of` calls all of them "test".
    """
    return _first(n, FRENCH, rng, holds_unseen_pair)


def _first(n: int, task: Task, rng: np.random.Generator, wanted: Callable[[Example], bool]) -> list[Example]:
    """Draw until n examples are of the wanted kind."""
    found: list[Example] = []
    while len(found) < n:
        example = task.draw(rng)
        if wanted(example):
            found.append(example)
    return found
