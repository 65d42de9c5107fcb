"""A page's own switches and sizes: what each may be, and how it is written in the link.

The scenario belongs to the whole course; these belong to one page. A page declares them, and gets checked values back,
whatever a link held. What stands at its default is left out of the link.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pages.parts.scenario import Scenario

MAX_EDITS = 200


class Setting(Protocol):
    """One switch, size or set of changed numbers."""

    @property
    def name(self) -> str:
        """Its name in the link."""

    @property
    def default(self) -> Any:
        """Where it stands if nobody touches it."""

    def read(self, text: str, scenario: Scenario) -> Any:
        """Turn a link's text into a value.

        Raises
        ------
        ValueError
            What it must be.
        """

    def write(self, value: Any) -> str:
        """Turn a value into a link's text."""

    def fitted(self, value: Any, scenario: Scenario) -> Any:
        """The value, or what is left of it, once the scenario has changed."""


@dataclass(frozen=True)
class Choice:
    """One of a few; the first is the default."""

    name: str
    options: tuple[str, ...]

    @property
    def default(self) -> str:
        """The first option."""
        return self.options[0]

    def read(self, text: str, scenario: Scenario) -> str:
        """One of the options, as it is spelt."""
        if text not in self.options:
            raise ValueError(f"it must be {', '.join(self.options[:-1])} or {self.options[-1]}")
        return text

    def write(self, value: str) -> str:
        """The option itself."""
        return value

    def fitted(self, value: str, scenario: Scenario) -> str:
        """Options do not depend on the scenario."""
        return value


@dataclass(frozen=True)
class Named:
    """One of many things with names, or of things that may come later; empty if none is named.

    `pattern` is what every name must match, `what` is said of a name that does not.
    """

    name: str
    pattern: str
    what: str
    default: str = ""

    def read(self, text: str, scenario: Scenario) -> str:
        """A name that fits the pattern."""
        if not re.fullmatch(self.pattern, text):
            raise ValueError(f"it must be {self.what}")
        return text

    def write(self, value: str) -> str:
        """The name itself."""
        return value

    def fitted(self, value: str, scenario: Scenario) -> str:
        """Names do not depend on the scenario."""
        return value


@dataclass(frozen=True)
class Whole:
    """A whole number in a range, whose upper end may depend on the scenario."""

    name: str
    low: int
    high: int | Callable[[Scenario], int]
    default: int

    def most(self, scenario: Scenario) -> int:
        """The upper end."""
        return self.high(scenario) if callable(self.high) else self.high

    def read(self, text: str, scenario: Scenario) -> int:
        """A whole number in the range."""
        if not re.fullmatch(r"[0-9]{1,4}", text) or not self.low <= int(text) <= self.most(scenario):
            raise ValueError(f"it must be a whole number from {self.low} to {self.most(scenario)}")
        return int(text)

    def write(self, value: int) -> str:
        """Plain digits."""
        return str(value)

    def fitted(self, value: int, scenario: Scenario) -> int:
        """Within the range."""
        return min(max(value, self.low), self.most(scenario))


@dataclass(frozen=True)
class Real:
    """A number in a range, kept to four decimals."""

    name: str
    low: float
    high: float
    default: float

    def read(self, text: str, scenario: Scenario) -> float:
        """A decimal number in the range."""
        value = _decimal(text)
        if value is None or not self.low <= value <= self.high:
            raise ValueError(f"it must be a number from {self.low:g} to {self.high:g}")
        return value

    def write(self, value: float) -> str:
        """As short as it can be."""
        return _text(value)

    def fitted(self, value: float, scenario: Scenario) -> float:
        """Ranges of numbers do not depend on the scenario."""
        return value


@dataclass(frozen=True)
class Edits:
    """Numbers that a hand has changed, by place: ``s1:0.5,v3:-1``. Places that do not exist are passed over by the page.

    `places` is a pattern that every place must match, `example` one such place.
    """

    name: str
    places: str
    example: str
    limit: float

    @property
    def default(self) -> Mapping[str, float]:
        """Nothing is changed."""
        return {}

    def read(self, text: str, scenario: Scenario) -> dict[str, float]:
        """Places and numbers."""
        edits: dict[str, float] = {}
        for item in text.split(","):
            place, _, number = item.partition(":")
            value = _decimal(number)
            fits = len(edits) < MAX_EDITS and re.fullmatch(self.places, place) and place not in edits
            if not fits or value is None or abs(value) > self.limit:
                raise ValueError(f"it must be places and numbers up to {self.limit:g}, such as {self.example}:0.5")
            edits[place] = value
        return edits

    def write(self, value: Mapping[str, float]) -> str:
        """In order of places."""
        return ",".join(f"{place}:{_text(number)}" for place, number in sorted(value.items()))

    def fitted(self, value: Mapping[str, float], scenario: Scenario) -> Mapping[str, float]:
        """The page passes over what does not fit."""
        return value


def read(settings: Sequence[Setting], params: Mapping[str, str], scenario: Scenario) -> tuple[dict[str, Any], list[str]]:
    """Read a page's settings from link parameters.

    Returns
    -------
    values : dict of str to object
        A value for every setting.
    problems : list of str
        One sentence per parameter that could not be used.
    """
    values, problems = {}, []
    for setting in settings:
        values[setting.name] = setting.default
        text = params.get(setting.name)
        if text is None:
            continue
        try:
            values[setting.name] = setting.read(text[:10_000], scenario)
        except ValueError as error:
            problems.append(f'"{setting.name}" in the link is ignored: {error}.')
    return values, problems


def to_link(settings: Sequence[Setting], values: Mapping[str, Any]) -> dict[str, str]:
    """Write what differs from its default."""
    return {s.name: s.write(values[s.name]) for s in settings if values[s.name] != s.default}


def _decimal(text: str) -> float | None:
    if not re.fullmatch(r"[+-]?([0-9]{1,6}\.?[0-9]{0,12}|\.[0-9]{1,12})", text):
        return None
    return round(float(text), 4) + 0.0


def _text(value: float) -> str:
    return f"{round(value, 4) + 0.0:.4f}".rstrip("0").rstrip(".")
