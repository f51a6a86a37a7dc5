"""What does a part see of a node?  Its rows, their weights, and the statistics of any grouping of them.

A grouping puts equal values of one column together: blocks of equal numbers, or the levels present. Every search
works on these groups, so it only has to say which groups go together.

    classes        statistics of a group = weight of each class (times its factor: priors and costs, definition 1.3)
    moments        (weight, sum of w y, sum of w y^2), y centred on the node's mean so that nothing cancels
    distribution   weight of each distinct y at the node, for losses that need more than moments (absolute, pinball,
                   Poisson)

Rows whose value is missing count in a column's groups as the way with missing values says (`Sample.holes`):

    apart    left out: scores are taken on known rows, times their share
    fill     as if they had the value that stands in for a missing one
    either   with the branch that makes the score largest
    branch   as a branch of their own, where they are enough for one; else apart
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.seeds import ROOT, Stream
from hornbeam.table.column import Column, Kind
from hornbeam.tree.questions import Question

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

# Scores that differ by less than this share of S(t) are equal (definition 0.3).
TOLERANCE = 1e-10
# The smallest S(t) of a class impurity.
LEAST_SCALE = 1e-3


# The value that stands in for a missing one: from a kind of column, the known values and their weights.
Fill = Callable[[Kind, npt.NDArray[Any], Floats], float]


@dataclasses.dataclass(frozen=True, eq=False)
class Sample:
    """The rows a tree is grown on: columns, target, weights, and the factor of each class in the statistics.

    `holes` says how rows of missing values count; `impute` finds what stands in for them, `fills` are those found once
    for the whole table; `limits` are the least that a branch must hold; `admits_zero` lets every question of gain 0 be
    asked; `max_depth` is the largest depth of a node, None without a limit.
    """

    columns: tuple[Column, ...]
    target: npt.NDArray[Any]
    weights: Floats
    n_classes: int = 0
    factors: Floats = dataclasses.field(default_factory=lambda: np.ones(0))
    statistics: str = "classes"
    column_costs: tuple[float, ...] = ()
    price: Mapping[str, float] = dataclasses.field(default_factory=dict)
    seed: int = 0
    tree: int = 0
    holes: str = "apart"
    fill: Fill | None = None
    fills: tuple[float, ...] = ()
    limits: Limits = dataclasses.field(default_factory=lambda: Limits())
    admits_zero: bool = False
    max_depth: int | None = None
    memo: dict[Any, Any] = dataclasses.field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.target)

    @functools.cached_property
    def mass(self) -> float:
        """The weight of the root as the criterion counts it."""
        return float(self.altered(np.arange(self.n_rows), self.weights).sum())

    def altered(self, rows: Whole, weights: Floats) -> Floats:
        """Weights times the factors of the rows' classes."""
        return weights * self.factors[self.target[rows]] if self.n_classes else weights

    def cost(self, question: Question) -> float:
        """What it costs to ask a question: its dearest column, times 1 + the price of its kind; scores are divided."""
        dearest = max(self.column_costs[column] for column in question.columns) if self.column_costs else 1.0
        return dearest * (1.0 + self.price.get(question.kind, 0.0))

    def distinct(self, column: int) -> Floats:
        """The distinct known values (or codes) of a column in the whole training set, ascending."""
        key = ("distinct", column)
        if key not in self.memo:
            values = self.columns[column]
            self.memo[key] = np.unique(values.values[~values.is_missing].astype(np.float64))
        found: Floats = self.memo[key]
        return found


@dataclasses.dataclass(frozen=True, eq=False)
class MissingRows:
    """The rows of a node whose value is missing: their statistics, rows and weight, and whether they may go either way.

    Rows that may not go either way are a branch of their own.
    """

    stats: Floats
    rows: int
    weight: float
    either: bool


@dataclasses.dataclass(frozen=True, eq=False)
class Groups:
    """The known rows of a node, grouped by the values of one column, ascending.

    `unknown` is the weight of rows that are left out, `holes` are rows of missing values that count.
    """

    values: npt.NDArray[Any]
    stats: Floats
    rows: Whole
    weight: Floats
    unknown: float
    holes: MissingRows | None = None

    @functools.cached_property
    def parent(self) -> Floats:
        """The statistics of all known rows."""
        total: Floats = self.stats.sum(axis=0)
        return total

    @property
    def whole(self) -> Floats:
        """The statistics of all rows that count."""
        return self.parent if self.holes is None else self.parent + self.holes.stats

    @functools.cached_property
    def inside(self) -> tuple[Floats, int, float]:
        """Statistics, rows and weight of all rows that take one of the question's answers."""
        rows, weight = int(self.rows.sum()), float(self.weight.sum())
        if self.holes is None or not self.holes.either:
            return self.parent, rows, weight
        return self.whole, rows + self.holes.rows, weight + self.holes.weight

    @property
    def ways(self) -> int:
        """In how many ways each question of two branches is tried: twice where missing values may go either way."""
        return 2 if self.holes is not None and self.holes.either else 1

    def __len__(self) -> int:
        return len(self.values)


@dataclasses.dataclass(frozen=True, eq=False)
class TriedCandidate:
    """One candidate as the trace keeps it: its column, what it asks, and its score."""

    column: int
    question: Question
    score: float


@dataclasses.dataclass(frozen=True, eq=False)
class NodeView:
    """A node while the tree grows. `asked` are columns that a once-per-path question has used above it.

    `seek` gives the score of the question that the method would choose at a node, minus infinity if there is none.
    """

    sample: Sample
    rows: Whole
    weights: Floats
    id: int = ROOT
    depth: int = 0
    asked: frozenset[int] = frozenset()
    leaves: int = 1
    nodes: int = 1
    notebook: list[TriedCandidate] | None = None
    seek: Callable[[NodeView], float] | None = None

    @property
    def n_rows(self) -> int:
        """How many rows came here."""
        return len(self.rows)

    @functools.cached_property
    def weight(self) -> float:
        """Their weight, as given by the user."""
        return float(self.weights.sum())

    @functools.cached_property
    def target(self) -> npt.NDArray[Any]:
        """Their targets."""
        return self.sample.target[self.rows]

    @functools.cached_property
    def altered(self) -> Floats:
        """Their weights as the criterion counts them."""
        return self.sample.altered(self.rows, self.weights)

    @functools.cached_property
    def mean(self) -> float:
        """The weighted mean of a numeric target here; 0 for classes."""
        if self.sample.n_classes:
            return 0.0
        return float(self.target[0] if self.is_pure else (self.weights * self.target).sum() / self.weight)

    @functools.cached_property
    def targets(self) -> Floats | None:
        """The distinct targets here, for statistics that are distributions."""
        return np.unique(self.target).astype(np.float64) if self.sample.statistics == "distribution" else None

    @functools.cached_property
    def stats(self) -> Floats:
        """The statistics of the node."""
        found: Floats = self.table(np.zeros(self.n_rows, dtype=np.int64), 1)[0]
        return found

    @functools.cached_property
    def mass(self) -> float:
        """The weight of the node as the criterion counts it."""
        return float(self.altered.sum())

    @property
    def share(self) -> float:
        """P(t): the share of the root's weight that is here."""
        return self.mass / self.sample.mass

    @functools.cached_property
    def is_pure(self) -> bool:
        """Whether all rows have the same target, by rows and never by differences of weights."""
        return bool((self.target == self.target[0]).all())

    def table(self, group: Whole, n_groups: int, only: npt.NDArray[np.bool_] | None = None) -> Floats:
        """The statistics of every group of the node's rows (or of some of them), one row a group."""
        keep = slice(None) if only is None else only
        weights, target = self.altered[keep], self.target[keep]
        if self.sample.n_classes:
            # Weights add exactly; the factors of the classes come last.
            counts = _counted(group, n_groups, target, self.sample.n_classes, self.weights[keep])
            return counts * self.sample.factors
        if self.targets is not None:
            return _counted(group, n_groups, np.searchsorted(self.targets, target), len(self.targets), weights)
        centred = target - self.mean
        columns = (weights, weights * centred, weights * centred * centred)
        return np.stack([sum_by_group(group, each, n_groups) for each in columns], axis=1)

    def groups(self, column: int) -> Groups:
        """The known rows by the values of a column, and what becomes of the others."""
        data = self.sample.columns[column]
        values = data.values[self.rows]
        known = ~np.isnan(values) if data.kind is Kind.NUMERIC else values >= 0
        if self.sample.holes == "impute" and known.any() and not known.all():
            values = np.where(known, values, self.stands_in(column)).astype(values.dtype)
            known = np.ones(len(values), dtype=bool)
        distinct, group = np.unique(values[known], return_inverse=True)
        count = len(distinct)
        holes = self._holes(~known)
        return Groups(
            values=distinct,
            stats=self.table(group, count, known),
            rows=np.bincount(group, minlength=count).astype(np.int64),
            weight=sum_by_group(group, self.weights[known], count),
            unknown=float(self.altered[~known].sum()) if holes is None else 0.0,
            holes=holes,
        )

    def stands_in(self, column: int) -> float:
        """What stands in for a missing value of a column here; NaN (numbers) or -1 (levels) where nothing is known."""
        assert self.sample.fill is not None
        if self.sample.fills:
            return self.sample.fills[column]
        data = self.sample.columns[column]
        values = data.values[self.rows]
        known = ~np.isnan(values) if data.kind is Kind.NUMERIC else values >= 0
        if not known.any():
            return float("nan") if data.kind is Kind.NUMERIC else -1.0
        return self.sample.fill(data.kind, values[known], self.weights[known])

    def varies(self, column: int) -> bool:
        """Whether any question could tell rows apart by a column: by its values, or by their being missing."""
        data = self.sample.columns[column]
        values = data.values[self.rows]
        known = ~np.isnan(values) if data.kind is Kind.NUMERIC else values >= 0
        if self.sample.holes in ("either", "branch") and known.any() and not known.all():
            return True
        return len(self.groups(column)) > 1

    def _holes(self, unknown: npt.NDArray[np.bool_]) -> MissingRows | None:
        """The rows of missing values, where they count."""
        if self.sample.holes not in ("either", "branch") or not unknown.any() or unknown.all():
            return None
        rows, weight = int(unknown.sum()), float(self.weights[unknown].sum())
        either = self.sample.holes == "either"
        if not either and not self.sample.limits.admits(rows, weight):
            return None
        stats = self.table(np.zeros(rows, dtype=np.int64), 1, unknown)[0]
        return MissingRows(stats, rows, weight, either)

    def stream(self, purpose: int) -> Stream:
        """The node's random stream for a purpose; draws go on where the last column stopped."""
        key = ("stream", self.id, purpose)
        memo = self.sample.memo
        if key not in memo:
            memo[key] = Stream.of(self.sample.seed, purpose, self.sample.tree, self.id)
        found: Stream = memo[key]
        return found


def _counted(group: Whole, n_groups: int, code: npt.NDArray[Any], n_codes: int, weights: Floats) -> Floats:
    return sum_by_group(group * n_codes + code, weights, n_groups * n_codes).reshape(n_groups, n_codes)


def sum_by_group(group: npt.NDArray[Any], numbers: Floats, n_groups: int) -> Floats:
    """The sum of the numbers of every group, added in the order of rows."""
    return np.bincount(group, weights=numbers, minlength=n_groups).astype(np.float64, copy=False)


@dataclasses.dataclass(frozen=True)
class Limits:
    """The least a branch must hold: rows, and weight as given by the user."""

    rows: int = 1
    weight: float = 0.0

    def admits(self, rows: Any, weight: Any) -> Any:
        """Whether branches (scalars or arrays) are large enough."""
        # Shares of rows do not add up to the last bit.
        return (rows >= self.rows) & (weight >= self.weight * (1 - 1e-10))


@dataclasses.dataclass(frozen=True, eq=False)
class Candidate:
    """The best question of one search about one column, with all that choosing among columns needs.

    `score` is the criterion's word inside the column, `gain` the decrease in impurity; `parent`, `branches`, `rows` and
    `weight` are those of rows whose answer is known, `unknown` is the weight of the others. `missing_branch` is where
    the search itself sends missing values: None where it has no say; one more than the question's branches for a
    branch of their own. They are then part of `branches`, `rows` and
    `weight`.
    """

    column: int
    question: Question
    score: float
    gain: float
    parent: Floats
    branches: Floats
    rows: Whole
    weight: Floats
    unknown: float = 0.0
    n_tried: int = 1
    admits_zero: bool = False
    missing_branch: int | None = None

    @property
    def n_branches(self) -> int:
        """The branches of the question, and the one of missing values where they have their own."""
        return len(self.rows)


def sorted_positions(keys: Floats) -> Whole:
    """The places of the keys, ascending.

    Neighbours closer than 1e-10 of the range of all keys are equal, and equal ones keep their order.
    """
    order = np.argsort(keys, kind="stable")
    ascending = keys[order]
    gap = TOLERANCE * (ascending[-1] - ascending[0]) if len(keys) else 0.0
    block = np.cumsum(np.diff(ascending, prepend=ascending[:1]) > gap)
    return np.asarray(order[np.lexsort((order, block))], dtype=np.int64)


def first_best(scores: Floats, tolerance: float) -> int:
    """The first score that no later one beats by more than the tolerance; -1 when there is none."""
    best, incumbent = -1, -np.inf
    for index, score in enumerate(scores.tolist()):
        if score - incumbent > tolerance:
            best, incumbent = index, score
    return best
