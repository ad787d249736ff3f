# Every target sets itself up: a virtual environment in .venv, made anew when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# Blender's module wants other versions than the rest, so it has an environment of its own.
STUDIO_VENV := .venv-studio
STUDIO := $(STUDIO_VENV)/.installed
# Torch is large and needed for training from nothing only.
TRAIN_VENV := .venv-train
TRAIN := $(TRAIN_VENV)/.installed

.PHONY: help demo app app-share test test-browser lint bench test-studio test-train samples clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

demo: $(INSTALLED)  ## read and score a sample photo
	$(BIN)/cityscan score sample_photos/city-blocks-four-players.jpg

app: $(INSTALLED)  ## open the page
	$(BIN)/cityscan app

app-share: $(INSTALLED)  ## open the page for phones in the same network
	$(BIN)/cityscan app --share

test: lint  ## formatting, types and all tests that need neither Blender nor torch
	$(BIN)/python -m pytest -n auto -m "not studio and not browser and not train"
	$(BIN)/python -m pytest -m browser -rs

test-browser: $(INSTALLED)  ## the page in a real browser; needs Debian's chromium
	$(BIN)/python -m pytest -m browser -rs

lint: $(INSTALLED)  ## formatting and types only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(INSTALLED)  ## how fast engine, command, reader and studio are (a few minutes)
	$(BIN)/python -m benchmarks.alien_city
	$(BIN)/python -m benchmarks.city_blocks
	$(BIN)/python -m benchmarks.sprawl
	$(BIN)/python -m benchmarks.command
	$(BIN)/python -m benchmarks.reader
	$(BIN)/python -m benchmarks.studio

test-studio: $(STUDIO)  ## the tests that need Blender's Python module (Python 3.11)
	$(STUDIO_VENV)/bin/python -m pytest -m studio

test-train: $(TRAIN)  ## the tests that need torch (about 5 minutes, and half a gigabyte to install)
	$(TRAIN_VENV)/bin/python -m pytest -m train

samples: $(STUDIO)  ## render sample_photos/ anew (Python 3.11, about half an hour)
	$(STUDIO_VENV)/bin/python -m vision.synth.samples sample_photos

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Cityscan needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

$(STUDIO): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' \
		|| { echo "Blender's module needs Python 3.11; name it with: make PYTHON=python3.11 ..."; exit 1; }
	$(PYTHON) -m venv $(STUDIO_VENV)
	$(STUDIO_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test,synth]'
	@touch $@

$(TRAIN): pyproject.toml
	$(PYTHON) -m venv $(TRAIN_VENV)
	$(TRAIN_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test,train]'
	@touch $@

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) $(STUDIO_VENV) $(TRAIN_VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
