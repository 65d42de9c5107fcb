"""Break-it bench

Eight real mistakes, each as code that runs, beside the right code: see which alarms ring, then find a hidden one.

Stands on: 5, 13.
"""

from typing import Any

import streamlit as st

from pages.parts import bench, bench_code, broken, controls, current, describe, frame, quiz
from pages.parts import bench_drawings as drawings
from pages.parts.bench_play import ask, tools
from pages.parts.live import Drawings, Slider, live_figure
from pages.parts.scenario import Scenario
from pages.parts.settings import Choice, Edits, Real, Whole

WIDE = {False: 5, True: 0}  # words beside which the alarms have room; in large type there is none
SETTINGS = (
    Choice("bug", broken.NAMES),
    Whole("padding", 0, bench.MOST_PADDING, 1),
    Edits("start", bench.PLACES, "s1", bench.LIMIT),
    Real("plus", *bench.PLUS, 0.0),
    Whole("game", 0, bench.LAST_GAME, 0),
)


def at(scenario: Scenario, own: dict[str, Any]) -> bench.Bench:
    """Right and broken code, with these settings; in a game, with the bug and the numbers of the game."""
    if current.own("game"):
        return bench.play(scenario, current.own("game"), own["plus"])
    return bench.set_up(scenario, current.own("bug"), current.own("padding"), own["start"], own["plus"])


def now() -> bench.Bench:
    """The bench as it stands."""
    return at(current.scenario(), {name: current.own(name) for name in ("start", "plus")})


def moved(values: list[float]) -> tuple[Scenario, dict[str, Any]]:
    """The scenario and the page's settings with the sliders at these values: what is held, temperature, constant."""
    *held, T, plus = values
    here, own = current.scenario().with_temperature(T), {"plus": plus, "start": current.own("start")}
    if current.own("game"):
        return here, own
    if bench.origin_of(current.own("bug")) == "scores":
        return here.with_row(held), own
    return here, own | {"start": bench.moved_start(bench.home_start(here), held)}


def sliders() -> list[Slider]:
    """The scores of the step, or the numbers of s_0 where scores are made; temperature and constant; in a game only these."""
    *scores, temperature = controls.score_sliders()
    last = [temperature, bench.plus_slider(current.own("plus"))]
    if current.own("game"):
        return last
    if bench.origin_of(current.own("bug")) == "scores":
        return [*scores, *last]
    return [*bench.start_sliders(now().g.s_0, bench.home_start(current.scenario())), *last]


def draw(values: list[float]) -> Drawings:
    """All frames, with the sliders at these values."""
    return drawings.drawn(at(*moved(values)), hidden=bool(current.own("game")), worked_out=frame.is_open("bench_arithmetic"))


def take(values: list[float]) -> None:
    """The sliders moved."""
    scenario, own = moved(values)
    current.move(scenario)
    current.move_own(**own)


with frame.page(__file__, *SETTINGS):
    b, game, look = now(), current.own("game"), str(current.view().projector)
    maps, contexts, panel, sentence = drawings.heights(len(b.scenario.target), current.view().projector)
    frame.idea("Broken attention still gives numbers. Know the symptoms, and you know the mistake.")
    told = not game
    if game:
        told = ask(b, game)
    else:
        quiz.predict(
            "bench_denominator",
            "Somebody hands exp(e) straight to the decoder. Which symptom gives that away?",
            ("A weight is no number", "Rows do not add up to 1", "All steps look alike"),
            right=1,
            why="The denominator is missing, and it was what made shares of one whole. Choose that bug and count the alarms.",
        )
    tools(b)
    # Many words need wide maps, or there is no room for numbers: then the alarms go below.
    hand, both, *beside = st.columns(
        [1.75, 4.9] if len(b.source) > WIDE[current.view().projector] else [1.7, 3, 1.7], gap="small"
    )
    with hand:
        label = "What every score shares" if game else f"Scores of step {b.t + 1}" if b.g.origin == "scores" else "The state s₀"
        st.markdown(f"**{label}**")
        parts = {"sliders": sliders, "draw": draw, "between": lambda _: {}, "on_move": take}
        controls.hand("bench_hand", label=label, height=maps + contexts - 26, **parts)
    for what, tail, height in (("weights", "", maps), ("contexts c", "_c", contexts)):
        for column, name, whose in zip(both.columns(2, gap="small"), ("right", "broken"), ("Right", "This"), strict=True):
            with column:
                live_figure(f"bench_{name}{tail}", heading=f"{whose} code: {what}", height=height, look=look)
    live_figure("bench_said", heading="", height=sentence, look=look)
    with beside[0] if beside else st.container():
        live_figure("bench_alarms", heading="Alarms", height=panel, look=look)
    if told and b.bug != broken.NOTHING:
        st.markdown(f"**{describe.verbatim(b.bug)}**: {broken.BUGS[b.bug].story}")
        sources = bench_code.side_by_side(b.g.origin, b.bug)
        for column, whose, source in zip(st.columns(2, gap="small"), ("Right", "Broken"), sources, strict=True):
            with column:
                st.markdown(f"{whose} code")
                st.code(source, language="python", wrap_lines=True)
    if told:
        with st.container(key="bench_prose"):
            st.caption(bench.TOLD[b.g.origin] + f" “{bench.PAD}” is padding: an empty place that nobody may look at.")
        frame.arithmetic("bench_arithmetic", len(b.source))
        frame.numpy_block("bench_numpy", bench_code.block(b))
