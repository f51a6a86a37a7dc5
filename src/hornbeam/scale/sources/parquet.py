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

from hornbeam.errors import DataFileError, InputError, did_you_mean, short_repr
from hornbeam.scale.sources.arrow_types import checked_schema, simple_types
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
                    yield simple_types(table, self.path, may_be_dictionary=_repeats if texts_as_dictionaries else None)
            except (OSError, pa.ArrowException) as error:
                raise damaged(self.label, self.path, error) from None
        if done != self.n_rows:
            raise DataFileError(f"{self.label} has {done:,} rows instead of {self.n_rows:,}.", path=self.path)


@dataclasses.dataclass(frozen=True)
class ParquetSource:
    """Parquet files with the same columns and types."""

    label: str
    names: tuple[str, ...]
    n_rows: int
    pieces: tuple[ParquetPiece, ...]
    n_bytes: int

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names."""
        for piece in self.pieces:
            yield from piece.read(names, n_rows)


def parquet_source(paths: Sequence[str], label: str = "") -> ParquetSource:
    """The source of some Parquet files, in the order given; files without rows are an error."""
    pieces: list[ParquetPiece] = []
    first: Any = None
    n_rows = n_bytes = 0
    for path in paths:
        with opened(path) as file:
            schema = checked_schema(file.schema_arrow, path)
            if first is None:
                first = schema
            _check_same(first, paths[0], schema, path)
            if not file.metadata.num_rows:
                raise DataFileError(f"{short_repr(path, 200)} has no rows.", hint="Leave the file out.", path=path)
            mark = fingerprint_of(path, file)
            for groups, rows in _grouped(file.metadata):
                piece = ParquetPiece(path, groups, file.metadata.num_row_groups, rows, n_rows, mark)
                pieces.append(piece)
                n_rows += rows
            n_bytes += os.path.getsize(path)
    called = label or (paths[0] if len(paths) == 1 else f"{len(paths)} files from {paths[0]} to {paths[-1]}")
    return ParquetSource(called, tuple(first), n_rows, tuple(pieces), n_bytes)


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


def _check_same(first: dict[str, str], first_path: str, other: dict[str, str], path: str) -> None:
    """Raise an error if a file has other columns or types than the first one."""
    absent = [name for name in first if name not in other]
    extra = [name for name in other if name not in first]
    if absent or extra:
        difference = f"lacks the column {short_repr(absent[0])}" if absent else f"also has {short_repr(extra[0])}"
        near = did_you_mean(absent[0], extra) if absent and extra else ""
        raise InputError(
            f"{short_repr(path, 200)} {difference}, unlike {short_repr(first_path, 200)}.",
            hint=f"Use files with the same columns. {near}".strip(),
            column=(absent or extra)[0],
            path=path,
        )
    for name, kind in first.items():
        if other[name] != kind:
            raise InputError(
                f"Column {short_repr(name)} is {kind} in {short_repr(first_path, 200)} and {other[name]} in "
                f"{short_repr(path, 200)}.",
                hint="Use the same type in all files.",
                column=name,
                path=path,
            )


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
