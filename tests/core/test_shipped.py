"""The networks that come with the course do what their cards say, on sentences that neither training nor card has seen."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from attention_core.seq2seq import measures, shipped, weights
from attention_core.seq2seq.decoding import encode, greedy
from attention_core.seq2seq.model import Seq2Seq, batch_of
from attention_core.seq2seq.tasks import TASKS, sample, sample_unseen_pairs
from pages.parts.contents import ROOT

FOLDER = ROOT / "assets" / "models"
FRESH = 2024  # a seed that shipped.py does not use
EXACT = {"reverse": 0.99, "copy": 0.99, "dates": 0.99, "french": 0.98, "japanese": 0.98, "long-french": 0.98}
MASS = {"reverse": 0.93, "dates": 0.90, "french": 0.95, "japanese": 0.93, "long-french": 0.90}
BLOCK = {"french": 0.60, "japanese": 0.70, "reverse": 0.90}


@cache
def network(name: str) -> Seq2Seq:
    return weights.load(FOLDER / f"{name}.npz")


def examples(name: str, count: int) -> list:
    return sample(TASKS[shipped.SHIPPED[name].task], np.random.default_rng(FRESH), count, "test")


def test_every_network_is_there_small_and_has_its_card() -> None:
    assert {file.stem for file in FOLDER.glob("*.npz")} == {file.stem for file in FOLDER.glob("*.toml")} == set(shipped.SHIPPED)
    for name, one in shipped.SHIPPED.items():
        assert (FOLDER / f"{name}.npz").stat().st_size <= 200_000
        card = weights.read_card(FOLDER / f"{name}.toml")
        assert (card["name"], card["task"], card["seed"], card["attention"]) == (one.name, one.task, one.seed, one.attention)
        assert card["command"] == f"python -m attention_core.seq2seq {name}"
        assert card["parameters"] == sum(value.size for value in network(name).parameters.values())
        assert all(value.dtype == np.float32 for value in network(name).parameters.values())


@pytest.mark.parametrize("name", EXACT)
def test_fresh_sentences_come_out_right(name: str) -> None:
    found = measures.exact_match(network(name), examples(name, 500))
    assert found >= EXACT[name]
    assert found == pytest.approx(weights.read_card(FOLDER / f"{name}.toml")["scores"]["exact_match"], abs=0.02)


def test_pairs_never_seen_together_come_out_right() -> None:
    assert measures.exact_match(network("french"), sample_unseen_pairs(np.random.default_rng(FRESH), 300)) >= 0.95


@pytest.mark.parametrize("name", MASS)
def test_the_maps_are_the_true_alignments(name: str) -> None:
    _, content = measures.mass_on_alignment(network(name), examples(name, 300))
    assert content >= MASS[name]
    assert content == pytest.approx(weights.read_card(FOLDER / f"{name}.toml")["scores"]["mass_content"], abs=0.02)


@pytest.mark.parametrize("name", BLOCK)
def test_interventions_do_what_the_course_says(name: str) -> None:
    model, probed, rng = network(name), examples(name, 500), np.random.default_rng(FRESH)
    top, other = measures.block_changes_word(model, probed, rng)
    assert top >= BLOCK[name]
    assert other <= 0.02
    assert measures.uniform_exact_match(model, probed) <= 0.15
    moved, same = measures.shuffle_states(model, probed, rng)
    assert moved <= 1e-3
    assert same == 1
    assert measures.shuffle_input(model, probed, rng) >= 0.80


def test_one_frozen_vector_is_too_small_for_long_sentences() -> None:
    lengths = {
        name: weights.read_card(FOLDER / f"{name}.toml")["exact_match_by_length"]
        for name in ("long-french", "long-french-without")
    }
    for bin_ in ("15-17", "18-20"):
        assert lengths["long-french"][bin_] >= 0.95
        assert lengths["long-french-without"][bin_] <= 0.35
    long = [example for example in examples("long-french", 1500) if len(example.source) >= 15]
    assert len(long) > 200
    assert measures.exact_match(network("long-french"), long) >= 0.95
    assert measures.exact_match(network("long-french-without"), long) <= 0.35


@pytest.mark.parametrize(
    ("name", "typed", "written"),
    [
        ("french", "Je suis étudiant", "I am a student"),
        ("reverse", "attention", "noitnetta"),
        ("dates", "7 March 2015", "2015-03-07"),
    ],
)
def test_known_examples(name: str, typed: str, written: str) -> None:
    task = TASKS[shipped.SHIPPED[name].task]
    batch = batch_of([(task.read(typed), ())], network(name))
    out = greedy(network(name), encode(network(name), batch.source, batch.source_real))
    assert task.write(out.words[0]) == written
