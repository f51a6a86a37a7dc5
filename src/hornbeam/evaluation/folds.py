"""Which rows teach and which rows judge?

    stratified   classes in order; the rows of a class shuffled; dealt to folds 0 .. V-1, 0, 1 .. without starting over
    plain        all rows shuffled and dealt
    grouped      whole groups, largest first (equal ones as they appear), each to the lightest fold (ties: lowest fold)
    repeated     the same again with other draws
    expanding    time: V blocks judge in turn, each after everything before it; rows of one moment stay together
    bootstrap    n rows drawn with replacement teach, the rows never drawn judge

Draws are keyed by seed, purpose (folds, bootstrap) and repeat, so the same seed gives the same rows on every machine.
"""

from __future__ import annotations

import dataclasses
import itertools
import operator
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamWarning, InputError, OptionError, short_repr
from hornbeam.evaluation.inputs import numbers_of, one_dimensional, python_value
from hornbeam.seeds import Purpose, Stream, as_seed

Rows = npt.NDArray[np.int64]


@dataclasses.dataclass(frozen=True, eq=False)
class TrainTestSplit:
    """The rows that teach and the rows that judge, ascending (bootstrap: as drawn)."""

    train: Rows
    test: Rows

    def of(self, rows: Rows) -> TrainTestSplit:
        """The same split of some rows of a larger table, in that table's numbers."""
        return TrainTestSplit(rows[self.train], rows[self.test])


def stratified_folds(classes: Any, n_folds: int, seed: Any = 0, repeat: int = 0) -> Rows:
    """The fold of every row, each class spread evenly; warns of classes with fewer rows than folds."""
    labels = one_dimensional("classes", classes)
    folds = _count("n_folds", n_folds, 2, len(labels))
    codes, names = _codes(labels)
    sizes = np.bincount(codes, minlength=len(names))
    rare = [f"{short_repr(name)} ({size})" for name, size in zip(names, sizes) if size < folds]
    if rare:
        warnings.warn(
            f"Classes with fewer rows than the {folds} folds: {', '.join(rare)}; some folds will not hold them.",
            HornbeamWarning,
            stacklevel=2,
        )
    stream = Stream.of(as_seed(seed), Purpose.FOLDS, repeat)
    found = np.empty(len(codes), dtype=np.int64)
    dealt = 0
    for code in range(len(names)):
        rows = np.flatnonzero(codes == code)
        found[rows[stream.shuffled(len(rows))]] = (dealt + np.arange(len(rows))) % folds
        dealt += len(rows)
    return found


def random_folds(n_rows: int, n_folds: int, seed: Any = 0, repeat: int = 0) -> Rows:
    """The fold of every row, by chance alone, of equal sizes to within one row."""
    folds = _count("n_folds", n_folds, 2, n_rows)
    found = np.empty(n_rows, dtype=np.int64)
    found[Stream.of(as_seed(seed), Purpose.FOLDS, repeat).shuffled(n_rows)] = np.arange(n_rows) % folds
    return found


def grouped_folds(groups: Any, n_folds: int) -> Rows:
    """The fold of every row, the rows of a group (a patient, a family) always together."""
    codes, names = _codes(one_dimensional("groups", groups), by_appearance=True)
    if len(names) < 2:
        raise InputError(f"Grouped folds need at least 2 groups; got {len(names)}.")
    folds = _count("n_folds", n_folds, 2, len(names), "the number of groups")
    sizes = np.bincount(codes, minlength=len(names))
    load = np.zeros(folds, dtype=np.int64)
    place = np.empty(len(names), dtype=np.int64)
    for group in np.argsort(-sizes, kind="stable"):
        place[group] = int(np.argmin(load))
        load[place[group]] += sizes[group]
    return place[codes]


def splits_of_folds(folds: Any) -> tuple[TrainTestSplit, ...]:
    """One split a fold: the fold judges, all others teach."""
    found = np.asarray(folds, dtype=np.int64)
    return tuple(
        TrainTestSplit(np.flatnonzero(found != each), np.flatnonzero(found == each)) for each in np.unique(found)
    )


def repeat_splits(make: Callable[[int], Any], n_repeats: int) -> tuple[TrainTestSplit, ...]:
    """The splits of `make(repeat)` for repeat 0, 1, ..: `repeated(lambda r: stratified_folds(y, 10, seed, r), 5)`."""
    count = _count("n_repeats", n_repeats, 1, None)
    return tuple(split for repeat in range(count) for split in splits_of_folds(make(repeat)))


def expanding_splits(
    n_folds: int, *, times: Any = None, n_rows: int | None = None, gap: int = 0
) -> tuple[TrainTestSplit, ...]:
    """Splits in time: each block is judged by what was learned before it, `gap` rows left out between.

    Rows are ordered by `times`, or as they stand when only `n_rows` is given.
    """
    if (times is None) == (n_rows is None):
        raise OptionError("expanding needs either times or n_rows, and not both.", option="times")
    moments = np.arange(n_rows or 0, dtype=np.float64) if times is None else _moments(times)
    folds = _count("n_folds", n_folds, 1, len(moments) - 1)
    left_out = _count("gap", gap, 0, None)
    order = np.argsort(moments, kind="stable")
    ranked = moments[order]
    cuts = [(block * len(order)) // (folds + 1) for block in range(1, folds + 1)]
    # A cut inside a run of equal moments moves to the end of the run: no moment is on both sides.
    ends = [int(np.searchsorted(ranked, ranked[cut - 1], "right")) for cut in cuts] + [len(order)]
    found = [
        TrainTestSplit(np.sort(order[: max(start - left_out, 0)]), np.sort(order[start:stop]))
        for start, stop in itertools.pairwise(ends)
        if stop > start and start - left_out > 0
    ]
    if not found:
        raise InputError("No split is left: too few distinct moments for so many folds, or too long a gap.")
    return tuple(found)


def bootstrap_splits(n_rows: int, n_samples: int, seed: Any = 0) -> tuple[TrainTestSplit, ...]:
    """Samples with replacement; the rows left out (about 37%) judge."""
    count = _count("n_samples", n_samples, 1, None)
    if n_rows < 2:
        raise InputError(f"A bootstrap needs at least 2 rows; got {n_rows}.")
    start = as_seed(seed)
    return tuple(_bootstrap(n_rows, Stream.of(start, Purpose.BOOTSTRAP, sample)) for sample in range(count))


def _bootstrap(n_rows: int, stream: Stream) -> TrainTestSplit:
    drawn = np.fromiter((stream.below(n_rows) for _ in range(n_rows)), dtype=np.int64, count=n_rows)
    out = np.ones(n_rows, dtype=bool)
    out[drawn] = False
    return TrainTestSplit(drawn, np.flatnonzero(out))


def _refuse_missing(labels: npt.NDArray[Any], row: int) -> NoReturn:
    label = python_value(labels[row])
    raise InputError(f"Every row needs a class or group; it is missing at row {row} ({short_repr(label)}).", row=row)


def _codes(labels: npt.NDArray[Any], *, by_appearance: bool = False) -> tuple[Rows, list[Any]]:
    """Codes and distinct labels, sorted (or in order of appearance)."""
    if labels.dtype.kind == "i" and not by_appearance:
        if len(labels) and labels.min() < 0:
            _refuse_missing(labels, int(np.argmax(labels < 0)))
        distinct, places = np.unique(labels, return_inverse=True)
        return places.astype(np.int64), distinct.tolist()
    for row, label in enumerate(labels.tolist()):
        if label is None or label != label:
            _refuse_missing(labels, row)
    place: dict[Any, int] = {}
    codes = np.array([place.setdefault(python_value(label), len(place)) for label in labels.tolist()], dtype=np.int64)
    names = list(place)
    if by_appearance:
        return codes, names
    try:
        order = sorted(range(len(names)), key=lambda i: names[i])
    except TypeError:
        order = sorted(range(len(names)), key=lambda i: str(names[i]))
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    return rank[codes], [names[i] for i in order]


def _moments(times: Any) -> npt.NDArray[Any]:
    array = one_dimensional("times", times)
    if array.dtype.kind in "mM":
        if np.isnat(array).any():
            row = int(np.argmax(np.isnat(array)))
            raise InputError(f"Every row needs a time; it is missing at row {row}.", row=row)
        return array
    return numbers_of("times", array)


def _count(name: str, value: Any, low: int, high: int | None, what: str = "the number of rows") -> int:
    try:
        number = operator.index(value) if not isinstance(value, bool) else None
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        limit = f"at least {low}" if high is None else f"between {low} and {high} ({what})"
        raise OptionError(f"{name} must be a whole number, {limit}; got {short_repr(value)}.", option=name, got=value)
    return number
