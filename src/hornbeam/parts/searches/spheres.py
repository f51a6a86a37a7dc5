"""Spheres (definition 8.7): the squared distance to a center is one more number to cut.

    centers   the mean of every class, the mean of the node, and rows: all of them up to 200, else some at random
    radius    the best cut of sum ((x_j - c_j) / s_j)^2 by the tree's own criterion; branch 0 is inside

s_j is the spread of a column at the node, or 1: without a common unit one column dominates. Missing values count as the
mean. Random numbers: purpose 6, keyed by the node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Limits, NodeView
from hornbeam.parts.searches.machinery.many_column_search import ManyColumnSearch, best_cut
from hornbeam.parts.searches.machinery.points import Points, points_of, sum_columns, sum_rows
from hornbeam.seeds import Purpose, Stream
from hornbeam.tree.questions import Sphere

_FEW_ROWS = 200


@dataclass(frozen=True)
class Spheres(ManyColumnSearch):
    """The best sphere around a class, the node or a row."""

    name: ClassVar[str] = "spheres"
    rank: ClassVar[int] = 9
    rows: int = option(20, "number of rows that are tried as centers if there are more than 200", at_least=0)
    is_scaled: bool = option(True, "whether columns are divided by their spread at the node")

    def among(
        self,
        node: NodeView,
        columns: Sequence[int],
        criterion: Criterion,
        limits: Limits,
        best_single: Candidate | None,
    ) -> Candidate | None:
        """The best sphere around any of the centers."""
        points = points_of(node, columns)
        if points is None or node.n_rows < 2 * len(points.columns):
            return None
        scale = points.sd if self.is_scaled else np.ones(len(points.columns))
        tolerance = criterion.tolerance(node.stats, node.targets)
        best: Candidate | None = None
        for center in self.centers(points, node):
            found = _around(points, node, center, scale, criterion, limits)
            if found is not None and (best is None or found.score - best.score > tolerance):
                best = found
        return best

    def centers(self, points: Points, node: NodeView) -> Iterator[Floats]:
        """The class means, the mean, and rows, in this order."""
        if node.sample.n_classes:
            for label in np.unique(node.target).tolist():
                inside = node.target == label
                weights = points.weights[inside]
                yield sum_columns(points.filled[inside] * weights[:, None]) / sum_rows(weights)
        yield points.mean
        tried = range(node.n_rows)
        if node.n_rows > _FEW_ROWS:
            stream = Stream.of(node.sample.seed, Purpose.OBLIQUE, node.sample.tree, node.id)
            tried = stream.choose(node.n_rows, self.rows)  # type: ignore[assignment]
        for row in tried:
            yield points.filled[row]


def squared_distance(filled: Floats, center: Floats, scale: Floats) -> Floats:
    """The squared distance of every row, term by term, as a sphere computes it."""
    total = np.zeros(len(filled))
    for index in range(filled.shape[1]):
        step = (filled[:, index] - center[index]) / scale[index]
        total = total + step * step
    return total


def _around(
    points: Points, node: NodeView, center: Floats, scale: Floats, criterion: Criterion, limits: Limits
) -> Candidate | None:
    def question(cut: float) -> Sphere:
        return Sphere(points.columns, tuple(center.tolist()), tuple(scale.tolist()), cut, tuple(points.fill.tolist()))

    distance = squared_distance(points.filled, center, scale)
    return best_cut(node, distance, question, points.columns[0], criterion, limits)
