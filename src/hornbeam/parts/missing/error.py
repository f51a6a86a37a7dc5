"""What if missing values are not expected at all (ID3)?

Training with one is an error; a new row with one stays at the node.
"""

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
    """Missing values are an error."""

    name: ClassVar[str] = "error"

    def prepare(self, table: Table) -> Table:
        """The table, if it is complete."""
        for column in table.columns:
            holes = np.flatnonzero(column.is_missing)
            if len(holes):
                raise InputError(
                    f"Column {short_repr(column.name)} has {len(holes)} missing values, the first in row {int(holes[0])}; "
                    "this recipe takes none.",
                    fix=(Set("missing", "skip_column"), Set("missing", "drop_rows")),
                    column=column.name,
                    row=int(holes[0]),
                )
        return table

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """STAY."""
        return STAY
