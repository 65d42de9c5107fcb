"""From what somebody typed to tokens, or to one sentence that says why not: what, expected, got, remedy.

Somebody who types "ETUDIANT" means "étudiant". So words are compared by their `skeleton`: no case, no accents.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ‛′´`＇", "'"))
BETWEEN_WORDS = re.compile(r"[\s,;:.!?…«»“”„\"()\[\]¡¿–—]+")
_SHOWN_LETTERS = 20
_SHOWN_WORDS = 3


def plain(text: str) -> str:
    """Text with one kind of apostrophe, one kind of every letter, and without characters that nobody sees."""
    text = unicodedata.normalize("NFKC", text.translate(APOSTROPHES))
    return "".join(c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


def skeleton(word: str) -> str:
    """The letters of a word without case and accents: "Étudiant" and "ETUDIANT" have the same."""
    parts = unicodedata.normalize("NFD", word.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c))


def quoted(word: str) -> str:
    """A word in quotation marks, cut short if it is long."""
    return f"“{word}”" if len(word) <= _SHOWN_LETTERS else f"“{word[:_SHOWN_LETTERS]}…”"


def listed(things: Iterable[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``; of more than three the rest is counted."""
    every = list(things)
    if len(every) > _SHOWN_WORDS:
        every = [*every[:_SHOWN_WORDS], f"{len(every) - _SHOWN_WORDS} more"]
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} {last} {every[-1]}"


def nearest(word: str, known: Mapping[str, str]) -> list[str]:
    """Up to three known words that are written like this one; ``known`` is keyed by skeleton."""
    return [known[near] for near in difflib.get_close_matches(skeleton(word)[:40], known, n=3, cutoff=0.6)]


def refuse_strange(words: Sequence[str], expected: str, remedy: str) -> None:
    """Raise ``ValueError`` if some of the words have digits, of any script, or no Latin letter at all."""
    with_digits = [word for word in words if any(unicodedata.category(c).startswith("N") for c in word)]
    foreign = [word for word in words if not any(unicodedata.name(c, "").startswith("LATIN") for c in word)]
    for strange, what in ((with_digits, "digits"), (foreign, "no Latin letters")):
        if strange:
            verb = "has" if len(set(strange)) == 1 else "have"
            named = listed(quoted(word) for word in dict.fromkeys(strange))
            raise ValueError(f"{named} {verb} {what} but this model reads only {expected}: {remedy}")


def word_reader(
    words: Collection[str],
    *,
    language: str,
    longest: int,
    example: str,
    elided: Collection[str] = (),
    endings: Mapping[str, str] | None = None,
) -> Callable[[str], tuple[str, ...]]:
    """Make the `read` of a task whose tokens are words.

    Parameters
    ----------
    words : collection of str
        The source words.
    language : str
        How the sentences call it: "French".
    longest : int
        The most tokens.
    example : str
        What to try instead.
    elided : collection of str, optional
        Words with an apostrophe that part from the next: "l'" in "l'arbre".
    endings : mapping of str to str, optional
        Endings that are words of their own, and which: "not" for "n't".

    Returns
    -------
    callable
        From text to tokens. It raises ``ValueError`` with one sentence.

    Examples
    --------
    >>> read = word_reader(("l'", "arbre", "étoile"), language="French", longest=3, example="l'arbre", elided=("l'",))
    >>> read("L’ARBRE !"), read("l etoile")
    (("l'", 'arbre'), ("l'", 'étoile'))
    >>> read("l'arbe")
    Traceback (most recent call last):
    ValueError: the model does not know “arbe” (nearest: arbre) among its 3 French words: use words it knows, as in “l'arbre”
    """
    known = {skeleton(word): word for word in words}
    if len(known) != len(words):
        raise ValueError("two words differ by nothing but case and accents: leave one out")
    # Somebody who leaves the apostrophe out puts a blank there: "l arbre".
    known_or_bare = known | {skeleton(word).rstrip("'"): word for word in elided}
    spelled_out = {re.compile(rf"{ending}(?!\w)", re.IGNORECASE): f" {word}" for ending, word in (endings or {}).items()}
    parting = re.compile(rf"\b({'|'.join(word[:-1] for word in elided)})'", re.IGNORECASE) if elided else None

    def read(text: str) -> tuple[str, ...]:
        typed = plain(text)
        if parting:
            typed = parting.sub(r"\1' ", typed)
        for ending, word in spelled_out.items():
            typed = ending.sub(word, typed)
        found = [word for word in BETWEEN_WORDS.split(typed) if word.strip("'-")]
        # Quotation marks around a word look like apostrophes.
        found = [word if skeleton(word) in known else word.strip("'-") for word in found]
        if not found:
            raise ValueError(
                f"there is no word to read but the model needs at least one: type some {language}, such as “{example}”"
            )
        if len(found) > longest:
            raise ValueError(
                f"the sentence has {len(found)} words but the model reads at most {longest}"
                f"{' (l’ and n’ count as words)' if elided else ''}: shorten it, or try “{example}”"
            )
        unknown = list(dict.fromkeys(word for word in found if skeleton(word) not in known_or_bare))
        if unknown:
            refuse_strange(unknown, f"{language} words", f"leave that out, or try “{example}”")
            raise ValueError(_unknown(unknown, known, language, example))
        return tuple(known_or_bare[skeleton(word)] for word in found)

    return read


def _unknown(unknown: Sequence[str], known: Mapping[str, str], language: str, example: str) -> str:
    """The sentence about words that are not in the vocabulary."""
    named: list[str] = []
    for word in unknown:
        near = nearest(word, known) if len(named) < _SHOWN_WORDS else []
        named.append(quoted(word) + (f" (nearest: {listed(near, 'or')})" if near else ""))
    return (
        f"the model does not know {listed(named)} among its {len(known)} {language} words: use words it knows, as in “{example}”"
    )
