"""Which node next?  Orders are keys of one queue."""

from hornbeam.parts.orders.base import Order
from hornbeam.shelf import Shelf

orders = Shelf("order", Order, __name__)  # type: ignore[type-abstract]

__all__ = ["Order", "orders"]
