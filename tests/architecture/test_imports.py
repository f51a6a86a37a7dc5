"""Checks that imports point down, that importing is fast, and which packages call the core."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "hornbeam"
CALLS_THE_CORE = {"scale", "rules", "seeds.py", "tree", "parts", "growing", "ensembles", "explanation"}
HEAVY = ("sklearn", "scipy", "pandas", "polars", "pyarrow", "duckdb", "rich", "narwhals", "safetensors", "matplotlib")


def tops() -> set[str]:
    """The packages and modules directly below hornbeam that have code in them."""
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    files = {path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")}
    return folders | files


def layers() -> list[str]:
    """The layers of the contract, highest first; those of one line are separated."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    (contract,) = (each for each in settings["contracts"] if each["name"] == "imports point down")
    return [name.strip() for line in contract["layers"] for name in line.replace("|", ":").split(":")]


def test_every_package_is_in_a_layer():
    assert sorted(layers()) == sorted(f"hornbeam.{name}" for name in tops())


def test_imports_point_down():
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def imports(path: Path) -> list[str]:
    """The modules that a file imports, at its top or inside a function."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [each.name for each in node.names]
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
    return found


def test_only_layers_with_kernels_call_the_core():
    callers = {
        path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*.py") if "hornbeam._native" in imports(path)
    }
    assert callers <= CALLS_THE_CORE
    assert callers, "the search above finds no caller at all: it is broken"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_heavy_libraries_are_imported_where_they_are_used(path):
    tree = ast.parse(path.read_text("utf-8"))
    names = [each.name for node in tree.body if isinstance(node, ast.Import) for each in node.names]
    names += [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)]
    is_estimator = path.relative_to(PACKAGE).parts[0] == "estimators"  # estimators inherit from those of scikit-learn
    allowed = ("sklearn",) if is_estimator else ()
    assert not [name for name in names if name.split(".")[0] in HEAVY and name.split(".")[0] not in allowed]


def modules_after(code: str) -> set[str]:
    """The top-level packages in sys.modules after some code in a new interpreter."""
    script = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r}); {code}; print(*sorted(sys.modules))"
    found = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in found.stdout.split()}


def test_importing_hornbeam_pulls_in_nothing_heavy():
    assert not modules_after("import hornbeam") & set(HEAVY)


def test_reading_built_in_data_and_growing_pull_in_numpy_alone():
    loaded = modules_after("import hornbeam as hb; hb.grow(hb.datasets.load('iris'))")
    assert "numpy" in loaded
    assert not loaded & set(HEAVY)
