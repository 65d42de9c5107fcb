"""A translator you can open: it writes, its maps are what a person would draw, and every hand in its works has a link."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from pages.parts.contents import ROOT
from pages.parts.interventions import KINDS
from tests.site.visit import PAGES, Visit, unescaped

(PAGE,) = (page for page in PAGES if page.slug == "a_translator_you_can_open")


def opened(**link: str) -> Visit:
    return Visit(link, PAGE)


def figure(visit: Visit, name: str) -> dict[str, Any]:
    found: dict[str, Any] = visit.drawings[f"opened_{name}"]["figure"]
    return found


def rows(visit: Visit) -> list[str]:
    """What the rows of the map are called."""
    labels = next(t for t in figure(visit, "map")["data"] if t.get("textposition") == "middle left")
    return [str(text).rstrip("\u00a0") for text in labels["text"]]


def tops(visit: Visit) -> list[int]:
    return [max(range(len(row)), key=row.__getitem__) for row in figure(visit, "map")["data"][0]["z"]]


def reading(visit: Visit, name: str = "shows") -> str:
    return str(visit.drawings[f"opened_{name}"]["reading"])


def test_je_suis_etudiant_is_i_am_a_student_with_the_map_a_person_would_draw() -> None:
    visit = opened(word="5")
    assert rows(visit) == ["I", "○ am", "○ a", "student", "○ &lt;eos>"]
    assert reading(visit, "map") == "Written: I am a student"
    assert figure(visit, "map")["layout"]["xaxis"]["ticktext"][:3] == ["je", "suis", "étudiant"]
    weights = figure(visit, "map")["data"][0]["z"]
    for step, place in ((0, 0), (1, 1), (3, 2)):  # "a" has no true place, nor has the end
        assert weights[step][place] > 0.8
    assert tops(visit)[4] == 3, "the end looks at the end"


def test_the_japanese_map_is_not_diagonal() -> None:
    visit = opened(model="japanese", input="The cat eats a fish", word="6")
    assert reading(visit, "map") == "Written: neko wa sakana o tabemasu"
    by_word = dict(zip(rows(visit), tops(visit), strict=True))
    assert (by_word["猫 neko"], by_word["魚 sakana"], by_word["食べます tabemasu"]) == (1, 4, 2), "the verb comes last"
    assert {word for word in rows(visit) if word.startswith("○")} == {"○ は wa", "○ を o", "○ &lt;eos>"}


def test_it_is_watched_while_it_writes() -> None:
    visit = opened(word="1")
    assert rows(visit) == ["I", "·", "·", "·", "·"]
    epoch, before = visit.sliders["epoch"], figure(visit, "map")
    visit.move([3])
    after = figure(visit, "map")
    assert visit.sliders["epoch"] == epoch
    assert rows(visit) == ["I", "○ am", "○ a", "·", "·"]
    assert reading(visit, "map") == "Written: I am a"
    assert after["data"][-1]["y"] == [1.5, 1.5, 2.5, 2.5, 1.5], "the row in hand is framed"
    assert after["layout"] == before["layout"]
    assert visit.run().link == {"word": "3"}
    visit.trigger("opened_map", "clicked", {"row": 4, "column": 0})
    assert visit.link == {"word": "5"}


def test_entropy_and_guesses_are_those_of_the_step() -> None:
    nats, bits = opened(word="2"), opened(word="2", unit="bits")
    pins = [figure(visit, "entropy")["data"][1]["x"] for visit in (nats, bits)]
    assert pins[1][1] == pytest.approx(pins[0][1] / 0.6931471805599453)
    assert pins[0][2] < 0, "not written yet"
    assert reading(bits, "entropy").endswith("of 2.00 bits")
    heights = figure(nats, "guesses")["data"][0]["y"]
    assert heights == sorted(heights, reverse=True)
    assert len(heights) == 5
    assert figure(nats, "guesses")["data"][2]["text"][0] == "am"


BAD = {
    "": "there is no word to read",
    "word " * 200: "the sentence has 200 words",
    "je suis 12": "has digits",
    "👍": "no Latin letters",
    "أنا طالب": "no Latin letters",
    "je suis etudient": "étudiant",
}


@pytest.mark.parametrize("typed", BAD, ids=lambda typed: repr(typed[:12]))
def test_what_cannot_be_read_is_answered_by_one_sentence(typed: str) -> None:
    visit = opened(input="La petite maison rouge")
    drawings = visit.drawings
    visit.at.text_input(key="opened_input").set_value(typed)
    visit.run()
    (error,) = visit.errors
    assert error.startswith("Nothing was changed: ")
    assert BAD[typed] in error
    assert not visit.failed
    assert visit.drawings == drawings, "the last good state stays"
    linked = opened(input=typed.strip() or "?", hand="block the top word")
    (warning,) = linked.warnings
    assert '"input" in the link is ignored' in warning
    assert linked.link == {"hand": "block the top word"}


def test_case_and_missing_accents_are_understood() -> None:
    visit = opened()
    visit.at.text_input(key="opened_input").set_value("  JE suis   ETUDIANT !")
    visit.run()
    assert visit.errors == []
    assert visit.link == {"input": "JE suis ETUDIANT !"}
    assert reading(visit, "map") == "Written: I am a student"
    visit.at.selectbox(key="opened_example").set_value("La petite maison rouge")
    assert visit.run().link == {"input": "La petite maison rouge"}
    assert reading(visit, "map") == "Written: The small red house"
    visit.at.selectbox(key="opened_example").set_value("Je suis étudiant")
    assert (visit.run().link, visit.warnings) == ({}, []), "the first example needs no link"
    visit.at.selectbox(key="opened_example").set_value("La petite maison rouge")
    visit.run()
    visit.at.segmented_control(key="opened_model").set_value("reverse")
    assert visit.run().link == {"model": "reverse"}, "another network begins with its own example"
    assert visit.warnings == []
    assert rows(visit)[:4] == list("noit")


def test_bad_settings_are_named() -> None:
    bad = {"model": "german", "hand": "both", "word": "0", "order": "x", "own": "0:1", "input": "x" * 201}
    visit = Visit(bad, PAGE)
    (warning,) = visit.warnings
    assert all(f'"{name}" in the link is ignored' in warning for name in bad)
    assert visit.link == {}
    assert opened(own="9:0.5,2:0.25", hand="own weights").warnings == [], "places beyond the sentence are passed over"


def test_blocking_a_word_shows_what_changed_beside_what_was() -> None:
    visit = opened(hand="block the top word", word="4")
    first, signs, second = (figure(visit, "words")["data"][k]["text"] for k in range(3))
    assert first == ["I", "am", "a", "student", "&lt;eos>"]
    assert [k for k in range(5) if first[k] != second[k]] == [k for k in range(5) if signs[k] == "≠"] == [3]
    assert f'writes "{second[3]}" instead of "student"' in reading(visit)
    assert figure(visit, "map")["data"][0]["z"][3][2] == 0.0
    assert any("Measured over 500 test inputs" in text for text in visit.read_as_markdown)
    still = opened(hand="block the top word", word="2")
    assert 'step 2 still writes "am": a large weight is no proof of cause' in reading(still)


def test_own_weights_are_held_by_the_sliders_and_go_into_the_link() -> None:
    visit = opened(hand="own weights")
    natural = visit.values
    assert [slider["word"] for slider in visit.sliders["sliders"]] == ["je", "suis", "étudiant", "<eos>"]
    visit.move([1.0, 0.0, 0.0, 1.0])
    assert figure(visit, "map")["data"][0]["z"][3] == pytest.approx([0.5, 0, 0, 0.5])
    visit.run()
    assert visit.link == {"hand": "own weights", "own": "1:1,2:0,3:0,4:1"}
    again = Visit(visit.link, PAGE)
    assert again.drawings == visit.drawings
    assert [slider["home"] for slider in again.sliders["sliders"]] == natural
    again.move(natural)
    assert again.run().link == {"hand": "own weights"}
    again.move([0.0] * 4)
    assert figure(again, "map")["data"][0]["z"][3] == [0.25] * 4
    again.at.number_input(key="opened_step").set_value(2)
    assert again.run().link == {"hand": "own weights", "word": "2"}, "another step has its own weights"


@pytest.mark.parametrize("kind", KINDS)
def test_every_hand_has_a_link_and_a_numpy_block_that_prints_the_screen(kind: str) -> None:
    link = {"input": "la petite maison rouge", "hand": kind, "word": "3", "order": "2"}
    if kind == "none":
        del link["hand"]
    if kind == "own weights":
        link["own"] = "2:0.5,4:0.125"
    visit = Visit(link, PAGE)
    assert (visit.warnings, visit.link) == ([], link)
    assert Visit(visit.link, PAGE).drawings == visit.drawings
    done = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-W", "error", "-c", visit.at.code[0].value],
        capture_output=True, encoding="utf-8", timeout=60, check=False, cwd=ROOT,
    )  # fmt: skip
    assert (done.stderr, done.returncode) == ("", 0)
    alpha, *likely = done.stdout.splitlines()
    printed = [float(a) for a in alpha.removeprefix("alpha [").removesuffix("]").split(",")]
    assert printed == pytest.approx(figure(visit, "map")["data"][0]["z"][2], abs=0.6e-4)
    bars = figure(visit, "guesses")["data"]
    assert [line.split()[1] for line in likely] == bars[2]["text"]
    assert [float(line.split()[0]) for line in likely] == pytest.approx(bars[0]["y"], abs=0.6e-4)


def test_where_the_numbers_live_is_counted() -> None:
    (text,) = [unescaped(text) for text in opened().read_as_markdown if "Learned and kept" in text]
    with np.load(ROOT / "assets" / "models" / "french.npz") as file:
        every = sum(file[name].size for name in file.files if not name.endswith("_words"))
    assert f"W_a 64 × 32, U_a 64 × 64, v_a 64 and the rest of the network: {every:,} numbers" in text
    assert "5 × 4 = 20 weights α" in text
