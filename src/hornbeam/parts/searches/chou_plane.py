"""A hyperplane by alternating descent after Chou (definition 8.6): sides and centroids improve each other.

    1  each branch has a centroid (its class probabilities, or its mean); a row belongs to the side whose centroid costs
       it less, with the weight |l(y, centroid_0) - l(y, centroid_1)| (a class that a branch lacks costs 20; a row with
       equal costs has no weight)
    2  a logistic regression of the sides with these weights gives a plane; its best cut gives new branches

starting from the best question about one column until the score stops increasing, at most 20 rounds. It supports any
criterion and any target.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Integers, NodeView
from hornbeam.parts.searches.logistic_plane import RIDGE, logistic
from hornbeam.parts.searches.machinery.plane_search import Fit, Frame, PlaneSearch
from hornbeam.parts.searches.machinery.points import Points
from hornbeam.tree.questions import Question

_MAX_COST = 20.0
_EQUAL_COSTS = 1e-10  # relative


@dataclass(frozen=True)
class ChouPlane(PlaneSearch):
    """The hyperplane of alternating descent between sides and centroids."""

    name: ClassVar[str] = "chou_plane"
    supports: ClassVar[tuple[str, ...]] = ("class", "number")
    rounds: int = option(20, "maximum number of rounds of the descent", at_least=1)
    ridge: float = option(RIDGE, "weight of the squared length of the direction in the fit", above=0.0)

    def fits(self, points: Points, frame: Frame, best_single: Candidate | None) -> Iterator[Fit]:
        """The last fit that increased the score."""
        if best_single is None or best_single.question.n_branches != 2:
            return
        best: Fit | None = None
        score, branch = -np.inf, branch_of(best_single.question, frame.node)
        for _ in range(self.rounds):
            signs, weights = target_sides(frame.node, branch, frame.criterion)
            if not (weights > 0).any() or np.unique(signs[weights > 0]).size < 2:
                break
            fit = functools.partial(self._direction, signs, weights)
            found = frame.cut(points, fit(points))
            if found is None or not frame.beats(found.score, score):
                break
            best, score, branch = fit, found.score, branch_of(found.question, frame.node)
        if best is not None:
            yield best

    def _direction(self, signs: Floats, weights: Floats, points: Points) -> Floats:
        return logistic(points.x, signs, weights, self.ridge)[0][:-1]


def branch_of(question: Question, node: NodeView) -> Integers:
    """The branch of every row; -1 if it is unknown."""
    columns = [column.take(node.rows) for column in node.sample.columns]
    return np.maximum(question.branch(columns), -1).astype(np.int64)


def target_sides(node: NodeView, branch: Integers, criterion: Criterion) -> tuple[Floats, Floats]:
    """The side where every row costs less (+1: branch 1), and its weight times the difference."""
    known = branch >= 0
    stats = node.table(branch[known], 2, known)
    each = np.eye(node.sample.n_classes) if node.sample.n_classes else _statistics_of_rows(node)
    cost = [criterion.divergence(each, stats[side], node.targets) for side in (0, 1)]
    if node.sample.n_classes:
        cost = [np.minimum(one, _MAX_COST)[node.target] for one in cost]
    difference = cost[0] - cost[1]
    difference[np.abs(difference) <= _EQUAL_COSTS * np.maximum(cost[0], cost[1])] = 0.0
    return np.where(difference > 0, 1.0, -1.0), node.criterion_weights * np.abs(difference)


def _statistics_of_rows(node: NodeView) -> Floats:
    """The statistics of every row of weight 1."""
    if node.targets is not None:
        return np.asarray(node.target[:, None] == node.targets[None, :], dtype=np.float64)
    off = node.target - node.mean
    return np.stack([np.ones(len(off)), off, off * off], axis=1)
