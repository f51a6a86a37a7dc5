"""A hyperplane by a linear support vector machine (definition 8.3): it minimizes, over v and b,

    (1/2) (|v|^2 + b^2) + C sum w max(0, 1 - g (v x + b))^2

(liblinear's squared hinge with a bias among the weights). The objective is piecewise quadratic: Newton's method with
the rows inside the margin (`machinery/newton.py`) reaches the unique minimum after a few rounds.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.node import Candidate, Floats
from hornbeam.parts.searches.logistic_plane import MANY_ROWS, ROUGH, STRIDE
from hornbeam.parts.searches.machinery.newton import EXTENDED_ROWS, minimize
from hornbeam.parts.searches.machinery.plane_search import Fit, Frame, PlaneSearch, groupings
from hornbeam.parts.searches.machinery.points import Points

_FLAT = 1e-8


@dataclass(frozen=True)
class SvmPlane(PlaneSearch):
    """The hyperplane of a linear support vector machine with squared hinge loss."""

    name: ClassVar[str] = "svm_plane"
    C: float = option(1.0, "weight of the errors relative to the width of the margin", above=0.0)

    def fits(self, points: Points, frame: Frame, best_single: Candidate | None) -> Iterable[Fit]:
        """One fit per grouping of the classes."""
        return (functools.partial(self._direction, signs) for signs in groupings(frame.node, best_single))

    def _direction(self, signs: Floats, points: Points) -> Floats:
        return squared_hinge(points.x, signs, points.weights, self.C)[:-1]


def squared_hinge(x: Floats, signs: Floats, weights: Floats, cost: float = 1.0) -> Floats:
    """The minimum (v, b)."""
    wide = np.column_stack([x, np.ones(len(x))])
    start = np.zeros(wide.shape[1])
    if len(x) >= MANY_ROWS:
        # The start is the fit of every sixteenth row, with sixteen times its weight.
        start = _minimum(wide[::STRIDE], signs[::STRIDE], weights[::STRIDE] * STRIDE, cost, start, ROUGH)
    return _minimum(wide, signs, weights, cost, start, _FLAT)


def _minimum(wide: Floats, signs: Floats, weights: Floats, cost: float, start: Floats, flat: float) -> Floats:
    def objective(theta: Floats) -> float:
        short = np.maximum(0.0, 1.0 - signs * (wide @ theta))
        return float(0.5 * (theta * theta).sum() + cost * (weights * short * short).sum())

    def gradient_and_hessian(theta: Floats) -> tuple[Floats, Callable[[], Floats]]:
        short = np.maximum(0.0, 1.0 - signs * (wide @ theta))
        inside, heavy = wide[short > 0], weights[short > 0][:, None]
        return (
            theta - 2.0 * cost * ((weights * signs * short) @ wide),
            lambda: np.eye(len(theta)) + 2.0 * cost * (inside * heavy).T @ inside,
        )

    flat *= max(1.0, 2.0 * cost * float(np.abs((weights * signs) @ wide).max()))
    return minimize(objective, gradient_and_hessian, start, flat, not start.any() and len(wide) >= EXTENDED_ROWS)[0]
