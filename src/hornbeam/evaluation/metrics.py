"""What is one figure of a judgement?  A value with its interval, or no value and the reason why there is none.

Undefined (0/0, one class alone, too few rows) is `None` and never 0; as a float it is NaN. A value may also be
infinite (a likelihood ratio without false alarms): then the reason says so, and JSON, which knows no infinity, gets
null.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

_ROUNDING = 1e-14
_WORDS = {
    "accuracy": "accuracy",
    "auc": "AUC",
    "auc_hand_till": "AUC (Hand and Till)",
    "average_cost": "cost a row",
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
    """A named figure: value, interval, the counts behind it, and the reason when it is undefined or delicate."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""
    count: tuple[float, float] | None = None
    is_share: bool = False

    def __float__(self) -> float:
        return math.nan if self.value is None else self.value

    @property
    def is_defined(self) -> bool:
        """Whether there is a value."""
        return self.value is not None

    @property
    def text(self) -> str:
        """The name as readers know it."""
        stem, _, how = self.name.rpartition("_")
        if how in ("macro", "weighted"):
            return f"{_WORDS.get(stem, stem)}, {how}"
        return _WORDS.get(self.name, self.name.replace("_", " "))

    @property
    def value_text(self) -> str:
        """The value as it stands in a table: shares in percent, three digits otherwise."""
        return _number_text(self.value, self.is_share)

    @property
    def interval_text(self) -> str:
        """The interval as it stands in a table, or nothing."""
        if self.low is None or self.high is None:
            return ""
        return f"{_number_text(self.low, self.is_share)} to {_number_text(self.high, self.is_share)}"

    @property
    def count_text(self) -> str:
        """The counts behind a share, such as 40/45, or nothing."""
        return "" if self.count is None else f"{self.count[0]:.6g}/{self.count[1]:.6g}"

    def as_dict(self) -> dict[str, Any]:
        """The figure for JSON: finite numbers, null where there is none, and the reason."""
        found: dict[str, Any] = {"value": finite(self.value), "low": finite(self.low), "high": finite(self.high)}
        if self.reason:
            found["reason"] = self.reason
        if self.count is not None:
            found["count"] = list(self.count)
        return found


def undefined_metric(
    name: str, reason: str, *, count: tuple[float, float] | None = None, is_share: bool = False
) -> Metric:
    """A figure without a value, and why."""
    return Metric(name, None, reason=reason, count=count, is_share=is_share)


def finite(value: float | None) -> float | None:
    """The number, or None where JSON has no word for it."""
    return float(value) if value is not None and math.isfinite(value) else None


def _number_text(value: float | None, is_share: bool) -> str:
    if value is None:
        return "undefined"
    if math.isinf(value):
        return "infinite" if value > 0 else "-infinite"
    if is_share:
        return f"{100 * value:.1f}%"
    if abs(value) < _ROUNDING:
        return "0.000"  # what is left of sums that cancel
    return f"{value:.3f}" if 0.001 <= abs(value) < 1000 else f"{value:.4g}"
