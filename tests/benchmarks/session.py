"""A browser's side of one Streamlit session, without the browser: what it sends and what it waits for, over the wire."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

SLIDERS = "lab_scores"


class Session:
    """One visitor of the score lab."""

    def __init__(self, address: str) -> None:
        self.address = address.replace("http", "ws", 1) + "_stcore/stream"
        self.wire: ClientConnection | None = None
        self.page = ""
        self.widget = ""
        self.fragment = ""
        self.data: dict[str, Any] = {}
        self.seq = 0
        self.exceptions = 0

    async def open(self) -> float:
        """Connect, ask for the page, wait until it is complete; return the seconds it took."""
        start = time.perf_counter()
        self.wire = await connect(self.address, subprotocols=["streamlit"], max_size=None, compression=None)  # type: ignore[list-item]
        message = BackMsg()
        message.rerun_script.query_string = ""
        await self.wire.send(message.SerializeToString())
        await self._until_finished()
        return time.perf_counter() - start

    async def move(self, path: list[list[float]]) -> float:
        """Send one report as the sliders do, wait for its answer; return the seconds it took."""
        assert self.wire
        self.seq += 1
        start = time.perf_counter()
        message = BackMsg()
        rerun = message.rerun_script
        rerun.page_script_hash = self.page
        rerun.fragment_id = self.fragment
        state = rerun.widget_states.widgets.add()
        state.id = self.widget
        state.json_value = json.dumps({"moved": {"epoch": self.data["epoch"], "seq": self.seq, "path": path}})
        await self.wire.send(message.SerializeToString())
        while self.data["seq"] < self.seq:
            self._take(await self._next())
        return time.perf_counter() - start

    async def close(self) -> None:
        """Hang up."""
        if self.wire:
            await self.wire.close()

    async def _next(self) -> ForwardMsg:
        assert self.wire
        raw = await asyncio.wait_for(self.wire.recv(), 60)
        message = ForwardMsg()
        message.ParseFromString(raw if isinstance(raw, bytes) else raw.encode())
        return message

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.page = message.new_session.page_script_hash
        if kind != "delta" or message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        which = element.WhichOneof("type")
        self.exceptions += which == "exception"
        if which == "bidi_component" and element.bidi_component.component_name == "live_sliders":
            self.widget = element.bidi_component.id
            self.fragment = message.delta.fragment_id
            self.data = json.loads(element.bidi_component.bytes)

    async def _until_finished(self) -> None:
        while True:
            message = await self._next()
            self._take(message)
            if message.WhichOneof("type") == "script_finished":
                return
