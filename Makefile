# make run    the app, in your browser          make test   everything that can be checked
# make lint   ruff and mypy                     make bench  measurements, for a quiet machine
# make models trains the networks that come with the course, anew

PYTHON ?= python3
PORT   ?= 8501
WATCH  ?= none
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: run test lint bench models clean

run: $(VENV)/runs
	$(BIN)/streamlit run app.py --server.port $(PORT) --server.fileWatcherType $(WATCH)

test: $(VENV)/tests
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

lint: $(VENV)/tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/tests
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.benchmarks.bench_core
	$(BIN)/python -m tests.benchmarks.bench_drag
	$(BIN)/python -m tests.benchmarks.bench_drag --lessons
	$(BIN)/python -m tests.benchmarks.bench_sessions
	$(BIN)/python -m tests.benchmarks.bench_training

models: $(VENV)/runs
	$(BIN)/python -m attention_core.seq2seq

# Python compiles what it imports, when it first does; pip would compile everything, which takes longer than all downloads.
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check

# Debian keeps venv in a package of its own; where it is missing and apt is there, it is installed.
$(VENV)/made:
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); apt-get update -qq && apt-get install -y -qq python3-venv && $(PYTHON) -m venv $(VENV); }
	touch $@

$(VENV)/runs: $(VENV)/made requirements.txt
	$(PIP) -r requirements.txt
	touch $@

$(VENV)/tests: $(VENV)/runs tests/requirements.txt
	$(PIP) -r tests/requirements.txt
	touch $@

clean:
	rm -rf $(VENV)
