"""`estimate`: the memory and the disk that growing needs, in memory and from files, before anything is read."""

from __future__ import annotations

import dataclasses
import os

from hornbeam.ensembles.methods.boosting import boosting_bytes
from hornbeam.errors import OptionError
from hornbeam.growing.memory import tree_bytes
from hornbeam.scale.boost_states import state_bytes
from hornbeam.scale.dataset import Dataset
from hornbeam.scale.memory_limit import MIN_LIMIT, sample_bytes
from hornbeam.scale.prepare import BINS_SAMPLE
from hornbeam.scale.sources.database import database_source
from hornbeam.scale.sources.parquet import parquet_source
from hornbeam.table.column import Kind
from hornbeam.table.memory import available_bytes, format_bytes
from hornbeam.table.readers import csv, csv_layout
from hornbeam.table.table import Table

_HEAD = 1 << 20
_ROWS_PER_LEAF = 10


@dataclasses.dataclass(frozen=True)
class Estimate:
    """The expected sizes in bytes; `is_exact` states whether the number of rows is known and not estimated."""

    n_rows: int
    n_columns: int
    is_exact: bool
    in_memory: int
    min_memory: int
    disk: int
    available: int

    @property
    def fits_memory(self) -> bool:
        """Whether growth in memory is expected to fit."""
        return self.in_memory <= self.available

    def __str__(self) -> str:
        about = "" if self.is_exact else "about "
        advice = "fits" if self.fits_memory else "does not fit: grow with memory="
        return "\n".join(
            [
                f"rows          {about}{self.n_rows:,} x {self.n_columns} columns",
                f"in memory     {format_bytes(self.in_memory)} of {format_bytes(self.available)} available: {advice}",
                f"from files    {format_bytes(self.disk)} of disk; memory= at least {format_bytes(self.min_memory)}",
            ]
        )


def estimate(
    source: object, target: str | None = None, *, bins_sample: int = BINS_SAMPLE, is_boosted: bool = False
) -> Estimate:
    """The sizes of growing from a source: a path, a pattern, a list of files or a `Dataset`.

    Only the footers of Parquet files and the first lines of CSV files are read. The disk is that of the bins, one or
    two bytes per value, and for CSV files and DuckDB tables also that of their columns. Boosting also keeps scores and
    gradients: 28 bytes per row, for two classes or numbers; three or more classes, which are not known here, add 8
    bytes per row each, and 8 more.
    """
    dataset = source if isinstance(source, Dataset) else Dataset(source, target)
    n_rows, types, is_exact, spool = _shape(dataset)
    n_text = sum(types[name] == "text" for name in types if name not in (dataset.target, *dataset.drop))
    n_columns = len(types)
    if is_boosted:
        memory = n_rows * n_columns * 8 + boosting_bytes(n_rows, n_columns - 1, 1)
    else:
        memory = n_rows * n_columns * 8 + tree_bytes(n_rows, n_columns, n_rows / _ROWS_PER_LEAF)
    least = _min_memory(n_rows, n_columns, bins_sample)
    n_used = sum(name not in (dataset.target, *dataset.drop) for name in types)
    disk = _bins_bytes(n_rows, n_used, n_text) + spool + (state_bytes(n_rows, 1) if is_boosted else 0)
    return Estimate(n_rows, n_columns, is_exact, memory, least, disk, available_bytes())


def estimate_of_table(table: Table, in_memory: int, *, is_boosted: bool = False) -> Estimate:
    """The sizes of growing from a table in memory, and from files with the same rows."""
    n_rows, n_used = len(table), len(table.columns)
    n_columns = n_used + (table.target is not None)
    disk = _bins_bytes(n_rows, n_used, sum(column.kind is not Kind.NUMERIC for column in table.columns))
    if is_boosted:
        n_classes = len(table.target.levels) if table.target is not None and table.target.has_levels else 0
        disk += state_bytes(n_rows, n_classes if n_classes > 2 else 1)
    least = _min_memory(n_rows, n_columns, BINS_SAMPLE)
    return Estimate(n_rows, n_columns, True, in_memory, least, disk, available_bytes())


def _min_memory(n_rows: int, n_columns: int, bins_sample: int) -> int:
    return max(MIN_LIMIT, 2 * sample_bytes(n_columns, min(bins_sample, n_rows)))


def _bins_bytes(n_rows: int, n_columns: int, n_text: int) -> int:
    """One byte per value, two per text, eight per row for the target and its node."""
    return n_rows * (8 + n_columns + n_text)


def column_names(dataset: Dataset) -> tuple[str, ...]:
    """The names of the columns of a dataset, from footers and first lines."""
    return tuple(_shape(dataset)[1])


def _shape(dataset: Dataset) -> tuple[int, dict[str, str], bool, int]:
    """The number of rows, the types of the columns, whether the number is exact, and the bytes of a copy of them."""
    found = dataset.format()
    paths = dataset.paths()
    if found == "parquet":
        source = parquet_source(paths)
        return source.n_rows, source.types, True, 0
    size = sum(os.path.getsize(os.path.expanduser(path.partition("::")[0])) for path in paths)
    if found == "database":
        table = database_source(paths[0])
        return table.n_rows, dict.fromkeys(table.names, "text"), True, size
    if found == "stream":
        raise OptionError("The size of a stream is unknown before it is read.", option="source")
    return _csv_shape(dataset, paths[0], size)


def _csv_shape(dataset: Dataset, path: str, size: int) -> tuple[int, dict[str, str], bool, int]:
    with csv.as_utf8(path, dataset.settings.get("encoding"), fits_memory=False) as (local, _, _):
        given = {name: dataset.settings.get(name) for name in ("delimiter", "header", "decimal", "thousands")}
        layout = csv_layout.find_layout(path, local, **given, na_values=())
        with local.open("rb") as file:
            head = file.read(_HEAD)
    lines = max(head.count(b"\n") - layout.has_header, 1)
    n_rows = lines if len(head) == size else int(size / len(head) * lines)
    types = {name: "numeric" if mark else "text" for name, mark in zip(layout.names, layout.decimals)}
    return n_rows, types, len(head) == size, size
