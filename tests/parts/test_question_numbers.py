"""Every answer that is asked for as a number is recomputed from the words of its question, by another way.

The numbers are read from the question as it is asked, and the answers computed with 50 digits, by loops over the formulas as they
stand in the papers; nothing of the core takes part.
"""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from string import Formatter
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from mpmath import exp, log, mpf, sqrt, tanh

from pages.parts import question_numbers
from pages.parts.drawn_numbers import Drawn
from pages.parts.question_numbers import RECIPES, UNITS, draw
from pages.parts.questions import Form, house_bank
from tests.parts.told import MINUS_ZERO, NO_NUMBER

mpmath.mp.dps = 50
SHEETS = range(200)
WORDS = {"twice": "2", "three times": "3", "four times": "4"}
Row = list[mpf]
ONE = mpf(1)


@cache
def forms() -> dict[str, Form]:
    return {name: form for name, (_, form) in house_bank().forms.items() if form.recipe}


@cache
def sheets(name: str) -> list[tuple[str, Drawn]]:
    """A form on every sheet: what is asked, and its numbers."""
    form = forms()[name]
    return [(form.asked(sheet), form.drawn(sheet)) for sheet in SHEETS]


# --- What a question tells -------------------------------------------------------------------------------------------


@cache
def pattern(prompt: str) -> re.Pattern[str]:
    """The question with a gap for each name; a name that comes again must say the same again."""
    made, seen = "", set()
    for text, name, _, _ in Formatter().parse(prompt):
        made += re.escape(text)
        if name:
            made += f"(?P={name})" if name in seen else f"(?P<{name}>.+?)"
            seen.add(name)
    return re.compile(made)


def numbers(text: str) -> Row:
    return [mpf(number) for number in re.findall(r"-?\d+(?:\.\d+)?", WORDS.get(text, text))]


def read(form: Form, asked: str) -> SimpleNamespace:
    """The numbers that a reader is told: one by its name, several as a list."""
    found = pattern(form.prompt).fullmatch(asked)
    assert found, asked
    values = {name: numbers(text) for name, text in found.groupdict().items()}
    return SimpleNamespace(**{name: value[0] if len(value) == 1 else value for name, value in values.items()})


# --- The same mathematics, by hand -----------------------------------------------------------------------------------


def softmax(e: Row, T: mpf = ONE) -> Row:
    lifted = [exp(x / T) for x in e]
    return [x / sum(lifted) for x in lifted]


def dot(a: Row, b: Row) -> mpf:
    return mpmath.fsum(x * y for x, y in zip(a, b, strict=True))


def mean(a: Row) -> mpf:
    return mpmath.fsum(a) / len(a)


def entropy(alpha: Row) -> mpf:
    return -mpmath.fsum(a * log(a) for a in alpha)


def top(row: Row) -> int:
    return max(range(len(row)), key=row.__getitem__)


def place(number: mpf) -> int:
    """A place counted from 1, as the texts do, counted from 0."""
    return int(number) - 1


def first_zero(T: mpf) -> mpf:
    """The smallest float64 is 2^-1074, and what is below half of it becomes 0."""
    return mpmath.floor(T * 1075 * log(2)) + 1


def doubled(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    now = t.T_x * t.T_y
    return t.times**2 * now, {"grown once": t.times * now, "unchanged": now, "lengths added": t.times * (t.T_x + t.T_y)}


def landing(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    share = (t.c - t.h_2) / (t.h_1 - t.h_2)
    return share, {"the other weight": 1 - share, "one state only": t.c / t.h_1}


def general(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    W = [t.row_1, t.row_2]
    return (
        mpmath.fsum(t.s[j] * W[j][k] * t.h[k] for j in (0, 1) for k in (0, 1)),
        {"no matrix": dot(t.s, t.h), "turned": mpmath.fsum(t.s[j] * W[k][j] * t.h[k] for j in (0, 1) for k in (0, 1))},
    )


def weight(e: Row, i: mpf) -> tuple[mpf, dict[str, mpf]]:
    raw = sum(e)
    return softmax(e)[place(i)], {"no denominator": exp(e[place(i)]), "no exp": e[place(i)] / (raw if abs(raw) > 0.05 else 1)}


def constant(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    i = place(t.i)
    alone = [e + t.k * (j == i) for j, e in enumerate(t.scores)]
    right = softmax(t.scores)[i]  # adding a constant changes nothing
    return right, {"only one": softmax(alone)[i], "multiplied": right * exp(t.k)}


def second_state(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    h_1 = tanh(t.W * t.x_1)
    inner = t.W * t.x_2 + t.U * h_1
    return tanh(inner), {"no recurrence": tanh(t.W * t.x_2), "no tanh": inner, "first state": h_1}


def additive(t: SimpleNamespace, s: mpf, h: mpf) -> mpf:
    return t.v * tanh(t.W * s + t.U * h)


def after_blocking(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    blocked, i = t.weights[place(t.top)], place(t.i)
    old = t.weights[i]
    return old / (1 - blocked), {"unchanged": old, "spread evenly": old + blocked / 3, "added": old + blocked}


def after_shuffling(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    order, k = [place(n) for n in t.order], place(t.k)
    return (
        t.weights[order[k]],
        {"stays in place": t.weights[k], "wrong way": t.weights[order.index(k)], "even": mpf(1) / 3},
    )


def context_after_shuffling(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    moved = [t.h[place(n)] for n in t.order]
    return dot(t.weights, t.h), {"weights stay": dot(t.weights, moved), "plain mean": mean(t.h)}


def column(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    total = sum(row[place(t.i)] for row in (t.row_1, t.row_2, t.row_3))
    return total, {"row": mpf(1), "mean": total / 3}


def left_for_others(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    every = exp(t.gap) + t.n
    return t.n / every, {"one word": 1 / (1 + exp(t.gap)), "each": 1 / every, "first word": exp(t.gap) / every}


def zeros(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    gap = t.high - t.low
    written = mpmath.nstr(1 / (1 + exp(gap)), 5, min_fixed=-mpmath.inf, max_fixed=mpmath.inf)  # as a plain decimal
    behind = len(written.partition(".")[2]) - len(written.partition(".")[2].lstrip("0"))
    return mpf(behind), {"one more": mpf(behind + 1), "gap": gap}


def masked(t: SimpleNamespace) -> tuple[mpf, dict[str, mpf]]:
    e = t.scores
    return softmax(e[:2])[0], {"no mask": softmax(e)[0], "zero as a score": softmax([*e[:2], mpf(0)])[0]}


Oracle = Callable[[SimpleNamespace], tuple[mpf, dict[str, mpf]]]

ORACLES: dict[str, Oracle] = {
    "E1.weight": lambda t: (1 / t.n, {"each has all": mpf(1), "nobody has any": mpf(0), "score shared": t.e / t.n}),
    "E1.blend": lambda t: (mean(t.h), {"added up": sum(t.h), "largest": max(t.h), "times the score": t.e * mean(t.h)}),
    "E2.weight": lambda t: (mpf(1), {"no denominator": exp(t.e), "score itself": t.e, "against zero": softmax([t.e, mpf(0)])[0]}),
    "E2.blend": lambda t: (t.h_2, {"times the score": t.e * t.h_2, "first number": t.h_1, "added up": t.t * t.h_2}),
    "E3.nats": lambda t: (log(t.n), {"bits": log(t.n, 2), "words": t.n, "of one word": log(t.n) / t.n}),
    "E3.bits": lambda t: (log(t.n, 2), {"nats": log(t.n), "words": t.n, "halved": t.n / 2}),
    "E4.zeros": zeros,
    "E4.left": left_for_others,
    "E4.exact-zero": lambda t: (
        first_zero(t.T),
        {"ignored": mpf(746), "divided": first_zero(1 / t.T), "one too few": first_zero(t.T) - 1},
    ),
    "E5.score": lambda t: (additive(t, t.s_0, t.h), {"s_1": additive(t, t.s_1, t.h), "no state": additive(t, mpf(0), t.h)}),
    "E5.start": lambda t: (
        tanh(t.W * t.h_3),
        {"first state": tanh(t.W * t.h_1), "no tanh": t.W * t.h_3, "all states": tanh(t.W * (t.h_1 + t.h_2 + t.h_3))},
    ),
    "E6.place": lambda t: (list(range(int(t.n), 0, -1))[place(t.t)] * mpf(1), {"same place": t.t, "one too few": t.n - t.t}),
    "E6.average": lambda t: (
        dot(t.weights, [mpf(i) for i in (1, 2, 3, 4)]),
        {
            "from zero": dot(t.weights, [mpf(i) for i in (0, 1, 2, 3)]),
            "plain middle": mpf(5) / 2,
            "top word": mpf(top(t.weights) + 1),
        },
    ),
    "N1.looks": lambda t: (t.T_x * t.T_y, {"added": t.T_x + t.T_y, "one step": t.T_x}),
    "N1.left": lambda t: (
        mpf(sum(t.T_x for step in range(1, int(t.T_y) + 1) if step > t.t)),
        {"so far": t.t * t.T_x, "steps only": t.T_y - t.t, "one look per step": t.T_y * t.T_x - t.t},
    ),
    "N1.words": lambda t: (t.cells / t.T_y, {"taken away": t.cells - t.T_y, "rows": t.T_y}),
    "N2.all": lambda t: (t.T_x * t.d_h, {"one state": t.d_h, "added": t.T_x + t.d_h}),
    "N2.both-ways": lambda t: (t.T_x * (t.n + t.n), {"one direction": t.T_x * t.n, "one state": 2 * t.n}),
    "N2.changed": lambda t: (
        mpf(len(range(int(t.k), int(t.T_x) + 1))),
        {"without its own": t.T_x - t.k, "the earlier ones": t.k, "all": t.T_x, "only its own": mpf(1)},
    ),
    "N2.second": second_state,
    "N3.additive": lambda t: (
        additive(t, t.s, t.h),
        {"no tanh": t.v * (t.W * t.s + t.U * t.h), "no v": tanh(t.W * t.s + t.U * t.h)},
    ),
    "N3.size": lambda t: (
        t.d_a * (t.d_s + t.d_h + 1),
        {"no v": t.d_a * (t.d_s + t.d_h), "sizes added": t.d_s + t.d_h + t.d_a, "all multiplied": t.d_s * t.d_h * t.d_a},
    ),
    "N3.largest": lambda t: (sum(map(abs, t.v)), {"signs kept": sum(t.v), "largest only": max(map(abs, t.v))}),
    "N3.no-tanh": lambda t: (
        t.v * (t.W * t.s + t.U * t.h_1) - t.v * (t.W * t.s + t.U * t.h_2),
        {"no v": t.U * (t.h_1 - t.h_2), "with tanh": additive(t, t.s, t.h_1) - additive(t, t.s, t.h_2)},
    ),
    "N4.weight": lambda t: weight(t.scores, t.i),
    "N4.ratio": lambda t: (exp(t.high) / exp(t.low), {"difference": t.high - t.low, "ratio of scores": t.high / t.low}),
    "N4.score": lambda t: (
        log(t.times * exp(t.e)),
        {"multiplied": t.e * t.times, "added": t.e + t.times, "step only": log(t.times)},
    ),
    "N4.temperature": lambda t: (
        softmax([t.high, t.low], t.T)[0],
        {"ignored": softmax([t.high, t.low])[0], "multiplied": softmax([t.high, t.low], 1 / t.T)[0]},
    ),
    "N4.constant": constant,
    "N4.slope": lambda t: (
        # The score of a word with this share against one other of score 0, and softmax's own difference quotient.
        mpmath.diff(lambda e: 1 / (1 + exp(-e)), log(t.alpha / (1 - t.alpha))),
        {"share itself": t.alpha, "squared": t.alpha**2},
    ),
    "N4.other-slope": lambda t: (
        mpmath.diff(lambda e: softmax([log(t.a), e, log(1 - t.a - t.b)])[0], log(t.b)),
        {"wrong way": t.a * t.b, "own score": t.a - t.a**2},
    ),
    "N5.nats": lambda t: (
        entropy(t.weights),
        {"bits": entropy(t.weights) / log(2), "not weighed": -sum(log(a) for a in t.weights)},
    ),
    "N5.bits": lambda t: (
        -sum(a * log(a, 2) for a in t.weights),
        {"nats": entropy(t.weights), "not weighed": -sum(log(a, 2) for a in t.weights)},
    ),
    "N5.words": lambda t: (
        1 / mpmath.fprod(a**a for a in t.weights),
        {"entropy only": entropy(t.weights), "base 2": 2 ** entropy(t.weights), "counted": mpf(len(t.weights))},
    ),
    "N5.other-unit": lambda t: (log(exp(t.H), 2), {"multiplied": t.H * log(2), "unchanged": t.H}),
    "N6.number": lambda t: (
        dot(t.weights, t.h),
        {"plain mean": mean(t.h), "not weighed": sum(t.h), "top word only": t.h[top(t.weights)]},
    ),
    "N6.landing": landing,
    "N6.from-scores": lambda t: (
        dot(softmax([t.e_1, t.e_2]), [t.h_1, t.h_2]),
        {
            "plain mean": mean([t.h_1, t.h_2]),
            "raw scores": t.e_1 * t.h_1 + t.e_2 * t.h_2,
            "top word only": t.h_1 if t.e_1 > t.e_2 else t.h_2,
        },
    ),
    "N7.coverage": column,
    "N7.mean": lambda t: (t.T_y / t.T_x, {"turned": t.T_x / t.T_y, "always one": mpf(1), "one row": 1 / t.T_x}),
    "N7.missing": lambda t: (
        1 - sum(t.known),
        {"sum of the others": sum(t.known), "equal share": mpf(1) / 4, "mean of the others": mean(t.known)},
    ),
    "N8.score": lambda t: (
        additive(t, t.before, t.h),
        {"too late": additive(t, t.after, t.h), "too early": additive(t, t.older, t.h)},
    ),
    "N8.contexts": lambda t: (t.T_y, {"one for all": mpf(1), "one per source word": t.T_x, "one per score": t.T_x * t.T_y}),
    "N8.state": lambda t: (
        tanh(t.W * t.c + t.U * t.s_0),
        {"no context": tanh(t.U * t.s_0), "no memory": tanh(t.W * t.c), "no tanh": t.W * t.c + t.U * t.s_0},
    ),
    "N9.dot": lambda t: (
        dot(t.s, t.h),
        {"sums multiplied": sum(t.s) * sum(t.h), "scaled": dot(t.s, t.h) / sqrt(3), "all added": sum(t.s) + sum(t.h)},
    ),
    "N9.general": general,
    "N9.scaled": lambda t: (
        t.dot / sqrt(t.d_k),
        {"not scaled": t.dot, "by the size": t.dot / t.d_k, "multiplied": t.dot * sqrt(t.d_k)},
    ),
    "N9.size": lambda t: (t.d_s * t.d_h, {"added": t.d_s + t.d_h, "square": t.d_h**2}),
    "N10.blocked": after_blocking,
    "N10.shuffled": after_shuffling,
    "N10.context": context_after_shuffling,
    "N11.loss": lambda t: (-log(t.p), {"what is missing": 1 - t.p, "bits": -log(t.p, 2), "base 10": -log(t.p, 10)}),
    "N11.blind": lambda t: (-log(1 / t.V), {"bits": log(t.V, 2), "share": 1 / t.V, "what is missing": 1 - 1 / t.V}),
    "N11.mean": lambda t: (
        -log(mpmath.fprod(t.p)) / 3,
        {"added up": -log(mpmath.fprod(t.p)), "of the mean": -log(mean(t.p)), "product": mpmath.fprod(t.p)},
    ),
    "N11.probability": lambda t: (1 / exp(t.loss), {"base 2": 2**-t.loss, "taken from 1": 1 - t.loss, "no minus": exp(t.loss)}),
    "N12.longer": doubled,
    "N12.room": lambda t: (t.d / t.T_x, {"all of them": t.d, "multiplied": t.d * t.T_x, "turned": t.T_x / t.d}),
    "N12.crossing": lambda t: (
        2 * t.per_word / t.per_pair,
        {
            "one sentence": t.per_word / t.per_pair,
            "product": 4 * t.per_word / t.per_pair,
            "root": sqrt(2 * t.per_word / t.per_pair),
        },
    ),
    "N13.equal": lambda t: (
        softmax([mpf(0)] * int(t.row))[0],
        {"no mask": 1 / t.n, "without itself": 1 / (t.row - 1), "one too many": 1 / (t.row + 1)},
    ),
    "N13.masked": masked,
    "N13.pairs": lambda t: (
        mpf(sum(range(1, int(t.n) + 1))),
        {"no mask": t.n**2, "without themselves": mpf(sum(range(int(t.n)))), "half": t.n**2 / 2},
    ),
    "N13.zeros": lambda t: (
        sum(t.weights[: int(t.row)]),
        {"still one": mpf(1), "what is lost": sum(t.weights[int(t.row) :])},
    ),
    "N15.axis": lambda t: (
        softmax([t.row_1[0], t.row_2[0]])[0],
        {"right code": softmax(t.row_1)[0], "whole map": softmax([*t.row_1, *t.row_2])[0]},
    ),
    "N15.sum": lambda t: (
        sum(map(exp, t.scores)),
        {"right code": ONE, "raw scores": sum(t.scores), "exp of the sum": exp(sum(t.scores))},
    ),
    "N15.dimension": lambda t: (
        t.dot / sqrt(t.heads * t.d_k),
        {"right code": t.dot / sqrt(t.d_k), "no root": t.dot / (t.heads * t.d_k), "not scaled": t.dot},
    ),
    "N13.heads": lambda t: (
        mpf(sum(t.n * t.n for _ in range(int(t.heads)))),
        {"one head": t.n**2, "one row each": t.heads * t.n, "split": t.n**2 / t.heads},
    ),
}
# Told with three decimals: whoever takes exp of it comes within 0.01 of the whole number that is asked for.
ORACLES["E3.words"] = lambda t: (mpmath.nint(exp(t.H)), {"bits": mpmath.nint(mpf(2) ** t.H), "entropy itself": t.H})


def same(value: float, wanted: mpf, name: str) -> bool:
    # Only the entropy in E3.words is told with fewer digits than it is computed with.
    return bool(abs(mpf(value) - wanted) <= (mpf("0.0005") if name == "E3.words" else mpf("1e-11") * (1 + abs(wanted))))


# --- Answers and slips -----------------------------------------------------------------------------------------------


def test_every_form_with_numbers_has_an_oracle_and_every_recipe_is_asked() -> None:
    assert house_bank().faults == ()
    assert set(ORACLES) == set(forms())
    assert {form.recipe for form in forms().values()} == set(RECIPES)


@pytest.mark.parametrize("name", ORACLES)
def test_answer_and_slips_follow_from_the_question_as_asked(name: str) -> None:
    form = forms()[name]
    for asked, drawn in sheets(name):
        answer, slips = ORACLES[name](read(form, asked))
        assert same(drawn.answer, answer, name), (asked, drawn.answer, answer)
        assert set(drawn.slips) == set(slips) == set(form.slips)  # each is known, is right about what it is, and has a text
        for slip, value in slips.items():
            assert same(drawn.slips[slip], value, name), (slip, asked, drawn.slips[slip], value)


@pytest.mark.parametrize("name", ORACLES)
def test_right_and_each_wrong_are_told_apart_on_every_sheet(name: str) -> None:
    for asked, drawn in sheets(name):
        assert drawn.unit in UNITS
        if drawn.unit == "count":
            assert drawn.answer == round(drawn.answer) > 0
        results = sorted([drawn.answer, *drawn.slips.values()])
        assert min(high - low for low, high in pairwise(results)) >= 3 * forms()[name].within, (asked, results)
        assert abs(drawn.answer) >= 0.05


def test_the_largest_entropy_is_told_finely_enough_for_an_answer_that_is_not_rounded() -> None:
    form = forms()["E3.words"]
    for asked, drawn in sheets("E3.words"):
        assert abs(float(exp(read(form, asked).H)) - drawn.answer) <= form.within


def test_the_end_of_float64_is_told_finely_enough_for_every_temperature() -> None:
    form = forms()["E4.exact-zero"]
    assert "-745.133" in form.prompt
    for asked, drawn in sheets("E4.exact-zero"):
        assert drawn.answer == int(mpmath.ceil(mpf("745.133") * read(form, asked).T))


# --- Texts -----------------------------------------------------------------------------------------------------------


def texts(form: Form, sheet: int) -> list[str]:
    return [form.asked(sheet), *(form.said(text, sheet) for text in (form.solution, *form.slips.values()))]


@pytest.mark.parametrize("name", ORACLES)
def test_texts_are_whole_and_say_what_is_needed(name: str) -> None:
    form = forms()[name]
    for sheet in SHEETS[:20]:
        drawn = form.drawn(sheet)
        asked, solution, *_ = made = texts(form, sheet)
        for text in made:
            plain, formulas = "".join(text.split("$")[::2]), "".join(text.split("$")[1::2])
            assert text.count("$") % 2 == 0
            assert not re.search(r"[{}\\]", plain), text  # braces and commands are for formulas
            assert formulas.count("{") == formulas.count("}")
            assert not re.search(r"(?<![_^a-z}])\{", formulas), text  # behind _, ^ or a command, or it is a name left over
            assert not MINUS_ZERO.search(text), text
            assert not NO_NUMBER.search(text), text
        assert re.search(rf"(?<![\d.]){re.escape(drawn.given['answer'])}(?![\d]|\.\d)", solution), solution
        if drawn.unit not in ("share", "count", "number"):
            assert drawn.unit in form.prompt  # whoever answers must know the unit
            assert drawn.unit in form.solution
        if abs(drawn.answer - round(drawn.answer, 2)) > 1e-9:
            assert "two decimals" in asked, asked


@pytest.mark.parametrize("name", ORACLES)
def test_everything_that_a_recipe_gives_is_said(name: str) -> None:
    form = forms()[name]
    named = {field for text in (form.prompt, form.solution, *form.slips.values()) for _, field, _, _ in Formatter().parse(text)}
    assert set(form.drawn(0).given) - named <= {"equals"}


def test_equals_is_said_of_what_is_equal() -> None:
    for name in forms():
        for _, drawn in sheets(name)[:20]:
            exactly = abs(float(drawn.given["answer"]) - drawn.answer) < 1e-9
            assert drawn.given["equals"] == ("=" if exactly else r"\approx")


# --- Sheets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ORACLES)
def test_a_seed_gives_one_sheet_and_others_give_others(name: str) -> None:
    asked = [asked for asked, _ in sheets(name)]
    draw.cache_clear()  # what was kept cannot differ
    assert asked[:20] == [forms()[name].asked(sheet) for sheet in SHEETS[:20]]
    assert forms()[name].drawn(7) == sheets(name)[7][1]
    assert len(set(asked)) >= 15
    assert sum(one == next_one for one, next_one in pairwise(asked)) <= 24  # one in eight: some have few numbers to draw


def test_forms_of_one_recipe_have_numbers_of_their_own() -> None:
    assert draw("looks", "one", 5) != draw("looks", "another", 5)
    assert draw("looks", "one", 5) == draw("looks", "one", 5)


def test_every_lesson_and_the_whole_bank_have_enough_to_ask() -> None:
    bank = house_bank()
    lessons = [question.lessons for question, form in bank.forms.values() if form.recipe]
    for lesson in (*range(1, 14), 15):
        assert sum(lesson in of for of in lessons) >= 2, f"lesson {lesson}"
    assert len({form.prompt for form in forms().values()}) == len(forms()) >= 60


# --- Drawing again ---------------------------------------------------------------------------------------------------


def drawn(answer: float, unit: str = "number", **slips: float) -> Drawn:
    return Drawn({}, answer, unit, slips)


@pytest.mark.parametrize(
    ("numbers", "clear"),
    [
        (drawn(0.5), True),
        (drawn(0.5, slip=0.53), True),
        (drawn(0.5, slip=0.529), False),
        (drawn(0.5, one=0.8, other=0.81), False),
        (drawn(0.04), False),
        (drawn(-0.06), True),
        (drawn(0.5, slip=float("nan")), False),
        (drawn(0.5, slip=float("inf")), False),
        (drawn(0.5, "share", slip=50.0), False),  # 50 may be 50 %
        (drawn(0.5, "number", slip=50.0), True),
    ],
)
def test_numbers_are_clear_if_no_slip_comes_out_right(numbers: Drawn, clear: bool) -> None:
    assert numbers.clear is clear


def test_unclear_numbers_are_drawn_again_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = [drawn(0.5, slip=0.5), drawn(0.5, slip=0.51), drawn(0.5, slip=0.9)]
    monkeypatch.setitem(RECIPES, "third time", lambda rng: waiting.pop(0))
    assert draw("third time", "x", 1).slips == {"slip": 0.9}
    monkeypatch.setitem(RECIPES, "never", lambda rng: drawn(0.5, slip=0.5))
    with pytest.raises(RuntimeError, match="'never' drew no clear numbers in 1000 tries"):
        draw("never", "x", 1)


@pytest.mark.parametrize("recipe", RECIPES)
def test_recipes_need_few_tries(recipe: str) -> None:
    rng = np.random.default_rng(1)
    assert sum(RECIPES[recipe](rng).clear for _ in range(300)) >= 60


# --- Code ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ORACLES)
def test_the_code_prints_the_answer(name: str) -> None:
    for _, numbers in sheets(name)[:12]:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(numbers.code, name, "exec"), {})
        assert float(printed.getvalue().split()[-1]) == pytest.approx(numbers.answer, abs=1e-9), numbers.code


def test_the_code_runs_in_a_bare_python_and_gives_no_warning() -> None:
    every = [form.drawn(3) for form in forms().values()]
    code = "\n".join(numbers.code for numbers in every)
    assert code.isascii()
    run = subprocess.run([sys.executable, "-I", "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert [float(line) for line in run.stdout.splitlines()] == pytest.approx([numbers.answer for numbers in every], abs=1e-9)


def test_what_other_parts_take_from_here_is_here() -> None:
    assert question_numbers.Drawn is Drawn
    assert set(question_numbers.UNITS) == {"share", "nats", "bits", "words", "number", "count"}
