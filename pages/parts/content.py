"""Reads and checks what the app says and offers: the files under assets/."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pages.parts.scenario import Scenario, words

ASSETS = Path(__file__).resolve().parents[2] / "assets"
SCENARIOS = ASSETS / "scenarios"
GLOSSARY = ASSETS / "glossary.toml"

_SCENARIO_KEYS = {
    "name": str,
    "note": str,
    "source": str,
    "target": str,
    "scores": list,
    "t": int,
    "temperature": float,
    "seed": int,
}


@dataclass(frozen=True)
class Symbol:
    """One line of the glossary; `lesson` is the number of the lesson that explains it first."""

    sign: str
    say: str
    means: str
    size: str
    lesson: int
    bahdanau: str
    luong: str


@cache
def glossary(file: Path = GLOSSARY) -> tuple[Symbol, ...]:
    """Give the symbols of the course, in the order in which it needs them.

    Raises
    ------
    ValueError
        One sentence that names the file, the symbol and the key.
    """
    try:
        entries = tomllib.loads(file.read_text(encoding="utf-8"))["symbol"]
    except (ValueError, KeyError) as error:
        raise ValueError(f"{file.name}: not a list of [[symbol]] tables ({error}); correct that place") from error
    symbols = []
    for place, entry in enumerate(entries, start=1):
        kinds = {name: int if name == "lesson" else str for name in Symbol.__dataclass_fields__}
        for key in sorted(kinds.keys() ^ entry.keys()):
            raise ValueError(f"{file.name}: symbol {place}: key {key!r} is {'missing' if key in kinds else 'not known'}")
        for key, kind in kinds.items():
            if type(entry[key]) is not kind or not entry[key]:
                raise ValueError(f"{file.name}: symbol {place}: key {key!r} is {entry[key]!r} but must be {kind.__name__}")
        symbols.append(Symbol(**entry))
    return tuple(symbols)


def prepared_scenarios() -> dict[str, Scenario]:
    """Give the ready-made scenarios by name, in menu order; the first is the one an empty link opens."""
    return {scenario.name: scenario for scenario, _ in read_scenarios(SCENARIOS)}


def scenario_notes() -> dict[str, str]:
    """Give, by scenario name, the one sentence that says what to look for."""
    return {scenario.name: note for scenario, note in read_scenarios(SCENARIOS)}


@cache
def read_scenarios(folder: Path) -> tuple[tuple[Scenario, str], ...]:
    """Read every scenario of a folder; the numbers in the file names give the order."""
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise ValueError(f"{folder.name} holds no scenario but needs at least one; add a .toml file")
    scenarios: dict[str, tuple[Scenario, str]] = {}
    for file in files:
        scenario, note = read_scenario(file)
        if scenario.name in scenarios:
            raise ValueError(f"{file.name}: name {scenario.name!r} is taken already; choose another")
        scenarios[scenario.name] = scenario, note
    return tuple(scenarios.values())


def read_scenario(file: Path) -> tuple[Scenario, str]:
    """Read one scenario file.

    Parameters
    ----------
    file : Path
        TOML with the keys name, note, source, target, scores, t (counted from 1), temperature and seed.

    Returns
    -------
    scenario : Scenario
    note : str
        What to look for.

    Raises
    ------
    ValueError
        One sentence that begins with the file's name and names the key.
    """
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file.name}: not TOML in UTF-8 ({error}); correct that place") from error
    for key in content:
        if key not in _SCENARIO_KEYS:
            raise ValueError(f"{file.name}: key {key!r} is not known; expected {', '.join(_SCENARIO_KEYS)}")
    for key, kind in _SCENARIO_KEYS.items():
        if key not in content:
            raise ValueError(f"{file.name}: key {key!r} is missing; add it")
        # A temperature may be written 1 or 1.0. Exact types otherwise, because True is an int in Python.
        if type(content[key]) not in ((int, float) if kind is float else (kind,)):
            raise ValueError(f"{file.name}: key {key!r} is {content[key]!r} but must be {kind.__name__}")
    if not content["note"].strip():
        raise ValueError(f"{file.name}: key 'note' is empty; write one sentence that says what to look for")
    sentences = {}
    for side in ("source", "target"):
        try:
            sentences[side] = words(content[side])
        except ValueError as error:
            raise ValueError(f"{file.name}: key {side!r}: {error}") from error
    target = sentences["target"]
    if not 1 <= content["t"] <= len(target):
        raise ValueError(f"{file.name}: key 't' is {content['t']} but must be 1 to {len(target)}; change it")
    try:
        scenario = Scenario(
            name=content["name"],
            source=sentences["source"],
            target=target,
            scores=content["scores"],
            t=content["t"] - 1,
            temperature=content["temperature"],
            seed=content["seed"],
        )
    except ValueError as error:
        raise ValueError(f"{file.name}: {error}") from error
    return scenario, content["note"].strip()
