"""Public names: few, listed once, documented, known to type checkers; stubs equal the source."""

from __future__ import annotations

import pytest

import hornbeam


def test_the_public_names_are_few_and_listed_once():
    assert hornbeam.__all__ == sorted(hornbeam.__all__)
    assert set(dir(hornbeam)) == {*hornbeam.__all__, "__version__"}
    assert len(hornbeam.__all__) <= 78


@pytest.mark.parametrize("name", hornbeam.__all__)
def test_a_public_name_resolves_and_has_a_docstring(name):
    value = getattr(hornbeam, name)
    assert (value.__doc__ or "").strip(), f"hornbeam.{name} has no docstring"


@pytest.mark.parametrize("name", ["criteria", "losses", "missing", "orders", "prunings", "searches", "stops"])
def test_the_parts_of_a_registry_are_its_attributes(name):
    registry = getattr(hornbeam, name)
    for part in registry:
        assert getattr(registry, part.__name__) is part
        assert part.__name__ in dir(registry)
    with pytest.raises(AttributeError):
        _ = registry.NoSuchPart


def test_a_part_is_made_in_one_expression():
    assert hornbeam.stops.MaxDepth(3).depth == 3
    assert hornbeam.searches.SortedCuts().name == "sorted_cuts"


def test_an_unknown_name_is_an_error_that_helps():
    with pytest.raises(AttributeError, match="predict"):
        _ = hornbeam.predcit


def test_the_stubs_equal_the_source():
    pytest.importorskip("nanobind.stubgen")
    from tools.stubs import stubs

    stale = [path.name for path, text in stubs().items() if not path.exists() or path.read_text("utf-8") != text]
    assert not stale, "run: make stubs"
