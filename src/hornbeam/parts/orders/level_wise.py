"""Breadth first: all nodes of one depth are split before the next depth, in order of creation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.orders.base import Order


@dataclass(frozen=True)
class LevelWise(Order):
    """Split all nodes of one depth before the next depth."""

    name: ClassVar[str] = "level_wise"

    def key(self, created: int, branch: int, decrease: float) -> tuple[float, ...]:
        """The oldest first."""
        return (created,)
