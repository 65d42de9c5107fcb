"""Self-attention on one sentence: queries, keys and values of the same words, several heads, masks, and the mask done wrong.

Every word has a small vector, its place in the sentence added. A head has three matrices, drawn and not learned: W_Q makes the
query of each word, W_K its key, W_V its value. Scores, softmax and blend are those of the core. Places of changed numbers are
written ``x2_1``: number 1 of word 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import attention_core as ac
from pages.parts.live import Slider
from pages.parts.scenario import Scenario

D, D_K = 4, 4  # numbers of a word, and of its query, key and value
GAIN = 0.5  # of the drawn matrices: rows that lean somewhere without being one-sided
DRAWN = 13  # seeds the heads apart from all else that the scenario's seed draws
MOST_HEADS = 4
PLACES = r"x([1-9]|[12][0-9]|30)_[1-4]"
TRACK, LIMIT = 3.0, 10.0  # of a number of a word: on the slider, and typed

MASKS = ("none", "causal", "padding", "row in hand")
WAYS = ("−∞ before", "0 after", "0 after, ÷ sum")
RIGHT, ZERO, DIVIDED = WAYS


@dataclass(frozen=True, eq=False)
class Head:
    """One head.

    Attributes
    ----------
    W_Q, W_K, W_V : (d_k, d) array
    q, k, v : (T, d_k) array
        Query, key and value of every word.
    scores : (T, T) array
        Row: the word that looks; column: the word looked at. Before any mask.
    weights : (T, T) array
        All 0 in a row that has no weights.
    context : (T, d_k) array
    there : (T,) array of bool
        False for a row that has no weights: everything is masked, or 0 would have to be divided by 0.
    """

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    context: np.ndarray
    there: np.ndarray


@dataclass(frozen=True)
class Choices:
    """What the reader has set: the word and the head in hand counted from 0, how many heads, which mask, how it is done."""

    word: int = 1
    head: int = 0
    heads: int = 2
    mask: str = MASKS[0]
    padding: int = 1
    way: str = RIGHT


@dataclass(frozen=True, eq=False)
class SelfAttention:
    """A sentence looking at itself.

    Attributes
    ----------
    scenario : Scenario
    choices : Choices
    x, home : (T, d) array
        The words' vectors as a hand has left them, and as they were prepared.
    may : (T, T) array of bool
        True where the row's word may look at the column's.
    heads : tuple of Head
    """

    scenario: Scenario
    choices: Choices
    x: np.ndarray
    home: np.ndarray
    may: np.ndarray
    heads: tuple[Head, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The sentence."""
        return self.scenario.source

    @property
    def i(self) -> int:
        """The word in hand: the row that is worked out."""
        return self.choices.word

    @property
    def held(self) -> Head:
        """The head in hand."""
        return self.heads[self.choices.head]

    def plain(self, head: Head) -> np.ndarray:
        """(T,) softmax of the row in hand as if nothing were masked."""
        return ac.softmax(head.scores[self.i], temperature=self.scenario.temperature)


def mask_of(name: str, length: int, *, padding: int, row: int) -> np.ndarray:
    """Who may look at whom.

    Parameters
    ----------
    name : str
        One of `MASKS`.
    length : int
        T, the number of words.
    padding : int
        How many words at the end are padding.
    row : int
        The row whose every place is masked, from 0.

    Returns
    -------
    (T, T) array of bool
        True = may be attended.
    """
    may = np.ones((length, length), dtype=bool)
    if name == "causal":
        may &= np.tri(length, dtype=bool)
    elif name == "padding":
        may[:, length - padding :] = False
    elif name == "row in hand":
        may[row] = False
    return may


@lru_cache(maxsize=64)
def word_vectors(words: tuple[str, ...], seed: int) -> np.ndarray:
    """(T, d) the words' vectors, their places added: without a place, the same word would be the same wherever it stands."""
    place = np.arange(len(words))[:, np.newaxis] / 100.0 ** np.arange(D // 2)  # fast and slow waves, as in Vaswani et al., 3.5
    waves = np.stack([np.sin(place), np.cos(place)], axis=-1).reshape(len(words), D)
    x: np.ndarray = (ac.word_vectors(words, D, seed) + waves).round(2) + 0.0
    x.flags.writeable = False
    return x


@lru_cache(maxsize=256)
def matrices(seed: int, head: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """W_Q, W_K and W_V of a head; each head has its own, however many there are."""
    W_Q, W_K, W_V = GAIN * np.random.default_rng([seed, DRAWN, head]).standard_normal((3, D_K, D))
    return W_Q, W_K, W_V


def self_attention(scenario: Scenario, choices: Choices, edits: Mapping[str, float]) -> SelfAttention:
    """Let the source sentence look at itself."""
    home = word_vectors(scenario.source, scenario.seed)
    x = home.copy()
    for place, value in edits.items():
        word, number = position(place)
        if word < len(x):
            x[word, number] = value
    may = mask_of(choices.mask, len(x), padding=choices.padding, row=choices.word)
    heads = tuple(_head(x, may, choices.way, scenario, k) for k in range(choices.heads))
    return SelfAttention(scenario, choices, x, home, may, heads)


def _head(x: np.ndarray, may: np.ndarray, way: str, scenario: Scenario, number: int) -> Head:
    W_Q, W_K, W_V = matrices(scenario.seed, number)
    q, k, v = x @ W_Q.T, x @ W_K.T, x @ W_V.T
    scores = ac.scaled_dot(q, k)
    return Head(W_Q, W_K, W_V, q, k, v, scores, *looked(scores, v, may, way, scenario.temperature))


def looked(
    scores: np.ndarray, v: np.ndarray, may: np.ndarray, way: str, temperature: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights, context, and which rows have any.

    The right way hands the mask to the core, row by row where there is something to attend to. The wrong ways do what people
    write by mistake: they let softmax run over everything and put zeros into its result.
    """
    if way == RIGHT:
        there = np.asarray(may.any(axis=1))
        weights, context = np.zeros_like(scores), np.zeros_like(v)
        if there.any():
            seen = ac.attend(scores[there], v, temperature=temperature, mask=may[there])
            weights[there], context[there] = seen.weights, seen.context
        return weights, context, there
    weights = np.where(may, ac.softmax(scores, temperature=temperature), 0.0)
    there = np.ones(len(scores), dtype=bool)
    if way == DIVIDED:
        sums = weights.sum(axis=1)
        there = sums > 0
        weights[there] /= sums[there, np.newaxis]
    return weights, weights @ v, there


# --- Numbers in hand --------------------------------------------------------------------------------------------------


def position(place: str) -> tuple[int, int]:
    """Word and number of a place, from 0.

    >>> position("x2_1")
    (1, 0)
    """
    word, number = place[1:].split("_")
    return int(word) - 1, int(number) - 1


def moved(edits: Mapping[str, float], home: np.ndarray, word: int, values: Sequence[float]) -> dict[str, float]:
    """All changed numbers, with the sliders of one word at these values; a number that is back home is no change."""
    new = dict(edits)
    for number, value in enumerate(values):
        place = f"x{word + 1}_{number + 1}"
        new.pop(place, None)
        if value != home[word, number]:
            new[place] = value
    return new


def sliders(s: SelfAttention, temperature: Slider) -> list[Slider]:
    """The numbers of the word in hand, the temperature, and how many words are padding if that is the mask."""
    word, n = s.words[s.i], len(s.words)
    padding = Slider("padding", "words of padding at the end", s.choices.padding, 1, 1, n, 1, n, step=1, symbol="e", apart=True)
    return [
        *(
            Slider(
                word=f"number {k + 1}",
                spoken=f"number {k + 1} of {word}, position {s.i + 1}",
                value=float(s.x[s.i, k]),
                home=float(s.home[s.i, k]),
                min=-TRACK,
                max=TRACK,
                least=-LIMIT,
                most=LIMIT,
                symbol="h",
            )
            for k in range(D)
        ),
        temperature,
        *([padding] if s.choices.mask == "padding" else []),
    ]


# --- The code ---------------------------------------------------------------------------------------------------------

# Doubled braces are the block's own.
_BLOCK = """\
import numpy as np

words = {words}
x = np.array([{x}])  # one vector per word, its place in the sentence added
n, row, temperature = {n}, {row}, {temperature}  # row: the word in hand, counted from 0
may = {may}  # True: may be looked at

for head in range({heads}):
    rng = np.random.default_rng([{seed}, {drawn}, head])
    W_Q, W_K, W_V = {gain} * rng.standard_normal((3, {d_k}, {d}))  # drawn, not learned
    q, k, v = x @ W_Q.T, x @ W_K.T, x @ W_V.T  # queries, keys, values: all from the same words
    e = q @ k.T / np.sqrt({d_k})
{before}    some = np.isfinite(e).any(axis=1)  # a row with everything masked has nothing to attend to
    lifted = np.exp((e[some] - e[some].max(axis=1, keepdims=True)) / temperature)
    alpha = np.zeros((n, n))
    alpha[some] = lifted / lifted.sum(axis=1, keepdims=True)
{after}    print(f"head {{head + 1}}")
    for word, weights, there in zip(words, alpha, some):
        shown = " ".join(f"{{a:.4f}}" for a in weights) if there else "no weights"
        print(f"{{shown}}  sum {{weights.sum():.4f}}  {{word}}")
    print("c:", ((alpha[row] @ v).round(4) + 0.0).tolist())
"""
_BEFORE = "    e = np.where(may, e, -np.inf)  # masked before the softmax\n"
_ZERO = "    alpha = np.where(may, alpha, 0.0)  # too late: rows no longer add up to 1\n"
_DIVIDE = """\
    some = alpha.sum(axis=1) > 0  # 0 / 0 is no weight
    alpha[some] /= alpha[some].sum(axis=1, keepdims=True)
"""


def block(s: SelfAttention) -> str:
    """All heads as a NumPy program."""
    n, c = len(s.words), s.choices
    everything = "np.ones((n, n), dtype=bool)"
    may = {
        "none": everything,
        "causal": f"np.tril({everything})",
        "padding": f"np.tile(np.arange(n) < {n - c.padding}, (n, 1))",
        "row in hand": "np.tile(np.arange(n)[:, None] != row, (1, n))",
    }
    return _BLOCK.format(
        words=list(s.words),
        x=(",\n" + " " * len("x = np.array([")).join(str(row) for row in s.x.tolist()),
        n=n,
        row=s.i,
        temperature=s.scenario.temperature,
        may=may[c.mask],
        heads=c.heads,
        seed=s.scenario.seed,
        drawn=DRAWN,
        gain=GAIN,
        d=D,
        d_k=D_K,
        before=_BEFORE if c.way == RIGHT else "",
        after={RIGHT: "", ZERO: _ZERO, DIVIDED: _ZERO + _DIVIDE}[c.way],
    )
