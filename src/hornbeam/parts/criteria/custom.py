"""A criterion of the user: a function of stacked statistics, called once per column and node.

    def score(parent, branches):      # (S,), (candidates, B, S) -> (candidates,)

`function` is a Python function, or the name under which an installed package registered one (`functions.py`). Larger
scores are better; a score must be above 1e-10 to be used. Minus infinity excludes a candidate; NaN, a wrong shape or an
exception is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.errors import OptionError
from hornbeam.functions import as_function, function_name
from hornbeam.options import option
from hornbeam.parts.criteria.base import SplitScore
from hornbeam.parts.criteria.squared_error import SquaredError
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Custom(SplitScore):
    """A function of the statistics of a node and of the branches of all candidates."""

    name: ClassVar[str] = "custom"
    must_gain: ClassVar[bool] = True
    supports: ClassVar[tuple[str, ...]] = ("class", "number")
    function: Any = option(None, "function (parent, branches) -> scores, or its registered name")  # noqa: RUF009 - checked
    target: str = option("class", "type of the target", choices=("class", "number"))

    def __post_init__(self) -> None:
        super().__post_init__()
        as_function(self.function, "Custom.function")

    def as_table(self) -> dict[str, Any]:
        """The part as a TOML table; the function by its registered name or its address."""
        return {**super().as_table(), "function": function_name(self.function)}

    @property
    def target_types(self) -> tuple[str, ...]:
        """The target type of the function."""
        return (self.target,)

    @property
    def needed_statistics(self) -> str:
        """Class weights, or the moments of a number."""
        return "classes" if self.target == "class" else "moments"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """Gini for classes, the variance for numbers."""
        return super().impurity(stats) if self.target == "class" else SquaredError().impurity(stats)

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The result of the function, checked, times the fraction of weight whose branch is known."""
        function = as_function(self.function, "Custom.function")
        label = getattr(function, "__name__", repr(function))
        try:
            found = np.asarray(function(parent, branches), dtype=np.float64)
        except Exception as error:
            raise OptionError(
                f"The criterion function {label} raised {type(error).__name__}: {error}.",
                option="function",
                criterion=label,
            ) from error
        if found.shape != branches.shape[:-2]:
            raise OptionError(
                f"The criterion function {label} must return shape {branches.shape[:-2]}, got {found.shape}.",
                option="function",
                criterion=label,
            )
        if np.isnan(found).any() or (found == np.inf).any():
            value = "NaN" if np.isnan(found).any() else "infinity"
            raise OptionError(
                f"The criterion function {label} returned {value} for candidate {int(np.argmax(~(found < np.inf)))}.",
                hint="Return minus infinity to exclude a candidate.",
                option="function",
                criterion=label,
            )
        known = float(self.mass(parent))
        return np.asarray(found * (known / (known + unknown)), dtype=np.float64)
