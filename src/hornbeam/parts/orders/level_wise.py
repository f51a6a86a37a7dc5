"""Finish a level before the next is begun: breadth first, in order of creation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.orders.base import Order


@dataclass(frozen=True)
class LevelWise(Order):
    """Breadth first."""

    name: ClassVar[str] = "level_wise"

    def key(self, created: int, branch: int, decrease: float) -> tuple[float, ...]:
        """The oldest first."""
        return (created,)
