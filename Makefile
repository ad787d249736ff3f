# Every target sets itself up: a virtual environment in .venv, made anew when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
STUDIO := $(VENV)/.studio-installed

.PHONY: app test lint bench test-studio clean help

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

app: $(INSTALLED)  ## open the page
	$(BIN)/cityscan app

test: lint  ## formatting, types and all tests that need no Blender
	$(BIN)/python -m pytest -n auto -m "not studio"

lint: $(INSTALLED)  ## formatting and types only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(INSTALLED)  ## how fast the engine is
	$(BIN)/python -m benchmarks.engine

test-studio: $(STUDIO)  ## the tests that need Blender's Python module
	$(BIN)/python -m pytest -m studio

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Cityscan needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

$(STUDIO): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,synth]'
	@touch $@

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
