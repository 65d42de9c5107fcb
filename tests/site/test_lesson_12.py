"""Lesson 12: the bottleneck as it stands on the cards, and a bill that follows the hand."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from pages.parts.contents import ROOT
from tests.content.test_snippets import run
from tests.site.visit import PAGES, Visit

PAGE = next(page for page in PAGES if page.slug == "the_bottleneck_and_the_bill")


def card(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / "assets" / "models" / f"{name}.toml").read_text("utf-8"))


WITH, WITHOUT = card("long-french"), card("long-french-without")


def test_the_bottleneck() -> None:
    """At 15 to 20 words, with attention at least .95, without at most .35: same size, same data, same steps."""
    for name in ("15-17", "18-20"):
        assert WITH["exact_match_by_length"][name] >= 0.95
        assert WITHOUT["exact_match_by_length"][name] <= 0.35
    for key in ("task", "seed", "sizes", "recipe", "training_sentences"):
        assert WITH[key] == WITHOUT[key]
    assert (WITH["attention"], WITHOUT["attention"]) == (True, False)


def test_the_figure_and_the_table_are_the_cards() -> None:
    visit = Visit({}, PAGE)
    one, other = visit.drawings["bill_accuracy"]["figure"]["data"][:2]
    assert one["customdata"] == list(WITH["exact_match_by_length"])
    assert one["y"] == list(WITH["exact_match_by_length"].values())
    assert other["y"] == list(WITHOUT["exact_match_by_length"].values())
    assert [row[0] for row in visit.drawings["bill_table"]["table"]["rows"]] == one["customdata"]
    (command,) = [block.value for block in visit.at.code if block.language == "bash"]
    for name in ("long-french", "long-french-without"):
        assert card(name)["command"] == f"python -m attention_core.seq2seq {name}"
        assert name in command.removeprefix("python -m attention_core.seq2seq ").split()


@pytest.mark.parametrize("length", range(3, 21))
def test_a_length_marks_its_bin_and_says_both_figures(length: int) -> None:
    visit = Visit({"length": str(length)} if length != 16 else {}, PAGE)
    name = next(name for name in WITH["exact_match_by_length"] if int(name.split("-")[0]) <= length <= int(name.split("-")[1]))
    place = list(WITH["exact_match_by_length"]).index(name)
    assert visit.drawings["bill_accuracy"]["figure"]["data"][2]["x"] == [place, place]
    right = visit.drawings["bill_accuracy"]["reading"]
    assert right.startswith(f"{name} words: ")
    share = WITHOUT["exact_match_by_length"][name]
    assert (f"{share:.1%}" if share < 0.01 else f"{share:.0%}").replace("%", " %") in right


def test_the_bill_follows_the_hand() -> None:
    visit = Visit({}, PAGE)
    assert visit.values == [16, 20, 20]
    assert "20 × 20 = 400 scores; both lengths doubled, 1,600." in visit.drawings["bill_said"]["reading"]
    layout = visit.drawings["bill_operations"]["figure"]["layout"]
    visit.move([16, 200, 100])
    assert "200 × 100 = 20,000 scores" in visit.drawings["bill_said"]["reading"]
    figure = visit.drawings["bill_operations"]["figure"]
    assert figure["layout"] == layout, "nothing jumps"
    pairs, network = 200 * 100 * (3 * 64 + 64 + 2) + 200 * 64 * 64 + 100 * 64 * 32, (200 * 2 * 58 + 100 * 122) * 96
    assert [trace["y"] for trace in figure["data"][4:6]] == [[pairs], [network]]
    assert visit.run().link == {"T_x": "200", "T_y": "100"}
    assert Visit(visit.link, PAGE).drawings == visit.drawings
    block = next(block.value for block in visit.at.code if block.language == "python")
    assert run(block)[1:3] == [f"operations of attention: {pairs}", f"operations of the network: {network}"]


def test_seconds_appear_when_the_button_is_pressed() -> None:
    visit = Visit({}, PAGE)
    assert "figure" not in visit.drawings["bill_seconds"]
    visit.at.button(key="bill_measure").click()
    visit.run()
    assert not visit.failed
    assert visit.link == {"time": "measured"}
    drawing = visit.drawings["bill_seconds"]
    assert drawing["reading"].startswith("Doubling makes attention ")
    visit.move([16, 30, 20])
    assert visit.drawings["bill_seconds"]["figure"]["data"][:2] == drawing["figure"]["data"][:2], "measured once"


def test_bad_settings_are_named() -> None:
    bad = {"length": "21", "T_x": "0", "T_y": "2001", "time": "soon"}
    visit = Visit(bad, PAGE)
    (warning,) = visit.warnings
    assert all(f'"{name}"' in warning for name in bad)
    assert visit.link == {}
