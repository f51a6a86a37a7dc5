"""The rows of boosting: checks of the target, and the partition into training and validation rows."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, Set, short_repr
from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData, prepare
from hornbeam.parts.cache import Cache
from hornbeam.parts.node import Sample
from hornbeam.seeds import Purpose, Stream
from hornbeam.table.column import Column
from hornbeam.table.division import Division, TrainTestSplit
from hornbeam.table.table import Table
from hornbeam.table.target_kind import other_kind
from hornbeam.tree.forest import Forest

if TYPE_CHECKING:
    from hornbeam.ensembles.methods.boosting import Boosting

MAX_LEVELS = 65_535
# More rows than this do not fit into the integers of gradients (native/boosting/gradients.hpp).
MAX_ROWS = 2**27 - 1


def check_boosting(start: PreparedData, chosen: Boosting, continue_from: Forest | None) -> None:
    """Raise unless the loss supports the target, the columns fit into bins, and the forest can be continued."""
    assert start.table.target is not None
    target = start.sample.target
    limits = (float(target.min()), float(target.max()))
    check_loss(chosen.loss, start.sample.n_classes, limits, start.table.target)
    if start.sample.n_rows > MAX_ROWS:
        raise InputError(
            f"Boosting counts at most {MAX_ROWS:,} rows exactly; the table has {start.sample.n_rows:,}.",
            hint="Grow from a sample of the rows.",
        )
    wide = [column for column in start.sample.columns if len(column.levels) > MAX_LEVELS]
    if wide:
        raise InputError(
            f"Column {short_repr(wide[0].name)} has more than {MAX_LEVELS} levels.", hint="Join rare levels."
        )
    if continue_from is not None:
        _check_continues(start, chosen, continue_from)


def check_loss(loss: str | None, n_classes: int, limits: tuple[float, float], target: Column) -> None:
    """Raise unless a loss supports the target; `limits` are its minimum and maximum."""
    if loss is not None and bool(n_classes) != (loss in ("logistic", "softmax")):
        required, kind = ("numeric", "categorical") if n_classes else ("classification", "numeric")
        raise OptionError(
            f"The loss {loss} requires a {required} target; the target is {kind}.",
            fix=other_kind(target),
            option="loss",
        )
    if loss == "logistic" and n_classes != 2:
        raise OptionError(f"The loss logistic requires two classes; there are {n_classes}.", option="loss")
    if loss == "poisson" and limits[0] < 0:
        raise InputError(
            "The loss poisson requires targets of at least 0.", hint="Choose squared, or shift the target."
        )
    if loss == "poisson" and not any(limits):
        raise InputError("The loss poisson requires a target with a value above 0.")


def _check_continues(start: PreparedData, chosen: Boosting, forest: Forest) -> None:
    if forest.combine != "sum" or forest.schema.columns != start.table.schema.columns:
        raise InputError("The forest to continue from was boosted on other columns.")
    n_rounds = len(forest) // len(forest.base)
    if chosen.n_rounds < n_rounds:
        raise OptionError(
            f"n_rounds must be at least the {n_rounds} rounds of the forest to continue from, got {chosen.n_rounds}.",
            option="n_rounds",
        )


def split_rows(
    start: PreparedData, chosen: Boosting, validation: Table | None, seed: int
) -> tuple[Sample, Sample | None]:
    """The training rows and the validation rows."""
    sample = start.sample
    if validation is not None:
        if validation.schema.columns != start.table.schema.columns or validation.target is None:
            raise InputError("The validation rows must have the columns and the target of the training rows.")
        return sample, prepare(validation, Method()).sample
    if chosen.validation_fraction is None:
        return sample, None
    split = validation_split(sample.target, sample.n_classes, start.table.division, chosen.validation_fraction, seed)
    if not len(split.test) or not len(split.train):
        raise InputError(
            f"{sample.n_rows} rows are too few for a validation_fraction of {chosen.validation_fraction:g}.",
            fix=Set("boosting.validation_fraction", None),
        )
    return _take(sample, split.train), _take(sample, split.test)


def validation_split(
    target: npt.NDArray[Any], n_classes: int, division: Division | None, fraction: float, seed: int
) -> TrainTestSplit:
    """The rows for training and validation: whole groups or the latest rows if the table is divided so."""
    if division is not None:
        classes = target.astype(np.int64) if n_classes else None
        return division.held_out(classes, fraction, Stream.of(seed, Purpose.SUBSAMPLE, 0, 1))
    rows = held_out_rows(target, n_classes, fraction, seed)
    return TrainTestSplit(np.setdiff1d(np.arange(len(target)), rows), rows)


def held_out_rows(target: Any, n_classes: int, fraction: float, seed: int) -> npt.NDArray[np.int64]:
    """A fraction of the rows, the same fraction of each class; random stream of purpose 7, node 1."""
    stream = Stream.of(seed, Purpose.SUBSAMPLE, 0, 1)
    pools = [np.flatnonzero(target == k) for k in range(n_classes)] if n_classes else [np.arange(len(target))]
    sampled = [pool[stream.shuffled(len(pool))[: round(fraction * len(pool))]] for pool in pools]
    rows: npt.NDArray[np.int64] = np.sort(np.concatenate(sampled))
    return rows


def _take(sample: Sample, rows: npt.NDArray[np.int64]) -> Sample:
    columns = tuple(dataclasses.replace(column, values=column.values[rows]) for column in sample.columns)
    return dataclasses.replace(
        sample, columns=columns, target=sample.target[rows], weights=sample.weights[rows], cache=Cache()
    )
