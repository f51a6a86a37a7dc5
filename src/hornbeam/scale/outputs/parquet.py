"""Predictions as Parquet: by pyarrow in row groups as they arrive; without pyarrow, by DuckDB when all are there."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from hornbeam.scale.outputs.arrow_columns import arrow_table, typed_columns
from hornbeam.scale.predicted_batch import PredictedBatch
from hornbeam.table.table import Schema


class Writer:
    """Writes a Parquet file, one row group per batch."""

    def __init__(self, file: BinaryIO, schema: Schema) -> None:
        self.file = file
        self.writer: Any = None
        self.held: list[dict[str, Any]] = []

    def append(self, batch: PredictedBatch) -> None:
        """Write the rows of a batch."""
        try:
            import pyarrow.parquet
        except ImportError:
            self.held.append(typed_columns(batch))
            return
        table = arrow_table(batch)
        if self.writer is None:
            self.writer = pyarrow.parquet.ParquetWriter(self.file, table.schema)
        self.writer.write_table(table)

    def close(self) -> None:
        """Write the footer."""
        if self.writer is not None:
            self.writer.close()
        elif self.held:
            columns = {name: np.concatenate([each[name] for each in self.held]) for name in self.held[0]}
            self.file.write(_by_duckdb(columns))


def _by_duckdb(columns: dict[str, Any]) -> bytes:
    import duckdb

    with tempfile.TemporaryDirectory() as folder, duckdb.connect(":memory:") as connection:
        path = Path(folder) / "predictions.parquet"
        connection.register("predictions", columns)
        connection.execute(f"COPY predictions TO '{path}' (FORMAT PARQUET)")
        return path.read_bytes()
