"""The list of symbols is complete and points at lessons of the course; a bad file is refused by file, symbol and key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.parts.content import glossary
from pages.parts.contents import contents

LAST = 16  # the course's last lesson
GOOD = """
[[symbol]]
sign = "i"
say = "i"
means = "A place in the source"
size = "whole number"
lesson = 1
bahdanau = "j"
luong = "s"
"""


def test_every_symbol_is_explained_in_a_lesson_of_the_course() -> None:
    pages = [page.number for page in contents()]
    for symbol in glossary():
        assert symbol.lesson in pages or 1 <= symbol.lesson <= LAST, symbol.sign


def test_the_list_holds_every_symbol_of_the_course_once_in_the_order_of_the_lessons() -> None:
    signs = [symbol.sign for symbol in glossary()]
    assert len(set(signs)) == len(signs)
    told = set(re.findall(r"[^\s,;]+", " ".join(signs)))
    assert {"T_x", "T_y", "i", "t", "h_i", "s_t", "e_ti", "α_ti", "c_t", "W_a", "U_a", "v_a", "H_t"} <= told
    lessons = [symbol.lesson for symbol in glossary()]
    assert lessons == sorted(lessons)


def test_no_field_is_empty_or_breaks_its_line() -> None:
    for symbol in glossary():
        for name in ("sign", "say", "means", "size", "bahdanau", "luong"):
            text = getattr(symbol, name)
            assert text == text.strip() != "", (symbol.sign, name)
            assert text.isprintable(), (symbol.sign, name)


def written(folder: Path, text: str) -> Path:
    file = folder / "signs.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_good_file_is_read(tmp_path: Path) -> None:
    (symbol,) = glossary(written(tmp_path, GOOD))
    assert (symbol.sign, symbol.say, symbol.lesson, symbol.luong) == ("i", "i", 1, "s")


@pytest.mark.parametrize("key", ["sign", "say", "means", "size", "lesson", "bahdanau", "luong"])
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    text = GOOD + "".join(line + "\n" for line in GOOD.splitlines() if not line.startswith(f"{key} ="))
    with pytest.raises(ValueError) as caught:
        glossary(written(tmp_path, text))
    assert str(caught.value) == f"signs.toml: symbol 2: key '{key}' is missing"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('colour = "red"', "symbol 1: key 'colour' is not known"),
        ('lesson = "1"', "symbol 1: key 'lesson' is '1' but must be int"),
        ("lesson = true", "symbol 1: key 'lesson' is True but must be int"),
        ("lesson = 1.0", "symbol 1: key 'lesson' is 1.0 but must be int"),
        ("say = 3", "symbol 1: key 'say' is 3 but must be str"),
        ('means = ""', "symbol 1: key 'means' is '' but must be str"),
    ],
)
def test_a_bad_key_is_named(tmp_path: Path, line: str, problem: str) -> None:
    key = line.split(" =")[0]
    kept = [other for other in GOOD.splitlines() if not other.startswith(f"{key} =")]
    with pytest.raises(ValueError) as caught:
        glossary(written(tmp_path, "\n".join([*kept, line])))
    assert str(caught.value) == f"signs.toml: {problem}"


@pytest.mark.parametrize("text", ["", "symbol = ", "[[sign]]\nx = 1", "\x00"])
def test_a_file_that_is_no_list_of_symbols_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"signs\.toml: not a list of \[\[symbol\]\] tables"):
        glossary(written(tmp_path, text))
