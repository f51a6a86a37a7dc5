"""What if rows with holes are left out of training?  Their number is kept; new rows with holes follow the majority."""

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
        holes = np.zeros(len(table), dtype=bool)
        for column in table.columns:
            holes |= column.is_missing
        if not holes.any():
            return table
        if holes.all():
            raise InputError(
                f"Every one of the {len(table)} rows has a missing value, so drop_rows leaves none.",
                fix=Set("missing", "skip_column"),
                hint="or drop the columns that are mostly missing.",
            )
        note = f"{int(holes.sum())} of {len(table)} rows with missing values were left out."
        kept = table.take(np.flatnonzero(~holes))
        return dataclasses.replace(kept, notes=(*table.notes, note))

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """The heaviest branch."""
        return majority_branch(chosen.weight)
