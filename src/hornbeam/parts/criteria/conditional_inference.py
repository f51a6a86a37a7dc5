"""Conditional inference: the column by a permutation test, then its cut by a two-sample statistic.

    column    the smallest p of a permutation test of x against y (`machinery/column_tests.py`), so that columns with
              many values have no advantage; `teststat` is the test statistic
    cut       `splitstat` of the two branches: quadratic, the largest (n - 1) X2 / n or (n - 1) SS between / SS total;
              maximum, the largest of its entries, one per class

Columns are compared by -ln p without adjustment; the stop `conditional_inference` adjusts p.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria.base import SplitScore
from hornbeam.parts.criteria.chi_square import ChiSquare
from hornbeam.parts.criteria.machinery.column_tests import STATISTICS, column_tests
from hornbeam.parts.criteria.squared_error import SquaredError
from hornbeam.parts.node import Candidate, Floats, NodeView


@dataclass(frozen=True)
class ConditionalInference(SplitScore):
    """The column of smallest permutation-test p, then its best cut by the two-sample statistic."""

    name: ClassVar[str] = "conditional_inference"
    must_gain: ClassVar[bool] = True
    supports: ClassVar[tuple[str, ...]] = ("class", "number")
    max_columns: int = option(
        2, "maximum number of columns, by ascending p, that are tried until one has an allowed cut", at_least=1
    )
    teststat: str = option("quadratic", "statistic of the test that selects the column", choices=STATISTICS)
    splitstat: str = option("quadratic", "statistic that selects the cut", choices=STATISTICS)
    target: str = option("any", "type of the target; any: the type in the table", choices=("any", "class", "number"))

    @property
    def target_types(self) -> tuple[str, ...]:
        """Both target types, unless `target` selects one."""
        return self.supports if self.target == "any" else (self.target,)

    @property
    def needed_statistics(self) -> str:
        """Class weights, or the moments of a number."""
        return "moments" if self.target == "number" else "classes"

    def bound(self, classes: tuple[Any, ...]) -> Self:
        """The criterion for this target."""
        return dataclasses.replace(self, target="class" if classes else "number")

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """Gini for classes, the variance for numbers."""
        return SquaredError().impurity(stats) if self.target == "number" else super().impurity(stats)

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The two-sample statistic of every candidate."""
        n = float(self.mass(parent))
        if self.target != "number" and self.splitstat == "maximum":
            return (n - 1) * _largest_entry(parent, branches)
        if self.target != "number":
            return np.asarray((n - 1) * ChiSquare().score(parent, branches), dtype=np.float64)
        whole = float(SquaredError().impurity(parent))
        if whole <= 0:
            return np.zeros(branches.shape[:-2])
        return np.asarray((n - 1) * self.gain(parent, branches) / whole, dtype=np.float64)

    def values(self, candidates: Sequence[Candidate], node: NodeView) -> list[float]:
        """-ln p of the candidates' columns; NaN for columns beyond the maximum number."""
        found = [each.log_p for each in column_tests(node, self.teststat)]
        known = sorted(log_p for log_p in found if not math.isnan(log_p))
        largest = known[min(self.max_columns, len(known)) - 1] if known else math.inf
        return [-found[each.column] if found[each.column] <= largest else math.nan for each in candidates]


def _largest_entry(parent: Floats, branches: Floats) -> Floats:
    """The largest squared deviation of a class weight in a branch from its expectation, over its variance."""
    n = float(parent.sum())
    inside = branches.sum(axis=-1, keepdims=True)
    variance = inside * (n - inside) / n * (parent * (n - parent) / n)
    apart = (branches - inside * parent / n) ** 2
    entries = np.divide(apart, variance, out=np.zeros_like(apart), where=variance > 0)
    return np.asarray(entries.max(axis=(-2, -1)), dtype=np.float64)
