"""One step as drawings: every number in them is the right one, and every text can be read aloud."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pages.parts import drawings
from pages.parts.content import prepared_scenarios
from pages.parts.live import Drawing
from pages.parts.scenario import OWN, Scenario
from tests.parts.by_hand import Worked, worked
from tests.parts.told import MINUS_ZERO, NO_NUMBER, told

PREPARED = prepared_scenarios()
RUNNING = PREPARED["running example"]


def own(*rows: list[float], t: int = 0, temperature: float = 1.0, source: tuple[str, ...] | None = None) -> Scenario:
    source = source or tuple(f"w{i}" for i in range(len(rows[0])))
    target = tuple(f"v{r}" for r in range(len(rows)))
    return Scenario(OWN, source, target, tuple(tuple(map(float, row)) for row in rows), t, temperature, 7)


# Prepared scenarios at every step and some temperatures, and the edges of what can be set.
CASES = {
    **{f"{name}, step {t + 1}": s.with_step(t) for name, s in PREPARED.items() for t in range(len(s.target))},
    **{f"T = {T}": RUNNING.with_temperature(T) for T in (0.01, 0.1, 0.7, 3.3, 100.0)},
    "thousands": own([1000, 1000, 999]),
    "minus thousands": own([-998, -999, -1000]),
    "710": own([710, 709, 0]),
    "subnormal": own([0, -745, -746]),
    "as far apart as can be": own([1000, -1000], temperature=0.01),
    "as close as can be": own([0.0001, 0.0002, 0.0001], temperature=100.0),
    "thirty": own([((7 * i) % 11 - 5) / 3 for i in range(30)]),
    "a uniform eight": own([0.0] * 8),
}


def by_hand(s: Scenario, t: int | None = None) -> Worked:
    states = drawings.encoder_states(len(s.source), s.seed).tolist()
    return worked(s.scores[s.t if t is None else t], s.temperature, states)


def all_drawings(s: Scenario, unit: str = "nats") -> dict[str, Drawing]:
    step = drawings.step_of(s)
    return {
        "scores": drawings.scores_drawing(step, s.reach),
        "lifted": drawings.lifted_drawing(step),
        "weights": drawings.weights_drawing(step),
        "map": drawings.map_drawing(step),
        "entropy": drawings.entropy_drawing(step, unit),
        "context": drawings.context_drawing(step),
        "reading": drawings.reading_drawing(step),
        "arithmetic": drawings.arithmetic_drawing(step, unit),
    }


def close(values: object, right: list[mpmath.mpf]) -> bool:
    # Below 1e-290 a float64 has fewer and fewer digits.
    return np.ravel(np.array(values)).tolist() == pytest.approx([float(x) for x in right], rel=1e-12, abs=1e-290)


@pytest.mark.parametrize("case", CASES)
def test_figures_show_the_right_numbers(case: str) -> None:
    s = CASES[case]
    right, drawn = by_hand(s), all_drawings(s)
    rows = [by_hand(s, t) for t in range(len(s.target))]
    assert drawn["scores"]["figure"]["data"][0]["y"] == list(s.scores[s.t])
    assert close(drawn["lifted"]["figure"]["data"][0]["y"], right.lifted)
    assert close(drawn["weights"]["figure"]["data"][0]["y"], right.weights)
    assert close(drawn["map"]["figure"]["data"][0]["z"], [a for row in rows for a in row.weights])
    others, line, mark = drawn["entropy"]["figure"]["data"]
    assert close(mark["x"], [right.effective])
    assert close(line["x"], [mpmath.mpf(1), right.effective])
    assert close(others["x"], [row.effective for t, row in enumerate(rows) if t != s.t])
    pulls, points, mean = drawn["context"]["figure"]["data"]
    h = drawings.encoder_states(len(s.source), s.seed)
    assert [points["x"], points["y"]] == h.T.tolist()
    assert [mean["x"][0], mean["y"][0]] == pytest.approx([float(x) for x in right.context], rel=0, abs=1e-12)
    assert [pulls["x"][1], pulls["y"][1]] == [mean["x"][0], mean["y"][0]]


NUMBER = re.compile(r"[-−]?\d+(?:\.(\d+))?(?:e([+-]\d+))?")


def check_printed(text: str, right: mpmath.mpf, prefix: str = "") -> None:
    """The printed number is the right one, rounded to the digits that it shows."""
    assert text.startswith(prefix)
    text = text.removeprefix(prefix)
    if text == "0 (exactly)":
        assert abs(right) < 1e-320
        return
    found = NUMBER.fullmatch(text)
    assert found, text
    unit = 10.0 ** (int(found[2] or 0) - len(found[1] or ""))
    assert abs(float(text) - float(right)) <= 0.5 * unit + 1e-12 * abs(float(right)) + 1e-13 * (unit > 1e-12), text


def value_of(text: str) -> float:
    return 0.0 if text in ("0 (exactly)", "") else float(text.split("= ")[-1])


@pytest.mark.parametrize("unit", ["nats", "bits"])
@pytest.mark.parametrize("case", CASES)
def test_every_number_of_the_arithmetic_is_right_and_the_columns_add_up(case: str, unit: str) -> None:
    s = CASES[case]
    right = by_hand(s)
    table = all_drawings(s, unit)["arithmetic"]["table"]
    columns, rows, total = table["columns"], table["rows"], table["total"]
    n, scaled = len(s.source), s.temperature != 1
    per = mpmath.log(2) if unit == "bits" else mpmath.mpf(1)
    assert len(rows) == n
    assert {len(columns)} == {len(row) for row in [*rows, total]} == {9 if scaled else 8}
    assert len(set(columns)) == len(columns)
    assert [c for c in columns if "(nats)" in c or "(bits)" in c] == [f"−α {'log₂' if unit == 'bits' else 'ln'} α ({unit})"]
    assert any("temperature" in c for c in columns) == scaled
    top = max(s.scores[s.t])
    for i, row in enumerate(rows):
        name, score, below, *rest = row
        assert name == f"{i + 1}  {s.source[i]}"
        assert float(score) == s.scores[s.t][i]
        check_printed(below, mpmath.mpf(s.scores[s.t][i]) - mpmath.mpf(top))
        if scaled:
            check_printed(rest.pop(0), right.shifted[i])
        lifted, weight, term, first, second = rest
        check_printed(lifted, right.lifted[i])
        check_printed(weight, right.weights[i])
        check_printed(term, right.terms[i] / per)
        check_printed(first, right.parts[i][0])
        check_printed(second, right.parts[i][1])
    assert total[0] == "sum"
    assert set(total[1 : 3 + scaled]) == {""}
    lifted, weight, term, first, second = total[3 + scaled :]
    check_printed(lifted, right.total)
    check_printed(weight, mpmath.mpf(1))
    check_printed(term, right.entropy / per, prefix="H = ")
    check_printed(first, right.context[0], prefix="c = ")
    check_printed(second, right.context[1])
    # As a reader adds them up: n numbers, each rounded to four decimals.
    for k in range(3 + scaled, len(columns)):
        assert sum(value_of(row[k]) for row in rows) == pytest.approx(value_of(total[k]), rel=0, abs=(n + 1) * 0.5e-4)


@pytest.mark.parametrize("unit", ["nats", "bits"])
@pytest.mark.parametrize("case", CASES)
def test_the_readings_say_the_right_numbers(case: str, unit: str) -> None:
    s = CASES[case]
    right, drawn = by_hand(s), all_drawings(s, unit)
    per, n = (mpmath.log(2) if unit == "bits" else mpmath.mpf(1)), len(s.source)
    said = re.fullmatch(rf"H = (\S+) {unit} of at most (\S+) {unit}: like (\S+) of (\d+) words?\.", drawn["entropy"]["reading"])
    assert said
    check_printed(said[1], right.entropy / per)
    check_printed(said[2], mpmath.log(n) / per)
    check_printed(said[3], right.effective)
    assert said[4] == str(n)
    c = re.fullmatch(r"c = \((\S+), (\S+)\), the balance point of the h's\.", drawn["context"]["reading"])
    assert c
    check_printed(c[1], right.context[0])
    check_printed(c[2], right.context[1])
    sums = re.fullmatch(r"All above zero, the highest is 1\. Sum (\S+)\.", drawn["lifted"]["reading"])
    assert sums
    check_printed(sums[1], right.total)
    assert drawn["weights"]["reading"].endswith("rue sum 1.")
    spread = re.fullmatch(r"exp\(H\) = (\S+): as spread as looking at that many words equally\.", drawn["arithmetic"]["reading"])
    assert spread
    check_printed(spread[1], right.effective)
    # For the ear: every word of the step with its weight, in sentence order.
    label = drawn["weights"]["label"]
    heard = re.findall(r'" (?:\(position \d+\) )?(\d\.\d{4})', label)
    assert len(heard) == n
    for text, weight in zip(heard, right.weights, strict=True):
        check_printed(text, weight)
    tops = drawn["map"]["label"].partition("row: ")[2].split("; ")
    assert len(tops) == len(s.target)
    for t, text in enumerate(tops):
        row = by_hand(s, t).weights
        check_printed(re.findall(r"(\d\.\d\d)\.?$", text)[0], max(row))


def test_a_map_of_repeated_words_names_positions() -> None:
    s = own([0.1, 0.15, 0.2, 0.45, 0.1], source=("the", "cat", "saw", "the", "dog"))
    # exp(.45) / (exp(.1) + exp(.15) + exp(.2) + exp(.45) + exp(.1)) = 0.2539
    assert all_drawings(s)["map"]["label"].endswith('largest weight of each row: step 1 "v0": "the" (position 4) 0.25.')


a_score = st.one_of(
    st.integers(-10_000_000, 10_000_000).map(lambda n: n / 10_000),
    st.sampled_from([0.0, 0.0001, -0.0001, 0.001, -0.001, 1000.0, -1000.0, 2.0, 2.0, 1.98]),
)
a_temperature = st.sampled_from([1.0, 0.01, 0.5, 3.0, 99.9999, 100.0])


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    n, rows = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    grid = draw(st.lists(st.lists(a_score, min_size=n, max_size=n), min_size=rows, max_size=rows))
    source = tuple(draw(st.lists(st.sampled_from(["the", "cat", "<b>", "10", "@a", "%{z}"]), min_size=n, max_size=n)))
    return own(*grid, t=draw(st.integers(0, rows - 1)), temperature=draw(a_temperature), source=source)


@settings(derandomize=True, deadline=None, max_examples=120)
@given(scenarios(), st.sampled_from(["nats", "bits"]))
@example(own([1000, -1000, 0], temperature=0.01), "nats")
@example(own([0, -745, -746]), "bits")
@example(own([1.0, 0.0, 0.0], temperature=0.01), "bits")
def test_nothing_that_is_told_is_minus_zero_or_no_number(s: Scenario, unit: str) -> None:
    for name, drawing in all_drawings(s, unit).items():
        # Strict JSON: no NaN and no infinity anywhere, not even where no text shows it.
        json.dumps(drawing, allow_nan=False)
        for text in told(drawing):
            assert not MINUS_ZERO.search(text), (name, text)
            assert not NO_NUMBER.search(text), (name, text)
        if "figure" in drawing:
            assert drawing["label"].endswith(".")
        assert drawing["reading"].endswith(".")


@pytest.mark.parametrize("scores", [(1.0, 0.999), (0.0, -0.0001), (5.0, 4.9999, 4.999, 4.99)])
def test_a_small_difference_over_a_high_temperature_is_not_minus_zero(scores: tuple[float, ...]) -> None:
    s = own(list(scores), temperature=100.0)
    for text in told(all_drawings(s)["arithmetic"]):
        assert not MINUS_ZERO.search(text), text


@pytest.mark.parametrize(
    ("weights", "entropy"),
    # 0 log 0 counts as 0. The last row: scores (0, -745, -746) underflow, and the true value is 2.9e-321.
    [((1000.0, -1000.0, -1000.0), 0.0), ((1000.0, 1000.0, -1000.0), math.log(2)), ((0.0, -745.0, -746.0), 0.0)],
)
def test_entropy_with_weights_of_exactly_zero(weights: tuple[float, ...], entropy: float) -> None:
    step = drawings.step_of(own(list(weights)))
    assert step.entropy == pytest.approx(entropy, rel=0, abs=1e-12)
    assert math.copysign(1, step.entropy) == 1
    assert drawings.entropy_drawing(step, "nats")["reading"].startswith(f"H = {entropy:.2f} nats ")
    assert drawings.entropy_drawing(step, "bits")["reading"].startswith(f"H = {entropy / math.log(2):.2f} bits ")


def states() -> Iterator[tuple[int, int, np.ndarray]]:
    for length in (1, 2, 3, 8, 30):
        for seed in (0, 7, 9999):
            yield length, seed, drawings.encoder_states(length, seed)


def test_encoder_states_are_seeded_and_drawable() -> None:
    for length, seed, h in states():
        assert h.shape == (length, 2)
        assert np.array_equal(h, h.round(2)), "a reader can copy them onto paper"
        assert (np.hypot(*h.T) <= 1.01).all()
        assert (np.hypot(*h.T) >= 0.59).all()
        assert len({tuple(row) for row in h.tolist()}) == length
        assert not any(math.copysign(1, x) < 0 for x in h.ravel().tolist() if x == 0)
        drawings.encoder_states.cache_clear()
        assert np.array_equal(drawings.encoder_states(length, seed), h)
    assert not np.array_equal(drawings.encoder_states(3, 7), drawings.encoder_states(3, 8))


def test_encoder_states_are_shared_so_nobody_may_write_into_them() -> None:
    with pytest.raises(ValueError, match="read-only"):
        drawings.encoder_states(3, 7)[0, 0] = 5.0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0 (exactly)"),
        (5e-324, "4.94e-324"),
        (0.00009999, "1.00e-04"),
        (0.0001, "0.0001"),
        (0.5, "0.5000"),
        (30.0, "30.0000"),
    ],
)
def test_a_tiny_number_shows_its_size(value: float, text: str) -> None:
    assert drawings.small(value) == text
