# Every target sets itself up: python3 (3.11 or newer), git and make are all it needs.
PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
READY := $(VENV)/.ready
CLAUDE_VERSION := 2.1.330
CALMKB_CLAUDE ?= $(VENV)/claude-code-$(CLAUDE_VERSION)
CODEX_VERSION := 0.171.0
GEMINI_VERSION := 0.61.0
CALMKB_CLIENTS ?= $(VENV)/codex-$(CODEX_VERSION)-gemini-$(GEMINI_VERSION)
SOURCES := calmkb tests benchmarks scripts

.PHONY: setup demo test test-slow test-all test-claude test-clients check budget format lint types floors reference site bench bench-quality release soak shots payloads conformance

setup: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "calmkb needs Python 3.11 or newer; try: make PYTHON=python3.13"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install -q -e . --group dev
	@touch $@

demo: $(READY)           ## the whole loop on sample sessions (CALMKB_DEMO=DIR: on yours)
	@$(BIN)/python scripts/demo.py $(BIN)/calmkb

test: $(READY)           ## the everyday tests: all but the slow ones
	@$(BIN)/python -m pytest -m "not slow"

test-slow: $(READY)      ## the rest: kills, bombs, worst texts, crowds
	@$(BIN)/python -m pytest -m slow --dist loadgroup

test-all: $(READY)       ## every test
	@$(BIN)/python -m pytest

payloads: tests/wings/site/payloads/node_modules  ## hostile texts and axe-core for the tests of the site

tests/wings/site/payloads/node_modules: tests/wings/site/payloads/package-lock.json
	@npm ci --prefix tests/wings/site/payloads --ignore-scripts --no-audit --no-fund
	@touch $@

conformance: tests/wings/mcp/conformance/node_modules  ## the conformance runner of MCP, for the tests of its server

# The package `node` brings a Node that is new enough: its script is the only one that runs.
tests/wings/mcp/conformance/node_modules: tests/wings/mcp/conformance/package-lock.json
	@npm ci --prefix tests/wings/mcp/conformance --ignore-scripts --no-audit --no-fund
	@npm rebuild node --prefix tests/wings/mcp/conformance --foreground-scripts
	@touch $@

test-claude: $(READY) $(CALMKB_CLAUDE)/node_modules/.bin/claude  ## plugin and hooks in the real Claude Code
	@CALMKB_CLAUDE="$(CALMKB_CLAUDE)" $(BIN)/python -m pytest tests/claude -n 2

test-clients: $(READY) $(CALMKB_CLIENTS)/node_modules/.bin/gemini  ## hooks in the real Codex and Gemini CLI
	@CALMKB_CLIENTS="$(CALMKB_CLIENTS)" $(BIN)/python -m pytest tests/clients -n 2

# By its version: with an older Node, npm would choose an older client.
$(CALMKB_CLAUDE)/node_modules/.bin/claude:
	@npm install --prefix "$(CALMKB_CLAUDE)" --no-audit --no-fund "@anthropic-ai/claude-code@$(CLAUDE_VERSION)"

$(CALMKB_CLIENTS)/node_modules/.bin/gemini:
	@npm install --prefix "$(CALMKB_CLIENTS)" --no-audit --no-fund "@openai/codex@$(CODEX_VERSION)" "@google/gemini-cli@$(GEMINI_VERSION)"

check: lint types floors test   ## what must hold before a change is handed in

format: $(READY)         ## lay the code out
	@$(BIN)/ruff format $(SOURCES)
	@$(BIN)/ruff check --fix $(SOURCES)

lint: $(READY)
	@$(BIN)/ruff format --check $(SOURCES)
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/deptry calmkb

types: $(READY)          ## of the product, and of the benchmarks: one that cannot run proves nothing
	@$(BIN)/mypy
	@MYPYPATH=$$(find benchmarks -type d | paste -sd: -) $(BIN)/mypy --ignore-missing-imports \
		--exclude '/test_' benchmarks

floors: $(READY)
	@$(BIN)/lint-imports

budget: $(READY)         ## lines, arrows, reach and pages against the limits in pyproject.toml
	@$(BIN)/python scripts/budget.py

reference: $(READY)      ## docs/reference/commands.md and docs/anatomy.md, from the code itself
	@$(BIN)/python scripts/make_reference.py

site: $(READY)           ## the site of this project's own journal, in site/
	@$(BIN)/calmkb site build --strict

shots: $(READY)          ## docs/images/*.png anew, and in shots/ each kind of page at 390 and 1440 px, light and dark
	@$(BIN)/python scripts/shots.py

release: $(READY)        ## wheel and source archive in dist/, built, checked and tried; nothing is published
	@$(BIN)/python scripts/build_release.py dist

soak: $(READY)           ## kills, full disks, a team on skewed clocks: at length (an hour or so)
	@$(BIN)/python -m tests.soak

bench: $(READY)          ## the figures of docs/figures.md
	@$(BIN)/python benchmarks/run.py

bench-quality: $(READY)  ## how well similarity is told (CALMKB_DATA=DIR: on real sentences too), and the benchmarks' own tests
	@$(BIN)/python benchmarks/similarity/bench_quality.py
	@$(BIN)/python -m pytest -q benchmarks
