"""Trained networks as files: the numbers in an .npz, never pickled; what they are in a card beside it, .toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .model import END, Seq2Seq, Sizes, random_model


def save(model: Seq2Seq, file: Path) -> None:
    """Write a network's numbers as float32 and its vocabularies as text.

    Parameters
    ----------
    model : Seq2Seq
    file : Path
        Ends with ``.npz``.
    """
    numbers = {name: value.astype(np.float32) for name, value in model.parameters.items()}
    np.savez(file, source_words=np.array(model.source_words), target_words=np.array(model.target_words), **numbers)  # type: ignore[arg-type]


def load(file: Path) -> Seq2Seq:
    """Read a network that `save` wrote.

    Raises
    ------
    ValueError
        If the file is not one, or its arrays do not fit together.
    """
    with np.load(file, allow_pickle=False) as arrays:
        content = {name: arrays[name] for name in arrays.files}
    try:
        source, target = (tuple(content.pop(name).tolist()) for name in ("source_words", "target_words"))
        sizes = Sizes(len(content["f_U"]), content["E_x"].shape[1], len(content.get("v_a", ())) or 1)
    except KeyError as missing:
        raise ValueError(f"{file.name} holds no {missing}: choose a file that this project wrote") from missing
    attention = "v_a" in content
    expected = random_model(source[1:], target[1:], sizes, np.random.default_rng(0), attention=attention).parameters
    for name in expected.keys() | content.keys():
        shapes = [side[name].shape if name in side else None for side in (expected, content)]
        if shapes[0] != shapes[1] or source[0] != END or target[0] != END:
            raise ValueError(f"{file.name}: {name} has shape {shapes[1]} but must have {shapes[0]}: write the file again")
    return Seq2Seq(source, target, attention, content)


def write_card(card: Mapping[str, Any], file: Path) -> None:
    """Write what a network is and how well it does: texts, numbers, and tables of them one level deep."""
    plain = [f"{key} = {_told(value)}" for key, value in card.items() if not isinstance(value, Mapping)]
    for key, table in card.items():
        if isinstance(table, Mapping):
            plain += ["", f"[{key}]", *(f"{_key(name)} = {_told(value)}" for name, value in table.items())]
    file.write_text("\n".join(plain) + "\n", encoding="utf-8")


def read_card(file: Path) -> dict[str, Any]:
    """Read a card."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.4g}" if "." in f"{value:.4g}" or "e" in f"{value:.4g}" else f"{value:.1f}"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_told(item) for item in value)}]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else _told(name)
