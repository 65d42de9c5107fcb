"""The bottleneck and the bill

What one frozen vector forgets as sentences grow, measured; and what attention costs instead, counted and timed.

Stands on: 10.
"""

import streamlit as st

from pages.parts import bill, bottleneck, controls, current, frame, quiz
from pages.parts.bill import Bill, Times
from pages.parts.describe import percent
from pages.parts.figures import Figure
from pages.parts.live import Drawings, Slider, live_figure
from pages.parts.settings import Choice, Whole

SETTINGS = (
    Whole("length", *bottleneck.lengths(), 16),
    Whole("T_x", 1, bottleneck.LONGEST, 20),
    Whole("T_y", 1, bottleneck.LONGEST, 20),
    Choice("time", ("counted", "measured")),
)
NAMES = ("length", "T_x", "T_y")
HEIGHTS = {False: (340, 296), True: (560, 440)}  # of figures and table; larger on a projector


def at(values: list[float]) -> tuple[int, Bill, Times | None]:
    """The sentence's length, the bill, and the times if they are wanted."""
    length, T_x, T_y = (round(value) for value in values)
    sizes = bottleneck.accuracy().sizes
    return length, Bill(T_x, T_y, sizes), bill.measured(sizes) if current.own("time") == "measured" else None


def now() -> list[float]:
    """Where the sliders stand."""
    return [current.own(name) for name in NAMES]


def sliders() -> list[Slider]:
    """Three lengths."""
    length, T_x, T_y = map(int, now())
    return bottleneck.sliders(length, T_x, T_y)


def draw(values: list[float]) -> Drawings:
    """All frames, with the sliders at these values."""
    return bottleneck.drawn(*at(values), worked_out=frame.is_open("bill_arithmetic"))


def between(values: list[float]) -> dict[str, Figure]:
    """The figures at a position the hand has passed."""
    return bottleneck.passed(*at(values))


def take(values: list[float]) -> None:
    """The sliders moved."""
    current.move_own(**{name: round(value) for name, value in zip(NAMES, values, strict=True)})


with frame.page(__file__, *SETTINGS):
    known, look = bottleneck.accuracy(), str(current.view().projector)
    tall, table = HEIGHTS[current.view().projector]
    frame.idea("One vector is too small for a long sentence; looking back helps, at the price of T_x · T_y scores.")
    quiz.predict(
        "bill_bottleneck",
        f"Without attention one vector holds all. How many sentences of {known.names[-1]} words come out right?",
        ("As many as short ones", "About half", "Almost none"),
        right=2,
        why=f"Short sentences fit into one vector: {percent(known.frozen[0])} of {known.names[0]} words are right. Long ones"
        f" overflow it. With attention every step makes a new summary: {percent(known.attention[-1])}.",
    )
    is_measured = current.own("time") == "measured"
    if is_measured:
        with st.spinner("Measuring this machine for two seconds"):
            bill.measured(known.sizes)
    hand, left, middle, right = st.columns([1.3, 1.5, 1.5, 1.5], gap="small")
    with hand:
        parts = {"sliders": sliders, "draw": draw, "between": between, "on_move": take}
        st.markdown("**How long are the sentences?**")
        controls.hand("bill_hand", label="Lengths of sentences, in words", height=160, **parts)
        live_figure("bill_said", heading="", height=tall - 216, look=look)
    with left:
        live_figure("bill_accuracy", heading="The bottleneck", height=tall, look=look)
    with middle:
        live_figure("bill_operations", heading="The bill, counted", height=tall, look=look)
    with right:
        live_figure("bill_seconds", heading="The bill, measured here", height=tall - 56, look=look)
        st.button(
            "Measured on this machine" if is_measured else "Measure on this machine",
            key="bill_measure",
            icon=":material/timer:",
            disabled=is_measured,
            on_click=lambda: current.change_own(time="measured"),
        )
    measured, made = st.columns([1.3, 1], gap="small")
    with measured:
        live_figure("bill_table", heading="The bottleneck in numbers", height=table, look=look)
    with made, st.container(key="bill_made_prose"):
        st.markdown(
            f"Both networks are of one size, {known.sizes.units} numbers per direction, and learned from the same"
            f" {known.sentences:,} French sentences in {known.steps:,} batches. One looks back; the other gets the encoder's last"
            " state at every step. Make and measure both again:"
        )
        st.code(known.command, language="bash", wrap_lines=True)
        st.markdown(
            "Scores grow with T_x · T_y, the network with T_x + T_y: for long texts the scores win. That is why sparse and"
            " efficient attention exist."
        )
    frame.arithmetic("bill_arithmetic", 7)
    frame.numpy_block("bill_numpy", bill.block(at(now())[1]))
