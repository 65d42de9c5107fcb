"""Watch it learn

Train a small network with attention, here and now: its map grows out of nothing but right and wrong letters.

Stands on: 10.
"""

import streamlit as st

from pages.parts import controls, current, frame, learning, quiz
from pages.parts import learning_drawings as drawn
from pages.parts.figures import Figure
from pages.parts.learning import Bench, Plan
from pages.parts.live import Drawings, live_figure, live_sliders
from pages.parts.settings import Choice, Whole

SETTINGS = (
    Choice("task", learning.TASKS),
    Choice("network", learning.NETWORKS),
    Choice("rate", learning.RATES),
    Whole("length", *learning.LENGTHS),
    Whole("start", 0, learning.MOST_SEED, 1),
)


def bench() -> Bench:
    """The reader's bench, the run of the page's settings in hand."""
    kept: Bench = st.session_state.setdefault("learn_bench", Bench())
    attention = current.own("network") == learning.NETWORKS[0]
    kept.hold(Plan(current.own("task"), current.own("length"), current.own("start"), float(current.own("rate")), attention))
    return kept


def all_drawings(values: list[float]) -> Drawings:
    """All frames at the step under the scrubber."""
    run, step, view = bench().run, int(values[0]), current.view()
    made = drawn.drawings(run, bench().twin, step, view.unit, big=view.projector)
    frames = {f"learn_{name}": drawing for name, drawing in made.items()}
    if frame.is_open("learn_arithmetic"):
        frames["learn_arithmetic"] = drawn.arithmetic(run, step)
    return frames


def passing(values: list[float]) -> dict[str, Figure]:
    """Map and curves at a step the hand has passed."""
    return {f"learn_{name}": figure for name, figure in drawn.moving(bench().run, bench().twin, int(values[0])).items()}


def scrub() -> None:
    """One slice of training, if it is on, and the slider that plays it back; the only part of the page that repeats itself."""
    at_work = bench()
    was_on = at_work.on
    at_work.work()
    live_sliders(
        [drawn.scrubber(at_work.run, at_work.at)],
        key="learn_scrubber",
        label="Play the training back",
        epoch=current.epoch(),
        draw=all_drawings,
        between=passing,
        height=60,
        on_move=lambda values: bench().scrub(int(values[0])),
        on_rest=lambda: st.session_state.update(learn_rested=True),
    )
    # The buttons and the code stand outside: they are renewed when the hand rests, and when a run has come to its end.
    if st.session_state.pop("learn_rested", False) or was_on != at_work.on:
        st.rerun()


def turn(on: bool) -> None:
    """Start, resume, or stop."""
    bench().turn(on)
    current.renew(keep_reach=True)


def anew() -> None:
    """The same network, untrained."""
    bench().anew()
    current.renew(keep_reach=True)


with frame.page(__file__, *SETTINGS):
    look, big = str(current.view().projector), 1.25 if current.view().projector else 1.0
    if "learn_anew" not in st.session_state:
        bench().on = False  # widgets are forgotten when their page is left: the reader has come back, and nothing trains
    at_work, run = bench(), bench().run
    frame.idea("Nobody tells it where to look. It is told which letters are right, and the map grows from that.")
    quiz.predict(
        "learn_map",
        "It learns to reverse words. What will its map look like?",
        ("Even, as before training", "One bright cell per row", "One bright column"),
        right=1,
        why="Looking at the right letter makes the right letter likely, so the slopes of the loss lead there. Watch it.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="learn_toolbar", gap="small"):
        controls.pick("learn_task", "Task", "task")
        controls.pick("learn_network", "Network", "network", help="Without: one frozen vector at every step, all else alike")
        controls.pick("learn_rate", "Learning rate", "rate")
        controls.whole("learn_length", "Letters", "length")
        controls.whole("learn_start", "Seed", "start", help="Draws the network and the order of the words")
        name = "Stop" if at_work.on else "Train on" if run.finished else "Resume" if run.step else "Start"
        icon = ":material/pause:" if at_work.on else ":material/play_arrow:"
        key = "learn_stop" if at_work.on else "learn_go"  # two buttons: a press that comes twice is not its own opposite
        st.button(name, key=key, icon=icon, type="primary", on_click=turn, args=(not at_work.on,), width=105)
        st.button(
            "Start anew", key="learn_anew", icon=":material/restart_alt:", disabled=not (run.step or at_work.on), on_click=anew
        )
    left, right = st.columns([1.05, 1.5], gap="small")
    with left:
        st.fragment(scrub, run_every=learning.TICK if at_work.on else None)()
        word = "".join(run.example.source)
        heading = f"Where it looks: the map of “{word}”" if run.plan.attention else "Letters right, by place"
        live_figure("learn_map", heading=heading, height=int(374 * big), look=look)
    with right:
        curves = st.columns(2 if run.plan.attention else 1, gap="small")
        with curves[0]:
            live_figure("learn_right", heading="What it gets right", height=int(270 * big), look=look)
        if run.plan.attention:
            with curves[1]:
                live_figure("learn_focus", heading="How sure its look is", height=int(270 * big), look=look)
        live_figure("learn_output", heading="A word it is never trained on", height=int(158 * big), look=look)
    live_figure("learn_reading", heading="", height=72, look=look)
    frame.arithmetic("learn_arithmetic", run.plan.length + 1)
    frame.numpy_block("learn_numpy", drawn.block(run, at_work.at))
