"""Which node next?  Orders are keys of one queue."""

from hornbeam.parts.orders.base import Order
from hornbeam.registry import Registry

orders = Registry("order", Order, __name__)  # type: ignore[type-abstract]

__all__ = ["Order", "orders"]
