"""Depth first, in preorder: branch 0 is finished before branch 1 is begun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.orders.base import Order


@dataclass(frozen=True)
class DepthFirst(Order):
    """Split nodes in preorder, branch 0 first."""

    name: ClassVar[str] = "depth_first"

    def key(self, created: int, branch: int, decrease: float) -> tuple[float, ...]:
        """The newest siblings first, and among them the lowest branch."""
        return (branch - created, branch)
