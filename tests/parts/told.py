"""What a drawing tells its reader: every text in it, and what no text may hold."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

MINUS_ZERO = re.compile(r"(?<![\w.])[-−]0(?:\.0+)?(?![\d.]|e)")  # "-0.00" and its kin, but not "-0.001"
NO_NUMBER = re.compile(r"(?i)(?<![\w.])[-+−]?(?:nan|inf(?:inity)?)(?!\w)")

PRINTED = re.compile(r"(?<![\w.,])(?:(?<![\w)\]])[-−])?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?(?: %)?(?!\w|[.,]\d)")

# Where a Plotly figure holds text. What a template says is in the code, not in the data.
TEXTS = ("text", "ticktext", "customdata", "name", "hovertext")


def strings(value: object) -> Iterator[str]:
    """All strings inside lists in lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings(item)


def figure_texts(value: object) -> Iterator[str]:
    """All texts of a figure, as data or layout."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from strings(inner) if key in TEXTS else figure_texts(inner)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from figure_texts(item)


def told(drawing: Mapping[str, Any]) -> list[str]:
    """Every text of a drawing: for the eye, for the ear, in the figure, in the table."""
    table = drawing.get("table", {})
    return [
        drawing.get("label", ""),
        drawing.get("reading", ""),
        *figure_texts(drawing.get("figure", {})),
        *strings([table[key] for key in ("columns", "rows", "total") if key in table]),
    ]


def shown(text: str) -> str:
    """A text of a figure as Plotly shows it, if it holds no markup: entities are read, nothing else."""
    return html.unescape(text)


def numbers(value: object) -> Iterator[float]:
    """All numbers of a figure, at any depth."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def printed_numbers(texts: Iterable[str]) -> set[str]:
    """Numbers as they are printed in texts, each with its sign and its per cent: "-0.59", "1,000", "28 %", "1.9e-174"."""
    return {token for text in texts for token in PRINTED.findall(text)}
