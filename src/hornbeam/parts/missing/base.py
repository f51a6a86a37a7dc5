"""What is a way with missing values?  What it does to the table first, and where it sends rows whose answer is unknown.

    prepare(table)      the table to grow on: rows left out, or an error
    direction(known)    a branch, STAY (the row ends at the node) or SHARE (it goes down every branch in part),
                        from the weight of the known rows of each branch

Every column's score is taken on its known rows, times their share of the weight (ALGORITHMS 7.2).
"""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import Part
from hornbeam.parts.node import Floats
from hornbeam.table.table import Table


@dataclass(frozen=True)
class Missing(Part, abc.ABC):
    """What to do with missing values."""

    sort: ClassVar[str] = "missing"

    def prepare(self, table: Table) -> Table:
        """The table to grow on."""
        return table

    @abc.abstractmethod
    def direction(self, known: Floats) -> int:
        """Where rows of unknown answer go, from the known weight of each branch."""


def heaviest(known: Floats) -> int:
    """The branch of largest known weight, the first on ties."""
    return int(known.argmax())
