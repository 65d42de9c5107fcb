"""Figures as plain data: Plotly accepts them, words stay words, scales stay put."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pages.parts import figures
from tests.parts.told import figure_texts, numbers, shown, strings

ODD = (
    "In", "2019", ",", "10", "1E1", "010", "2026-01", "5", "0x1F", "1_000", "1e999", "nan", "inf", "-Infinity", "null", "None",
    "true", "-", "%", "%{z}", "%{customdata}", "<b>", "</b>", "<br>", "<a", "&amp;", "&lt;b&gt;", "&", "$5$", "$$x$$", r"\(x\)",
    "**a**", "`a`", "[a](b)", ":red[a]", '"', "'", "\\", "\\n", "the", "the", "The", "étudiant", "e\u0301", "مرحبا", "日本語",
    "👨\u200d👩\u200d👧", "👍🏽", "Ġthe", "▁the", "##ing", "the@@", "<s>", "</s>", "#fff", "@alpha", "@anna", "@", "…", "w" * 40,
)  # fmt: skip
a_word = st.one_of(
    st.sampled_from(ODD),
    st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=40),
)
some_words = st.lists(a_word, min_size=1, max_size=30)
quick = settings(derandomize=True, deadline=None, max_examples=25)


def shares(n: int, rows: int = 1, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(n, 0.5), size=rows)


def draw_all(source: list[str], target: list[str], seed: int = 0, t: int = 0) -> dict[str, dict[str, Any]]:
    """One figure of each kind."""
    rng = np.random.default_rng(seed)
    n, rows = len(source), len(target)
    weights = shares(n, rows, seed)
    h = rng.uniform(-1, 1, (n, 2))
    return {
        "scores": figures.score_bars(source, rng.uniform(-5, 5, n).round(2).tolist(), 5.0),
        "lifted": figures.lifted_bars(source, rng.uniform(0, 1, n).tolist()),
        "weights": figures.weight_bars(source, weights[t].tolist()),
        "map": figures.weight_map(source, target, weights, t),
        "ruler": figures.focus_ruler(target, rng.uniform(1, n, rows), t, n),
        "blend": figures.blend(source, h, weights[t], weights[t] @ h),
    }


KINDS = tuple(draw_all(["a"], ["x"]))
BARS = ("scores", "lifted", "weights")


def in_colour(value: Any, key: str = "") -> Any:
    """The figure with a real colour for every "@name"; only at keys that hold a colour."""
    if isinstance(value, Mapping):
        return {k: in_colour(v, k) for k, v in value.items()}
    if isinstance(value, str) and value.startswith("@") and key.endswith("color"):
        return "#123456"
    return [in_colour(item, key) for item in value] if isinstance(value, list) else value


def word_axes(kind: str, figure: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """The axes with words on them, and whose words."""
    if kind in (*BARS, "map"):
        yield figure["layout"]["xaxis"], "source"
    if kind == "map":
        yield figure["layout"]["yaxis"], "target"


def check_accepted(figure: dict[str, Any]) -> None:
    drawn = go.Figure(in_colour(figure))
    assert len(drawn.data) == len(figure["data"])
    # What travels to the browser is strict JSON.
    assert json.loads(json.dumps(figure, allow_nan=False)) == json.loads(json.dumps(figure))


@pytest.mark.parametrize("size", [(1, 1), (1, 30), (30, 1), (3, 4), (12, 12), (13, 2), (30, 30)])
def test_plotly_accepts_every_figure(size: tuple[int, int]) -> None:
    n, rows = size
    for t in {0, rows - 1}:
        for figure in draw_all([f"w{i}" for i in range(n)], [f"v{i}" for i in range(rows)], t=t).values():
            check_accepted(figure)


@pytest.mark.parametrize("kind", KINDS)
def test_plotly_refuses_what_is_wrong(kind: str) -> None:
    """The check above is one: a misspelt name or a colour that is none does not pass."""
    figure = draw_all(["a", "b"], ["x"])[kind]
    figure["layout"]["xaxis"]["tikvals"] = [0]
    with pytest.raises(ValueError, match="tikvals"):
        check_accepted(figure)


def test_every_colour_has_a_name_in_the_stylesheet(request: pytest.FixtureRequest) -> None:
    sheet = (request.config.rootpath / "assets" / "style" / "page.css").read_text(encoding="utf-8")
    named = set(re.findall(r"--sym-([\w-]+):", sheet))
    used = {text[1:] for figure in draw_all(["a"], ["x"]).values() for text in every_string(figure) if text.startswith("@")}
    assert used
    assert used <= named


def every_string(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from every_string(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from every_string(inner)
    elif isinstance(value, str):
        yield value


@quick
@given(some_words, some_words, st.integers(0, 99))
@example(list(ODD[:30]), list(ODD[30:60]), 0)
@example(["the"] * 30, ["the"] * 30, 0)
@example(["10", "1E1", "010", "10"], ["1", "2", "10"], 0)
@example(["2026-01"], ["2019"], 0)
def test_words_are_labels_and_places_are_numbers(source: list[str], target: list[str], seed: int) -> None:
    for kind, figure in draw_all(source, target, seed, t=seed % len(target)).items():
        check_accepted(figure)
        assert list(numbers(figure)), kind
        for axis, side in word_axes(kind, figure):
            words = source if side == "source" else target
            # One place per word, of equal width, in the order of the sentence.
            assert axis["tickvals"] == list(range(len(words)))
            assert all(type(place) is int for place in axis["tickvals"])
            assert sorted(axis["range"]) == [-0.5, len(words) - 0.5]
            assert axis.get("type", "linear") == "linear"
            assert "autorange" not in axis
            assert "categoryorder" not in axis
            for word, text in zip(words, axis["ticktext"], strict=True):
                check_label(word, shown(text))
        for trace in figure["data"]:
            for place in (trace.get("x", []), trace.get("y", [])):
                assert all(isinstance(at, int | float) and not isinstance(at, bool) for at in place), kind


def check_label(word: str, label: str) -> None:
    """The word as typed, or its beginning and an ellipsis."""
    if label != word:
        assert len(word) > 12
        assert label.endswith("…")
        assert len(label) <= 12
        assert word.startswith(label[:-1])


@quick
@given(some_words, some_words)
@example(list(ODD[:30]), list(ODD[30:60]))
def test_no_word_is_markup(source: list[str], target: list[str]) -> None:
    """Plotly reads tags, entities and maths between dollar signs; of words it gets to see none of them."""
    for figure in draw_all(source, target).values():
        for text in figure_texts(figure):
            ours = re.sub(r"h<sub>\d+</sub>", "", text)
            assert "<" not in ours
            assert "$" not in ours
            assert not re.search(r"&(?!amp;|lt;|gt;|quot;|#\d+;)", ours)


@pytest.mark.parametrize("word", ["@alpha", "@", "@anna"])
def test_no_word_is_taken_for_a_colour(word: str) -> None:
    """In the browser whatever begins with "@" is replaced by a colour: a word must not begin with it any more."""
    for kind, figure in draw_all([word, "b"], [word, "x"]).items():
        assert [text for text in figure_texts(figure) if text.startswith("@")] == [], kind


@quick
@given(some_words)
@example(["the", "cat", "the"])
def test_hovering_says_the_word_and_its_position(source: list[str]) -> None:
    drawn = draw_all(source, ["x", "y"])
    for kind in (*BARS, "blend"):
        told = next(trace["customdata"] for trace in drawn[kind]["data"] if "customdata" in trace)
        assert [shown(text) for text in told] == [f"{word}, position {i + 1}" for i, word in enumerate(source)]
    cells = drawn["map"]["data"][0]["customdata"]
    assert [[shown(text) for text in row] for row in cells] == [
        [f"step {r + 1}, {w} → {word}, position {i + 1}" for i, word in enumerate(source)] for r, w in enumerate(["x", "y"])
    ]
    assert len(set(strings(cells))) == 2 * len(source)


@pytest.mark.parametrize("kind", BARS)
def test_bars_stand_in_sentence_order_with_their_own_heights(kind: str) -> None:
    words = ["we", "are", "all", "here", "we"]
    heights = [0.58, 0.21, 0.13, 0.08, 0.0]
    make: dict[str, Callable[[], dict[str, Any]]] = {
        "scores": lambda: figures.score_bars(words, heights, 5.0),
        "lifted": lambda: figures.lifted_bars(words, heights),
        "weights": lambda: figures.weight_bars(words, heights),
    }
    (trace,) = make[kind]()["data"]
    assert trace["x"] == [0, 1, 2, 3, 4]
    assert trace["y"] == heights
    assert trace["text"] == ["0.58", "0.21", "0.13", "0.08", "0.00"]
    assert trace.get("orientation", "v") == "v"


@pytest.mark.parametrize("draw", [figures.weight_bars, figures.lifted_bars])
@pytest.mark.parametrize("heights", [[1.0, 0.0, 0.0], [1 / 3] * 3, [0.0, 1e-320, 1.0]])
def test_the_scale_of_shares_is_always_0_to_1(draw: Callable[..., dict[str, Any]], heights: list[float]) -> None:
    axis = draw(["a", "b", "c"], heights)["layout"]["yaxis"]
    assert axis == draw(["a", "b", "c"], [0.2, 0.3, 0.5])["layout"]["yaxis"]
    low, high = axis["range"]
    assert low == 0
    assert 1 <= high < 1.2
    assert axis["fixedrange"] is True


@pytest.mark.parametrize("reach", [5.0, 1000.0])
def test_the_scale_of_scores_is_what_the_caller_says(reach: float) -> None:
    low, high = figures.score_bars(["a", "b"], [0.1, -0.1], reach)["layout"]["yaxis"]["range"]
    assert low == -high
    assert reach < high < 1.5 * reach
    assert figures.score_bars(["a", "b"], [reach, -reach], reach)["layout"]["yaxis"]["range"] == [low, high]


@pytest.mark.parametrize(
    "rows",
    [
        [[0.25] * 4] * 3,
        [[0.0, 0.0, 1.0, 0.0], [1e-12, 1 - 1e-12, 0.0, 0.0], [0.1, 0.2, 0.3, 0.4]],
        [[0.05, 0.9, 0.03, 0.02], [0.3, 0.3, 0.2, 0.2], [0.25] * 4],
    ],
)
def test_colours_of_the_map_always_mean_0_to_1(rows: list[list[float]]) -> None:
    cells = figures.weight_map(list("abcd"), list("xyz"), np.array(rows), 1)["data"][0]
    assert (cells["zmin"], cells["zmax"]) == (0, 1)
    assert cells.get("zauto", False) is False
    assert cells.get("showscale", True) is True
    assert cells["colorbar"]["tickvals"] == [0, 0.5, 1]
    assert cells["z"] == rows
    stops = [stop for stop, _ in cells["colorscale"]]
    assert stops[0] == 0
    assert stops[-1] == 1
    assert stops == sorted(stops)


def luminance(colour: tuple[float, ...]) -> float:
    """Relative luminance, WCAG 2."""
    linear = [u / 12.92 if u <= 0.04045 else ((u + 0.055) / 1.055) ** 2.4 for u in (channel / 255 for channel in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def channels(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))


def ground(share: float) -> tuple[float, ...]:
    """The colour of a cell: Plotly goes straight from stop to stop."""
    above = next(k for k, (stop, _) in enumerate(figures.CIVIDIS) if stop >= share and k)
    (start, a), (end, b) = figures.CIVIDIS[above - 1 : above + 1]
    w = (share - start) / (end - start)
    return tuple(p + w * (q - p) for p, q in zip(channels(a), channels(b), strict=True))


def test_colours_grow_lighter_from_0_to_1() -> None:
    light = [luminance(ground(k / 100)) for k in range(101)]
    assert light == sorted(light)
    assert light[-1] - light[0] > 0.7


def test_numbers_in_cells_can_be_read_on_their_ground() -> None:
    """Contrast of at least 4.5 to 1 for text on every shade."""
    for k in range(0, 1001, 2):
        share = k / 1000
        written = figures.weight_map(["a", "b"], ["x"], np.array([[share, 1 - share]]), 0)["data"][1]
        ink, paper = luminance(channels(written["textfont"]["color"][0])), luminance(ground(share))
        light, dark = max(ink, paper) + 0.05, min(ink, paper) + 0.05
        assert light / dark >= 4.5, f"weight {share}: contrast {light / dark:.2f}"


def test_step_1_is_the_top_row_and_the_row_in_hand_is_framed() -> None:
    weights = shares(4, 3)
    for t in range(3):
        figure = figures.weight_map(list("abcd"), ["x", "y", "x"], weights, t)
        bottom, top = figure["layout"]["yaxis"]["range"]
        assert bottom > top  # row 0 is drawn at the top
        (frame,) = figure["layout"]["shapes"]
        assert (frame["x0"], frame["x1"], frame["y0"], frame["y1"]) == (-0.5, 3.5, t - 0.5, t + 0.5)
        assert figure["layout"]["yaxis"]["ticktext"] == ["x", "y", "x"]
        assert figure["data"][0]["z"] == weights.tolist()
        ruler = figures.focus_ruler(["x", "y", "x"], np.array([1.0, 2.0, 3.0]), t, 4)
        low, high = ruler["layout"]["yaxis"]["range"]
        assert low > high  # the ruler's rows are the map's rows
        assert ruler["data"][2]["y"] == [t]
        assert ruler["data"][2]["x"] == [t + 1.0]
        assert ruler["data"][0]["y"] == [r for r in range(3) if r != t]


@pytest.mark.parametrize(("rows", "columns", "written"), [(1, 1, True), (12, 12, True), (13, 3, False), (3, 13, False)])
def test_numbers_stand_in_the_cells_up_to_12_by_12(rows: int, columns: int, written: bool) -> None:
    weights = shares(columns, rows)
    data = figures.weight_map(["a"] * columns, ["x"] * rows, weights, 0)["data"]
    assert (len(data) == 2) == written
    if written:
        texts = data[1]
        placed = {(y, x): text for y, x, text in zip(texts["y"], texts["x"], texts["text"], strict=True)}
        assert placed == {(r, c): f"{weights[r, c]:.2f}" for r in range(rows) for c in range(columns)}


@pytest.mark.parametrize("n", [1, 2, 3, 10, 11, 30])
def test_the_ruler_runs_from_one_word_to_all(n: int) -> None:
    axis = figures.focus_ruler(["x"], np.array([1.0]), 0, n)["layout"]["xaxis"]
    assert axis["range"][0] < 1
    assert axis["range"][1] > max(n, 2)
    assert axis["tickvals"][0] == 1
    assert 0 <= max(n, 2) - axis["tickvals"][-1] < (5 if n > 10 else 1)
    assert axis["tickvals"] == sorted(set(axis["tickvals"]))
    assert axis["fixedrange"] is True


def test_the_blend_shows_weights_as_sizes_and_c_in_place() -> None:
    h = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]])
    weights = np.array([0.0, 0.25, 0.75])
    c = weights @ h
    pulls, points, blend = figures.blend(["a", "b", "c"], h, weights, c)["data"]
    assert (points["x"], points["y"]) == (h[:, 0].tolist(), h[:, 1].tolist())
    assert (blend["x"], blend["y"]) == ([c[0]], [c[1]])
    assert list(zip(pulls["x"][1::2], pulls["y"][1::2], strict=True)) == [tuple(c)] * 3
    sizes = np.array(points["marker"]["size"])
    # The area beyond the smallest dot is the weight.
    assert ((sizes - sizes[0]) ** 2 / (sizes[2] - sizes[0]) ** 2 * 0.75).tolist() == pytest.approx(weights.tolist())


@pytest.mark.parametrize("kind", KINDS)
def test_figures_keep_a_zoom_and_leave_the_ground_to_the_page(kind: str) -> None:
    layout = draw_all(["a", "b"], ["x"])[kind]["layout"]
    assert layout["uirevision"]
    assert "template" not in layout
    assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == "rgba(0,0,0,0)"


def test_long_words_are_cut_on_axes_only() -> None:
    word = "Donaudampfschifffahrtsgesellschaft"
    assert figures.short(word, 12) == "Donaudampfs…"
    assert figures.short("étudiant", 8) == "étudiant"
    assert figures.plain("a < b & $c$") == "a &lt; b &amp; &#36;c&#36;"
    assert unicodedata.name(figures.short(word, 5)[-1]) == "HORIZONTAL ELLIPSIS"
