"""A metric: a value with its interval, or no value and the reason.

An undefined value (0/0, one class only, too few rows) is `None` and never 0; as a float it is NaN. A value may be
infinite (a likelihood ratio without false positives): the reason states it, and JSON, which has no infinity, gets null.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from hornbeam.number_text import count_text, short_number_text

_ROUNDING = 1e-14
_NAMES = {
    "accuracy": "accuracy",
    "auc": "AUC",
    "auc_hand_till": "AUC (Hand and Till)",
    "average_cost": "cost per row",
    "average_precision": "average precision",
    "balanced_accuracy": "balanced accuracy",
    "brier": "Brier score",
    "calibration_intercept": "calibration intercept",
    "calibration_slope": "calibration slope",
    "calibration_in_the_large": "calibration in the large",
    "ece": "calibration error (ECE)",
    "f1": "F1",
    "kappa": "kappa",
    "log_loss": "log loss",
    "lr_minus": "likelihood ratio -",
    "lr_plus": "likelihood ratio +",
    "mae": "mean absolute error",
    "mcc": "MCC",
    "median_absolute_error": "median absolute error",
    "mse": "mean squared error",
    "npv": "NPV",
    "npv_at_prevalence": "NPV at the given prevalence",
    "poisson_deviance": "Poisson deviance",
    "ppv": "PPV",
    "ppv_at_prevalence": "PPV at the given prevalence",
    "prevalence": "prevalence",
    "r2": "R2",
    "rmse": "root mean squared error",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "youden": "Youden's J",
}


@dataclasses.dataclass(frozen=True)
class Metric:
    """A named metric: value, interval, counts, and the reason if it is undefined or degenerate."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""
    count: tuple[float, float] | None = None
    is_fraction: bool = False

    def __float__(self) -> float:
        return math.nan if self.value is None else self.value

    @property
    def text(self) -> str:
        """The name as printed."""
        stem, _, average = self.name.rpartition("_")
        if average in ("macro", "weighted"):
            return f"{_NAMES.get(stem, stem)}, {average}"
        return _NAMES.get(self.name, self.name.replace("_", " "))

    @property
    def value_text(self) -> str:
        """The value as printed in a table: fractions in percent, three digits otherwise."""
        return metric_text(self.value, self.is_fraction)

    @property
    def interval_text(self) -> str:
        """The interval as printed in a table, or nothing."""
        if self.low is None or self.high is None:
            return ""
        return f"{metric_text(self.low, self.is_fraction)} to {metric_text(self.high, self.is_fraction)}"

    @property
    def count_text(self) -> str:
        """The counts of a fraction, such as 40/45, or nothing."""
        return "" if self.count is None else f"{count_text(self.count[0])}/{count_text(self.count[1])}"

    def as_dict(self) -> dict[str, Any]:
        """The metric for JSON: finite numbers, null where there is none, and the reason."""
        found: dict[str, Any] = {"value": finite(self.value), "low": finite(self.low), "high": finite(self.high)}
        if self.reason:
            found["reason"] = self.reason
        if self.count is not None:
            found["count"] = list(self.count)
        return found


def undefined_metric(
    name: str, reason: str, *, count: tuple[float, float] | None = None, is_fraction: bool = False
) -> Metric:
    """A metric without a value, and the reason."""
    return Metric(name, None, reason=reason, count=count, is_fraction=is_fraction)


def finite(value: float | None) -> float | None:
    """The number, or None if JSON cannot represent it."""
    return float(value) if value is not None and math.isfinite(value) else None


def metric_text(value: float | None, is_fraction: bool) -> str:
    """A value of a metric, or its standard error, as printed: fractions in percent, three digits otherwise."""
    if value is None:
        return "undefined"
    if math.isinf(value):
        return "infinite" if value > 0 else "-infinite"
    if is_fraction:
        return f"{100 * value:.1f}%"
    if abs(value) < _ROUNDING:
        return "0.000"  # rounding of sums that cancel
    return f"{value:.3f}" if 0.001 <= abs(value) < 1000 else short_number_text(value)
