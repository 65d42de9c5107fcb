"""A link opens what its sender saw; a broken link opens what is left of it, and says what is not."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import parse_qsl

import pytest

from pages.parts.contents import ROOT, Page, page_of
from pages.parts.scenario import MAX_LINK, query
from tests.site.visit import PAGES, Visit

LONG = 9000
# What cannot be used, by parameter.
BAD: dict[str, list[str]] = {
    "scenario": ["nobody", "", " ", "Near-tie", "near-tie ", "<script>alert(1)</script>", "مرحبا", "🙂", "x" * LONG],
    "source": ["", "   ", "\u200b", "word " * 31, "b" * 41, "b" * LONG, "a " * (LONG // 2), "\x00\x01"],
    "target": ["", "\t\n", "\u200d \u200b", "word " * 31, "b" * 41, "👍" * LONG],
    "scores": [
        "", "x", "1,2", "1,2;3,4", "0,0,0,0", "0,0,0,0;" * 4, ";;;", ",,,;,,,;,,,;,,,",
        "nan,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0", "0,inf,0,0;0,0,0,0;0,0,0,0;0,0,0,0", "0,0,1e999,0;0,0,0,0;0,0,0,0;0,0,0,0",
        "0,0,0,1000.1;0,0,0,0;0,0,0,0;0,0,0,0", "0,0,0,True;0,0,0,0;0,0,0,0;0,0,0,0", "٣,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0",
        "9" * LONG, "0," * (LONG // 2), "<script>",
    ],
    "t": ["0", "-1", "5", "99", "abc", "", "1.5", "nan", "1e999", "٢", "1_0", "0x1", "9" * LONG],
    "temperature": ["0", "-1", "inf", "-inf", "nan", "1e999", "0.009", "101", "", "1,5", "warm", "½", "9" * LONG],
    "seed": ["x", "-1", "10000", "7.5", "", "nan", "1e999", "1" * LONG],
    "unit": ["foo", "", "NATS", "nats ", "<b>bits</b>", "x" * LONG],
    "projector": ["maybe", "", "true", "2", "-1", "x" * LONG],
}  # fmt: skip
# A link in which everything is good and nothing is what an empty link opens.
GOOD = {
    "scenario": "near-tie",
    "scores": "0,1,2,3;3,2,1,0;0,0,0,0;-1,1,-1,1",
    "t": "3",
    "temperature": "0.5",
    "seed": "12",
    "unit": "bits",
    "projector": "1",
}
CASES = [(key, value) for key, values in BAD.items() for value in values]


def named(key: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w'])[\"'“]?{key}[\"'”]?(?= in the link| is ignored)|link's {key}\b", text))


def without(link: dict[str, str], *keys: str) -> dict[str, str]:
    return {key: value for key, value in link.items() if key not in keys}


@cache
def opened(items: tuple[tuple[str, str], ...], page: Page = PAGES[0]) -> Visit:
    """A page opened by a link, kept: nobody may press anything on it."""
    return Visit(dict(items), page)


def same_view(one: Visit, other: Visit) -> bool:
    """Both show the same: sliders, drawings, prose, look. Epochs count the changes of a session and may differ."""
    first, second = (
        (v.sliders["sliders"] if v.has_sliders else None, v.drawings, v.frames, v.link, [m.value for m in v.at.markdown])
        for v in (one, other)
    )
    return first == second


@pytest.mark.parametrize(("key", "value"), CASES, ids=[f"{key}={value[:12]!r}({len(value)})" for key, value in CASES])
def test_a_bad_parameter_is_named_and_the_good_ones_count(key: str, value: str) -> None:
    # Scores belong to their words: without the scenario they would have another shape.
    good = without(GOOD, key, *(["scores"] if key == "scenario" else []))
    visit = Visit({**good, key: value})
    assert not visit.failed
    (warning,) = visit.warnings
    assert named(key, warning)
    assert [other for other in BAD if other != key and named(other, warning)] == []
    assert warning.count("ignored") == 1
    assert len(warning) < 300, "a sentence, not the whole parameter"
    assert same_view(visit, opened(tuple(good.items())))
    assert key not in visit.link, "the address line is mended"


def test_the_warning_is_gone_at_the_next_press_of_a_key() -> None:
    visit = Visit({"scenario": "near-tie", "t": "99"})
    assert visit.warnings
    assert visit.run().warnings == []
    assert visit.open({"t": "0"}).warnings, "but another bad link is another warning"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file)
def test_every_page_names_each_bad_parameter_in_one_warning(page: Page) -> None:
    for k in range(2):
        bad = {key: values[k % len(values)] for key, values in BAD.items()}
        visit = Visit(bad, page)
        assert not visit.failed
        (warning,) = visit.warnings
        assert all(named(key, warning) for key in BAD)
        assert warning.count("ignored") == len(BAD)
        assert same_view(visit, opened((), page))
        assert visit.link == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file)
def test_good_parameters_count_on_every_page(page: Page) -> None:
    visit = Visit(GOOD, page)
    assert visit.warnings == []
    assert visit.link == GOOD
    assert visit.bar["projector"] is True
    assert visit.bar["query"] == query(GOOD)


ODD_BUT_GOOD = {
    "words that look like markup": {"source": "<b>x</b> $5$ ** `a` [a](b) :red[x] %{z} &lt;", "target": "<script>x</script>"},
    "Arabic": {"source": "ذهبت إلى البيت", "target": "I went home"},
    "emoji": {"source": "👨\u200d👩\u200d👧 👍🏽 🏴\U000e0067\U000e0062\U000e007f", "target": "🙂 🙂"},
    "numbers and dates": {"source": "In 2019 , 10 of 1E1 010 2026-01 5", "target": "1 2 10"},
    "link's own signs": {"source": "a&t=2 b+c #1 %20 ; , =", "target": "? / \\"},
    "thirty words": {"source": " ".join(["the"] * 30), "target": " ".join(["le"] * 30), "t": "30"},
    "one word": {"source": "a", "target": "b"},
    "blanks of all kinds": {"source": "\u00a0Je\u2003suis\u3000ici ", "target": "I\tam\nhere"},
    "noise": {"scores": "0.30000000000000004,+2,-0;.5,1e0,3.;0,0,0;0,0,0", "temperature": "0.70000000000000001", "t": " 1 "},
    "somebody else's parameters": {"utm_source": "mail", "lesson": "3", "": "x", "t": "1"},
    "what an empty link opens": {"scenario": "running example", "t": "2", "unit": "nats", "projector": "0", "temperature": "1.0"},
    "only one sentence": {"source": "x y"},
    "a scenario with other words": {"scenario": "near-tie", "source": "x y z", "target": "u v"},
    "as large as can be": {"scores": "1000,-1000,0;-1000,0,1000;1e3,1,1;0,0,0", "temperature": "0.01"},
}  # fmt: skip


@pytest.mark.parametrize("name", ODD_BUT_GOOD)
def test_odd_links_open_without_a_word(name: str) -> None:
    visit = Visit(ODD_BUT_GOOD[name])
    assert not visit.failed
    assert visit.warnings == []


ROUND = {
    **ODD_BUT_GOOD,
    "nothing": {},
    "a prepared scenario": {"scenario": "anti-diagonal"},
    "everything": GOOD,
    "underflow, warm": {"scenario": "a gap too wide for float64", "temperature": "37.5"},
    "repeated words in bits": {"scenario": "repeated words", "unit": "bits", "t": "1"},
    "own words and scores": {
        "source": "the the",
        "target": "le le le",
        "scores": "1,-1;0.0001,0;1000,-1000",
        "t": "3",
        "seed": "9999",
    },
}


@pytest.mark.parametrize("name", ROUND)
def test_the_written_link_opens_the_same_somewhere_else(name: str) -> None:
    sender = Visit(ROUND[name])
    receiver = Visit(sender.link)
    assert receiver.warnings == []
    assert same_view(sender, receiver)
    assert receiver.link == sender.link
    # What the copy button copies is the address line, escaped.
    assert dict(parse_qsl(sender.bar["query"], strict_parsing=bool(sender.link))) == sender.link
    assert " " not in sender.bar["query"]
    assert sender.bar["query"].isascii()
    assert sender.bar["trouble"] == ""


def test_a_link_of_moved_sliders_opens_the_same() -> None:
    sender = Visit({"scenario": "near-tie"}).move([0.1, -2.5, 3, 0.0001, 0.35])
    sender.trigger("frame_bar", "projector", True)
    receiver = Visit(sender.link)
    assert sender.values == [0.1, -2.5, 3, 0.0001, 0.35]
    assert same_view(sender, receiver)


def test_the_address_line_says_only_what_differs() -> None:
    assert Visit({"scenario": "running example", "t": "2", "unit": "nats", "projector": "0"}).link == {}
    assert Visit({"t": "1", "utm_source": "mail"}).link == {"t": "1"}
    assert Visit(ODD_BUT_GOOD["blanks of all kinds"]).link == {"source": "Je suis ici", "target": "I am here"}


def test_the_last_of_equal_parameters_counts() -> None:
    visit = Visit()
    visit.at.query_params = {"t": ["1", "3"]}
    assert visit.run().sliders["label"] == "Scores of step 3"
    assert not visit.failed


def test_slider_noise_in_a_link_is_shown_as_meant() -> None:
    visit = Visit({"scores": "0,0,0;0.30000000000000004,0.1,0;0,0,0;0,0,0", "temperature": "0.30000000000000004"})
    assert visit.values == [0.3, 0.1, 0.0, 0.3]
    assert visit.trace("before")["y"] == [0.3, 0.1, 0.0]
    assert visit.trace("before")["text"] == ["0.30", "0.10", "0.00"]
    assert [row[1] for row in visit.drawing("arithmetic")["table"]["rows"]] == ["0.30", "0.10", "0.00"]
    assert visit.link == {"scores": "0,0,0;0.3,0.1,0;0,0,0;0,0,0", "temperature": "0.3"}
    assert not any("0.3000000" in text for text in visit.texts)


# Streamlit reads what st.warning and st.error are given as Markdown. A link is written by anybody.
MARKDOWN = {
    "an image from elsewhere": "![](//h.test/i.png)",
    "a link": "[here](http://h.test)",
    "bold": "**bold**",
    "maths": "$x^2$",
    "colour": ":red[x]",
}
LIVELY = (r"\[.*?\]\(", r"\*\*.+?\*\*", r"\$.+?\$", r":\w+\[.*?\]")


def lively(text: str) -> list[str]:
    """The Markdown that would come alive: what is behind a backslash, or inside a code span, does not."""
    plain = re.sub(r"(`+)(?:(?!\1).)+\1", "", re.sub(r"\\[^\w\s]", "", text))
    plain = re.sub(r"&#?\w+;", "", plain)
    return [pattern for pattern in LIVELY if re.search(pattern, plain)]


@pytest.mark.parametrize("text", MARKDOWN.values(), ids=MARKDOWN)
def test_the_check_for_markdown_sees_it(text: str) -> None:
    assert lively(f"there is no scenario '{text}'")
    assert not lively("there is no scenario '" + re.sub(r"([^\w\s])", r"\\\1", text) + "'")


@pytest.mark.parametrize("kind", MARKDOWN)
def test_a_bad_link_cannot_bring_markdown_or_another_host_onto_the_page(kind: str) -> None:
    text = MARKDOWN[kind]
    bad = dict.fromkeys(("scenario", "scores", "t", "temperature", "seed", "unit", "projector"), text)
    visit = Visit({**bad, "source": text + "x" * 41})
    (warning,) = visit.at.warning
    assert warning.value.count("ignored") == 8
    assert not lively(warning.value), warning.value


# --- Links that are too long -----------------------------------------------------------------------------------------

URL = "http://localhost:8501/"


def of_length(length: int) -> dict[str, str]:
    """Own sentences whose whole address has exactly so many characters."""
    link = {"source": " ".join(["x" * 40] * 28), "target": " ".join(["y" * 40] * 16)}
    missing = length - len(f"{URL}?{query(link)}")
    # One more word costs its letters and "%20".
    while missing > 43:
        link["target"] += " " + "z" * 10
        missing -= 13
    assert missing >= 4
    link["target"] += " " + "z" * (missing - 3)
    assert len(f"{URL}?{query(link)}") == length
    return link


def test_a_link_of_two_thousand_characters_is_written_a_longer_one_is_not() -> None:
    fits = Visit(of_length(MAX_LINK), url=URL)
    assert fits.link == of_length(MAX_LINK)
    assert fits.bar["trouble"] == ""
    longer = Visit(of_length(MAX_LINK + 2), url=URL)  # two more: Streamlit does not count the slash at the end of the URL
    assert longer.link == {}
    assert longer.bar["query"] == ""
    assert "2,000 characters" in longer.bar["trouble"]
    assert longer.drawings["lab_after"]["figure"]["data"][0]["x"] == list(range(28)), "the page still shows it"
    assert not longer.failed


def test_a_long_link_of_a_friend_is_still_read() -> None:
    link = {"source": " ".join(f"{k:040d}" for k in range(30)), "target": " ".join(f"{k:039d}" for k in range(30))}
    visit = Visit({**link, "unit": "bits"})
    assert visit.warnings == []
    assert [slider["word"] for slider in visit.sliders["sliders"][:-1]] == link["source"].split()
    assert visit.link == {"unit": "bits"}, "how one looks at it still fits"
    # And it stays in hand, on this page and on the next.
    before = visit.drawings
    assert visit.run().drawings == before
    assert (
        visit.go(page_of(str(ROOT / "pages" / "04_from_scores_to_shares.py"))).sliders["sliders"][0]["word"]
        == link["source"].split()[0]
    )
    assert visit.go(PAGES[0]).drawings == before
