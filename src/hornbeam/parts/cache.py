"""Results of parts that are computed once per sample."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Cache:
    """Results that are computed once per sample, by key. A changed sample needs a new cache."""

    def __init__(self) -> None:
        self._results: dict[Hashable, Any] = {}

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        """The result stored under a key; the first call computes it."""
        if key not in self._results:
            self._results[key] = compute()
        found: T = self._results[key]
        return found

    def get_latest(self, key: Hashable, version: Hashable, compute: Callable[[], T]) -> T:
        """The same for large results: only that of the latest version, such as a node, is stored."""
        stored, found = self._results.get(key, (None, None))
        if stored != version:
            found = compute()
            self._results[key] = (version, found)
        result: T = found
        return result

    def copy_result(self, key: Hashable, other: Cache) -> None:
        """Take over one result of another cache, if it has one."""
        if key in other._results:
            self._results[key] = other._results[key]
