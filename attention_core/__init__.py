"""The mathematics of attention, in NumPy.

To write its next word, a decoder looks back at the source sentence. A *score function* says how well each source
position fits (`SCORES`), *softmax* turns the scores of one step into weights that add up to 1 (`softmax`), and the
*context vector* is the mean of the encoder's annotations under those weights (`attend`). *Entropy* says how focused
the look was (`entropy`).

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
    "SCORES",
    "AdditiveStages",
    "Attention",
    "ScoreFunction",
    "SoftmaxStages",
    "additive",
    "additive_stages",
    "attend",
    "concat",
    "coverage",
    "dot",
    "effective_positions",
    "entropy",
    "general",
    "kl_divergence",
    "log_softmax",
    "naive_softmax",
    "normalised_entropy",
    "random_parameters",
    "scaled_dot",
    "softmax",
    "softmax_jacobian",
    "softmax_stages",
]
