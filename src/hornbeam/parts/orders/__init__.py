"""Orders of growth: which node is split next."""

from hornbeam.parts.orders.base import Order
from hornbeam.registry import Registry

orders = Registry("order", Order, __name__)  # type: ignore[type-abstract]

__all__ = ["Order", "orders"]
