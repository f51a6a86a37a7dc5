"""The held-out rows of a table, in batches: pruning chooses the size of the tree on them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from hornbeam.scale.cluster_source import ClusterSource
from hornbeam.scale.code_values import Coder
from hornbeam.scale.first_pass import Roles, read_cells
from hornbeam.scale.plan import ColumnPlan, TablePlan
from hornbeam.scale.sources import SourcePiece
from hornbeam.scale.sources.parquet import ParquetSource
from hornbeam.scale.summaries import numbers_of
from hornbeam.table.column import MISSING, Column
from hornbeam.table.raw import RawColumn
from hornbeam.table.table import Table

Arrays = list[npt.NDArray[np.float64]]


def held_out_tables(
    source: ParquetSource | ClusterSource, roles: Roles, plan: TablePlan, batch_rows: int
) -> Iterator[Table]:
    """The rows that are not used to grow, in batches, with the kinds and levels of the plan."""
    if isinstance(source, ClusterSource):
        for _, arrays in source.each(held_out_rows, roles, plan, batch_rows):
            if len(arrays[0]):
                yield _table(plan, arrays)
        return
    for piece in source.pieces:
        for arrays in _batches(piece, roles, plan, batch_rows):
            yield _table(plan, arrays)


def held_out_rows(piece: SourcePiece, roles: Roles, plan: TablePlan, batch_rows: int) -> Arrays:
    """The columns, the target and the weights, if there are any, of the held-out rows of a piece."""
    none = [np.zeros(0)] * (len(plan.columns) + 1 + plan.has_weights)
    batches = [none, *_batches(piece, roles, plan, batch_rows)]
    return [np.concatenate(parts) for parts in zip(*batches, strict=True)]


def _batches(piece: SourcePiece, roles: Roles, plan: TablePlan, batch_rows: int) -> Iterator[Arrays]:
    for cells in read_cells(piece, roles, batch_rows):
        rows = np.flatnonzero(cells.is_held_out)
        if len(rows):
            found = [_values(column, cells.raw[column.spec.name])[rows] for column in (*plan.columns, plan.target)]
            yield found if cells.weights is None else [*found, cells.weights[rows]]


def _table(plan: TablePlan, arrays: Arrays) -> Table:
    plans = [*plan.columns, plan.target]
    columns = [_column(column, values) for column, values in zip(plans, arrays)]
    return Table(tuple(columns[:-1]), columns[-1], arrays[-1] if len(arrays) > len(plans) else None)


def _values(plan: ColumnPlan, raw: RawColumn) -> npt.NDArray[np.float64]:
    if not plan.spec.has_levels:
        return numbers_of(raw)
    coder = Coder(plan, np.int32)
    codes = coder.code(raw).astype(np.float64)
    codes[codes == coder.missing] = MISSING
    return codes


def _column(plan: ColumnPlan, values: npt.NDArray[np.float64]) -> Column:
    spec = plan.spec
    return Column(spec.name, spec.kind, values, spec.levels, text_format=spec.text_format)
