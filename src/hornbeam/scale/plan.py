"""The plan of the second pass: how every value of a table becomes a code; decided from the summary of the first pass.

numbers   bins: the values themselves if they are few, else of about equal weight in the sample (as `binned_cuts`)
levels    one code per level; the same kinds and levels as `read` decides
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, Set, short_repr
from hornbeam.growing.sample import exact_weights
from hornbeam.parts.searches.sorted_cuts import midpoint
from hornbeam.scale.binned import BinnedColumn, BinnedTarget, Floats
from hornbeam.scale.first_pass import Roles, TableSummary
from hornbeam.scale.sample_bins import sample_bins
from hornbeam.scale.summaries import MAX_LEVELS, LevelSummary, NumberSummary
from hornbeam.table.column import Column, ColumnSpec, Kind
from hornbeam.table.file_rules.targets import inferred_kind
from hornbeam.table.kinds import decide_kind, requested_kind
from hornbeam.table.notes import Note, NoteCode
from hornbeam.table.raw import RawColumn
from hornbeam.table.read import without_unused_levels
from hornbeam.table.remarks import ALL_MISSING, AN_ID, CONSTANT, FREE_TEXT, is_id_name, remarks_on_levels
from hornbeam.table.text_format import ISO_DATE, ISO_TIME, TextFormat

_MIN_ID_ROWS = 10
_NEARLY_ALL = 0.9


@dataclasses.dataclass(frozen=True, eq=False)
class ColumnPlan:
    """A column: its description, its bins, and for levels the code of every value of the source."""

    spec: ColumnSpec
    low: Floats
    high: Floats
    values: tuple[Any, ...] = ()  # of the source; empty for a column of numbers
    codes: tuple[int, ...] = ()
    n_missing: int = 0
    notes: tuple[str, ...] = ()
    middle: Floats | None = None  # the mean of the sampled values of every bin; None if every bin is one value

    @property
    def cuts(self) -> Floats:
        """The boundaries of the bins: a value belongs to the bin whose number is the number of cuts below it."""
        pairs = zip(self.high[:-1].tolist(), self.low[1:].tolist())
        return np.array([midpoint(high, low) for high, low in pairs])

    @property
    def binned(self) -> BinnedColumn:
        """The column as the grower receives it."""
        return BinnedColumn(self.spec.name, self.spec.kind, self.spec.levels, self.low, self.high, self.middle)


@dataclasses.dataclass(frozen=True, eq=False)
class TablePlan:
    """The columns of a table and its target."""

    columns: tuple[ColumnPlan, ...]
    target: ColumnPlan
    minimum: float
    maximum: float
    n_rows: int
    n_held_out: int
    total_weight: float
    has_weights: bool
    notes: tuple[str, ...]

    @property
    def binned_target(self) -> BinnedTarget:
        """The target as the grower receives it."""
        spec = self.target.spec
        return BinnedTarget(spec.name, spec.kind, spec.levels, self.minimum, self.maximum)

    @property
    def row_bytes(self) -> int:
        """The bytes per row of the codes, the target and the weights."""
        codes = sum(np.dtype(column.binned.dtype).itemsize for column in self.columns)
        return codes + (2 if self.target.spec.has_levels else 8) + (8 if self.has_weights else 0)


def plan_table(summary: TableSummary, roles: Roles, formats: dict[str, TextFormat], keep_ids: bool) -> TablePlan:
    """The plan of a table; `formats` are those of columns that a text file has."""
    if not summary.n_rows:
        if summary.n_incomplete:
            raise InputError(
                f"Missing-value strategy 'drop_rows' requires complete rows, but all {summary.n_incomplete:,} have "
                "missing values.",
                fix=Set("missing", "skip_column"),
                hint="or drop the columns that are mostly missing.",
            )
        raise InputError("The table has no rows with a target and a weight above 0.")
    planner = _Planner(summary, roles, formats)
    target, minimum, maximum = planner.target()
    columns, notes = planner.predictors(keep_ids)
    if summary.n_without_target:
        notes.append(f"{summary.n_without_target} row(s) with a missing target dropped")
    if summary.n_without_weight:
        notes.append(f"{summary.n_without_weight} row(s) with weight zero are ignored")
    if summary.n_incomplete:
        n_all = summary.n_rows + summary.n_incomplete
        notes.append(f"{summary.n_incomplete} of {n_all} rows with missing values were excluded.")
    has_weights = roles.weights is not None
    return TablePlan(
        columns=tuple(columns),
        target=target,
        minimum=minimum,
        maximum=maximum,
        n_rows=summary.n_rows,
        n_held_out=summary.n_held_out,
        total_weight=summary.weight.value() if has_weights else float(summary.n_rows),
        has_weights=has_weights,
        notes=tuple(notes),
    )


class _Planner:
    """Decides the kinds, levels and bins of the columns of one table."""

    def __init__(self, summary: TableSummary, roles: Roles, formats: dict[str, TextFormat]) -> None:
        self.summary = summary
        self.roles = roles
        self.formats = formats
        self.sample = summary.sample.in_order()
        self.n_rows = summary.n_rows + summary.n_held_out + summary.n_incomplete
        self.positions = {name: position for position, name in enumerate(summary.columns)}
        self.weights = exact_weights(self.sample.weights) if roles.weights else self.sample.weights

    def predictors(self, keep_ids: bool) -> tuple[list[ColumnPlan], list[str]]:
        """The plans of the predictors, and notes about excluded columns."""
        found: list[ColumnPlan] = []
        notes: list[str] = []
        for name in self.roles.predictors:
            reason = "" if keep_ids or name in self.roles.kinds else self._id_reason(name)
            if reason:
                text = f"column {short_repr(name)} is excluded: {reason}"
                notes.append(Note(text, NoteCode.LEFT_OUT, Set("keep_ids", True, "keeps it")))
            else:
                found.append(self._column(name))
        if not found:
            raise InputError(
                "Every predictor looks like an id or free text.", fix=Set("keep_ids", True), hint="or add columns."
            )
        return found, notes

    def _id_reason(self, name: str) -> str:
        """Why a column looks like an id or free text; empty if it does not."""
        of_column = self.summary.columns[name]
        n_rows = self.n_rows
        if isinstance(of_column, LevelSummary) and of_column.counts is not None:
            remarks = remarks_on_levels(name, tuple(of_column.counts), of_column.n_known, n_rows)
            n_levels = f" ({len(of_column.counts):,} different values in {n_rows:,} rows)"
            reasons = {AN_ID: "it looks like an id" + n_levels, FREE_TEXT: "it is free text" + n_levels}
            return next((reasons[each] for each in remarks if each in reasons), "")
        if isinstance(of_column, LevelSummary) or of_column.is_rounded:
            is_id = self._different(name) >= _NEARLY_ALL
            return f"it looks like an id (more than {MAX_LEVELS:,} different values)" if is_id else ""
        is_integer = of_column.is_integer and of_column.n_missing == 0 and n_rows >= _MIN_ID_ROWS
        if is_integer and is_id_name(name) and of_column.maximum - of_column.minimum >= n_rows - 1:
            return "it looks like an id" if self._different(name) == 1 else ""
        return ""

    def _different(self, name: str) -> float:
        """The number of different values of the sample, as a fraction of its values."""
        sampled = self.sample.column(self.positions[name])
        known = sampled[~np.isnan(sampled)]
        return len(np.unique(known)) / len(known) if len(known) else 1.0

    def _column(self, name: str) -> ColumnPlan:
        of_column, request = self.summary.columns[name], requested_kind(name, self.roles.kinds.get(name))
        is_idle = of_column.n_known == 0
        if isinstance(of_column, NumberSummary):
            if request.kind not in (Kind.NOMINAL, Kind.ORDINAL):
                return self._numbers(name, of_column)
            column, values = self._number_levels(name, of_column, request)
        else:
            column, values = self._levels(name, of_column)
            is_idle = is_idle or (len(values) == 1 and of_column.n_missing == 0)
        notes = remarks_on_levels(name, values, of_column.n_known, self.n_rows)
        spec = ColumnSpec(name, column.kind, column.levels, is_idle)
        codes = np.arange(len(column.levels), dtype=np.float64)
        kept = tuple(note for note in notes if note not in (AN_ID, FREE_TEXT))
        return ColumnPlan(spec, codes, codes, values, tuple(column.values.tolist()), of_column.n_missing, kept)

    def _numbers(self, name: str, of_column: NumberSummary) -> ColumnPlan:
        if of_column.is_rounded:
            raise InputError(
                f"Column {short_repr(name)} contains integers too large for float64.",
                fix=Set("drop", [name]),
                hint="or store them as text, or subtract an offset.",
                column=name,
            )
        low, high, middle = self._bins(name, of_column)
        is_idle = of_column.n_known == 0 or (of_column.n_missing == 0 and of_column.minimum == of_column.maximum)
        notes = (ALL_MISSING,) if not of_column.n_known else (CONSTANT,) if len(low) == 1 else ()
        spec = ColumnSpec(name, Kind.NUMERIC, (), is_idle, self._format(name, of_column))
        return ColumnPlan(spec, low, high, n_missing=of_column.n_missing, notes=notes, middle=middle)

    def _format(self, name: str, of_column: NumberSummary) -> TextFormat | None:
        if self.roles.types[name] == "a date":
            return TextFormat(date=ISO_DATE if of_column.is_integer else ISO_TIME)
        return self.formats.get(name)

    def _bins(self, name: str, of_column: NumberSummary) -> tuple[Floats, Floats, Floats | None]:
        """The smallest and the largest value of every bin, and the mean of its sampled values if there are several."""
        if of_column.distinct is not None and len(of_column.distinct) <= self.roles.bins:
            return of_column.distinct, of_column.distinct, None
        sampled = self.sample.column(self.positions[name])
        n_known = len(sampled) - np.count_nonzero(np.isnan(sampled))
        # Missing values are at the end. Equal values keep their order, and so the sums of their weights.
        if self.roles.weights is None:
            return sample_bins(np.sort(sampled)[:n_known], None, self.roles.bins)
        order = np.argsort(sampled, kind="stable")[:n_known]
        return sample_bins(sampled[order], self.weights[order], self.roles.bins)

    def _number_levels(self, name: str, of_column: NumberSummary, request: Any) -> tuple[Column, tuple[Any, ...]]:
        """A numeric column whose numbers are levels."""
        if of_column.distinct is None or of_column.is_rounded:
            raise _too_many_levels(name)
        if self.roles.types[name] == "a date":
            raise InputError(
                f"Column {short_repr(name)} contains dates.", hint="Store them as text to use them as levels."
            )
        raw = RawColumn(name, numbers=of_column.distinct)
        return decide_kind(raw, self.roles.kinds.get(name) or request), tuple(of_column.distinct.tolist())

    def _levels(self, name: str, of_column: LevelSummary) -> tuple[Column, tuple[Any, ...]]:
        if of_column.counts is None:
            raise _too_many_levels(name)
        values = tuple(sorted(of_column.counts, key=repr))
        raw = RawColumn(name, codes=np.arange(len(values), dtype=np.int32), distinct=values)
        kind = self.roles.kinds.get(name)
        if requested_kind(name, kind).kind is Kind.NUMERIC:
            raise InputError(
                f"Column {short_repr(name)} contains {self.roles.types[name]} values and cannot be numeric.",
                hint="Store it as numbers or dates in the file.",
                column=name,
            )
        column = decide_kind(raw, kind)
        return column, values

    def target(self) -> tuple[ColumnPlan, float, float]:
        """The plan of the target, its minimum and its maximum."""
        name = self.roles.target
        of_column, kind = self.summary.columns[name], self.roles.kinds.get(name)
        notes: tuple[str, ...] = ()
        if isinstance(of_column, NumberSummary):
            if kind is None:
                kind, notes = inferred_kind(self._target_values(name, of_column))
            if requested_kind(name, kind).kind in (None, Kind.NUMERIC):
                self._reject_id(name, of_column)
                spec = ColumnSpec(name, Kind.NUMERIC, (), text_format=self._format(name, of_column))
                found = ColumnPlan(spec, np.empty(0), np.empty(0), notes=notes)
                return found, self.summary.minimum, self.summary.maximum
            if of_column.distinct is None:
                raise _too_many_levels(name)
            raw = RawColumn(name, numbers=of_column.distinct)
            values: tuple[Any, ...] = tuple(of_column.distinct.tolist())
            column = decide_kind(raw, kind)
        else:
            column, values = self._levels(name, of_column)
            raw = RawColumn(name, codes=column.values, distinct=values)
        column = without_unused_levels(column, raw)
        levels = np.arange(len(column.levels), dtype=np.float64)
        spec = ColumnSpec(name, column.kind, column.levels)
        return ColumnPlan(spec, levels, levels, values, tuple(column.values.tolist()), notes=notes), 0.0, 0.0

    def _target_values(self, name: str, of_column: NumberSummary) -> RawColumn:
        """Values that show the type of a numeric target: all distinct ones, or three of them."""
        if of_column.distinct is not None:
            return RawColumn(name, numbers=of_column.distinct)
        sampled = self.sample.column(self.positions[name])
        between = sampled[(sampled > of_column.minimum) & (sampled < of_column.maximum)][:1]
        other = of_column.minimum + (0.0 if of_column.is_integer else 0.5)
        return RawColumn(name, numbers=np.array([of_column.minimum, of_column.maximum, *between, other]))

    def _reject_id(self, name: str, of_column: NumberSummary) -> None:
        """Raise an error if a numeric target without a requested kind looks like an id."""
        sampled = self.sample.column(self.positions[name])
        extent, n_rows = of_column.maximum - of_column.minimum, self.n_rows
        is_dense = _NEARLY_ALL * n_rows - 1 <= extent < 1.5 * n_rows
        is_like_id = of_column.is_integer and (is_dense or (is_id_name(name) and extent >= n_rows - 1))
        if name in self.roles.kinds or self.roles.types[name] != "numeric" or n_rows < 20 or not is_like_id:
            return
        if len(np.unique(sampled)) >= _NEARLY_ALL * len(sampled):
            raise InputError(
                f"The target {short_repr(name)} looks like an id: nearly every row has a different value.",
                fix=Set("kinds", {name: "numeric"}, "to predict it nevertheless"),
                hint="or choose another target.",
                column=name,
                looks_like_id="numeric",
            )


def _too_many_levels(name: str) -> OptionError:
    return OptionError(
        f"Column {short_repr(name)} has more than {MAX_LEVELS:,} different values, too many for levels.",
        fix=Set("drop", [name]),
        hint="or group them into fewer levels.",
        column=name,
    )
