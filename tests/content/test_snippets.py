"""The NumPy block, pasted into a bare Python, prints the right numbers."""

from __future__ import annotations

import ast
import math
import subprocess
import sys
from decimal import Decimal, localcontext
from typing import Literal

import numpy as np
import pytest

from pages.parts.content import prepared_scenarios
from pages.parts.scenario import Scenario
from pages.parts.snippets import lab_block

SCENARIOS = prepared_scenarios()
RUNNING = SCENARIOS["running example"]


def states(scenario: Scenario, size: int = 3) -> np.ndarray:
    return np.random.default_rng(scenario.seed).normal(size=(len(scenario.source), size)).round(4)


def run(block: str) -> list[str]:
    """Run a block as a student would: nothing of this project on the path (-I), every warning an error."""
    done = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-W", "error", "-c", block],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout.removesuffix("\n").split("\n")


def expected(scenario: Scenario, h: np.ndarray, bits: bool) -> tuple[list[float], float, float, list[float]]:
    """Work out weights, entropy, effective words and context with 50 decimal digits and no NumPy."""
    with localcontext(prec=50):
        row = [Decimal(repr(score)) / Decimal(repr(scenario.temperature)) for score in scenario.scores[scenario.t]]
        total = sum(score.exp() for score in row)
        alpha = [score.exp() / total for score in row]
        nats = -sum((share * share.ln() for share in alpha), Decimal(0))
        context = [float(sum(share * Decimal(x) for share, x in zip(alpha, column, strict=True))) for column in h.T.tolist()]
        entropy = nats / Decimal(2).ln() if bits else nats
        return [float(share) for share in alpha], float(entropy), float(nats.exp()), context


def check(scenario: Scenario, base: Literal[2] | None, temperature: float) -> None:
    scenario = scenario.with_temperature(temperature)
    h = states(scenario)
    lines = run(lab_block(scenario, h, base=base))
    alpha, entropy, effective, context = expected(scenario, h, bits=base == 2)
    half = 0.5e-4 + 1e-9  # printed with 4 decimals
    assert lines[0] == f"step {scenario.t + 1}: {scenario.target[scenario.t]}"
    shown = [line.split() for line in lines[1:-3]]
    assert [word for _, _, word in shown] == list(scenario.source)
    assert [float(weight) for _, weight, _ in shown] == pytest.approx(alpha, rel=0, abs=half)
    assert [float(share.removesuffix("%")) for share, _, _ in shown] == pytest.approx(
        [100 * a for a in alpha], rel=0, abs=0.05 + 1e-9
    )
    assert lines[-3] == "sum: 1.0000"
    _, entropy_shown, unit, *_, effective_shown = lines[-2].split()
    assert unit == ("bits," if base == 2 else "nats,")
    assert float(entropy_shown) == pytest.approx(entropy, rel=0, abs=half)
    assert math.copysign(1, float(entropy_shown)) == 1
    assert float(effective_shown) == pytest.approx(effective, rel=0, abs=half)
    label, numbers = lines[-1].split(": ")
    assert label == "context"
    assert ast.literal_eval(numbers) == pytest.approx(context, rel=0, abs=half)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_block_prints_what_the_lab_shows(name: str) -> None:
    check(SCENARIOS[name], None, SCENARIOS[name].temperature)


@pytest.mark.parametrize("temperature", [0.01, 0.7, 100.0])
@pytest.mark.parametrize("name", ["running example", "a gap too wide for float64"])
def test_the_block_holds_the_temperature_and_counts_in_bits(name: str, temperature: float) -> None:
    check(SCENARIOS[name].with_step(1), 2, temperature)


def test_the_largest_scores_do_not_overflow() -> None:
    check(RUNNING.with_row([1000, -1000, 999]), None, 1.0)
    # 745 below the maximum a weight is the smallest float64, whose inverse would be infinite.
    check(RUNNING.with_row([0, -745, -746]), None, 1.0)


def test_any_word_is_only_text() -> None:
    hostile = (
        "'", '"', '"""', "'''", "\\", "\\n", "{word}", "{0}", "%s", "#", "];raise",
        "\\N{BULLET}", "null", "étudiant", "👨‍👩‍👧", "نعم", "</script>", "the", "the", "e\u0301", "$(exit)",
        "__import__('os')._exit(3)",
    )  # fmt: skip
    check(RUNNING.with_words(hostile, tuple(reversed(hostile))).with_step(0), None, 1.0)


def test_the_block_is_short_and_needs_numpy_only() -> None:
    block = lab_block(RUNNING, states(RUNNING))
    tree = ast.parse(block)
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    assert [alias.name for node in imports for alias in node.names] == ["numpy"]
    lines = [line for line in block.splitlines() if line.strip()]
    assert 10 <= len(lines) <= 25
    assert max(len(line) for line in lines) <= 110


def test_the_block_keeps_every_digit_of_the_states() -> None:
    h = np.random.default_rng(0).normal(size=(3, 2))
    names: dict[str, np.ndarray] = {}
    exec(lab_block(RUNNING, h), names)  # our own text, made two lines above
    assert np.array_equal(names["h"], h)
    assert np.array_equal(names["e"], np.array(RUNNING.scores))


@pytest.mark.parametrize("shape", [(3,), (2, 3), (3, 0), (3, 2, 1)])
def test_states_of_another_sentence_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"annotations have shape .* but must have 3 rows"):
        lab_block(RUNNING, np.zeros(shape))


def test_states_that_are_not_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="annotations hold NaN or infinity"):
        lab_block(RUNNING, np.full((3, 2), np.nan))
