"""The app behind something that tells browsers to keep scripts, as a proxy in front of it would.

Streamlit names no time for which a component's files may be kept, so every opening fetches and compiles Plotly anew: two
seconds of a test that is about something else. The addresses of these files hold a version or a hash of their content.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ROOT = Path(__file__).resolve().parents[2]


class Keep:
    """Adds a time to live to the answers for components' files."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                others = [header for header in message["headers"] if header[0].lower() != b"cache-control"]
                message["headers"] = [*others, (b"cache-control", b"public, max-age=86400, immutable")]
            await send(message)

        keeps = scope["type"] == "http" and scope["path"].startswith("/component/")
        await self.app(scope, receive, answer if keeps else send)


app = st.App(ROOT / "app.py", middleware=[Middleware(Keep)])
