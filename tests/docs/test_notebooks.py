"""Runs every cell of the notebooks and displays its last value as a notebook does."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
VIEWS = ("_repr_svg_", "_repr_html_", "__repr__")


def content(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))


def displayed(source: str, names: dict[str, Any]) -> str:
    """Run a cell; the text, figure or table of its last expression, empty if it ends with a statement."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    if value is None:
        return ""
    view = next(getattr(value, name) for name in VIEWS if hasattr(value, name))
    return str(view())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_of_a_notebook_runs_and_displays_something(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for cell in content(path)["cells"]:
        if cell["cell_type"] == "code":
            shown = displayed("".join(cell["source"]), names)
            assert shown or capsys.readouterr().out, cell["source"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs_and_its_cells_have_different_ids(path):
    found = content(path)
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in found["cells"]}) == len(found["cells"])
    code = [cell for cell in found["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert found["cells"][0]["source"][0].startswith("# ")


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 3
