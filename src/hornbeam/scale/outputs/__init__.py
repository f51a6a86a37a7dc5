"""Files of predictions, written in batches: one format per file; `FORMATS` lists them by suffix.

writer = writer_of("parquet", file, schema)
writer.append(batch)        any number of times
writer.close()              writes what the format has at its end
"""

from __future__ import annotations

import importlib
from typing import Any, BinaryIO, Protocol

from hornbeam.scale.predicted_batch import PredictedBatch
from hornbeam.table.table import Schema

FORMATS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".pq": "parquet"} | {
    ".arrow": "arrow",
    ".feather": "arrow",
}


class BatchWriter(Protocol):
    """Writes batches of predictions to an open file."""

    def append(self, batch: PredictedBatch) -> None:
        """Write the rows of a batch."""

    def close(self) -> None:
        """Write the end of the file; the file stays open."""


def writer_of(format_name: str, file: BinaryIO, schema: Schema, *, for_spreadsheet: bool = False) -> BatchWriter:
    """The writer of a format; `for_spreadsheet` applies to CSV."""
    module = importlib.import_module(f"hornbeam.scale.outputs.{format_name}")
    settings: dict[str, Any] = {"for_spreadsheet": for_spreadsheet} if format_name == "csv" else {}
    writer: BatchWriter = module.Writer(file, schema, **settings)
    return writer
