"""Predictions as an Arrow file (Feather version 2); requires pyarrow."""

from __future__ import annotations

from typing import Any, BinaryIO

from hornbeam.scale.outputs.arrow_columns import arrow_table, import_pyarrow
from hornbeam.scale.predicted_batch import PredictedBatch
from hornbeam.table.table import Schema


class Writer:
    """Writes an Arrow file, one record batch per batch of predictions."""

    def __init__(self, file: BinaryIO, schema: Schema) -> None:
        import_pyarrow("Writing an Arrow file")
        self.file = file
        self.writer: Any = None

    def append(self, batch: PredictedBatch) -> None:
        """Write the rows of a batch."""
        import pyarrow

        table = arrow_table(batch)
        if self.writer is None:
            compression = "lz4" if pyarrow.Codec.is_available("lz4_frame") else None
            options = pyarrow.ipc.IpcWriteOptions(compression=compression)
            self.writer = pyarrow.ipc.new_file(self.file, table.schema, options=options)
        self.writer.write_table(table)

    def close(self) -> None:
        """Write the footer."""
        if self.writer is not None:
            self.writer.close()
