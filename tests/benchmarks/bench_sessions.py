"""A classroom at once: 30 arrivals within a second, then 30 hands dragging, then one hand for a long time.

    python -m tests.benchmarks.bench_sessions [--sessions 30] [--seconds 10] [--updates 5000]

Sessions speak Streamlit's protocol without a browser and are self-clocked: each sends its next movement when the last one is
answered, at most 15 a second; as in the browser a report holds the positions since the one before, at most PATH of them, and
every position comes back drawn. Printed: seconds to the first complete page, answers and updates per second and session, delays, errors,
and how much the server's memory grew over the long drag (Streamlit's collection after every rerun is off; see
`.streamlit/config.toml`).
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
from pathlib import Path

from pages.parts.live import PATH
from tests.benchmarks.session import Session
from tests.browser.serving import Server, serve

MOST_PER_SECOND = 15


def resident_megabytes(pid: int) -> float:
    """Resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmRSS line: this measurement needs Linux")


def late(values: list[float], share: float = 0.95) -> float:
    """The value that this share of all values does not pass."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def a_hand(session: Session, since: float = 0.0) -> list[list[float]]:
    """Where a hand has had the sliders in these seconds, 60 positions a second, as many as one report takes.

    Each position is the scores, then the temperature.
    """
    count = min(PATH, max(1, round(60 * since)))
    return [[round(random.uniform(-5, 5), 1) for _ in session.data["sliders"][:-1]] + [1.0] for _ in range(count)]


async def arrive(server: Server, count: int) -> tuple[list[Session], list[float]]:
    """Visitors who come spread over one second."""
    sessions = [Session(server.url) for _ in range(count)]

    async def come(n: int, session: Session) -> float:
        await asyncio.sleep(n / count)
        return await session.open()

    return sessions, list(await asyncio.gather(*(come(n, s) for n, s in enumerate(sessions))))


async def drag_on(session: Session, end: float) -> tuple[list[float], int]:
    """Drag until `end`; return the delay of each answer, and how many updates (drawn positions) came."""
    delays, updates, since = [], 0, 0.0
    while time.perf_counter() < end:
        path = a_hand(session, since)
        delay = await session.move(path)
        delays.append(delay)
        updates += len(path)
        await asyncio.sleep(max(0.0, 1 / MOST_PER_SECOND - delay))
        since = max(delay, 1 / MOST_PER_SECOND)
    return delays, updates


async def measure(count: int, seconds: float, updates: int) -> None:
    """Measure and print."""
    with serve() as server:
        sessions, arrivals = await arrive(server, count)
        print(
            f"{count} arrivals within 1 s, first complete page: median {statistics.median(arrivals):.2f} s, p95 {late(arrivals):.2f} s"
        )
        end = time.perf_counter() + seconds
        drags = await asyncio.gather(*(drag_on(s, end) for s in sessions))
        rates = [updates / seconds for _, updates in drags]
        answers = [len(delays) / seconds for delays, _ in drags]
        delays = [1000 * d for ds, _ in drags for d in ds]
        print(
            f"{count} hands for {seconds:g} s: {sum(answers):.0f} answers/s in all; per session {statistics.median(answers):.1f} answers/s "
            f"with {statistics.median(rates):.1f} updates/s (lowest {min(rates):.1f}); delay median {statistics.median(delays):.0f} ms, p95 {late(delays):.0f} ms; "
            f"errors {sum(s.exceptions for s in sessions)}"
        )
        for session in sessions:
            await session.close()
    with serve() as server:
        session = Session(server.url)
        await session.open()
        for _ in range(200):  # let caches fill first
            await session.move(a_hand(session))
        before = resident_megabytes(server.pid)
        start = time.perf_counter()
        for _ in range(updates):
            await session.move(a_hand(session))
        rate = updates / (time.perf_counter() - start)
        print(
            f"{updates} updates in one session: {rate:.0f}/s, memory {before:.0f} MB, grown by {resident_megabytes(server.pid) - before:.1f} MB"
        )
        await session.close()


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--updates", type=int, default=5000)
    wanted = parser.parse_args()
    asyncio.run(measure(wanted.sessions, wanted.seconds, wanted.updates))


if __name__ == "__main__":
    main()
