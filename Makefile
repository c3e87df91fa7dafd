PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: report test test-slow check bench clean

report: $(VENV)/.installed  ## the report on the shipped example
	$(BIN)/kreport build

test: $(VENV)/.dev  ## the tests
	$(BIN)/python -m pytest -n auto

test-slow: $(VENV)/.dev  ## the tests that take minutes: a cron daemon, kills at random, long fuzzing
	$(BIN)/python -m pytest -m slow --run-slow

check: $(VENV)/.dev  ## format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.dev  ## speed against its floors; writes bench/speed/results.md
	$(BIN)/python -m bench.speed

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --group dev
	touch $@
