"""The table of contents is read from the tree: a page is a file, and adding one changes nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pages.parts import contents
from pages.parts.contents import Page, neighbours, page_of


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A project with two lessons and things that are none."""
    root = tmp_path.resolve()
    write(root / "app.py", '"""The score lab\n\nDrag the scores\nand watch.\n"""\n')
    write(root / "pages" / "99_y.py", '"""Çà et là."""\nimport streamlit\n')
    write(root / "pages" / "04_x_and_more.py", '# A comment first.\n"""X, and more\n\nAll about   x.\n"""\n1 / 0\n')
    write(root / "pages" / "__init__.py", '"""The course."""\n')
    write(root / "pages" / "draft.py", "no docstring, no number\n")
    write(root / "pages" / "05_notes.md", "no Python\n")
    write(root / "pages" / "parts" / "06_z.py", '"""Not a page."""\n')
    return root


LAB = Page("app.py", "", 0, "The score lab", "Drag the scores and watch.")
FOUR = Page("pages/04_x_and_more.py", "x_and_more", 4, "X, and more", "All about x.", needs=(0,))
LAST = Page("pages/99_y.py", "y", 99, "Çà et là", "", needs=(4,))


def test_the_lab_comes_first_then_the_numbers(house: Path) -> None:
    assert contents.contents(house) == (LAB, FOUR, LAST)
    assert [page.label for page in contents.contents(house)] == ["The score lab", "4. X, and more", "99. Çà et là"]


def test_numbers_are_ordered_as_numbers(house: Path) -> None:
    write(house / "pages" / "10_ten.py", '"""Ten"""\n')
    write(house / "pages" / "9_nine.py", '"""Nine"""\n')
    write(house / "pages" / "100_hundred.py", '"""Hundred"""\n')
    assert [page.number for page in contents.contents(house)] == [0, 4, 9, 10, 99, 100]


def test_neighbours_are_before_and_after(house: Path) -> None:
    assert neighbours(LAB, house) == (None, FOUR)
    assert neighbours(FOUR, house) == (LAB, LAST)
    assert neighbours(LAST, house) == (FOUR, None)


def test_a_page_finds_itself_by_its_file(house: Path) -> None:
    assert page_of(str(house / "pages" / "04_x_and_more.py"), house) == FOUR
    assert page_of(str(house / "app.py"), house) == LAB
    assert page_of(str(house / "pages" / ".." / "pages" / "99_y.py"), house) == LAST


@pytest.mark.parametrize("text", ["", "import streamlit\n", 'title = """X"""\n', '""""""\n', '"""   \n"""\n', "# comment only\n"])
def test_a_page_without_a_docstring_is_refused_with_a_sentence(house: Path, text: str) -> None:
    write(house / "pages" / "07_silent.py", text)
    with pytest.raises(ValueError, match=r"07_silent\.py has no docstring: its first line is the page's title"):
        contents.contents(house)


def test_a_changed_title_is_seen_without_a_restart(house: Path) -> None:
    assert contents.contents(house)[1].title == "X, and more"
    file = write(house / "pages" / "04_x_and_more.py", '"""Only x"""\n')
    later = file.stat().st_mtime_ns + 1_000_000_000
    os.utime(file, ns=(later, later))
    assert contents.contents(house)[1].title == "Only x"


def test_two_houses_do_not_share_their_pages(house: Path, tmp_path: Path) -> None:
    other = tmp_path.resolve() / "other"
    write(other / "app.py", '"""Another lab"""\n')
    assert [page.title for page in contents.contents(other)] == ["Another lab"]
    assert contents.contents(house)[0] == LAB


def test_our_own_contents_can_be_read() -> None:
    pages = contents.contents()
    assert pages[0].file == "app.py"
    assert len(pages) > 1
    assert len({page.slug for page in pages}) == len(pages)
    assert len({page.title for page in pages}) == len(pages)
    for page in pages:
        assert (contents.ROOT / page.file).is_file()
        assert page.title
        assert page.summary, f"{page.file}: a summary is what the menu says about the page"
        assert page_of(str(contents.ROOT / page.file)) == page


def test_a_lesson_names_what_it_stands_on(house: Path) -> None:
    write(house / "pages" / "07_seven.py", '"""Seven\n\nAll of it.\n\nStands on: 4, 6.\n"""\n')
    (seven,) = [page for page in contents.contents(house) if page.number == 7]
    assert seven.needs == (4, 6)
    assert seven.summary == "All of it."
    # Without that line, on the lesson before; the one after it does so too.
    assert contents.contents(house)[-1].needs == (7,)
