"""Starts the app, or any Streamlit script, on a free port, and stops it again."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Server:
    """A running server."""

    url: str
    pid: int
    log: Path


@contextlib.contextmanager
def serve(script: Path = ROOT / "app.py", *options: str) -> Iterator[Server]:
    """Serve a script from the project's root, with the project's configuration, until the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        command = [
            sys.executable, "-m", "streamlit", "run", str(script),
            f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true", "--server.fileWatcherType=none", *options,
        ]  # fmt: skip
        with log.open("w", encoding="utf-8") as out:
            process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait(url, process, log)
            yield Server(url, process.pid, log)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(url: str, process: subprocess.Popen[bytes], log: Path, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}_stcore/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"the server did not start:\n{log.read_text(encoding='utf-8')}")
