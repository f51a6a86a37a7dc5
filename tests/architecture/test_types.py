"""Type checkers find every public name of the package, and no other."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

from hornbeam.recipes import recipe, recipe_names
from hornbeam.recipes.grow import ForestRecipe, TreeRecipe


def mypy_output(code: str, tmp_path) -> str:
    (tmp_path / "use.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "use.py"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600).stdout


def test_a_name_that_is_not_there_is_an_error_for_type_checkers(tmp_path):
    code = "import hornbeam as hb\n\nhb.grow\nhb.TreeClassifier\nhb.errors\nhb.__version__\nhb.nonsense\n"
    output = mypy_output(code, tmp_path)
    assert 'use.py:7: error: Module has no attribute "nonsense"' in output, output
    assert "Found 1 error" in output, output


def test_grow_returns_a_tree_or_a_forest_by_the_name_of_the_recipe(tmp_path):
    code = (
        "import hornbeam as hb\n\n"
        'table = hb.read("rows.csv", target="y")\n'
        "default: hb.Tree = hb.grow(table)\n"
        'tree: hb.Tree = hb.grow(table, "cart", seed=1)\n'
        'forest: hb.Forest = hb.grow(table, "forest")\n'
        'either: hb.Tree | hb.Forest = hb.grow(table, hb.recipe("mine.toml"))\n'
        'wrong: hb.Forest = hb.grow(table, "cart")\n'
        'unknown: hb.Tree = hb.grow(table, "mine.toml")\n'
    )
    output = mypy_output(code, tmp_path)
    assert "use.py:8: error: Incompatible types in assignment" in output, output
    assert "use.py:9: error: Incompatible types in assignment" in output, output
    assert "Found 2 errors" in output, output


def test_the_recipe_names_of_the_types_are_those_of_the_library():
    trees, forests = get_args(TreeRecipe), get_args(ForestRecipe)
    assert sorted([*trees, *forests]) == recipe_names()
    assert all(recipe(name).ensemble is None for name in trees)
    assert all(recipe(name).ensemble is not None for name in forests)
