"""The break-it bench in code: a stage as it should be beside the stage that is broken, and both as one NumPy program."""

from __future__ import annotations

import re

import numpy as np

from pages.parts.bench import Bench
from pages.parts.broken import BUGS, stages_of, written

# The core's functions for a Python without this project.
_CORE = {
    "softmax": """\
def softmax(e, may, T):
    # padding scores minus infinity
    e = np.where(may, e, -np.inf)
    # axis -1: along the words; minus the maximum: no overflow
    lifted = np.exp((e - e.max(axis=-1, keepdims=True)) / T)
    return lifted / lifted.sum(axis=-1, keepdims=True)""",
    "additive": """\
def additive(s, h, W_a, U_a, v_a):
    return np.tanh(W_a @ s + h @ U_a.T) @ v_a""",
    "tanh_cell": """\
def tanh_cell(x, s, W, U):
    return np.tanh(W @ x + U @ s)""",
    "dot": """\
def dot(s, h):
    return s @ h.T""",
}
# Doubled braces are the block's own.
_BLOCK = """\
from types import SimpleNamespace

import numpy as np

source = {source}
t = {t}  # the step, counted from 1
g = SimpleNamespace(
{given}
)


{functions}


def run(states, scores, weights, context):
    h = states(g)
    e = scores(h, g) + g.plus
    alpha = weights(e, g)
    return alpha, context(alpha, h, g)


with np.errstate(all="ignore"):  # inf and NaN are meant to be seen
    runs = {{
        "right": run({right}),
        "broken": run({broken}),
    }}
for name, (alpha, c) in runs.items():
    print(f"{{name}}: weights {{(alpha[t - 1].round(4) + 0.0).tolist()}}, sum {{alpha[t - 1].sum():.4f}}")
    print(f"{{name}}: context {{(c[t - 1].round(4) + 0.0).tolist()}}")
"""


def side_by_side(origin: str, bug: str) -> tuple[str, str]:
    """The stage as it should be, and the stage that is broken.

    Parameters
    ----------
    origin : str
        One of `broken.ORIGINS`.
    bug : str
        A key of `broken.BUGS`.
    """
    stage, wrong = BUGS[bug].stage, BUGS[bug].wrong
    right = _CORE["softmax"] if stage == "weights" else written(stages_of(origin)[stage])
    return right, written(wrong)


def block(bench: Bench) -> str:
    """Write right and broken code as one NumPy program that prints weights and context of the step in hand, twice."""
    g = bench.g
    right, broken = (stages_of(g.origin, bug) for bug in ("none", bench.bug))
    functions = list(dict.fromkeys([*right.values(), *broken.values()]))
    sources = [written(function) for function in functions]
    used = [text for name, text in _CORE.items() if any(re.search(rf"\b{name}\(", source) for source in sources)]
    wanted = {name for name in vars(g) if any(f"g.{name}" in source for source in sources)}
    given = [f"    {name}={_text(vars(g)[name], name)}," for name in vars(g) if name in {*wanted, "plus"}]
    return _BLOCK.format(
        source=list(bench.source),
        t=bench.t + 1,
        given="\n".join(given),
        functions="\n\n\n".join([*used, *sources]),
        right=", ".join(function.__name__ for function in right.values()),
        broken=", ".join(function.__name__ for function in broken.values()),
    )


def _text(value: object, name: str) -> str:
    """A value of the program: matrices with one row per line, aligned under the bracket."""
    if isinstance(value, np.ndarray):
        rows = (",\n" + " " * len(f"    {name}=np.array([")).join(str(row) for row in value.tolist())
        return f"np.array([{rows}])" if value.ndim == 2 else f"np.array({value.tolist()})"
    if isinstance(value, dict):
        return "{\n" + "".join(f"        {key!r}: np.array({array.tolist()}),\n" for key, array in value.items()) + "    }"
    return repr(value)
