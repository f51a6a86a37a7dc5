"""A file of JSON lines, or of one JSON array of objects, read in batches.

JsonLinesSource       by DuckDB, with types that depend on all rows
GuessedJsonLines      by pyarrow, with the types of the first rows; any other row is a wrong guess
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
from collections.abc import Iterator, Sequence
from typing import Any

from hornbeam.errors import MemoryLimitError
from hornbeam.scale.guessed_rows import WrongGuess
from hornbeam.scale.sources.arrow_types import simple_types
from hornbeam.table.readers import files, jsonl, sql

_HEAD = _BLOCK = 4 << 20
_MEMORY = 192 << 20  # bytes; DuckDB holds several buffers of twice the largest object


@dataclasses.dataclass(frozen=True)
class JsonLinesSource:
    """One file with the types of its keys."""

    label: str
    types: dict[str, str]
    n_rows: int

    @property
    def names(self) -> tuple[str, ...]:
        """The keys, in order of first appearance."""
        return tuple(self.types)

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names."""
        import duckdb
        import pyarrow as pa

        for name in names:
            if self.types[name] == jsonl.NESTED:
                raise jsonl.nested_error(self.label, name)
        columns = ", ".join(map(sql.identifier, names))
        with files.uncompressed(self.label) as local, sql.connected(memory_limit=_MEMORY) as connection:
            query = f"SELECT {columns} FROM {jsonl.typed_source(local, self.types)}"
            try:
                for batch in connection.batches(query, n_rows):
                    yield simple_types(pa.Table.from_batches([batch]), self.label)
            except duckdb.OutOfMemoryException:
                raise
            except duckdb.Error as error:
                raise jsonl.fault(self.label, local, sql.first_line(error)) from None


def json_lines_source(path: str) -> JsonLinesSource | None:
    """The source of a file; its types depend on all its rows, which are read once for them.

    None if the rows have too many different structures.
    """
    try:
        with files.uncompressed(path) as local, sql.connected(memory_limit=_MEMORY) as connection:
            types, n_rows = jsonl.types_of(connection, path, local, fits_memory=False)
    except MemoryLimitError:
        return None
    return JsonLinesSource(path, types, n_rows)


@dataclasses.dataclass(frozen=True)
class GuessedJsonLines:
    """One file of JSON lines with the Arrow types of its first rows; `n_rows` is its number of lines."""

    label: str
    schema: Any
    n_rows: int

    @property
    def names(self) -> tuple[str, ...]:
        """The keys of the first rows, in order of first appearance."""
        return tuple(self.schema.names)

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names, of at most some rows."""
        import pyarrow as pa
        import pyarrow.json as pj

        options = pj.ParseOptions(explicit_schema=self.schema, unexpected_field_behavior="error")
        reading = pj.ReadOptions(use_threads=False, block_size=_BLOCK)
        with files.uncompressed(self.label) as local:
            try:
                for batch in pj.open_json(str(local), reading, options):
                    table = _without_nulls(pa.Table.from_batches([batch]).select(list(names)))
                    _check_values(table)
                    for start in range(0, table.num_rows, n_rows):
                        yield table.slice(start, n_rows)
            except pa.ArrowException:
                raise WrongGuess from None


def guessed_json_lines(path: str) -> GuessedJsonLines | None:
    """The source of a file by its first lines; None if they are no objects of numbers, texts, true or false."""
    import pyarrow as pa
    import pyarrow.json as pj

    with files.uncompressed(path) as local, local.open("rb") as file:
        head = part = file.read(_HEAD)
        n_rows, is_open = 0, False
        while part:
            n_rows, is_open = n_rows + part.count(b"\n"), not part.endswith(b"\n")
            part = file.read(_BLOCK)
    lines = head[: head.rfind(b"\n") + 1]
    if not lines.lstrip().startswith(b"{"):
        return None
    with contextlib.suppress(pa.ArrowException):
        found = pj.read_json(io.BytesIO(lines), pj.ReadOptions(use_threads=False, block_size=_HEAD)).schema
        # Dates are texts here.
        kinds = [pa.string() if pa.types.is_timestamp(field.type) else field.type for field in found]
        if found.names and all(
            kind in (pa.int64(), pa.float64(), pa.string(), pa.bool_(), pa.null()) for kind in kinds
        ):
            return GuessedJsonLines(path, pa.schema(list(zip(found.names, kinds, strict=True))), n_rows + is_open)
    return None


def _without_nulls(table: Any) -> Any:
    """A column without values is a column of texts."""
    import pyarrow as pa

    for position, field in enumerate(table.schema):
        if pa.types.is_null(field.type):
            table = table.set_column(position, field.name, table.column(position).cast(pa.string()))
    return table


def _check_values(table: Any) -> None:
    """Raise WrongGuess for texts that are not UTF-8, and numbers that JSON does not have."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table.validate(full=True)
    for column in table.columns:
        if pa.types.is_floating(column.type) and pc.all(pc.is_finite(column)).as_py() is False:
            raise WrongGuess
