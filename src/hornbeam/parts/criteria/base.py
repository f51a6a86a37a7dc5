"""What is a criterion?  A number for every candidate of a column at once, and a choice among the columns' best.

    NodeImpurity   score = share known * (I(parent) - sum_c f_c I(c)),  f_c = W(c) / W(known)
    SplitScore     any other score of the branches; its impurity only serves best-first order and importances

`score(parent, branches, unknown)`: statistics of the known rows (S,), of every candidate's branches (..., B, S), and
the weight of rows whose answer is unknown. Score a beats b iff a - b > 1e-10 S(t) (definition 0.3); the first best
wins.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import Part
from hornbeam.parts.node import LEAST_SCALE, TOLERANCE, Candidate, Floats, NodeView


@dataclass(frozen=True)
class Criterion(Part, abc.ABC):
    """How good a split is; `suits` says which target it serves, `only_classes` how many classes if that matters.

    `must_gain`: a score of 0 bars a question, even in a method with `allow_zero_gain`.
    """

    part_type: ClassVar[str] = "criterion"
    supports: ClassVar[tuple[str, ...]] = ("class",)
    statistics: ClassVar[str] = "classes"
    only_classes: ClassVar[int | None] = None
    two_branches: ClassVar[bool] = False
    must_gain: ClassVar[bool] = False

    @property
    def target_types(self) -> tuple[str, ...]:
        """The targets it serves; a part that wraps another answers for it."""
        return self.supports

    @property
    def needed_statistics(self) -> str:
        """The statistics it needs: classes, moments or distribution."""
        return self.statistics

    def bound(self, classes: tuple[Any, ...]) -> Criterion:
        """The criterion for a target with these classes; only a table of costs by name needs to know them."""
        return self

    def check_target(self, target: Floats) -> None:
        """Raise if the criterion makes no sense for some target."""
        return None

    @abc.abstractmethod
    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The impurity of nodes from their statistics (..., S)."""

    @abc.abstractmethod
    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """One score a candidate."""

    def gain(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The decrease in impurity, times the share of weight whose answer is known."""
        known = float(self.mass(parent))
        inside = (self.mass(branches) * self.impurity(branches, targets)).sum(axis=-1)
        decrease = self.impurity(parent, targets) - inside / known
        return np.asarray(decrease * (known / (known + unknown)), dtype=np.float64)

    def mass(self, stats: Floats) -> Floats:
        """The weight inside statistics."""
        found: Floats = stats[..., 0] if self.needed_statistics == "moments" else stats.sum(axis=-1)
        return found

    def scale(self, stats: Floats, targets: Floats | None = None) -> float:
        """S(t): what scores are measured against in comparisons."""
        return 1.0

    def tolerance(self, stats: Floats, targets: Floats | None = None) -> float:
        """Scores at a node that differ by no more than this are equal."""
        return TOLERANCE * self.scale(stats, targets)

    def penalty(self, n_cuts: int, weight: float) -> float:
        """What is taken off the score of a cut that was the best of so many."""
        return 0.0

    def divergence(self, stats: Floats, centre: Floats, targets: Floats | None = None) -> Floats:
        """How far groups (m, S) are from a centre (S,), in the loss behind this criterion."""
        p = class_shares(stats)
        q = class_shares(centre)
        return np.asarray(((p - q) ** 2).sum(axis=-1), dtype=np.float64)

    def forbids(self, branches: Floats, parent: Floats, targets: Floats | None = None) -> npt.NDArray[np.bool_]:
        """Which branches (..., S) no split of the parent may have."""
        return np.zeros(branches.shape[:-1], dtype=np.bool_)

    def values(self, candidates: Sequence[Candidate], node: NodeView) -> list[float]:
        """What the columns' best are compared by; NaN bars a candidate."""
        return [each.score for each in candidates]

    def choose(self, candidates: Sequence[Candidate], node: NodeView) -> int | None:
        """The first best admissible candidate, or None."""
        tolerance = self.tolerance(node.stats, node.targets)
        best, incumbent = None, -np.inf
        for index, (each, value) in enumerate(zip(candidates, self.values(candidates, node), strict=True)):
            least = -tolerance if each.allow_zero_gain else tolerance
            shown = value / node.sample.cost(each.question)
            if value > least and shown - incumbent > tolerance:
                best, incumbent = index, shown
        return best


@dataclass(frozen=True)
class NodeImpurity(Criterion):
    """A criterion that is the decrease of an impurity."""

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The gain."""
        return self.gain(parent, branches, unknown, targets)

    def scale(self, stats: Floats, targets: Floats | None = None) -> float:
        """The impurity of the node; of classes at least 1e-3, as smaller ones are known to 1e-16 only."""
        found = float(self.impurity(stats, targets))
        return max(found, LEAST_SCALE) if self.needed_statistics == "classes" else found


@dataclass(frozen=True)
class SplitScore(Criterion):
    """A criterion that looks at the branches; Gini stands in where an impurity is asked for."""

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """1 - sum p^2."""
        p = class_shares(stats)
        return or_empty(1.0 - (p * p).sum(axis=-1), stats)


def class_shares(stats: Floats) -> Floats:
    """Shares along the last axis; all 0 where there is no weight."""
    total = stats.sum(axis=-1, keepdims=True)
    found: Floats = np.divide(stats, total, out=np.zeros_like(stats, dtype=np.float64), where=total > 0)
    return found


def or_empty(impurity: Floats, stats: Floats) -> Floats:
    """An impurity with 0 for nodes without weight."""
    return np.where(stats.sum(axis=-1) > 0, np.maximum(impurity, 0.0), 0.0)


def known_share(parent: Floats, unknown: float) -> float:
    """The share of weight whose answer is known, for class weights."""
    known = float(parent.sum())
    return known / (known + unknown)


def branch_shares(branches: Floats) -> Floats:
    """f_c: the share of the known weight in every branch, for class weights (..., B, K)."""
    return class_shares(branches.sum(axis=-1))
