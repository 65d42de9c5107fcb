"""A translator you can open

A network that has learned to translate writes word by word; look inside, put a hand in the works, and see what changes.

Stands on: 7, 8.
"""

import streamlit as st

from pages.parts import controls, current, frame, interventions, quiz, translating, translating_code, translator_menus
from pages.parts.describe import verbatim
from pages.parts.figures import Figure
from pages.parts.live import Drawings, live_figure
from pages.parts.settings import Choice, Edits, Whole

FIRST = 4  # the step that an empty link opens
SETTINGS = (
    Choice("model", translating.NETWORKS),
    translating.Typed("input"),
    Choice("hand", interventions.KINDS),
    Whole("word", 1, translating.MOST_STEPS, FIRST),
    Whole("order", 1, 999, 1),
    Edits("own", r"[1-9][0-9]?", "2", 1.0),
)


def scene(values: list[float] | None = None) -> translating.Scene:
    """What is on screen, with the sliders at these values."""
    name, kind, word, own = (current.own(setting) for setting in ("model", "hand", "word", "own"))
    source = interventions.source_of(name, current.own("input"))
    now = translating.scene(name, source, kind, word, current.own("order"), own)
    if not values:
        return now
    word, own = translating.moved(now, values)
    return translating.scene(name, source, kind, word, now.order, own)


def all_drawings(values: list[float]) -> Drawings:
    """All frames with the sliders at these values."""
    now = scene(values)
    drawn = {f"opened_{name}": drawing for name, drawing in translating.drawings(now, current.view().unit).items()}
    if frame.is_open("opened_arithmetic"):
        drawn["opened_arithmetic"] = translating_code.arithmetic(now)
    return drawn


def between(values: list[float]) -> dict[str, Figure]:
    """The map at a position the hand has passed."""
    return {"opened_map": translating.map_figure(scene(values))}


def take(values: list[float]) -> None:
    """The sliders moved."""
    word, own = translating.moved(scene(), values)
    current.move_own(word=word, own=own)


def step_to(word: int) -> None:
    """Another step, counted from 1: weights that were set for the last one are void."""
    if word <= scene().steps:
        current.change_own(word=word, own={})


with frame.page(__file__, *SETTINGS):
    look, big = str(current.view().projector), 1.3 if current.view().projector else 1.0
    if trouble := interventions.unreadable(current.own("model"), current.own("input")):
        current.change_own(input="")
        st.warning(verbatim(f'"input" in the link is ignored: {trouble}.'), icon=":material/link_off:")
    frame.idea("Nobody set these weights: the network learned to look. Open it, interfere, and see what changes.")
    quiz.predict(
        "opened_shuffle",
        "All states h are shuffled after reading. What does the translation do?",
        ("It stays the same", "Its words change places", "It becomes nonsense"),
        right=0,
        why="A blend has no order: each weight goes along with its state. Shuffle the words before reading: states change.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="opened_toolbar", gap="small"):
        translator_menus.menus(FIRST)
        controls.unit_control("opened_unit")
    now = scene()
    with st.container(horizontal=True, vertical_alignment="bottom", key="opened_hands", gap="small"):
        controls.pick("opened_hand", "A hand in the works", "hand")
        if now.kind in interventions.SHUFFLES:
            controls.whole("opened_order", "Order no.", "order", help="Each number is another order")
        if now.kind == "own weights":
            st.session_state["opened_step"] = now.t + 1
            st.number_input(
                f"Step t of {now.steps}", 1, now.steps, step=1, key="opened_step", width=130,
                on_change=lambda: step_to(st.session_state["opened_step"]),
            )  # fmt: skip
    hand, shows = st.columns([1, 1.6], gap="small")
    with hand:
        controls.hand(
            "opened_sliders",
            label="The weights of this step" if now.kind == "own weights" else "How far it has written",
            sliders=lambda: translating.sliders(scene(), current.own("own")),
            draw=all_drawings,
            between=between,
            height=150 if now.kind == "own weights" else 62,
            on_move=take,
        )
    with shows:
        live_figure("opened_shows", heading="", height=int(76 * big), look=look)
    height = int((300 + 12 * max(0, now.rows - 11)) * big)  # many rows need more room
    everything, beside, last = st.columns([2.3, 2, 1.2 * big], gap="small")
    with everything:
        live_figure("opened_map", heading="Weights α, a row per word", height=height, look=look,
                    on_click=lambda row, column: step_to(row + 1))  # fmt: skip
    texts, pins = beside.columns([1.2, 1], gap="small", wrap=False)
    with texts:
        live_figure("opened_words", heading=translating.HEADINGS[now.kind == "none"], height=height, look=look)
    with pins:
        live_figure("opened_entropy", heading=f"Entropy H, {current.view().unit}", height=height, look=look)
    with last:
        live_figure("opened_guesses", heading="Likeliest words", height=height, look=look)
    measured, kept, made = map(
        verbatim, (interventions.measured(now.name, now.kind), translating.stored(now.name), translating.computed(now))
    )
    st.markdown(f"{measured} {verbatim(translating.SMALL)}\n\n**Learned and kept:** {kept} **Made now:** {made}")
    frame.arithmetic("opened_arithmetic", len(now.run.source))
    frame.numpy_block("opened_numpy", translating_code.block(now, current.own("own")))
