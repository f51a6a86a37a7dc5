"""The hyperplane of a perceptron with a pocket (definition 8.2).

    w = 0, b = 0; in the order of rows, up to 100 times:
    where g (w x + b) <= 0:  (w, b) += g (weight / mean weight) (x, 1)

The plane of least weighted error at the end of a round is stored in the pocket, as the rounds do not converge on rows
that no plane separates. A round without a change is the last one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.node import Candidate, Floats
from hornbeam.parts.searches.machinery.plane_search import Fit, Frame, PlaneSearch, groupings
from hornbeam.parts.searches.machinery.points import Points, sum_rows, weighted_sum


@dataclass(frozen=True)
class PerceptronPlane(PlaneSearch):
    """The hyperplane of a perceptron with a pocket."""

    name: ClassVar[str] = "perceptron_plane"
    epochs: int = option(100, "maximum number of passes over the rows", at_least=1)

    def fits(self, points: Points, frame: Frame, best_single: Candidate | None) -> Iterable[Fit]:
        """One fit per grouping of the classes."""
        return (functools.partial(self._direction, signs) for signs in groupings(frame.node, best_single))

    def _direction(self, signs: Floats, points: Points) -> Floats:
        return pocket(points.x, signs, points.weights, self.epochs)[0][:-1]


def pocket(x: Floats, signs: Floats, weights: Floats, epochs: int = 100) -> tuple[Floats, float, int]:
    """The plane (w, b) in the pocket, its weighted error, and the number of rounds."""
    wide = np.column_stack([x, np.ones(len(x))])
    steps = signs * (weights / (sum_rows(weights) / len(weights)))
    plane = np.zeros(wide.shape[1])
    kept, smallest = plane.copy(), np.inf
    epoch, is_changed = 0, True
    while is_changed and epoch < epochs:
        epoch, is_changed = epoch + 1, False
        for row, sign, step in zip(wide, signs.tolist(), steps.tolist(), strict=True):
            if sign * float((plane * row).cumsum()[-1]) <= 0:
                plane = plane + step * row
                is_changed = True
        wrong = signs * weighted_sum(wide, plane) <= 0
        error = sum_rows(weights * wrong)
        if error < smallest:
            kept, smallest = plane.copy(), error
    return kept, smallest, epoch
