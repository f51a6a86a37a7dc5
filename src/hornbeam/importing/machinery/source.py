"""Source: the base class of the programs and formats that `convert` reads, and what the caller passed.

A source accepts a file by its first bytes and an object by the module of its class, so that no library is imported to
find out who wrote a model.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar

from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree


@dataclasses.dataclass(frozen=True)
class Given:
    """The argument of `convert`: an object, or the bytes of a file and its name; and the names that replace its own."""

    value: Any = None
    data: bytes | None = None
    name: str = ""
    columns: Sequence[str] | None = None
    classes: Sequence[Any] | None = None
    target: str | None = None


class Source(abc.ABC):
    """A program or a format that stores trees."""

    title: ClassVar[str]

    @classmethod
    @abc.abstractmethod
    def accepts(cls, given: Given) -> bool:
        """Whether the argument is a model of this source."""

    @classmethod
    @abc.abstractmethod
    def convert(cls, given: Given) -> Tree | Forest:
        """The model as a tree or a forest."""


def is_object_of(given: Given, package: str) -> bool:
    """Whether the argument is an object of a class of this package, or of a class derived from one."""
    if given.data is not None:
        return False
    return any(kind.__module__.partition(".")[0] == package for kind in type(given.value).__mro__)
