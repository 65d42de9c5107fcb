"""Numbers as people type them, and whether they are right."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass

from pages.parts.question_numbers import Drawn

LONGEST = 40
_SIGNS = str.maketrans(
    {**dict.fromkeys("−–‐‑‒—﹘", "-"), "٫": ".", "،": ",", "٪": "%", "⁄": "/", "÷": "/"}
)  # fmt: skip
_DECIMAL = r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,4})?"
_NUMBER = re.compile(_DECIMAL)
_FRACTION = re.compile(rf"({_DECIMAL})\s*/\s*({_DECIMAL})")
_WITH_A_WORD = re.compile(rf"({_DECIMAL}|{_DECIMAL}\s*/\s*{_DECIMAL})\s*(\w+)")
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(?:[.,][0-9]{3})+")
_UNITS = {"nat": "nats", "nats": "nats", "bit": "bits", "bits": "bits", "word": "words", "words": "words"}


@dataclass(frozen=True)
class Verdict:
    """Whether a typed number is right, and the slip that explains it if it is a known wrong one."""

    right: bool
    slip: str = ""


def typed_number(text: str, unit: str = "number") -> float:
    """Read a number as it was typed: 0.67, 0,67, .67, 67 %, 6.7e-1, 2/3, in any script's digits.

    Parameters
    ----------
    text : str
    unit : str
        What is asked for. Percent is for a share; "nats", "bits" and "words" may stand behind a number of them.

    Raises
    ------
    ValueError
        A hint: what was expected, and how to write it.

    Examples
    --------
    >>> typed_number("67 %", "share"), typed_number("0,67"), typed_number("1/3") == 1 / 3
    (0.67, 0.67, True)
    """
    cleaned = re.sub(r"^[=≈~]\s*", "", _plain(text))
    if not cleaned:
        raise ValueError("Type a number first, such as 0.67.")
    shown = f"“{text.strip()[:LONGEST]}”"
    if len(cleaned) > LONGEST:
        raise ValueError(f"That is longer than {LONGEST} characters; a number such as 0.67 is enough.")
    cleaned = _without_unit(re.sub(r"\s*per ?cent$", "%", cleaned, flags=re.IGNORECASE), unit, shown)
    percent = cleaned.endswith("%")
    if percent:
        if unit != "share":
            raise ValueError(f"{shown} is a share of something, but here the answer is no share; type a number without %.")
        cleaned = cleaned[:-1].rstrip()
    if re.fullmatch(r"[+-]?(∞|inf|infinity|nan)", cleaned, re.IGNORECASE):
        raise ValueError(f"{shown} is no number to compare with; every answer here is finite. Type it with digits.")
    if unit == "count" and _THOUSANDS.fullmatch(cleaned):
        digits = re.sub(r"[.,]", "", cleaned)
        raise ValueError(f"{shown} can be read in two ways; type {digits} without a point or comma.")
    value = _value(cleaned, shown)
    if not math.isfinite(value):
        raise ValueError(f"{shown} is too large to be compared; type a smaller number.")
    value = value / 100 if percent else value
    return value + 0.0  # -0 is 0


def judge(value: float, drawn: Drawn, within: float) -> Verdict:
    """Compare a number with the answer; more digits than asked for are never held against anyone.

    Parameters
    ----------
    value : float
    drawn : Drawn
        Answer and known slips.
    within : float
        How far off the answer may be. A little is added for the digit that the tolerance itself was rounded to.
    """
    if close(value, drawn.answer, within):
        return Verdict(True)
    return Verdict(False, next((name for name, slip in drawn.slips.items() if close(value, slip, within)), ""))


def percent_is_meant(value: float, drawn: Drawn, within: float) -> bool:
    """Whether a share was typed in percent, and the sign forgotten: worth a hint, not a point off."""
    return drawn.unit == "share" and value > 1 and close(value / 100, drawn.answer, within)


def close(value: float, wanted: float, within: float) -> bool:
    """Whether a number is right within a tolerance, the end of it included."""
    return abs(value - wanted) <= within * (1 + 1e-9) + 1e-12


def _plain(text: str) -> str:
    """Digits of any script as 0 to 9, signs of any kind as those of a keyboard, no blanks at the ends."""
    plain = ""
    for letter in text[: 10 * LONGEST]:  # long text is refused later, not converted
        kind = unicodedata.decomposition(letter).partition(" ")[0]
        digit = unicodedata.decimal(letter, None)
        if digit is not None:
            plain += str(digit)
        elif unicodedata.category(letter) == "Cf":
            continue  # marks that show nothing: direction of writing, joiners
        elif kind in ("<super>", "<sub>"):
            plain += letter  # 10² is not 102
        elif kind == "<fraction>" and plain[-1:].isdigit():
            plain += " " + unicodedata.normalize("NFKC", letter)  # 1½ is not 11/2
        else:
            plain += unicodedata.normalize("NFKC", letter)  # full-width signs, ½, blanks of all kinds
    return plain.translate(_SIGNS).strip()


def _without_unit(cleaned: str, unit: str, shown: str) -> str:
    """The number alone, if the word behind it is the unit that is asked for."""
    found = _WITH_A_WORD.fullmatch(cleaned)
    if not found or not found[2].isalpha():
        return cleaned
    number, word = found.groups()
    named = _UNITS.get(word.lower())
    if named == unit:
        return number
    if named and unit in _UNITS.values():
        raise ValueError(f"{shown} is in {named}, but the answer is asked in {unit}; work it out in {unit}.")
    raise ValueError(f"{shown} has a word behind the number; type the number alone.")


def _value(cleaned: str, shown: str) -> float:
    if _NUMBER.fullmatch(cleaned):
        return float(cleaned.replace(",", "."))
    parts = _FRACTION.fullmatch(cleaned)
    if parts:
        above, below = (float(part.replace(",", ".")) for part in parts.groups())
        if below == 0:
            raise ValueError(f"{shown} divides by zero; type another number.")
        return above / below
    if re.fullmatch(rf"[+-]?[0-9]+ +{_FRACTION.pattern}", cleaned):
        raise ValueError(f"{shown} is a whole number and a fraction; type it as a decimal, such as 1.5.")
    if re.fullmatch(r"[+-]?[0-9.,][0-9.,' ]*", cleaned) and any(map(str.isdigit, cleaned)):
        raise ValueError(f"{shown} has more than one point or comma or a blank inside; type 1234.5 for a large number.")
    raise ValueError(f"{shown} is not a number; type digits, such as 0.67, 67 %, 2/3 or 6.7e-1.")
