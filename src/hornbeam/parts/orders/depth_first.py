"""Finish branch 0 before branch 1 is begun: preorder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.orders.base import Order


@dataclass(frozen=True)
class DepthFirst(Order):
    """Preorder, branch 0 first."""

    name: ClassVar[str] = "depth_first"

    def key(self, created: int, branch: int, decrease: float) -> tuple[float, ...]:
        """The newest brothers first, and among them the lowest branch."""
        return (branch - created, branch)
