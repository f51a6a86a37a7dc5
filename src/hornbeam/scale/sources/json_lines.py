"""A file of JSON lines, or of one JSON array of objects, read in batches by DuckDB."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from hornbeam.errors import MemoryLimitError
from hornbeam.scale.sources.arrow_types import simple_types
from hornbeam.table.readers import files, jsonl, sql

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

        columns = ", ".join(map(sql.identifier, names))
        with files.uncompressed(self.label) as local, sql.connected(memory_limit=_MEMORY) as connection:
            query = f"SELECT {columns} FROM {jsonl.typed_source(local, self.types)}"
            try:
                for batch in connection.batches(query, n_rows):
                    yield simple_types(pa.Table.from_batches([batch]))
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
