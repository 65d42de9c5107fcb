"""Small updates leave at once: on real sockets of this process, and on nothing else of it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.parts import server

pytestmark = pytest.mark.skipif(
    not any(Path(p).is_dir() for p in ("/proc/self/fd", "/dev/fd")), reason="open files cannot be listed"
)


def sends_at_once(one: socket.socket) -> bool:
    return one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """As Streamlit makes it: a TCP socket that does not say so (proto 0)."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0) as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        yield one


def test_the_listening_socket_and_what_it_accepts_send_at_once(listening: socket.socket) -> None:
    assert listening.proto == 0
    assert not sends_at_once(listening)
    assert server.send_small_packets_at_once() >= 1
    assert sends_at_once(listening)
    with socket.create_connection(listening.getsockname()) as there:
        here, _ = listening.accept()
        with here:
            assert sends_at_once(here)
            here.sendall(b"an update")
            assert there.recv(99) == b"an update"


def test_connections_that_are_open_already_send_at_once(listening: socket.socket) -> None:
    with socket.create_connection(listening.getsockname()) as there:
        here, _ = listening.accept()
        with here:
            assert not sends_at_once(here)
            server.send_small_packets_at_once()
            assert sends_at_once(here)
            assert sends_at_once(there)
            there.sendall(b"still open")
            assert here.recv(99) == b"still open"


def test_ipv6_counts_too() -> None:
    try:
        one = socket.socket(socket.AF_INET6, socket.SOCK_STREAM, 0)
    except OSError:
        pytest.skip("no IPv6 here")
    with one:
        server.send_small_packets_at_once()
        assert sends_at_once(one)


def test_it_counts_the_sockets_it_changed(listening: socket.socket) -> None:
    before = server.send_small_packets_at_once()
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as one:
        assert server.send_small_packets_at_once() == before + 1
        assert sends_at_once(one)
    assert server.send_small_packets_at_once() == before


def open_files() -> dict[str, str]:
    """Descriptor and what it stands for; the listing's own descriptor is gone when it is looked up."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[name] = os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no /proc")
def test_no_descriptor_is_left_over_or_lost(listening: socket.socket) -> None:
    before = open_files()
    for _ in range(3):
        server.send_small_packets_at_once()
    assert open_files() == before


def test_everything_else_stays_open_and_works(tmp_path: Path, listening: socket.socket) -> None:
    file = tmp_path / "file.txt"
    out, into = os.pipe()
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("127.0.0.1", 0))
    left, right = socket.socketpair()
    with open(file, "w+b", buffering=0) as written, datagrams, left, right:
        written.write(b"be")
        os.set_blocking(left.fileno(), False)
        waits = {
            fd: os.get_blocking(fd) for fd in (out, into, datagrams.fileno(), left.fileno(), right.fileno(), listening.fileno())
        }
        server.send_small_packets_at_once()
        assert {fd: os.get_blocking(fd) for fd in waits} == waits
        written.write(b"fore and after")
        os.write(into, b"pipe")
        assert os.read(out, 9) == b"pipe"
        datagrams.sendto(b"datagram", datagrams.getsockname())
        assert datagrams.recv(99) == b"datagram"
        right.sendall(b"pair")
        assert left.recv(99) == b"pair"
    os.close(out)
    os.close(into)
    assert file.read_bytes() == b"before and after"


def test_where_open_files_cannot_be_listed_nothing_is_changed(monkeypatch: pytest.MonkeyPatch, listening: socket.socket) -> None:
    monkeypatch.setattr(server, "Path", lambda place: Path("/nowhere") / str(place).lstrip("/"))
    assert server.send_small_packets_at_once() == 0
    assert not sends_at_once(listening)


def test_the_process_is_made_ready_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(server, "send_small_packets_at_once", lambda: calls.append(1) or 0)
    server.make_ready.clear()
    assert server.make_ready() is True
    assert server.make_ready() is True
    server.make_ready.clear()
    assert calls == [1]
