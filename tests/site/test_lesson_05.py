"""Lesson 5: H at equal weights is log T_x and no more, both units agree, and a dragged point moves the sliders."""

from __future__ import annotations

import math
import re

import pytest

from tests.site.visit import PAGES, Visit, entropy, softmax

FOCUS = next(page for page in PAGES if page.slug == "how_focused")


def drag(visit: Visit, *points: list[float]) -> Visit:
    data = visit.sliders
    report = {"epoch": data["epoch"], "seq": data["seq"] + 1, "frame": "focus_plane", "points": list(points)}
    return visit.send(visit.sliders_key, {"moved": report})


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 30])
@pytest.mark.parametrize("unit", ["nats", "bits"])
def test_equal_scores_give_log_of_the_number_of_words(n: int, unit: str) -> None:
    visit = Visit({"source": " ".join(["w"] * n), "target": "x", "scores": ",".join(["1.5"] * n), "unit": unit}, FOCUS)
    right = math.log(n) / (math.log(2) if unit == "bits" else 1)
    assert visit.drawings["focus_ruler"]["reading"].startswith(
        f"H = {right:.2f} {unit} of at most {right:.2f} {unit}: like {n}.00 of"
    )
    assert f"H = {right:.2f} {unit}" in visit.drawings["focus_plane"]["reading"]
    assert visit.drawings["focus_arithmetic"]["table"]["total"][-1] == f"H = {right:.4f}"


def test_equal_scores_and_a_winner_are_reachable_by_link() -> None:
    equal = Visit({"scenario": "all equal"}, FOCUS)
    assert "H = 1.10 nats, in the middle: the most there is" in equal.drawings["focus_plane"]["reading"]
    dot = equal.drawings["focus_plane"]["figure"]["data"][-1]
    assert (dot["x"][0], dot["y"][0]) == pytest.approx((0.5, math.sqrt(3) / 6))
    winner = Visit({"scenario": "winner takes almost all"}, FOCUS)
    h = entropy(softmax(winner.values[:-1]))
    assert h < 0.01
    assert f"H = {h:.2f} nats of at most 1.10 nats" in winner.drawings["focus_plane"]["reading"]


def test_a_unit_is_one_over_ln_2_times_the_other() -> None:
    nats, bits = (Visit({"unit": unit}, FOCUS) for unit in ("nats", "bits"))
    for key in ("focus_ruler", "focus_plane"):
        (h,), (b,) = (re.findall(r"H = ([\d.]+) \w+", visit.drawings[key]["reading"]) for visit in (nats, bits))
        assert (h, b) == ("0.77", f"{0.7667 / 0.693147:.2f}")
    for visit, unit, other in ((nats, "nats", "bits"), (bits, "bits", "nats")):
        assert visit.frames["focus_plane"]["ground"][0]["colorbar"]["ticksuffix"] == f" {unit}"
        live = {key: drawing for key, drawing in visit.drawings.items() if key != "focus_arithmetic"}
        assert all(other not in drawing["reading"] + drawing["label"] for drawing in live.values())


def test_a_dragged_point_moves_sliders_weights_and_link() -> None:
    visit = Visit({}, FOCUS)
    middle = [0.5, math.sqrt(3) / 6]
    drag(visit, [0.9, 0.1], [0.7, 0.2], middle)
    assert visit.values == [pytest.approx(2.9 / 3, abs=0.011)] * 3 + [1.0], "the mean stays"
    assert len(set(visit.values[:-1])) == 1
    assert visit.drawings["focus_weights"]["figure"]["data"][0]["y"] == pytest.approx([1 / 3] * 3)
    assert len(visit.sliders["passed"]) == 2
    assert {"focus_weights", "focus_plane"} <= set(visit.sliders["passed"][0])
    assert visit.link["scores"].split(";")[0] == "2.4,0.6,-0.3", "the other steps stay"
    corner = drag(visit, [5.0, -5.0])
    assert corner.values == [-5.0, -5.0, 5.0, 1.0]


@pytest.mark.parametrize(("n", "draggable"), [(1, False), (2, True), (3, True), (4, False)])
def test_a_point_can_be_dragged_where_there_is_one(n: int, draggable: bool) -> None:
    visit = Visit({"source": " ".join("abcd"[:n]), "target": "x"}, FOCUS)
    assert visit.frames["focus_plane"]["draggable"] is draggable
    before = visit.values
    assert (drag(visit, [0.9, 0.05]).values != before) is draggable
    assert not visit.failed


def test_between_two_words_the_dot_slides_by_its_place_alone() -> None:
    visit = drag(Visit({"source": "a b", "target": "x"}, FOCUS), [0.75, 99])
    assert softmax(visit.values[:-1])[1] == pytest.approx(0.75, abs=0.002)


def test_heights_do_not_depend_on_the_number_of_words() -> None:
    sizes = [
        {
            key: frame["height"]
            for key, frame in Visit({"source": " ".join(["w"] * n)}, FOCUS).frames.items()
            if "arith" not in key
        }
        for n in (1, 2, 3, 8)
    ]
    assert all(size == sizes[0] for size in sizes)


def test_the_block_prints_what_the_page_shows() -> None:
    assert "scores of step 2" in Visit({}, FOCUS).at.code[0].value
    assert "[0.3, 2.1, 0.5]" in Visit({}, FOCUS).at.code[0].value
