"""A hyperplane across Fisher's linear discriminant of two groups of classes (definition 8.4).

    v = (S_w + gamma tr(S_w) / d I)^-1 (m_+ - m_-)         S_w: covariance within the groups, m: their means

For three classes and more the leading eigenvector of S_w^-1 S_b (S_b: covariance of the class means) is tried first.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.ordered_sum import ordered_sum
from hornbeam.parts.node import Candidate, Floats, Integers, sum_by_group
from hornbeam.parts.searches.machinery.eigenvectors import eigenvectors
from hornbeam.parts.searches.machinery.ordered_algebra import cholesky, solve_lower, solve_upper, weighted_gram
from hornbeam.parts.searches.machinery.plane_search import Fit, Frame, PlaneSearch, groupings
from hornbeam.parts.searches.machinery.points import Points

GAMMA = 1e-6
_EQUAL_MEANS = 1e-12  # in units of the spread of a column


@dataclass(frozen=True)
class LdaPlane(PlaneSearch):
    """The hyperplane across Fisher's linear discriminant."""

    name: ClassVar[str] = "lda_plane"
    gamma: float = option(
        GAMMA, "fraction of the mean variance that is added to the variance of every column", above=0.0
    )

    def fits(self, points: Points, frame: Frame, best_single: Candidate | None) -> Iterator[Fit]:
        """All classes at once if there are more than two, then one fit per grouping."""
        group = np.unique(frame.node.target, return_inverse=True)[1]
        if group.max() > 1:
            yield functools.partial(self._of_all, group)
        for signs in groupings(frame.node, best_single):
            yield functools.partial(self._of_two, signs)

    def _of_two(self, signs: Floats, points: Points) -> Floats | None:
        within, means, _ = spread(points.x, (signs > 0).astype(np.int64), points.weights, self.gamma)
        lower = cholesky(within)
        return None if lower is None else solve_upper(lower, solve_lower(lower, _distances(means[1] - means[0])))

    def _of_all(self, group: Integers, points: Points) -> Floats | None:
        within, means, weight = spread(points.x, group, points.weights, self.gamma)
        fraction = weight / ordered_sum(weight.tolist())
        off = _distances(means - np.cumsum(fraction[:, None] * means, axis=0)[-1])
        between = np.cumsum((fraction[:, None] * off)[:, :, None] * off[:, None, :], axis=0)[-1]
        # With S_w = L L' the problem becomes symmetric: L^-1 S_b L^-T u = lambda u, v = L^-T u.
        lower = cholesky(within)
        if lower is None:
            return None
        leading = eigenvectors(solve_lower(lower, solve_lower(lower, between).T))[1][0]
        return solve_upper(lower, leading)


def _distances(means: Floats) -> Floats:
    """Distances of means; those of equal means are 0, whatever rounding makes of them."""
    return np.where(np.abs(means) <= _EQUAL_MEANS, 0.0, means)


def spread(x: Floats, group: Integers, weights: Floats, gamma: float) -> tuple[Floats, Floats, Floats]:
    """The covariance within groups with its ridge, and the mean and the weight of every group."""
    count = int(group.max()) + 1
    weight = sum_by_group(group, weights, count)
    sums = np.stack([sum_by_group(group, weights * x[:, j], count) for j in range(x.shape[1])], axis=1)
    means = sums / weight[:, None]
    off = x - means[group]
    within = weighted_gram(off, weights) / ordered_sum(weight.tolist())
    ridge = gamma * ordered_sum(np.diagonal(within).tolist()) / x.shape[1]
    # Groups of single points have no spread; then any positive number can be the unit.
    return within + (ridge if ridge > 0 else 1.0) * np.eye(x.shape[1]), means, weight
