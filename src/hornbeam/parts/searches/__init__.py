"""Searches: each finds the best question about one column, or about several, at a node."""

from hornbeam.parts.searches.base import Search
from hornbeam.registry import Registry

searches = Registry("search", Search, __name__)  # type: ignore[type-abstract]

__all__ = ["Search", "searches"]
