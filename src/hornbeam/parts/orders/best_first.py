"""Best first: the node whose split lowers the risk of the whole tree most is split next; the oldest on ties.

Decreases that differ by rounding tie: 36 bits of each are compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.orders.base import Order

_BITS = 36


@dataclass(frozen=True)
class BestFirst(Order):
    """Split the node of largest P(t) times gain first."""

    name: ClassVar[str] = "best_first"

    def key(self, created: int, branch: int, decrease: float) -> tuple[float, ...]:
        """The largest decrease first."""
        mantissa, exponent = math.frexp(decrease)
        return (-math.ldexp(round(math.ldexp(mantissa, _BITS)), exponent - _BITS), created)
