"""The house rules, read from the syntax trees: who may import whom, what a page may do, what things are called.

Each rule is a function over (path, source) that returns complaints, so the same rules are shown bad sources below: a rule
that cannot complain guards nothing.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[1]
RUNTIME = {"streamlit", "numpy", "plotly", "pandas"}

# --- Who may import whom. "stdlib" stands for the standard library. -------------------------------------------------

PLAIN_PARTS = ("pages.parts.contents", "pages.parts.content", "pages.parts.scenario")
ALLOWED = {
    "core": ("stdlib", "numpy", "attention_core"),
    "page": ("stdlib", "streamlit", "numpy", "attention_core", "pages.parts"),
    "plain part": ("stdlib", *PLAIN_PARTS),
    "describe": ("stdlib", "numpy", "attention_core", "pages.parts"),
    "figures": ("stdlib", "numpy", "plotly", "attention_core", "pages.parts"),
    "part": ("stdlib", "streamlit", "numpy", "plotly", "pandas", "attention_core", "pages.parts"),
}
# Whoever imports one of these from a page wants to open a file, to start something, or to leave this machine.
NOT_FOR_PAGES = {
    "builtins", "codecs", "fileinput", "ftplib", "glob", "http", "importlib", "io", "os", "pathlib", "pickle", "runpy", "shelve",
    "shutil", "smtplib", "socket", "sqlite3", "subprocess", "sys", "tempfile", "urllib", "zipfile",
}  # fmt: skip


def kind_of(path: str) -> str | None:
    """What a file is, from where it lies."""
    place = PurePosixPath(path)
    if place.suffix != ".py":
        return None
    if place.parts[0] == "attention_core":
        return "core"
    if place.parts[:2] == ("pages", "parts"):
        if place.stem in ("contents", "content", "scenario"):
            return "plain part"
        return place.stem if place.stem in ("describe", "figures") else "part"
    if path == "app.py" or place.parts[0] == "pages":
        return "page"
    return None


def imported(path: str, source: str) -> Iterator[str]:
    """The full names of what a file imports; a relative import counts from where the file lies."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            folder = PurePosixPath(path).parent.parts
            up = node.level - 1
            if up > len(folder) - 1:
                yield "beyond the top"
            base = [*folder[: len(folder) - up]] if node.level else []
            base += node.module.split(".") if node.module else []
            yield from (".".join([*base, alias.name]) for alias in node.names)


def within(name: str, allowed: str) -> bool:
    return name.split(".")[0] in sys.stdlib_module_names if allowed == "stdlib" else f"{name}.".startswith(f"{allowed}.")


def imports_point_inwards(path: str, source: str) -> list[str]:
    kind = kind_of(path)
    if not kind:
        return []
    complaints = [
        f"a {kind} must not import {name}"
        for name in imported(path, source)
        if not any(within(name, allowed) for allowed in ALLOWED[kind])
    ]
    if kind == "page":
        complaints += [f"a page has no use for {n}" for n in imported(path, source) if n.split(".")[0] in NOT_FOR_PAGES]
    return complaints


def no_hidden_import(path: str, source: str) -> list[str]:
    """An import in a call would pass by the rule above."""
    hidden = {"__import__", "import_module", "exec", "eval", "run_path", "run_module"}
    return [f"imports by calling {name}" for name in called(source) & hidden] if kind_of(path) else []


# --- What a page may do ---------------------------------------------------------------------------------------------

OPENING = {
    "open", "fdopen", "read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "glob", "rglob", "unlink", "mkdir",
    "touch", "rename", "load", "loadtxt", "genfromtxt", "fromfile", "memmap", "save", "savez", "savez_compressed", "savetxt",
    "tofile", "dump",
}  # fmt: skip


def called(source: str) -> set[str]:
    """The last names of all that is called: ``a.b.c()`` calls "c"."""
    functions = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return {f.attr if isinstance(f, ast.Attribute) else f.id for f in functions if isinstance(f, ast.Attribute | ast.Name)}


def a_page_opens_no_file(path: str, source: str) -> list[str]:
    return [f"opens a file with {name}()" for name in called(source) & OPENING] if kind_of(path) == "page" else []


def text_is_never_markup(path: str, source: str) -> list[str]:
    """The words that readers type would be read as HTML."""
    name = "unsafe_allow_html"
    complaints = []
    for node in ast.walk(ast.parse(source)):
        off = isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant) and node.value.value is False
        if isinstance(node, ast.keyword) and node.arg == name and not off:
            complaints.append(f"line {node.value.lineno}: {name} is on")
        if kind_of(path) and isinstance(node, ast.Constant) and node.value == name:
            complaints.append(f"line {node.lineno}: {name} is passed in a roundabout way")
    return complaints


# --- What things are called and how long they are ------------------------------------------------------------------

MEANINGLESS = {"util", "utils", "helper", "helpers", "misc", "common", "manager", "managers"}
LONGEST = {"page": 140, "plain part": 420, "part": 420, "describe": 420, "figures": 420}


def names_say_something(path: str, source: str) -> list[str]:
    pieces = {piece for part in PurePosixPath(path).parts for piece in re.split(r"[_.\-]", part.lower())}
    return [f"{piece!r} is no name: say what is inside" for piece in pieces & MEANINGLESS]


def files_stay_short(path: str, source: str) -> list[str]:
    most, lines = LONGEST.get(kind_of(path) or "", 10**9), len(source.splitlines())
    return [f"{lines} lines, but a {kind_of(path)} has at most {most}"] if lines > most else []


def pages_are_numbered(path: str, source: str) -> list[str]:
    place = PurePosixPath(path)
    if place.parent != PurePosixPath("pages") or place.suffix != ".py" or place.name == "__init__.py":
        return []
    return [] if re.fullmatch(r"\d\d_[a-z][a-z0-9_]*\.py", place.name) else ["a page is called like 04_from_scores_to_shares.py"]


def assets_hold_no_python(path: str, source: str) -> list[str]:
    return ["Python below assets/"] if path.startswith("assets/") and path.endswith(".py") else []


# --- Nothing is fetched from another host ---------------------------------------------------------------------------

FETCHING_HOSTS = re.compile(
    r"\bcdn\b|cdnjs|unpkg|jsdelivr|fonts\.g\w+|googleapis|gstatic|cloudflare|bootstrapcdn|plot\.ly|esm\.sh|skypack|googletagmanager"
)
ADDRESS = re.compile(r"""(?:\b(?:https?|wss?|ftp):|(?<=["'(=\s]))//+(?P<host>[\w-]+(?:\.[\w-]+)+)""", re.IGNORECASE)
# Names of namespaces are written like addresses; nobody calls there.
NAMESPACES = {"www.w3.org"}
# A reader may follow a link to a paper. Streamlit turns the address into a link and fetches nothing.
PAPERS = {"arxiv.org", "doi.org", "aclanthology.org"}


def everything_is_served_from_here(path: str, source: str) -> list[str]:
    complaints = [f"the host {found} serves files to others" for found in FETCHING_HOSTS.findall(source)]
    reads_like_text = path.endswith((".py", ".toml"))
    for found in ADDRESS.finditer(source):
        line = source[source.rfind("\n", 0, found.start()) + 1 : found.start()]
        is_comment = path.endswith(".js") and found[0].startswith("//") and not line.endswith(("'", '"', "(", "="))
        fetched = not reads_like_text or re.search(r"!\[[^\]]*\]\(\s*$|url\(\s*[\"']?$|src\s*=\s*[\\\"']*$", line)
        known = NAMESPACES if fetched else NAMESPACES | PAPERS
        if not is_comment and found["host"].lower() not in known:
            complaints.append(f"an address of {found['host']}")
    return complaints


# --- All rules, on all files -----------------------------------------------------------------------------------------

Rule = Callable[[str, str], list[str]]
PYTHON_RULES: tuple[Rule, ...] = (
    imports_point_inwards,
    no_hidden_import,
    a_page_opens_no_file,
    text_is_never_markup,
    files_stay_short,
)
FILE_RULES: tuple[Rule, ...] = (names_say_something, pages_are_numbered, assets_hold_no_python)
HOUSE = ("app.py", "pages", "attention_core", "assets")


def files(*suffixes: str, below: tuple[str, ...] = HOUSE) -> list[Path]:
    found = [path for top in below for path in ((ROOT / top).rglob("*") if (ROOT / top).is_dir() else [ROOT / top])]
    return sorted(p for p in found if p.suffix in suffixes and "__pycache__" not in p.parts)


def complaints(rules: tuple[Rule, ...], paths: list[Path]) -> list[str]:
    read = [(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in paths]
    return [f"{path}: {what}" for path, source in read for rule in rules for what in rule(path, source)]


def test_the_rules_see_the_house() -> None:
    """A rule that is shown no file is content with everything."""
    kinds = {kind_of(path.relative_to(ROOT).as_posix()) for path in files(".py")}
    assert kinds == set(ALLOWED)
    assert {path.suffix for path in files(".py", ".js", ".css", ".html", ".toml")} == {".py", ".js", ".css", ".html", ".toml"}


def test_python_keeps_the_rules() -> None:
    assert complaints(PYTHON_RULES, files(".py")) == []


def test_names_keep_the_rules() -> None:
    every = [path.relative_to(ROOT).as_posix() for path in files(".py", ".js", below=(*HOUSE, "tests"))]
    assert [f"{path}: {what}" for path in every for rule in FILE_RULES for what in rule(path, "")] == []


def test_nothing_comes_from_another_host() -> None:
    assert complaints((everything_is_served_from_here,), files(".py", ".js", ".css", ".html", ".toml")) == []


def test_words_are_not_markup_in_the_tests_either() -> None:
    assert complaints((text_is_never_markup,), files(".py", below=("tests",))) == []


def test_every_number_of_the_course_is_one_page() -> None:
    numbers = [path.name.split("_")[0] for path in (ROOT / "pages").glob("[0-9]*.py")]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("part", ["contents", "content", "scenario", "describe", "figures"])
def test_what_needs_no_streamlit_does_not_bring_it_along(part: str) -> None:
    """Not even by way of another part: whoever draws or describes must be testable and fast without the app."""
    seen: set[str] = set()
    waiting = [f"pages/parts/{part}.py"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        for name in imported(path, (ROOT / path).read_text(encoding="utf-8")):
            assert not within(name, "streamlit"), f"{part} reaches streamlit by way of {path}"
            places = ["/".join(name.split(".")[:n]) + ".py" for n in range(2, name.count(".") + 2)]
            waiting += [place for place in places if (ROOT / place).is_file() and place not in seen]


# --- The top level and the packages ----------------------------------------------------------------------------------

TOP_LEVEL = {
    "app.py", "pages", "attention_core", "assets", "requirements.txt", "tests", "README.md",
    "pyproject.toml", "Makefile", ".streamlit", ".ci", ".gitignore", "LICENSE",
}  # fmt: skip


def the_top_level_is_given(tracked: list[str]) -> list[str]:
    return sorted({path.split("/")[0] for path in tracked} - TOP_LEVEL)


def packages(requirements: str) -> set[str]:
    lines = [line.split("#")[0].strip() for line in requirements.splitlines()]
    return {re.split(r"[^\w.-]", line)[0].lower().replace("_", "-") for line in lines if line}


def test_the_top_level_holds_what_was_agreed() -> None:
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert listed
    assert the_top_level_is_given(listed) == []


def test_the_app_runs_on_four_packages() -> None:
    assert packages((ROOT / "requirements.txt").read_text(encoding="utf-8")) == RUNTIME


# --- The rules bite --------------------------------------------------------------------------------------------------

BAD: list[tuple[Rule, str, str]] = [
    # The core knows numbers only.
    (imports_point_inwards, "attention_core/softmax.py", "import streamlit"),
    (imports_point_inwards, "attention_core/softmax.py", "import streamlit as st"),
    (imports_point_inwards, "attention_core/softmax.py", "from scipy.special import softmax"),
    (imports_point_inwards, "attention_core/softmax.py", "import numpy, pandas"),
    (imports_point_inwards, "attention_core/softmax.py", "def f():\n    import plotly.graph_objects as go"),
    (imports_point_inwards, "attention_core/softmax.py", "from pages.parts.describe import number"),
    (imports_point_inwards, "attention_core/softmax.py", "from pages import parts"),
    (imports_point_inwards, "attention_core/softmax.py", "import app"),
    (imports_point_inwards, "attention_core/softmax.py", "import numpyro"),
    (imports_point_inwards, "attention_core/softmax.py", "from .. import app"),
    (imports_point_inwards, "attention_core/seq2seq/train.py", "from ...pages.parts import describe"),
    (imports_point_inwards, "attention_core/seq2seq/train.py", "try:\n    import torch\nexcept ImportError: pass"),
    # Parts keep to what they are made for.
    (imports_point_inwards, "pages/parts/contents.py", "import streamlit as st"),
    (imports_point_inwards, "pages/parts/contents.py", "import numpy as np"),
    (imports_point_inwards, "pages/parts/content.py", "from pages.parts.describe import UNITS"),
    (imports_point_inwards, "pages/parts/content.py", "from pages.parts import figures"),
    (imports_point_inwards, "pages/parts/scenario.py", "import attention_core as ac"),
    (imports_point_inwards, "pages/parts/scenario.py", "from .current import view"),
    (imports_point_inwards, "pages/parts/scenario.py", "from pages.parts.scenarios import Scenario"),
    (imports_point_inwards, "pages/parts/describe.py", "import plotly"),
    (imports_point_inwards, "pages/parts/describe.py", "import streamlit"),
    (imports_point_inwards, "pages/parts/figures.py", "from streamlit import session_state"),
    (imports_point_inwards, "pages/parts/figures.py", "import pandas as pd"),
    (imports_point_inwards, "pages/parts/frame.py", "import requests"),
    (imports_point_inwards, "pages/parts/frame.py", "import app"),
    (imports_point_inwards, "pages/parts/frame.py", "from pages import first"),
    # Pages put parts together.
    (imports_point_inwards, "app.py", "import plotly.express as px"),
    (imports_point_inwards, "app.py", "import pandas"),
    (imports_point_inwards, "pages/05_temperature.py", "from plotly import graph_objects as go"),
    (imports_point_inwards, "pages/05_temperature.py", "import app"),
    (imports_point_inwards, "pages/05_temperature.py", "from pages import first"),
    (imports_point_inwards, "pages/05_temperature.py", "from . import first"),
    (imports_point_inwards, "pages/05_temperature.py", "from pathlib import Path"),
    (imports_point_inwards, "pages/05_temperature.py", "import os.path"),
    (imports_point_inwards, "pages/05_temperature.py", "import urllib.request"),
    (no_hidden_import, "pages/05_temperature.py", "page = __import__('pages.04_first')"),
    (no_hidden_import, "pages/parts/frame.py", "import importlib\nimportlib.import_module('app')"),
    (no_hidden_import, "attention_core/softmax.py", "exec('import streamlit')"),
    # A page never opens a file.
    (a_page_opens_no_file, "app.py", "text = open('a.toml').read()"),
    (a_page_opens_no_file, "app.py", "with open('a.toml') as file: pass"),
    (a_page_opens_no_file, "app.py", "Path('a').read_text()"),
    (a_page_opens_no_file, "pages/05_temperature.py", "here.parent.joinpath('a').read_bytes()"),
    (a_page_opens_no_file, "pages/05_temperature.py", "path.write_text('a')"),
    (a_page_opens_no_file, "pages/05_temperature.py", "path.write_bytes(b'a')"),
    (a_page_opens_no_file, "pages/05_temperature.py", "path.open()"),
    (a_page_opens_no_file, "pages/05_temperature.py", "np.load('weights.npz')"),
    (a_page_opens_no_file, "pages/05_temperature.py", "np.savetxt('weights.txt', a)"),
    # Text is text.
    (text_is_never_markup, "app.py", "st.markdown(word, unsafe_allow_html=True)"),
    (text_is_never_markup, "pages/parts/frame.py", "st.markdown(word, unsafe_allow_html=1)"),
    (text_is_never_markup, "pages/parts/frame.py", "st.markdown(word, unsafe_allow_html=loud)"),
    (text_is_never_markup, "pages/parts/frame.py", "st.markdown(word, **{'unsafe_allow_html': True})"),
    # Names and lengths.
    (names_say_something, "pages/parts/utils.py", ""),
    (names_say_something, "pages/parts/plot_helpers.py", ""),
    (names_say_something, "attention_core/misc/softmax.py", ""),
    (names_say_something, "attention_core/common.py", ""),
    (names_say_something, "assets/components/state-manager.js", ""),
    (files_stay_short, "pages/05_temperature.py", "x = 1\n" * 141),
    (files_stay_short, "app.py", "x = 1\n" * 141),
    (files_stay_short, "pages/parts/figures.py", "x = 1\n" * 421),
    (files_stay_short, "pages/parts/quiz.py", "x = 1\n" * 421),
    (pages_are_numbered, "pages/temperature.py", ""),
    (pages_are_numbered, "pages/5_temperature.py", ""),
    (pages_are_numbered, "pages/05_Temperature.py", ""),
    (assets_hold_no_python, "assets/scenarios/make.py", ""),
    # Nothing from elsewhere.
    (everything_is_served_from_here, "assets/components/a/component.js", 'import("https://cdn.plot.ly/plotly.min.js")'),
    (everything_is_served_from_here, "assets/components/a/component.js", 'fetch("https://example.org/a")'),
    (everything_is_served_from_here, "assets/components/a/component.js", 'import x from "//example.org/x.js"'),
    (everything_is_served_from_here, "assets/components/a/component.js", "script.src = '//example.org/x.js'"),
    (everything_is_served_from_here, "assets/components/a/component.js", 'import("./esm.sh/x.js")'),
    (everything_is_served_from_here, "assets/components/a/component.js", 'new WebSocket("wss://example.org/a")'),
    (everything_is_served_from_here, "assets/components/a/component.html", '<img src="//example.org/a.png">'),
    (everything_is_served_from_here, "assets/components/a/component.html", '<script src="https://unpkg.com/d3"></script>'),
    (everything_is_served_from_here, "assets/style/page.css", "@import url(https://fonts.googleapis.com/css2?family=Inter);"),
    (everything_is_served_from_here, "assets/style/page.css", "@import url(//fonts.gstatic.com/a);"),
    (everything_is_served_from_here, "assets/style/page.css", "background: url('https://arxiv.org/a.png')"),
    (everything_is_served_from_here, "assets/scenarios/01.toml", 'note = "![a](https://arxiv.org/a.png)"'),
    (everything_is_served_from_here, "assets/scenarios/01.toml", 'note = "https://example.org/"'),
    (everything_is_served_from_here, "pages/parts/frame.py", "st.html('<script src=\"https://doi.org/a.js\"></script>')"),
    (everything_is_served_from_here, "pages/parts/frame.py", "figure.write_html(include_plotlyjs='cdn')"),
    (everything_is_served_from_here, "app.py", "st.image('http://example.org/a.png')"),
]
GOOD: list[tuple[Rule, str, str]] = [
    (imports_point_inwards, "attention_core/seq2seq/train.py", "from ..softmax import softmax\nfrom . import adam\nimport math"),
    (imports_point_inwards, "attention_core/softmax.py", "from numpy.typing import ArrayLike\nfrom . import _checks"),
    (imports_point_inwards, "pages/parts/content.py", "from pages.parts.scenario import words\nimport tomllib"),
    (imports_point_inwards, "pages/parts/content.py", "from .scenario import words"),
    (
        imports_point_inwards,
        "pages/parts/figures.py",
        "import plotly.graph_objects as go\nfrom pages.parts.describe import number",
    ),
    (imports_point_inwards, "pages/parts/files.py", "import pandas as pd"),
    (imports_point_inwards, "pages/05_temperature.py", "import math\nfrom pages.parts import frame\nimport attention_core as ac"),
    (imports_point_inwards, "tests/site/test_pages.py", "import scipy"),
    (a_page_opens_no_file, "app.py", "st.file_uploader('a').getvalue()\nst.popover('open')"),
    (a_page_opens_no_file, "pages/parts/content.py", "file.read_text()"),
    (text_is_never_markup, "app.py", "st.markdown(word, unsafe_allow_html=False)"),
    (names_say_something, "pages/parts/commonplace.py", ""),
    (files_stay_short, "pages/05_temperature.py", "x = 1\n" * 140),
    (files_stay_short, "pages/parts/quiz.py", "x = 1\n" * 420),
    (pages_are_numbered, "pages/05_temperature.py", ""),
    (pages_are_numbered, "pages/__init__.py", ""),
    (pages_are_numbered, "pages/parts/quiz.py", ""),
    (
        everything_is_served_from_here,
        "assets/components/a/a.js",
        'createElementNS("http://www.w3.org/2000/svg", "rect"); // e.g. this',
    ),
    (everything_is_served_from_here, "assets/components/a/a.js", "//example.org is a comment\nimport x from './x.js'"),
    (everything_is_served_from_here, "assets/scenarios/01.toml", 'note = "Bahdanau et al., https://arxiv.org/abs/1409.0473"'),
    (everything_is_served_from_here, "pages/05_temperature.py", "st.markdown('[Luong](https://doi.org/10.18653/v1/D15-1166)')"),
]


@pytest.mark.parametrize(("rule", "path", "source"), BAD)
def test_the_rules_bite(rule: Rule, path: str, source: str) -> None:
    assert rule(path, source)


@pytest.mark.parametrize(("rule", "path", "source"), GOOD)
def test_the_rules_let_good_sources_pass(rule: Rule, path: str, source: str) -> None:
    assert rule(path, source) == []


def test_every_rule_is_shown_a_bad_source() -> None:
    assert {rule for rule, _, _ in BAD} == {*PYTHON_RULES, *FILE_RULES, everything_is_served_from_here}


@pytest.mark.parametrize("stray", ["utils.py", "src/a.py", "docs/index.md", "setup.py", "conftest.py", "streamlit/config.toml"])
def test_strays_at_the_top_are_seen(stray: str) -> None:
    assert the_top_level_is_given(["app.py", "pages/parts/quiz.py", stray]) == [stray.split("/")[0]]


@pytest.mark.parametrize(
    "line", ["scipy", "altair>=5", "streamlit-extras~=0.5", "Torch ; python_version > '3.11'", "numpy_financial"]
)
def test_a_fifth_package_is_seen(line: str) -> None:
    four = "# runtime\nstreamlit~=1.67.0\nnumpy>=2.4,<3\nplotly[express]>=7\n\npandas  # tables\n"
    assert packages(four) == RUNTIME
    assert len(packages(four + line) - RUNTIME) == 1
