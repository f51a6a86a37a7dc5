"""The held-out rows of a table, in batches: pruning chooses the size of the tree on them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from hornbeam.scale.code_values import Coder
from hornbeam.scale.first_pass import Roles, read_cells
from hornbeam.scale.plan import ColumnPlan, TablePlan
from hornbeam.scale.sources.parquet import ParquetSource
from hornbeam.scale.summaries import numbers_of
from hornbeam.table.column import MISSING, Column
from hornbeam.table.raw import RawColumn
from hornbeam.table.table import Table


def held_out_tables(source: ParquetSource, roles: Roles, plan: TablePlan, batch_rows: int) -> Iterator[Table]:
    """The rows that are not used to grow, in batches, with the kinds and levels of the plan."""
    plans = [*plan.columns, plan.target]
    for piece in source.pieces:
        for cells in read_cells(piece, roles, batch_rows):
            rows = np.flatnonzero(cells.is_held_out)
            if not len(rows):
                continue
            columns = [_column(column, _values(column, cells.raw[column.spec.name])[rows]) for column in plans]
            weights = None if cells.weights is None else cells.weights[rows]
            yield Table(tuple(columns[:-1]), columns[-1], weights)


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
