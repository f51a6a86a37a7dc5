"""Expand the node whose split lowers the risk of the whole tree most; the oldest on ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.orders.base import Order


@dataclass(frozen=True)
class BestFirst(Order):
    """Largest P(t) times gain first."""

    name: ClassVar[str] = "best_first"

    def key(self, created: int, branch: int, decrease: float) -> tuple[float, ...]:
        """The largest decrease first."""
        return (-decrease, created)
