"""What is an order?  The key of a node in the queue; the smallest key is expanded next (definition 5.1).

With only local stops all orders give the same tree; budgets of leaves or nodes make them differ.
"""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import Part


@dataclass(frozen=True)
class Order(Part, abc.ABC):
    """Which node is expanded next."""

    part_type: ClassVar[str] = "order"

    @abc.abstractmethod
    def key(self, created: int, branch: int, decrease: float) -> tuple[float, ...]:
        """The key of a node: its number by creation, its branch, and P(t) times the gain of its split."""
