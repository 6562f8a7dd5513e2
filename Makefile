# The project's commands; `make` or `make help` prints them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
unexport PYTHONDONTWRITEBYTECODE # else each run compiles every module again, for seconds

.PHONY: help setup demo test lint types quick fuzz coverage mutants peers sources stubs docs bench p-values changelog clean

help: ## Print this help
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[all]' --group dev
	@touch $@

setup: $(VENV)/.ready ## Create the virtual environment with everything in it

demo: $(VENV)/.ready ## Evaluate the bundled Iris data and write an HTML report
	$(BIN)/clustval demo

test: $(VENV)/.ready lint types ## Check style and types, then run every test
	$(if $(COVERAGE),$(MAKE) coverage,$(BIN)/python -m pytest -n 2 --dist worksteal)

# Definitions in loops take most of the time; `make quick TESTS=tests/test_density.py` runs those of one file.
DEFINITIONS := batch calibration density external_naive internal_naive naive parts sweep_indices

quick: $(VENV)/.ready ## Run the tests without the slow ones, with fewer examples
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not large and not browser" --hypothesis-profile=quick --durations=5 \
	  $(or $(TESTS),$(DEFINITIONS:%=--ignore=tests/test_%.py))

fuzz: $(VENV)/.ready ## Try damaged files and random clusterings for MINUTES (60) each, and print the seeds of faults
	$(BIN)/python tests/fuzz_files.py --minutes $(or $(MINUTES),60)
	cd tests && ../$(BIN)/python fuzz_values.py --minutes $(or $(MINUTES),60)

coverage: $(VENV)/.ready ## Run the tests and show which lines and branches of src, kernels aside, they reach
	rm -f .coverage .coverage.*
	$(BIN)/python -m coverage run -m pytest -n 2 --dist worksteal $(TESTS)
	$(BIN)/python -m coverage combine -q
	$(BIN)/python -m coverage report $(if $(TESTS),--fail-under=0)

mutants: $(VENV)/.ready ## Break one line at a time in FILES for MINUTES (60), and print the breaks that no test notices
	$(BIN)/python tools/mutants.py --minutes $(or $(MINUTES),60) $(FILES)

peers: $(VENV)/.ready ## Run the tests that scikit-learn has for its indices against ours
	$(BIN)/python -m benchmarks.peer_tests

lint: $(VENV)/.ready ## Check style
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.ready ## Check types
	$(BIN)/mypy

sources: $(VENV)/.ready ## Print which type of source has which statistic, and how
	$(BIN)/python tools/statistic_table.py

stubs: $(VENV)/.ready ## Write what editors and type checkers read, after an index or a public name was added
	$(BIN)/python tools/write_stubs.py

docs: $(VENV)/.ready ## Build the documentation, warnings as errors
	$(BIN)/python -m pip install --quiet --group docs
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

bench: $(VENV)/.ready ## Measure against other packages and the limits of the machine
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python -m benchmarks

p-values: $(VENV)/.ready ## Draw data without clusters DRAWS (1000) times for each test, and write the shares of small p-values into docs/p_values.md
	$(BIN)/python benchmarks/p_values.py $(or $(DRAWS),1000) $(or $(FILE),p_values.jsonl)

changelog: $(VENV)/.ready ## Move the lines of changes/ into CHANGELOG.md, under the version of pyproject.toml
	$(BIN)/python -m pip install --quiet --group release
	$(BIN)/towncrier build --yes

clean: ## Remove what the commands above made
	rm -rf $(VENV) docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src -name '*.nb[ic]' -delete
