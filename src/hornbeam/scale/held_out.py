"""The held-out rows of a table as a table in memory: pruning chooses the size of the tree on them."""

from __future__ import annotations

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


def held_out_table(source: ParquetSource | ClusterSource, roles: Roles, plan: TablePlan, batch_rows: int) -> Table:
    """The rows that are not used to grow, with the kinds and levels of the plan."""
    if isinstance(source, ClusterSource):
        found = dict(source.each(held_out_rows, roles, plan, batch_rows))
        parts = [found[number] for number in sorted(found)]
    else:
        parts = [held_out_rows(piece, roles, plan, batch_rows) for piece in source.pieces]
    arrays = [np.concatenate(each) for each in zip(*parts, strict=True)]
    plans = [*plan.columns, plan.target]
    columns = [_column(column, values) for column, values in zip(plans, arrays)]
    return Table(tuple(columns[:-1]), columns[-1], arrays[-1] if len(arrays) > len(plans) else None)


def held_out_rows(piece: SourcePiece, roles: Roles, plan: TablePlan, batch_rows: int) -> Arrays:
    """The columns, the target and the weights, if there are any, of the held-out rows of a piece."""
    plans = [*plan.columns, plan.target]
    parts: list[Arrays] = [[np.zeros(0)] for _ in range(len(plans) + plan.has_weights)]
    for cells in read_cells(piece, roles, batch_rows):
        rows = np.flatnonzero(cells.is_held_out)
        for part, column in zip(parts, plans):
            part.append(_values(column, cells.raw[column.spec.name])[rows])
        if cells.weights is not None:
            parts[-1].append(cells.weights[rows])
    return [np.concatenate(part) for part in parts]


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
