"""Numbers and sentences as people read them: honest at the edges, and never "-0.00"."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pages.parts import describe
from tests.parts.told import MINUS_ZERO

quick = settings(derandomize=True, deadline=None, max_examples=150)
any_number = st.floats(-1e9, 1e9, allow_nan=False)


@quick
@given(any_number, st.integers(0, 6))
@example(-0.0, 2)
@example(-0.004, 2)
@example(-0.005, 2)
@example(-0.4, 0)
@example(-5e-324, 4)
def test_a_number_is_rounded_and_never_minus_zero(value: float, digits: int) -> None:
    text = describe.number(value, digits)
    assert re.fullmatch(r"-?\d+" + (rf"\.\d{{{digits}}}" if digits else ""), text)
    assert not MINUS_ZERO.search(text)
    # Fractions: the printed number is the nearest one with so many digits.
    assert abs(Fraction(text) - Fraction(value)) <= Fraction(1, 2 * 10**digits)


@quick
@given(st.integers(-10_000_000, 10_000_000).map(lambda n: n / 10_000))
@example(-0.0)
@example(1000.0)
@example(-0.0001)
def test_a_score_keeps_the_decimals_it_has(score: float) -> None:
    text = describe.exact(score)
    assert re.fullmatch(r"-?\d+\.\d{2,4}", text)
    assert not MINUS_ZERO.search(text)
    assert Fraction(text) == Fraction(f"{score:.4f}")  # scores have at most four
    assert len(text.partition(".")[2]) == 2 or not text.endswith("0")


@quick
@given(st.floats(0, 1))
@example(0.0)
@example(5e-324)
@example(0.0009999)
@example(0.001)
@example(0.00999)
@example(0.01)
@example(0.125)
@example(0.5)
@example(0.985)
@example(0.99)
@example(0.9989)
@example(0.999)
@example(0.99951)
@example(1 - 2**-53)
@example(1.0)
def test_a_share_is_never_rounded_to_what_it_is_not(share: float) -> None:
    text = describe.percent(share)
    assert (text == "exactly 0 %") == (share == 0)
    assert (text == "100 %") == (share == 1)
    if text == "under 0.1 %":
        assert 0 < share < 0.001
    elif text == "over 99.9 %":
        assert 0.999 < share < 1
    elif share not in (0, 1):
        printed = re.fullmatch(r"(\d+(?:\.\d)?) %", text)
        assert printed
        assert 0 < float(printed[1]) < 100
        half = 0.05 if "." in printed[1] else 0.5
        assert abs(float(printed[1]) - 100 * share) <= half + 1e-9, "a share is rounded to the nearest, not cut off"


def test_words_that_repeat_are_told_apart() -> None:
    words = ("the", "cat", "saw", "the", "The")
    assert [describe.named(words, i) for i in range(5)] == [
        '"the" (position 1)', '"cat"', '"saw"', '"the" (position 4)', '"The"',
    ]  # fmt: skip
    assert describe.pairs(words[:4], ["1", "2", "3", "4"]) == '"the" (position 1) 1, "cat" 2, "saw" 3, "the" (position 4) 4'
    assert len({describe.score_label(("a",) * 30, i) for i in range(30)}) == 30
    assert describe.score_label(("a", "the"), 1) == "score of the, position 2"


def test_lists_read_like_lists() -> None:
    assert describe.together(["a"]) == "a"
    assert describe.together(["a", "b"]) == "a and b"
    assert describe.together(["a", "b", "c"]) == "a, b and c"


SOURCE = ("Je", "suis", "étudiant", "ici")
TARGET = ("I", "am", "I")


def reading(weights: list[float], source: tuple[str, ...] = SOURCE, t: int = 1) -> str:
    row = np.array(weights)
    effective = math.exp(-sum(a * math.log(a) for a in weights if a > 0))
    return describe.looks_at(source[: len(weights)], TARGET, t, row, effective)


def test_one_word_leaves_no_choice() -> None:
    assert reading([1.0]) == ('At step 2, "am" looks at "Je": there is nothing else, so its weight is 1 whatever the score.')


def test_a_leader_is_named_with_its_share() -> None:
    assert reading([0.12, 0.73, 0.15]) == 'At step 2, "am" looks mostly at "suis" (73 %); spread over 2.2 words\' worth.'


def test_a_weak_leader_is_not_called_most() -> None:
    assert reading([0.3, 0.22, 0.25, 0.23]) == (
        'At step 2, "am" looks a little more at "Je" (30 %); spread over 4.0 words\' worth.'
    )


def test_equal_weights_have_no_leader() -> None:
    assert reading([0.25] * 4) == 'At step 2, "am" looks at all 4 words alike (25 % each); nothing stands out.'
    assert reading([0.5, 0.5]) == 'At step 2, "am" looks at all 2 words alike (50 % each); nothing stands out.'


def test_a_tie_is_named_as_a_tie() -> None:
    assert '"Je" and "étudiant" (49 % and 49 %)' in reading([0.49, 0.02, 0.49])
    assert '"suis", "étudiant" and "ici" (32 %, 32 % and 32 %)' in reading([0.04, 0.32, 0.32, 0.32])


@pytest.mark.parametrize("size", [4, 5, 12, 29])
def test_no_word_of_a_tie_is_left_out(size: int) -> None:
    """If four share the top, naming three says something wrong about the fourth. Saying how many is fine as well."""
    words = tuple(f"w{i}" for i in range(size + 1))
    low = 0.2 / (size + 1)
    weights = [(1 - low) / size] * size + [low]
    effective = math.exp(-sum(a * math.log(a) for a in weights))
    text = describe.looks_at(words, TARGET, 1, np.array(weights), effective)
    names_all = all(f'"w{i}"' in text for i in range(size))
    assert names_all or re.search(rf"\b{size}\b", text), text
    assert f'"w{size}"' not in text


def test_an_exact_one_and_an_exact_zero_are_said() -> None:
    assert reading([0.0, 1.0, 0.0]) == 'At step 2, "am" looks only at "suis" (100 %); spread over 1.0 words\' worth.'
    almost = reading([1e-9, 1 - 1e-9])
    assert "only" not in almost
    assert "over 99.9 %" in almost


def test_repeated_words_are_told_apart_in_the_reading() -> None:
    text = describe.looks_at(("the", "cat", "saw", "the", "dog"), TARGET, 2, np.array([0.1, 0.15, 0.2, 0.45, 0.1]), 4.2)
    assert text.startswith('At step 3, "I" (position 3) looks a little more at "the" (position 4) (45 %)')


@quick
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=30).filter(any))
def test_every_reading_is_one_sentence_about_the_largest_weight(parts: list[int]) -> None:
    total = sum(parts)
    weights = np.array([part / total for part in parts])
    words = tuple(f"w{i}" for i in range(len(parts)))
    effective = math.exp(-sum(a * math.log(a) for a in weights.tolist() if a > 0))
    text = describe.looks_at(words, TARGET, 0, weights, effective)
    assert text.startswith('At step 1, "I" (position 1) looks ')
    assert text.endswith(".")
    if "alike" not in text:
        assert f'"w{int(weights.argmax())}"' in text


def test_what_is_printed_and_what_is_meant_stand_side_by_side() -> None:
    thirds = np.full(3, 1 / 3)
    assert describe.true_sum(thirds, 2) == "printed 0.33 + 0.33 + 0.33 = 0.99, true sum 1"
    assert describe.true_sum(np.array([0.5, 0.25, 0.25]), 2) == "true sum 1"
    assert describe.true_sum(np.array([0.125, 0.375, 0.5]), 2) == "true sum 1"  # 0.12 + 0.38 + 0.50
    assert describe.true_sum(np.full(30, 1 / 30), 2) == "true sum 1"
    assert describe.true_sum(np.array([1.0]), 2) == "true sum 1"


@quick
@given(st.lists(st.integers(1, 1000), min_size=1, max_size=6), st.integers(1, 4))
def test_a_sum_that_looks_wrong_is_explained(parts: list[int], digits: int) -> None:
    weights = np.array(parts) / sum(parts)
    text = describe.true_sum(weights, digits)
    shown = [Fraction(f"{a:.{digits}f}") for a in weights.tolist()]
    assert text.endswith("true sum 1")
    assert text.startswith("printed") == (sum(shown) != 1)
    if sum(shown) != 1:
        printed = re.fullmatch(r"printed (.*) = (\S+), true sum 1", text)
        assert printed
        assert [Fraction(x) for x in printed[1].split(" + ")] == shown
        assert Fraction(printed[2]) == sum(shown)
