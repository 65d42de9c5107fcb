"""What the page offers for download is kept, so that tests can open it."""

from __future__ import annotations

import pytest
import streamlit


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Content of every download button of the last run, by file name."""
    offered: dict[str, str] = {}
    button = streamlit.download_button

    def keep(label: str, data: str, file_name: str, *args: object, **kwargs: object) -> bool:
        offered[file_name] = data
        return button(label, data, file_name, *args, **kwargs)

    monkeypatch.setattr(streamlit, "download_button", keep)
    return offered
