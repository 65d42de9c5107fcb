"""Every score function against loops of its own, the cases from practice, and a function that nobody knew."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
import pytest

import attention_core as ac
from pages.parts import families, families_drawings
from pages.parts.content import prepared_scenarios
from pages.parts.families import Families
from tests.content.test_snippets import run
from tests.parts.told import MINUS_ZERO, told
from tests.site.visit import entropy, softmax

RUNNING = prepared_scenarios()["running example"].with_step(1)
CLOSE = {"rel": 0, "abs": 1e-12}


def dots(a: Sequence[float], b: Sequence[float]) -> float:
    return math.fsum(float(x) * float(y) for x, y in zip(a, b, strict=True))


def by_hand(f: Families, name: str, t: int, i: int) -> float:
    """One score from its formula in the paper, in plain Python."""
    before, now, h = f.states[t].tolist(), f.states[t + 1].tolist(), f.h[i].tolist()
    p = {symbol: array.tolist() for symbol, array in f.parameters[name].items()}
    if name == "additive":
        rows = zip(p["v_a"], p["W_a"], p["U_a"], strict=True)
        return math.fsum(v * math.tanh(dots(w, before) + dots(u, h)) for v, w, u in rows)
    if name == "concat":
        return math.fsum(v * math.tanh(dots(w, now + h)) for v, w in zip(p["v_a"], p["W_a"], strict=True))
    if name == "general":
        return math.fsum(a * w * b for a, row in zip(now, p["W_a"], strict=True) for w, b in zip(row, h, strict=True))
    return dots(now, h) / (math.sqrt(len(h)) if name == "scaled dot" else 1)


def test_every_score_equals_its_formula() -> None:
    draw = random.Random(9)
    for _ in range(25):
        scenario = draw.choice(list(prepared_scenarios().values()))
        d_s = draw.randint(2, 8)
        d_h = draw.choice([d_s, draw.randint(2, 8)])
        edits = {f"s{draw.randint(0, 4)}_{draw.randint(1, d_s)}": round(draw.uniform(-2, 2), 2) for _ in range(3)}
        f = families.families(scenario, 0, (d_s, d_h), edits | {"s30_8": 1.0}, draw.choice([0.1, 1.0, 3.7]))
        assert set(f.scores) | set(f.refused) == set(ac.SCORES)
        assert set(f.refused) == (set() if d_s == d_h else {"dot", "scaled dot"})
        for name, grid in f.scores.items():
            for t, row in enumerate(grid):
                assert row.tolist() == pytest.approx([by_hand(f, name, t, i) for i in range(len(row))], **CLOSE)
                assert f.weights[name][t].tolist() == pytest.approx(softmax(row.tolist()), **CLOSE)
        for sentence in f.refused.values():
            assert f"s has {d_s} numbers and h has {d_h}" in sentence


# The right values below: mpmath, 60 digits, from the formulas.


def test_additive_uses_the_state_before_and_dot_the_state_at_the_step() -> None:
    h = [[1, 0], [0, 1], [1, 1]]
    seen = ac.attend(ac.dot([0, 1], h), h)
    assert seen.weights.tolist() == pytest.approx([0.15536240349696361, 0.42231879825151820, 0.42231879825151820], **CLOSE)
    assert seen.context.tolist() == pytest.approx([0.57768120174848180, 0.84463759650303639], **CLOSE)
    scores = ac.additive([1, 0], h, W_a=[[0.5, 0], [0, 0.5]], U_a=[[1, 0], [0, 1]], v_a=[1, 1])
    seen = ac.attend(scores, h)
    assert seen.weights.tolist() == pytest.approx([0.22139381480209895, 0.30444977855656741, 0.47415640664133364], **CLOSE)
    assert seen.context.tolist() == pytest.approx([0.69555022144343259, 0.77860618519790105], **CLOSE)
    f = families.families(RUNNING, 0, (4, 4), {"s1_1": 0.9}, 1.0)
    home = families.families(RUNNING, 0, (4, 4), {}, 1.0)
    moved = {name: [t for t in range(4) if (grid[t] != home.scores[name][t]).any()] for name, grid in f.scores.items()}
    assert moved == {"additive": [1], "dot": [0], "general": [0], "concat": [0], "scaled dot": [0]}


def test_other_sizes_are_refused_by_name_and_general_goes_on() -> None:
    h = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    with pytest.raises(ValueError, match="s has 2 numbers and h has 3: general, additive and concat still work"):
        ac.dot([1, -1], h)
    h = [[1, 1, 2], [0, 1, 0], [1, 1, 2]]
    scores = ac.general([1, -1], h, W_a=[[1, 0, 2], [0, 1, 1]])
    assert scores.tolist() == [2, -1, 2]
    seen = ac.attend(scores, h)
    assert seen.weights.tolist() == pytest.approx([0.48785555116036840, 0.024288897679263207, 0.48785555116036840], **CLOSE)
    assert seen.context.tolist() == pytest.approx([0.97571110232073679, 1, 1.9514222046414736], **CLOSE)
    assert families_drawings.leaders(("a", "b", "a"), seen.weights) == '"a" (position 1) and "a" (position 3) alike'


def test_scaling_by_the_wrong_number_gives_the_wrong_weight() -> None:
    keys = [[1, 1], [0, 1], [-1, 0]]
    raw = ac.dot([2, 2], keys)
    first = {name: float(ac.softmax(raw * factor)[0]) for name, factor in families.scalings(2, 8).items()}
    assert first == pytest.approx(
        {"÷√dₖ": 0.79524, "÷√d": 0.61999, "÷dₖ": 0.70539, "none": 0.87888, "×√dₖ": 0.94401}, rel=0, abs=6e-6
    )
    right = [0.79523727274456824, 0.19333548885002997, 0.011427238405401788]
    assert ac.softmax(ac.scaled_dot([2, 2], keys)).tolist() == pytest.approx(right, **CLOSE)


def test_only_the_root_of_d_k_keeps_the_entropy_as_vectors_grow() -> None:
    short, long = families.entropies(5, 7, 4), families.entropies(5, 7, 64)
    assert abs(short["÷√dₖ"] - long["÷√dₖ"]) < 0.1
    assert long["none"] < short["none"] - 0.3
    assert long["×√dₖ"] < long["none"] < long["÷√dₖ"] < long["÷√d"] < long["÷dₖ"] < math.log(5)
    table = families._dots(5, 7)[63]
    assert long["none"] == pytest.approx(
        math.fsum(entropy(softmax(row)) for row in table.tolist()) / len(table), rel=0, abs=1e-10
    )


def test_the_drawings_show_the_numbers_and_refuse_in_words() -> None:
    for sizes in ((4, 4), (3, 5)):
        for scenario in (RUNNING, prepared_scenarios()["one source word"], prepared_scenarios()["repeated words"]):
            f = families.families(scenario, 0, sizes, {}, 1.0)
            for compared in families.others():
                drawings = families_drawings.drawn(f, compared, 64, "bits", worked_out=True)
                for drawing in drawings.values():
                    for text in told(drawing):
                        assert not MINUS_ZERO.search(text), text
                rows = drawings["family_rows"]["figure"]["data"][0]["z"]
                assert rows == [f.weights[name][f.t].tolist() for name in f.scores]
                listed = drawings["family_focus"]["figure"]["data"][0]["x"]
                assert listed == pytest.approx([entropy(row, 2) for row in rows], rel=0, abs=1e-12)
                if compared in f.refused:
                    assert "s has 3 numbers and h has 5" in drawings["family_other"]["reading"]
                    assert "figure" not in drawings["family_difference"]
                else:
                    z = drawings["family_difference"]["figure"]["data"][0]["z"]
                    apart = [
                        [b - a for a, b in zip(*pair, strict=True)]
                        for pair in zip(f.weights["additive"].tolist(), f.weights[compared].tolist(), strict=True)
                    ]
                    assert z == pytest.approx(np.array(apart), **CLOSE)
                if sizes == (3, 5):
                    assert "s has 3 numbers and h has 5" in drawings["family_said"]["reading"]


def test_the_arithmetic_is_right_as_it_stands() -> None:
    f = families.families(RUNNING, 1, (4, 4), {"s2_1": 0.5}, 1.0)
    for name, _, _, worked, score, _ in families_drawings.arithmetic_drawing(f)["table"]["rows"]:
        products = re.findall(r"\(?(-?[\d.]+)\)? · \(?(-?[\d.]+)\)?", worked)
        total = math.fsum(float(a) * float(b) for a, b in products) / (2 if name == "scaled dot" else 1)
        assert total == pytest.approx(float(score), rel=0, abs=1e-3), worked


@pytest.mark.parametrize("sizes", [(4, 4), (3, 4)])
def test_the_block_prints_every_function(sizes: tuple[int, int]) -> None:
    f = families.families(RUNNING.with_words(("<b>", "'", "the", "the"), ("🙂", "نعم")), 0, sizes, {"s2_1": 0.5}, 1.7)
    lines = run(families.block(f, bits=True))
    assert len(lines) == 2 * len(f.scores)
    for line, name in zip(lines[1::2], f.scores, strict=True):
        assert line.startswith(f"{name}: weights [")
        printed = [float(x) for x in line.partition("[")[2].partition("]")[0].split(", ")]
        row = softmax([by_hand(f, name, f.t, i) for i in range(4)])
        assert printed == pytest.approx(row, rel=0, abs=5.1e-5)
        assert float(line.split()[-2]) == pytest.approx(entropy(row, 2), rel=0, abs=5.1e-5)
        assert line.endswith("bits")


def test_a_new_function_appears_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def distance(s: np.ndarray, h: np.ndarray) -> np.ndarray:
        return -np.abs(np.asarray(s)[:, np.newaxis, :1] - np.asarray(h)[:, :1]).sum(axis=-1)

    card = ac.ScoreFunction("distance", "−|s − h|", "nowhere", {}, "current", distance)
    registry = MappingProxyType({**ac.SCORES, "distance": card})
    monkeypatch.setattr(ac, "SCORES", registry)
    monkeypatch.setattr("attention_core.scores.SCORES", registry)
    assert families.others()[-1] == "distance"
    f = families.families(RUNNING, 0, (4, 3), {}, 1.0)
    drawings = families_drawings.drawn(f, "distance", 16, "nats", worked_out=True)
    assert drawings["family_rows"]["figure"]["data"][0]["z"][-1] == f.weights["distance"][1].tolist()
    assert "distance" in drawings["family_difference"]["label"]
    assert run(families.block(f, bits=False))
