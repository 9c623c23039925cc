# Every target makes or refreshes .venv by itself, and is quick when nothing changed.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test test-long lint bench playthroughs readme docs reliability runs chromium languages covers estimates screenshots clean strength

play: .venv/ready
	@$(BIN)/meeple web

test: .venv/ready chromium languages
	$(BIN)/pytest -n 2 --dist loadfile -m "not long"

# PART=list shows the parts, PART=laws-azul runs one, and without PART all are run; docs/long-tests.md holds the results.
test-long: .venv/ready chromium languages
	$(BIN)/python tests/long/parts.py $(PART)

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/ready
	$(BIN)/meeple bench

# Golden playthroughs, search trees and what models say: rewrite them, then read the diff.
playthroughs: .venv/ready
	$(BIN)/python tests/playthroughs/rewrite.py
	$(BIN)/python tests/search/trees/rewrite.py
	$(BIN)/python tests/models/golden.py

# The page's tests drive a real browser; where it cannot be installed here, they say what to do.
chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null \
	|| (SUDO=$$(command -v sudo || true); $$SUDO apt-get install -y -q chromium >/dev/null 2>&1 \
	|| ($$SUDO apt-get update -q >/dev/null 2>&1 && $$SUDO apt-get install -y -q chromium >/dev/null 2>&1)) \
	|| echo "chromium could not be installed: the page's tests will fail"

# The small engines in C++ and JavaScript are built and played in the tests; without these they fail, and say so.
languages:
	@(command -v g++ && command -v node) >/dev/null \
	|| (SUDO=$$(command -v sudo || true); $$SUDO apt-get install -y -q g++ nodejs >/dev/null 2>&1 \
	|| ($$SUDO apt-get update -q >/dev/null 2>&1 && $$SUDO apt-get install -y -q g++ nodejs >/dev/null 2>&1)) \
	|| echo "g++ and node could not be installed: the tests of engines in these languages will fail"

# Every page and board, wide and narrow, light and dark: look at them.
screenshots: .venv/ready chromium
	$(BIN)/python tests/web/screenshots.py screenshots

# How long games take to compile, for the page to say: some minutes.
estimates: .venv/ready
	$(BIN)/python -m meeple.web.estimates

# The pictures on the page's home, and the boards' outlines.
covers: .venv/ready
	$(BIN)/python -m meeple.web.covers

# The site of docs/ and of the public names, in site/; a dead link fails. The search in it wants a server:
# `.venv/bin/python -m http.server -d site`.
docs: .venv/ready
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The README's table of games.
readme: .venv/ready
	$(BIN)/python docs/readme.py

# How far the judges' chances can be believed: the table and the picture of docs/analysis.md.
reliability: .venv/ready
	$(BIN)/python docs/reliability.py

# Play the matches whose results stand on the games' pages again, and set them there: some ten minutes of one core.
runs: .venv/ready
	for file in docs/runs/*.toml; do $(BIN)/meeple reproduce --file $$file --full || exit 1; done
	$(BIN)/python docs/played.py

# The tables of docs/strength.md, from the results kept in bench/results.
strength: .venv/ready
	$(BIN)/python docs/strength.py

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache
