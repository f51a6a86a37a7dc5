"""The rows of the Parquet files as other libraries read them: float32 matrices, levels as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.scale_data import COLUMNS, N_LEVELS


def matrix(table) -> np.ndarray:
    """A table as a matrix."""
    out = np.empty((table.num_rows, len(COLUMNS)), dtype=np.float32)
    for position, name in enumerate(COLUMNS):
        out[:, position] = column(table, name)
    return out


def column(table, name: str) -> np.ndarray:
    """A column as float32; the level of a text is the number in it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = table.column(name)
    if name in N_LEVELS:
        coded = values.combine_chunks().dictionary_encode()
        numbers = pc.cast(pc.utf8_slice_codeunits(coded.dictionary, len(name) + 1), pa.float32()).to_numpy()
        return numbers[coded.indices.to_numpy()]
    return values.to_numpy().astype(np.float32, copy=False)


def groups(paths: list[Path]) -> Iterator[tuple]:
    """Every row group as a matrix and a target."""
    import pyarrow.parquet as pq

    for path in paths:
        file = pq.ParquetFile(path)
        for group in range(file.metadata.num_row_groups):
            table = file.read_row_group(group, use_threads=False)
            yield matrix(table), table.column("y").to_numpy().astype(np.float32)
