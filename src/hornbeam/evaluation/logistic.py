"""Logistic regression on one column by Newton's method: the log-odds of y as a + b x.

    minimize  -Σ w (y ln q + (1-y) ln(1-q)),  q = 1/(1 + exp(-(a + b x)));  y may be any fraction in [0, 1]

The maximum exists only if the two classes overlap on x (`is_separated` is False).
"""

from __future__ import annotations

import dataclasses

import numpy as np

from hornbeam.evaluation.inputs import Flags, Floats

_STEPS = 100


@dataclasses.dataclass(frozen=True)
class Line:
    """Log-odds = intercept + slope · x, with the variances of the two."""

    intercept: float
    slope: float
    intercept_variance: float
    slope_variance: float


def is_separated(x: Floats, flags: Flags) -> bool:
    """Whether some cut of x has all positives on one side (equality allowed), so that no finite slope is best."""
    above, below = x[flags], x[~flags]
    return bool(above.min() >= below.max() or below.min() >= above.max())


def fitted_line(x: Floats, y: Floats, weights: Floats) -> Line:
    """The best intercept and slope; x must not be constant."""
    center = float(np.average(x, weights=weights))
    spread = float(np.sqrt(np.average((x - center) ** 2, weights=weights)))
    design = np.column_stack((np.ones_like(x), (x - center) / spread))
    inner, covariance = _newton(design, y, weights, np.zeros(len(x)))
    back = np.array([[1.0, -center / spread], [0.0, 1.0 / spread]])
    outer, variances = back @ inner, np.diag(back @ covariance @ back.T)
    return Line(float(outer[0]), float(outer[1]), float(variances[0]), float(variances[1]))


def fitted_intercept(offset: Floats, y: Floats, weights: Floats) -> tuple[float, float]:
    """The best shift of given log-odds, and its variance."""
    inner, covariance = _newton(np.ones((len(y), 1)), y, weights, offset)
    return float(inner[0]), float(covariance[0, 0])


def expit(x: Floats) -> Floats:
    """1 / (1 + exp(-x)) without overflow."""
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1 / (1 + small), small / (1 + small)))


def _loss(odds: Floats, y: Floats, weights: Floats) -> float:
    return float(np.sum(weights * (np.logaddexp(0.0, odds) - y * odds)))


def _newton(design: Floats, y: Floats, weights: Floats, offset: Floats) -> tuple[Floats, Floats]:
    found = np.zeros(design.shape[1])
    best = _loss(offset, y, weights)
    for _ in range(_STEPS):
        share = expit(offset + design @ found)
        slope = design.T @ (weights * (y - share))
        bend = (design * (weights * share * (1 - share))[:, None]).T @ design
        # A trace of damping keeps the step finite where every share is 0 or 1 to the last bit.
        step = np.linalg.solve(bend + 1e-14 * weights.sum() * np.eye(len(found)), slope)
        size = 1.0
        while size > 1e-10 and _loss(offset + design @ (found + size * step), y, weights) > best:
            size /= 2
        found = found + size * step
        best = _loss(offset + design @ found, y, weights)
        if np.max(np.abs(size * step)) < 1e-11 * (1 + np.max(np.abs(found))):
            break
    share = expit(offset + design @ found)
    bend = (design * (weights * share * (1 - share))[:, None]).T @ design
    return found, np.asarray(np.linalg.pinv(bend), dtype=np.float64)
