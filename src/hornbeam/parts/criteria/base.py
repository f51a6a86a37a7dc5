"""The interface of a criterion: scores for all candidates of a column at once, and the choice among the columns.

    NodeImpurity   score = known fraction * (I(parent) - sum_c f_c I(c)),  f_c = W(c) / W(known)
    SplitScore     any other score of the branches; its impurity is used only for best-first order and importance

`score(parent, branches, unknown)` receives the statistics of the known rows (S,), those of every candidate's branches
(..., B, S), and the weight of the rows whose branch is unknown. Score a beats b if a - b > 1e-10 S(t) (definition 0.3);
the first best wins.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import Part
from hornbeam.parts.node import LEAST_SCALE, TOLERANCE, Candidate, Floats, NodeView, class_probabilities


@dataclass(frozen=True)
class Criterion(Part, abc.ABC):
    """The score of a split.

    `supports` lists the target types, `statistics` is the type of statistics it needs, `only_classes` the required
    number of classes (None: any). With `must_gain` a score of 0 excludes a question, even in a method with
    `allow_zero_gain`.
    """

    part_type: ClassVar[str] = "criterion"
    supports: ClassVar[tuple[str, ...]] = ("class",)
    statistics: ClassVar[str] = "classes"
    only_classes: ClassVar[int | None] = None
    two_branches: ClassVar[bool] = False
    must_gain: ClassVar[bool] = False

    @property
    def target_types(self) -> tuple[str, ...]:
        """The supported target types; a part that wraps another returns those of the other."""
        return self.supports

    @property
    def needed_statistics(self) -> str:
        """The type of statistics it needs: classes, moments or distribution."""
        return self.statistics

    def bound(self, classes: tuple[Any, ...]) -> Criterion:
        """The criterion for a target with these classes; only costs by class name depend on them."""
        return self

    def check_target(self, target: Floats) -> None:
        """Raise an error if a target value is not valid for the criterion."""
        return None

    @abc.abstractmethod
    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The impurity of nodes from their statistics (..., S)."""

    @abc.abstractmethod
    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """One score per candidate."""

    def gain(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The decrease in impurity, times the fraction of weight whose branch is known."""
        known = float(self.mass(parent))
        inside = (self.mass(branches) * self.impurity(branches, targets)).sum(axis=-1)
        decrease = self.impurity(parent, targets) - inside / known
        return np.asarray(decrease * (known / (known + unknown)), dtype=np.float64)

    def mass(self, stats: Floats) -> Floats:
        """The total weight of statistics."""
        found: Floats = stats[..., 0] if self.needed_statistics == "moments" else stats.sum(axis=-1)
        return found

    def scale(self, stats: Floats, targets: Floats | None = None) -> float:
        """S(t): the scale of scores in comparisons."""
        return 1.0

    def tolerance(self, stats: Floats, targets: Floats | None = None) -> float:
        """The largest difference of scores at a node that counts as equality."""
        return TOLERANCE * self.scale(stats, targets)

    def penalty(self, n_cuts: int, weight: float) -> float:
        """The penalty on the score of a cut that is the best of `n_cuts`."""
        return 0.0

    def divergence(self, stats: Floats, center: Floats, targets: Floats | None = None) -> Floats:
        """The divergence of groups (m, S) from a center (S,), in the loss behind this criterion."""
        p = class_probabilities(stats)
        q = class_probabilities(center)
        return np.asarray(((p - q) ** 2).sum(axis=-1), dtype=np.float64)

    def forbids(self, branches: Floats, parent: Floats, targets: Floats | None = None) -> npt.NDArray[np.bool_]:
        """Whether each branch (..., S) is forbidden in a split of the parent."""
        return np.zeros(branches.shape[:-1], dtype=np.bool_)

    def values(self, candidates: Sequence[Candidate], node: NodeView) -> list[float]:
        """The values by which the best candidates of the columns are compared; NaN excludes a candidate."""
        return [each.score for each in candidates]

    def choose(self, candidates: Sequence[Candidate], node: NodeView) -> int | None:
        """The first best admissible candidate, or None."""
        tolerance = self.tolerance(node.stats, node.targets)
        best, incumbent = None, -np.inf
        for index, (each, value) in enumerate(zip(candidates, self.values(candidates, node), strict=True)):
            minimum = -tolerance if each.allow_zero_gain else tolerance
            compared = value / node.sample.cost(each.question)
            if value > minimum and compared - incumbent > tolerance:
                best, incumbent = index, compared
        return best


@dataclass(frozen=True)
class NodeImpurity(Criterion):
    """A criterion that is the decrease of an impurity."""

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The gain."""
        return self.gain(parent, branches, unknown, targets)

    def scale(self, stats: Floats, targets: Floats | None = None) -> float:
        """The impurity of the node; for classes at least 1e-3, as smaller ones are accurate to 1e-16 only."""
        found = float(self.impurity(stats, targets))
        return max(found, LEAST_SCALE) if self.needed_statistics == "classes" else found


@dataclass(frozen=True)
class SplitScore(Criterion):
    """A criterion that scores the branches; where an impurity is needed, it is Gini's."""

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """1 - sum p^2."""
        p = class_probabilities(stats)
        return or_empty(1.0 - (p * p).sum(axis=-1), stats)


def or_empty(impurity: Floats, stats: Floats) -> Floats:
    """The impurity, and 0 for nodes without weight."""
    return np.where(stats.sum(axis=-1) > 0, np.maximum(impurity, 0.0), 0.0)


def known_fraction(parent: Floats, unknown: float) -> float:
    """The fraction of weight whose branch is known, for class weights."""
    known = float(parent.sum())
    return known / (known + unknown)


def branch_fractions(branches: Floats) -> Floats:
    """f_c: the fraction of the known weight in every branch, for class weights (..., B, K)."""
    return class_probabilities(branches.sum(axis=-1))
