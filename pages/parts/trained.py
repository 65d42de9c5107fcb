"""The trained networks that come with the course, and their cards; read once, then kept for every session."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from attention_core.seq2seq import weights
from attention_core.seq2seq.model import Seq2Seq
from attention_core.seq2seq.shipped import SHIPPED

ROOT = Path(__file__).resolve().parents[2]
MODELS = Path("assets") / "models"


def model_names() -> tuple[str, ...]:
    """The names of the networks, as their files are called, in the order of a menu."""
    return tuple(SHIPPED)


def model_file(name: str) -> Path:
    """A network's file of numbers, seen from the project's folder."""
    return MODELS / f"{_known(name)}.npz"


def kilobytes(name: str) -> int:
    """How large a network's file is."""
    return round((ROOT / model_file(name)).stat().st_size / 1000)


@cache
def load(name: str) -> Seq2Seq:
    """Read a network. All sessions share it, so its numbers cannot be written to.

    Raises
    ------
    ValueError
        If there is no such network.
    """
    model = weights.load(ROOT / model_file(name))
    for value in model.parameters.values():
        value.flags.writeable = False
    return model


@cache
def card(name: str) -> Mapping[str, Any]:
    """Read what a network is and what was measured on it: task, seed, command, sizes, scores.

    Raises
    ------
    ValueError
        If there is no such network.
    """
    return MappingProxyType(weights.read_card((ROOT / model_file(name)).with_suffix(".toml")))


def _known(name: str) -> str:
    if name not in SHIPPED:
        raise ValueError(f"there is no network {name!r}: choose one of {', '.join(SHIPPED)}")
    return name
