"""The parts of a method: found in their registries by name or table, with the searches and targets they imply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hornbeam.errors import OptionError, short_repr
from hornbeam.options import Part
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.searches import Search
from hornbeam.parts.searches.best_subset import BestSubset
from hornbeam.parts.searches.machinery.many_column_search import ManyColumnSearch
from hornbeam.parts.searches.sorted_cuts import SortedCuts
from hornbeam.registry import Registry
from hornbeam.table.column import Kind

TARGETS = ("class", "number")


def found_part(registry: Registry[Any], given: Any) -> Any:
    """A part, or None where none is given."""
    return None if given is None else registry.part(given)


def each_part(registry: Registry[Any], given: Any) -> tuple[Any, ...]:
    """Several parts; a single one need not be in a list. Two of one name are rejected."""
    is_single = isinstance(given, (str, Mapping, Part)) or not isinstance(given, Iterable)
    found = tuple(registry.part(each) for each in ([given] if is_single else given))
    names = [part.name for part in found]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise OptionError(f"The {registry.part_type} {short_repr(twice[0])} is given twice.", hint="Omit one of them.")
    return found


def with_single_searches(given: tuple[Search, ...]) -> tuple[Search, ...]:
    """The searches, after those of single columns that searches of many columns compete with."""
    many = [search for search in given if isinstance(search, ManyColumnSearch) and search.competes_with_cuts]
    alone = [search for search in given if not search.uses_many_columns and search.uses_values]
    usual: tuple[tuple[Kind, Search], ...] = ((Kind.NUMERIC, SortedCuts()), (Kind.NOMINAL, BestSubset()))
    more = [
        search
        for kind, search in usual
        if any(kind in each.kinds for each in many) and not any(kind in each.kinds for each in alone)
    ]
    return (*more, *given)


def supported_targets(part: Part) -> tuple[str, ...]:
    """The targets that a part supports; parts without a declaration support all."""
    if isinstance(part, Criterion):
        return part.target_types
    found: tuple[str, ...] = getattr(part, "supports", TARGETS)
    return found


def part_label(part: Part) -> str:
    """The type and the name of a part, as they begin a message."""
    label = "missing-value strategy" if part.part_type == "missing" else part.part_type
    return f"{label.capitalize()} {part.name!r}"
