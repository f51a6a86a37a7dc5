"""Streams of Arrow data and iterators of frames, read once, in batches."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hornbeam.errors import InputError
from hornbeam.scale.sources.arrow_types import checked_schema, simple_types


@dataclasses.dataclass(frozen=True, eq=False)
class ArrowSource:
    """A stream of record batches; its rows can be read only once."""

    label: str
    names: tuple[str, ...]
    n_rows: int | None
    reader: Iterable[Any]

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names; a batch of the stream is divided, never joined."""
        import pyarrow as pa

        wanted = list(names)
        for batch in self.reader:
            table = simple_types(pa.Table.from_batches([batch]).select(wanted), self.label)
            for start in range(0, table.num_rows, n_rows):
                yield table.slice(start, n_rows)


def is_stream(source: Any) -> bool:
    """Whether a source is an Arrow stream that is read once, or an iterator of frames."""
    if isinstance(source, Iterator):
        return True
    is_table = hasattr(source, "num_rows") or hasattr(source, "columns")
    return hasattr(source, "__arrow_c_stream__") and not is_table


def arrow_source(source: Any) -> ArrowSource:
    """The source of a stream: a record batch reader, a DuckDB result, or an iterator of frames or batches."""
    import pyarrow as pa

    if hasattr(source, "__arrow_c_stream__"):
        reader = pa.RecordBatchReader.from_stream(source)
        return ArrowSource("the stream", tuple(checked_schema(reader.schema, "the stream")), None, reader)
    tables = _tables(source)
    first = next(tables, None)
    if first is None:
        raise InputError("The iterator has no rows.", hint="Pass an iterator of data frames or Arrow tables.")
    names = tuple(checked_schema(first.schema, "the first frame"))
    return ArrowSource("the iterator", names, None, _batches(first, tables))


def _tables(frames: Iterator[Any]) -> Iterator[Any]:
    import pyarrow as pa

    for number, frame in enumerate(frames):
        try:
            yield pa.Table.from_batches([frame]) if isinstance(frame, pa.RecordBatch) else pa.table(frame)
        except (TypeError, ValueError, pa.ArrowException) as error:
            raise InputError(
                f"Item {number} of the iterator is a {type(frame).__name__}, not a data frame ({error}).",
                hint="Pass an iterator of data frames, dicts of columns or Arrow tables.",
            ) from None


def _batches(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    yield from first.to_batches()
    for number, table in enumerate(rest, start=1):
        if table.schema.names != first.schema.names:
            raise InputError(
                f"Frame {number} of the iterator has other columns than the first one.",
                hint="Use frames with the same columns.",
            )
        try:
            yield from table.cast(first.schema).to_batches()
        except (ValueError, TypeError) as error:
            raise InputError(f"Frame {number} of the iterator has other types than the first one: {error}.") from None
