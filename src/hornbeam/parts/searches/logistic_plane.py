"""A hyperplane by logistic regression (definition 8.3): it minimizes, over v and b,

    (1/W) sum w ln(1 + exp(-g (v x + b))) + (ridge / 2) |v|^2

by Newton's method (`machinery/newton.py`), to a gradient below 1e-8. The minimum is unique. With many rows, the fit of
every sixteenth row is the start, which saves most of the long steps and changes nothing else.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.node import Candidate, Floats
from hornbeam.parts.searches.machinery.newton import EXTENDED_ROWS, minimize
from hornbeam.parts.searches.machinery.plane_search import Fit, Frame, PlaneSearch, groupings
from hornbeam.parts.searches.machinery.points import Points

RIDGE = 1e-3
_FLAT = 1e-8
# A direction this short, where the likelihood has no slope, is rounding: the columns do not separate the sides.
_SHORT, _NO_SLOPE = 1e-9, 1e-13
# From this number of rows on, every sixteenth row is fitted first, with a larger tolerance.
MANY_ROWS = 4096
STRIDE = 16
ROUGH = 1e-4


@dataclass(frozen=True)
class LogisticPlane(PlaneSearch):
    """The hyperplane of a logistic regression with a small ridge."""

    name: ClassVar[str] = "logistic_plane"
    ridge: float = option(RIDGE, "weight of the squared length of the direction", above=0.0)

    def fits(self, points: Points, frame: Frame, best_single: Candidate | None) -> Iterable[Fit]:
        """One fit per grouping of the classes."""
        return (functools.partial(self._direction, signs) for signs in groupings(frame.node, best_single))

    def _direction(self, signs: Floats, points: Points) -> Floats:
        return logistic(points.x, signs, points.weights, self.ridge)[0][:-1]


def logistic(x: Floats, signs: Floats, weights: Floats, ridge: float = RIDGE) -> tuple[Floats, int]:
    """The minimum (v, b), and the number of rounds on all rows."""
    wide = np.column_stack([x, np.ones(len(x))])
    start = np.zeros(wide.shape[1])
    if len(x) >= MANY_ROWS:
        start = _minimum(wide[::STRIDE], signs[::STRIDE], weights[::STRIDE], ridge, start, ROUGH)[0]
    theta, rounds = _minimum(wide, signs, weights, ridge, start, _FLAT)
    length = float(np.sqrt((theta[:-1] * theta[:-1]).sum()))
    if length <= _SHORT and ridge * length <= _NO_SLOPE:
        theta[:-1] = 0.0
    return theta, rounds


def _minimum(
    wide: Floats, signs: Floats, weights: Floats, ridge: float, start: Floats, flat: float
) -> tuple[Floats, int]:
    total = weights.sum()
    if not total > 0:
        return start, 0
    fraction = weights / total
    lengths = np.full(len(start), ridge)
    lengths[-1] = 0.0

    def objective(theta: Floats) -> float:
        return float(
            (fraction * np.logaddexp(0.0, -signs * (wide @ theta))).sum() + 0.5 * (lengths * theta * theta).sum()
        )

    def gradient_and_hessian(theta: Floats) -> tuple[Floats, Callable[[], Floats]]:
        inside = 1.0 / (1.0 + np.exp(np.minimum(signs * (wide @ theta), 700.0)))
        bend = (fraction * inside * (1.0 - inside))[:, None]
        # Where all rows have probabilities near 0 or 1, the Hessian of the bias vanishes.
        return (
            lengths * theta - (fraction * signs * inside) @ wide,
            lambda: (wide * bend).T @ wide + np.diag(lengths + 1e-12),
        )

    return minimize(objective, gradient_and_hessian, start, flat, not start.any() and len(wide) >= EXTENDED_ROWS)
