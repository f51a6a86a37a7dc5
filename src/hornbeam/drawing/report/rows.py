"""Which rows travel with the page, so that a node can show who reaches it?

    fresh rows     up to 100, evenly spaced
    training rows  up to `most`: one of every leaf while there is room, then evenly spaced through the leaves

A row keeps its number in its table, its target as text, where it ends, and its values: of the columns the tree asks
about and of the first others, up to 40. Wide tables send fewer rows. The page says how many rows of how many it holds.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.report.text import finite_number, printable_text
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree


@dataclasses.dataclass(frozen=True, eq=False)
class ReportTable:
    """A table of a report: matched to the tree's columns, and as it was given (for its description and its target)."""

    matched: Table
    given: Table

    def __len__(self) -> int:
        return len(self.matched)


def report_table(tree: Tree, rows: Any) -> ReportTable | None:
    """The rows that a caller passed (a table, a data frame or anything that `read` accepts); they are matched once."""
    if rows is None:
        return None
    matched = model_table(tree.schema, rows)
    return ReportTable(matched, rows if isinstance(rows, Table) else matched)


MOST_ROWS = 500
_MOST_FRESH = 100
_MOST_COLUMNS = 40
_MOST_CELLS = 40_000


def row_values(tree: Tree, table: ReportTable | None, test: ReportTable | None, most: int) -> dict[str, Any]:
    """The rows in the shape that web/src/facts.ts declares: fresh ones first, then training rows."""
    used = tree.used_columns()
    others = [place for place in range(len(tree.schema.columns)) if place not in used]
    places = sorted([*used, *others[: max(_MOST_COLUMNS - len(used), 0)]])
    most = min(most, max(_MOST_CELLS // max(len(places), 1), 1)) if most else 0
    fresh = _chosen(tree, test, min(_MOST_FRESH, most), places, by_leaf=False)
    training = _chosen(tree, table, most, places, by_leaf=True)
    names = ("row", "truth", "end", "values")
    return {
        "columns": places,
        "fresh": len(fresh["row"]),
        "held": [len(fresh["row"]), len(training["row"])],
        "all": [0 if each is None else len(each) for each in (test, table)],
        **{name: [*fresh[name], *training[name]] for name in names},
    }


def _chosen(tree: Tree, table: ReportTable | None, most: int, places: list[int], by_leaf: bool) -> dict[str, list[Any]]:
    if table is None or not len(table) or not most:
        return {"row": [], "truth": [], "end": [], "values": []}
    columns = table.matched.columns
    ends = walk.leaves(tree, columns)
    rows = _through_leaves(ends, most) if by_leaf else _evenly(np.arange(len(table)), most)
    taken = [columns[place].take(rows) for place in places]
    gone = [column.is_missing for column in taken]
    target = table.given.target
    return {
        "row": rows.tolist(),
        "truth": [printable_text(target.shown_value(row)) if target is not None else "" for row in rows.tolist()],
        "end": ends[rows].tolist(),
        "values": [
            [
                None if miss[at] else finite_number(float(column.values[at]))
                for column, miss in zip(taken, gone, strict=True)
            ]
            for at in range(len(rows))
        ],
    }


def _evenly(rows: npt.NDArray[np.int64], most: int) -> npt.NDArray[np.int64]:
    if len(rows) <= most:
        return rows
    return rows[np.unique(np.linspace(0, len(rows) - 1, most).astype(np.int64))]


def _through_leaves(ends: npt.NDArray[np.int32], most: int) -> npt.NDArray[np.int64]:
    """Rows from every leaf while there is room; the others in the proportion of the leaves."""
    _, first = np.unique(ends, return_index=True)
    if len(first) >= most:
        return np.sort(_evenly(first, most))
    order = np.argsort(ends, kind="stable")
    rest = order[~np.isin(order, first)]
    return np.sort(np.concatenate([first, _evenly(rest, most - len(first))]))
