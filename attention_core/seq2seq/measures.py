"""What a trained network can do, and what its maps are worth: accuracy, mass on the true alignment, interventions.

Every number that the course claims about a trained network comes from here, measured on sentences that it was not
trained on.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from .decoding import Encoded, Written, blocked, encode, greedy, say, shuffled, uniform
from .layers import Array
from .model import Batch, Seq2Seq, batch_of
from .tasks import Example


def exact_match(model: Seq2Seq, examples: Sequence[Example]) -> float:
    """Return the share of sentences that the network writes without any mistake."""
    batch = _batch(model, examples)
    written = greedy(model, encode(model, batch.source, batch.source_real), longest=batch.target.shape[1] + 5)
    return float(np.mean([words == example.target for words, example in zip(written.words, examples, strict=True)]))


def exact_match_by_length(model: Seq2Seq, examples: Sequence[Example], edges: Sequence[int]) -> dict[str, float]:
    """Return `exact_match` for bins of source length: edges 3, 6, 9 give the bins 3-5 and 6-8."""
    shares = {}
    for low, high in itertools.pairwise(edges):
        inside = [example for example in examples if low <= len(example.source) < high]
        if inside:
            shares[f"{low}-{high - 1}"] = exact_match(model, inside)
    return shares


def mass_on_alignment(model: Seq2Seq, examples: Sequence[Example]) -> tuple[float, float]:
    """Return the mean weight on the true source positions, the right words being given.

    Returns
    -------
    all_words, content_words : float
        Over all target words that have a true place, and over content words only.
    """
    batch = _batch(model, examples)
    weights = greedy(model, encode(model, batch.source, batch.source_real), given=batch.target).weights
    masses, contents = [], []
    for row, example in enumerate(examples):
        for t, places in enumerate(example.alignment):
            if places:
                masses.append(float(weights[row, t, list(places)].sum()))
                contents.append(example.content[t])
    return float(np.mean(masses)), float(np.mean(np.array(masses)[np.array(contents)]))


def block_changes_word(model: Seq2Seq, examples: Sequence[Example], rng: np.random.Generator) -> tuple[float, float]:
    """Take one source word out of one look, everything before being as it was, and see whether the word written changes.

    Steps of content words only, in sentences the network is fed with its right words.

    Returns
    -------
    most, other : float
        The share of steps whose word changes when the word with the largest weight is blocked, and when another word,
        drawn at random, is.
    """
    batch = _batch(model, examples)
    read = encode(model, batch.source, batch.source_real)
    usual = greedy(model, read, given=batch.target)
    content = _content(batch, examples) & (usual.numbers == batch.target)
    top = usual.weights.argmax(axis=2)  # (B, T_y)
    chance = np.where(read.real[:, np.newaxis], rng.random(usual.weights.shape), -1)
    np.put_along_axis(chance, top[..., np.newaxis], -2, axis=2)  # any real place but the top one
    other = chance.argmax(axis=2)
    most, drawn = (_said_without(model, read, usual, batch, places) != usual.numbers for places in (top, other))
    return float(most[content].mean()), float(drawn[content].mean())


def uniform_exact_match(model: Seq2Seq, examples: Sequence[Example]) -> float:
    """Return `exact_match` when every look is at all words alike."""
    batch = _batch(model, examples)
    read = encode(model, batch.source, batch.source_real)
    written = greedy(model, read, longest=batch.target.shape[1] + 5, look=uniform)
    return float(np.mean([words == example.target for words, example in zip(written.words, examples, strict=True)]))


def shuffle_states(model: Seq2Seq, examples: Sequence[Example], rng: np.random.Generator) -> tuple[float, float]:
    """Shuffle the annotations after reading.

    Returns
    -------
    moved : float
        The largest change of a logit, the same words being given.
    same : float
        The share of outputs that stay as they were.
    """
    batch = _batch(model, examples)
    read = encode(model, batch.source, batch.source_real)
    other, _ = shuffled(read, rng)
    given = [greedy(model, r, given=batch.target).logits for r in (read, other)]
    free = [greedy(model, r).words for r in (read, other)]
    moved = np.abs(given[0] - given[1])[batch.target_real].max()
    return float(moved), float(np.mean([a == b for a, b in zip(*free, strict=True)]))


def shuffle_input(model: Seq2Seq, examples: Sequence[Example], rng: np.random.Generator) -> float:
    """Shuffle the words before reading, sentences of at least two different words; return the share of outputs that change."""
    pairs = []
    for example in examples:
        if len(set(example.source)) > 1:
            words = example.source
            while words == example.source:
                words = tuple(example.source[k] for k in rng.permutation(len(example.source)))
            pairs.append((example.source, words))
    outputs = []
    for side in (0, 1):
        batch = batch_of([(pair[side], ()) for pair in pairs], model)
        outputs.append(greedy(model, encode(model, batch.source, batch.source_real)).words)
    return float(np.mean([a != b for a, b in zip(*outputs, strict=True)]))


def _said_without(model: Seq2Seq, read: Encoded, usual: Written, batch: Batch, places: Array) -> Array:
    """The words that would be written, (B, T_y), each step alone looking past one place."""
    said = np.empty_like(usual.numbers)
    y = np.zeros((len(said), model.parameters["E_y"].shape[1]), dtype=read.annotations.dtype)
    for t in range(said.shape[1]):
        weights = blocked(usual.weights[:, t], places[:, t])
        context = (weights[:, np.newaxis] @ read.annotations)[:, 0]
        _, logits = say(model.parameters, usual.before[:, t], y, context)
        said[:, t] = logits.argmax(axis=1)
        y = model.parameters["E_y"][batch.target[:, t]]
    return said


def _content(batch: Batch, examples: Sequence[Example]) -> Array:
    content = np.zeros(batch.target.shape, dtype=bool)
    for row, example in enumerate(examples):
        content[row, : len(example.content)] = example.content
    return content


def _batch(model: Seq2Seq, examples: Sequence[Example]) -> Batch:
    return batch_of([(example.source, example.target) for example in examples], model)
