"""Registries: parts by name, by table and as attributes."""

from __future__ import annotations

import copy

import pytest

from hornbeam.errors import OptionError
from hornbeam.parts.criteria import criteria
from hornbeam.parts.stops import stops
from hornbeam.parts.stops.max_depth import MaxDepth


def test_the_class_of_a_part_is_an_attribute():
    assert stops.MaxDepth is MaxDepth
    assert stops.MaxDepth(3) == stops.part({"name": "max_depth", "depth": 3})


def test_an_unknown_class_is_an_attribute_error_with_the_nearest_one():
    with pytest.raises(AttributeError, match=r"Unknown stop class 'MaxDepht'. Did you mean 'MaxDepth'"):
        _ = stops.MaxDepht
    assert not hasattr(stops, "Gini")


def test_completion_offers_all_part_classes_and_the_methods():
    assert {part.__name__ for part in criteria} <= set(dir(criteria))
    assert {"names", "part", "part_class"} <= set(dir(criteria))


def test_the_representation_has_one_line_per_part():
    lines = repr(criteria).splitlines()
    assert lines[0] == f"Registry of {len(criteria.names())} criterion parts:"
    assert [line.split()[1] for line in lines[1:]] == criteria.names()


def test_a_registry_can_be_copied():
    assert copy.copy(stops).names() == stops.names()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("max_dept", "Unknown stop 'max_dept'. Did you mean 'max_depth'"),
        ({"depth": 3}, "A stop table must contain a name"),
        ({"name": "max_depth", "dept": 3}, "Unknown setting 'dept' of stop 'max_depth'. Did you mean 'depth'"),
        (3, r"stop must be a name, a table of settings or a part, got 3 \(int\)"),
    ],
)
def test_a_wrong_part_is_an_error(given, message):
    with pytest.raises(OptionError, match=message):
        stops.part(given)
