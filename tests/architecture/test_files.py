"""Every file opens with a statement of what it does, is short, and mentions nothing outside the project."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from tests.architecture.repository import ROOT, is_plain, tracked

CODE = {".py", ".cpp", ".hpp"}
LONGEST_FILE = 400
LONGEST_FUNCTION = 60

# Files and functions that are longer, with the reason. Remove an entry when it is shortened.
LONG_FILES = {
    "tests/edge_cases/test_a1_arrays.py": "one line per unusual input, sixty of them",
}
LONG_FUNCTIONS: dict[str, str] = {}

# Texts that belong to one machine, or mark unfinished work.
FORBIDDEN = (
    *("/ho" + "me/", "/wo" + "rk/", "/ro" + "ot/", "/Us" + "ers/", "/tm" + "p/bash"),
    *("TO" + "DO", "FIX" + "ME", "XX" + "X:", "HA" + "CK:"),
)


def sources(*suffixes: str) -> list[Path]:
    return sorted(path for path in tracked() if path.suffix in (suffixes or CODE))


def first_line(path: Path) -> str:
    """The first line of the docstring of a Python file, or of the comment at the top of a C++ file."""
    text = (ROOT / path).read_text("utf-8")
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    return text.partition("\n")[0].removeprefix("//").strip() if text.startswith("// ") else ""


@pytest.mark.parametrize("path", sources(), ids=str)
def test_a_file_opens_with_what_it_does(path):
    has_header = path.suffix == ".cpp" and (ROOT / path).with_suffix(".hpp").exists()  # the header has the description
    assert first_line(path).strip() or has_header


@pytest.mark.parametrize("path", [path for path in sources() if is_plain(path)], ids=str)
def test_the_first_line_of_a_file_is_a_statement(path):
    assert "?" not in first_line(path)


def test_files_are_short():
    long = {
        str(path): n for path in sources() if (n := len((ROOT / path).read_text("utf-8").splitlines())) > LONGEST_FILE
    }
    assert {name: n for name, n in long.items() if name not in LONG_FILES} == {}
    assert set(LONG_FILES) <= set(long), "an entry of the allow list is no longer needed"


def lengths() -> dict[str, int]:
    """The lines of every function of the package, signature and docstring included."""
    found = {}
    for path in sources(".py"):
        if path.parts[0] == "src":
            for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    found[f"{path}:{node.name}"] = (node.end_lineno or node.lineno) - node.lineno + 1
    return found


def test_functions_are_short():
    long = {name: n for name, n in lengths().items() if n > LONGEST_FUNCTION}
    assert {name: n for name, n in long.items() if name not in LONG_FUNCTIONS} == {}
    assert set(LONG_FUNCTIONS) <= set(long), "an entry of the allow list is no longer needed"


def test_no_file_mentions_a_machine_or_unfinished_work():
    found = []
    for path in sources(*CODE, ".md", ".toml", ".sh", ".pyi", ".txt", ".html", ".js", ".css"):
        text = (ROOT / path).read_text("utf-8")
        found += [f"{path}: {word}" for word in FORBIDDEN if word in text]
    assert found == []


def test_no_module_is_a_collection_of_helpers():
    names = re.compile(r"(^|[/_])(utils?|helpers?|common|misc)([/_.]|$)")
    assert [str(path) for path in tracked() if names.search(str(path))] == []
