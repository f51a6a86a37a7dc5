"""Splits into training rows and test rows, from arrays; `table/division.py` defines the folds.

    stratified   each class spread evenly          grouped     whole groups, as even as they allow
    random       all rows shuffled                 expanding   in time: each block predicted from the rows before it
    repeated     the same with other random numbers
    bootstrap    n rows sampled with replacement are training rows, the rows never sampled test rows

Random numbers are keyed by seed, purpose (folds, bootstrap) and repeat: the same seed gives the same rows everywhere.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.evaluation.inputs import numbers_of, one_dimensional, python_value, same_length
from hornbeam.seeds import Purpose, Stream, as_seed
from hornbeam.table import division
from hornbeam.table.divide import warn_of_rare_classes
from hornbeam.table.division import Rows, TrainTestSplit, splits_of_folds


def stratified_folds(classes: Any, n_folds: int, seed: Any = 0, repeat: int = 0) -> Rows:
    """The fold of every row, each class spread evenly; warns of classes with fewer rows than folds."""
    labels = one_dimensional("classes", classes)
    folds = _count("n_folds", n_folds, 2, len(labels))
    codes, names = _codes(labels)
    warn_of_rare_classes(codes, names, folds)
    return division.stratified_folds(codes, folds, Stream.of(as_seed(seed), Purpose.FOLDS, repeat))


def random_folds(n_rows: int, n_folds: int, seed: Any = 0, repeat: int = 0) -> Rows:
    """The fold of every row, at random, of equal sizes to within one row."""
    folds = _count("n_folds", n_folds, 2, n_rows)
    return division.random_folds(n_rows, folds, Stream.of(as_seed(seed), Purpose.FOLDS, repeat))


def grouped_folds(groups: Any, n_folds: int, seed: Any = 0, repeat: int = 0, *, classes: Any = None) -> Rows:
    """The fold of every row, the rows of a group (a patient, a family) always together.

    Folds have similar numbers of rows, and of each class if `classes` are given, as far as the groups allow. They do
    not depend on the order of the rows.
    """
    codes, names = _codes(one_dimensional("groups", groups).astype(object))
    if len(names) < 2:
        raise InputError(f"Grouped folds require at least 2 groups, got {len(names)}.")
    folds = _count("n_folds", n_folds, 2, len(names), "the number of groups")
    strata = None if classes is None else _codes(one_dimensional("classes", classes))[0]
    if strata is not None:
        same_length("groups", codes, "classes", strata)
    stream = Stream.of(as_seed(seed), Purpose.FOLDS, repeat)
    return division.divide_groups(codes, strata, np.ones(folds), stream)


def repeat_splits(make: Callable[[int], Any], n_repeats: int) -> tuple[TrainTestSplit, ...]:
    """The splits of `make(repeat)` for repeat 0, 1, .., such as `lambda r: stratified_folds(y, 10, seed, r)`."""
    count = _count("n_repeats", n_repeats, 1, None)
    return tuple(split for repeat in range(count) for split in splits_of_folds(make(repeat)))


def expanding_splits(
    n_folds: int, *, times: Any = None, n_rows: int | None = None, gap: int = 0
) -> tuple[TrainTestSplit, ...]:
    """Splits in time: each block is predicted from the rows before it, without the last `gap` of them.

    Rows are ordered by `times`, or as they are if only `n_rows` is given. Rows of equal time are in one block.
    """
    if (times is None) == (n_rows is None):
        raise OptionError("expanding_splits requires either times or n_rows, not both.", option="times")
    ordered_times = np.arange(n_rows or 0, dtype=np.float64) if times is None else _times(times)
    folds = _count("n_folds", n_folds, 1, len(ordered_times) - 1)
    excluded = _count("gap", gap, 0, None)
    distinct, ranks = np.unique(ordered_times, return_inverse=True)
    found = division.forward_splits(ranks.astype(np.int64), folds, excluded) if len(distinct) > folds else ()
    if not found:
        raise InputError("No split is left: too few distinct times for this number of folds, or too large a gap.")
    return found


def bootstrap_splits(n_rows: int, n_samples: int, seed: Any = 0) -> tuple[TrainTestSplit, ...]:
    """Samples with replacement as training rows; the rows not sampled (about 37%) are test rows."""
    count = _count("n_samples", n_samples, 1, None)
    if n_rows < 2:
        raise InputError(f"A bootstrap requires at least 2 rows, got {n_rows}.")
    start = as_seed(seed)
    return tuple(_bootstrap(n_rows, Stream.of(start, Purpose.BOOTSTRAP, sample)) for sample in range(count))


def _bootstrap(n_rows: int, stream: Stream) -> TrainTestSplit:
    sampled = np.fromiter((stream.below(n_rows) for _ in range(n_rows)), dtype=np.int64, count=n_rows)
    out = np.ones(n_rows, dtype=bool)
    out[sampled] = False
    return TrainTestSplit(sampled, np.flatnonzero(out))


def _reject_missing(labels: npt.NDArray[Any], row: int) -> NoReturn:
    label = python_value(labels[row])
    raise InputError(f"The class or group is missing at row {row} ({short_repr(label)}).", row=row)


def _codes(labels: npt.NDArray[Any]) -> tuple[Rows, list[Any]]:
    """Codes and distinct labels, sorted; negative integers are missing codes."""
    if labels.dtype.kind == "i":
        if len(labels) and labels.min() < 0:
            _reject_missing(labels, int(np.argmax(labels < 0)))
        distinct, codes = np.unique(labels, return_inverse=True)
        return codes.astype(np.int64), distinct.tolist()
    for row, label in enumerate(labels.tolist()):
        if label is None or label != label:
            _reject_missing(labels, row)
    code_of: dict[Any, int] = {}
    codes = np.array(
        [code_of.setdefault(python_value(label), len(code_of)) for label in labels.tolist()], dtype=np.int64
    )
    names = list(code_of)
    try:
        order = sorted(range(len(names)), key=lambda i: names[i])
    except TypeError:
        order = sorted(range(len(names)), key=lambda i: str(names[i]))
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    return rank[codes], [names[i] for i in order]


def _times(times: Any) -> npt.NDArray[Any]:
    array = one_dimensional("times", times)
    if array.dtype.kind in "mM":
        if np.isnat(array).any():
            row = int(np.argmax(np.isnat(array)))
            raise InputError(f"Every row must have a time; it is missing at row {row}.", row=row)
        return array
    return numbers_of("times", array)


def _count(name: str, value: Any, low: int, high: int | None, what: str = "the number of rows") -> int:
    try:
        number = operator.index(value) if not isinstance(value, bool) else None
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        limit = f"at least {low}" if high is None else f"between {low} and {high} ({what})"
        raise OptionError(f"{name} must be an integer {limit}, got {short_repr(value)}.", option=name, got=value)
    return number
