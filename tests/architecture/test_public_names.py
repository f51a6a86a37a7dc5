"""Every public name exists, is documented and is visible to type checkers; the stub equals the compiled module."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import hornbeam

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "hornbeam"


def test_all_lists_the_public_names_in_order():
    assert hornbeam.__all__ == sorted(hornbeam._HOMES)
    assert set(dir(hornbeam)) == {*hornbeam.__all__, "__version__"}


@pytest.mark.parametrize("name", sorted(hornbeam._HOMES))
def test_a_public_name_resolves_and_has_a_docstring(name):
    value = getattr(hornbeam, name)
    assert (value.__doc__ or "").strip(), f"hornbeam.{name} has no docstring"


def test_type_checkers_see_every_public_name():
    seen = set()
    for node in ast.walk(ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hornbeam"):
            seen |= {each.name for each in node.names}
    assert seen - {"did_you_mean"} == set(hornbeam.__all__)


def test_an_unknown_name_is_an_error_with_a_suggestion():
    with pytest.raises(AttributeError, match="predict"):
        _ = hornbeam.predcit


def test_the_stub_equals_the_compiled_module():
    stubgen = pytest.importorskip("nanobind.stubgen")
    from hornbeam import _native

    generator = stubgen.StubGen(_native, quiet=True)
    generator.put(_native)
    stored = (PACKAGE / "_native.pyi").read_text("utf-8")
    assert stored == generator.get(), "run: python -m nanobind.stubgen -m hornbeam._native -o src/hornbeam/_native.pyi"
