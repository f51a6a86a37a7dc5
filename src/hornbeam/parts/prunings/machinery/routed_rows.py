"""Rows routed through a tree: the nodes where they end, and their targets."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, Set, short_repr
from hornbeam.parts.prunings.machinery.routes import Shape, visits
from hornbeam.table.column import Column
from hornbeam.table.match import recode
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import align_table

Numbers = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class RowEndpoints:
    """The nodes where rows end: one entry per row and node, with the weight of the row there."""

    row: npt.NDArray[np.int64]
    node: npt.NDArray[np.int64]
    weight: Numbers


def row_endpoints(tree: Tree, table: Table) -> RowEndpoints:
    """Route the rows of a table through a tree."""
    columns = align_columns(tree, table)
    weights = table.row_weights
    end = walk.row_ends(tree, columns)[0].astype(np.int64)
    single = np.flatnonzero(end >= 0)
    parts = [(single, end[single], weights[single])]
    for start in np.unique(end[end < 0]).tolist():
        rows = np.flatnonzero(end == start)
        for visit in visits(Shape(tree), columns, rows, weights[rows], ~start):
            here = visit.rows[visit.ends]
            parts.append((here, np.full(len(here), visit.node), visit.weights[visit.ends]))
    row, node, weight = (np.concatenate(each) for each in zip(*parts, strict=True))
    return RowEndpoints(row, node, weight)


def target_codes(tree: Tree, table: Table) -> npt.NDArray[np.int64]:
    """The class of each row, in the tree's numbering of classes."""
    target = _target(table)
    codes = recode(target.values, target.levels, tree.schema.classes)
    wrong = np.flatnonzero(codes < 0)
    if len(wrong):
        raise InputError(
            f"Row {wrong[0]} of the pruning rows has target {target.shown_value(int(wrong[0]))}, "
            "which is not a class of the tree.",
            hint=f"Use the tree's classes: {short_repr(tree.schema.classes)}.",
            row=int(wrong[0]),
        )
    return codes.astype(np.int64)


def target_numbers(table: Table) -> Numbers:
    """The target of each row as a number."""
    values = _target(table).values.astype(np.float64)
    if np.isnan(values).any():
        row = int(np.flatnonzero(np.isnan(values))[0])
        raise InputError(f"Row {row} of the pruning rows has no target.", row=row)
    return values


def _target(table: Table) -> Column:
    if table.target is None:
        raise InputError("The pruning rows have no target.", fix=Set("target", inside="read"))
    return table.target


def align_columns(tree: Tree, table: Table) -> tuple[Column, ...]:
    """The table's columns in the tree's order, with the codes of the tree's levels."""
    return align_table(tree.schema, table)
