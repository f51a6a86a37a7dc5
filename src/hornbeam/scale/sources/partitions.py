"""Partitions of a Dask collection: what is recorded of each at its first reading, and how its rows are read again.

A fingerprint is a digest of the values of a partition. A partition whose rows are computed again, in a later pass or
because a worker was lost, is an error if they differ: never a model of other rows.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import InputError, short_repr
from hornbeam.scale.sources.arrow_types import checked_schema, common_types, simple_types, with_types
from hornbeam.table.readers import frames


@dataclasses.dataclass(frozen=True)
class PartitionFacts:
    """What the first reading of a partition records."""

    n_rows: int
    types: dict[str, str]
    fingerprint: str


@dataclasses.dataclass(frozen=True)
class PartitionPiece:
    """One partition; `first_row` is the number of its first row in the whole table."""

    number: int
    source: str
    n_rows: int
    first_row: int
    fingerprint: str
    types: tuple[tuple[str, str], ...]

    path = ""

    @property
    def label(self) -> str:
        """The name of the piece in messages."""
        return partition_label(self.number, self.source)

    def opened(self, frame: Any) -> OpenedPartition:
        """The piece with its rows; an error if they are not those of the first reading."""
        table = arrow_table(frame, [name for name, _ in self.types], self.label)
        if facts_of(table, self.label).fingerprint != self.fingerprint:
            raise InputError(
                f"{self.label} has changed since it was first computed.",
                hint="Make the computation repeatable, for example with a fixed seed, or write it to Parquet files.",
                partition=self.number,
            )
        return OpenedPartition(self, with_types(table, dict(self.types)))


@dataclasses.dataclass(frozen=True, eq=False)
class OpenedPartition:
    """A piece and its rows, on the worker that reads it."""

    piece: PartitionPiece
    table: Any

    path = ""

    @property
    def label(self) -> str:
        """The name of the piece in messages."""
        return self.piece.label

    @property
    def first_row(self) -> int:
        """The number of the first row in the whole table."""
        return self.piece.first_row

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.piece.n_rows

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names."""
        chosen = self.table.select(list(names))
        for start in range(0, chosen.num_rows, n_rows):
            yield chosen.slice(start, n_rows)


def partition_label(number: int, source: str) -> str:
    """The name of a partition in messages."""
    return f"Partition {number} of {source}"


def arrow_table(frame: Any, names: Sequence[str], label: str) -> Any:
    """The columns of a computed partition as an Arrow table."""
    import pyarrow as pa

    try:
        table = frame if isinstance(frame, pa.Table) else pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise InputError(f"{label} cannot be read: {str(error).splitlines()[0]}.") from None
    table = table.rename_columns([str(name) for name in table.column_names])
    absent = [name for name in names if name not in table.column_names]
    if absent:
        raise InputError(f"{label} lacks the column {short_repr(absent[0])}.", column=absent[0])
    return simple_types(table.select(list(names)).combine_chunks(), label)


def describe_partition(frame: Any, number: int, source: str, names: Sequence[str]) -> PartitionFacts:
    """What is recorded of a partition when it is first computed."""
    label = partition_label(number, source)
    return facts_of(arrow_table(frame, names, label), label)


def facts_of(table: Any, label: str) -> PartitionFacts:
    """The number of rows, the types and the digest of the values of an Arrow table."""
    found = hashlib.sha256()
    for column in frames.raw(table).columns if table.num_rows else ():
        found.update(repr((column.name, column.distinct if column.numbers is None else None)).encode())
        if column.numbers is None:
            found.update(np.ascontiguousarray(column.codes).tobytes())
        else:
            numbers = np.where(np.isnan(column.numbers), np.nan, column.numbers)
            found.update(np.ascontiguousarray(numbers).tobytes())
    return PartitionFacts(table.num_rows, checked_schema(table.schema, label), found.hexdigest()[:32])


def pieces_of(facts: Sequence[PartitionFacts], source: str) -> tuple[dict[str, str], tuple[PartitionPiece, ...]]:
    """The types of the columns, and the pieces of all partitions, in order; types that differ are an error."""
    tables = [(f"partition {number} of {source}", each.types) for number, each in enumerate(facts) if each.n_rows]
    types = common_types(facts[0].types, tables, "partitions")
    pieces, first_row = [], 0
    for number, each in enumerate(facts):
        pieces.append(PartitionPiece(number, source, each.n_rows, first_row, each.fingerprint, tuple(types.items())))
        first_row += each.n_rows
    if not first_row:
        raise InputError(f"{source[0].upper()}{source[1:]} has no rows.")
    return types, tuple(pieces)
