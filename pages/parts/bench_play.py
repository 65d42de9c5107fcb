"""The break-it bench: choose a bug, or play against a hidden one."""

from __future__ import annotations

from zlib import crc32

import streamlit as st

from pages.parts import alarms, controls, current, quiz
from pages.parts.bench import LAST_GAME, Bench
from pages.parts.broken import BUGS, NAMES, NOTHING
from pages.parts.describe import count, together

ANSWERS = tuple("nothing is broken" if name == NOTHING else name for name in NAMES)


def tools(b: Bench) -> None:
    """Everything that is chosen: scenario, step and bug, or the next game."""
    game = current.own("game")
    with st.container(horizontal=True, vertical_alignment="bottom", key="bench_toolbar", gap="small"):
        if game:
            controls.step_control("bench_step")
            _button("Another one", "bench_next", "casino", game=_after(game))
            _button("Leave the game", "bench_leave", "close", game=0)
            _alarms_explained()
            st.markdown(_score(), width="content")
            return
        controls.scenario_menu("bench_scenario")
        controls.step_control("bench_step")
        controls.menu("bench_bug", "Bug", "bug", dict(zip(NAMES, NAMES, strict=True)), width=250)
        controls.whole("bench_padding", "Padding", "padding", help="Empty places at the end of the source")
        untouched = current.scenario() == current.home() and not current.own("start") and not current.own("plus")
        st.button("Reset", key="bench_reset", icon=":material/restart_alt:", disabled=untouched, on_click=_reset)
        _button("Hidden bug", "bench_play", "search", game=_after(max((seed for seed, _ in _found()), default=0)))
        _alarms_explained()


def _button(label: str, key: str, icon: str, game: int) -> None:
    """Go to a game, with nothing added to its scores; 0 leaves."""

    def pressed() -> None:
        current.change_own(game=game, plus=0.0)

    st.button(label, key=key, icon=f":material/{icon}:", on_click=pressed)


def _reset() -> None:
    current.change(current.home())
    current.change_own(start={}, plus=0.0)


def _alarms_explained() -> None:
    """What each alarm listens for, on demand: the first line of its own description."""
    with st.popover("Alarms", icon=":material/hearing:", key="bench_explained"):
        lines = [f"- **{name}**: {str(alarm.__doc__).splitlines()[0]}" for name, alarm in alarms.ALARMS.items()]
        st.markdown(
            "Those at the top look at what came out; from “a constant counts” on they run the code again on changed input."
        )
        st.markdown("\n".join(lines))


def ask(b: Bench, game: int) -> bool:
    """Ask which bug it is; return whether the answer is locked.

    Parameters
    ----------
    b : Bench
    game : int
        Its seed.
    """
    # Other words are another game, though the seed is the same.
    words = crc32(repr((b.scenario.source, b.scenario.target)).encode())
    key = f"bench_game_{game}_{words}"
    locked = quiz.predict(
        key,
        f"Game {game}: which mistake is in this code? You see symptoms only.",
        ANSWERS,
        right=NAMES.index(b.bug),
        why=reason(b),
    )
    if locked:
        _found().setdefault((game, words), st.session_state[f"{key}_choice"] == NAMES.index(b.bug))
    return locked


def reason(b: Bench) -> str:
    """How one could have known."""
    if b.bug == NOTHING:
        return "No alarm rings, and both maps are the same."
    names = [f"“{name}”" for name in alarms.ringing(b.loud)]
    if not names:
        return f"With these numbers nothing rings: take temperature and constant back. {BUGS[b.bug].story}"
    return f"{together(names)} {'ring' if len(names) > 1 else 'rings'}, and no other mistake gives that. {BUGS[b.bug].story}"


def _found() -> dict[tuple[int, int], bool]:
    """By seed and words: whether the first answer was right."""
    found: dict[tuple[int, int], bool] = st.session_state.setdefault("bench_found", {})
    return found


def _after(game: int) -> int:
    return game % LAST_GAME + 1


def _score() -> str:
    found = _found()
    return f"Found so far: {sum(found.values())} of {count(len(found), 'bug')}." if found else ""
