"""A new lesson is one file: put into the house, it is found by menu, map, links and page tests, with no other edit."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pages.parts.contents import ROOT

LESSON = '''"""One more lesson

It shows the scores of one step.

Stands on: 4.
"""

import streamlit as st

from pages.parts import controls, current, drawings, frame
from pages.parts.live import live_figure
from pages.parts.settings import Whole


def drawn(values):
    return {"x_bars": drawings.weights_drawing(drawings.step_of(controls.moved(values)))}


with frame.page(__file__, Whole("size", 1, 9, 3)):
    frame.idea("The scores of one step become weights.")
    controls.whole("x_size", "Size", "size")
    controls.score_hand("x_hand", draw=drawn, between=lambda _: {}, height=200)
    live_figure("x_bars", heading="Weights", height=200)
    frame.numpy_block("x_numpy", f"scores = {current.scenario().scores}\\nfor row in scores:\\n    print(row)")
'''


@pytest.fixture
def house(tmp_path: Path) -> Path:
    for name in ("pages", "attention_core", "assets", "tests", ".streamlit"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("app.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "pages" / "99_x.py").write_text(LESSON, encoding="utf-8")
    return tmp_path


def test_it_is_held_to_the_page_tests_and_stands_in_menu_and_map(house: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/site/test_pages.py", "-k", "99_x"],
        cwd=house,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    collected = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--collect-only",
            "tests/site",
            "tests/browser",
            "-k",
            "99_x or test_contract",
        ],
        cwd=house,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    ).stdout
    assert "test_a_page_opens_complete[pages/99_x.py-plain]" in collected
    assert "test_the_menu_lists_every_page_and_the_foot_its_neighbours[pages/99_x.py]" in collected
    assert "test_the_course_map_shows_every_page[pages/99_x.py]" in collected
    assert "test_its_link_opens_what_its_sender_saw_told_in_words_and_open_to_everybody[x]" in collected
