"""Finds the Chromium that the browser tests drive; run as a script it installs one if there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Headless in a container: no sandbox (root may not have one), no graphics card, and no conversation with the outside.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str | None:
    """The path of an installed Chromium; None leaves the choice to Playwright's own."""
    chosen = os.environ.get("CHROMIUM")
    return chosen or next((path for name in NAMES if (path := shutil.which(name))), None)


def playwright_has_its_own() -> bool:
    """Whether Playwright has downloaded a browser of its own before."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return os.path.exists(playwright.chromium.executable_path)


def install() -> None:
    """Install a Chromium: the system's package where there is apt, else Playwright's download."""
    if find_chromium() or playwright_has_its_own():
        return
    if shutil.which("apt-get"):
        become_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
        quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
        subprocess.run([*become_root, "apt-get", "update", "-qq"], check=False, **quiet)
        subprocess.run([*become_root, "apt-get", "install", "-y", "-qq", "chromium"], check=False, **quiet)
        if find_chromium():
            return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    install()
    print(find_chromium() or "Playwright's own Chromium")
