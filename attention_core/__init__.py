"""The mathematics of attention, in NumPy.

To write its next word, a decoder looks back at the source sentence. A *score function* says how well each source
position fits (`SCORES`), *softmax* turns the scores of one step into weights that add up to 1 (`softmax`), and the
*context vector* is the mean of the encoder's annotations under those weights (`attend`). *Entropy* says how focused
the look was (`entropy`). Around it stand the network that reads (`encode`) and the one that writes (`decode`).

Rows are decoder steps t, columns are source positions i, everywhere. Results are float64 and inputs are never
changed. What cannot be computed raises a ``ValueError`` whose message says what was expected, what came instead and
what to do about it.

>>> import attention_core as ac
>>> step = ac.attend([0.3, 2.1, 0.5], [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
>>> step.weights.round(3), step.context.round(3)
(array([0.121, 0.731, 0.148]), array([0.269, 0.879]))
>>> round(float(ac.entropy(step.weights)), 4)
0.7667

The papers: Bahdanau, Cho & Bengio 2015 (arXiv:1409.0473); Luong, Pham & Manning 2015 (arXiv:1508.04025);
Vaswani et al. 2017 (arXiv:1706.03762).
"""

from .attention import Attention, attend, coverage
from .cells import CELLS, Cell, gru_cell, gru_stages, random_cell, sigmoid, tanh_cell, tanh_stages
from .decoder import Decoder, DecoderStep, decode, decoder_step, initial_state, random_decoder
from .encoder import Encoder, encode, last_state, random_encoder, word_vectors
from .entropy import effective_positions, entropy, kl_divergence, normalised_entropy
from .scores import (
    SCORES,
    AdditiveStages,
    ScoreFunction,
    additive,
    additive_stages,
    concat,
    dot,
    general,
    random_parameters,
    scaled_dot,
)
from .softmax import SoftmaxStages, log_softmax, naive_softmax, softmax, softmax_jacobian, softmax_stages

__all__ = [
    "CELLS",
    "SCORES",
    "AdditiveStages",
    "Attention",
    "Cell",
    "Decoder",
    "DecoderStep",
    "Encoder",
    "ScoreFunction",
    "SoftmaxStages",
    "additive",
    "additive_stages",
    "attend",
    "concat",
    "coverage",
    "decode",
    "decoder_step",
    "dot",
    "effective_positions",
    "encode",
    "entropy",
    "general",
    "gru_cell",
    "gru_stages",
    "initial_state",
    "kl_divergence",
    "last_state",
    "log_softmax",
    "naive_softmax",
    "normalised_entropy",
    "random_cell",
    "random_decoder",
    "random_encoder",
    "random_parameters",
    "scaled_dot",
    "sigmoid",
    "softmax",
    "softmax_jacobian",
    "softmax_stages",
    "tanh_cell",
    "tanh_stages",
    "word_vectors",
]
