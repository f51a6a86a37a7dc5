"""Does every file say what it answers, stay short, and speak of the project alone?"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from tests.architecture.repository import ROOT, tracked

CODE = {".py", ".cpp", ".hpp"}
LONGEST_FILE = 400
LONGEST_FUNCTION = 60

# What is longer, and why. Shorten it and take it off; nothing is added without a reason.
LONG_FILES = {
    "tests/unit/tree/test_files.py": "one small test an item of the battery of damaged model files",
    "tests/edge_cases/test_a1_arrays.py": "one line an item of a battery of sixty odd inputs",
    "tests/unit/growing/test_grow_in_python.py": "the grower's rules, one small test each",
}
LONG_FUNCTIONS: dict[str, str] = {}

# Words that belong to one machine or to nobody's reader.
FORBIDDEN = (
    *("/ho" + "me/", "/wo" + "rk/", "/ro" + "ot/", "/Us" + "ers/", "/tm" + "p/bash"),
    *("TO" + "DO", "FIX" + "ME", "XX" + "X:", "HA" + "CK:"),
)


def sources(*suffixes: str) -> list[Path]:
    return sorted(path for path in tracked() if path.suffix in (suffixes or CODE))


@pytest.mark.parametrize("path", sources(), ids=str)
def test_a_file_starts_with_the_question_it_answers(path):
    text = (ROOT / path).read_text("utf-8")
    if path.suffix == ".py":
        assert (ast.get_docstring(ast.parse(text)) or "").strip(), "the file has no docstring"
    elif not (ROOT / path).with_suffix(".hpp").exists() or path.suffix == ".hpp":  # else its header says it
        assert text.startswith("// "), "the file does not start with a comment"


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


def test_the_repository_speaks_of_the_project_alone():
    found = []
    for path in sources(*CODE, ".md", ".toml", ".sh", ".pyi", ".txt", ".html", ".js", ".css"):
        text = (ROOT / path).read_text("utf-8")
        found += [f"{path}: {word}" for word in FORBIDDEN if word in text]
    assert found == []


def test_no_drawer_for_everything():
    drawers = re.compile(r"(^|[/_])(utils?|helpers?|common|misc)([/_.]|$)")
    assert [str(path) for path in tracked() if drawers.search(str(path))] == []
