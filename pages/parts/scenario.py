"""The sentence pair, its scores, the step and the temperature: one value, to and from the link and a file."""

from __future__ import annotations

import json
import re
import reprlib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

OWN = "own sentences"
MAX_WORDS = 30
MAX_LETTERS = 40
SCORE_LIMIT = 1000.0
TEMPERATURE_RANGE = (0.01, 100.0)
MAX_SEED = 9999
MAX_LINK = 2000
REACHES = (5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
FILE_FORMAT = "attention-scenario"
FILE_VERSION = 1

_DECIMALS = 4
# Longer than the largest grid written out (30 x 30 cells of "-999.9999,"), so that nothing real is refused.
_MAX_TEXT = 10_000
_MAX_NAME = 60
_FILE_KEYS = ("format", "version", "name", "source", "target", "scores", "t", "temperature", "seed")
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

# Characters that garble their neighbours: control characters (C0, C1), bidirectional embeddings, overrides
# and isolates (they turn the direction of the text that follows, beyond the word), and lone surrogates (no
# URL or UTF-8 file can hold them). Zero-width joiners stay: they hold emoji and several scripts together.
_GARBLING = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

# What is wrong is quoted in the sentence, but never at full length: it may be ten megabytes.
_quoted = reprlib.Repr()
_quoted.maxstring = _quoted.maxlong = _quoted.maxother = 40

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scenario:
    """What the score lab shows and the lessons share. It never changes: methods return a new one.

    Attributes
    ----------
    name : str
        The prepared scenario it started from, or `OWN`.
    source, target : tuple of str
        1 to 30 words each. The same word may stand at several positions.
    scores : tuple of tuple of float
        T_y rows of T_x scores e_ti, each from -1000 to 1000, kept to 4 decimals.
    t : int
        The decoder step, counted from 0. The link, the file and the screen count from 1.
    temperature : float
        From 0.01 to 100, kept to 4 decimals.
    seed : int
        From 0 to 9999: the encoder states are drawn from it.

    Raises
    ------
    ValueError
        One sentence: what is wrong, what was expected, what to do.
    """

    name: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    scores: tuple[tuple[float, ...], ...]
    t: int
    temperature: float
    seed: int

    def __post_init__(self) -> None:
        """Check every field and keep it cleaned."""
        # A frozen dataclass sets its own cleaned values this way.
        put = object.__setattr__
        name_fits = isinstance(self.name, str) and 1 <= len(self.name) <= _MAX_NAME
        if not name_fits or _GARBLING.search(self.name):
            raise ValueError(f"name is {_show(self.name)} but must be 1 to {_MAX_NAME} visible characters; choose another")
        put(self, "source", _checked_words("source", self.source))
        put(self, "target", _checked_words("target", self.target))
        put(self, "scores", _checked_grid(self.scores, len(self.target), len(self.source)))
        put(self, "t", _whole("t", self.t, 0, len(self.target) - 1))
        put(self, "temperature", _number(self.temperature, *TEMPERATURE_RANGE, "temperature"))
        put(self, "seed", _whole("seed", self.seed, 0, MAX_SEED))

    @property
    def reach(self) -> float:
        """Sliders run from -reach to reach: one of a few ranges, so that heights do not jump in a drag."""
        largest = max(abs(score) for row in self.scores for score in row)
        return next(reach for reach in REACHES if reach >= largest)

    def with_row(self, values: Iterable[float]) -> Scenario:
        """Replace the scores of the current step."""
        return replace(self, scores=(*self.scores[: self.t], tuple(values), *self.scores[self.t + 1 :]))

    def with_step(self, t: int) -> Scenario:
        """Go to step `t`, counted from 0."""
        return replace(self, t=t)

    def with_temperature(self, temperature: float) -> Scenario:
        """Divide the scores by another temperature."""
        return replace(self, temperature=temperature)

    def with_seed(self, seed: int) -> Scenario:
        """Draw other encoder states."""
        return replace(self, seed=seed)

    def with_words(self, source: Sequence[str], target: Sequence[str]) -> Scenario:
        """Change the sentences. Scores keep their positions, new cells are 0, and the name becomes `OWN`."""
        source, target = _checked_words("source", source), _checked_words("target", target)
        if (source, target) == (self.source, self.target):
            return self
        kept = [[*row, *[0.0] * len(source)][: len(source)] for row in self.scores]
        kept += [[0.0] * len(source)] * len(target)
        scores = tuple(tuple(row) for row in kept[: len(target)])
        return Scenario(OWN, source, target, scores, min(self.t, len(target) - 1), self.temperature, self.seed)


def words(text: str) -> tuple[str, ...]:
    """Split a sentence at its blanks, whatever their kind.

    Examples
    --------
    >>> words("Je  suis étudiant")
    ('Je', 'suis', 'étudiant')
    """
    if len(text) > _MAX_TEXT:
        raise ValueError(f"the sentence has {len(text)} characters but at most {_MAX_TEXT} fit; shorten it")
    # Blanks first: a tab or a line end is a control character too, but it parts two words.
    cleaned = (_GARBLING.sub("", piece) for piece in text.split())
    found = tuple(word for word in cleaned if _is_visible(word))
    if not found:
        raise ValueError("the sentence has no words but must have at least 1; type a word")
    if len(found) > MAX_WORDS:
        raise ValueError(f"the sentence has {len(found)} words but at most {MAX_WORDS} fit; shorten it")
    for position, word in enumerate(found, start=1):
        if len(word) > MAX_LETTERS:
            raise ValueError(
                f"word {position}, {_show(word)}, has {len(word)} characters but at most {MAX_LETTERS} fit;"
                " shorten it or put a blank into it"
            )
    return found


def to_link(scenario: Scenario, prepared: Mapping[str, Scenario]) -> dict[str, str]:
    """Write what differs from the prepared scenario as link parameters.

    Parameters
    ----------
    scenario : Scenario
    prepared : mapping of str to Scenario
        The prepared scenarios by name; the first is the one an empty link opens.

    Returns
    -------
    dict of str to str
        Parameters as text, not yet escaped: see `query`. Here t counts from 1.
    """
    first = next(iter(prepared.values()))
    base = prepared.get(scenario.name)
    link: dict[str, str] = {}
    # A name promises the words that go with it, so other words are own sentences, whatever the name says.
    if base is None or (base.source, base.target) != (scenario.source, scenario.target):
        base = _own(scenario.source, scenario.target, first)
        link["source"] = " ".join(scenario.source)
        link["target"] = " ".join(scenario.target)
    elif base is not first:
        link["scenario"] = scenario.name
    if scenario.scores != base.scores:
        link["scores"] = ";".join(",".join(_text(score) for score in row) for row in scenario.scores)
    if scenario.t != base.t:
        link["t"] = str(scenario.t + 1)
    if scenario.temperature != base.temperature:
        link["temperature"] = _text(scenario.temperature)
    if scenario.seed != base.seed:
        link["seed"] = str(scenario.seed)
    return link


def from_link(params: Mapping[str, str], prepared: Mapping[str, Scenario]) -> tuple[Scenario, list[str]]:
    """Read a link, taking what is good in it; the inverse of `to_link`.

    Parameters
    ----------
    params : mapping of str to str
        Link parameters. Those that belong to other parts of the app are passed over.
    prepared : mapping of str to Scenario
        The prepared scenarios by name, at least one; the first is the one an empty link opens.

    Returns
    -------
    scenario : Scenario
    problems : list of str
        One sentence per parameter that could not be used. Nothing is ever raised.
    """
    problems: list[str] = []

    def read(key: str, convert: Callable[[str], T], otherwise: T) -> T:
        text = params.get(key)
        if text is None:
            return otherwise
        try:
            if len(text) > _MAX_TEXT:
                raise ValueError(f"it has {len(text)} characters but at most {_MAX_TEXT} fit; shorten it")
            return convert(text)
        except ValueError as error:
            problems.append(f'"{key}" in the link is ignored: {error}.')
            return otherwise

    def named(name: str) -> Scenario | None:
        if name not in prepared and name != OWN:
            raise ValueError(f"there is no scenario {_show(name)}; choose one from the menu")
        return prepared.get(name)

    first = next(iter(prepared.values()))
    start = read("scenario", named, None)
    base = start or first
    source, target = read("source", words, None), read("target", words, None)
    if source or target:
        source, target = source or base.source, target or base.target
        base = start.with_words(source, target) if start else _own(source, target, first)
    fields: dict[str, Any] = {
        "scores": read("scores", lambda text: replace(base, scores=_grid(text)).scores, base.scores),
        "t": read("t", lambda text: _whole("t", _value(text), 1, len(base.target)) - 1, base.t),
        "temperature": read("temperature", lambda text: base.with_temperature(_value(text)).temperature, base.temperature),
        "seed": read("seed", lambda text: base.with_seed(_value(text)).seed, base.seed),
    }
    return replace(base, **fields), problems


def query(params: Mapping[str, str]) -> str:
    """Escape link parameters. A blank becomes %20: some programs take "+" for a plus sign."""
    return urlencode(params, quote_via=quote, safe=",")


def too_long(url: str) -> bool:
    """Whether some programs would cut this link off; a file carries any scenario."""
    return len(url) > MAX_LINK


def to_file(scenario: Scenario, extra: Mapping[str, object] | None = None) -> str:
    """Write a scenario as strict JSON, one key per line. Here t counts from 1.

    Parameters
    ----------
    scenario : Scenario
    extra : mapping of str to object, optional
        More keys for other readers. `from_file` does not look at them.
    """
    content: dict[str, object] = {
        "format": FILE_FORMAT,
        "version": FILE_VERSION,
        "name": scenario.name,
        "source": scenario.source,
        "target": scenario.target,
        "scores": scenario.scores,
        "t": scenario.t + 1,
        "temperature": scenario.temperature,
        "seed": scenario.seed,
    }
    lines = (
        f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}"
        for key, value in {**content, **(extra or {})}.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def from_file(text: str) -> Scenario:
    """Read what `to_file` wrote.

    Raises
    ------
    ValueError
        One sentence: what is wrong, what was expected, what to do.
    """
    try:
        # NaN and numbers too large become floats here, so that the scenario can name their row and column.
        content = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_object, parse_int=_value)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"the file is not JSON at {place}; choose a file saved by this app") from error
    except RecursionError as error:
        raise ValueError("the file is nested too deeply to read; choose a file saved by this app") from error
    if not isinstance(content, dict):
        raise ValueError(f"the file is {_show(content)}, not an object; choose a file saved by this app")
    for key in _FILE_KEYS:
        if key not in content:
            raise ValueError(f"the file has no key {key!r} but needs it; add it or save the file again")
    for key, expected in (("format", FILE_FORMAT), ("version", FILE_VERSION)):
        if type(content[key]) is not type(expected) or content[key] != expected:
            raise ValueError(f"{key} is {_show(content[key])} but must be {expected!r}; choose a file of this app")
    fields = {key: content[key] for key in _FILE_KEYS if key not in ("format", "version", "t")}
    scenario = Scenario(**fields, t=0)
    return scenario.with_step(_whole("t", content["t"], 1, len(scenario.target)) - 1)


def _own(source: tuple[str, ...], target: tuple[str, ...], first: Scenario) -> Scenario:
    """Own sentences as a link starts them: no scores yet, first step."""
    scores = ((0.0,) * len(source),) * len(target)
    return Scenario(OWN, source, target, scores, 0, first.temperature, first.seed)


def _checked_words(side: str, value: Sequence[str]) -> tuple[str, ...]:
    _check_list(side, value, "words")
    if not 1 <= len(value) <= MAX_WORDS:
        raise ValueError(f"{side} has {len(value)} words but must have 1 to {MAX_WORDS}; change the sentence")
    for position, word in enumerate(value, start=1):
        if not isinstance(word, str) or not _is_word(word):
            raise ValueError(
                f"{side} word {position} is {_show(word)} but must be 1 to {MAX_LETTERS} visible characters"
                " without blanks or control characters; type it again"
            )
    return tuple(value)


def _checked_grid(grid: Sequence[Sequence[float]], rows: int, columns: int) -> tuple[tuple[float, ...], ...]:
    _check_list("scores", grid, "rows")
    if len(grid) != rows:
        raise ValueError(f"the number of rows in scores is {len(grid)} but must be {rows}; give one per target word")
    checked = []
    for t, row in enumerate(grid, start=1):
        _check_list(f"scores row {t}", row, "numbers")
        if len(row) != columns:
            raise ValueError(
                f"the number of values in scores row {t} is {len(row)} but must be {columns}; give one per source word"
            )
        checked.append(
            tuple(
                _number(score, -SCORE_LIMIT, SCORE_LIMIT, "scores row %d, column %d", t, i)
                for i, score in enumerate(row, start=1)
            )
        )
    return tuple(checked)


def _check_list(what: str, value: object, of: str) -> None:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"{what} is {_show(value)} but must be a list of {of}; write it as a list")


def _number(value: object, low: float, high: float, what: str, *place: int) -> float:
    # True and False count as numbers in Python, not here. NaN fails every comparison, so it fails this one.
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(f"{what % place} is {_show(value)} but must be a number from {low:g} to {high:g}; change it")
    # Adding 0.0 turns -0.0, which would be shown as "-0", into 0.0.
    return round(float(value), _DECIMALS) + 0.0


def _whole(what: str, value: object, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{what} is {_show(value)} but must be a whole number from {low} to {high}; change it")
    return value


def _is_word(word: str) -> bool:
    one_piece = len(word) <= MAX_LETTERS and word.split() == [word]
    return one_piece and not _GARBLING.search(word) and _is_visible(word)


def _is_visible(word: str) -> bool:
    # Zero-width characters alone (category Cf; they come along when text is copied) are no word to look at.
    return word.isalnum() or any(unicodedata.category(letter) != "Cf" for letter in word)


def _value(text: str) -> Any:
    """Give the number in `text`, or else `text` itself: the next check refuses that and names its place."""
    text = text.strip()
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def _grid(text: str) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(_value(cell) for cell in row.split(",")) for row in text.split(";"))


def _text(number: float) -> str:
    return f"{number:.{_DECIMALS}f}".rstrip("0").rstrip(".")


def _show(value: object) -> str:
    return "null" if value is None else _quoted.repr(value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object; Python alone would keep the last of two equal keys and say nothing."""
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in content if keys.count(key) > 1)
        raise ValueError(f"the file has the key {_show(twice)} twice but must have it once; take one away")
    return content
