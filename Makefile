# On a fresh machine, `make demo` and `make test` set up all they need, in .venv and build.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.NOTPARALLEL:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PACKAGING := pyproject.toml setup.py tools/native_build.py ccapnp/_build.py $(wildcard ccapnp/native/*.[ch]* ccapnp/native/objects/*)

# What `make fuzz` takes, and each kind of input in it a share of.
FUZZ_SECONDS := 3600

# pyright need not ask for a newer release of itself.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

# A newcomer's first command is content with what is here, all others want the native codec.
# CCAPNP_BUILD=auto in the environment makes do without it.
test conformance lint types fuzz leaks sanitize bench bench-compare schema: export CCAPNP_BUILD ?= require

# Interoperation with libcapnp's RPC is to be shown wherever the native codec is.
test conformance: export CCAPNP_INTEROP ?= $(CCAPNP_BUILD)

.PHONY: help demo test conformance lint types fuzz leaks sanitize bench bench-compare schema clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/installed ## write an address book and read it back
	@tools/demo $(BIN) build/demo

test: lint types ## run every check and the whole test suite
	.ci/ensure-pypy
	$(BIN)/pytest

conformance: $(VENV)/installed-test ## show which behaviour of Cap'n Proto is tested, on each codec
	$(BIN)/pytest --quiet --conformance

lint: $(VENV)/installed-test ## check style and formatting
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/installed-test ## check types with mypy and pyright
	$(BIN)/python tools/typing_tree.py
	$(BIN)/mypy -p ccapnp
	$(BIN)/mypy examples tools
	$(BIN)/pyright --pythonpath $(BIN)/python

fuzz: $(VENV)/installed-test ## look for faults with random input, for about FUZZ_SECONDS
	$(PIP_INSTALL) atheris || echo "no atheris for this Python: inputs are changed without a look at what they reach"
	$(BIN)/python -m tests.fuzz --seconds $$(($(FUZZ_SECONDS) / 2))
	FUZZ_EXAMPLES=$$(($(FUZZ_SECONDS) * 5)) $(BIN)/pytest -m fuzz --hypothesis-profile=fuzz

leaks: $(VENV)/installed-test ## do everything 100,000 times, and see that memory stays flat
	$(BIN)/python -m tests.leaks pure 100000
	$(BIN)/python -m tests.leaks native 100000

sanitize: $(VENV)/installed-test ## run the native codec's tests with every access to memory checked
	tools/sanitize $(BIN)/python

bench: $(VENV)/installed-bench ## measure, and compare with others
	$(BIN)/python -m bench

bench-compare: $(VENV)/installed-bench ## show what has changed since the run of make bench before the last
	$(BIN)/python -m bench compare

schema: $(VENV)/installed-test ## regenerate the generated modules that are checked in
	$(BIN)/python -m tests.regenerate

clean: ## remove all that was made here
	rm -rf $(VENV) build dist *.egg-info ccapnp/native/_shim*.so .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	.ci/ensure-venv $(PYTHON)
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(PACKAGING) | $(BIN)/python
	$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/installed-test: $(PACKAGING) | $(BIN)/python
	.ci/ensure-capnp $(BIN)/python
	$(PIP_INSTALL) --editable '.[test,lint,interop]'
	@touch $@ $(VENV)/installed

$(VENV)/installed-bench: $(PACKAGING) | $(BIN)/python
	.ci/ensure-capnp $(BIN)/python
	$(PIP_INSTALL) --editable '.[bench]'
	@touch $@ $(VENV)/installed
