"""The break-it bench as a reader meets it: both codes follow the hand, alarms are told in words, the game keeps its secret."""

from __future__ import annotations

import ast
import math
import re

import pytest

from pages.parts import bench
from pages.parts.alarms import ALARMS
from pages.parts.broken import BUGS, NAMES, NOTHING
from pages.parts.content import prepared_scenarios
from tests.content.test_snippets import run
from tests.parts.told import MINUS_ZERO
from tests.site.visit import LESSONS, Visit, softmax

(PAGE,) = (page for page in LESSONS if page.slug == "break_it_bench")
RUNNING = prepared_scenarios()["running example"]


def weights(visit: Visit, whose: str) -> list[list[float | None]]:
    return visit.drawings[f"bench_{whose}"]["figure"]["data"][0]["z"]


def texts(visit: Visit, whose: str) -> list[str]:
    return visit.drawings[f"bench_{whose}"]["figure"]["data"][1]["text"]


def heard(visit: Visit) -> dict[str, str]:
    """What the panel says of the broken code, and that the right one is quiet."""
    rows = visit.drawings["bench_alarms"]["table"]["rows"]
    assert [row[0] for row in rows] == list(ALARMS)
    assert {row[1] for row in rows} == {"quiet"}
    return {name: said.removeprefix("▲ RINGS").strip() for name, _, said in rows if said != "quiet"}


def test_without_a_bug_both_sides_are_the_right_code() -> None:
    visit = Visit({}, PAGE)
    assert weights(visit, "right") == weights(visit, "broken")
    assert weights(visit, "right")[1] == pytest.approx([*softmax([0.3, 2.1, 0.5]), 0.0], abs=1e-15)
    assert heard(visit) == {}
    assert visit.drawings["bench_alarms"]["table"]["total"] == ["ringing", "0 of 13", "0 of 13"]
    assert "Nothing is broken" in visit.drawings["bench_said"]["reading"]
    assert visit.drawings["bench_right"]["figure"]["layout"]["xaxis"]["ticktext"] == ["Je", "suis", "étudiant", "(pad)"]


@pytest.mark.parametrize("bug", BUGS)
def test_every_bug_shows_its_code_its_story_and_its_symptoms(bug: str) -> None:
    visit = Visit({"bug": bug}, PAGE)
    assert not visit.failed
    assert visit.warnings == []
    assert visit.link == {"bug": bug}
    assert heard(visit)
    sentences = visit.drawings["bench_said"]["reading"]
    assert sentences.endswith(".")
    markdown = " ".join(visit.read_as_markdown)
    assert BUGS[bug].story in markdown
    right, wrong, program = (block.value for block in visit.at.code)
    assert BUGS[bug].wrong.__name__ in wrong
    assert right.startswith("def ")
    assert wrong in program, "what is shown is what is pasted"
    for text in visit.texts:
        assert not MINUS_ZERO.search(text), text


LINKS = {
    "plain": {},
    "odd": {"source": "a 'b' \"c\"", "target": "d e", "scores": "1.5,-2,0;0,0.25,3", "t": "2", "temperature": "0.5"},
    "far": {"plus": "800", "temperature": "0.5", "padding": "2"},
}


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
@pytest.mark.parametrize("bug", NAMES)
def test_the_block_prints_what_the_page_shows(bug: str, link: dict[str, str]) -> None:
    visit = Visit({**link, "bug": bug} if bug != NOTHING else link, PAGE)
    t = int(link.get("t", 2)) - 1
    lines = run(visit.at.code[-1].value)
    assert len(lines) == 4
    for whose, (line, context) in {"right": lines[:2], "broken": lines[2:]}.items():
        name, _, rest = line.partition(": weights ")
        assert name == whose
        printed = ast.literal_eval(re.sub(r"\b(nan|inf)\b", "None", rest.partition("]")[0] + "]"))
        for shown, number in zip(weights(visit, whose)[t], printed, strict=True):
            assert (shown is None and number is None) or number == pytest.approx(shown, abs=5.1e-5)
        shown_c = [row[t] for row in visit.drawings[f"bench_{whose}_c"]["figure"]["data"][0]["z"]]
        printed = ast.literal_eval(re.sub(r"\b(nan|inf)\b", "None", context.partition(": context ")[2]))
        for shown, number in zip(shown_c, printed, strict=True):
            assert (shown is None and number is None) or number == pytest.approx(shown, abs=5.1e-5, rel=1e-12)


def test_both_maps_follow_the_scores() -> None:
    visit = Visit({"bug": "no denominator"}, PAGE)
    assert texts(visit, "broken")[4:8] == ["1.35", "8.17", "1.65", "0.00"]
    visit.move([1.0, 0.0, -1.0, 2.0, 0.0])  # scores, temperature, constant
    assert weights(visit, "right")[1] == pytest.approx([*softmax([1, 0, -1], 2), 0], abs=1e-15)
    assert weights(visit, "broken")[1] == pytest.approx([math.exp(0.5), 1.0, math.exp(-0.5), 0.0], rel=1e-14)
    # Above 1 the colour says no more: the cell is framed, and its number says how much.
    framed = [shape for shape in visit.drawings["bench_broken"]["figure"]["layout"]["shapes"] if shape["line"].get("dash")]
    assert [(s["x0"], s["x1"]) for s in framed if s["y0"] == 0.5] == [(-0.5, 0.5)]
    assert "weights above 1" in visit.drawings["bench_broken"]["reading"]


@pytest.mark.parametrize("bug", ["s_t instead of s_(t-1)", "scale by the wrong dimension", "encoder states never used"])
def test_where_scores_are_made_the_hand_holds_the_first_state(bug: str) -> None:
    visit = Visit({"bug": bug}, PAGE)
    assert [slider["word"] for slider in visit.sliders["sliders"]] == [
        *(f"s₀ [{k}]" for k in range(1, 5)),
        "temperature",
        "+ constant",
    ]
    before = weights(visit, "right")
    home = visit.values
    visit.move([0.9, -0.9, *home[2:]])
    assert weights(visit, "right") != before
    visit.send(visit.sliders_key, {"settled": 1}).run()
    assert visit.link == {"bug": bug, "start": "s1:0.9,s2:-0.9"}
    assert weights(Visit(visit.link, PAGE), "broken") == weights(visit, "broken")
    visit.at.button(key="bench_reset").click()
    visit.run()
    assert visit.values == home
    assert weights(visit, "right") == before


def test_a_number_beyond_the_track_widens_it() -> None:
    visit = Visit({"bug": "s_t instead of s_(t-1)", "start": "s1:2.5"}, PAGE)
    assert visit.values[0] == 2.5
    for slider in visit.sliders["sliders"]:
        assert slider["min"] <= slider["value"] <= slider["max"]


def test_what_is_no_number_is_grey_and_says_nan() -> None:
    visit = Visit({"bug": "no maximum subtracted"}, PAGE)
    assert heard(visit) == {"a constant counts": "+997.20"}  # 1000 less the largest score
    visit.move([*visit.values[:-1], 800.0])
    assert texts(visit, "broken")[:4] == ["NaN", "NaN", "NaN", "0.00"]
    assert weights(visit, "broken") == [[None, None, None, 0.0]] * 4
    assert set(heard(visit)) >= {"not finite", "row sums"}
    assert "NaN, not a number: inf ÷ inf, or 0 ÷ 0" in visit.drawings["bench_said"]["reading"]
    assert weights(visit, "right")[1] == pytest.approx([*softmax([0.3, 2.1, 0.5]), 0.0], abs=1e-12)
    grey = [shape for shape in visit.drawings["bench_broken"]["figure"]["layout"]["shapes"] if shape.get("layer") == "below"]
    assert [(s["x0"], s["x1"], s["y0"]) for s in grey] == [(-0.5, 2.5, r - 0.5) for r in range(4)]


def test_padding_is_chosen_and_nobody_looks_at_it() -> None:
    lost = []
    for padding in range(bench.MOST_PADDING + 1):
        visit = Visit({"bug": "mask after the softmax", "padding": str(padding)}, PAGE)
        assert all(row[3:] == [0.0] * padding for row in weights(visit, "right"))
        lost.append(1 - sum(weights(visit, "broken")[1]))
        assert lost[-1] == pytest.approx(sum(softmax([0.3, 2.1, 0.5] + [0.0] * padding)[3:]), abs=1e-12)
    assert lost == sorted(lost)


def test_the_arithmetic_shows_both_sums() -> None:
    table = Visit({"bug": "no denominator"}, PAGE).drawings["bench_arithmetic"]["table"]
    assert [row[5] for row in table["rows"]] == ["1.3499", "8.1662", "1.6487", "1.0000"]
    assert table["total"][3] == "1.0000"
    assert table["total"][6] == "11.1647"


def test_bad_settings_are_named() -> None:
    visit = Visit({"bug": "No Denominator", "padding": "5", "start": "s5:1", "plus": "1001", "game": "-1"}, PAGE)
    (warning,) = visit.warnings
    for name in ("bug", "padding", "start", "plus", "game"):
        assert f'"{name}" in the link is ignored' in warning
    assert visit.link == {}


# --- The game ------------------------------------------------------------------------------------------------------------


def hidden(seed: int) -> str:
    return bench.game_of(RUNNING.source, RUNNING.target, seed).bug


def radio(visit: Visit):
    (found,) = (radio for radio in visit.at.radio if radio.key.startswith("bench_game"))
    return found


def lock(visit: Visit, answer: int) -> Visit:
    radio(visit).set_value(answer)
    visit.run()
    (button,) = (button for button in visit.at.button if button.key.startswith("bench_game") and button.key.endswith("_lock"))
    button.click()
    return visit.run()


def test_a_game_gives_nothing_away_until_the_answer_is_locked() -> None:
    assert {hidden(seed) for seed in range(1, 10)} == set(NAMES), "nine games, and none of them twice"
    for seed in (1, 3, 7):
        visit = Visit({"game": str(seed)}, PAGE)
        assert visit.link == {"game": str(seed)}
        assert len(visit.at.code) == 0, "the code would tell"
        told = " ".join([*visit.texts, *visit.read_as_markdown])
        assert not [bug for bug in BUGS if bug in told]
        assert not [card.story for card in BUGS.values() if card.story in told]
        assert [slider["word"] for slider in visit.sliders["sliders"]] == ["temperature", "+ constant"], "alike in every game"
        assert bool(heard(visit)) == (hidden(seed) != NOTHING)


def test_the_answer_is_judged_and_explained_and_the_score_kept() -> None:
    visit = Visit({"game": "1"}, PAGE)
    lock(visit, NAMES.index(hidden(1)))
    markdown = visit.read_as_markdown
    assert any("**Right.**" in text for text in markdown)
    assert any("Found so far: 1 of 1 bug." in text for text in markdown)
    assert any(BUGS[hidden(1)].story in text for text in markdown)
    assert len(visit.at.code) == 3
    assert len(run(visit.at.code[-1].value)) == 4
    visit.at.button(key="bench_next").click()
    visit.run()
    assert visit.link == {"game": "2"}
    wrong = (NAMES.index(hidden(2)) + 1) % len(NAMES)
    lock(visit, wrong)
    assert any("**It is: " in text for text in visit.read_as_markdown)
    assert any("Found so far: 1 of 2 bugs." in text for text in visit.read_as_markdown)
    # Taking the answer back does not mend the score.
    (again,) = (button for button in visit.at.button if button.key.endswith("_again"))
    again.click()
    lock(visit.run(), NAMES.index(hidden(2)))
    assert any("Found so far: 1 of 2 bugs." in text for text in visit.read_as_markdown)
    visit.at.button(key="bench_leave").click()
    visit.run()
    assert visit.link == {}
    assert len(visit.at.code) == 1


def test_a_game_can_be_felt_with_the_two_sliders_that_every_score_shares() -> None:
    seed = next(seed for seed in range(1, 60) if hidden(seed) == "no maximum subtracted")
    visit = Visit({"game": str(seed)}, PAGE)
    assert "NaN" not in texts(visit, "broken")
    visit.move([1.0, 900.0])
    assert "NaN" in texts(visit, "broken")
    assert "NaN" not in texts(visit, "right")
    visit.at.button(key="bench_next").click()
    assert visit.run().values == [1.0, 0.0]


def test_the_button_opens_a_game_that_was_not_played_yet() -> None:
    visit = Visit({}, PAGE)
    visit.at.button(key="bench_play").click()
    assert visit.run().link == {"game": "1"}
    lock(visit, 0)
    visit.at.button(key="bench_leave").click()
    visit.run().at.button(key="bench_play").click()
    assert visit.run().link == {"game": "2"}
