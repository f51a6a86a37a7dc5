"""Describes a table: per column the kind, the reason for it, the values and the missing values (`hornbeam inspect`).

column  kind     values       missing  why                     to change it
age     numeric  41 to 83     2        all values are numbers  kinds={'age': 'nominal'}
stage   nominal  T1, T2, T3   0        text                    kinds={'stage': ['T1', 'T2', 'T3']}
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Callable
from typing import Any

import numpy as np

from hornbeam.errors import Set, as_argument, short_repr
from hornbeam.table.column import Column, Kind
from hornbeam.table.level_text import level_list
from hornbeam.table.notes import NoteCode, has_note
from hornbeam.table.table import Table, only_table

_MAX_LEVELS = 6
_MAX_ROWS = 100


@dataclasses.dataclass(frozen=True)
class ColumnReport:
    """The description of one column."""

    name: str
    role: str
    kind: str
    values: str
    n_levels: int | None
    low: float | None
    high: float | None
    n_missing: int
    why: str
    fix: Set  # gives the column another kind
    notes: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Description:
    """The description of a table; `str()` returns it as text."""

    source: str
    n_rows: int
    columns: tuple[ColumnReport, ...]
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The description as a dict, for JSON."""
        return dataclasses.asdict(self)

    def __str__(self) -> str:
        return self.text(lambda fix: "".join(as_argument(fix)))

    def text(self, spell: Callable[[Set], str], note: Callable[[str], str] = str) -> str:
        """The description as text; `spell` writes the setting that changes the kind of a column, `note` a note."""
        head = f"{self.n_rows:,} rows, {len(self.columns)} columns" + (
            f", from {printable(self.source)}" if self.source else ""
        )
        rows = [("column", "kind", "values", "missing", "why", "to change it")]
        for each in self.columns:
            role = "" if each.role == "predictor" else f" ({each.role})"
            rows.append(
                (printable(each.name) + role, each.kind, each.values, str(each.n_missing), each.why, spell(each.fix))
            )
        widths = [max(map(len, cells)) for cells in zip(*rows)]
        lines = [head, ""]
        lines += ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip() for cells in rows]
        remarks = [f"{printable(each.name)}: {note(remark)}" for each in self.columns for remark in each.notes]
        remarks += map(note, self.notes)
        return "\n".join(lines + ([""] if remarks else []) + remarks)

    def _repr_html_(self) -> str:
        heads = ("column", "role", "kind", "values", "missing", "why")
        rows = [(each.name, each.role, each.kind, each.values, each.n_missing, each.why) for each in self.columns]
        cells = ["".join(f"<td>{html.escape(printable(str(cell)))}</td>" for cell in row) for row in rows[:_MAX_ROWS]]
        more = len(rows) - len(cells)
        remarks = [f"{each.name}: {note}" for each in self.columns for note in each.notes] + list(self.notes)
        remarks = ([f"and {more:,} more columns"] if more else []) + remarks[:_MAX_ROWS]
        title = f"{self.n_rows:,} rows" + (f" from {self.source}" if self.source else "")
        return (
            f"<table><caption>{html.escape(printable(title))}</caption>"
            f"<thead><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr></thead>"
            f"<tbody>{''.join(f'<tr>{row}</tr>' for row in cells)}</tbody></table>"
            + "".join(f"<p>{html.escape(printable(remark))}</p>" for remark in remarks)
        )


def describe(table: Table) -> Description:
    """Describe a table: per column the kind, values, missing values, the reason, and the flag that changes the kind."""
    table = only_table(table, "A description")
    columns = [column_report(column, "predictor") for column in table.columns]
    if table.target is not None:
        columns.append(column_report(table.target, "target"))
    return Description(table.source, len(table), tuple(columns), table.notes)


def column_report(column: Column, role: str = "predictor") -> ColumnReport:
    """Describe one column."""
    n_missing = int(column.is_missing.sum())
    low = high = None
    if column.kind is Kind.NUMERIC:
        if n_missing < len(column):
            known = column.values if not n_missing else column.values[~np.isnan(column.values)]
            low, high = float(known.min()), float(known.max())
        values = _range(column, low, high)
    else:
        values = _levels(column)
    n_levels = None if column.kind is Kind.NUMERIC else len(column.levels)
    fix = Set("kinds", {column.name: _other_kind(column)})
    return ColumnReport(
        column.name, role, str(column.kind), values, n_levels, low, high, n_missing, column.why, fix, column.notes
    )


def printable(text: str) -> str:
    """Text that is safe to print: control characters are escaped."""
    return text if text.isprintable() else short_repr(text, longest=10**9)[1:-1]


def _range(column: Column, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "none"
    first, last = column.number_text(low), column.number_text(high)
    return first if low == high else f"{first} to {last}"


def _levels(column: Column) -> str:
    sign = " < " if column.kind is Kind.ORDINAL else ", "
    return level_list([printable(str(level)) for level in column.levels[:_MAX_LEVELS]], len(column.levels), sign=sign)


def _other_kind(column: Column) -> str | list[str]:
    """Another kind that is plausible for the column: a name, or the levels in order."""
    if column.kind is Kind.NUMERIC:
        return "nominal"
    if has_note(column.notes, NoteCode.LOOKS_LIKE_DATES):
        return "date"
    if column.kind is Kind.ORDINAL:
        return "nominal"
    if all(isinstance(level, (int, float)) and not isinstance(level, bool) for level in column.levels):
        return "numeric"
    if 2 < len(column.levels) <= _MAX_LEVELS and all(isinstance(level, str) for level in column.levels):
        return list(column.levels)
    return "ordinal"
