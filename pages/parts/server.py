"""What the server needs to answer a moving hand, arranged once per process."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from pathlib import Path

import streamlit as st


@st.cache_resource(show_spinner=False)
def make_ready() -> bool:
    """Arrange what one process needs; later calls do nothing."""
    send_small_packets_at_once()
    return True


def send_small_packets_at_once() -> int:
    """Turn Nagle's algorithm off on this process's TCP sockets; return how many.

    Streamlit makes its listening socket without naming TCP, and asyncio turns the algorithm off only on sockets that do.
    Left on, each small update waits about 40 ms for the browser's delayed acknowledgement. Sockets accepted later inherit
    the setting from the listening one. Where the open files cannot be listed, nothing is changed.
    """
    listing = next((p for p in (Path("/proc/self/fd"), Path("/dev/fd")) if p.is_dir()), None)
    if listing is None:
        return 0
    changed = 0
    for name in os.listdir(listing):
        try:
            copy = os.dup(int(name))  # closing the copy leaves the server's own descriptor open
        except (OSError, ValueError):
            continue
        if not stat.S_ISSOCK(os.fstat(copy).st_mode):
            os.close(copy)
            continue
        with contextlib.suppress(OSError), socket.socket(fileno=copy) as open_socket:
            if open_socket.family in (socket.AF_INET, socket.AF_INET6) and open_socket.type == socket.SOCK_STREAM:
                open_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                changed += 1
    return changed
