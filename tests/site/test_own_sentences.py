"""Own sentences and saved files: whatever is typed or opened shows as typed, or is refused with a sentence."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pages.parts import content
from pages.parts.scenario import OWN, Scenario, to_file
from tests.parts.told import shown
from tests.site.test_links import lively
from tests.site.visit import LAB, LESSONS, Visit

PREPARED = content.prepared_scenarios()
RUNNING = PREPARED["running example"]

TYPED = {
    "one word": "merci",
    "thirty words": " ".join(f"w{i}" for i in range(30)),
    "thirty times one word": " ".join(["the"] * 30),
    "repeated words": "the cat saw the dog",
    "Arabic": "ذهبت إلى البيت",
    "emoji held together": "👨\u200d👩\u200d👧 👍🏽 👍🏽",
    "a tag": "<b>bold</b> <script>alert(1)</script> <img",
    "maths": "$x$ $$ x$",
    "Markdown": "** **a** `b` [c](http://h.test) ![](http://h.test/i.png) # 1. :red[d] :material/star:",
    "a template": "%{z} %{customdata} %d {0} {word}",
    "entities": "&lt;b&gt; &amp; & &#36;",
    "quotes": "\" ' \\ \\n ''' \"\"\"",
    "numbers": "10 1E1 010 2026-01 nan inf null -0.0",
    "a colour's name": "@alpha @ @x",
}


@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize("name", TYPED)
def test_what_is_typed_shows_as_typed(name: str, side: str) -> None:
    sentence = TYPED[name]
    words = sentence.split()
    visit = Visit().type(side, sentence)
    assert not visit.failed
    assert visit.errors == []
    assert visit.warnings == []
    n, rows = (len(words), 4) if side == "source" else (3, len(words))
    assert len(visit.values) == n + 1
    assert (len(visit.trace("map")["z"]), len(visit.trace("map")["z"][0])) == (rows, n)
    axis = visit.drawing("map")["figure"]["layout"]["xaxis" if side == "source" else "yaxis"]
    for word, label in zip(words, axis["ticktext"], strict=True):
        assert shown(label) == word or (shown(label).endswith("…") and word.startswith(shown(label)[:-1]))
    hovers = [shown(text) for row in visit.trace("map")["customdata"] for text in row]
    if side == "source":
        assert [slider["word"] for slider in visit.sliders["sliders"][:-1]] == words
        assert len({slider["spoken"] for slider in visit.sliders["sliders"]}) == n + 1
        assert [row[0] for row in visit.drawing("arithmetic")["table"]["rows"]] == [f"{i + 1}  {w}" for i, w in enumerate(words)]
        assert all(hovers[i].endswith(f"{word}, position {i + 1}") for i, word in enumerate(words))
        assert repr(words) in visit.at.code[0].value
    else:
        assert [hovers[t * n].startswith(f"step {t + 1}, {word} →") for t, word in enumerate(words)] == [True] * rows
        assert f'"{words[visit.at.session_state["scenario"].t]}"' in visit.drawing("reading")["reading"]
    assert visit.at.text_input(key=f"lab_own_{side}").value == sentence
    # Nothing that Streamlit would read as Markdown or HTML holds a word of it.
    strange = [word for word in words if not word.isalnum()]
    for text in visit.read_as_markdown:
        if "<style" not in text:
            assert not [word for word in strange if len(word) > 2 and word in text]
    # The lesson shows it as well, and a friend's browser too.
    assert not visit.go(LESSONS[0]).failed
    assert visit.go(LAB).errors == []
    if visit.link.get(side):
        assert visit.link[side] == sentence
        friend = Visit(visit.link)
        assert friend.warnings == []
        assert friend.drawings == visit.drawings


def test_scores_stay_at_their_positions() -> None:
    visit = Visit().type("source", "Je suis un bon étudiant")
    assert visit.values == [0.3, 2.1, 0.5, 0, 0, 1]
    assert visit.at.selectbox(key="lab_scenario").value == OWN
    visit.type("source", "Je suis")
    assert visit.values == [0.3, 2.1, 1]
    visit.type("target", "I")
    assert visit.sliders["label"] == "Scores of step 1"
    assert visit.link == {"source": "Je suis", "target": "I", "scores": "2.4,0.6"}


REFUSED = {
    "thirty-one words": ("w " * 31, "31 words but at most 30"),
    "nothing": ("", "no words"),
    "blanks": (" \u00a0 \u3000", "no words"),
    "nothing to see": ("\u200b \u200d", "no words"),
    "a very long word": ("b" * 41, "41 characters but at most 40"),
    "far too much": ("a " * 6000, "12000 characters"),
}


@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_with_one_sentence(name: str, side: str) -> None:
    sentence, why = REFUSED[name]
    visit = Visit({"scenario": "near-tie"}).move([1, 2, 3, 4, 0.5])
    seen, link = visit.drawings, visit.link
    visit.type(side, sentence)
    assert not visit.failed
    (error,) = visit.errors
    assert why in error
    assert error.startswith("Nothing was changed")
    assert error.count(". ") == 0
    assert len(error) < 250
    assert (visit.drawings, visit.link) == (seen, link), "the last good state stays"
    assert visit.at.text_input(key=f"lab_own_{side}").value == sentence, "and what was typed can be mended"
    # A better one is taken, and the trouble is over.
    visit.type(side, "la banque")
    assert visit.errors == []
    assert visit.link[side] == "la banque"


@pytest.mark.parametrize("word", ["![](http://h.test/i.png)", "**bold**", "$x$", ":red[x]", "[a](http://h.test)"])
def test_a_refusal_quotes_and_does_not_obey(word: str) -> None:
    (error,) = Visit().type("source", word + "x" * 41).at.error
    assert not lively(error.value), error.value


# --- Files -----------------------------------------------------------------------------------------------------------


def open_file(text: str | bytes, link: dict[str, str] | None = None) -> Visit:
    """Choose a file on the lab's page."""
    visit = Visit(link)
    content_ = text if isinstance(text, bytes) else text.encode()
    visit.at.file_uploader(key="lab_own_file").upload("scenario.json", content_, "application/json")
    return visit.run()


SAVED = {
    "moved": RUNNING.with_row([1, 2, 3]).with_temperature(0.5),
    "another": PREPARED["repeated words"].with_step(0),
    "own": Scenario(OWN, ("the", "the", "<b>"), ("10", "1E1"), ((1, 2, 3), (0, 0, -1000)), 1, 0.7, 12),
}


@pytest.mark.parametrize("name", SAVED)
def test_a_saved_file_opens_the_same_elsewhere(name: str, downloads: dict[str, str]) -> None:
    scenario = SAVED[name]
    sender = Visit()
    sender.at.session_state["scenario"] = scenario
    sender.run()
    saved = downloads["attention.json"]
    receiver = open_file(saved)
    assert receiver.errors == []
    assert receiver.at.session_state["scenario"] == scenario
    assert receiver.values == sender.values
    assert receiver.link == sender.link
    assert receiver.trace("map")["z"] == sender.trace("map")["z"]
    assert receiver.run().values == sender.values, "it is opened once, not at every press of a key"
    assert receiver.move([0.0] * (len(sender.values) - 1) + [1.0]).values[-1] == 1.0


NO_FILE = {
    "not text": b"\xff\xfe\x00\x81",
    "not JSON": "{",
    "empty": "",
    "nested too deeply": "[" * 100_000,
    "a list": "[1, 2]",
    "null": "null",
    "another format": '{"format": "x"}',
    "NaN": to_file(RUNNING).replace("2.4", "NaN"),
    "1e999": to_file(RUNNING).replace("2.4", "1e999"),
    "a very long number": to_file(RUNNING).replace("2.4", "9" * 6000),
    "a score as text": to_file(RUNNING).replace("2.4", '"2.4"'),
    "too many words": to_file(RUNNING).replace('["Je"', "[" + '"w", ' * 30 + '"Je"'),
    "step 0": to_file(RUNNING.with_step(0)).replace('"t": 1', '"t": 0'),
}


@pytest.mark.parametrize("name", NO_FILE)
def test_a_file_that_is_none_is_refused_with_one_sentence(name: str) -> None:
    before = Visit({"scenario": "near-tie", "t": "2"})
    visit = open_file(NO_FILE[name], {"scenario": "near-tie", "t": "2"})
    assert not visit.failed
    (error,) = visit.errors
    assert error.startswith("Nothing was changed: ")
    assert len(error) < 250
    assert (visit.drawings, visit.link) == (before.drawings, before.link)


STRANGER = Scenario(OWN, ("a", "b", "c", "d", "e"), ("x",), ((1, 2, 3, 4, 5),), 0, 1.0, 7)


@pytest.mark.parametrize(
    "scenario",
    [
        replace(STRANGER, name="running example"),
        replace(STRANGER, name="running example", target=tuple("xyzuvw"), scores=((0.0,) * 5,) * 6, t=5),
        replace(STRANGER, name="one source word"),
        replace(STRANGER, name="near-tie", source=("a",), scores=((1,),)),
    ],
    ids=["more source words", "more steps", "many for one", "fewer"],
)
def test_a_file_with_the_name_of_a_prepared_scenario_and_other_words_opens(scenario: Scenario) -> None:
    """Anybody can edit a file: a name promises nothing about the words."""
    visit = open_file(to_file(scenario))
    assert not visit.failed
    assert [slider["word"] for slider in visit.sliders["sliders"][:-1]] == list(scenario.source)
    assert visit.values == [*scenario.scores[scenario.t], 1.0]
    assert visit.at.selectbox(key="lab_scenario").value == OWN


def test_a_file_with_a_name_of_its_own_is_own_sentences_to_the_menu() -> None:
    visit = open_file(to_file(replace(RUNNING, name="from an old version").with_row([1, 2, 3])))
    menu = visit.at.selectbox(key="lab_scenario")
    assert menu.value != "running example", "the menu must not show a scenario that is not in hand"
    assert not visit.failed
    menu.set_value("near-tie")
    visit.run()
    assert visit.values == [*PREPARED["near-tie"].scores[0], 1.0]
    visit.at.selectbox(key="lab_scenario").set_value("running example")
    assert visit.run().values == [0.3, 2.1, 0.5, 1.0]


def test_strict_json_is_what_is_offered(downloads: dict[str, str]) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    for link in ({"scenario": "a gap too wide for float64"}, {"source": "nan inf null", "target": "NaN"}):
        Visit(link)
        json.loads(downloads["attention.json"], parse_constant=refuse)
