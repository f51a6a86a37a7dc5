"""How rows are divided into training rows and test rows: by row, by group, by time, or by both.

    rows     classes in order; the rows of a class shuffled; assigned to folds 0 .. V-1, 0, 1 .. without a restart
             (numeric target: all rows shuffled and assigned)
    groups   whole groups: shuffled, then the one with the largest fractions of the classes first, each to the fold
             where the classes and the number of rows stay most even
    times    forward chaining: V blocks of later rows are test rows in turn, all rows before a block are training rows;
             rows of equal time are in one block
    both     as by time, without the training rows whose group has a test row

Folds by groups and times do not depend on the order of the rows. Random numbers are keyed by seed and repeat.
"""

from __future__ import annotations

import dataclasses
import itertools
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, Set, short_repr
from hornbeam.seeds import Purpose, Stream

Rows = npt.NDArray[np.int64]
# Fractions of a class are integers of this unit: sums are exact, so equal folds are equal on every machine.
_UNIT = 1 << 26


@dataclasses.dataclass(frozen=True, eq=False)
class TrainTestSplit:
    """The training rows and the test rows, ascending (bootstrap: as sampled)."""

    train: Rows
    test: Rows

    def of(self, rows: Rows) -> TrainTestSplit:
        """The same split of some rows of a larger table, in that table's row numbers."""
        return TrainTestSplit(rows[self.train], rows[self.test])


@dataclasses.dataclass(frozen=True, eq=False)
class Division:
    """The group and the time of each row; None for rows that are divided one by one.

    `groups` are codes from 0 in the order of the sorted labels, `times` are ranks; the names are those of the columns.
    """

    groups: Rows | None = None
    times: Rows | None = None
    group_name: str = "groups"
    time_name: str = "times"

    def take(self, rows: npt.NDArray[np.generic]) -> Division:
        """The division of some of the rows."""
        groups, times = (None if each is None else each[rows] for each in (self.groups, self.times))
        return dataclasses.replace(self, groups=groups, times=times)

    @cached_property
    def n_groups(self) -> int:
        """The number of distinct groups; 0 without groups."""
        return 0 if self.groups is None else len(np.unique(self.groups))

    @cached_property
    def n_times(self) -> int:
        """The number of distinct times; 0 without times."""
        return 0 if self.times is None else len(np.unique(self.times))

    @property
    def text(self) -> str:
        """How rows are divided, as part of a sentence: "by 'patient' (52 groups)"; empty for rows one by one."""
        parts = []
        if self.times is not None:
            parts.append(f"forward in time by {short_repr(self.time_name)}")
        if self.groups is not None:
            parts.append(f"by {short_repr(self.group_name)} ({self.n_groups} groups)")
        return " and ".join(parts)

    @property
    def min_folds(self) -> int:
        """The smallest number of folds: forward in time, one block of test rows is enough."""
        return 2 if self.times is None else 1

    def max_folds(self, n_rows: int) -> int:
        """The largest number of folds of rows that are divided in this way."""
        if self.times is not None:
            return self.n_times - 1
        return n_rows if self.groups is None else self.n_groups

    def splits(
        self, classes: Rows | None, n_rows: int, n_folds: int, seed: int = 0, repeat: int = 0
    ) -> tuple[TrainTestSplit, ...]:
        """One split per fold; `classes` are the codes of the target, None for a numeric target."""
        self.check_folds(n_folds)
        if self.times is not None:
            if repeat:
                raise OptionError(
                    "Folds in time order are the same in every repeat.", fix=Set("repeats", 1), option="repeats"
                )
            return tuple(self._without_test_groups(split) for split in forward_splits(self.times, n_folds))
        stream = Stream.of(seed, Purpose.FOLDS, repeat)
        if self.groups is not None:
            return splits_of_folds(divide_groups(self.groups, classes, np.ones(n_folds), stream))
        return splits_of_folds(
            random_folds(n_rows, n_folds, stream) if classes is None else stratified_folds(classes, n_folds, stream)
        )

    def held_out(self, classes: Rows | None, fraction: float, stream: Stream) -> TrainTestSplit:
        """About a fraction of the rows as test rows: the latest ones, or whole groups. Needs groups or times."""
        if self.times is not None:
            self._require_times(2, "A part that is later than the rest")
            return self._without_test_groups(latest_rows(self.times, fraction))
        assert self.groups is not None
        self._require_groups(2, "A held-out part")
        part = divide_groups(self.groups, classes, np.array([fraction, 1 - fraction]), stream)
        return TrainTestSplit(np.flatnonzero(part != 0), np.flatnonzero(part == 0))

    def check_folds(self, n_folds: int) -> None:
        """Raise if there are fewer groups or times than the folds require."""
        if self.times is not None:
            self._require_times(n_folds + 1, f"{n_folds} folds in time order")
        elif self.groups is not None:
            self._require_groups(n_folds, f"{n_folds} folds")

    def _require_groups(self, minimum: int, what: str) -> None:
        if self.n_groups < minimum:
            fix = Set("folds", self.n_groups) if self.n_groups > 1 else ()
            raise InputError(
                f"{what} of whole groups require at least {minimum} groups; {short_repr(self.group_name)} has "
                f"{self.n_groups} in these rows.",
                fix=fix,
                hint="" if fix else "Divide the rows by another column, or one by one.",
                column=self.group_name,
            )

    def _require_times(self, minimum: int, what: str) -> None:
        if self.n_times < minimum:
            fix = Set("folds", self.n_times - 1) if self.n_times > 2 else ()
            raise InputError(
                f"{what} require at least {minimum} distinct times; {short_repr(self.time_name)} has {self.n_times} "
                "in these rows.",
                fix=fix,
                hint="" if fix else "Use a column with more distinct times.",
                column=self.time_name,
            )

    def _without_test_groups(self, split: TrainTestSplit) -> TrainTestSplit:
        """The split without the training rows whose group has a test row."""
        if self.groups is None:
            return split
        kept = split.train[~np.isin(self.groups[split.train], self.groups[split.test])]
        if not len(kept):
            raise InputError(
                f"No training row is left before the test rows: each earlier {short_repr(self.group_name)} also has "
                "test rows.",
                hint="Use fewer folds, or divide by groups or by times alone.",
                column=self.group_name,
            )
        return TrainTestSplit(kept, split.test)


def stratified_folds(classes: Rows, n_folds: int, stream: Stream) -> Rows:
    """The fold of every row, the rows of each class spread evenly."""
    found = np.empty(len(classes), dtype=np.int64)
    assigned = 0
    for code in np.unique(classes):
        rows = np.flatnonzero(classes == code)
        found[rows[stream.shuffled(len(rows))]] = (assigned + np.arange(len(rows))) % n_folds
        assigned += len(rows)
    return found


def random_folds(n_rows: int, n_folds: int, stream: Stream) -> Rows:
    """The fold of every row, at random, of equal sizes to within one row."""
    found = np.empty(n_rows, dtype=np.int64)
    found[stream.shuffled(n_rows)] = np.arange(n_rows) % n_folds
    return found


def divide_groups(groups: Rows, classes: Rows | None, capacities: npt.NDArray[np.float64], stream: Stream) -> Rows:
    """The part of every row, whole groups; the parts get rows, and rows of each class, in proportion to capacities.

    Greedy: a group goes to the part where the sum over parts and classes of fraction^2 / capacity grows least (the
    first such part). A part that stays empty gets the last group of another one.
    """
    distinct, codes = np.unique(groups, return_inverse=True)
    fractions = _fractions(codes, len(distinct), classes)
    shuffled = stream.shuffled(len(distinct))
    norms = (fractions * fractions).sum(axis=1)
    order = shuffled[np.argsort(-norms[shuffled], kind="stable")]
    doubled, inverse = np.zeros((len(capacities), fractions.shape[1]), dtype=np.int64), 1 / capacities
    part = np.empty(len(distinct), dtype=np.int64)
    for group in order:
        added = fractions[group]
        chosen = ((doubled @ added + norms[group]) * inverse).argmin()  # |load + added|^2 - |load|^2, per capacity
        doubled[chosen] += 2 * added
        part[group] = chosen
    for empty in np.setdiff1d(np.arange(len(capacities)), part):
        sizes = np.bincount(part, minlength=len(capacities))
        part[next((group for group in order[::-1] if sizes[part[group]] > 1), order[-1])] = empty
    return part[codes]


def _fractions(codes: Rows, n_groups: int, classes: Rows | None) -> Rows:
    """Per group its fraction of all rows and of the rows of each class, in units of 2^-26, at least one unit."""
    columns = [np.bincount(codes, minlength=n_groups)]
    if classes is not None:
        columns += [np.bincount(codes[classes == code], minlength=n_groups) for code in np.unique(classes)]
    counts = np.stack(columns, axis=1).astype(np.int64)
    found: Rows = np.maximum(counts * _UNIT // counts.sum(axis=0), counts > 0)
    return found


def forward_splits(times: Rows, n_folds: int, gap: int = 0) -> tuple[TrainTestSplit, ...]:
    """Forward chaining: block 1 to V of V + 1 blocks is predicted from the rows before it, without the last `gap`."""
    order = np.argsort(times, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(times[order]) > 0]))
    cuts: list[int] = []
    for block in range(1, n_folds + 1):
        # The first time at or after an even division, such that every later block gets a time of its own.
        first = int(np.searchsorted(starts, block * len(order) // (n_folds + 1)))
        cuts.append(min(max(first, block, cuts[-1] + 1 if cuts else 1), len(starts) - 1 - n_folds + block))
    ends = [*starts[cuts].tolist(), len(order)]
    return tuple(
        TrainTestSplit(np.sort(order[: start - gap]), np.sort(order[start:stop]))
        for start, stop in itertools.pairwise(ends)
        if start > gap
    )


def latest_rows(times: Rows, fraction: float) -> TrainTestSplit:
    """About the latest fraction of the rows as test rows; requires two distinct times."""
    order = np.argsort(times, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(times[order]) > 0]))
    cut = min(max(int(np.searchsorted(starts, round((1 - fraction) * len(order)))), 1), len(starts) - 1)
    return TrainTestSplit(np.sort(order[: starts[cut]]), np.sort(order[starts[cut] :]))


def splits_of_folds(folds: npt.ArrayLike) -> tuple[TrainTestSplit, ...]:
    """One split per fold: its rows are test rows, all others training rows."""
    found = np.asarray(folds, dtype=np.int64)
    return tuple(
        TrainTestSplit(np.flatnonzero(found != each), np.flatnonzero(found == each)) for each in np.unique(found)
    )
