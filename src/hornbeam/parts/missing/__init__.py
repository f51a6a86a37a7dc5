"""Strategies for missing values: how such rows count during growth, and where they go."""

from hornbeam.parts.missing.base import Missing
from hornbeam.registry import Registry

missing = Registry("missing", Missing, __name__)  # type: ignore[type-abstract]

__all__ = ["Missing", "missing"]
