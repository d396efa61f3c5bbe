# `make serve` and `make test` set up whatever they need; `make help` lists the rest.

PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/pytest -n 2 --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help setup dev serve test check format openapi lock bench nightly clean

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: .venv/.setup ## make .venv with the penta command
dev: .venv/.dev ## add what tests and linters need

serve: setup ## serve on http://127.0.0.1:8000, on the SQLite file penta.db
	$(BIN)/penta serve

test: dev ## run all tests, on SQLite and on a PostgreSQL of their own
	$(PYTEST)

check: dev ## lint, types, arrows between the packages, contract file up to date
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/penta openapi | cmp - openapi/openapi.json || { echo 'run: make openapi'; exit 1; }

format: dev ## format the code and mend what can be mended
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

openapi: setup ## write the contract file
	$(BIN)/penta openapi openapi/openapi.json

lock: dev ## pin the newest versions of all dependencies
	$(BIN)/uv pip compile --upgrade $(LOCK) --group dev -o requirements-dev.lock pyproject.toml
	$(BIN)/uv pip compile $(LOCK) -c requirements-dev.lock -o requirements.lock --group build pyproject.toml
LOCK := --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet

bench: dev ## measure rolls against a bare endpoint, and scores after a restart
	$(BIN)/python -m tests.bench.rolls
	$(BIN)/python -m tests.bench.restarts

nightly: dev ## everything that is too slow for each change
	HYPOTHESIS_PROFILE=nightly $(PYTEST)
	$(BIN)/python -m tests.bench.rolls
	$(BIN)/python -m tests.bench.restarts

clean: ## remove what the targets made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info

.venv/.setup: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Penta needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

.venv/.dev: .venv/.setup requirements-dev.lock
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.lock
	touch $@
