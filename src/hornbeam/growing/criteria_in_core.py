"""The kernel of each criterion in the core, and the quantile that a leaf predicts under each loss.

A criterion made from a loss is another criterion under its own name, or the distance from a quantile:

    absolute_error, loss_decrease absolute   2 (y - q) / 2 above, 2 (q - y) / 2 below;  q the median
    loss_decrease pinball                    tau (y - q) above, (1 - tau) (q - y) below; q the tau-quantile
    loss_decrease brier, log, squared        gini, entropy, squared_error
"""

from __future__ import annotations

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.criteria.loss_decrease import LossDecrease
from hornbeam.parts.losses import Loss
from hornbeam.parts.losses.pinball import Pinball

QUANTILE = "quantile"
KERNELS = (
    "gini",
    "entropy",
    "c45",
    "two_class_variance",
    "misclassification",
    "squared_error",
    "poisson",
    "gain_ratio",
    "cart_measure",
    "twoing",
    "chi_square",
    "hellinger",
    QUANTILE,
)
_OF_LOSS = {"brier": "gini", "log": "entropy", "squared": "squared_error"}


def kernel_of(criterion: Criterion) -> str:
    """The name of the kernel that scores a criterion, or the criterion's own name where there is none."""
    if quantile_of(criterion) is not None:
        return QUANTILE
    if isinstance(criterion, LossDecrease):
        return _OF_LOSS.get(criterion.loss.name, criterion.name)
    return criterion.name


def quantile_of(criterion: Criterion) -> tuple[float, float] | None:
    """The quantile that a criterion measures distances from, and the factor of these distances."""
    if criterion.name == "absolute_error":
        return 0.5, 2.0
    if not isinstance(criterion, LossDecrease):
        return None
    found = leaf_quantile(criterion.loss)
    return None if found is None else (found, 1.0 if isinstance(criterion.loss, Pinball) else 2.0)


def leaf_quantile(loss: Loss) -> float | None:
    """The quantile that a leaf predicts under a loss; None where it predicts the mean or a class."""
    if isinstance(loss, Pinball):
        return loss.tau
    return 0.5 if loss.name == "absolute" else None


def c45_plan(criterion: Criterion) -> dict[str, bool]:
    """The plan entries of C4.5: whether columns are chosen by its rules, and by gain alone."""
    return {"c45": criterion.name == "c45", "c45_by_gain": criterion.settings().get("method") == "gain"}
