# `make` lists what there is. Each target makes the virtual environment and installs the package when needed.
unexport PYTHONDONTWRITEBYTECODE
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
TOOLS := $(VENV)/.tools
RUNS := $(VENV)/.runs
STAMP := $(VENV)/.installed
SOURCES := pyproject.toml CMakeLists.txt $(shell find native -type f \( -name '*.cpp' -o -name '*.hpp' \) -not -path 'native/tests/*')
JOBS ?= 2
# Killed workers: how often.
RUNS_OF_KILLS ?= 100
# The fuzzer: the number of cases, and which.
N ?= 2000
SEED ?= 1
# Quiet but for errors; Python compiles what it imports, so that pip need not compile all that is installed.
INSTALL := if command -v uv >/dev/null; then set -- env VIRTUAL_ENV=$(VENV) uv pip install --quiet; \
	else set -- $(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check; fi; "$$@"
# The package uses the tools of the environment: what was compiled once is not compiled again.
EDITABLE := --no-build-isolation --editable

.DEFAULT_GOAL := help
.PHONY: help demo test test-cluster test-exports test-large stubs fuzz native-test check format docs bench sanitize sanitize-short thread-sanitize portable-test clean install peers-tests wheel clients

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*?## ' $(MAKEFILE_LIST) | awk 'BEGIN {FS = ":.*?## "}; {printf "  make %-16s %s\n", $$1, $$2}'

$(TOOLS): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "hornbeam needs Python 3.11 or newer; got $$($(PYTHON) --version). Set PYTHON=/path/to/python3."; exit 1; }
	@command -v $${CXX:-c++} >/dev/null || { echo "hornbeam builds a C++20 core and found no C++ compiler. Install one (Debian, Ubuntu: apt install g++; Fedora: dnf install gcc-c++; macOS: xcode-select --install)."; exit 1; }
	@echo "1/4 making the virtual environment in $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $$(command -v uv >/dev/null && echo --without-pip) $(VENV)
	@echo "2/4 installing the build tools"
	@$(INSTALL) $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])')
	@wanted=$$($(BIN)/python -c 'import scikit_build_core.build as b; print(*b.get_requires_for_build_editable())'); \
	test -z "$$wanted" || { $(INSTALL) $$wanted; }
	@touch $@

$(RUNS): $(TOOLS) $(SOURCES)
	@echo "3/4 compiling the core and installing the package (about a minute)"
	@$(INSTALL) $(EDITABLE) .
	@touch $@

$(STAMP): $(TOOLS) $(SOURCES)
	@echo "3/4 compiling the core and installing the package and the tools for development (about two minutes)"
	@$(INSTALL) $(EDITABLE) '.[dev]'
	@touch $(RUNS) $@

install: $(STAMP)  ## make .venv and install the package with all it needs

demo: $(RUNS)  ## grow a tree on built-in data, print it, write a report
	@echo "4/4 growing a tree"
	@$(BIN)/python -m hornbeam demo

# Processes at the same time need no more threads each.
test fuzz: export OPENBLAS_NUM_THREADS = 1

test: $(STAMP)  ## run the tests
	@echo "4/4 running the tests"
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal $(TESTS)

test-exports: $(STAMP)  ## run exported models in other languages and databases; prints what ran
	@tests/exporting/install.sh
	@$(INSTALL) 'psycopg[binary]>=3.1' pymysql onnxruntime skl2onnx jpmml_evaluator jpype1
	@HORNBEAM_TEST_EXPORTS=1 $(BIN)/python -m pytest -q -n 0 tests/exporting
	@$(BIN)/python -W ignore -m tests.exporting.run $(EXPORTS)

test-cluster: $(STAMP)  ## kill workers of a cluster while it grows, RUNS_OF_KILLS times; prints a table
	@$(BIN)/python -m tests.system.repeated_kills --runs $(RUNS_OF_KILLS) --seed $(SEED)

stubs: $(STAMP)  ## write the type stubs again: compiled core, public names, registries
	@$(BIN)/python -m tools.stubs

test-large: $(STAMP)  ## grow on 50 million rows within 2 GB; FOLDER=... for 6 GB of files
	@$(BIN)/python -m benchmarks.large $(or $(FOLDER),$(error FOLDER is required: a folder with 6 GB of free disk)) $(LARGE)

fuzz: $(STAMP)  ## compare the core with the reference grower on N random cases: make fuzz N=50000 SEED=7
	@$(BIN)/python -m tests.fuzz.run --cases $(N) --seed $(SEED) --jobs $(JOBS)

peers-tests: $(STAMP)  ## run scikit-learn's own test files with our estimators, compare with the table of differences
	@$(BIN)/python -m tests.scikit_learn_suite.run --jobs $(JOBS)

wheel: $(TOOLS)  ## build the wheels of this machine, install each in an empty environment, run demo and tests from it
	@$(BIN)/python -m tools.wheel

# Other people's libraries need an environment of their own.
CLIENTS := optuna imbalanced-learn fairlearn mapie skops mlflow shap distributed matplotlib dtreeviz supertree \
	pytest pytest-xdist hypothesis cloudpickle pandas polars pyarrow
clients: $(TOOLS)  ## run other libraries with our estimators in an environment of their own (.venv-clients), write what ran
	@test -x .venv-clients/bin/python || $(PYTHON) -m venv .venv-clients
	@.venv-clients/bin/python -m pip install -qq --disable-pip-version-check . $(CLIENTS)
	@.venv-clients/bin/python -m tests.clients.run

native-test: $(RUNS)  ## build and run the C++ tests, with the core that was compiled for the package
	@build=$$(dirname "$$(ls -t build/cp*/CMakeCache.txt | head -1)") && export PATH="$(abspath $(BIN)):$$PATH" && \
	cmake -S . -B $$build -DHORNBEAM_TESTS=ON >/dev/null && \
	cmake --build $$build --parallel $(JOBS) --target hornbeam_native_tests && $$build/hornbeam_native_tests

check: $(STAMP)  ## lint, types, layers, formatting
	@$(BIN)/ruff check src tests benchmarks examples docs
	@$(BIN)/ruff format --check src tests benchmarks examples docs
	@$(BIN)/clang-format --dry-run -Werror $$(find native -name '*.cpp' -o -name '*.hpp')
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(STAMP)  ## format all sources
	@$(BIN)/ruff check --fix --quiet src tests benchmarks examples docs || true
	@$(BIN)/ruff format --quiet src tests benchmarks examples docs
	@$(BIN)/clang-format -i $$(find native -name '*.cpp' -o -name '*.hpp')

$(VENV)/.docs: $(STAMP)
	@$(INSTALL) $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"])')
	@touch $@

docs: $(VENV)/.docs  ## build the site into build/site; a broken link or a warning is a failure
	@$(BIN)/python -m docs.site.build

bench: $(STAMP)  ## measure speed beside the peers (their own virtual environment), ratios in one run
	@PYTHON=$(PYTHON) benchmarks/run.sh $(BENCH)

sanitize: $(STAMP)  ## native tests and many Python tests under AddressSanitizer and UBSan
	@tests/other_builds.sh address

sanitize-short: $(STAMP)  ## the same with the native tests and a few Python tests
	@tests/other_builds.sh address short

thread-sanitize: $(STAMP)  ## native tests and tests of threads under ThreadSanitizer
	@tests/other_builds.sh thread

portable-test: $(STAMP)  ## native tests and some Python tests of a core without extensions of compilers and systems
	@tests/other_builds.sh portable

clean:  ## remove what was built
	@rm -rf build $(VENV) .venv-clients .mypy_cache .ruff_cache .pytest_cache .hypothesis
