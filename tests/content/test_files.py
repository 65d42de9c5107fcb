"""What is downloaded holds the words as typed and every digit, and opens again."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from pages.parts.files import grid_csv, grid_json
from pages.parts.scenario import Scenario, from_file

HOSTILE = (
    "the",
    "the",
    "the.1",
    "null",
    "NA",
    "010",
    "1E1",
    "2026-01",
    ",",
    '"',
    ";",
    "étudiant",
    "👨‍👩‍👧",
    "<b>",
    "▁",
)


def made(source: tuple[str, ...], target: tuple[str, ...]) -> tuple[Scenario, np.ndarray]:
    random = np.random.default_rng(3)
    weights = random.dirichlet(np.ones(len(source)), size=len(target))
    scores = random.normal(size=weights.shape).tolist()
    return Scenario("own sentences", source, target, scores, 1, 0.7, 12), weights


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (("the", "cat", "saw", "the", "dog"), ("le", "le")),
        (HOSTILE, HOSTILE[::-1]),
        (("NA",), ("nan", "None")),
    ],
)
def test_a_table_keeps_words_and_digits(source: tuple[str, ...], target: tuple[str, ...]) -> None:
    scenario, weights = made(source, target)
    text = grid_csv(scenario, weights)
    assert text.startswith("\ufeff,")
    head, *rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    assert head == ["", *source]
    assert [row[0] for row in rows] == list(target)
    # Equal to the last bit, not just close.
    assert np.array_equal(np.array([[float(cell) for cell in row[1:]] for row in rows]), weights)


def test_lines_of_a_table_end_as_spreadsheets_expect() -> None:
    text = grid_csv(*made(("a", "b"), ("c", "d")))
    assert text.count("\r\n") == text.count("\n") == 3
    assert text.endswith("\r\n")


def test_a_table_shows_no_minus_zero() -> None:
    scenario, _ = made(("a", "b"), ("c", "d"))
    assert "-" not in grid_csv(scenario, [[1, -0.0], [0.5, 0.5]])


@pytest.mark.parametrize("unit", ["nats", "bits"])
def test_the_json_file_is_strict_complete_and_opens_again(unit: str) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    scenario, weights = made(HOSTILE, HOSTILE[::-1])
    entropies = -(weights * np.log(weights)).sum(axis=1)
    text = grid_json(scenario, weights, entropies, unit=unit)  # type: ignore[arg-type]
    content = json.loads(text, parse_constant=refuse)
    assert content["source"] == list(HOSTILE)
    assert content["target"] == list(HOSTILE[::-1])
    assert np.array_equal(np.array(content["scores"]), np.array(scenario.scores))
    assert np.array_equal(np.array(content["weights"]), weights)
    assert np.array_equal(np.array(content["entropy"]), entropies)
    assert content["entropy_unit"] == unit
    assert (content["t"], content["temperature"], content["seed"]) == (2, 0.7, 12)
    assert "étudiant" in text
    assert from_file(text) == scenario


def test_numbers_that_do_not_fit_are_refused() -> None:
    scenario, weights = made(("a", "b"), ("c", "d"))
    with pytest.raises(ValueError, match=r"weights have shape .* but must have"):
        grid_csv(scenario, weights[:1])
    with pytest.raises(ValueError, match=r"weights have shape .* but must have"):
        grid_json(scenario, weights[:, :1], [0, 0], unit="nats")
    with pytest.raises(ValueError, match=r"entropies have shape .* but must have"):
        grid_json(scenario, weights, [0, 0, 0], unit="nats")
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match="weights hold NaN or infinity"):
            grid_csv(scenario, np.array([[bad, 0], [0, 1]]))
        with pytest.raises(ValueError, match="entropies hold NaN or infinity"):
            grid_json(scenario, weights, [bad, 0], unit="nats")
    with pytest.raises(ValueError, match="unit is 'hartleys'"):
        grid_json(scenario, weights, [0, 0], unit="hartleys")  # type: ignore[arg-type]
