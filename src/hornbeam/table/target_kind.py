"""The remedy of errors about the kind of a target: classes where numbers are required, or numbers where classes are."""

from __future__ import annotations

from hornbeam.errors import Set
from hornbeam.table.column import Column, ColumnSpec, Kind


def other_kind(target: Column | ColumnSpec | None) -> tuple[Set, ...]:
    """The setting that gives a target the other kind; none if its classes are no numbers."""
    if target is None:
        return ()
    if target.kind is Kind.NUMERIC:
        return (Set("kinds", {target.name: "nominal"}, inside="read"),)
    is_number = all(isinstance(level, (int, float)) and not isinstance(level, bool) for level in target.levels)
    return (Set("kinds", {target.name: "numeric"}, inside="read"),) if is_number else ()
