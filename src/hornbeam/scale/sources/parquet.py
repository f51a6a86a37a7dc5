"""Parquet files read in batches: pieces of whole row groups, each with a fingerprint.

A fingerprint is a digest of the size, the time of the last change, the footer and the number of rows of a file. A piece
checks it whenever it is read, so a file that is replaced meanwhile is an error that names it, never another result.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import os
from collections.abc import Iterator, Sequence
from typing import Any

from hornbeam.errors import DataFileError, short_repr
from hornbeam.scale.sources.arrow_types import checked_schema, common_types, simple_types, with_types
from hornbeam.table.concat import check_same_columns
from hornbeam.table.readers import files

_MIN_PIECE_ROWS = 1 << 18
_DICTIONARIES = frozenset({"PLAIN_DICTIONARY", "RLE_DICTIONARY"})


@dataclasses.dataclass(frozen=True)
class ParquetPiece:
    """Consecutive row groups of one file; `first_row` is the number of the first row in the whole source."""

    path: str
    groups: tuple[int, ...]
    n_groups: int
    n_rows: int
    first_row: int
    fingerprint: str
    types: tuple[tuple[str, str], ...] = ()  # of the columns that have no type in this file

    @property
    def label(self) -> str:
        """The name of the piece in messages."""
        if len(self.groups) == self.n_groups:
            return short_repr(self.path, 200)
        last = f" to {self.groups[-1]}" if len(self.groups) > 1 else ""
        return f"{short_repr(self.path, 200)}, row group {self.groups[0]}{last}"

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names; texts that repeat are dictionaries."""
        return self.read(names, n_rows, texts_as_dictionaries=True)

    def read(self, names: Sequence[str], n_rows: int, *, texts_as_dictionaries: bool = False) -> Iterator[Any]:
        """Arrow tables of the columns with these names."""
        import pyarrow as pa

        with opened(self.path) as file, contextlib.ExitStack() as stack:
            if fingerprint_of(self.path, file) != self.fingerprint:
                raise DataFileError(
                    f"{self.label} has changed since it was first read.",
                    hint="Start again; the source must not change while it is used.",
                    path=self.path,
                )
            done = 0
            try:
                reader = file
                if texts_as_dictionaries:
                    reader = stack.enter_context(_with_dictionaries(self.path, file, self.groups))
                for batch in reader.iter_batches(n_rows, list(self.groups), list(names), use_threads=False):
                    done += batch.num_rows
                    table = pa.Table.from_batches([batch]).select(list(names))
                    kept = _repeats if texts_as_dictionaries else None
                    yield with_types(simple_types(table, self.path, may_be_dictionary=kept), dict(self.types))
            except (OSError, pa.ArrowException) as error:
                raise damaged(self.label, self.path, error) from None
        if done != self.n_rows:
            raise DataFileError(f"{self.label} has {done:,} rows instead of {self.n_rows:,}.", path=self.path)


@dataclasses.dataclass(frozen=True)
class ParquetSource:
    """Parquet files with the same columns and types; a column of nulls has the type that it has in other files."""

    label: str
    types: dict[str, str]
    n_rows: int
    pieces: tuple[ParquetPiece, ...]
    n_bytes: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.types)

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names."""
        for piece in self.pieces:
            yield from piece.read(names, n_rows)


def parquet_source(paths: Sequence[str], label: str = "") -> ParquetSource:
    """The source of some Parquet files, in the order given; files without rows are an error."""
    pieces: list[ParquetPiece] = []
    schemas: dict[str, dict[str, str]] = {}
    n_rows = n_bytes = 0
    for path in paths:
        with opened(path) as file:
            schemas[path] = checked_schema(file.schema_arrow, path)
            check_same_columns(list(schemas[paths[0]]), paths[0], list(schemas[path]), path)
            if not file.metadata.num_rows:
                raise DataFileError(f"{short_repr(path, 200)} has no rows.", hint="Leave the file out.", path=path)
            mark = fingerprint_of(path, file)
            for groups, rows in _grouped(file.metadata):
                piece = ParquetPiece(path, groups, file.metadata.num_row_groups, rows, n_rows, mark)
                pieces.append(piece)
                n_rows += rows
            n_bytes += os.path.getsize(path)
    labeled = [(short_repr(path, 200), schema) for path, schema in schemas.items()]
    types = common_types(schemas[paths[0]], labeled, "files")
    without = {
        path: tuple((name, types[name]) for name in found if found[name] != types[name])
        for path, found in schemas.items()
    }
    pieces = [dataclasses.replace(piece, types=without[piece.path]) for piece in pieces]
    called = label or (paths[0] if len(paths) == 1 else f"{len(paths)} files from {paths[0]} to {paths[-1]}")
    return ParquetSource(called, types, n_rows, tuple(pieces), n_bytes)


def _grouped(metadata: Any) -> Iterator[tuple[tuple[int, ...], int]]:
    """Consecutive row groups of at least some rows together, with their number of rows."""
    groups: list[int] = []
    rows = 0
    for group in range(metadata.num_row_groups):
        groups.append(group)
        rows += metadata.row_group(group).num_rows
        if rows >= _MIN_PIECE_ROWS or group == metadata.num_row_groups - 1:
            if rows:
                yield tuple(groups), rows
            groups, rows = [], 0


class opened:  # noqa: N801 - used like a function
    """A Parquet file that is open inside a `with` block."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        found = files.checked(self.path)
        try:
            self.file = pq.ParquetFile(found, pre_buffer=False)
        except (OSError, pa.ArrowException) as error:
            raise damaged(short_repr(self.path, 200), self.path, error) from None
        return self.file

    def __exit__(self, *_: object) -> None:
        self.file.close()


def _with_dictionaries(path: str, file: Any, groups: Sequence[int]) -> Any:
    """An open file whose texts are read as dictionaries where some row groups have them as dictionaries."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    written = [file.metadata.row_group(group) for group in groups]
    columns = [group.column(place) for group in written for place in range(group.num_columns)]
    other = {column.path_in_schema for column in columns if not _is_dictionary(column.encodings)}
    texts = [each.name for each in file.schema_arrow if pa.types.is_string(each.type) and each.name not in other]
    return pq.ParquetFile(files.checked(path), metadata=file.metadata, read_dictionary=texts, pre_buffer=False)


def _is_dictionary(encodings: Sequence[str]) -> bool:
    """Whether a column chunk is a dictionary; values beyond its size may be plain, but in no other encoding."""
    found = set(encodings)
    return bool(found & _DICTIONARIES) and found <= _DICTIONARIES | {"PLAIN", "RLE", "BIT_PACKED"}


def _repeats(column: Any) -> bool:
    """Whether a column of dictionaries has fewer values than rows."""
    return sum(len(chunk.dictionary) for chunk in column.chunks) < len(column)


def damaged(label: str, path: str, error: Exception) -> DataFileError:
    """The error about a file that pyarrow cannot read."""
    reason = str(error).split("\n")[0].rstrip(". ")
    return DataFileError(f"{label} is damaged Parquet ({reason}).", hint="Write the file again.", path=path)


def fingerprint_of(path: str, file: Any) -> str:
    """A digest of the size, the time of the last change and the footer of a file."""
    state = os.stat(path)
    metadata = file.metadata
    parts = [state.st_size, state.st_mtime_ns, metadata.num_rows, metadata.serialized_size, str(file.schema_arrow)]
    for group in range(metadata.num_row_groups):
        entry = metadata.row_group(group)
        parts += [entry.num_rows, entry.total_byte_size]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
