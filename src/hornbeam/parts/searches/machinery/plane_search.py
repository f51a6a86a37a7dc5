"""The frame of searches of hyperplanes (definition 8.1): a method proposes a direction, the criterion selects the cut.

    1  the rows become points (`points.py`): every column in units of its spread, missing values at the mean
    2  the method proposes a direction v, from signs g = +1 and -1 of the rows: one superclass against the other
    3  z = sum w_j x_j, w_j = v_j / sd_j, is one more number: its best cut by the tree's own criterion
    4  columns of small contribution are removed, and the direction is fitted again

Superclasses: two classes as they are; up to four classes every grouping into two; more: each class against the rest,
and the superclass of twoing for the best question about one column, {k: P(k | branch 0) >= P(k | branch 1)}. A node of
fewer rows than twice its columns has no such question. The best question about one column competes.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Limits, NodeView, class_probabilities
from hornbeam.parts.searches.machinery.many_column_search import ManyColumnSearch, best_cut
from hornbeam.parts.searches.machinery.points import Points, canonical, points_of, weighted_sum
from hornbeam.tree.questions import Hyperplane

# A fit proposes a direction for points, which may be those of some of the columns only.
Fit = Callable[[Points], Floats | None]

Marks = npt.NDArray[np.bool_]

_ALL_GROUPINGS = 4


@dataclass(frozen=True)
class PlaneSearch(ManyColumnSearch):
    """The frame of all searches of hyperplanes; a subclass gives the directions."""

    rank: ClassVar[int] = 8
    supports: ClassVar[tuple[str, ...]] = ("class",)
    max_terms: int | None = option(None, "maximum number of columns of a plane; if None, there is no limit", at_least=2)
    min_contribution: float = option(
        0.0,
        "minimum contribution of a column to the score, as a fraction; columns below it are removed",
        at_least=0.0,
        below=1.0,
    )

    def min_rows(self, points: Points) -> int:
        """The minimum number of rows of a node."""
        return 2 * len(points.columns)

    @abc.abstractmethod
    def fits(self, points: Points, frame: Frame, best_single: Candidate | None) -> Iterable[Fit]:
        """The fits to try, in order."""

    def among(
        self,
        node: NodeView,
        columns: Sequence[int],
        criterion: Criterion,
        limits: Limits,
        best_single: Candidate | None,
    ) -> Candidate | None:
        """The best plane through the rows of a node."""
        points = points_of(node, columns)
        if points is None or len(points.columns) < 2 or node.n_rows < self.min_rows(points):
            return None
        frame = Frame(node, criterion, limits)
        best: Candidate | None = None
        for fit in self.fits(points, frame, best_single):
            found = self._reduced(points, frame, fit)
            if found is not None and (best is None or frame.beats(found.score, best.score)):
                best = found
        return best

    def _reduced(self, points: Points, frame: Frame, fit: Fit) -> Candidate | None:
        """The best plane of a fit, after the removal of columns."""
        direction = fit(points)
        found = frame.cut(points, direction)
        top = found.score if found is not None else -np.inf
        while direction is not None and len(points.columns) > 2:
            too_many = self.max_terms is not None and np.count_nonzero(direction) > self.max_terms
            if not too_many and self.min_contribution == 0:
                break
            points = points.select(np.delete(np.arange(len(points.columns)), int(np.abs(direction).argmin())))
            direction = fit(points)
            shorter = frame.cut(points, direction)
            score = shorter.score if shorter is not None else -np.inf
            if not too_many and not score > top * (1 - self.min_contribution):
                break
            found, top = shorter, max(top, score)
        return found


@dataclass(frozen=True, eq=False)
class Frame:
    """The node, criterion and limits by which its planes are scored."""

    node: NodeView
    criterion: Criterion
    limits: Limits

    @property
    def tolerance(self) -> float:
        """The minimum difference between a better score and another."""
        return self.criterion.tolerance(self.node.stats, self.node.targets)

    def beats(self, score: float, other: float) -> bool:
        """Whether a score is better."""
        return score - other > self.tolerance

    def cut(self, points: Points, direction: Floats | None) -> Candidate | None:
        """The best cut along a direction; None if it has fewer than two terms or no allowed cut."""
        unit = None if direction is None else canonical(direction)
        if unit is None or np.count_nonzero(unit) < 2:
            return None
        at = PlaneAt(points, unit)
        numbers = weighted_sum(at.filled, at.weights)
        return best_cut(self.node, numbers, at, at.terms[0], self.criterion, self.limits)


class PlaneAt:
    """The planes orthogonal to a direction of length 1, by their bound."""

    def __init__(self, points: Points, unit: Floats) -> None:
        named = np.flatnonzero(unit)
        self.terms = tuple(points.columns[j] for j in named)
        self.weights = unit[named] / points.sd[named]
        self.filled = points.filled[:, named]
        self.fill = tuple(points.fill[named].tolist())

    def __call__(self, cut: float) -> Hyperplane:
        """The plane with its bound."""
        return Hyperplane(self.terms, tuple(self.weights.tolist()), cut, self.fill)


def groupings(node: NodeView, best_single: Candidate | None) -> Iterator[Floats]:
    """Signs of the rows, +1 for one superclass and -1 for the other, for every grouping that is tried."""
    n_classes = node.sample.n_classes
    present = np.unique(node.target)
    for positive in superclasses(present.tolist(), n_classes, best_single):
        yield np.where(positive[node.target], 1.0, -1.0)


def superclasses(present: list[int], n_classes: int, best_single: Candidate | None) -> list[Marks]:
    """The superclasses that are tried against the rest of the classes present, as marks of all classes."""
    count = len(present)
    if count < 2:
        return []
    if count <= _ALL_GROUPINGS:
        # The first class present is always in the rest, so that no grouping comes twice.
        masks = range(1, 1 << (count - 1))
        return [_marked((present[1:][j] for j in range(count - 1) if mask >> j & 1), n_classes) for mask in masks]
    found = [_marked([k], n_classes) for k in present]
    if best_single is not None and len(best_single.branches) == 2:
        probabilities = class_probabilities(best_single.branches)
        inside = [k for k in present if probabilities[0, k] >= probabilities[1, k]]
        if 1 < len(inside) < count - 1:
            found.append(_marked(inside, n_classes))
    return found


def _marked(classes: Iterable[int], n_classes: int) -> Marks:
    marks = np.zeros(n_classes, dtype=np.bool_)
    marks[list(classes)] = True
    return marks
