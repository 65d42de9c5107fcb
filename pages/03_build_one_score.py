"""Build one score

The score microscope: a decoder state meets one word, and five steps make one number of them.

Stands on: 2.
"""

import streamlit as st

from pages.parts import controls, current, frame, microscope, quiz
from pages.parts import microscope_drawings as drawings
from pages.parts import microscope_words as words
from pages.parts.figures import Figure
from pages.parts.live import Drawings, Slider, live_figure
from pages.parts.network import SIZES
from pages.parts.settings import Choice, Edits, Whole

SETTINGS = (
    Whole("i", 1, lambda scenario: len(scenario.source), 2),
    Whole("d_s", *SIZES, 2),
    Whole("d_h", *SIZES, 4),
    Whole("d_a", *SIZES, 3),
    Choice("hold", microscope.HELD),
    Choice("breaks", microscope.BREAKS),
    Edits("edits", microscope.PLACES, "h2_1", microscope.LIMIT),
)
HEIGHTS = {False: (290, 52, 196), True: (400, 84, 260)}  # of stages, sentence and foot; the projector's type is larger


def in_hand(edits: dict[str, float]) -> microscope.Microscope:
    """The pair under the microscope, with these numbers changed."""
    sizes = (current.own("d_s"), current.own("d_h"), current.own("d_a"))
    return microscope.microscope(current.scenario(), current.own("i") - 1, sizes, edits, current.own("breaks"))


def now() -> microscope.Microscope:
    """The pair as it stands."""
    return in_hand(current.own("edits"))


def changed(values: list[float]) -> dict[str, float]:
    """All changed numbers, with the sliders at these values."""
    here = now()
    held = microscope.places(current.own("hold"), here.t, here.i, here.sizes)
    return microscope.moved(current.own("edits"), here.home, held, values)


def sliders() -> list[Slider]:
    """The numbers that the hand holds."""
    return microscope.sliders(now(), current.own("hold"))


def draw(values: list[float]) -> Drawings:
    """All frames, with the sliders at these values."""
    here = in_hand(changed(values))
    return drawings.drawn(here, drawings.reaches(here), worked_out=frame.is_open("micro_arithmetic"))


def between(values: list[float]) -> dict[str, Figure]:
    """The curve and the score at a position the hand has passed."""
    here = in_hand(changed(values))
    return drawings.passed(here, drawings.reaches(here))


def hold(row: int, column: int) -> None:
    """A click in the map puts its pair under the microscope."""
    here = current.scenario()
    if row < len(here.target) and column < len(here.source):
        current.change(here.with_step(row))
        current.change_own(i=column + 1)


with frame.page(__file__, *SETTINGS):
    here = now()
    look = str(current.view().projector)
    height, sentence, foot = HEIGHTS[current.view().projector]
    frame.idea("A score is one number: bring state and word to one size, add, bend, weigh, add up.")
    quiz.predict(
        "micro_tanh",
        "You take tanh out. What happens to the weights of the other steps?",
        ("Nothing", "All steps get the same weights", "They grow sharper"),
        right=1,
        why="Without the bend the state's part is added to every word alike, and softmax drops what is added to all.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="micro_toolbar", gap="small"):
        controls.scenario_menu("micro_scenario")
        controls.step_control("micro_step")
        controls.whole("micro_i", f"Word i of {len(here.scenario.source)}", "i")
        controls.pick("micro_breaks", "Take out", "breaks")
        with st.popover("Sizes and more", icon=":material/tune:", key="micro_more"):
            with st.container(horizontal=True, key="micro_sizes"):
                for name, what in (("d_s", "state s"), ("d_h", "annotation h"), ("d_a", "sum a")):
                    controls.whole(f"micro_{name}", f"{name}, of {what}", name)
            edits = current.own("edits")
            louder, flipped = edits | microscope.louder(here.numbers), edits | microscope.flipped(here.numbers)
            st.button("Saturate it: Wₐ and Uₐ × 3", key="micro_louder", on_click=lambda: current.change_own(edits=louder))
            st.button("Flip vₐ", key="micro_flip", on_click=lambda: current.change_own(edits=flipped))
        undo = {"icon": ":material/restart_alt:", "disabled": not edits, "help": "All numbers back to the prepared ones"}
        st.button("Undo", key="micro_undo", on_click=lambda: current.change_own(edits={}), **undo)

    hand, pair, other_pair, last = st.columns([1.5, 2, 2, 1], gap="small")
    with hand:
        controls.pick("micro_hold", "The sliders hold", "hold")
        parts = {"sliders": sliders, "draw": draw, "between": between}
        take = {"on_move": lambda values: current.move_own(edits=changed(values))}
        controls.hand("micro_hand", label=f"Numbers of {current.own('hold')}", height=height - 66, **parts, **take)
    # Two stages stay side by side on a phone.
    stages = [*pair.columns(2, gap="small", wrap=False), *other_pair.columns(2, gap="small", wrap=False), last]
    for column, (name, heading) in zip(stages, drawings.headings(here).items(), strict=True):
        with column:
            live_figure(f"micro_{name}", heading=heading, height=height, look=look)
    live_figure("micro_said", heading="", height=sentence, look=look)
    scores, weights, everything = st.columns([1, 1, 1.3], gap="small")
    with scores:
        live_figure("micro_row", heading=f"Scores of step {here.t + 1}", height=foot, look=look)
    with weights:
        live_figure("micro_weights", heading="Their softmax: weights", height=foot, look=look)
    with everything:
        live_figure("micro_map", heading="Weights of all steps", height=foot, look=look, on_click=hold)
    frame.arithmetic("micro_arithmetic", max(here.sizes))
    frame.numpy_block("micro_numpy", words.block(here))
