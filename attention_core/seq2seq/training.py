"""Training: Adam, a learning rate that rises and falls, clipped slopes, and a loop that can be stopped at every step.

References
----------
Kingma & Ba 2015, Adam, arXiv:1412.6980, algorithm 1. Pascanu, Mikolov & Bengio 2013, arXiv:1211.5063, for clipping.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from .layers import Array, Parameters
from .model import Batch, Seen, Seq2Seq, batch_of, loss_and_slopes


@dataclass(frozen=True)
class Recipe:
    """How a network is trained.

    Attributes
    ----------
    steps : int
        Batches in all.
    batch : int
        Sentences in a batch.
    rate : float
        Adam's learning rate at its highest.
    warm_up : int
        Steps over which the rate rises from 0. It stays until half of the steps, then falls to 3 % in a straight line.
        With `steady` it stays to the end.
    clip : float
        Longest slope: a longer one is shortened to this length.
    dropout : float
        See `model.loss_and_slopes`.
    penalty : float
        Weight of the entropy of the maps. Before `penalty_from` it is 0: a map that is sharpened before it is right
        stays wrong.
    """

    steps: int
    batch: int = 64
    rate: float = 5e-3
    warm_up: int = 50
    clip: float = 1.0
    dropout: float = 0.3
    penalty: float = 0.0
    penalty_from: int = 0
    steady: bool = False

    def rate_at(self, step: int) -> float:
        """The learning rate of a step, counted from 0."""
        rising = min(1.0, (step + 1) / max(self.warm_up, 1))
        half = self.steps / 2
        if self.steady or step < half:
            return self.rate * rising
        return self.rate * rising * (1 - 0.97 * (step - half) / max(half, 1))


@dataclass
class Adam:
    """Adam's memory: running means of every slope and of its square."""

    mean: Parameters = field(default_factory=dict)
    square: Parameters = field(default_factory=dict)
    steps: int = 0

    def update(self, parameters: Parameters, slopes: Parameters, rate: float) -> None:
        """Move every parameter against its slope, in place.

        The betas are the paper's, 0.9 and 0.999, its epsilon 1e-8.
        """
        self.steps += 1
        for name, slope in slopes.items():
            mean = self.mean.setdefault(name, np.zeros_like(slope))
            square = self.square.setdefault(name, np.zeros_like(slope))
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            right_mean, right_square = mean / (1 - 0.9**self.steps), square / (1 - 0.999**self.steps)
            parameters[name] -= (rate * right_mean / (np.sqrt(right_square) + 1e-8)).astype(slope.dtype)


def clipped(slopes: Parameters, longest: float) -> Parameters:
    """Shorten the slope, all parameters taken together, to at most this length."""
    length = float(np.sqrt(sum(float((slope * slope).sum()) for slope in slopes.values())))
    return slopes if length <= longest else {name: slope * (longest / length) for name, slope in slopes.items()}


def train(
    model: Seq2Seq,
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
    recipe: Recipe,
    rng: np.random.Generator,
) -> Iterator[tuple[Batch, Seen]]:
    """Train a network in place, one batch at a time.

    Nothing happens between two calls of ``next``: whoever drives this may stop, show something, or go on later.

    Parameters
    ----------
    model : Seq2Seq
        Its parameters change.
    pairs : sequence of (source words, target words)
        The training sentences; batches are drawn from them with replacement.
    recipe : Recipe
    rng : numpy.random.Generator
        Draws batches and what is dropped: the same seed gives the same network.

    Yields
    ------
    batch : Batch
        What was read in this step.
    seen : Seen
        What the network made of it, before the update.
    """
    data, adam = batch_of(pairs, model), Adam()
    for step in range(recipe.steps):
        batch = _cut(data, rng.integers(len(pairs), size=recipe.batch))
        penalty = recipe.penalty if step >= recipe.penalty_from else 0.0
        seen, slopes = loss_and_slopes(model, batch, penalty=penalty, dropout=recipe.dropout, rng=rng)
        adam.update(model.parameters, clipped(slopes, recipe.clip), recipe.rate_at(step))
        yield batch, seen


def _cut(data: Batch, rows: Array) -> Batch:
    """Some rows of the data, without the padding that none of them needs."""
    source_real, target_real = data.source_real[rows], data.target_real[rows]
    x, y = int(source_real.sum(axis=1).max()), int(target_real.sum(axis=1).max())
    return Batch(data.source[rows, :x], source_real[:, :x], data.target[rows, :y], target_real[:, :y])
