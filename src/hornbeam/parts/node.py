"""The node that parts work on: its rows, their weights, and the statistics of any grouping of the rows.

A grouping collects the rows with equal values of one column: blocks of equal numbers, or the levels present. Every
search works on these groups, so it only decides which groups form a branch.

    classes        the statistics of a group are the weight of each class, times the factor of the class (priors and
                   costs, definition 1.3)
    moments        (weight, sum of w y, sum of w y^2), y centered on the mean of the node so that nothing cancels
    distribution   the weight of each distinct y at the node, for losses that need more than moments (absolute,
                   pinball, Poisson)

`Sample.missing_mode` decides how rows with a missing value count in the groups of a column:

    apart    excluded: scores are computed on the known rows and multiplied by their fraction of the weight
    impute   as if they had the imputed value
    either   in the branch that makes the score largest
    branch   as an additional branch, if they are enough for one; else apart
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.parts.cache import Cache
from hornbeam.parts.weight_limits import reaches
from hornbeam.seeds import ROOT, Stream
from hornbeam.table.column import Column, Kind
from hornbeam.tree.questions import Question

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

# Scores that differ by less than this fraction of S(t) are equal (definition 0.3).
TOLERANCE = 1e-10
# The smallest S(t) of a class impurity.
LEAST_SCALE = 1e-3

# Computes the imputed value of a column from its kind, its known values and their weights.
Imputer = Callable[[Kind, npt.NDArray[Any], Floats], float]


@dataclasses.dataclass(frozen=True, eq=False)
class Sample:
    """The rows a tree is grown on: columns, target, weights, and the factor of each class in the statistics.

    `missing_mode` decides how rows with a missing value count. `imputer` computes imputed values; `fill_values` are
    those computed once for the whole table. `limits` are the minimum size of a branch. `allow_zero_gain` allows every
    question of gain 0. `max_depth` is the maximum depth of a node, None without a limit.
    """

    columns: tuple[Column, ...]
    target: npt.NDArray[Any]
    weights: Floats
    n_classes: int = 0
    factors: Floats = dataclasses.field(default_factory=lambda: np.ones(0))
    statistics: str = "classes"
    column_costs: tuple[float, ...] = ()
    split_penalty: Mapping[str, float] = dataclasses.field(default_factory=dict)
    seed: int = 0
    tree: int = 0
    missing_mode: str = "apart"
    imputer: Imputer | None = None
    fill_values: tuple[float, ...] = ()
    limits: Limits = dataclasses.field(default_factory=lambda: Limits())
    allow_zero_gain: bool = False
    max_depth: int | None = None
    cache: Cache = dataclasses.field(default_factory=Cache)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.target)

    @functools.cached_property
    def mass(self) -> float:
        """The weight of the root as the criterion counts it."""
        return float(self.criterion_weights(np.arange(self.n_rows), self.weights).sum())

    def criterion_weights(self, rows: Integers, weights: Floats) -> Floats:
        """Weights times the factors of the rows' classes."""
        return weights * self.factors[self.target[rows]] if self.n_classes else weights

    def cost(self, question: Question) -> float:
        """What the score of a question is divided by: its most expensive column, times 1 + the penalty of its kind."""
        column_cost = max(self.column_costs[column] for column in question.columns) if self.column_costs else 1.0
        return column_cost * (1.0 + self.split_penalty.get(question.kind, 0.0))

    def distinct(self, column: int) -> Floats:
        """The distinct known values (or codes) of a column in the whole training set, ascending."""
        data = self.columns[column]
        return self.cache.get(("distinct", column), lambda: np.unique(data.values[~data.is_missing].astype(np.float64)))


@dataclasses.dataclass(frozen=True, eq=False)
class MissingRows:
    """The rows of a node whose value is missing: statistics, number of rows and weight.

    If `either` is True they may go to any branch, else they are a branch of their own.
    """

    stats: Floats
    rows: int
    weight: float
    either: bool


@dataclasses.dataclass(frozen=True, eq=False)
class Groups:
    """The known rows of a node, grouped by the values of one column, ascending.

    `unknown` is the weight of excluded rows; `missing` are the rows with a missing value that count.
    """

    values: npt.NDArray[Any]
    stats: Floats
    rows: Integers
    weight: Floats
    unknown: float
    missing: MissingRows | None = None

    @functools.cached_property
    def parent(self) -> Floats:
        """The statistics of all known rows."""
        total: Floats = self.stats.sum(axis=0)
        return total

    @property
    def whole(self) -> Floats:
        """The statistics of all rows that count."""
        return self.parent if self.missing is None else self.parent + self.missing.stats

    @functools.cached_property
    def inside(self) -> tuple[Floats, int, float]:
        """Statistics, rows and weight of all rows that take one of the branches of the question."""
        rows, weight = int(self.rows.sum()), float(self.weight.sum())
        if self.missing is None or not self.missing.either:
            return self.parent, rows, weight
        return self.whole, rows + self.missing.rows, weight + self.missing.weight

    @property
    def n_directions(self) -> int:
        """How often each question of two branches is tried: twice where missing values may go to either branch."""
        return 2 if self.missing is not None and self.missing.either else 1

    def __len__(self) -> int:
        return len(self.values)


@dataclasses.dataclass(frozen=True, eq=False)
class TriedCandidate:
    """One candidate as the trace stores it: its column, its question and its score."""

    column: int
    question: Question
    score: float


@dataclasses.dataclass(frozen=True, eq=False)
class NodeView:
    """A node while the tree grows. `used_columns` are those that a once-per-path question has used above it.

    `tried_candidates` collects all candidates for a trace. `best_score` computes the score of the question that the
    method would choose at a node, minus infinity if there is none.
    """

    sample: Sample
    rows: Integers
    weights: Floats
    id: int = ROOT
    depth: int = 0
    used_columns: frozenset[int] = frozenset()
    leaves: int = 1
    nodes: int = 1
    tried_candidates: list[TriedCandidate] | None = None
    best_score: Callable[[NodeView], float] | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows at the node."""
        return len(self.rows)

    @functools.cached_property
    def weight(self) -> float:
        """The weight of the rows, as given by the user."""
        return float(self.weights.sum())

    @functools.cached_property
    def target(self) -> npt.NDArray[Any]:
        """The targets of the rows."""
        return self.sample.target[self.rows]

    @functools.cached_property
    def criterion_weights(self) -> Floats:
        """The weights of the rows as the criterion counts them."""
        return self.sample.criterion_weights(self.rows, self.weights)

    @functools.cached_property
    def mean(self) -> float:
        """The weighted mean of a numeric target here; 0 for classes."""
        if self.sample.n_classes:
            return 0.0
        return float(self.target[0] if self.is_pure else (self.weights * self.target).sum() / self.weight)

    @functools.cached_property
    def squares(self) -> float:
        """The weighted sum of squares of a numeric target about its mean."""
        apart = self.target - self.mean
        return float((self.weights * apart * apart).sum())

    @property
    def deviation(self) -> float:
        """The standard deviation of a numeric target here."""
        return math.sqrt(self.squares / self.weight)

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
        return float(self.criterion_weights.sum())

    @property
    def fraction(self) -> float:
        """P(t): the weight of the node as a fraction of the root's weight."""
        return self.mass / self.sample.mass

    @functools.cached_property
    def is_pure(self) -> bool:
        """Whether all rows have the same target; compared row by row, never by differences of weights."""
        return bool((self.target == self.target[0]).all())

    def table(self, group: Integers, n_groups: int, only: npt.NDArray[np.bool_] | None = None) -> Floats:
        """The statistics of every group of the node's rows (or of some of them), one row per group."""
        keep = slice(None) if only is None else only
        weights, target = self.criterion_weights[keep], self.target[keep]
        if self.sample.n_classes:
            # Weights add exactly; the factors of the classes come last.
            counts = _counted(group, n_groups, target, self.sample.n_classes, self.weights[keep])
            return counts * self.sample.factors
        if self.targets is not None:
            return _counted(group, n_groups, np.searchsorted(self.targets, target), len(self.targets), weights)
        centered = target - self.mean
        columns = (weights, weights * centered, weights * centered * centered)
        return np.stack([sum_by_group(group, each, n_groups) for each in columns], axis=1)

    def groups(self, column: int) -> Groups:
        """The known rows by the values of a column, and the rows with a missing value."""
        data = self.sample.columns[column]
        values = data.values[self.rows]
        known = ~np.isnan(values) if data.kind is Kind.NUMERIC else values >= 0
        if self.sample.missing_mode == "impute" and known.any() and not known.all():
            values = np.where(known, values, self.fill_value(column)).astype(values.dtype)
            known = np.ones(len(values), dtype=bool)
        distinct, group = np.unique(values[known], return_inverse=True)
        count = len(distinct)
        missing = self._missing_rows(~known)
        return Groups(
            values=distinct,
            stats=self.table(group, count, known),
            rows=np.bincount(group, minlength=count).astype(np.int64),
            weight=sum_by_group(group, self.weights[known], count),
            unknown=float(self.criterion_weights[~known].sum()) if missing is None else 0.0,
            missing=missing,
        )

    def fill_value(self, column: int) -> float:
        """The imputed value of a column at this node; NaN (numbers) or -1 (levels) where no value is known."""
        assert self.sample.imputer is not None
        if self.sample.fill_values:
            return self.sample.fill_values[column]
        data = self.sample.columns[column]
        values = data.values[self.rows]
        known = ~np.isnan(values) if data.kind is Kind.NUMERIC else values >= 0
        if not known.any():
            return float("nan") if data.kind is Kind.NUMERIC else -1.0
        return self.sample.imputer(data.kind, values[known], self.weights[known])

    def varies(self, column: int) -> bool:
        """Whether some question about a column could separate rows: by its values, or by whether they are missing."""
        data = self.sample.columns[column]
        values = data.values[self.rows]
        known = ~np.isnan(values) if data.kind is Kind.NUMERIC else values >= 0
        if self.sample.missing_mode in ("either", "branch") and known.any() and not known.all():
            return True
        return len(self.groups(column)) > 1

    def _missing_rows(self, unknown: npt.NDArray[np.bool_]) -> MissingRows | None:
        """The rows with a missing value, where they count."""
        if self.sample.missing_mode not in ("either", "branch") or not unknown.any() or unknown.all():
            return None
        rows, weight = int(unknown.sum()), float(self.weights[unknown].sum())
        either = self.sample.missing_mode == "either"
        if not either and not self.sample.limits.allows(rows, weight):
            return None
        stats = self.table(np.zeros(rows, dtype=np.int64), 1, unknown)[0]
        return MissingRows(stats, rows, weight, either)

    def stream(self, purpose: int) -> Stream:
        """The node's random stream for a purpose; all columns of the node draw from the same stream."""
        sample = self.sample
        return sample.cache.get(
            ("stream", self.id, purpose), lambda: Stream.of(sample.seed, purpose, sample.tree, self.id)
        )


def _counted(group: Integers, n_groups: int, code: npt.NDArray[Any], n_codes: int, weights: Floats) -> Floats:
    return sum_by_group(group * n_codes + code, weights, n_groups * n_codes).reshape(n_groups, n_codes)


def sum_by_group(group: npt.NDArray[Any], numbers: Floats, n_groups: int) -> Floats:
    """The sum of the numbers of every group, added in the order of rows."""
    return np.bincount(group, weights=numbers, minlength=n_groups).astype(np.float64, copy=False)


@dataclasses.dataclass(frozen=True)
class Limits:
    """The minimum size of a branch: rows, and weight as given by the user."""

    rows: int = 1
    weight: float = 0.0

    def allows(self, rows: Any, weight: Any) -> Any:
        """Whether branches (scalars or arrays) are large enough."""
        return (rows >= self.rows) & reaches(weight, self.weight)


@dataclasses.dataclass(frozen=True, eq=False)
class Candidate:
    """The best question of one search about one column, with all that the choice among columns needs.

    `score` is the criterion's score inside the column, `gain` the decrease in impurity; `parent`, `branches`, `rows`
    and `weight` are those of rows whose branch is known, `unknown` is the weight of the others. `missing_branch` is the
    branch to which the search sends missing values: None if it does not decide; the number of the question's branches
    for a branch of their own. Those rows then count in `branches`, `rows` and `weight`.
    """

    column: int
    question: Question
    score: float
    gain: float
    parent: Floats
    branches: Floats
    rows: Integers
    weight: Floats
    unknown: float = 0.0
    n_tried: int = 1
    allow_zero_gain: bool = False
    missing_branch: int | None = None

    @property
    def n_branches(self) -> int:
        """The branches of the question, plus the branch of missing values where they have their own."""
        return len(self.rows)


def class_probabilities(stats: Floats) -> Floats:
    """Class weights along the last axis as probabilities; all 0 where there is no weight."""
    total = stats.sum(axis=-1, keepdims=True)
    found: Floats = np.divide(stats, total, out=np.zeros_like(stats, dtype=np.float64), where=total > 0)
    return found


def first_best(scores: Floats, tolerance: float) -> int:
    """The first score that no later one beats by more than the tolerance; -1 when there is none."""
    best, incumbent = -1, -np.inf
    for index, score in enumerate(scores.tolist()):
        if score - incumbent > tolerance:
            best, incumbent = index, score
    return best
