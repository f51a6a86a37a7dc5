"""Missing values as an error, as in ID3: training rejects them; a new row with one stays at the node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.errors import InputError, Set, short_repr
from hornbeam.parts.missing.base import Missing
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.table.table import Table
from hornbeam.tree.nodes import STAY


@dataclass(frozen=True)
class RefuseMissing(Missing):
    """Missing values in training rows are an error."""

    name: ClassVar[str] = "error"

    def prepare(self, table: Table) -> Table:
        """The table, if it is complete."""
        for column in table.columns:
            rows = np.flatnonzero(column.is_missing)
            if len(rows):
                raise InputError(
                    f"Column {short_repr(column.name)} has {len(rows)} missing values, the first in row {rows[0]}, "
                    "but the missing-value strategy 'error' accepts none.",
                    fix=(Set("missing", "skip_column"), Set("missing", "drop_rows")),
                    column=column.name,
                    row=int(rows[0]),
                )
        return table

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """Return STAY: the row ends at the node."""
        return STAY
