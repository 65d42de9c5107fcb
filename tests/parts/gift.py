"""Reads GIFT the way Moodle's importer does, so that tests can see what would arrive there.

Written after Moodle's description (https://docs.moodle.org/en/GIFT_format) and the behaviour of its importer: an item ends at an
empty line, a line that begins with // is a comment, the first brace opens the answers and the next one closes them, general
feedback follows the last ####, and whatever stands behind a backslash is a sign of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Signs behind a backslash go where no text has any, until the structure has been read.
HIDDEN = {sign: chr(0xE000 + place) for place, sign in enumerate("\\~=#{}:n")}
SHOWN = {hidden: "\n" if sign == "n" else sign for sign, hidden in HIDDEN.items()}
FORMATS = ("moodle", "html", "plain", "markdown")


@dataclass(frozen=True)
class Answer:
    """What can be chosen or typed: percent of the mark, the text or number, the feedback."""

    percent: int
    text: str
    feedback: str
    within: float | None = None


@dataclass(frozen=True)
class Item:
    """A question as it arrives."""

    category: str
    name: str
    format: str
    prompt: str
    kind: str
    answers: tuple[Answer, ...]
    general: str


def parse(source: str) -> list[Item]:
    """All items of a file, in order."""
    items, category = [], ""
    for block in re.split(r"\n[ \t]*\n", source.strip("\n")):
        text = "\n".join(line for line in block.split("\n") if not line.strip().startswith("//")).strip()
        if text.startswith("$CATEGORY:"):
            category = text.removeprefix("$CATEGORY:").strip()
        elif text:
            items.append(_item(text, category))
    return items


def _item(source: str, category: str) -> Item:
    text = re.sub(r"\\([\\~=#{}:n])", lambda found: HIDDEN[found[1]], source)
    assert text.startswith("::"), source
    name, _, rest = text[2:].partition("::")
    before, opened, rest = rest.partition("{")
    inside, closed, after = rest.partition("}")
    assert opened and closed, source
    assert not after.strip(), f"a gap to fill in is not meant: {source}"
    inside, _, general = inside.rpartition("####") if "####" in inside else (inside, "", "")
    inside = inside.strip()
    format, prompt = _formatted(before)
    if not inside:
        kind, answers = "essay", []
    elif inside.startswith("#"):
        kind, answers = "number", [_number(part) for part in _split(inside[1:], "=")]
    elif "~" in inside:
        kind, answers = "choice", [_choice(part) for part in _split(inside, "~=")]
    else:
        raise AssertionError(f"short answers, pairs or true and false are not meant: {source}")
    return Item(category, _shown(name), format, prompt, kind, tuple(answers), _formatted(general)[1])


def _split(text: str, signs: str) -> list[str]:
    return [part for part in re.split(f"(?=[{signs}])", text) if part.strip()]


def _choice(part: str) -> Answer:
    # A weight is read behind ~ only; = is the whole mark.
    percent, text = (100, part[1:]) if part[0] == "=" else _weighed(part[1:], 0)
    answer, _, feedback = text.partition("#")
    return Answer(percent, _formatted(answer)[1], _formatted(feedback)[1])


def _number(part: str) -> Answer:
    percent, text = _weighed(part.removeprefix("="), 100)
    answer, _, feedback = text.partition("#")
    value, _, within = answer.strip().partition(":")
    float(value)
    return Answer(percent, value, _formatted(feedback)[1], float(within))


def _weighed(text: str, otherwise: int) -> tuple[int, str]:
    found = re.match(r"\s*%(-?[0-9]+)%", text)
    return (int(found[1]), text[found.end() :]) if found else (otherwise, text)


def _formatted(text: str) -> tuple[str, str]:
    found = re.match(r"\[(\w+)\]", text.strip())
    if found and found[1] in FORMATS:
        return found[1], _shown(text.strip()[found.end() :])
    return "", _shown(text)


def _shown(text: str) -> str:
    return "".join(SHOWN.get(sign, sign) for sign in text).strip()
