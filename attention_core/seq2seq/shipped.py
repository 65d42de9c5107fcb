"""The networks that come with the course: how each is made, and how well it does.

Seeds were chosen by the mass on the true alignment of *validation* sentences, among a few seeds; the scores on a card
are those of other sentences, which nothing was chosen by.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np

from . import measures, weights
from .model import Seq2Seq, Sizes, random_model
from .tasks import TASKS, Example, sample, sample_unseen_pairs
from .training import Recipe, train

FOLDER = Path("assets") / "models"
TRAINING, TEST, PROBED = 20_000, 1_000, 500  # sentences
TEST_SEED = 97  # of the test sentences, the same for every network of a task

STANDARD = Sizes()
Split: TypeAlias = Literal["train", "validation", "test"]


@dataclass(frozen=True)
class Shipped:
    """One network.

    Attributes
    ----------
    name : str
        Name of its files.
    task : str
        A key of `TASKS`.
    seed : int
        Draws the network, its sentences and batches.
    tried : tuple of int
        The seeds that it was chosen from.
    """

    name: str
    task: str
    seed: int
    tried: tuple[int, ...]
    recipe: Recipe
    sizes: Sizes = STANDARD
    attention: bool = True


SHIPPED: Mapping[str, Shipped] = MappingProxyType(
    {
        one.name: one
        for one in (
            Shipped("french", "french", 2, (1, 2), Recipe(1600, penalty=0.02, penalty_from=1000)),
            Shipped("japanese", "japanese", 2, (1, 2), Recipe(1600, dropout=0.2, penalty=0.02, penalty_from=1000), Sizes(d_a=32)),
            Shipped("dates", "dates", 1, (1,), Recipe(1500)),
            Shipped("reverse", "reverse", 1, (1,), Recipe(2500)),
            Shipped("copy", "copy", 1, (1,), Recipe(2500)),
            Shipped("long-french", "long french", 1, (1,), Recipe(2000)),
            Shipped("long-french-without", "long french", 1, (1,), Recipe(2000), attention=False),
        )
    }
)
"""The networks by name."""


def trained(one: Shipped, seed: int | None = None) -> Seq2Seq:
    """Train a network from nothing."""
    rng = np.random.default_rng(one.seed if seed is None else seed)
    task = TASKS[one.task]
    examples = sample(task, rng, TRAINING, "train")
    model = random_model(task.source_words, task.target_words, one.sizes, rng, attention=one.attention)
    for _ in train(model, [(example.source, example.target) for example in examples], one.recipe, rng):
        pass
    return model


def scores(model: Seq2Seq, task_name: str, split: Split = "test") -> dict[str, float]:
    """Measure a network on sentences that it was not trained on; see `measures` for what each number means."""
    task, rng = TASKS[task_name], np.random.default_rng(TEST_SEED)
    examples = sample(task, rng, TEST, split)
    found = {"exact_match": measures.exact_match(model, examples)}
    if task_name == "french":
        found["exact_match_unseen_pairs"] = measures.exact_match(model, sample_unseen_pairs(rng, PROBED))
    if not model.attention:
        return found
    found["mass"], found["mass_content"] = measures.mass_on_alignment(model, examples)
    probed: list[Example] = examples[:PROBED]
    found["block_top_changes"], found["block_other_changes"] = measures.block_changes_word(model, probed, rng)
    found["uniform_exact_match"] = measures.uniform_exact_match(model, probed)
    found["shuffled_states_move"], found["shuffled_states_same"] = measures.shuffle_states(model, probed, rng)
    found["shuffled_input_changes"] = measures.shuffle_input(model, probed, rng)
    return found


def by_length(model: Seq2Seq, task_name: str) -> dict[str, float]:
    """Exact match in bins of source length."""
    task, rng = TASKS[task_name], np.random.default_rng(TEST_SEED)
    examples = sample(task, rng, 4 * TEST, "test")
    return measures.exact_match_by_length(model, examples, (3, 6, 9, 12, 15, 18, 21))


def made(name: str) -> tuple[Seq2Seq, dict[str, Any]]:
    """Train and measure one network; return it with its card."""
    one, begun = SHIPPED[name], time.process_time()
    model = trained(one)
    seconds = time.process_time() - begun
    card: dict[str, Any] = {
        "name": one.name,
        "task": one.task,
        "attention": one.attention,
        "seed": one.seed,
        "tried": one.tried,
        "chosen_by": "mass on the true alignment of validation sentences",
        "command": f"python -m attention_core.seq2seq {one.name}",
        "versions": f"Python {platform.python_version()}, NumPy {np.__version__}",
        "parameters": sum(value.size for value in model.parameters.values()),
        "training_sentences": TRAINING,
        "training_seconds": round(seconds),
        "sizes": asdict(one.sizes),
        "recipe": asdict(one.recipe),
        "scores": scores(model, one.task),
    }
    if one.task == "long french":
        card["exact_match_by_length"] = by_length(model, one.task)
    return model, card


def make(name: str) -> str:
    """Make one network, write it, and return a line about it."""
    model, card = made(name)
    weights.save(model, FOLDER / f"{name}.npz")
    weights.write_card(card, FOLDER / f"{name}.toml")
    return _line(name, card["seed"], card["training_seconds"], card["scores"])


def compare(name: str, seed: int) -> str:
    """Train with another seed and measure on validation sentences."""
    one = SHIPPED[name]
    return _line(name, seed, 0, scores(trained(one, seed), one.task, "validation"))


def _line(name: str, seed: int, seconds: int, found: dict[str, float]) -> str:
    return f"{name:20} seed {seed:<3} {seconds:4d} s  " + "  ".join(f"{key} {value:.3g}" for key, value in found.items())
