"""Methods that cannot be grown from pieces, each with what to use instead.

A tree is grown from sums over the rows of each piece, so every part must work on sums per bin.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hornbeam.ensembles.boosting.rows import MAX_ROWS, check_loss
from hornbeam.ensembles.methods.boosting import Boosting
from hornbeam.errors import OptionError, Set
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData
from hornbeam.parts.missing.impute import Impute
from hornbeam.scale.binned import BinnedData
from hornbeam.table.column import Column, Kind

# What to use instead of another strategy, best first.
_MISSING = ("skip_column", "learned", "own_branch", "surrogates", "impute")
_MOST_ROWS = 2**31 - 1


def check_from_pieces(method: Method, data: BinnedData, has_missing: Sequence[bool]) -> None:
    """Raise an error if the method cannot be grown from pieces."""
    for search in method.searches:
        if Kind.NUMERIC not in search.kinds:
            continue
        if search.numbers_by == "row":
            reason = "its directions need" if search.uses_many_columns else "it needs"
            _refuse(f"the search {search.name}", f"{reason} the values of rows", Set("searches", "binned_cuts"))
        if search.numbers_by == "value":
            _check_single_values(search.name, data)
    if any(has_missing) and not method.missing.uses_sums:
        column = next(c.name for c, missing in zip(data.columns, has_missing, strict=True) if missing)
        reason = f"column {column!r} has missing values"
        if method.missing.divides_rows:
            reason += ", whose rows would be in several branches"
        fix = tuple(Set("missing", name) for name in _MISSING)
        _refuse(f"the missing-value strategy {method.missing.name}", reason, fix)
    if isinstance(method.missing, Impute) and method.missing.scope == "node":
        _refuse("imputed values of each node", "they need the values of its rows", Set("impute.scope", "global"))
    for stop in method.stops:
        if stop.compares_rows:
            _refuse(f"the stop {stop.name}", "it compares single rows", ())
    if method.first_question is not None:
        _refuse("first_question", "it needs the values of rows", ())
    if data.n_rows > _MOST_ROWS:
        _refuse(f"a table of {data.n_rows:,} rows", f"at most {_MOST_ROWS:,} are counted exactly", ())


def check_prepared(start: PreparedData) -> None:
    """Raise an error if the criterion, the loss or another part is not a function of sums."""
    assert start.method.criterion is not None
    is_quantile = start.loss.predicts_quantile
    if is_quantile or start.method.criterion.needed_statistics == "distribution":
        what = f"the loss {start.loss.name}" if is_quantile else f"the criterion {start.method.criterion.name}"
        _refuse(what, "it is not a sum over rows", (Set("criterion", "squared_error"), Set("loss", "squared")))
    lacking = without_kernel(start)
    if lacking:
        _refuse(lacking, "the core has no kernel for it", ())


def check_loss_from_pieces(chosen: Boosting) -> None:
    """Raise an error if the loss of boosting is not a sum over rows."""
    if chosen.loss in ("absolute", "quantile"):
        _refuse(
            f"the loss {chosen.loss}", "its leaves are quantiles of rows, not sums", Set("boosting.loss", "squared")
        )


def check_boosting_from_pieces(chosen: Boosting, data: BinnedData, n_classes: int) -> None:
    """Raise an error if trees cannot be boosted from pieces with these settings."""
    check_loss_from_pieces(chosen)
    if chosen.stop_by_training and chosen.validation_fraction is not None:
        raise OptionError(
            "stop_by_training and validation rows cannot be combined: the stop has one criterion.",
            option="stop_by_training",
        )
    if data.n_rows > MAX_ROWS:
        _refuse(f"a table of {data.n_rows:,} rows", f"boosting counts at most {MAX_ROWS:,} exactly", ())
    target = data.target
    column = Column(target.name, target.kind, np.zeros(0), target.levels)
    check_loss(chosen.loss, n_classes, (target.minimum, target.maximum), column)


def _check_single_values(search: str, data: BinnedData) -> None:
    for column in data.columns:
        if (column.low != column.high).any():
            raise OptionError(
                f"Growing from pieces cannot use the search {search}: column {column.name!r} has more distinct values "
                f"than its {len(column.low)} bins.",
                fix=Set("searches", "binned_cuts"),
                column=column.name,
            )


def _refuse(what: str, reason: str, fix: Set | tuple[Set, ...]) -> None:
    raise OptionError(
        f"Growing from pieces cannot use {what}: {reason}.",
        fix=fix,
        hint="or read the table into memory." if fix else "Remove it, or read the table into memory.",
    )
