"""The small network of the lessons: it reads the reader's own words and writes them, with seeded, untrained weights.

Nothing is invented: every state is computed from the words by the core. The weights are drawn, not learned, so the network
knows no language; lesson 10 opens one that does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import attention_core as ac
from pages.parts.scenario import Scenario

D_X = 4  # numbers per word vector
GAIN = 3.0  # so that weights differ from step to step as they do after training
SIZES = (2, 8)  # of d_h, d_s, d_a: as many numbers as an eye can follow


@dataclass(frozen=True, eq=False)
class Network:
    """What the network computed for one scenario.

    Attributes
    ----------
    x : (T_x, d_x) array
        Word vectors of the source.
    y : (T_y, d_x) array
        Word vectors of the target.
    encoder, decoder : Encoder, Decoder
    h : (T_x, d_h) array
        The annotations.
    s_0 : (d_s,) array
    run : DecoderStep
        All decoder steps with the target words given, one row per step.
    vocabulary : tuple of str
        The words that the output layer chooses from: each target word once, in order of appearance.
    """

    x: np.ndarray
    y: np.ndarray
    encoder: ac.Encoder
    decoder: ac.Decoder
    h: np.ndarray
    s_0: np.ndarray
    run: ac.DecoderStep
    vocabulary: tuple[str, ...]


def encoder_of(seed: int, d_h: int, cell: str = "GRU", bidirectional: bool = False) -> ac.Encoder:
    """The seeded encoder."""
    return ac.random_encoder(np.random.default_rng(seed), cell=cell, d_x=D_X, d_h=d_h, bidirectional=bidirectional, gain=1.5)


def network_of(
    scenario: Scenario, *, d_h: int = 4, d_s: int = 3, d_a: int = 3, cell: str = "GRU", bidirectional: bool = False
) -> Network:
    """Read and write the scenario's words. Kept for the words, seed and sizes last asked for."""
    return _network(scenario.source, scenario.target, scenario.seed, d_h, d_s, d_a, cell, bidirectional)


@lru_cache(maxsize=128)
def _network(
    source: tuple[str, ...], target: tuple[str, ...], seed: int, d_h: int, d_s: int, d_a: int, cell: str, bidirectional: bool
) -> Network:
    x, y = ac.word_vectors(source, D_X, seed), ac.word_vectors(target, D_X, seed)
    encoder = encoder_of(seed, d_h, cell, bidirectional)
    h = ac.encode(x, encoder)
    vocabulary = tuple(dict.fromkeys(target))
    rng = np.random.default_rng([seed, 1])  # the decoder's own draws: another encoder leaves them as they are
    decoder = ac.random_decoder(rng, cell=cell, d_y=D_X, d_h=d_h, d_s=d_s, d_a=d_a, vocabulary=len(vocabulary), gain=GAIN)
    s_0 = ac.initial_state(ac.last_state(h, encoder), decoder.W_s)
    for array in (x, y, h, s_0):
        array.flags.writeable = False
    return Network(x, y, encoder, decoder, h, s_0, ac.decode(h, s_0, y, decoder), vocabulary)
