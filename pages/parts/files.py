"""Attention files out: the weights as a table for spreadsheets, and everything as JSON that opens again."""

from __future__ import annotations

import csv
import io
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from pages.parts.scenario import Scenario, to_file

# Without this mark, spreadsheets read "é" as two other letters.
_BOM = "\ufeff"


def grid_csv(scenario: Scenario, weights: ArrayLike) -> str:
    """Write the weights as a table: source words across, target words down, all digits.

    Parameters
    ----------
    scenario : Scenario
    weights : (T_y, T_x) array_like

    Returns
    -------
    str
        CSV with a byte order mark. Words stand as typed, repeated ones too: a row or column is its position.
    """
    rows = _finite("weights", weights, (len(scenario.target), len(scenario.source)))
    text = io.StringIO()
    # The csv module, not pandas: labels are only text to it, so "null" and a second "the" stay as they are.
    table = csv.writer(text)
    table.writerow(["", *scenario.source])
    table.writerows([word, *row] for word, row in zip(scenario.target, rows, strict=True))
    return _BOM + text.getvalue()


def grid_json(scenario: Scenario, weights: ArrayLike, entropies: ArrayLike, *, unit: Literal["nats", "bits"]) -> str:
    """Write everything the lab shows as strict JSON. `pages.parts.scenario.from_file` opens it again.

    Parameters
    ----------
    scenario : Scenario
    weights : (T_y, T_x) array_like
    entropies : (T_y,) array_like
        Entropy of each row, in `unit`.
    unit : {"nats", "bits"}

    Returns
    -------
    str
        The keys of a scenario file and three more, which follow from them and are not read back:
        "weights" (a list per target word), "entropy" (a number per target word) and "entropy_unit".
    """
    if unit not in ("nats", "bits"):
        raise ValueError(f"unit is {unit!r} but must be 'nats' or 'bits': choose one of them")
    t_y, t_x = len(scenario.target), len(scenario.source)
    return to_file(
        scenario,
        {
            "weights": _finite("weights", weights, (t_y, t_x)),
            "entropy": _finite("entropies", entropies, (t_y,)),
            "entropy_unit": unit,
        },
    )


def _finite(what: str, values: ArrayLike, shape: tuple[int, ...]) -> list[list[float]]:
    """Give an array as Python numbers, which write themselves in full precision."""
    array = np.asarray(values, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"{what} have shape {array.shape} but must have {shape}: one row per target word")
    if not np.isfinite(array).all():
        raise ValueError(f"{what} hold NaN or infinity but must be finite: a file cannot carry them")
    # Adding 0.0 turns -0.0 into 0.0.
    numbers: list[list[float]] = (array + 0.0).tolist()
    return numbers
