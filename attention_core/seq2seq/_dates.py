"""Dates as people write them → the one way that sorts: "Saturday, March 7, 2015" → "2015-03-07". Tokens are characters.

What a digit comes from
-----------------------
A digit of the year, or of a month or day written with two digits, comes from that digit. "7" becomes "07": both come
from the "7", since that it stands alone is what makes the 0. The digits of a month in letters come from its name, from
all its letters: which ones a network prefers is its own affair (the first three are enough). Hyphens come from nowhere.

Days and weekdays are real. Before 1582 they are those of the calendar of today, carried back.
"""

from __future__ import annotations

import datetime
import re
import string

import numpy as np

from ._reading import listed, nearest, plain, quoted, refuse_strange, skeleton
from ._task import Draft, Example, Task, often, pick

BLANK = "␣"
"""How the blank is written as a token: one can see it."""

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FIRST_YEAR, LAST_YEAR = 1000, 2999
_LETTERS = sorted(set("".join((*MONTHS, *WEEKDAYS, "the", "of", "st", "nd", "rd", "th"))))

# Two numbers before the year: only read if one of them cannot be a month.
_NUMERIC = re.compile(r"(\d{1,2})[/.\-](\d{1,2})[/.\-]\d{4}")


def ordinal(day: int) -> str:
    """The letters after a number: 1st, 2nd, 3rd, 4th, 11th."""
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def draw(rng: np.random.Generator) -> Example:
    """Draw a date and a way of writing it."""
    if often(rng, 0.25):
        return _in_numbers(rng)
    return _in_words(rng)


def _any_day(rng: np.random.Generator) -> datetime.date:
    """A day of a year from 1000 to 2999. So many years, because a digit that is nearly always the same is not looked up."""
    first = datetime.date(FIRST_YEAR, 1, 1).toordinal()
    last = datetime.date(LAST_YEAR, 12, 31).toordinal()
    return datetime.date.fromordinal(int(rng.integers(first, last + 1)))


class _Writing:
    """A date that is being written, part by part; knows where the digits of each part come from."""

    def __init__(self, date: datetime.date) -> None:
        self.date = date
        self._draft = Draft()
        self._places: dict[str, list[tuple[int, ...]]] = {}

    def text(self, text: str) -> list[int]:
        """Write something that no digit comes from; return its positions."""
        return [self._draft.read(BLANK if c == " " else c) for c in text]

    def year(self) -> None:
        self._places["year"] = [(place,) for place in self.text(f"{self.date.year:04}")]

    def day(self, *, padded: bool = False) -> None:
        self._places["day"] = self._number(self.date.day, padded)

    def month(self, *, padded: bool = False) -> None:
        self._places["month"] = self._number(self.date.month, padded)

    def month_name(self, *, short: bool) -> None:
        name = MONTHS[self.date.month - 1]
        places = tuple(self.text(name[:3] if short else name))
        self._places["month"] = [places, places]

    def _number(self, number: int, padded: bool) -> list[tuple[int, ...]]:
        places = self.text(f"{number:02}" if padded else str(number))
        return [(places[0],), (places[-1],)]

    def example(self) -> Example:
        """Say the date, now that every part is written."""
        parts = (("year", f"{self.date.year:04}"), ("month", f"{self.date.month:02}"), ("day", f"{self.date.day:02}"))
        for number, (part, digits) in enumerate(parts):
            if number:
                self._draft.say("-", content=False)
            for digit, places in zip(digits, self._places[part], strict=True):
                self._draft.say(digit, *places)
        return self._draft.example()


def _in_words(rng: np.random.Generator) -> Example:
    """With the name of the month: "7 March 2015", "Saturday, March 7th, 2015", "the 7th of March 2015", "2015 March 7"."""
    writing = _Writing(_any_day(rng))
    short, with_ordinal = often(rng, 0.3), often(rng, 0.3)
    order = pick(rng, ("day first", "day first", "month first", "month first", "the day of", "year first"))
    if order != "year first" and often(rng, 0.35):
        name = WEEKDAYS[writing.date.weekday()]
        writing.text((name[:3] if short else name) + pick(rng, (" ", ", ")))
    if order == "day first":
        _day(writing, with_ordinal, padded=not with_ordinal and often(rng, 0.15))
        writing.text(" ")
        writing.month_name(short=short)
        writing.text(" ")
        writing.year()
    elif order == "month first":
        writing.month_name(short=short)
        writing.text(" ")
        _day(writing, with_ordinal)
        writing.text(pick(rng, (", ", ", ", " ")))
        writing.year()
    elif order == "the day of":
        writing.text("the ")
        _day(writing, with_ordinal=True)
        writing.text(" of ")
        writing.month_name(short=short)
        writing.text(pick(rng, (" ", ", ")))
        writing.year()
    else:
        writing.year()
        writing.text(" ")
        writing.month_name(short=short)
        writing.text(" ")
        _day(writing, with_ordinal)
    return writing.example()


def _day(writing: _Writing, with_ordinal: bool, padded: bool = False) -> None:
    writing.day(padded=padded)
    if with_ordinal:
        writing.text(ordinal(writing.date.day))


def _in_numbers(rng: np.random.Generator) -> Example:
    """In digits alone: "25/03/2015", "3/25/2015", "2015.03.07". Only what can be read in one way."""
    order = pick(rng, ("year first", "day first", "month first"))
    date = _any_day(rng)
    while order != "year first" and date.day <= 12 and date.day != date.month:
        date = _any_day(rng)
    writing, mark, padded = _Writing(date), pick(rng, ("/", ".", "-")), often(rng, 0.6)
    if order == "year first":
        writing.year()
        writing.text(mark)
        writing.month(padded=padded)
        writing.text(mark)
        writing.day(padded=padded)
    else:
        first, second = (writing.day, writing.month) if order == "day first" else (writing.month, writing.day)
        first(padded=padded)
        writing.text(mark)
        second(padded=padded)
        writing.text(mark)
        writing.year()
    return writing.example()


_SHORT = {name[:3]: name[:3] for name in (*MONTHS, *WEEKDAYS)}
_NAMES = {name: name for name in (*MONTHS, *WEEKDAYS, "the", "of")}
_MONTH_STARTS = tuple(name[:3] for name in MONTHS)
_ENDINGS = ("st", "nd", "rd", "th")
_EXAMPLE = "7 March 2015"


def read(text: str) -> tuple[str, ...]:
    """Turn a date as typed into its characters, in small letters, with one blank between words."""
    typed = re.sub(r"\s*,\s*", ", ", " ".join(skeleton(plain(text)).translate(_MARKS).split())).strip(" ,.;:!?")
    if not typed:
        raise ValueError(f"there is no date to read but the model needs one: type a date, such as “{_EXAMPLE}”")
    words = re.findall(r"[^\s\d/.,\-]+|[/.,\-]+|\d+", typed)
    remedy = f"write a date, such as “{_EXAMPLE}”"
    unknown = [w for w in words if not (w in _NAMES or w in _SHORT or w in _ENDINGS or re.fullmatch(r"[0-9]+|[/.,\-]+", w))]
    if unknown:
        refuse_strange(unknown, "dates in English with the digits 0 to 9", remedy)
        near = [quoted(w) + (f" (nearest: {listed(found, 'or')})" if (found := nearest(w, _NAMES)) else "") for w in unknown]
        raise ValueError(f"the model does not know {listed(dict.fromkeys(near))} but only the words of dates: {remedy}")
    if len(typed) > LONGEST:
        raise ValueError(f"the date has {len(typed)} characters but the model reads at most {LONGEST}: shorten it, or {remedy}")
    numbers = re.findall(r"\d+", typed)
    years = [number for number in numbers if len(number) > 2]
    if len(years) != 1 or len(years[0]) != 4 or not FIRST_YEAR <= int(years[0]) <= LAST_YEAR:
        raise ValueError(
            f"{quoted(typed)} needs one year of four digits from {FIRST_YEAR} to {LAST_YEAR}"
            f" but has {listed(years) if years else 'none'}: {remedy}"
        )
    months = [word for word in words if word[:3] in _MONTH_STARTS]
    if (len(months), len(numbers)) not in ((1, 2), (0, 3)):
        raise ValueError(f"{quoted(typed)} needs a year, one month and one day but has something else: {remedy}")
    in_numbers = _NUMERIC.fullmatch(typed)
    if in_numbers and all(1 <= int(number) <= 12 for number in in_numbers.groups()) and in_numbers[1] != in_numbers[2]:
        raise ValueError(f"{quoted(typed)} can be read in two ways, day or month first: write the month as a word")
    return tuple(BLANK if c == " " else c for c in typed)


_MARKS = str.maketrans({"–": "-", "—": "-", "‐": "-", "−": "-", "．": ".", "／": "/"})
LONGEST = len("wednesday, the 30th of september, 2015")

DATES = Task(
    name="dates",
    about="Write a date, given in any of many forms, as year, month and day: the order changes and months become numbers.",
    source_words=(*string.digits, BLANK, ",", ".", "/", "-", *_LETTERS),
    target_words=(*string.digits, "-"),
    longest=LONGEST,
    draw=draw,
    read=read,
    write="".join,
    examples=(
        "Saturday, March 7, 2015",
        "7 March 2015",
        "the 1st of September 2014",
        "Oct 12, 1492",
        "31.12.1999",
        "Tuesday 29 February 2028",
    ),
)
"""Dates in English → year-month-day."""
