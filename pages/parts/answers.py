"""Numbers as people type them, and whether they are right."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass

from pages.parts.question_numbers import Drawn

LONGEST = 40
_SIGNS = str.maketrans({"−": "-", "–": "-", "٫": ".", "،": ",", "٪": "%", "⁄": "/", "÷": "/", "\u200e": None, "\u200f": None})
_DECIMAL = r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,4})?"
_NUMBER = re.compile(_DECIMAL)
_FRACTION = re.compile(rf"({_DECIMAL})\s*/\s*({_DECIMAL})")
_UNIT_WORDS = {"nats": "nats?", "bits": "bits?", "words": "words?"}


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
    cleaned = _plain(text)
    if not cleaned:
        raise ValueError("Type a number first, such as 0.67.")
    shown = f"“{text.strip()[:LONGEST]}”"
    if len(cleaned) > LONGEST:
        raise ValueError(f"That is longer than {LONGEST} characters; a number such as 0.67 is enough.")
    if unit in _UNIT_WORDS:
        cleaned = re.sub(rf"\s*{_UNIT_WORDS[unit]}$", "", cleaned, flags=re.IGNORECASE)
    percent = cleaned.endswith("%")
    if percent:
        if unit != "share":
            raise ValueError(f"{shown} is a share of something, but here the answer is no share; type a number without %.")
        cleaned = cleaned[:-1].rstrip()
    if cleaned in ("∞", "+∞", "-∞") or re.fullmatch(r"[+-]?(inf|infinity|nan)", cleaned, re.IGNORECASE):
        raise ValueError(f"{shown} is no number to compare with; every answer here is finite. Type it with digits.")
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
    # NFKC turns full-width signs, ½ and blanks of all kinds into plain ones. Long text is refused later, not converted.
    plain = unicodedata.normalize("NFKC", text[: 10 * LONGEST]).translate(_SIGNS)
    digits = (unicodedata.decimal(letter, None) for letter in plain)
    return "".join(letter if digit is None else str(digit) for letter, digit in zip(plain, digits, strict=True)).strip()


def _value(cleaned: str, shown: str) -> float:
    if _NUMBER.fullmatch(cleaned):
        return float(cleaned.replace(",", "."))
    parts = _FRACTION.fullmatch(cleaned)
    if not parts:
        if re.fullmatch(r"[+-]?[0-9][0-9.,' ]*", cleaned):
            raise ValueError(f"{shown} has more than one point or comma or a blank inside; type 1234.5 for a large number.")
        raise ValueError(f"{shown} is not a number; type digits, such as 0.67, 67 %, 2/3 or 6.7e-1.")
    above, below = (float(part.replace(",", ".")) for part in parts.groups())
    if below == 0:
        raise ValueError(f"{shown} divides by zero; type another number.")
    return above / below
