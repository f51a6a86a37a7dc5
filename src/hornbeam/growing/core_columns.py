"""The columns of a job of the compiled core: values and levels, or the ranks of prepared columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hornbeam import _native
from hornbeam.growing.method import Method
from hornbeam.table.column import Column, Kind
from hornbeam.table.prepared_column import PreparedColumn, RowSelection

KIND_CODES = {Kind.NUMERIC: 0, Kind.ORDINAL: 1, Kind.NOMINAL: 2}


def core_columns(columns: Sequence[Column], method: Method, *, use_ranks: bool = True) -> list[tuple[Any, ...]]:
    """The columns: kind, values and number of levels; or kind, ranks, rows and values of prepared columns.

    Values of some rows are passed only if growth reads many of them: they must be copied first.
    """
    are_ranked = all(search.ranks_values for search in method.searches)
    use_ranks &= all(search.uses_order for search in method.searches)
    found: list[tuple[Any, ...]] = []
    for column in columns:
        if use_ranks and isinstance(column, PreparedColumn) and _has_ranks(column):
            found.append(_ranked(column, method))
        else:
            values = column.source if are_ranked else column.values
            found.append((KIND_CODES[column.kind], values, len(column.levels)))
    return found


def _has_ranks(column: PreparedColumn) -> bool:
    """Whether ranks are of use: codes of a table's rows are copied as fast as they are filtered."""
    return column.selection is None or column.kind is Kind.NUMERIC or column.selection.is_node


def _ranked(column: PreparedColumn, method: Method) -> tuple[Any, ...]:
    selection, kind = column.selection, KIND_CODES[column.kind]
    if selection is None:
        return kind, ranks_of(column), None, None
    compares_neighbors = any(search.compares_neighbors for search in method.searches)
    reads_values = compares_neighbors or column.has_missing or column.kind is not Kind.NUMERIC
    return kind, ranks_of(column), chosen_rows(selection), column.values if reads_values else None


def ranks_of(column: PreparedColumn) -> _native.RankedColumn:
    """The ranks of the whole column, which the core computes when it needs them; all threads get the same."""
    if "ranks" not in column.kept:
        whole = column.whole
        source = whole.source if whole.kind is Kind.NUMERIC else whole.values
        column.kept.setdefault("ranks", _native.RankedColumn(KIND_CODES[whole.kind], source, len(whole.levels)))
    found: _native.RankedColumn = column.kept["ranks"]
    return found


def chosen_rows(selection: RowSelection) -> _native.ChosenRows:
    """The rows of a selection as the core receives them."""
    if "rows" not in selection.kept:
        made = _native.ChosenRows(selection.rows, selection.n_table_rows, selection.is_node)
        selection.kept.setdefault("rows", made)
    found: _native.ChosenRows = selection.kept["rows"]
    return found
