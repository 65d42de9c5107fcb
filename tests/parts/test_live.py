"""What comes back from a browser is checked; what goes there names files that are served."""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import plotly
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.parts import live
from pages.parts.live import PATH, Slider, checked

SLIDERS = [
    Slider(word="the", spoken="score of the, position 1", value=0.3, home=0.3, min=-5, max=5, least=-1000, most=1000),
    Slider(word="the", spoken="score of the, position 2", value=0.3, home=0.3, min=-5, max=5, least=-1000, most=1000),
    Slider(
        word="T",
        spoken="temperature",
        value=1,
        home=1,
        min=0.1,
        max=10,
        least=0.01,
        most=100,
        symbol="w",
        scale="log",
        apart=True,
    ),
]


def report(values: object, **changed: object) -> dict[str, object]:
    return {"epoch": "3", "seq": 1, "path": [values], **changed}


def test_a_good_report_is_taken_as_floats() -> None:
    path = checked(report([1, -2.5, 1]), "3", SLIDERS)
    assert path == [[1.0, -2.5, 1.0]]
    assert all(type(value) is float for value in path[0])


def test_a_path_keeps_its_order_and_its_bound() -> None:
    positions = [[float(n), 0.0, 1.0] for n in range(PATH)]
    assert checked(report([], path=positions), "3", SLIDERS) == positions
    assert checked(report([], path=[*positions, [0.0, 0.0, 1.0]]), "3", SLIDERS) is None
    assert checked(report([], path=[]), "3", SLIDERS) is None
    assert checked(report([], path=[positions[0], [math.nan, 0.0, 1.0]]), "3", SLIDERS) is None


def test_the_bounds_are_what_may_be_typed_not_the_track() -> None:
    assert checked(report([1000, -1000, 0.01]), "3", SLIDERS) == [[1000, -1000, 0.01]]
    assert checked(report([5.1, -5.1, 100]), "3", SLIDERS) == [[5.1, -5.1, 100]]


HOSTILE_VALUES = [
    math.nan, math.inf, -math.inf, True, False, None, "1", "", b"1", [], [1.0], {}, {"value": 1}, 1000.0001, -1000.0001,
    1e308, -1e308, 10**30, 10**400, -(10**400), 1 + 0j,
]  # fmt: skip


@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize("value", HOSTILE_VALUES, ids=lambda value: repr(value)[:20])
def test_one_bad_value_spoils_the_report(value: object, place: int) -> None:
    values: list[object] = [1.0, 1.0, 1.0]
    values[place] = value
    assert checked(report(values), "3", SLIDERS) is None


@pytest.mark.parametrize("temperature", [0, -1, 0.0099, 100.001, 1000])
def test_every_slider_has_bounds_of_its_own(temperature: float) -> None:
    assert checked(report([1, 1, temperature]), "3", SLIDERS) is None


@pytest.mark.parametrize(
    "values",
    [[], [1], [1, 1], [1, 1, 1, 1], [[1, 1, 1]], (1, 1, 1), "111", {"0": 1, "1": 1, "2": 1}, {0, 1, 2}, None, 3, [[1], [1], [1]]],
    ids=repr,
)
def test_other_than_one_value_per_slider_is_dropped(values: object) -> None:
    assert checked(report(values), "3", SLIDERS) is None


@pytest.mark.parametrize("epoch", ["2", "", "3 ", 3, 3.0, None, True, ["3"], {"3": "3"}])
def test_a_report_of_another_epoch_is_dropped(epoch: object) -> None:
    assert checked(report([1, 1, 1], epoch=epoch), "3", SLIDERS) is None


@pytest.mark.parametrize(
    "what", [None, "", "moved", 1, 1.5, True, [], [1, 1, 1], [report([1, 1, 1])], {}, {"moved": report([1, 1, 1])}]
)
def test_other_than_a_report_is_dropped(what: object) -> None:
    assert checked(what, "3", SLIDERS) is None


@pytest.mark.parametrize("missing", ["epoch", "path"])
def test_a_report_that_lacks_something_is_dropped(missing: str) -> None:
    incomplete = {key: value for key, value in report([1, 1, 1]).items() if key != missing}
    assert checked(incomplete, "3", SLIDERS) is None


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just("3")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["epoch", "seq", "path", "moved"]), inner, max_size=4),
    ),
    max_leaves=12,
)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(anything)
def test_whatever_arrives_is_checked_or_dropped(what: object) -> None:
    for values in checked(what, "3", SLIDERS) or []:
        assert len(values) == len(SLIDERS)
        for value, slider in zip(values, SLIDERS, strict=True):
            assert slider.least <= value <= slider.most


def test_a_page_without_sliders_takes_an_empty_report() -> None:
    assert checked(report([]), "3", []) == [[]]


# --- Sliders ---------------------------------------------------------------------------------------------------------


def test_a_slider_is_a_value_that_travels_as_json() -> None:
    with pytest.raises(FrozenInstanceError):
        SLIDERS[0].value = 5  # type: ignore[misc]
    names = {field.name for field in fields(Slider)}
    for slider in SLIDERS:
        assert set(vars(slider)) == names  # what `live_sliders` sends
        assert json.loads(json.dumps(vars(slider), allow_nan=False)) == vars(slider)
    assert (SLIDERS[0].step, SLIDERS[0].symbol, SLIDERS[0].scale, SLIDERS[0].apart) == (0.1, "e", "linear", False)


def scripts(name: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((live.ASSETS / name).glob("*.js")))


def test_a_slider_has_every_field_that_the_script_reads() -> None:
    text = scripts("live_sliders")
    names = {field.name for field in fields(Slider)}
    read = set(re.findall(r"\bspec\.(\w+)", text)) | set(re.findall(r"this\.specs\[k\]\.(\w+)", text))
    for taken_apart in re.findall(r"\{([\w, ]+)\} = spec\b", text) + re.findall(r"\(\w+, \{([\w, ]+)\}\)", text):
        read |= set(re.findall(r"\w+", taken_apart))
    assert {"word", "spoken", "value", "home"} <= read
    assert read <= names


# --- Served files ----------------------------------------------------------------------------------------------------

COMPONENTS = sorted(path.parent.name for path in live.ASSETS.glob("*/component.html"))


def test_there_are_components() -> None:
    assert {"live_figure", "live_sliders", "frame_bar"} <= set(COMPONENTS)


@pytest.mark.parametrize("name", COMPONENTS)
def test_the_loader_names_a_file_that_is_there(name: str) -> None:
    (address,) = re.findall(r"import\(`\$\{root\}([^`]+)`\)", live._loader(name))
    served, _, file = address.partition(f"/{name}/")
    assert served == live._SCRIPTS
    assert re.fullmatch(r"component/[\w.]+", served)
    assert (live.ASSETS / name / file).is_file()


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_loader_is_short_because_it_travels_with_every_update(name: str) -> None:
    assert len(live._loader(name)) < 600
    assert {"render", "forget"} <= set(re.findall(r"export function (\w+)", scripts(name)))


def test_scripts_import_only_files_that_are_served_with_them() -> None:
    found = 0
    for script in live.ASSETS.rglob("*.js"):
        for address in re.findall(r"""(?:from|import)\s*\(?\s*["']([^"']+)["']""", script.read_text(encoding="utf-8")):
            assert address.startswith("."), f"{script.name} imports {address}"
            target = (script.parent / address).resolve()
            assert target.is_file()
            assert target.is_relative_to(live.ASSETS)
            found += 1
    assert found >= len(COMPONENTS)


def test_the_address_of_the_scripts_names_the_content_of_all_of_them() -> None:
    """Browsers keep files: with the same address a visitor would see the scripts of last week."""
    content = hashlib.sha256()
    for script in sorted(live.ASSETS.rglob("*.js")):
        content.update(script.read_bytes())
    assert live._SCRIPTS.endswith(f"live_{content.hexdigest()[:12]}")


def test_plotly_comes_from_the_installed_package() -> None:
    assert re.fullmatch(r"component/[\w.]+", live._PLOTLY)
    assert live._PLOTLY.endswith(plotly.__version__.replace(".", "_"))
    assert (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").is_file()


def test_the_page_gets_the_stylesheet_of_every_component() -> None:
    sheet = live.style()
    for name in COMPONENTS:
        own = (live.ASSETS / name / "component.css").read_text(encoding="utf-8")
        assert own in sheet
    assert "</style" not in sheet
