# `make` lists what there is. Each target makes the virtual environment and installs the package when needed.
unexport PYTHONDONTWRITEBYTECODE
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SOURCES := pyproject.toml CMakeLists.txt $(shell find native -type f \( -name '*.cpp' -o -name '*.hpp' \) -not -path 'native/tests/*')
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test native-test check format docs bench sanitize thread-sanitize clean install

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*?## ' $(MAKEFILE_LIST) | awk 'BEGIN {FS = ":.*?## "}; {printf "  make %-16s %s\n", $$1, $$2}'

$(STAMP): $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "hornbeam needs Python 3.11 or newer; got $$($(PYTHON) --version). Set PYTHON=/path/to/python3."; exit 1; }
	@command -v $${CXX:-c++} >/dev/null || { echo "hornbeam builds a C++20 core and found no C++ compiler. Install one (Debian, Ubuntu: apt install g++; Fedora: dnf install gcc-c++; macOS: xcode-select --install)."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@if command -v uv >/dev/null; then VIRTUAL_ENV=$(VENV) uv pip install --quiet -e '.[dev]'; else $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'; fi
	@touch $(STAMP)

install: $(STAMP)  ## make .venv and install the package with all it needs

demo: $(STAMP)  ## grow a tree on built-in data, print it, write a report
	@$(BIN)/python -m hornbeam demo

test: $(STAMP)  ## run the tests
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal

native-test:  ## build and run the C++ tests, without Python
	@cmake -S . -B build/native -DHORNBEAM_TESTS=ON -DCMAKE_BUILD_TYPE=Release >/dev/null
	@cmake --build build/native --parallel $(JOBS)
	@ctest --test-dir build/native --output-on-failure

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
	@wanted=$$($(BIN)/python -c 'import tomllib; print(" ".join(tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"]))'); \
	if command -v uv >/dev/null; then VIRTUAL_ENV=$(VENV) uv pip install --quiet $$wanted; else $(BIN)/python -m pip install --quiet --disable-pip-version-check $$wanted; fi
	@touch $@

docs: $(VENV)/.docs  ## build the site into build/site; a broken link or a warning is a failure
	@$(BIN)/python -m docs.site.build

bench: $(STAMP)  ## measure speed beside the peers (their own virtual environment), ratios in one run
	@PYTHON=$(PYTHON) benchmarks/run.sh $(BENCH)

sanitize:  ## native and fast Python tests under AddressSanitizer and UBSan
	@tests/sanitize.sh address

thread-sanitize:  ## native and thread tests under ThreadSanitizer
	@tests/sanitize.sh thread

clean:  ## remove what was built
	@rm -rf build $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
