"""Costs of misclassification and the thresholds that follow from them.

    expected cost   Σ C[actual][predicted] · table[actual][predicted] / W
    threshold       positive if p >= (C_FP - C_TN) / (C_FP - C_TN + C_FN - C_TP); without costs of
                    correct predictions: C_FP/(C_FP + C_FN)
    cost curve      PC = π C_FN/(π C_FN + (1-π) C_FP);  normalized cost = FNR·PC + FPR·(1-PC); the lower envelope over
                    all thresholds, compared with min(PC, 1-PC) of always or never predicting positive
    decision curve  net benefit TP/n - FP/n · t/(1-t), compared with treating all and treating none (0)

Ties go to the positive class at the threshold (p >= t), and to the lowest class otherwise.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.evaluation.confusion import Confusion
from hornbeam.evaluation.inputs import Floats, binary_probabilities, checked_probabilities, numbers_of
from hornbeam.evaluation.intervals import delta
from hornbeam.evaluation.metrics import Metric, undefined_metric
from hornbeam.evaluation.roc import RocCurve
from hornbeam.parts.losses.machinery.costs import cost_table


@dataclasses.dataclass(frozen=True, eq=False)
class CostCurve:
    """Normalized expected cost of the best threshold at each probability cost, and without a model."""

    probability_costs: Floats
    costs: Floats
    trivial: Floats


@dataclasses.dataclass(frozen=True, eq=False)
class DecisionCurve:
    """Net benefit per threshold, and that of treating all; treating none is 0."""

    thresholds: Floats
    net_benefit: Floats
    treat_all: Floats


def cost_matrix(costs: Any, n_classes: int) -> Floats:
    """Costs as a checked matrix [actual][predicted]."""
    found = cost_table(costs, range(n_classes))
    if not np.isfinite(found).all():
        raise InputError(f"costs must be finite, got {found.tolist()}.")
    return found


def expected_cost(table: Confusion, costs: Any, confidence: float = 0.95) -> Metric:
    """The mean cost of a row, with its normal interval."""
    found = cost_matrix(costs, len(table.classes))
    if table.total <= 0:
        return undefined_metric("average_cost", "there are no rows")
    probabilities = table.weights / table.total
    value = float(np.sum(probabilities * found))
    return Metric("average_cost", value, *delta(value, found, probabilities, table.rows, confidence))


def threshold_by_cost(false_positive: float, false_negative: float, right: tuple[float, float] = (0.0, 0.0)) -> float:
    """The probability from which predicting positive is cheaper; `right` are the costs of TN and TP."""
    positive, negative = false_positive - right[0], false_negative - right[1]
    if not (
        np.isfinite(positive) and np.isfinite(negative) and positive >= 0 and negative >= 0 and positive + negative > 0
    ):
        raise OptionError(
            "Errors must cost at least as much as correct predictions, and one of them more; "
            f"got {short_repr(false_positive)} (false positive) and {short_repr(false_negative)} (false negative).",
            option="costs",
        )
    return float(positive / (positive + negative))


def cheapest_predictions(probabilities: Any, costs: Any) -> npt.NDArray[np.int64]:
    """The class of smallest expected cost per row; on a tie the lowest."""
    found = checked_probabilities(probabilities)
    expected = found @ cost_matrix(costs, found.shape[1])
    best = expected.min(axis=1, keepdims=True)
    scale = np.maximum(np.abs(expected).max(axis=1, keepdims=True), 1e-300)
    return np.asarray(np.argmax(expected <= best + 1e-12 * scale, axis=1), dtype=np.int64)


def probability_cost(prevalence: float, false_positive: float, false_negative: float) -> float:
    """The position on the cost curve of a prevalence and two costs."""
    above, below = prevalence * false_negative, (1 - prevalence) * false_positive
    if not (0 <= prevalence <= 1 and false_positive >= 0 and false_negative >= 0 and above + below > 0):
        raise OptionError(
            "A probability cost requires a prevalence between 0 and 1 and costs that are not all 0; "
            f"got {short_repr(prevalence)}, {short_repr(false_positive)} and {short_repr(false_negative)}.",
            option="prevalence",
        )
    return above / (above + below)


def normalized_cost(true_positive_rate: Any, false_positive_rate: Any, probability_costs: Any) -> Floats:
    """FNR·PC + FPR·(1 - PC)."""
    points = np.asarray(probability_costs, dtype=np.float64)
    return np.asarray((1 - np.asarray(true_positive_rate)) * points + np.asarray(false_positive_rate) * (1 - points))


def cost_curve(curve: RocCurve, probability_costs: Any = None) -> CostCurve:
    """The lower envelope of the cost lines of all thresholds."""
    points = np.linspace(0, 1, 101) if probability_costs is None else numbers_of("probability costs", probability_costs)
    if ((points < 0) | (points > 1)).any():
        raise InputError("Probability costs must be between 0 and 1.")
    corners = lower_hull(curve)
    rates = curve.true_positive_rates[corners], curve.false_positive_rates[corners]
    lines = normalized_cost(rates[0][:, None], rates[1][:, None], points[None, :])
    return CostCurve(points, lines.min(axis=0), np.minimum(points, 1 - points))


def lower_hull(curve: RocCurve) -> npt.NDArray[np.int64]:
    """The points of the ROC curve on its convex hull: only these are optimal at some cost."""
    x, y = curve.false_positive_rates, curve.true_positive_rates
    kept: list[int] = []
    for i in range(len(x)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (x[b] - x[a]) * (y[i] - y[a]) - (y[b] - y[a]) * (x[i] - x[a]) < 0:
                break
            kept.pop()
        kept.append(i)
    return np.array(kept, dtype=np.int64)


def decision_curve(
    truth: Any, probabilities: Any, thresholds: Sequence[float] | Floats | None = None, weights: Any = None
) -> DecisionCurve:
    """Net benefit at each threshold, where rows with a probability of at least the threshold are predicted positive."""
    flags, found, kept = binary_probabilities(truth, probabilities, weights)
    points = np.arange(1, 100) / 100 if thresholds is None else numbers_of("thresholds", thresholds)
    if ((points < 0) | (points >= 1)).any():
        raise InputError("Thresholds of a decision curve must be at least 0 and below 1.")
    if not len(flags):
        raise InputError("A decision curve requires at least one row.")
    order = np.argsort(found, kind="stable")
    starts_at = np.searchsorted(found[order], points, "left")
    total = float(kept.sum())
    true_positives = _weight_from(np.where(flags, kept, 0.0)[order], starts_at)
    false_positives = _weight_from(np.where(flags, 0.0, kept)[order], starts_at)
    odds = points / (1 - points)
    base = float(kept[flags].sum()) / total
    return DecisionCurve(points, (true_positives - false_positives * odds) / total, base - (1 - base) * odds)


def _weight_from(weights: Floats, starts: npt.NDArray[Any]) -> Floats:
    return np.asarray(np.concatenate((np.cumsum(weights[::-1])[::-1], [0.0]))[starts], dtype=np.float64)
