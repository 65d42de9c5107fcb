"""The alignment map: rows, columns and shape say what the weights say, whatever is loaded, dragged or typed."""

from __future__ import annotations

import math
import re

import pytest

from pages.parts.patterns import PATTERNS, scores_of
from tests.content.test_snippets import run
from tests.parts.told import shown
from tests.site.visit import LESSONS, Visit, entropy, softmax

(PAGE,) = (page for page in LESSONS if page.slug == "the_alignment_map")
ODD = {
    "source": "10 10 <b> $x$ @h نعم",
    "target": "<b> 1E1",
    "scores": "0,3,0,0,0,1;1000,1000,-1000,0,0,0",
    "temperature": "0.5",
    "unit": "bits",
}
LINKS = [
    {},
    {"scenario": "one source word"},
    {"scenario": "all equal"},
    {"scenario": "a gap too wide for float64"},
    {"scenario": "diffuse"},
    ODD,
]


def data(visit: Visit, name: str, trace: int = 0) -> dict:
    return visit.drawings[f"align_{name}"]["figure"]["data"][trace]


def reading(visit: Visit, name: str) -> str:
    return visit.drawings[f"align_{name}"]["reading"]


def check_agrees(visit: Visit) -> None:
    """Map, rows, columns, table and the program say the same as 50 digits do."""
    here = visit.at.session_state["scenario"]
    unit, base = ("bits", 2) if visit.link.get("unit") == "bits" else ("nats", math.e)
    right = [softmax(list(row), here.temperature) for row in here.scores]
    spread = [entropy(row, base) for row in right]
    columns = [math.fsum(column) for column in zip(*right, strict=True)]
    assert [x for row in data(visit, "map")["z"] for x in row] == pytest.approx([x for r in right for x in r], rel=0, abs=1e-12)
    assert data(visit, "rows")["x"] == pytest.approx(spread, rel=0, abs=1e-12)
    assert data(visit, "coverage")["y"] == pytest.approx(columns, rel=0, abs=1e-12)
    printed = run(visit.at.code[0].value)
    table = visit.drawings["align_arithmetic"]["table"]
    for t, (row, h) in enumerate(zip(right, spread, strict=True)):
        tied = [i for i, x in enumerate(row) if x >= max(row) - 1e-9]
        best = " = ".join(f"{i + 1} {here.source[i]}" for i in tied)
        assert printed[t] == f"{t + 1} {here.target[t]}: H = {h:.4f} {unit}, most at {best}, sum 1.0000"
        assert table["rows"][t][-3] == f"{h:.4f}"
        assert table["rows"][t][-1] == "1"
        if len(tied) == 1:
            assert table["rows"][t][-2] == best
        else:
            assert table["rows"][t][-2].startswith("tie: ")
    for i, (word, total) in enumerate(zip(here.source, columns, strict=True)):
        assert printed[len(right) + i] == f"coverage of {i + 1} {word}: {total:.4f}"
        assert table["total"][1 + i] == f"{total:.4f}"
    assert reading(visit, "coverage").startswith(f"Together {len(right)}, ")


@pytest.mark.parametrize("link", LINKS, ids=str)
def test_all_readings_agree_with_an_independent_computation(link: dict[str, str]) -> None:
    visit = Visit(link, PAGE)
    check_agrees(visit)
    values = list(visit.values)
    check_agrees(visit.move([values[0] + 0.25, *values[1:]]))


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("size", [(1, 1), (1, 4), (3, 4), (30, 30)], ids=str)
def test_a_pattern_is_loaded_at_any_size_and_named(name: str, size: tuple[int, int]) -> None:
    T_y, T_x = size
    words = {"source": " ".join(["the"] * T_x), "target": " ".join(["le"] * T_y), "temperature": "3", "seed": "5"}
    visit = Visit(words, PAGE)
    visit.at.selectbox(key="align_pattern").set_value(name)
    visit.run()
    assert not visit.failed
    here = visit.at.session_state["scenario"]
    assert here.scores == scores_of(name, T_y, T_x, 5)
    assert here.temperature == 1.0, "a pattern shows its shape"
    assert visit.at.selectbox(key="align_pattern").value is None, "the menu loads; the map says what it is"
    told = reading(visit, "shape")
    if min(size) == 1:
        assert told.startswith("No shape to name")
    else:
        assert re.match(rf"This looks (like a )?{name}\. ", told)
        assert PATTERNS[name].about in told
    if T_y * T_x < 30:
        check_agrees(visit)
        receiver = Visit(visit.link, PAGE)  # and by link
        assert receiver.warnings == []
        assert (receiver.drawings, receiver.link) == (visit.drawings, visit.link)


def test_what_the_questions_claim_is_answered_by_the_readings() -> None:
    visit = Visit({"scenario": "near-diagonal"}, PAGE)
    assert "monotone" in reading(visit, "shape")
    assert "not broken" in reading(visit, "shape")
    visit = Visit({"scenario": "anti-diagonal"}, PAGE)
    assert "reordering, not an error" in reading(visit, "shape")
    assert "Japanese" in reading(visit, "shape")


def test_even_rows_are_named_as_ties() -> None:
    visit = Visit({"scenario": "all equal"}, PAGE)
    assert data(visit, "rows", 2)["text"] == ["tie: all 3"] * 4
    assert "alike" in reading(visit, "row")
    visit = Visit({"source": "a b c d", "target": "x y z", "scores": "0,2,2,0;1,1,1,0;9,0,0,0"}, PAGE)
    assert data(visit, "rows", 2)["text"] == ["tie: 2, 3", "tie: 1, 2, 3", "1 a"]
    assert "tie: 2 b = 3 c" in visit.drawings["align_rows"]["label"]
    assert reading(visit, "shape").startswith("No shape named: at steps 1 and 2 no word leads by 0.1.")


def test_a_click_holds_a_row() -> None:
    visit = Visit({}, PAGE).trigger("align_map", "clicked", {"row": 3, "column": 0})
    assert visit.sliders["label"] == "Scores of step 4"
    assert visit.link == {"t": "4"}
    for name in ("map", "rows"):
        frame = visit.drawings[f"align_{name}"]["figure"]["layout"]["shapes"][0]
        assert (frame["y0"], frame["y1"]) == (2.5, 3.5)
    visit.trigger("align_map", "clicked", {"row": 4, "column": 0})
    assert not visit.failed, "there is no fifth row"
    assert visit.link == {"t": "4"}


def test_rows_and_columns_keep_the_places_of_the_map() -> None:
    for link in LINKS:
        visit = Visit(link, PAGE)
        shape, rows, columns = (visit.drawings[f"align_{name}"]["figure"]["layout"] for name in ("map", "rows", "coverage"))
        assert shape["yaxis"]["range"] == rows["yaxis"]["range"]
        assert shape["xaxis"]["range"] == columns["xaxis"]["range"]
        assert [shape["margin"][side] for side in "tb"] == [rows["margin"][side] for side in "tb"]
        assert [shape["margin"][side] for side in "lr"] == [columns["margin"][side] for side in "lr"]
        assert visit.frames["align_map"]["height"] == visit.frames["align_rows"]["height"]


def test_a_movement_changes_values_only() -> None:
    """So that marks are moved instead of painted anew."""
    visit = Visit({"scenario": "near-diagonal"}, PAGE)
    before = visit.drawings
    after = visit.move([2.5, 0.5, 0, 0, 0, 0, 1]).drawings
    for name in ("map", "rows", "coverage"):
        old, new = (drawings[f"align_{name}"]["figure"] for drawings in (before, after))
        assert old["layout"] == new["layout"]
        assert old != new
        for one, other in zip(old["data"], new["data"], strict=True):
            free = ("x", "y", "z", "text", "textfont")
            assert {k: v for k, v in one.items() if k not in free} == {k: v for k, v in other.items() if k not in free}


# --- Typing ----------------------------------------------------------------------------------------------------------


def opened(link: dict[str, str]) -> Visit:
    return with_panel(Visit(link, PAGE))


def with_panel(visit: Visit) -> Visit:
    """Run the page with the panel open: AppTest forgets that it is."""
    visit.at.session_state["align_cell"] = True
    return visit.run()


def test_any_cell_can_be_typed() -> None:
    visit = opened(ODD)
    visit.at.number_input(key="align_cell_t").set_value(1)
    with_panel(visit)
    visit.at.number_input(key="align_cell_i").set_value(6)
    with_panel(visit)
    field = visit.at.text_input(key="align_cell_value")
    assert field.value == "1.00"
    assert shown(re.sub(r"\\(.)", r"\1", field.label)) == 'Score of "<b>" for "نعم"'
    field.set_value("−7,25")
    with_panel(visit)
    assert visit.at.session_state["scenario"].scores == ((0, 3, 0, 0, 0, -7.25), (1000, 1000, -1000, 0, 0, 0))
    assert visit.values[5] == -7.25
    assert visit.at.number_input(key="align_cell_i").value == 6, "the place stays"
    check_agrees(visit)


def test_what_is_no_number_is_refused_and_stays_for_mending() -> None:
    visit = opened({})
    visit.at.text_input(key="align_cell_value").set_value("**two**")
    with_panel(visit)
    assert visit.errors == ['Nothing was changed: "**two**" is not a number from -1000 to 1000; type for example 2.1.']
    assert visit.at.text_input(key="align_cell_value").value == "**two**"
    assert visit.link == {}
    visit.at.text_input(key="align_cell_value").set_value("2")
    with_panel(visit)
    assert visit.errors == []
    assert visit.values[0] == 2


def test_the_whole_grid_can_be_typed() -> None:
    visit = opened({"source": "a b", "target": "c d", "scores": "1,2;3,4"})
    area = visit.at.text_area(key="align_cell_grid")
    assert area.value == "1.00  2.00\n3.00  4.00"
    area.set_value("5 0\n0")
    with_panel(visit)
    assert visit.errors == ["Nothing was changed: line 2 must have 2 numbers, one per source word, but has 1."]
    assert visit.link["scores"] == "1,2;3,4"
    visit.at.text_area(key="align_cell_grid").set_value("5\t0\n0\t5\n")
    with_panel(visit)
    assert visit.errors == []
    assert visit.link["scores"] == "5,0;0,5"
    assert reading(visit, "shape").startswith("This looks diagonal.")
