"""Losses of fold trees on the rows of their folds, from pieces.

The rows of a fold are routed by the values that their bins stand for: every cut is between bins, so a row takes the
branches that its own values take. A fold tree and the sums of its fold are what prunings choose by.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.parts.prunings.machinery.node_sums import NodeSums
from hornbeam.scale.binned import BinnedColumn, BinnedPiece, BinnedTarget
from hornbeam.scale.row_hash import fold_of_rows
from hornbeam.table.column import MISSING, Column, Kind
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

_ROWS = 1 << 16


@dataclasses.dataclass(frozen=True, eq=False)
class FoldScoring:
    """The trees of all folds, each grown without the rows of its fold, and what codes stand for."""

    columns: tuple[BinnedColumn, ...]
    target: BinnedTarget
    seed: int
    trees: tuple[Tree, ...]

    def sums_of(self, piece: BinnedPiece) -> list[NodeSums]:
        """What the rows of a piece add up to, by fold."""
        found = [NodeSums.of(tree) for tree in self.trees]
        used = {column for tree in self.trees for column in np.unique(tree.questions.column).tolist()}
        codes = {column: piece.codes(column) for column in used}
        target, weights = piece.target, piece.weights
        for start in range(0, piece.n_rows, _ROWS):
            part = slice(start, min(start + _ROWS, piece.n_rows))
            folds = fold_of_rows(self.seed, len(self.trees), piece.first_row + start, part.stop - start)
            for fold in np.unique(folds).tolist():
                rows = start + np.flatnonzero(folds == fold)
                columns = tuple(self._column(c, codes.get(c), rows) for c in range(len(self.columns)))
                given = None if weights is None else weights[rows]
                found[fold].add(self.trees[fold], Table(columns, self._target(target[rows]), given))
        return found

    def _column(self, position: int, codes: npt.NDArray[Any] | None, rows: npt.NDArray[np.int64]) -> Column:
        """The values of some rows; a column that no question uses is missing."""
        column = self.columns[position]
        is_numeric = column.kind is Kind.NUMERIC
        absent = np.nan if is_numeric else MISSING
        values = np.append(column.low, absent).astype(np.float64 if is_numeric else np.int32)
        found = np.full(len(rows), absent, dtype=values.dtype) if codes is None else values[codes[rows]]
        return Column(column.name, column.kind, found, column.levels)

    def _target(self, values: npt.NDArray[Any]) -> Column:
        is_numeric = self.target.kind is Kind.NUMERIC
        numbers = np.asarray(values, dtype=np.float64 if is_numeric else np.int32)
        return Column(self.target.name, self.target.kind, numbers, self.target.levels)


def merged_sums(parts: Iterable[list[NodeSums]]) -> list[NodeSums]:
    """The sums of all pieces, by fold."""
    found: list[NodeSums] = []
    for sums in parts:
        if not found:
            found = sums
            continue
        for total, part in zip(found, sums, strict=True):
            total.merge(part)
    return found
