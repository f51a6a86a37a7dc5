"""First and second derivative of the loss of each row by its score F (definition 10.5).

    loss       g                 h             F before the first round    target    link
    logistic   p - y             p (1 - p)     ln(p / (1 - p))             classes   p = 1 / (1 + e^-F)
    softmax    p_k - y_k         c p_k (1 - p_k)  ln p_k                   classes   p_k ~ e^F_k
    squared    F - y             1             mean                        numeric   F
    poisson    e^F - y           e^F           ln mean                     numeric   e^F
    absolute   sign(F - y)       1             lower median                numeric   F; leaves are fitted again
    quantile   1 - q or -q       1             quantile                    numeric   F; leaves are fitted again

All are multiplied by the row's weight; leaves of the last two predict the median or quantile of the residuals of their
rows. This is the reference implementation of native/boosting/gradients.cpp, including its fixed-point arithmetic: a row
is a pair of integers; h is shifted up so that its low bits count rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbeam.parts.losses.base import weighted_quantile as sorted_quantile

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

LOSSES = ("logistic", "softmax", "squared", "poisson", "absolute", "quantile")
LINKS = {"logistic": "logistic", "softmax": "softmax", "poisson": "exp"}
_MIN_PROBABILITY = 1e-15


@dataclass(frozen=True)
class Units:
    """The units of g and h, and the number of low bits of h that count rows."""

    g: float
    h: float
    count_bits: int


def derivatives(
    loss: str, q: float, scores: Floats, target: Floats, k: int = 0, curvature: float = 1.0
) -> tuple[Floats, Floats]:
    """G and h of each row for output k; scores are (outputs, rows); `curvature` applies to softmax."""
    f = scores[k]
    ones = np.ones(len(target))
    if loss == "logistic":
        p = 1.0 / (1.0 + np.exp(-f))
        return p - target, p * (1.0 - p)
    if loss == "softmax":
        raised = np.exp(scores - scores.max(axis=0))
        p = raised[k] / raised.sum(axis=0)
        return p - (target == k), curvature * (p * (1.0 - p))
    if loss == "squared":
        return f - target, ones
    if loss == "poisson":
        return np.exp(f) - target, np.exp(f)
    if loss == "absolute":
        return np.sign(f - target), ones
    return np.where(f > target, 1.0 - q, np.where(f < target, -q, 0.0)), ones


def units_for(loss: str, g: Floats, h: Floats, weights: Floats, curvature: float = 1.0) -> Units:
    """Units that are powers of two, chosen from the bounds of |g| and h so that all sums stay below 2^61."""
    bits = len(g).bit_length()
    max_weight = float(weights.max())
    max_g = float(np.abs(g * weights).max()) if loss in ("squared", "poisson") else max_weight
    is_class = loss in ("logistic", "softmax")
    max_h = max_weight * curvature / 4 if is_class else max_weight
    if loss == "poisson":
        max_h = float((h * weights).max())

    def unit(largest: float, n_bits: int) -> float:
        return math.ldexp(1.0, math.frexp(largest)[1] - n_bits) if largest > 0 else 1.0

    return Units(unit(max_g, min(61 - bits, 50)), unit(max_h, min(max(61 - 2 * bits, 8), 50)), bits)


def pairs(g: Floats, h: Floats, weights: Floats, units: Units) -> Whole:
    """An integer array (rows, 2): g, and h with a 1 in its low bits."""
    first = np.rint(g * weights / units.g).astype(np.int64)
    second = (np.rint(h * weights / units.h).astype(np.int64) << units.count_bits) + 1
    return np.stack([first, second], axis=1)


def base_scores(loss: str, q: float, target: Floats, weights: Floats, n_classes: int) -> list[float]:
    """The best constant scores, one per output."""
    mean = _sum_in_any_order(weights * target) / float(weights.sum())
    if loss == "logistic":
        p = min(max(mean, _MIN_PROBABILITY), 1 - _MIN_PROBABILITY)
        return [math.log(p / (1 - p))]
    if loss == "softmax":
        probabilities = np.bincount(target.astype(np.int64), weights=weights, minlength=n_classes) / weights.sum()
        return [math.log(max(p, _MIN_PROBABILITY)) for p in probabilities.tolist()]
    if loss == "squared":
        return [mean]
    if loss == "poisson":
        return [math.log(max(mean, _MIN_PROBABILITY))]
    return [weighted_quantile(target, weights, 0.5 if loss == "absolute" else q)]


def _sum_in_any_order(values: Floats) -> float:
    """The sum of values rounded to multiples of one unit: it does not depend on their order."""
    exponent = int(np.frexp(np.abs(values).max(initial=0.0))[1])
    return math.fsum(np.ldexp(np.rint(np.ldexp(values, 60 - exponent)), exponent - 60).tolist())


def weighted_quantile(values: Floats, weights: Floats, q: float) -> float:
    """The smallest value whose cumulative weight reaches q times the total weight, without a tolerance."""
    order = np.argsort(values, kind="stable")
    return float(sorted_quantile(weights[order], values[order], q, tolerance=0.0))


def mean_loss(loss: str, q: float, scores: Floats, target: Floats, weights: Floats) -> float:
    """The weighted mean of the loss; scores are (outputs, rows)."""
    f = scores[0]
    if loss == "logistic":
        each = np.maximum(f, 0) + np.log1p(np.exp(-np.abs(f))) - target * f
    elif loss == "softmax":
        largest = scores.max(axis=0)
        each = largest + np.log(np.exp(scores - largest).sum(axis=0))
        each = each - scores[target.astype(np.int64), np.arange(len(target))]
    elif loss == "squared":
        each = (f - target) ** 2 / 2
    elif loss == "poisson":
        each = np.exp(f) - target * f
    elif loss == "absolute":
        each = np.abs(target - f)
    else:
        each = np.where(target > f, q * (target - f), (1 - q) * (f - target))
    return float((weights * each).sum() / weights.sum())
