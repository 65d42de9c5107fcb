"""A link opens exactly what its sender saw, and a broken link opens what is left of it."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.parts.scenario import OWN, Scenario, from_link, query, to_link, too_long

FIRST = Scenario("running example", ("Je", "suis", "étudiant"), ("I", "am"), ((1, 2, 3), (0.3, 2.1, 0.5)), 1, 1.0, 7)
SECOND = Scenario("two the", ("the", "the"), ("le", "la"), ((0, 0), (1, -1)), 0, 0.5, 3)
PREPARED = {FIRST.name: FIRST, SECOND.name: SECOND}


def is_a_word(text: str) -> bool:
    """Say by other means what a word is: no blanks, nothing that garbles, something to see."""
    kinds = {unicodedata.category(letter) for letter in text}
    bidi = {unicodedata.bidirectional(letter) for letter in text}
    overrides = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
    return kinds.isdisjoint({"Cc", "Cs", "Zs", "Zl", "Zp"}) and kinds > set() and kinds != {"Cf"} and bidi.isdisjoint(overrides)


a_word = st.one_of(
    st.text(min_size=1, max_size=6).filter(is_a_word),
    st.sampled_from(["&", "=", "#", "%20", "+", ";", ",", "a&t=2", "?", "étudiant", "👨‍👩‍👧", "𓀀", "null", "e\u0301"]),
)
a_score = st.integers(-10_000_000, 10_000_000).map(lambda n: n / 10_000)


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """Everything the app can hold: a prepared scenario with other numbers, or own sentences."""
    base = draw(st.sampled_from([FIRST, SECOND, None]))
    source = base.source if base else tuple(draw(st.lists(a_word, min_size=1, max_size=5)))
    target = base.target if base else tuple(draw(st.lists(a_word, min_size=1, max_size=5)))
    row = st.tuples(*[a_score] * len(source))
    zeros = ((0.0,) * len(source),) * len(target)
    return Scenario(
        name=base.name if base else OWN,
        source=source,
        target=target,
        scores=draw(st.one_of(st.tuples(*[row] * len(target)), st.just(base.scores if base else zeros))),
        t=draw(st.integers(0, len(target) - 1)),
        temperature=draw(st.one_of(st.just(1.0), st.integers(100, 1_000_000).map(lambda n: n / 10_000))),
        seed=draw(st.one_of(st.just(7), st.integers(0, 9999))),
    )


@settings(derandomize=True, deadline=None, max_examples=400)
@given(scenarios())
def test_a_link_gives_back_exactly_what_was_sent(scenario: Scenario) -> None:
    link = to_link(scenario, PREPARED)
    assert from_link(link, PREPARED) == (scenario, [])
    # The same through the address bar, where everything is escaped text.
    assert dict(parse_qsl(query(link), keep_blank_values=True, strict_parsing=bool(link))) == link
    assert query(link).isascii()
    assert " " not in query(link)
    assert "+" not in query(link)


LINK_KEYS = ["scenario", "source", "target", "scores", "t", "temperature", "seed"]
nasty = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["", ";", ",", "1,2;3", "nan", "-inf", "1e999", "1_0", "٣", "0x1", "-0", "None", "1" * 5000, "\ud800"]),
    a_score.map(str),
)


@settings(derandomize=True, deadline=None, max_examples=400)
@given(st.dictionaries(st.sampled_from([*LINK_KEYS, "lesson", ""]), nasty), scenarios())
def test_no_link_ever_fails(bad: dict[str, str], good: Scenario) -> None:
    for params in (bad, to_link(good, PREPARED) | bad):
        scenario, problems = from_link(params, PREPARED)
        assert from_link(to_link(scenario, PREPARED), PREPARED) == (scenario, [])
        assert len(problems) <= len(LINK_KEYS)
        for sentence in problems:
            assert len(sentence) < 250
            assert sentence.endswith(".")
            assert sentence.isprintable()


def test_the_default_has_an_empty_link() -> None:
    assert to_link(FIRST, PREPARED) == {}
    assert from_link({}, PREPARED) == (FIRST, [])


def test_a_link_holds_only_what_differs() -> None:
    assert to_link(SECOND, PREPARED) == {"scenario": "two the"}
    assert to_link(FIRST.with_step(0), PREPARED) == {"t": "1"}
    assert to_link(FIRST.with_temperature(0.25), PREPARED) == {"temperature": "0.25"}
    assert to_link(SECOND.with_seed(7), PREPARED) == {"scenario": "two the", "seed": "7"}
    row = FIRST.with_row([0.30000000000000004, -1000, 1e-4])
    assert to_link(row, PREPARED) == {"scores": "1,2,3;0.3,-1000,0.0001"}


def test_own_sentences_name_no_scenario() -> None:
    own = replace(FIRST.with_words(("a", "b"), ("c",)), scores=((0, 0),))
    assert to_link(own, PREPARED) == {"source": "a b", "target": "c"}
    assert to_link(own.with_row([0, 2]), PREPARED)["scores"] == "0,2"
    # The words of a prepared scenario, typed: still own sentences, and still so for the receiver.
    typed = replace(FIRST, name=OWN)
    assert from_link(to_link(typed, PREPARED), PREPARED) == (typed, [])
    # A name promises its words: with other words it is not kept.
    assert "scenario" not in to_link(replace(own, name="two the"), PREPARED)
    assert "scenario" not in to_link(replace(own, name="from an old version"), PREPARED)


def test_a_partial_link_keeps_the_rest_of_its_scenario() -> None:
    assert from_link({"scenario": "two the", "t": "2"}, PREPARED) == (SECOND.with_step(1), [])
    assert from_link({"temperature": "2"}, PREPARED) == (FIRST.with_temperature(2), [])
    assert from_link({"scenario": "two the", "source": "the the"}, PREPARED) == (SECOND, [])
    only_source, problems = from_link({"source": "x y"}, PREPARED)
    assert (only_source.name, only_source.source, only_source.target) == (OWN, ("x", "y"), FIRST.target)
    assert (only_source.scores, only_source.t, problems) == (((0.0, 0.0), (0.0, 0.0)), 0, [])
    pattern, problems = from_link({"scenario": "two the", "source": "x y"}, PREPARED)
    assert (pattern, problems) == (SECOND.with_words(("x", "y"), SECOND.target), [])
    assert from_link({"scenario": OWN}, PREPARED) == (FIRST, [])


def test_slider_noise_in_a_link_is_read_as_meant() -> None:
    scenario, problems = from_link(
        {"scores": " 0.30000000000000004, +2 ,-0;.5,1e1,3.", "temperature": "0.30000000000000004"}, PREPARED
    )
    assert problems == []
    assert scenario.scores == ((0.3, 2.0, 0.0), (0.5, 10.0, 3.0))
    assert str(scenario.scores[0][2]) == "0.0"
    assert scenario.temperature == 0.3
    assert to_link(scenario, PREPARED)["temperature"] == "0.3"


@pytest.mark.parametrize(
    ("key", "text", "part"),
    [
        ("scenario", "nobody", "there is no scenario 'nobody'"),
        ("scenario", "", "there is no scenario ''"),
        ("source", "", "no words"),
        ("target", "a " * 31, "31 words but at most 30"),
        ("source", "b" * 41, "41 characters but at most 40"),
        ("source", "a " * 5_000_000, "10000000 characters"),
        ("scores", "1" * 10_000_000, "10000000 characters"),
        ("scores", "1,2,3", "the number of rows in scores is 1 but must be 2"),
        ("scores", "1,2,3;1,2", "the number of values in scores row 2 is 2 but must be 3"),
        ("scores", "1,2,3;1,nan,3", "scores row 2, column 2 is 'nan'"),
        ("scores", "1,2,3;1,2,-inf", "scores row 2, column 3 is '-inf'"),
        ("scores", "1e999,2,3;1,2,3", "scores row 1, column 1 is inf"),
        ("scores", "1,1000.1,3;1,2,3", "scores row 1, column 2 is 1000.1"),
        ("scores", "1,,3;1,2,3", "scores row 1, column 2 is ''"),
        ("scores", "1,1_0,3;1,2,3", "scores row 1, column 2 is '1_0'"),
        ("scores", "", "the number of rows in scores is 1"),
        ("t", "0", "t is 0 but must be a whole number from 1 to 2"),
        ("t", "3", "t is 3 but must be a whole number from 1 to 2"),
        ("t", "1.5", "t is 1.5 but must be a whole number"),
        ("t", "-1", "t is -1 but must be a whole number"),
        ("t", "1" * 5000, "t is inf but must be a whole number"),
        ("t", "am", "t is 'am' but must be a whole number"),
        ("temperature", "0", "temperature is 0 but must be a number from 0.01 to 100"),
        ("temperature", "1,5", "temperature is '1,5' but must be a number"),
        ("temperature", "inf", "temperature is 'inf' but must be a number"),
        ("seed", "10000", "seed is 10000 but must be a whole number from 0 to 9999"),
        ("seed", "\u202e7", "seed is '\\u202e7' but must be a whole number"),
    ],
    # A test's name, unlike its text, must not be ten megabytes.
    ids=lambda value: repr(value[:20]),
)
def test_one_bad_parameter_costs_one_sentence_and_nothing_else(key: str, text: str, part: str) -> None:
    good = {"t": "1", "temperature": "2", "seed": "5", "lesson": "4"}
    scenario, problems = from_link(good | {key: text}, PREPARED)
    expected = replace(FIRST, t=0, temperature=2.0, seed=5)
    assert scenario == (replace(expected, **{key: getattr(FIRST, key)}) if key in good else expected)
    assert len(problems) == 1
    assert problems[0].startswith(f'"{key}" in the link is ignored: ')
    assert part in problems[0]
    assert len(problems[0]) < 250


def test_every_bad_parameter_gets_its_own_sentence() -> None:
    scenario, problems = from_link(dict.fromkeys(LINK_KEYS, "\x00"), PREPARED)
    assert scenario == FIRST
    assert [sentence.split('"')[1] for sentence in problems] == LINK_KEYS


def test_the_largest_grid_survives_its_own_link() -> None:
    many = FIRST.with_words(("w" * 40,) * 30, ("é" * 40,) * 30)
    full = replace(many, scores=((-999.9999,) * 30,) * 30, t=29)
    assert from_link(to_link(full, PREPARED), PREPARED) == (full, [])
    assert too_long("https://example.org/?" + query(to_link(full, PREPARED)))
    assert not too_long("https://example.org/?" + query(to_link(FIRST.with_step(0), PREPARED)))


def test_too_long_begins_after_two_thousand_characters() -> None:
    assert not too_long("x" * 2000)
    assert too_long("x" * 2001)


def test_blanks_are_escaped_with_percent_signs() -> None:
    assert query({"source": "a b+c", "scores": "1,2;3,4"}) == "source=a%20b%2Bc&scores=1,2%3B3,4"
