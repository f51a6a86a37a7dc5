"""What does a tree say of new rows?

classes label = the answer of the node a row ends in; for a row that was shared out, the class of the largest sum
(lowest on ties) numbers number = the answer, or the weighted mean of the answers where the row's parts ended
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, did_you_mean, shown
from hornbeam.table.column import MISSING, UNSEEN, Column, ColumnSpec
from hornbeam.table.table import Schema, Table
from hornbeam.tree import walk
from hornbeam.tree.nodes import Tree


@dataclasses.dataclass(frozen=True, eq=False)
class Prediction:
    """What was said of every row, and from where.

    `values` are class shares (rows, classes) or numbers (rows, 1); `codes` the class of every row (empty for numbers);
    `nodes` where each row ended; `is_shared` and `met_unseen` mark rows that were shared out, or met a level without a
    branch.
    """

    schema: Schema
    values: npt.NDArray[np.float64]
    codes: npt.NDArray[np.int32]
    nodes: npt.NDArray[np.int32]
    is_shared: npt.NDArray[np.bool_]
    met_unseen: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def is_class(self) -> bool:
        """Whether classes were said (and not numbers)."""
        return self.schema.is_class

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in the order of the shares."""
        return self.schema.classes

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """The share of every class; rows add up to 1."""
        if not self.is_class:
            raise InputError("The target is a number: there are no class shares.")
        return self.values

    @property
    def numbers(self) -> npt.NDArray[np.float64]:
        """The number said of every row."""
        if self.is_class:
            raise InputError("The target is a class: there are no numbers.", hint="Ask for labels or shares.")
        return self.values[:, 0]

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The class said of every row, as the level it is; for numbers, the numbers."""
        if not self.is_class:
            return self.numbers
        return level_array(self.classes)[self.codes]


def predict(tree: Tree, rows: Table | Sequence[Column], *, threads: int | None = None) -> Prediction:
    """Send rows down a tree: a table's columns found by name and their levels matched, or columns by position."""
    columns = aligned(tree.schema, rows) if isinstance(rows, Table) else tuple(rows)
    ends, met = walk.reached(tree, columns, with_unseen=True, threads=threads)
    shared = ends < 0
    nodes = np.where(shared, ~ends, ends) if shared.any() else ends
    values = walk.values_at(tree, columns, ends, threads=threads)
    codes = np.zeros(0, dtype=np.int32)
    if tree.is_class:
        codes = tree.nodes.answer.astype(np.int32)[nodes]
        codes[shared] = np.argmax(values[shared], axis=1)
    return Prediction(tree.schema, values, codes, nodes, shared, met)


def aligned(schema: Schema, table: Table) -> tuple[Column, ...]:
    """The columns a schema names, codes turned into the schema's; other columns are left out."""
    absent = [name for name in schema.names if name not in table.names]
    if absent:
        raise InputError(
            f"The rows lack {len(absent)} of the tree's columns: {', '.join(map(shown, absent[:5]))}.",
            hint=did_you_mean(absent[0], table.names),
            columns=absent,
        )
    return tuple(_matched(spec, table[spec.name]) for spec in schema.columns)


def _matched(spec: ColumnSpec, column: Column) -> Column:
    if column.kind is not spec.kind and not (spec.has_levels and bool(column.levels)):
        raise InputError(
            f"Column {shown(spec.name)} is {spec.kind} in the tree; got a {column.kind} one.", column=spec.name
        )
    if not spec.has_levels or (column.levels == spec.levels and column.kind is spec.kind):
        return column
    code_of = {(type(level), level): code for code, level in enumerate(spec.levels)}
    recoded = [code_of.get((type(level), level), UNSEEN) for level in column.levels]
    # Two more at the end, so that the codes for unseen (-2) and missing (-1) look up themselves.
    lookup = np.array([*recoded, UNSEEN, MISSING], dtype=np.int32)
    return dataclasses.replace(column, kind=spec.kind, values=lookup[column.values], levels=spec.levels)


def level_array(levels: Sequence[Any]) -> npt.NDArray[Any]:
    """Levels as an array of their own type, or of objects when types are mixed or are not NumPy's."""
    kinds = {type(level) for level in levels}
    if len(kinds) == 1 and kinds <= {str, bool, float}:
        return np.array(levels)
    if kinds == {int} and all(-(2**63) <= level < 2**63 for level in levels):
        return np.array(levels, dtype=np.int64)
    out = np.empty(len(levels), dtype=object)
    out[:] = levels
    return out
