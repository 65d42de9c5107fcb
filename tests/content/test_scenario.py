"""A scenario accepts what the lab can show, and says in one sentence why it refuses the rest."""

from __future__ import annotations

import json
import math
import re
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from pages.parts import scenario as module
from pages.parts.scenario import OWN, Scenario, from_file, to_file, words

START = Scenario(
    name="a start",
    source=("Je", "suis", "étudiant"),
    target=("I", "am"),
    scores=((1.0, 2.0, 3.0), (0.3, 2.1, 0.5)),
    t=1,
    temperature=1.0,
    seed=7,
)
FAMILY = "👨‍👩‍👧"  # three emoji held together by zero-width joiners


def is_one_sentence(message: str) -> bool:
    return len(message) < 250 and "\n" not in message and message.isprintable() and not message.endswith(".")


def short(value: object) -> str:
    """Name a test: unlike its value, the name must not be a megabyte."""
    return repr(value)[:20]


def with_fields(**fields: Any) -> Scenario:
    return replace(START, **fields)


def file_with(**fields: Any) -> str:
    return json.dumps(json.loads(to_file(START)) | fields)


# --- numbers


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (0.30000000000000004, 0.3),  # the sum of a slider's steps
        (0.1 + 0.2, 0.3),
        (2, 2.0),
        (1.23456, 1.2346),
        (-1000, -1000.0),
        (1000.0, 1000.0),
        (5e-324, 0.0),
    ],
)
def test_scores_keep_four_decimals(given: float, kept: float) -> None:
    score = START.with_row([given, 0, 0]).scores[1][0]
    assert score == kept
    assert isinstance(score, float)


@pytest.mark.parametrize("given", [-0.0, -1e-9, -0.00004])
def test_a_score_is_never_minus_zero(given: float) -> None:
    assert math.copysign(1.0, START.with_row([given, 0, 0]).scores[1][0]) == 1.0


@pytest.mark.parametrize(
    "bad",
    [math.nan, math.inf, -math.inf, 1000.0001, -1001, 10**400, True, None, "1", "x" * 10**6, [1.0]],
    ids=short,
)
def test_a_bad_score_is_named_by_row_and_column(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"scores row 2, column 3 is .* but must be a number from -1000 to 1000") as e:
        START.with_row([0.0, 0.0, bad])
    assert is_one_sentence(str(e.value))


@pytest.mark.parametrize("bad", [0, 0.0, -1.0, 0.00999, 100.1, math.nan, math.inf, True, None, "1"])
def test_a_bad_temperature_is_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"temperature is .* but must be a number from 0.01 to 100") as e:
        START.with_temperature(bad)
    assert is_one_sentence(str(e.value))


@pytest.mark.parametrize("good", [0.01, 100, 0.7])
def test_a_temperature_within_the_range_is_kept(good: float) -> None:
    assert START.with_temperature(good).temperature == good


@pytest.mark.parametrize(("field", "top"), [("t", 1), ("seed", 9999)])
def test_whole_numbers_have_a_range(field: str, top: int) -> None:
    for good in (0, top):
        assert getattr(with_fields(**{field: good}), field) == good
    for bad in (-1, top + 1, 0.0, True, None, "0", math.nan):
        with pytest.raises(ValueError, match=f"{field} is .* but must be a whole number from 0 to {top}") as e:
            with_fields(**{field: bad})
        assert is_one_sentence(str(e.value))


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        (((1.0, 2.0, 3.0),), "the number of rows in scores is 1 but must be 2"),
        (((1.0, 2.0, 3.0), (1.0, 2.0)), "the number of values in scores row 2 is 2 but must be 3"),
        ((), "the number of rows in scores is 0 but must be 2"),
        ("12", "scores is '12' but must be a list of rows"),
        ((1.0, 2.0), "scores row 1 is 1.0 but must be a list of numbers"),
        (("123", "123"), "scores row 1 is '123' but must be a list of numbers"),
        (None, "scores is null but must be a list of rows"),
    ],
)
def test_a_grid_of_the_wrong_shape_is_refused(scores: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(sentence)) as e:
        with_fields(scores=scores)
    assert is_one_sentence(str(e.value))


def test_reach_is_the_smallest_fixed_range_that_holds_every_score() -> None:
    expected = {0.0: 5, 5.0: 5, -5.0001: 10, 10.0: 10, 10.5: 20, -50.0: 50, 99.0: 100, 101.0: 200, 201.0: 500}
    for score, reach in (expected | {-501.0: 1000, 1000.0: 1000}).items():
        # In the row that is not the current one: the range belongs to the whole grid.
        assert with_fields(scores=((0.0, score, 0.0), (0.0, 0.0, 0.0))).reach == reach


# --- words


@pytest.mark.parametrize("word", ["null", "010", "1E1", "<b>", "$5$", "=1+1", "%{z}", ";", ",", "a" * 40, FAMILY, "نعم"])
def test_words_stay_as_typed(word: str) -> None:
    assert words(f"  {word} {word}\t") == (word, word)
    assert with_fields(source=(word, word, "x")).source == (word, word, "x")


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "\r\n", "\u00a0", "\u3000", "\u2003", "\u2028", "\x85", "\x1c", "  "])
def test_every_kind_of_blank_parts_words(blank: str) -> None:
    assert words(f"a{blank}b") == ("a", "b")


@pytest.mark.parametrize("hidden", ["\x00", "\x07", "\x1b", "\x7f", "\x9b", "\u202e", "\u2066", "\u2069", "\ud800"])
def test_characters_that_garble_their_neighbours_are_taken_out(hidden: str) -> None:
    assert words(f"a{hidden}b {hidden} c") == ("ab", "c")
    with pytest.raises(ValueError, match=r"source word 2 is .* without blanks or control characters") as e:
        with_fields(source=("x", f"a{hidden}b", "y"))
    assert is_one_sentence(str(e.value))


def test_zero_width_characters_alone_are_no_word() -> None:
    assert words("a \u200b b \ufeff") == ("a", "b")
    with pytest.raises(ValueError, match="target word 1 is"):
        with_fields(target=("\u200b", "b"))


@pytest.mark.parametrize("text", ["", "   ", "\u3000\n", "\u200b", "\u202e"])
def test_a_sentence_needs_a_word(text: str) -> None:
    with pytest.raises(ValueError, match="no words but must have at least 1"):
        words(text)


def test_a_sentence_has_at_most_thirty_words() -> None:
    assert len(words("a " * 30)) == 30
    with pytest.raises(ValueError, match="31 words but at most 30"):
        words("a " * 31)
    with pytest.raises(ValueError, match="has 10000000 characters but at most 10000 fit"):
        words("a" * 10**7)


def test_a_word_has_at_most_forty_characters_and_the_sentence_shortens_it() -> None:
    with pytest.raises(ValueError, match=r"word 2, .*, has 9000 characters but at most 40") as e:
        words("a " + "b" * 9000)
    assert is_one_sentence(str(e.value))


@pytest.mark.parametrize("bad", [("a b",), ("",), (" ",), ("a\u00a0b",), (1,), (None,), ("a" * 41,), (["a"],)])
def test_a_scenario_refuses_what_is_not_one_word(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"target word 1 is .* but must be 1 to 40 visible characters") as e:
        with_fields(target=bad, scores=((0.0, 0.0, 0.0),), t=0)
    assert is_one_sentence(str(e.value))


@pytest.mark.parametrize("bad", [(), ("a",) * 31])
def test_a_scenario_refuses_the_wrong_number_of_words(bad: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"source has .* words but must have 1 to 30"):
        with_fields(source=bad)


@pytest.mark.parametrize("bad", ["", "x" * 61, "a\u202eb", "a\nb", 3, None])
def test_a_name_is_short_visible_text(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"name is .* visible characters") as e:
        with_fields(name=bad)
    assert is_one_sentence(str(e.value))


# --- new values


def test_a_scenario_never_changes() -> None:
    with pytest.raises(FrozenInstanceError):
        START.t = 0  # type: ignore[misc]
    before = to_file(START)
    START.with_row([9, 9, 9]).with_step(0).with_seed(1).with_temperature(2).with_words(["a"], ["b"])
    assert to_file(START) == before
    assert hash(START) == hash(replace(START))


def test_lists_become_tuples() -> None:
    made = with_fields(source=["a", "b", "c"], scores=[[1, 2, 3], [4, 5, 6]])
    assert made.source == ("a", "b", "c")
    assert made.scores == ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))


def test_a_row_replaces_the_current_step_only() -> None:
    assert START.with_row([9, 8, 7]).scores == ((1.0, 2.0, 3.0), (9.0, 8.0, 7.0))
    assert START.with_step(0).with_row([9, 8, 7]).scores == ((9.0, 8.0, 7.0), (0.3, 2.1, 0.5))
    for wrong in ([1.0], [1.0] * 4):
        with pytest.raises(ValueError, match="values in scores row 2"):
            START.with_row(wrong)


def test_new_words_keep_the_scores_by_position() -> None:
    more = START.with_words(["a", "b", "c", "d"], ["e", "f", "g"])
    assert more.scores == ((1.0, 2.0, 3.0, 0.0), (0.3, 2.1, 0.5, 0.0), (0.0, 0.0, 0.0, 0.0))
    assert (more.name, more.t, more.temperature, more.seed) == (OWN, 1, 1.0, 7)
    less = START.with_words(["a"], ["b"])
    assert (less.scores, less.t) == (((1.0,),), 0)


def test_the_same_words_change_nothing() -> None:
    assert START.with_words(list(START.source), START.target) == START


# --- files


def test_a_file_gives_the_scenario_back() -> None:
    odd = with_fields(source=('"', "null", FAMILY), target=("</script>", "\\u0041"), scores=((0.1, -1e3, 0), (1e-4, 2, 3)))
    for scenario in (START, odd, with_fields(t=0)):
        assert from_file(to_file(scenario)) == scenario
        assert from_file("\ufeff" + to_file(scenario)) == scenario  # editors like to add this mark


def test_a_file_is_strict_json_with_words_as_typed_and_steps_counted_from_one() -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    content = json.loads(to_file(START), parse_constant=refuse)
    assert (content["format"], content["version"], content["t"]) == ("attention-scenario", 1, 2)
    assert "étudiant" in to_file(START)


def test_a_file_may_hold_more_keys() -> None:
    assert from_file(file_with(weights=[[1]], remark="x")) == START


@pytest.mark.parametrize("bad", ["NaN", "Infinity", "-Infinity", "1e999", "null", "true", '"0.5"', "1" * 5000, "[1]"], ids=short)
def test_a_bad_number_in_a_file_is_named_by_row_and_column(bad: str) -> None:
    text = to_file(START).replace("2.1", bad)
    with pytest.raises(ValueError, match="scores row 2, column 2 is ") as e:
        from_file(text)
    assert is_one_sentence(str(e.value))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"t": 0}, "t is 0 but must be a whole number from 1 to 2"),
        ({"t": 3}, "t is 3 but must be a whole number from 1 to 2"),
        ({"t": True}, "t is True but must be a whole number"),
        ({"t": 1.0}, "t is 1.0 but must be a whole number"),
        ({"seed": "7"}, "seed is '7' but must be a whole number"),
        ({"temperature": False}, "temperature is False but must be a number"),
        ({"source": "Je suis étudiant"}, "source is 'Je suis étudiant' but must be a list of words"),
        ({"source": {"Je": 1}}, "source is {'Je': 1} but must be a list of words"),
        ({"source": ["Je", None, "étudiant"]}, "source word 2 is null"),
        ({"target": []}, "target has 0 words"),
        ({"name": None}, "name is null"),
        ({"scores": {}}, "scores is {} but must be a list of rows"),
        ({"format": "other"}, "format is 'other' but must be 'attention-scenario'"),
        ({"version": 2}, "version is 2 but must be 1"),
        ({"version": True}, "version is True but must be 1"),
        ({"version": "1"}, "version is '1' but must be 1"),
    ],
)
def test_a_wrong_value_in_a_file_is_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(sentence)) as e:
        from_file(file_with(**fields))
    assert is_one_sentence(str(e.value))


@pytest.mark.parametrize("key", json.loads(to_file(START)))
def test_every_key_of_a_file_is_needed_once(key: str) -> None:
    content = json.loads(to_file(START))
    twice = to_file(START).replace("{\n", "{\n" + f'"{key}": {json.dumps(content[key])},', 1)
    with pytest.raises(ValueError, match=f"has the key '{key}' twice"):
        from_file(twice)
    del content[key]
    with pytest.raises(ValueError, match=f"has no key '{key}'"):
        from_file(json.dumps(content))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "3",
        '"x"',
        "\x00",
        "[" * 10**5,
        '{"a":' * 10**5,
        "x" * 10**6,
        "{'name': 1}",
        "\ud800",
    ],
    ids=short,
)
def test_what_is_no_scenario_file_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="choose a file saved by this app") as e:
        from_file(text)
    assert is_one_sentence(str(e.value))


def test_the_public_limits_are_the_documented_ones() -> None:
    limits = (module.MAX_WORDS, module.SCORE_LIMIT, module.TEMPERATURE_RANGE, module.MAX_LINK)
    assert limits == (30, 1000.0, (0.01, 100.0), 2000)
