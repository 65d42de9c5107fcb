"""The NumPy block with the current numbers: pasted into a bare Python, it prints what the screen shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from pages.parts.scenario import Scenario

# Doubled braces are the block's own.
_LAB = """\
import numpy as np

source = {source}
target = {target}
t, temperature = {t}, {temperature}  # t counts from 1
e = np.array([{scores}])  # scores: a row per target word
h = np.array([{annotations}])  # annotations: a row per source word

lifted = np.exp((e - e.max(axis=1, keepdims=True)) / temperature)  # minus the maximum: exp cannot overflow
alpha = lifted / lifted.sum(axis=1, keepdims=True)  # weights: each row sums to 1
row = alpha[t - 1]
p = row[row > 0]  # 0 log 0 counts as 0
H = -np.sum(p * {log}(p)) + 0.0  # entropy in {unit}; + 0.0 turns -0.0 into 0.0
c = row @ h  # context: the blend of the annotations

print(f"step {{t}}: {{target[t - 1]}}")
for word, weight in zip(source, row):
    print(f"{{weight:6.1%}}  {{weight:.4f}}  {{word}}")
print(f"sum: {{row.sum():.4f}}")
print(f"entropy: {{H:.4f}} {unit}, effective words: {{{power}:.4f}}")
print("context:", (c.round(4) + 0.0).tolist())
"""


def lab_block(scenario: Scenario, annotations: ArrayLike, *, base: Literal[2] | None = None) -> str:
    """Write the score lab as a NumPy program.

    Parameters
    ----------
    scenario : Scenario
        Words, scores, step and temperature.
    annotations : (T_x, d_h) array_like
        The encoder states h. They are written with all their digits, so round them before showing them.
    base : None or 2, optional
        Entropy in nats (None) or bits (2).

    Returns
    -------
    str
        A program that needs NumPy only and prints the weights of the step, their sum, the entropy, the
        effective number of words and the context vector.

    Raises
    ------
    ValueError
        If the annotations do not fit the source sentence.
    """
    h = np.asarray(annotations, dtype=np.float64)
    if h.ndim != 2 or h.shape[0] != len(scenario.source) or h.shape[1] == 0:
        raise ValueError(
            f"annotations have shape {h.shape} but must have {len(scenario.source)} rows:"
            " give one row of d_h numbers per source word"
        )
    if not np.isfinite(h).all():
        raise ValueError("annotations hold NaN or infinity but must be finite: draw them again")
    return _LAB.format(
        # repr() keeps any word, quotes and all, a piece of text.
        source=list(scenario.source),
        target=list(scenario.target),
        t=scenario.t + 1,
        temperature=scenario.temperature,
        scores=_rows(scenario.scores),
        annotations=_rows(h.tolist()),
        log="np.log" if base is None else "np.log2",
        unit="nats" if base is None else "bits",
        power="np.exp(H)" if base is None else "2**H",
    )


def _rows(grid: Iterable[Iterable[float]]) -> str:
    """Write a grid one row per line, aligned under the bracket of `e = np.array([`."""
    return (",\n" + " " * len("e = np.array([")).join(str(list(row)) for row in grid)
