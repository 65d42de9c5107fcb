"""Numbers are read as people type them, or refused with a hint; what is right is right in any number of digits."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.answers import LONGEST, judge, percent_is_meant, typed_number
from pages.parts.drawn_numbers import Drawn
from pages.parts.question_numbers import UNITS
from pages.parts.questions import house_bank

# --- What can be read ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.67", 0.67),
        ("0,67", 0.67),
        ("6.7e-1", 0.67),
        ("6,7E-1", 0.67),
        ("-0", 0.0),
        (" .5 ", 0.5),
        (",5", 0.5),
        ("5.", 5.0),
        ("+2", 2.0),
        ("007", 7.0),
        ("1/3", 1 / 3),
        ("-2 / 3", -2 / 3),
        ("0,5/2", 0.25),
        ("1÷4", 0.25),
        ("½", 0.5),
        ("-½", -0.5),
        ("⅓", 1 / 3),
        ("−1.5", -1.5),  # minus
        ("–1.5", -1.5),  # en dash
        ("—1.5", -1.5),  # em dash
        ("‐1.5", -1.5),  # hyphen
        ("‑1.5", -1.5),  # hyphen that does not break
        ("－1.5", -1.5),  # full width
        ("٠٫٦٧", 0.67),  # Arabic-Indic, with its decimal sign
        ("٠،٦٧", 0.67),
        ("۰٫۶۷", 0.67),  # Persian
        ("०.६७", 0.67),  # Devanagari
        ("０．６７", 0.67),  # full width
        ("𝟎.𝟔𝟕", 0.67),  # mathematical bold
        ("\u200f٠٫٦٧\u200e", 0.67),  # with marks of direction
        ("\ufeff0.67\u200b", 0.67),  # copied along
        ("\u00a00.67\u3000", 0.67),  # blanks that are not blanks
        ("\t0.67\n", 0.67),
        ("= 0.67", 0.67),
        ("≈0.67", 0.67),
        ("~ 0,67", 0.67),
        ("0." + "6" * 37, 0.6666666666666666),
        ("1e-300", 1e-300),
        ("1e-9999", 0.0),
    ],
)
@pytest.mark.parametrize("unit", UNITS)
def test_a_number_is_read_as_it_is_meant(text: str, value: float, unit: str) -> None:
    read = typed_number(text, unit)
    assert read == pytest.approx(value, rel=1e-15)
    assert math.copysign(1, read) == (1 if value == 0 else math.copysign(1, value))  # never -0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("67 %", 0.67),
        ("67%", 0.67),
        ("66,7 %", 0.667),
        ("٦٧٪", 0.67),
        ("６７％", 0.67),
        ("100%", 1.0),
        ("0 %", 0.0),
        ("67 percent", 0.67),
        ("67 per cent", 0.67),
        ("200/3 %", 2 / 3),
        ("≈ 67 %", 0.67),
        ("1e1%", 0.1),
    ],
)
def test_a_share_may_be_typed_in_percent(text: str, value: float) -> None:
    assert typed_number(text, "share") == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit != "share"])
def test_percent_of_what_is_no_share_is_asked_back(unit: str) -> None:
    with pytest.raises(
        ValueError, match=r"^“67 %” is a share of something, but here the answer is no share; type a number without %\.$"
    ):
        typed_number("67 %", unit)


@pytest.mark.parametrize(
    ("text", "unit"),
    [("0.69 nats", "nats"), ("0,69nat", "nats"), ("0.69 Bits", "bits"), ("0.69 bit", "bits"), ("≈ 0.69 WORDS", "words")],
)
def test_the_unit_may_stand_behind_the_number(text: str, unit: str) -> None:
    assert typed_number(text, unit) == 0.69


# --- What is asked back ----------------------------------------------------------------------------------------------


NOT_A_NUMBER = "is not a number; type digits"


@pytest.mark.parametrize(
    ("text", "unit", "hint"),
    [
        ("", "share", "Type a number first"),
        ("   ", "share", "Type a number first"),
        ("\u200b\u200f", "share", "Type a number first"),
        ("=", "share", "Type a number first"),
        ("abc", "share", NOT_A_NUMBER),
        (".", "share", NOT_A_NUMBER),
        ("-", "number", NOT_A_NUMBER),
        ("%", "share", NOT_A_NUMBER),
        ("%67", "share", NOT_A_NUMBER),
        ("--5", "number", NOT_A_NUMBER),
        ("1e", "number", "a word behind the number"),
        ("0x1F", "number", NOT_A_NUMBER),
        ("1_000", "number", NOT_A_NUMBER),
        ("1+1", "number", NOT_A_NUMBER),
        ("ln 2", "nats", NOT_A_NUMBER),
        ("2^3", "number", NOT_A_NUMBER),
        ("10²", "number", NOT_A_NUMBER),  # not 102
        ("5₂", "number", NOT_A_NUMBER),  # not 52
        ("三", "number", NOT_A_NUMBER),
        ("<b>1</b>", "number", NOT_A_NUMBER),
        ("1//3", "number", NOT_A_NUMBER),
        ("1/2/3", "number", NOT_A_NUMBER),
        ("/3", "number", NOT_A_NUMBER),
        ("1/0", "number", "divides by zero"),
        ("0/0", "number", "divides by zero"),
        ("1/1e-999", "number", "divides by zero"),
        ("1½", "number", "a whole number and a fraction; type it as a decimal, such as 1.5"),  # not 11/2
        ("1 1/2", "number", "a whole number and a fraction"),
        ("0.6.7", "number", "more than one point or comma"),
        ("1,234.5", "number", "more than one point or comma"),
        ("1.234,5", "number", "more than one point or comma"),
        ("1 000", "number", "a blank inside"),
        ("1\u202f000", "number", "a blank inside"),
        ("1'000", "number", "a blank inside"),
        ("0. 67", "number", "a blank inside"),
        ("∞", "number", "every answer here is finite"),
        ("-∞", "number", "every answer here is finite"),
        ("inf", "number", "every answer here is finite"),
        ("Infinity", "number", "every answer here is finite"),
        ("NaN", "number", "every answer here is finite"),
        ("-nan", "number", "every answer here is finite"),
        ("1e999", "number", "too large to be compared"),
        ("-1e999", "number", "too large to be compared"),
        ("1e999/1e999", "number", "too large to be compared"),
        ("1e308/1e-308", "number", "too large to be compared"),
        ("9" * 41, "number", "longer than 40 characters"),
        ("0." + "6" * 10_000, "share", "longer than 40 characters"),
        ("x" * 1_000_000, "share", "longer than 40 characters"),
        ("0.69 bits", "nats", "“0.69 bits” is in bits, but the answer is asked in nats; work it out in nats."),
        ("0.69 nats", "bits", "“0.69 nats” is in nats, but the answer is asked in bits"),
        ("2 words", "nats", "is in words, but the answer is asked in nats"),
        ("12 words", "count", "“12 words” has a word behind the number; type the number alone."),
        ("0.69 nats", "number", "a word behind the number"),
        ("0.69 Nächte", "nats", "a word behind the number"),
        ("1,183", "count", "“1,183” can be read in two ways; type 1183 without a point or comma."),
        ("1.234.567", "count", "type 1234567 without"),
    ],
)  # fmt: skip
def test_anything_else_is_asked_back_in_one_sentence_or_two(text: str, unit: str, hint: str) -> None:
    with pytest.raises(ValueError) as caught:
        typed_number(text, unit)
    said = str(caught.value)
    assert hint in said
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 200


def test_a_comma_before_three_digits_is_decimal_where_nothing_is_counted() -> None:
    assert typed_number("1,183", "nats") == 1.183
    assert typed_number("12,50", "count") == 12.5


@given(st.text(max_size=60), st.sampled_from(UNITS))
def test_whatever_is_typed_is_a_finite_number_or_a_hint(text: str, unit: str) -> None:
    try:
        value = typed_number(text, unit)
    except ValueError as hint:
        assert 10 < len(str(hint)) < 250
    else:
        assert math.isfinite(value)


@given(st.text(alphabet="0123456789.,eE+-−/% ½٣²\u200f∞natsbit", max_size=14), st.sampled_from(UNITS))
def test_nothing_near_a_number_is_read_as_anything_but_what_it_says(text: str, unit: str) -> None:
    """Whatever is read has the value that Python's own exact numbers give to the same signs."""
    try:
        value = typed_number(text, unit)
    except ValueError:
        return
    plain = text.replace("\u200f", "").replace("−", "-").replace("٣", "3").replace("½", "1/2").replace(",", ".").strip()
    plain = plain.rstrip("natsbi").strip()
    whole = Fraction(1, 100) if plain.endswith("%") else 1
    above, _, below = plain.rstrip("% ").partition("/")
    exact = Fraction(above.strip()) / Fraction(below.strip() or "1") * whole
    assert value == pytest.approx(float(exact), rel=1e-14, abs=1e-320)


# --- Right and wrong -------------------------------------------------------------------------------------------------


answers = st.floats(min_value=-100, max_value=100).filter(lambda x: abs(x) > 0.05)


@given(answers, st.integers(2, 15), st.sampled_from(["{:.{}f}", "{:.{}e}"]), st.booleans())
def test_an_answer_rounded_to_the_decimals_asked_or_more_is_right(answer: float, digits: int, form: str, comma: bool) -> None:
    # An exponent keeps as many digits in front as need be for two decimals of 100.
    text = form.format(answer, digits if "f" in form else digits + 2)
    value = typed_number(text.replace(".", ",") if comma else text)
    assert judge(value, Drawn({}, answer, "number"), 0.01).right


@given(answers, st.integers(2, 12))
def test_an_answer_that_is_cut_off_and_not_rounded_is_right(answer: float, digits: int) -> None:
    cut = math.trunc(answer * 10**digits) / 10**digits
    assert judge(cut, Drawn({}, answer, "number"), 0.01).right


@given(st.floats(0.05, 1), st.integers(0, 10))
def test_a_share_in_percent_is_right_in_any_number_of_digits(answer: float, digits: int) -> None:
    drawn = Drawn({}, answer, "share")
    assert judge(typed_number(f"{100 * answer:.{digits}f} %", "share"), drawn, 0.01).right


@given(answers, st.floats(1.001, 1e6), st.sampled_from([0.5, 0.01, 0.001]), st.sampled_from([-1, 1]))
def test_farther_off_than_the_tolerance_is_wrong(answer: float, times: float, within: float, side: int) -> None:
    drawn = Drawn({}, answer, "number")
    assert not judge(answer + side * times * within, drawn, within).right
    assert judge(answer + side * 0.999 * within, drawn, within).right


def test_the_end_of_the_tolerance_is_right() -> None:
    assert judge(0.66, Drawn({}, 0.67, "number"), 0.01).right  # 0.67 - 0.66 is above 0.01 in float64
    assert judge(0.68, Drawn({}, 0.67, "number"), 0.01).right
    assert not judge(0.6599, Drawn({}, 0.67, "number"), 0.01).right


def test_a_known_slip_is_named_and_an_answer_is_no_slip() -> None:
    drawn = Drawn({}, 0.67, "share", {"no denominator": 8.17, "near": 0.68})
    assert judge(8.17, drawn, 0.01).slip == "no denominator"
    assert judge(8.166, drawn, 0.01).slip == "no denominator"
    assert judge(0.672, drawn, 0.01) == judge(0.67, drawn, 0.01)
    assert (judge(0.672, drawn, 0.01).right, judge(0.672, drawn, 0.01).slip) == (True, "")
    assert (judge(0.5, drawn, 0.01).right, judge(0.5, drawn, 0.01).slip) == (False, "")


@pytest.mark.parametrize(
    ("value", "unit", "meant"),
    [
        (67, "share", True),
        (66.7, "share", True),
        (0.67, "share", False),  # right as it is
        (68.1, "share", False),
        (1, "share", False),
        (-67, "share", False),
        (67, "number", False),
        (67, "count", False),
    ],
)
def test_a_forgotten_percent_sign_is_seen(value: float, unit: str, meant: bool) -> None:
    assert percent_is_meant(value, Drawn({}, 0.67, unit), 0.01) is meant


def test_a_weight_of_one_may_be_typed_as_a_hundred() -> None:
    drawn = Drawn({}, 1.0, "share")
    assert percent_is_meant(100, drawn, 0.01)
    assert judge(typed_number("100 %", "share"), drawn, 0.01).right
    assert not percent_is_meant(1, drawn, 0.01)


def test_a_share_between_0_and_1_is_never_taken_for_percent() -> None:
    assert not percent_is_meant(0.9, Drawn({}, 0.012, "share"), 0.01)
    assert percent_is_meant(1.2, Drawn({}, 0.012, "share"), 0.01)


@pytest.mark.parametrize("name", [name for name, (_, form) in house_bank().forms.items() if form.recipe])
def test_in_every_question_what_the_solution_prints_is_right_and_each_slip_is_found(name: str) -> None:
    _, form = house_bank().forms[name]
    for sheet in range(5):
        drawn = form.drawn(sheet)
        printed = [drawn.given["answer"], f"{drawn.answer:.2f}", f"{drawn.answer:.4f}".replace(".", ","), repr(drawn.answer)]
        if drawn.unit == "count":
            printed = [drawn.given["answer"]]
        if drawn.unit == "share":
            printed.append(f"{100 * drawn.answer:.1f} %")
        for text in printed:
            assert judge(typed_number(text, drawn.unit), drawn, form.within).right, text
        for slip, value in drawn.slips.items():
            verdict = judge(typed_number(f"{value:.2f}", drawn.unit), drawn, form.within)
            assert (verdict.right, verdict.slip) == (False, slip)
            assert not percent_is_meant(value, drawn, form.within)


def test_the_longest_number_that_is_read_is_longer_than_a_float() -> None:
    assert len(repr(-1.7976931348623157e-308)) < LONGEST
