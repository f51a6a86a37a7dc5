"""The first pass over a table: a summary of every column and a sample of rows, per piece, merged in any order."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, short_repr
from hornbeam.scale.binned import Floats
from hornbeam.scale.exact_sum import ExactSum
from hornbeam.scale.row_hash import HELD_OUT, SAMPLE, chosen_rows
from hornbeam.scale.row_sample import RowSample, SampledRows
from hornbeam.scale.sources import SourcePiece
from hornbeam.scale.summaries import MAX_LEVELS, LevelSummary, NumberSummary, Summary, numbers_of
from hornbeam.table.coding import value_types
from hornbeam.table.column import Kind
from hornbeam.table.conversion import mark_missing
from hornbeam.table.kinds import requested_kind
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.readers import frames
from hornbeam.table.weights import checked_weights

NUMBERS = ("numeric", "a date", "a duration", "null")


@dataclasses.dataclass(frozen=True)
class Roles:
    """The columns of a table by their role, and the settings of the passes over it."""

    predictors: tuple[str, ...]
    target: str
    weights: str | None
    types: dict[str, str]  # by name: numeric, text, ...
    kinds: dict[str, Any]  # requested
    na_values: tuple[str, ...]
    bins: int
    sample_rows: int
    sample_fraction: float  # of the rows that may belong to the sample
    held_out: float  # fraction of the rows
    complete_rows: bool = False  # whether rows with a missing value are excluded from growth

    @property
    def names(self) -> list[str]:
        """The columns that are read."""
        return [*self.predictors, self.target, *([self.weights] if self.weights else [])]

    def is_numeric(self, name: str) -> bool:
        """Whether the values of a column are numbers in the source."""
        return self.types[name] in NUMBERS

    def max_distinct(self, name: str) -> int:
        """The number of distinct numbers of a column that are recorded."""
        return MAX_LEVELS if self.may_have_levels(name) else self.bins

    def may_have_levels(self, name: str) -> bool:
        """Whether the values of a column, or its numbers, may become levels."""
        kind = requested_kind(name, self.kinds.get(name)).kind
        return name == self.target or not self.is_numeric(name) or kind in (Kind.NOMINAL, Kind.ORDINAL)


@dataclasses.dataclass
class Cells:
    """The used rows of a batch: columns, target and weights, the number of each row in the table; `is_held_out`.

    Incomplete rows are those that growth excludes. `unused` are the columns of rows without a target or a weight, whose
    levels belong to the table.
    """

    raw: dict[str, RawColumn]
    unused: dict[str, RawColumn]
    rows: npt.NDArray[np.int64]
    weights: Floats | None
    is_held_out: npt.NDArray[np.bool_]
    is_incomplete: npt.NDArray[np.bool_] | None
    n_without_target: int
    n_without_weight: int

    @property
    def grown(self) -> Any:
        """The rows that growth uses, as an index."""
        if self.is_incomplete is None:
            return np.flatnonzero(~self.is_held_out) if self.is_held_out.any() else slice(None)
        return np.flatnonzero(~(self.is_held_out | self.is_incomplete))

    def numbers(self, name: str, chosen: Any) -> Floats:
        """The numbers of a column for some of the rows."""
        found: Floats = numbers_of(self.raw[name])[chosen]
        return found


def read_cells(piece: SourcePiece, roles: Roles, n_rows: int) -> Iterator[Cells]:
    """The used rows of a piece in batches: those with a target and a weight above 0."""
    first_row = piece.first_row
    for table in piece.batches(roles.names, n_rows):
        raw = frames.raw(table)
        try:
            yield _cells(raw, roles, first_row)
        except InputError as error:
            raise InputError(f"{piece.label}: {error.message}", **error.remedy, **error.details) from None
        first_row += len(raw)


def _cells(raw: RawTable, roles: Roles, first_row: int) -> Cells:
    by_name = {column.name: _marked(column, roles) for column in raw.columns}
    target = by_name[roles.target]
    has_target = ~np.isnan(numbers_of(target)) if roles.is_numeric(roles.target) else _codes(target) >= 0
    used = has_target
    weights = None
    if roles.weights is not None:
        weights = _weights(numbers_of(by_name[roles.weights]), first_row)
        used = has_target & (weights > 0)
    places = np.flatnonzero(used)
    n_without = int(len(raw) - has_target.sum())
    unused: dict[str, RawColumn] = {}
    if len(places) < len(raw):
        others = np.flatnonzero(~used)
        with_levels = [name for name in (*roles.predictors, roles.target) if roles.may_have_levels(name)]
        unused = {name: _take(by_name[name], others) for name in with_levels}
        by_name = {name: _take(column, places) for name, column in by_name.items()}
        weights = weights[places] if weights is not None else None
    rows = places + first_row
    is_held_out = np.zeros(len(rows), dtype=np.bool_)
    is_held_out[chosen_rows(HELD_OUT, rows, roles.held_out)[0]] = True
    is_incomplete = _incomplete(by_name, roles, len(rows)) if roles.complete_rows else None
    n_without_weight = len(raw) - n_without - len(rows)
    return Cells(by_name, unused, rows, weights, is_held_out, is_incomplete, n_without, n_without_weight)


def _incomplete(by_name: dict[str, RawColumn], roles: Roles, n_rows: int) -> npt.NDArray[np.bool_]:
    """Whether a predictor of the row is missing."""
    found = np.zeros(n_rows, dtype=bool)
    for name in roles.predictors:
        found |= np.isnan(numbers_of(by_name[name])) if roles.is_numeric(name) else _codes(by_name[name]) < 0
    return found


def _weights(values: Floats, first_row: int) -> Floats:
    is_wrong = ~(np.isfinite(values) & (values >= 0))
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        raise InputError(
            f"The weight of row {row + first_row} must be finite and at least 0, got {short_repr(float(values[row]))}.",
            row=row + first_row,
        )
    return checked_weights(values, len(values)) if values.any() else values


def _marked(column: RawColumn, roles: Roles) -> RawColumn:
    """The column with the texts of `na_values` as missing."""
    return column if column.numbers is not None else mark_missing(column, roles.na_values)


def _codes(column: RawColumn) -> npt.NDArray[np.int32]:
    assert column.codes is not None
    return column.codes


def _take(column: RawColumn, rows: npt.NDArray[np.int64]) -> RawColumn:
    if column.numbers is not None:
        return dataclasses.replace(column, numbers=column.numbers[rows])
    return dataclasses.replace(column, codes=_codes(column)[rows])


@dataclasses.dataclass
class TableSummary:
    """What the first pass records of the used rows of a table, or of a piece; the sample has no held-out rows."""

    columns: dict[str, Summary]
    sample: RowSample
    n_rows: int = 0  # used rows that are not held out
    n_held_out: int = 0
    n_incomplete: int = 0
    n_without_target: int = 0
    n_without_weight: int = 0
    weight: ExactSum = dataclasses.field(default_factory=ExactSum)
    minimum: float = np.inf  # of a numeric target, in the rows that growth uses
    maximum: float = -np.inf

    def merge(self, other: TableSummary) -> None:
        """Add the rows of another summary."""
        for name, summary in self.columns.items():
            summary.merge(other.columns[name])  # type: ignore[arg-type]
        self.sample.merge(other.sample)
        self.n_rows += other.n_rows
        self.n_held_out += other.n_held_out
        self.n_incomplete += other.n_incomplete
        self.minimum, self.maximum = min(self.minimum, other.minimum), max(self.maximum, other.maximum)
        self.n_without_target += other.n_without_target
        self.n_without_weight += other.n_without_weight
        self.weight.merge(other.weight)


def empty_summary(roles: Roles) -> TableSummary:
    """The summary of no rows."""
    names = [*roles.predictors, roles.target]
    columns: dict[str, Summary] = {
        name: NumberSummary(roles.max_distinct(name)) if roles.is_numeric(name) else LevelSummary() for name in names
    }
    return TableSummary(columns, RowSample(roles.sample_rows, len(names)))


def summarize_piece(piece: SourcePiece, roles: Roles, batch_rows: int) -> TableSummary:
    """The summary of one piece."""
    summary = empty_summary(roles)
    for cells in read_cells(piece, roles, batch_rows):
        _add(summary, cells, roles, piece)
    return summary


def _add(summary: TableSummary, cells: Cells, roles: Roles, piece: SourcePiece) -> None:
    chosen = cells.grown
    rows = cells.rows[chosen]
    for name, of_column in summary.columns.items():
        if isinstance(of_column, NumberSummary):
            values = cells.numbers(name, slice(None))
            of_column.add(values)
            if of_column.is_infinite:
                raise _infinite(name, values, cells.rows, piece)
            of_column.is_rounded = of_column.is_rounded or cells.raw[name].numbers is None
        else:
            _check_types(name, cells.raw[name], piece)
            of_column.add(_codes(cells.raw[name]), cells.raw[name].distinct)
    for name, column in cells.unused.items():
        found = summary.columns[name]
        if isinstance(found, NumberSummary):
            found.add_levels(numbers_of(column))
        else:
            found.add_levels(_codes(column), column.distinct)
    summary.n_rows += len(rows)
    n_held_out = int(cells.is_held_out.sum())
    summary.n_held_out += n_held_out
    summary.n_incomplete += len(cells.rows) - len(rows) - n_held_out
    if roles.is_numeric(roles.target) and len(rows):
        target = cells.numbers(roles.target, chosen)
        summary.minimum = min(summary.minimum, float(target.min()))
        summary.maximum = max(summary.maximum, float(target.max()))
    summary.n_without_target += cells.n_without_target
    summary.n_without_weight += cells.n_without_weight
    if cells.weights is not None:
        summary.weight.add(cells.weights[chosen])
    _add_sample(summary, cells, roles, chosen)


def _add_sample(summary: TableSummary, cells: Cells, roles: Roles, chosen: Any) -> None:
    rows = cells.rows[chosen]
    taken, hashes = chosen_rows(SAMPLE, rows, roles.sample_fraction)
    if not len(taken):
        return
    places = taken if isinstance(chosen, slice) else chosen[taken]
    values = [_sampled(cells.raw[name], roles.is_numeric(name), places) for name in summary.columns]
    weights = np.ones(len(taken)) if cells.weights is None else cells.weights[places]
    summary.sample.add(SampledRows(hashes, rows[taken], weights, values))


def _sampled(column: RawColumn, is_numeric: bool, places: npt.NDArray[np.intp]) -> Floats:
    """The values at some places; a text is represented by a hash, which shows whether texts repeat."""
    if is_numeric:
        found: Floats = numbers_of(column)[places]
        return found
    used, inverse = np.unique(_codes(column)[places], return_inverse=True)
    hashes = [np.nan if code < 0 else float(zlib.crc32(repr(column.distinct[code]).encode())) for code in used.tolist()]
    return np.array(hashes)[inverse]


def _infinite(name: str, values: Floats, rows: npt.NDArray[np.int64], piece: SourcePiece) -> InputError:
    at = int(np.argmax(np.isinf(values)))
    return InputError(
        f"{piece.label}: column {short_repr(name)}, row {rows[at]}, must be finite, got {values[at]}.",
        hint="Replace it with a missing value.",
        column=name,
        row=int(rows[at]),
        path=piece.path,
    )


def _check_types(name: str, column: RawColumn, piece: SourcePiece) -> None:
    types = value_types(column.distinct)
    if len(types) > 1:
        raise InputError(f"{piece.label}: column {short_repr(name)} mixes {' and '.join(sorted(types))}.", column=name)
