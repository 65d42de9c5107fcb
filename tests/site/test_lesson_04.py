"""From scores to shares: the right way, the wrong ways, and what each shows."""

from __future__ import annotations

import math
import re

import mpmath
import pytest

from pages.parts.sharing import WAYS
from tests.content.test_snippets import run
from tests.site.visit import LESSONS, Visit, entropy, softmax

(PAGE,) = (page for page in LESSONS if page.slug == "from_scores_to_shares")
OVERFLOW = "1000,1000,999;0,0,0;0,0,0;0,0,0"


def bars(visit: Visit, name: str) -> list[float]:
    return visit.drawings[f"shares_{name}"]["figure"]["data"][0]["y"]


def texts(visit: Visit, name: str) -> list[str]:
    return visit.drawings[f"shares_{name}"]["figure"]["data"][0]["text"]


def reading(visit: Visit, name: str = "reading") -> str:
    return visit.drawings[f"shares_{name}"]["reading"]


def slopes(visit: Visit) -> list[list[float]]:
    return visit.drawings["shares_slopes"]["figure"]["data"][0]["z"]


def test_softmax_as_its_formula_overflows_and_the_stable_one_does_not() -> None:
    stable = Visit({"scores": OVERFLOW, "t": "1"}, PAGE)
    assert texts(stable, "weights") == ["0.42", "0.42", "0.16"]
    assert bars(stable, "weights") == pytest.approx([0.4223187982515182, 0.4223187982515182, 0.1553624034969636], abs=1e-15)
    naive = Visit({"scores": OVERFLOW, "t": "1", "way": "no maximum"}, PAGE)
    assert texts(naive, "lifted") == ["inf"] * 3
    assert texts(naive, "weights") == ["NaN"] * 3
    assert "NaN" in reading(naive)
    # Softmax stays beside it, as an outline.
    assert naive.drawings["shares_weights"]["figure"]["data"][1]["y"] == bars(stable, "weights")
    low = Visit({"scores": "-800,-801,-802;0,0,0;0,0,0;0,0,0", "t": "1", "way": "no maximum"}, PAGE)
    assert "too small" in reading(low, "lifted")
    assert texts(low, "weights") == ["NaN"] * 3


@pytest.mark.parametrize("constant", [-1000.0, -3.7, 0.001, 5.0, 999.0])
def test_a_constant_moves_no_share(constant: float) -> None:
    visit = Visit({}, PAGE)
    before = bars(visit, "weights")
    visit.move([*visit.values[:-2], constant, 1.0])
    assert bars(visit, "scores") == pytest.approx([e + constant for e in (0.3, 2.1, 0.5)])
    assert bars(visit, "weights") == pytest.approx(before, abs=1e-12)


def test_a_factor_keeps_the_order_and_lowers_the_entropy() -> None:
    visit = Visit({}, PAGE)
    before = bars(visit, "weights")
    visit.move([*visit.values[:-1], 2.0])
    after = bars(visit, "weights")
    assert after == pytest.approx(softmax([0.6, 4.2, 1.0]), abs=1e-15)
    assert sorted(range(3), key=after.__getitem__) == sorted(range(3), key=before.__getitem__)
    assert entropy(after) < entropy(before)
    # And it is what the temperature does the other way round.
    assert after == pytest.approx(bars(Visit({"temperature": "0.5"}, PAGE), "weights"), abs=1e-15)


def test_a_wide_gap_gives_exactly_zero_and_says_why() -> None:
    visit = Visit({"scores": "0,746,0;0,0,0;0,0,0;0,0,0", "t": "1"}, PAGE)
    assert bars(visit, "weights") == [0.0, 1.0, 0.0]
    assert "exactly 0" in reading(visit, "weights")
    assert "745" in reading(visit, "weights")
    visit = Visit({"scores": "0,40,0;0,0,0;0,0,0;0,0,0", "t": "1"}, PAGE)
    assert "Exactly 1 in float64" in reading(visit, "weights")


def test_dividing_by_the_plain_total_makes_nonsense_of_negative_scores() -> None:
    visit = Visit({"scores": "-1,2,0.5;0,0,0;0,0,0;0,0,0", "t": "1", "way": "plain total"}, PAGE)
    assert texts(visit, "weights") == ["-0.67", "1.33", "0.33"]
    assert "nonsense" in reading(visit)
    visit = Visit({"scores": "-1,2,-1;0,0,0;0,0,0;0,0,0", "t": "1", "way": "plain total"}, PAGE)
    assert not visit.failed
    assert "nothing can be divided" in reading(visit)


def test_without_the_denominator_the_numbers_are_no_shares() -> None:
    visit = Visit({"way": "no denominator"}, PAGE)
    assert texts(visit, "weights") == ["1.35", "8.17", "1.65"]
    assert "11.1647" in reading(visit, "weights")


def test_rounded_shares_need_not_add_up() -> None:
    assert "0.33 + 0.33 + 0.33 = 0.99, true sum 1" in reading(Visit({"scenario": "all equal"}, PAGE), "weights").replace("P", "p")


def share(way: str, scores: list[mpmath.mpf], i: int, temperature: float) -> mpmath.mpf:
    if way == "plain total":
        return scores[i] / mpmath.fsum(scores)
    lifted = [mpmath.exp(e / temperature) for e in scores]
    return lifted[i] if way == "no denominator" else lifted[i] / mpmath.fsum(lifted)


@pytest.mark.parametrize("way", [way for way in WAYS if way != "hard pick"])
def test_slopes_are_what_a_small_nudge_does(way: str) -> None:
    values = [0.4, -0.9, 1.3, 0.7, 0.25, 1.5]  # scores, temperature, constant, factor
    visit = Visit({"way": way}, PAGE).move(values)
    *row, temperature, add, times = values
    with mpmath.workdps(40):
        nudge = mpmath.mpf(10) ** -12

        def at(j: int, sign: int) -> list[mpmath.mpf]:
            moved = [mpmath.mpf(e) + (sign * nudge if k == j else 0) for k, e in enumerate(row)]
            return [e * mpmath.mpf(times) + mpmath.mpf(add) for e in moved]

        for i in range(3):
            for j in range(3):
                slope = (share(way, at(j, 1), i, temperature) - share(way, at(j, -1), i, temperature)) / (2 * nudge)
                assert slopes(visit)[i][j] == pytest.approx(float(slope), abs=1e-12), (i, j)


def test_the_hard_pick_has_no_slope() -> None:
    visit = Visit({"way": "hard pick"}, PAGE)
    assert bars(visit, "weights") == [0, 1, 0]
    assert slopes(visit) == [[0.0] * 3] * 3
    assert "nothing can be learned" in reading(visit, "slopes")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "link", [{}, {"scores": OVERFLOW, "t": "1", "temperature": "0.5", "add": "-2", "times": "1.5"}], ids=["", "odd"]
)
def test_the_block_prints_what_the_page_shows(way: str, link: dict[str, str]) -> None:
    visit = Visit({**link, "way": way}, PAGE)
    lines = run(visit.at.code[0].value)
    for line, word, value in zip(lines, ["Je", "suis", "étudiant"], texts(visit, "weights"), strict=False):
        number, _, name = line.partition("  ")
        assert name == word
        assert float(number) == pytest.approx(float(value.replace("−", "-")), abs=0.00501, rel=0.05, nan_ok=True)
    shown = [cell for row in slopes(visit) for cell in row]
    cells = [float(cell) for cell in re.findall(r"-?(?:nan|inf|\d[\d.]*(?:e[+-]\d+)?)", " ".join(lines[5:]))]
    for cell, value in zip(cells, shown, strict=True):
        assert math.isnan(cell) or cell == pytest.approx(value, rel=1e-6, abs=1e-7) or abs(value) == 1e6


def test_the_switches_are_in_the_link_and_bad_ones_are_named() -> None:
    visit = Visit({"way": "plain total", "add": "1.5", "times": "2"}, PAGE)
    assert visit.warnings == []
    assert visit.link == {"way": "plain total", "add": "1.5", "times": "2"}
    assert visit.values[-2:] == [1.5, 2.0]
    visit = Visit({"way": "Softmax", "add": "1001", "times": "0"}, PAGE)
    (warning,) = visit.warnings
    for name in ("way", "add", "times"):
        assert f'"{name}" in the link is ignored' in warning
    assert visit.link == {}


def test_the_arithmetic_shows_the_curriculums_figures() -> None:
    table = Visit({}, PAGE).drawings["shares_arithmetic"]["table"]
    assert [row[2] for row in table["rows"]] == ["1.3499", "8.1662", "1.6487"]
    assert table["total"][2] == "11.1647"
    assert math.isclose(float(table["total"][5]), 1)
