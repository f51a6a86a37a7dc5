"""The interface of an order: the key of a node in the queue; the node of smallest key is split next (definition 5.1).

If all stops are local, all orders give the same tree; limits on leaves or nodes make them differ.
"""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import Part


@dataclass(frozen=True)
class Order(Part, abc.ABC):
    """The order in which nodes are split."""

    part_type: ClassVar[str] = "order"

    @abc.abstractmethod
    def key(self, created: int, branch: int, decrease: float) -> tuple[float, ...]:
        """The key of a node, from its number by creation, its branch, and P(t) times the gain of its split."""
