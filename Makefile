# Every target makes or refreshes .venv by itself, and is quick when nothing changed.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test test-long lint bench playthroughs readme clean

play: .venv/ready
	@$(BIN)/meeple play

test: .venv/ready
	$(BIN)/pytest -n 2 -m "not long"

test-long: .venv/ready
	$(BIN)/pytest -n 2 -m long

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/ready
	$(BIN)/meeple bench

# Golden playthroughs and search trees: rewrite them, then read the diff.
playthroughs: .venv/ready
	$(BIN)/python tests/playthroughs/rewrite.py
	$(BIN)/python tests/search/trees/rewrite.py

# The README's table of games.
readme: .venv/ready
	$(BIN)/python docs/readme.py

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache
