"""Lesson 13: one sentence looks at itself; heads and masks open by link, a hand on one word moves every head."""

from __future__ import annotations

import pytest

from pages.parts.self_attention import MASKS, RIGHT, WAYS
from tests.content.test_snippets import run
from tests.site.visit import PAGES, Visit

PAGE = next(page for page in PAGES if page.slug == "toward_transformers")


def map_of(visit: Visit, head: int = 1) -> list[list[float]]:
    z: list[list[float]] = visit.drawings[f"self_head{head}"]["figure"]["data"][0]["z"]
    return z


def test_under_a_causal_mask_the_first_word_sees_only_itself() -> None:
    visit = Visit({"mask": "causal", "heads": "4", "word": "1"}, PAGE)
    for head in (1, 2, 3, 4):
        z = map_of(visit, head)
        assert z[0] == [1.0, 0.0, 0.0]
        assert [z[i][j] for i in range(3) for j in range(i + 1, 3)] == [0.0] * 3
        assert [sum(row) for row in z] == pytest.approx([1.0] * 3)
    assert visit.drawings["self_weights"]["figure"]["data"][0]["y"] == [1.0, 0.0, 0.0]
    assert visit.drawings["self_scores"]["figure"]["data"][0]["text"][1:] == ["−∞", "−∞"]


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("way", WAYS)
def test_every_mask_opens_by_link_with_the_sums_it_makes(mask: str, way: str) -> None:
    link = {"heads": "3", "head": "3", "word": "2", **({"mask": mask} if mask != "none" else {})}
    link |= {"way": way} if way != RIGHT else {}
    del link["word"]  # the default
    visit = Visit(link, PAGE)
    assert not visit.failed
    assert visit.warnings == []
    assert visit.link == link
    sums = [text.strip() for text in visit.drawings["self_head3"]["figure"]["data"][2]["text"]]
    assert [f"{sum(row):.3f}" if any(row) else "none" for row in map_of(visit, 3)] == [
        "none" if text == "0.000" else text for text in sums
    ]
    whole = {"1.000"} | ({"none"} if mask == "row in hand" else set())
    assert (set(sums) <= whole) == (way != WAYS[1] or mask == "none")


def test_a_hand_on_one_word_moves_all_heads_and_the_link() -> None:
    visit = Visit({"heads": "4"}, PAGE)
    before = [map_of(visit, head) for head in (1, 2, 3, 4)]
    values = visit.values
    visit.move([-1.0, *values[1:4], 0.5])
    assert all(map_of(visit, head) != old for head, old in zip((1, 2, 3, 4), before, strict=True))
    assert not visit.failed
    visit.run()
    assert visit.link == {"heads": "4", "vectors": "x2_1:-1", "temperature": "0.5"}
    again = Visit(visit.link, PAGE)
    assert again.warnings == []
    assert again.drawings == visit.drawings
    visit.at.button(key="self_undo").click()
    assert "vectors" not in visit.run().link


def test_a_click_takes_row_and_head_in_hand() -> None:
    visit = Visit({}, PAGE)
    visit.trigger("self_head2", "clicked", {"row": 2, "column": 0})
    assert visit.link == {"word": "3", "head": "2"}
    assert visit.drawings["self_weights"]["figure"]["data"][0]["y"] == map_of(visit, 2)[2]
    visit.trigger("self_head2", "clicked", {"row": 9, "column": 0})
    assert visit.link == {"word": "3", "head": "2"}
    assert Visit({"head": "4", "heads": "1"}, PAGE).frames.keys() >= {"self_head1"}, "the last head there is"


def test_padding_is_a_slider_of_its_own() -> None:
    visit = Visit({"mask": "padding"}, PAGE)
    assert visit.values[-1] == 1
    visit.move([*visit.values[:-1], 2])
    assert [row[1:] for row in map_of(visit)] == [[0.0, 0.0]] * 3
    visit.move([*visit.values[:-1], 3])
    assert visit.drawings["self_weights"]["reading"] == "Nothing to attend to."
    assert visit.run().link == {"mask": "padding", "padding": "3"}


def test_bad_settings_are_named() -> None:
    bad = {"word": "4", "heads": "5", "mask": "all", "padding": "0", "way": "x", "vectors": "x31_1:2", "head": "no"}
    visit = Visit(bad, PAGE)
    (warning,) = visit.warnings
    assert all(f'"{name}"' in warning for name in bad)
    assert visit.link == {}


@pytest.mark.parametrize("n", [1, 30])
def test_one_word_and_thirty(n: int) -> None:
    visit = Visit({"source": " ".join(["w"] * n), "target": "x", "mask": "causal", "heads": "4", "word": str(n)}, PAGE)
    assert not visit.failed
    assert len(map_of(visit)) == n
    lines = run(visit.at.code[0].value)
    assert [float(a) for a in lines[n].split("  sum ")[0].split()] == pytest.approx(map_of(visit)[-1], abs=0.51e-4)
