"""The score lab: every control drives the drawings, and what a hand sets is what everything shows."""

from __future__ import annotations

import csv
import io
import json
import random
import re

import pytest

from pages.parts import content, current
from pages.parts.contents import ROOT, page_of
from pages.parts.scenario import OWN, Scenario, from_file
from tests.parts.told import MINUS_ZERO, NO_NUMBER
from tests.site.visit import LAB, LESSONS, Visit, entropy, softmax

PREPARED = content.prepared_scenarios()


def bars(visit: Visit) -> tuple[list[float], list[float]]:
    """Heights before and after."""
    return visit.trace("before")["y"], visit.trace("after")["y"]


def check_agrees(visit: Visit) -> None:
    """Sliders, both charts, map, table and code show the same scores and temperature, and the weights follow from them."""
    *scores, temperature = visit.values
    weights = pytest.approx(softmax(scores, temperature), rel=0, abs=1e-12)
    before, after = bars(visit)
    assert before == scores
    assert after == weights
    t = int(visit.sliders["label"].removeprefix("Scores of step ")) - 1
    assert visit.trace("map")["z"][t] == weights
    frame = visit.drawing("map")["figure"]["layout"]["shapes"][0]
    assert (frame["y0"], frame["y1"]) == (t - 0.5, t + 0.5)
    table = visit.drawing("arithmetic")["table"]["rows"]
    assert [float(row[1]) for row in table] == scores
    code = visit.at.code[0].value
    assert str(scores) in code
    assert f"t, temperature = {t + 1}, {temperature}" in code


# --- The controls ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PREPARED)
def test_the_menu_opens_a_scenario(name: str) -> None:
    visit = Visit()
    visit.at.selectbox(key="lab_scenario").set_value(name)
    visit.run()
    chosen = PREPARED[name]
    assert visit.at.selectbox(key="lab_scenario").value == name
    assert visit.values == [*chosen.scores[chosen.t], chosen.temperature]
    assert visit.trace("before")["x"] == list(range(len(chosen.source)))
    check_agrees(visit)
    assert visit.link == ({"scenario": name} if name != next(iter(PREPARED)) else {})
    notes = content.scenario_notes()
    assert any(notes[name] in text for text in visit.read_as_markdown)


def test_the_menu_lists_the_prepared_scenarios_in_order() -> None:
    menu = Visit().at.selectbox(key="lab_scenario")
    assert menu.options == list(PREPARED)
    assert Visit({"source": "a b", "target": "c"}).at.selectbox(key="lab_scenario").options == [*PREPARED, OWN]


def test_the_step_control_counts_from_1_and_drives_everything() -> None:
    visit = Visit({"scenario": "near-tie"})
    rows = PREPARED["near-tie"].scores
    for t in range(4):
        visit.at.number_input(key="lab_step").set_value(t + 1)
        visit.run()
        assert visit.sliders["label"] == f"Scores of step {t + 1}"
        assert visit.values[:-1] == list(rows[t])
        check_agrees(visit)
        assert f"At step {t + 1}, " in visit.drawing("reading")["reading"]
        assert visit.link.get("t") == (str(t + 1) if t else None)
    step = visit.at.number_input(key="lab_step")
    assert (step.min, step.max) == (1, 4)


def test_a_click_in_the_map_holds_its_row() -> None:
    visit = Visit()
    visit.trigger("lab_map", "clicked", {"row": 3, "column": 1})
    assert visit.sliders["label"] == "Scores of step 4"
    assert visit.at.number_input(key="lab_step").value == 4
    assert visit.link == {"t": "4"}
    check_agrees(visit)


def test_a_shorter_scenario_takes_over_from_a_late_step() -> None:
    visit = Visit({"scenario": "repeated words", "t": "6"})
    visit.at.selectbox(key="lab_scenario").set_value("one source word")
    visit.run()
    assert not visit.failed
    assert visit.at.number_input(key="lab_step").max == 2
    check_agrees(visit)


def test_moving_sliders_moves_everything() -> None:
    visit = Visit().move([3.2, -1, 0.5, 0.7])
    assert visit.values == [3.2, -1, 0.5, 0.7]
    check_agrees(visit)
    assert visit.link == {"scores": "2.4,0.6,-0.3;3.2,-1,0.5;-0.4,0.9,1.3;-0.5,0.4,2.8", "temperature": "0.7"}
    assert visit.sliders["seq"] == 1, "the answer names the newest report"


def test_a_hand_may_pass_the_end_of_the_track_by_typing() -> None:
    visit = Visit().move([12, 0, 0, 1])
    *scores, temperature = visit.sliders["sliders"]
    assert {(s["min"], s["max"]) for s in scores} == {(-20, 20)}
    assert {(s["least"], s["most"]) for s in scores} == {(-1000, 1000)}
    assert (temperature["min"], temperature["max"], temperature["least"], temperature["most"]) == (0.1, 10, 0.01, 100)
    low, high = visit.drawing("before")["figure"]["layout"]["yaxis"]["range"]
    assert low < -20 < 20 < high
    # While a hand moves, the range may grow; it does not shrink under it.
    assert visit.move([0, 0, 0, 1]).sliders["sliders"][0]["max"] == 20
    visit.at.selectbox(key="lab_scenario").set_value("near-tie")
    assert visit.run().sliders["sliders"][0]["max"] == 5


def test_reset_goes_back_to_where_the_scenario_began() -> None:
    visit = Visit({"scenario": "near-tie", "t": "3"})
    assert visit.at.button(key="lab_reset").disabled
    epoch = visit.sliders["epoch"]
    visit.move([1, 2, 3, 4, 0.2])
    assert visit.sliders["epoch"] == epoch, "a movement goes on"
    assert not visit.at.button(key="lab_reset").disabled
    visit.at.button(key="lab_reset").click()
    visit.run()
    assert visit.sliders["epoch"] != epoch, "what the sliders have under way is void"
    assert visit.values == [*PREPARED["near-tie"].scores[2], 1.0]
    assert visit.link == {"scenario": "near-tie", "t": "3"}
    assert visit.at.button(key="lab_reset").disabled
    check_agrees(visit)
    assert [s["home"] for s in visit.sliders["sliders"]] == visit.values


def test_reset_of_own_sentences_goes_to_zero() -> None:
    visit = Visit({"source": "a b", "target": "c d", "scores": "1,2;3,4", "temperature": "2", "t": "2"})
    visit.at.button(key="lab_reset").click()
    visit.run()
    assert visit.values == [0, 0, 1]
    assert visit.link == {"source": "a b", "target": "c d", "t": "2"}


def test_the_seed_draws_other_states_and_leaves_the_weights() -> None:
    visit = Visit()
    before, points = bars(visit), visit.trace("context", 1)["x"]
    visit.at.number_input(key="lab_own_seed").set_value(8)
    visit.run()
    assert bars(visit) == before
    assert visit.trace("context", 1)["x"] != points
    assert visit.link == {"seed": "8"}


def test_the_projector_is_part_of_the_link_and_of_the_look() -> None:
    visit = Visit()
    plain, looks = visit.read_as_markdown, {frame["look"] for frame in visit.frames.values()}
    visit.trigger("frame_bar", "projector", True)
    assert visit.bar["projector"] is True
    assert visit.link == {"projector": "1"}
    assert len("".join(visit.read_as_markdown)) > len("".join(plain)), "another stylesheet"
    assert {frame["look"] for frame in visit.frames.values()} != looks, "figures are painted again"
    visit.trigger("frame_bar", "projector", False)
    assert visit.link == {}


# --- Nats and bits ---------------------------------------------------------------------------------------------------

# Logarithms of the shares, to four decimals. Right values, computed with mpmath: H(.7, .2, .1) = .80181855254333731 nats =
# 1.1567796494470395 bits, and ln 8 = 2.0794415416798359 nats = 3 bits.
SHARES = {"source": "a b c", "target": "x", "scores": "-0.3567,-1.6094,-2.3026"}
EIGHT = {"source": "a b c d e f g h", "target": "x"}


@pytest.mark.parametrize(
    ("link", "nats", "bits", "most"),
    [
        (SHARES, "H = 0.80 nats", "H = 1.16 bits", ("1.10 nats", "1.58 bits")),
        (EIGHT, "H = 2.08 nats", "H = 3.00 bits", ("2.08 nats", "3.00 bits")),
    ],
)
def test_the_unit_stands_at_every_entropy(link: dict[str, str], nats: str, bits: str, most: tuple[str, str]) -> None:
    visit = Visit(link)
    for unit, said, limit in (("nats", nats, most[0]), ("bits", bits, most[1])):
        visit.at.button_group(key="lab_unit").set_value(unit)
        visit.run()
        assert visit.link == {**link, **({"unit": "bits"} if unit == "bits" else {})}
        reading = visit.drawing("entropy")["reading"]
        assert reading.startswith(f"{said} of at most {limit}: ")
        assert reading in visit.drawing("entropy")["label"]
        weights = softmax(visit.values[:-1])
        h = entropy(weights, base=2) if unit == "bits" else entropy(weights)
        table = visit.drawing("arithmetic")["table"]
        assert f"H = {h:.4f}" in table["total"]
        assert any(f"({unit})" in column for column in table["columns"])
        other = "nats" if unit == "bits" else "bits"
        assert not any(other in text for text in visit.texts)
        assert other not in visit.at.code[0].value
        assert f"entropy: {{H:.4f}} {unit}" in visit.at.code[0].value


def test_the_unit_stays_on_the_other_pages_and_in_the_file(downloads: dict[str, str]) -> None:
    visit = Visit({**EIGHT, "unit": "bits"})
    file = json.loads(downloads["attention.json"])
    assert file["entropy_unit"] == "bits"
    assert file["entropy"] == pytest.approx([3.0], rel=0, abs=1e-12)
    visit.go(LESSONS[0]).go(LAB)
    assert visit.at.button_group(key="lab_unit").value == "bits"
    assert visit.drawing("entropy")["reading"].startswith("H = 3.00 bits")


# --- Repeated words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("the", "cat", "saw", "the", "dog"), ("the", "cat", "the"), ("a",) * 2, ("x",) * 30])
def test_repeated_words_keep_places_of_their_own(words: tuple[str, ...], downloads: dict[str, str]) -> None:
    n = len(words)
    scores = [round(0.1 * ((7 * i) % 10), 4) for i in range(n)]
    row = ",".join(map(str, scores))
    visit = Visit({"source": " ".join(words), "target": " ".join(words), "scores": ";".join([row] * n)})
    assert not visit.failed
    *sliders, _ = visit.sliders["sliders"]
    assert [slider["word"] for slider in sliders] == list(words)
    assert len({slider["spoken"] for slider in visit.sliders["sliders"]}) == n + 1
    assert sliders[-1]["spoken"] == f"score of {words[-1]}, position {n}"
    # Each can be moved by itself.
    visit.move([*scores[:-1], 5.0, 1.0])
    assert visit.values == [*scores[:-1], 5.0, 1.0]
    check_agrees(visit)
    for name in ("before", "after"):
        assert visit.trace(name)["x"] == list(range(n))
        assert visit.drawing(name)["figure"]["layout"]["xaxis"]["ticktext"] == list(words)
    z = visit.trace("map")["z"]
    assert (len(z), {len(line) for line in z}) == (n, {n})
    assert len({cell for line in visit.trace("map")["customdata"] for cell in line}) == n * n
    table = visit.drawing("arithmetic")["table"]
    assert len(table["rows"]) == n
    assert len({line[0] for line in table["rows"]}) == n
    lines = list(csv.reader(io.StringIO(downloads["attention.csv"].removeprefix("\ufeff"))))
    assert lines[0] == ["", *words]
    assert [line[0] for line in lines[1:]] == list(words)
    opened = from_file(downloads["attention.json"])
    assert (opened.source, opened.target) == (words, words)


def test_the_largest_weight_is_a_position_not_a_spelling() -> None:
    # ln of .10 .15 .20 .45 .10 and of .05 .60 .10 .20 .05, to four decimals; the entropies of the rows, computed with
    # mpmath, are 1.4263010621165086 and 1.1582146934012182.
    visit = Visit(
        {
            "source": "the cat saw the dog",
            "target": "x y",
            "scores": "-2.3026,-1.8971,-1.6094,-0.7985,-2.3026;-2.9957,-0.5108,-2.3026,-1.6094,-2.9957",
        }
    )
    z = visit.trace("map")["z"]
    assert z[0] == pytest.approx([0.10, 0.15, 0.20, 0.45, 0.10], rel=0, abs=1e-4)
    assert z[1] == pytest.approx([0.05, 0.60, 0.10, 0.20, 0.05], rel=0, abs=1e-4)
    assert max(range(5), key=z[0].__getitem__) == 3
    assert '"the" (position 4) 0.45' in visit.drawing("map")["label"]
    assert '"the" (position 4)' in visit.drawing("reading")["reading"]
    assert visit.drawing("entropy")["reading"].startswith("H = 1.43 nats")
    visit.at.number_input(key="lab_step").set_value(2)
    assert visit.run().drawing("entropy")["reading"].startswith("H = 1.16 nats")


# --- Staying in hand -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda page: page.file)
def test_what_was_set_survives_a_change_of_page(lesson: object) -> None:
    visit = Visit().move([3.2, -1, 0.5, 0.7])
    link, drawings = visit.link, visit.drawings
    visit.go(lesson)  # type: ignore[arg-type]
    assert not visit.failed
    assert visit.link == link
    visit.go(LAB)
    assert visit.values == [3.2, -1, 0.5, 0.7]
    assert (visit.link, visit.drawings) == (link, drawings)
    check_agrees(visit)


def test_the_back_button_brings_the_link_before() -> None:
    visit = Visit({"scenario": "near-tie"}).move([3.2, -1, 0.5, 0, 0.7])
    before, link = visit.drawings, visit.link
    visit.go(LESSONS[3])
    visit.at.selectbox(key="shares_scenario").set_value("repeated words")
    visit.run()
    visit.page = LAB
    visit.at.switch_page(LAB.file)
    visit.open(link)
    assert visit.values == [3.2, -1, 0.5, 0, 0.7]
    assert visit.drawings == before
    check_agrees(visit)


@pytest.mark.parametrize("ago", [1, 2])
def test_what_is_pressed_before_the_browser_knows_the_new_link_counts(ago: int) -> None:
    """The press arrives with a link from before, and must not bring back what that link holds."""
    visit = Visit()
    links = [visit.move([score, 2, 3, 1]).link for score in (1.0, 4.0, 5.0)]
    visit.at.query_params = links[-1 - ago]
    visit.at.button(key="lab_reset").click()
    visit.run()
    assert visit.values == [0.3, 2.1, 0.5, 1.0]
    assert visit.link == {}
    # Long after, the same link is somebody's, and opens.
    visit.at.session_state["links"] = [(link, until - 60) for link, until in visit.at.session_state["links"]]
    visit.open(links[0])
    assert visit.values == [1, 2, 3, 1]


def test_two_readers_side_by_side_have_a_scenario_each() -> None:
    one, other = Visit({"scenario": "near-tie"}), Visit({"source": "a b", "target": "c", "unit": "bits"})
    seen = one.drawings, other.drawings
    one.move([4, 3, 2, 1, 0.5])
    assert other.run().drawings == seen[1]
    other.move([1, 2, 3])
    other.trigger("frame_bar", "projector", True)
    assert one.run().values == [4, 3, 2, 1, 0.5]
    assert one.bar["projector"] is False
    assert one.link["scenario"] == "near-tie"
    one.at.button(key="lab_reset").click()
    assert one.run().drawings == seen[0]
    assert other.run().values == [1, 2, 3]
    third = Visit()
    assert third.link == {}
    assert third.values == [0.3, 2.1, 0.5, 1.0]


# --- Charts that tell the truth --------------------------------------------------------------------------------------


def test_bars_stand_in_sentence_order_before_and_after() -> None:
    # exp(2), exp(1), exp(.5), exp(0) over their sum, computed with mpmath.
    right = [0.57925852994137376, 0.21309730428862377, 0.12925004855316276, 0.07839411721683971]
    visit = Visit({"source": "we are all here", "target": "x", "scores": "2,1,0.5,0"})
    before, after = visit.drawing("before")["figure"], visit.drawing("after")["figure"]
    assert after["data"][0]["y"] == pytest.approx(right, rel=0, abs=1e-12)
    assert before["data"][0]["y"] == [2, 1, 0.5, 0]
    assert before["layout"]["xaxis"] == after["layout"]["xaxis"]
    assert after["layout"]["xaxis"]["ticktext"] == ["we", "are", "all", "here"]
    assert before["data"][0]["x"] == after["data"][0]["x"] == [0, 1, 2, 3]


@pytest.mark.parametrize("scores", ["0,0,0,0;0,0,0,0;5,5,5,5", "1000,0,0,0;0,0,0,0;0,0,0,0"])
def test_a_uniform_map_is_one_colour_of_a_scale_from_0_to_1(scores: str) -> None:
    cells = Visit({"source": "a b c d", "target": "x y z", "scores": scores}).trace("map")
    assert (cells["zmin"], cells["zmax"]) == (0, 1)
    assert cells["z"][1] == [0.25] * 4
    assert cells["colorbar"]["tickvals"] == [0, 0.5, 1]


def test_words_that_look_like_numbers_stay_words() -> None:
    source, target = "In 2019 , 10 of 1E1 010 2026-01 5", "1 2 10"
    visit = Visit({"source": source, "target": target})
    for name in ("before", "after", "map"):
        axis = visit.drawing(name)["figure"]["layout"]["xaxis"]
        assert axis["tickvals"] == list(range(9))
        assert axis["ticktext"] == source.split()
        assert axis["range"] == [-0.5, 8.5]
        assert axis.get("type", "linear") == "linear"
    rows = visit.drawing("map")["figure"]["layout"]["yaxis"]
    assert (rows["tickvals"], rows["ticktext"], rows["range"]) == ([0, 1, 2], ["1", "2", "10"], [2.5, -0.5])
    assert "x" not in visit.trace("map")
    assert [slider["word"] for slider in visit.sliders["sliders"][:-1]] == source.split()


# Weights and entropies computed with mpmath.
BIG = {
    "1000,1000,999": ([0.42231879825151820, 0.42231879825151820, 0.15536240349696361], 1.0173572075552147),
    "-998,-999,-1000": ([0.66524095577482189, 0.24472847105479765, 0.090030573170380458], 0.8323945959800187),
    "710,709,0": ([0.73105857863000488, 0.26894142136999512, 0.0], 0.5822031088882180),
    "0,-745,-746": ([1.0, 0.0, 0.0], 0.0),
    "1000,-1000,0": ([1.0, 0.0, 0.0], 0.0),
    "1000,-1000,-1000": ([1.0, 0.0, 0.0], 0.0),
    "1000,1000,-1000": ([0.5, 0.5, 0.0], 0.69314718055994531),
}


@pytest.mark.parametrize("scores", BIG)
def test_big_scores_give_plain_numbers(scores: str) -> None:
    weights, h = BIG[scores]
    for unit, per in (("nats", 1.0), ("bits", 0.69314718055994531)):
        visit = Visit({"source": "a b c", "target": "x", "scores": scores, "unit": unit})
        assert not visit.failed
        assert visit.warnings == []
        assert visit.trace("after")["y"] == pytest.approx(weights, rel=0, abs=1e-12)
        assert visit.drawing("entropy")["reading"].startswith(
            f"H = {h / per:.2f} {unit} of at most {1.0986122886681098 / per:.2f}"
        )
        for page in (LAB, *LESSONS):
            visit.go(page)
            json.dumps(visit.drawings, allow_nan=False)
            for text in visit.texts:
                assert not MINUS_ZERO.search(text), text
                assert not NO_NUMBER.search(text), text


def test_more_than_the_limit_is_refused_in_the_link_and_by_the_sliders() -> None:
    visit = Visit({"source": "a b c", "target": "x", "scores": "1e308,-1e308,0"})
    assert re.search(r"scores row 1, column 1 is 1e\+308 but must be a number from -1000 to 1000", visit.warnings[0])
    assert visit.values == [0, 0, 0, 1]
    assert visit.move([1000.1, 0, 0, 1]).values == [0, 0, 0, 1]


def test_zero_is_never_minus_zero() -> None:
    visit = Visit({"source": "a b c", "target": "x", "scores": "-0,-0.0,-0.00001"}).move([-0.0, -0.00001, 0.00004, 1])
    assert visit.link == {"source": "a b c", "target": "x"}
    for text in [*visit.texts, *map(str, visit.values)]:
        assert not MINUS_ZERO.search(text), text


# --- A scenario too large for a link ---------------------------------------------------------------------------------


def test_a_scenario_too_large_for_a_link_is_offered_as_a_file(downloads: dict[str, str]) -> None:
    draw = random.Random(1)
    words = tuple(f"w{i}" for i in range(30))
    grid = tuple(tuple(round(draw.uniform(-5, 5), 4) for _ in words) for _ in words)
    large = Scenario(OWN, words, words, grid, 29, 0.9, 3)
    visit = Visit({"unit": "bits"})
    visit.at.session_state["scenario"] = large
    visit.run()
    assert not visit.failed
    assert visit.values == [*grid[29], 0.9]
    assert visit.trace("map")["z"][29] == pytest.approx(softmax(list(grid[29]), 0.9), rel=0, abs=1e-12)
    assert visit.link == {"unit": "bits"}
    assert visit.bar["query"] == "unit=bits"
    assert "2,000 characters" in visit.bar["trouble"]
    assert "file" in visit.bar["trouble"]
    assert [caption.value for caption in visit.at.caption if caption.value == visit.bar["trouble"]], "for the eye as well"
    offered = [element.proto.label for element in visit.at.get("download_button")]
    assert "Everything as JSON" in offered
    assert from_file(downloads["attention.json"]) == large
    # The links between pages do not carry it; the session does.
    assert {link.proto.query_string for link in visit.at.sidebar.get("page_link")} == {"unit=bits"}
    assert visit.go(page_of(str(ROOT / "pages" / "04_from_scores_to_shares.py"))).values[:30] == [*grid[29]]
    assert visit.go(LAB).values == [*grid[29], 0.9]
    # Back to something small, and the link is back.
    visit.at.selectbox(key="lab_scenario").set_value("near-tie")
    assert visit.run().link == {"scenario": "near-tie", "unit": "bits"}
    assert visit.bar["trouble"] == ""


# --- What is downloaded ----------------------------------------------------------------------------------------------


def test_downloads_hold_what_is_shown(downloads: dict[str, str]) -> None:
    visit = Visit({"scenario": "near-tie"}).move([1, 2, 3, -4, 0.5])
    file = json.loads(downloads["attention.json"])
    assert file["weights"] == visit.trace("map")["z"]
    assert file["scores"][0] == [1, 2, 3, -4]
    assert file["entropy_unit"] == "nats"
    assert file["entropy"][0] == pytest.approx(entropy(softmax([1, 2, 3, -4], 0.5)), rel=0, abs=1e-12)
    lines = list(csv.reader(io.StringIO(downloads["attention.csv"].removeprefix("\ufeff"))))
    assert [[float(cell) for cell in line[1:]] for line in lines[1:]] == visit.trace("map")["z"]
    assert from_file(downloads["attention.json"]) == visit.at.session_state["scenario"]


def test_what_is_in_hand_lives_in_the_session_only() -> None:
    """A value kept by a module would be shared by all readers."""
    kept = [name for name, value in vars(current).items() if isinstance(value, dict | list | set) and not name.startswith("__")]
    assert kept == []
