"""Training on complete rows only.

The tree's notes report the number of excluded rows; new rows with missing values follow the majority branch.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from hornbeam.errors import InputError, Set
from hornbeam.parts.missing.base import Missing, majority_branch
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.table.table import Table


@dataclasses.dataclass(frozen=True)
class DropRows(Missing):
    """Train on complete rows only."""

    name: ClassVar[str] = "drop_rows"

    def prepare(self, table: Table) -> Table:
        """The rows without a missing value."""
        is_missing = np.zeros(len(table), dtype=bool)
        for column in table.columns:
            is_missing |= column.is_missing
        if not is_missing.any():
            return table
        if is_missing.all():
            raise InputError(
                f"Missing-value strategy 'drop_rows' requires complete rows, but all {len(table)} have missing values.",
                fix=Set("missing", "skip_column"),
                hint="or drop the columns that are mostly missing.",
            )
        message = f"{int(is_missing.sum())} of {len(table)} rows with missing values were excluded."
        kept = table.take(np.flatnonzero(~is_missing))
        return dataclasses.replace(kept, notes=(*table.notes, message))

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """The majority branch."""
        return majority_branch(chosen.weight)
