"""The table of contents, read from the tree: a page is a file, its place is its number, its title its docstring."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Page:
    """One page of the course.

    Attributes
    ----------
    file : str
        Path below the project's root; what `st.page_link` takes.
    slug : str
        The page's address; empty for the score lab.
    number : int
        Its place in the course; 0 for the score lab.
    title, summary : str
        First line and the rest of its docstring.
    needs : tuple of int
        Numbers of the lessons it stands on: the docstring's line "Stands on: 3, 4.", or else the lesson before.
    """

    file: str
    slug: str
    number: int
    title: str
    summary: str
    needs: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        """What menus show."""
        return f"{self.number}. {self.title}" if self.number else self.title


def contents(root: Path = ROOT) -> tuple[Page, ...]:
    """The score lab, then the numbered pages in order."""
    numbered = [f for f in (root / "pages").glob("*.py") if re.match(r"\d+_", f.name)]
    ordered = sorted(numbered, key=lambda f: int(f.name.split("_")[0]))
    pages = [_page(file, root, file.stat().st_mtime_ns) for file in (root / "app.py", *ordered)]
    numbers = [page.number for page in pages]
    return tuple(
        page if page.needs or not place else replace(page, needs=(numbers[place - 1],)) for place, page in enumerate(pages)
    )


def page_of(file: str, root: Path = ROOT) -> Page:
    """The page that a script is, from its ``__file__``."""
    here = Path(file).resolve().relative_to(root).as_posix()
    return next(page for page in contents(root) if page.file == here)


def neighbours(page: Page, root: Path = ROOT) -> tuple[Page | None, Page | None]:
    """The pages before and after."""
    pages = contents(root)
    place = pages.index(page)
    return pages[place - 1] if place else None, pages[place + 1] if place + 1 < len(pages) else None


@cache
def _page(file: Path, root: Path, changed: int) -> Page:
    """Read a page's title; again only when the file has `changed`."""
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    if not docstring:
        raise ValueError(f"{file.name} has no docstring: its first line is the page's title, the rest its summary")
    title, _, rest = docstring.partition("\n")
    summary, _, needs = rest.partition("Stands on:")
    number = re.match(r"(\d+)_(.*)", file.stem)
    return Page(
        file=file.relative_to(root).as_posix(),
        slug=number[2] if number else "",
        number=int(number[1]) if number else 0,
        title=title.strip().rstrip("."),
        summary=" ".join(summary.split()),
        needs=tuple(int(n) for n in re.findall(r"\d+", needs)),
    )
