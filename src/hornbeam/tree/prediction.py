"""Predictions of a tree or a forest for new rows.

classification   the class of the node where a row ends; for a fractional row and for a forest, the class with the
                 largest probability (the lowest on ties)
regression       the number of the node, or the weighted mean where the fractions of a row end
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.table.column import Column
from hornbeam.table.match import match_columns
from hornbeam.table.table import Schema, Table
from hornbeam.tree import forest_walk, walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.missing_rates import has_missing_rates, warn_of_missing_rates
from hornbeam.tree.nodes import Tree

_ROWS_AT_ONCE = 131_072


@dataclasses.dataclass(frozen=True, eq=False)
class Prediction:
    """The prediction for each row and the node where it ended.

    `values` are class probabilities (rows, classes) or numbers (rows, 1), and (rows, 0) from a tree without labels;
    `codes` is the class of each row (empty for regression); `nodes` where each row ended (-1 for a forest);
    `is_fractional` and `has_unseen_level` mark rows that went down all branches, or have a level without a branch.
    """

    schema: Schema
    values: npt.NDArray[np.float64]
    codes: npt.NDArray[np.int32]
    nodes: npt.NDArray[np.int32]
    is_fractional: npt.NDArray[np.bool_]
    has_unseen_level: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def is_class(self) -> bool:
        """Whether classes were predicted (and not numbers)."""
        return self.schema.is_class

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in the order of the probabilities."""
        return self.schema.classes

    @property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """The probability of each class; rows add up to 1."""
        if not self.is_class:
            raise InputError("The target is a number: there are no class probabilities.")
        return self.values

    @property
    def numbers(self) -> npt.NDArray[np.float64]:
        """The predicted number of each row."""
        if self.is_class:
            raise InputError("The target is a class: there are no numbers.", hint="Use .labels or .probabilities.")
        if self.schema.target is None:
            raise InputError(
                "The tree was grown without a target: it has no labels and predicts nothing.",
                hint="Label it from a table with `relabel`, or use .nodes for the leaves of the rows.",
            )
        return self.values[:, 0]

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The predicted class of each row as a level of the target; for regression, the numbers."""
        if not self.is_class:
            return self.numbers
        return level_array(self.classes)[self.codes]


def predict(model: Tree | Forest, rows: Any, *, threads: int | None = None, check_missing: bool = True) -> Prediction:
    """Predict rows: a table, anything `read` accepts (matched by name), or the columns of the model in order.

    `check_missing`: warn if a tree uses missingness as information and values are now missing more or less often.
    """
    if isinstance(model, Forest):
        return _forest_prediction(model, rows, threads)
    columns: tuple[Column, ...] = ()
    is_checked = check_missing and has_missing_rates(model)
    ends = None if is_checked else walk.ends_of_matrix(model, rows, threads=threads)
    if ends is None:
        columns = columns_of(model.schema, rows)
        ends, has_unseen = walk.row_ends(model, columns, with_unseen=True, threads=threads)
        if is_checked:
            warn_of_missing_rates(model, columns)
    else:
        has_unseen = np.zeros(len(ends), dtype=np.bool_)
    is_fractional = ends < 0
    nodes = np.where(is_fractional, ~ends, ends) if is_fractional.any() else ends
    if not model.is_labeled:
        return Prediction(
            model.schema, np.zeros((len(ends), 0)), np.zeros(0, dtype=np.int32), nodes, is_fractional, has_unseen
        )
    values = walk.values_at(model, columns, ends, threads=threads)
    codes = walk.codes_at(model, ends, values) if model.is_class else np.zeros(0, dtype=np.int32)
    return Prediction(model.schema, values, codes, nodes, is_fractional, has_unseen)


def _forest_prediction(forest: Forest, rows: Any, threads: int | None) -> Prediction:
    found = _forest_totals(forest, rows, threads)
    values = forest_walk.linked(forest, found.totals, threads=threads)
    codes = np.argmax(values, axis=1).astype(np.int32) if forest.is_class else np.zeros(0, dtype=np.int32)
    nodes = np.full(len(values), -1, dtype=np.int32)
    return Prediction(forest.schema, values, codes, nodes, found.is_fractional, found.has_unseen_level)


def _forest_totals(forest: Forest, rows: Any, threads: int | None) -> forest_walk.ForestTotals:
    """The sums over the trees; a large matrix is converted to columns in blocks, to save memory."""
    if walk.is_float_matrix(forest.schema, rows) and len(rows) > _ROWS_AT_ONCE:
        parts = [rows[at : at + _ROWS_AT_ONCE] for at in range(0, len(rows), _ROWS_AT_ONCE)]
        # An error must give the row of the whole matrix: see below.
        with contextlib.suppress(InputError):
            blocks = [
                forest_walk.forest_totals(forest, columns_of(forest.schema, part), threads=threads) for part in parts
            ]
            return forest_walk.concatenate_totals(blocks)
    return forest_walk.forest_totals(forest, columns_of(forest.schema, rows), threads=threads)


def columns_of(schema: Schema, rows: Any) -> tuple[Column, ...]:
    """New rows as the columns of a schema."""
    if isinstance(rows, Table):
        return align_table(schema, rows)
    if isinstance(rows, (tuple, list)) and all(isinstance(each, Column) for each in rows):
        return tuple(rows)
    return match_columns(schema, rows).columns


def align_table(schema: Schema, table: Table) -> tuple[Column, ...]:
    """The columns of a table as in a schema: found by name, levels recoded; infinite values are ordered."""
    return match_columns(schema, table, warn=False, infinite="ordered").columns


def level_array(levels: Sequence[Any]) -> npt.NDArray[Any]:
    """Levels as an array of their own type; of objects if types are mixed or unknown to NumPy."""
    kinds = {type(level) for level in levels}
    if len(kinds) == 1 and kinds <= {str, bool, float}:
        return np.array(levels)
    if kinds == {int} and all(-(2**63) <= level < 2**63 for level in levels):
        return np.array(levels, dtype=np.int64)
    out = np.empty(len(levels), dtype=object)
    out[:] = levels
    return out
