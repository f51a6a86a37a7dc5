"""Rows that are read in batches, one type of source per file.

A source has the names of its columns, its number of rows (None if unknown) and `batches(names, n_rows)`, which yields
Arrow tables of some columns, in the order of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol


class RowSource(Protocol):
    """Typed columns that are read in batches."""

    @property
    def label(self) -> str:
        """The name of the source in messages."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""

    @property
    def n_rows(self) -> int | None:
        """The number of rows, None if it is unknown before they are read."""

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names, of at most `n_rows` rows."""


class SourcePiece(Protocol):
    """Consecutive rows of a source, which can be read again."""

    @property
    def path(self) -> str:
        """The file; empty if it has none."""

    @property
    def label(self) -> str:
        """The name of the piece in messages."""

    @property
    def first_row(self) -> int:
        """The number of the first row in the whole source."""

    @property
    def n_rows(self) -> int:
        """The number of rows."""

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names, of at most `n_rows` rows."""
