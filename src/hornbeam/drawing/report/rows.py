"""The rows that the page includes on request, so that a node can list the rows that reach it.

    test rows      up to a third of `max_rows` and 100, evenly spaced
    training rows  the others: one of every leaf if possible, then evenly spaced over the leaves

A row has its number in its table, its target as text, the node where it ends, and its values of the columns that the
tree uses and of the first others, up to 40. Wide tables have fewer rows. The page states how many rows of how many it
includes.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.report.text import finite_number, printable_text
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree


@dataclasses.dataclass(frozen=True, eq=False)
class ReportTable:
    """A table of a report: matched to the tree's columns, and as it was given (for its description and its target)."""

    matched: Table
    given: Table

    def __len__(self) -> int:
        return len(self.matched)


def report_table(tree: Tree | Forest, rows: Any) -> ReportTable | None:
    """The rows that a caller passed (a table, a data frame or anything that `read` accepts); they are matched once."""
    if rows is None:
        return None
    matched = model_table(tree.schema, rows)
    return ReportTable(matched, rows if isinstance(rows, Table) else matched)


_MAX_TEST_ROWS = 100
_MAX_COLUMNS = 40
_MAX_CELLS = 40_000


def row_values(tree: Tree, table: ReportTable | None, test: ReportTable | None, max_rows: int) -> dict[str, Any]:
    """The rows in the structure that web/src/report/values.ts declares: test rows first, then training rows."""
    used = tree.used_columns()
    others = [position for position in range(len(tree.schema.columns)) if position not in used]
    positions = sorted([*used, *others[: max(_MAX_COLUMNS - len(used), 0)]])
    n_rows = min(max_rows, max(_MAX_CELLS // max(len(positions), 1), 1)) if max_rows else 0
    n_test = n_rows if table is None else min(_MAX_TEST_ROWS, n_rows // 3)
    held_out = _chosen(tree, test, n_test, positions, by_leaf=False)
    training = _chosen(tree, table, n_rows - len(held_out["row"]), positions, by_leaf=True)
    names = ("row", "target", "end", "values")
    return {
        "columns": positions,
        "n_test": len(held_out["row"]),
        "n_included": [len(held_out["row"]), len(training["row"])],
        "n_rows": [0 if each is None else len(each) for each in (test, table)],
        **{name: [*held_out[name], *training[name]] for name in names},
    }


def _chosen(
    tree: Tree, table: ReportTable | None, max_rows: int, positions: list[int], by_leaf: bool
) -> dict[str, list[Any]]:
    if table is None or not len(table) or not max_rows:
        return {"row": [], "target": [], "end": [], "values": []}
    columns = table.matched.columns
    ends = walk.leaves(tree, columns)
    rows = _through_leaves(ends, max_rows) if by_leaf else _evenly(np.arange(len(table)), max_rows)
    taken = [columns[position].take(rows) for position in positions]
    is_missing = [column.is_missing for column in taken]
    target = table.given.target
    return {
        "row": rows.tolist(),
        "target": [printable_text(target.shown_value(row)) if target is not None else "" for row in rows.tolist()],
        "end": ends[rows].tolist(),
        "values": [
            [
                None if miss[at] else finite_number(float(column.values[at]))
                for column, miss in zip(taken, is_missing, strict=True)
            ]
            for at in range(len(rows))
        ],
    }


def _evenly(rows: npt.NDArray[np.int64], max_rows: int) -> npt.NDArray[np.int64]:
    if len(rows) <= max_rows:
        return rows
    return rows[np.unique(np.linspace(0, len(rows) - 1, max_rows).astype(np.int64))]


def _through_leaves(ends: npt.NDArray[np.int32], max_rows: int) -> npt.NDArray[np.int64]:
    """Rows from every leaf if possible; the others in proportion to the leaves."""
    _, first = np.unique(ends, return_index=True)
    if len(first) >= max_rows:
        return np.sort(_evenly(first, max_rows))
    order = np.argsort(ends, kind="stable")
    rest = order[~np.isin(order, first)]
    return np.sort(np.concatenate([first, _evenly(rest, max_rows - len(first))]))
