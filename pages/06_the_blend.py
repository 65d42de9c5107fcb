"""The blend

The context vector is the balance point of the encoder states, each pulling with its weight.

Stands on: 2, 4.
"""

import streamlit as st

from pages.parts import blending, controls, current, frame, quiz
from pages.parts.figures import Figure, weight_bars
from pages.parts.live import Drawings, Slider, live_figure
from pages.parts.settings import Real

SLIDERS, WEIGHTS, PLANE, STEPS = 248, 210, 432, 200  # five sliders for fingers; they take less where there is a mouse
LARGE = 70  # more room for the sliders in projector mode
SPREAD = Real("spread", 0.0, 1.0, 1.0)


def blend_at(values: list[float]) -> blending.Blend:
    """The blend with the sliders at these values: scores, temperature, how different the states are."""
    *scenario, spread = values
    return blending.blend_of(controls.moved(scenario), spread)


def all_drawings(values: list[float]) -> Drawings:
    """All frames with the sliders at these values."""
    blend = blend_at(values)
    drawn = {
        "blend_weights": blending.weights_drawing(blend),
        "blend_plane": blending.plane_drawing(blend),
        "blend_steps": blending.steps_drawing(blend),
    }
    if frame.is_open("blend_arithmetic"):
        drawn["blend_arithmetic"] = blending.arithmetic_drawing(blend)
    return drawn


def between(values: list[float]) -> dict[str, Figure]:
    """Weights and plane at a position the hand has passed."""
    blend = blend_at(values)
    return {"blend_weights": weight_bars(blend.scenario.source, blend.row.tolist()), "blend_plane": blending.plane(blend)}


def sliders() -> list[Slider]:
    """Scores and temperature, and how different the states are."""
    spread = Slider(
        word="difference",
        spoken="how different the encoder states are",
        value=current.own("spread"),
        home=SPREAD.default,
        min=SPREAD.low,
        max=SPREAD.high,
        least=SPREAD.low,
        most=SPREAD.high,
        step=0.05,
        symbol="h",
    )
    return [*controls.score_sliders(), spread]


def take(values: list[float]) -> None:
    """The sliders moved."""
    *scenario, spread = values
    controls.take_scores(scenario)
    current.move_own(spread=spread)


with frame.page(__file__, SPREAD):
    here = current.scenario()
    look = str(current.view().projector)
    top, plane = (height + LARGE * current.view().projector for height in (SLIDERS, PLANE))
    frame.idea("The context c is where the encoder states balance, each pulling with its weight.")
    quiz.predict(
        "blend_winner",
        "One weight goes up to nearly 1. Where does c go?",
        ("To the middle of all h's", "Almost onto that word's h", "Out beyond that h"),
        right=1,
        why="c is then nearly 1 times that h and nearly 0 times the others: a look-up. Beyond the h's it can never go.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="blend_toolbar", gap="small"):
        controls.scenario_menu("blend_scenario")
        controls.step_control("blend_step")
        controls.reset("blend_reset")
    hand, everything = st.columns([1.15, 1.9], gap="small")
    with hand:
        controls.hand(
            "blend_sliders",
            label=f"Scores of step {here.t + 1}, and how different the states are",
            sliders=sliders,
            draw=all_drawings,
            between=between,
            height=top,
            on_move=take,
        )
        live_figure("blend_weights", heading="Weights α", height=WEIGHTS, look=look)
    with everything:
        live_figure(
            "blend_plane",
            heading="Encoder states h, and c among them",
            height=plane,
            look=look,
        )
    given, words = st.columns([1.15, 1.9], gap="small")
    with given:
        live_figure("blend_steps", heading="What the decoder is given, step by step", height=STEPS, look=look)
    with words:
        st.markdown(
            "The sum runs over the encoder states **h**, not over the decoder state s: s only helped to make the weights."
        )
        frame.arithmetic("blend_arithmetic", len(here.source))
        frame.numpy_block("blend_numpy", blending.block(blending.blend_of(here, current.own("spread"))))
