"""Lesson 8: one step of the writer at a time, from what it remembered to the word that goes in."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import attention_core as ac
from pages.parts import describe, figures
from pages.parts.describe import number
from pages.parts.figures import Figure, plain, short
from pages.parts.live import Drawing, Slider
from pages.parts.loop_picture import picture, sub
from pages.parts.network import D_X, GAIN, Network, network_of
from pages.parts.scenario import Scenario

STAGES = ("scores", "weights", "context", "memory", "guess", "word")
WIRINGS = ("from s_(t-1)", "from s_t")
PLACES, PLACE = r"s[1-9][0-9]?_[1-9]", "s2_1"
D_H, D_S, D_A = 4, 3, 3  # d_s differs from d_h, as it may
REACHES = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0)


@dataclass(frozen=True, eq=False)
class Writing:
    """A sentence being written, seen at one stage of one step.

    Attributes
    ----------
    stage : int
        How many of `STAGES` the step in hand has made, 1 to 6.
    possible : bool
        Whether the scores come from the state before the step. Otherwise nothing is computed anew.
    natural : (d_s,) array
        The state before the step, had nobody changed it at this step.
    run : DecoderStep
        All steps, one per row, with every change.
    """

    scenario: Scenario
    stage: int
    possible: bool
    network: Network
    natural: np.ndarray
    run: ac.DecoderStep

    @property
    def t(self) -> int:
        """The step in hand, from 0."""
        return self.scenario.t

    @property
    def before(self) -> list[float]:
        """The state that the scores use."""
        row: list[float] = self.run.before[self.t].tolist()
        return row


def write(scenario: Scenario, stage: int, wiring: str, edits: Mapping[str, float]) -> Writing:
    """Write the whole sentence, its words given."""
    network = network_of(scenario, d_h=D_H, d_s=D_S, d_a=D_A)
    changed = _changed(edits, len(scenario.target))
    elsewhere = tuple((place, value) for place, value in changed.items() if place[0] != scenario.t)
    natural = _without(scenario.source, scenario.target, scenario.seed, elsewhere, scenario.t)
    run = ac.decode(network.h, network.s_0, network.y, network.decoder, changed=changed) if changed else network.run
    return Writing(scenario, stage, wiring == WIRINGS[0], network, natural, run)


@lru_cache(maxsize=256)
def _without(
    source: tuple[str, ...], target: tuple[str, ...], seed: int, changed: tuple[tuple[tuple[int, int], float], ...], t: int
) -> np.ndarray:
    network = network_of(
        Scenario("natural", source, target, ((0.0,) * len(source),) * len(target), 0, 1.0, seed), d_h=D_H, d_s=D_S, d_a=D_A
    )
    state: np.ndarray = ac.decode(network.h, network.s_0, network.y, network.decoder, changed=dict(changed)).before[t]
    state.flags.writeable = False
    return state


def _changed(edits: Mapping[str, float], steps: int) -> dict[tuple[int, int], float]:
    """Places such as "s2_1" as the core counts them; places that this sentence does not have are passed over."""
    found = {}
    for place, value in sorted(edits.items()):
        t, j = (int(n) - 1 for n in place[1:].split("_"))
        if t < steps and j < D_S:
            found[t, j] = value
    return found


def edited(w: Writing, edits: Mapping[str, float], values: Sequence[float]) -> dict[str, float]:
    """The changes once the sliders of this step stand at these values; what stands where it would anyway is no change."""
    opening = f"s{w.t + 1}_"
    kept = {place: value for place, value in edits.items() if not place.startswith(opening)}
    new = {f"{opening}{j + 1}": v for j, v in enumerate(values) if v != w.natural[j]}
    return {**kept, **{place: round(v, 4) + 0.0 for place, v in new.items()}}


def sliders(w: Writing) -> list[Slider]:
    """One slider per number of the state before the step; none if the scores do not come from it."""
    if not w.possible:
        return []
    return [
        Slider(
            word=f"no. {j + 1}",
            spoken=f"number {j + 1} of the memory before step {w.t + 1}",
            value=value,
            home=float(w.natural[j]),
            min=-1.0,
            max=1.0,
            least=-1.0,
            most=1.0,
            step=0.01,
            symbol="s",
        )
        for j, value in enumerate(w.before)
    ]


def moved_step(scenario: Scenario, stage: int, way: int) -> tuple[Scenario, int] | None:
    """The scenario and stage one stage on (1) or back (-1); None at either end of the sentence."""
    t, stage = scenario.t, stage + way
    if not 1 <= stage <= len(STAGES):
        t, stage = t + way, 1 if way > 0 else len(STAGES)
    return (scenario.with_step(t), stage) if 0 <= t < len(scenario.target) else None


# --- Figures ---------------------------------------------------------------------------------------------------------


def _narrow(figure: Figure, labels: tuple[str, ...]) -> Figure:
    """Bars in a narrow frame: labels stand aslant sooner, and take less room."""
    letters = [short(label, 7) for label in labels]
    slant = len(labels) > 4 or sum(map(len, letters)) > 16
    x_axis = {**figure["layout"]["xaxis"], "ticktext": [plain(text) for text in letters], "tickangle": -60 if slant else 0}
    margin = {"l": 30, "r": 6, "t": 6, "b": 46 if slant else 22}
    y_axis = {**figure["layout"]["yaxis"], "nticks": 4}
    return {**figure, "layout": {**figure["layout"], "xaxis": x_axis, "yaxis": y_axis, "margin": margin}}


def _bars(labels: Sequence[str], heights: Sequence[float], made: bool, symbol: str, low: float, high: float, what: str) -> Figure:
    """Bars of what has been made; what has not is an empty frame with the same axes."""
    n = len(labels)
    shown = heights if made else [0.0] * n
    texts = [number(v) for v in heights] if made else [""] * n
    return _narrow(figures.bars(labels, shown, texts, symbol=symbol, low=low, high=high, what=what), tuple(labels))


@lru_cache(maxsize=64)
def _numbers(n: int) -> tuple[str, ...]:
    return tuple(str(k + 1) for k in range(n))


def _reach(network: Network) -> float:
    """No score can pass the sum of the sizes of v_a, for tanh stays within 1."""
    most = float(np.abs(network.decoder.score["v_a"]).sum())
    return next(reach for reach in REACHES if reach >= min(most, REACHES[-1]))


def step_figures(w: Writing, step: ac.DecoderStep) -> dict[str, Figure]:
    """The five things that one step makes, by frame."""
    source, made, reach = w.scenario.source, w.stage, _reach(w.network)
    return {
        "scores": _bars(source, step.scores.tolist(), made >= 1, "e", -reach, reach, "score"),
        "weights": _bars(source, step.weights.tolist(), made >= 2, "alpha", 0.0, 1.0, "weight"),
        "context": _bars(_numbers(D_H), step.context.tolist(), made >= 3, "c", -1.0, 1.0, "c"),
        "memory": _bars(_numbers(D_S), step.state.tolist(), made >= 4, "s", -1.0, 1.0, "s"),
        "guess": _bars(w.network.vocabulary, step.probabilities.tolist(), made >= 5, "s", 0.0, 1.0, "probability"),
    }


def this_step(w: Writing) -> ac.DecoderStep:
    """The step in hand alone."""
    return ac.DecoderStep(*(part[w.t] for part in w.run))


def step_from(w: Writing, before: Sequence[float]) -> ac.DecoderStep:
    """The step in hand from another state; quick, for positions that a hand passes."""
    return ac.decoder_step(before, written_before(w), w.network.h, w.network.decoder)


def written_before(w: Writing) -> np.ndarray:
    """The vector of the word before; zeros at the first step."""
    return w.network.y[w.t - 1] if w.t else np.zeros(D_X)


# --- Drawings --------------------------------------------------------------------------------------------------------


def drawings(w: Writing, big: bool) -> dict[str, Drawing]:
    """The live part, by the last part of each frame's name."""
    step, t = this_step(w), w.t + 1
    drawn: dict[str, Drawing] = {
        "picture": {"figure": picture(w.scenario, w.stage, w.possible, big), "label": _told(w), "reading": _now(w)}
    }
    values = {
        "scores": (w.scenario.source, step.scores, f"e{sub(t)} uses s{sub(t - 1)}"),
        "weights": (w.scenario.source, step.weights, "they add up to 1"),
        "context": (_numbers(D_H), step.context, f"d_h = {D_H} numbers"),
        "memory": (_numbers(D_S), step.state, f"d_s = {D_S} numbers"),
        "guess": (w.network.vocabulary, step.probabilities, "untrained"),
    }
    made = step_figures(w, step)
    for place, (name, (labels, row, reading)) in enumerate(values.items(), start=1):
        there = w.stage >= place
        numbers = describe.pairs(labels, [number(float(v), 4) for v in row]) if there else "not yet made"
        drawn[name] = {
            "figure": made[name],
            "label": f"Bar chart, {name} of step {t}: {numbers}.",
            "reading": reading if there else "not yet made",
        }
    tops = [f"step {k + 1} {number(float(row.max()))}" for k, row in enumerate(w.run.weights)]
    drawn["map"] = {
        "figure": figures.weight_map(w.scenario.source, w.scenario.target, w.run.weights, w.t),
        "label": f"Heatmap of the weights of all steps if the loop runs on; largest of each row: {', '.join(tops)}.",
        "reading": "Rows below the frame follow from this step's memory.",
    }
    return drawn


def _told(w: Writing) -> str:
    t = w.t + 1
    if not w.possible:
        return f"Loop drawn wrongly: an arrow leads from s{t} back to the scores of step {t}. {_now(w)}"
    later = STAGES[w.stage :]
    rest = f" Not yet made: {', '.join(later)}." if later else ""
    return f"Loop of step {t}, stage {w.stage} of {len(STAGES)}, now: {STAGES[w.stage - 1]}. {_now(w)}{rest}"


def _now(w: Writing) -> str:
    """What happens at this stage, in a line."""
    t, word = w.t + 1, f'"{w.scenario.target[w.t]}"'
    e, a, c, s, before = (f"{sign}{sub(n)}" for sign, n in (("e", t), ("α", t), ("c", t), ("s", t), ("s", t - 1)))
    if not w.possible:
        return f"A circle: {s} needs {c}, {c} needs {a}, {a} needs {e}, and {e} would need {s}. Nothing can start; the bars stay."
    opening = f"{before} = tanh(W_s h_last) is what the reader knew at the end. " if not w.t else ""
    return (
        f"{opening}{e}: how well does each word fit what is remembered, {before}?",
        f"{a}: softmax makes the scores shares of one whole.",
        f"{c}: the h's, blended by their shares.",
        f"{c} is used once, with {before} and the word before: {s}, what to remember.",
        f"{c} is used again, with {s} and the word before: ỹ{sub(t)}, what to say now.",
        f"{word} goes in, as given, whatever the guess (teacher forcing). {s} is remembered for the next step.",
    )[w.stage - 1]


# --- Arithmetic ------------------------------------------------------------------------------------------------------


def arithmetic_rows(w: Writing) -> list[list[str]]:
    """Every vector that has been made, one per row: name, how, numbers."""
    step, t, decoder = this_step(w), w.t + 1, w.network.decoder
    written = written_before(w)
    read = np.concatenate([written, step.context])
    cell = ac.CELLS[decoder.cell].stages(read, step.before, **decoder.recurrent)
    before = f"s{sub(t - 1)}"
    origin = "tanh(W_s h_last)" if not w.t else "made at the step before"
    if w.before != w.natural.tolist():
        origin = "changed by hand"
    said = f'the word before, "{w.scenario.target[w.t - 1]}"' if w.t else "no word yet: zeros"
    compared = ac.additive_stages(step.before, w.network.h, **decoder.score)
    rows: list[tuple[int, str, str, np.ndarray]] = [
        (1, before, origin, step.before),
        (1, f"y{sub(t - 1)}", said, written),
        (1, f"W_a {before}", "d_a numbers", compared.projected_state),
        (1, f"e{sub(t)}", f"v_a · tanh(W_a {before} + U_a h_i), each word", step.scores),
        (2, f"exp(e{sub(t)} − max)", "lifted", np.exp(step.scores - step.scores.max())),
        (2, f"α{sub(t)}", "lifted ÷ their sum", step.weights),
        (3, f"c{sub(t)}", "sum of α h", step.context),
        (4, "z", f"σ(W_z x + U_z {before}), x = [y; c]", cell["z"]),
        (4, "r", f"σ(W_r x + U_r {before})", cell["r"]),
        (4, "proposal", f"tanh(W x + U (r ∘ {before}))", cell["proposal"]),
        (4, f"s{sub(t)}", f"(1 − z) ∘ {before} + z ∘ proposal", step.state),
        (
            5,
            "logits",
            "W_o [s; c; y], each word that can be said",
            decoder.W_o @ np.concatenate([step.state, read[D_X:], written]),
        ),
        (5, f"ỹ{sub(t)}", "softmax of the logits", step.probabilities),
    ]
    return [[name, how, *(number(float(v), 4) for v in row)] for stage, name, how, row in rows if stage <= w.stage]


def arithmetic(w: Writing) -> Drawing:
    """The step as a table; a word of its own in the last line."""
    rows = arithmetic_rows(w)
    width = max(map(len, rows))
    told = f"Σα = {math.fsum(this_step(w).weights):.12g}" if w.stage >= 2 else ""
    last = ["word", f"{w.scenario.target[w.t]} (given)" if w.stage >= len(STAGES) else "not yet written", told]
    return {
        "table": {
            "columns": ["vector", "how it is made", *(f"number {k + 1}" for k in range(width - 2))],
            "rows": [row + [""] * (width - len(row)) for row in rows],
            "total": last + [""] * (width - 3),
        },
        "label": f"Arithmetic of step {w.t + 1}, as far as it has been made",
        "reading": "One vector per line. σ squeezes into 0 to 1, tanh into −1 to 1; ∘ multiplies number by number.",
    }


# --- The same in NumPy; doubled braces are the block's own -----------------------------------------------------------

_BLOCK = """\
import numpy as np

source, target, t = {source}, {target}, {t}  # t counts from 1
can_say = list(dict.fromkeys(target))  # every word once
s = np.array({s})  # s_(t-1), {origin}
h = np.array([{h}])

def draw(*shape, gain={gain}):  # weights are drawn, not learned
    return gain * rng.standard_normal(shape) / np.sqrt(shape[-1])

y = {y}
rng = np.random.default_rng([{seed}, 1])
W_a, U_a, v_a = draw({d_a}, {d_s}), draw({d_a}, {d_h}), draw({d_a})
W, U, W_z, U_z, W_r, U_r = [draw({d_s}, {d_x}) if reads else draw({d_s}, {d_s}, gain=1) for reads in [True, False] * 3]
W_s, W_o = draw({d_s}, {d_h}, gain=1), draw(len(can_say), {d_o})

e = np.tanh(W_a @ s + h @ U_a.T) @ v_a  # scores: from s_(t-1), for s_t is not there yet
alpha = np.exp(e - e.max()) / np.exp(e - e.max()).sum()
c = alpha @ h
x = np.concatenate([y, c])  # c is used here ...
z, r = (1 / (1 + np.exp(-(A @ x + B @ s))) for A, B in [(W_z, U_z), (W_r, U_r)])
s_t = (1 - z) * s + z * np.tanh(W @ x + U @ (r * s))
o = W_o @ np.concatenate([s_t, c, y])  # ... and here
p = np.exp(o - o.max()) / np.exp(o - o.max()).sum()

for name, numbers in [("e", e), ("alpha", alpha), ("c", c), ("s_t", s_t), ("guess", p)]:
    print(name, (numbers.round(4) + 0.0).tolist())
"""


def block(w: Writing) -> str:
    """Write the step in hand as a NumPy program that prints all it makes."""
    rows = [str(row) for row in w.network.h.tolist()]
    word = f"np.random.default_rng([{w.scenario.seed}, *target[t - 2].encode()]).standard_normal({D_X})  # the word before"
    return _BLOCK.format(
        source=list(w.scenario.source),
        target=list(w.scenario.target),
        t=w.t + 1,
        s=w.before,
        origin="from the encoder's last state" if not w.t else "made at the step before",
        h=(",\n" + " " * len("h = np.array([")).join(rows),
        y=word if w.t else f"np.zeros({D_X})  # no word yet",
        seed=w.scenario.seed,
        gain=GAIN,
        d_a=D_A,
        d_s=D_S,
        d_h=D_H,
        d_x=D_X + D_H,
        d_o=D_S + D_H + D_X,
    )
