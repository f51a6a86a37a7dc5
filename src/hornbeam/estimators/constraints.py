"""The parameters monotonic_cst and interaction_cst of boosted estimators as settings of boosting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, shown


def monotone_of(given: Any, names: list[str]) -> dict[str, int] | None:
    """Directions by column from a table by name, or a list in the order of columns."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        return {str(name): int(direction) for name, direction in given.items()}
    directions = list(given)
    if len(directions) != len(names):
        raise OptionError(
            f"monotonic_cst must have one number a column, {len(names)}; got {len(directions)}.", option="monotonic_cst"
        )
    return {name: int(direction) for name, direction in zip(names, directions, strict=True) if direction}


def together_of(given: Any, names: list[str]) -> tuple[tuple[str, ...], ...] | None:
    """Groups of column names; columns in no group form one of their own, as in scikit-learn."""
    if given is None:
        return None
    if given == "no_interactions":
        return tuple((name,) for name in names)
    if given == "pairwise":
        return tuple((a, b) for i, a in enumerate(names) for b in names[i + 1 :])
    if isinstance(given, str):
        raise OptionError(
            f"interaction_cst must be groups of columns, pairwise or no_interactions; got {shown(given)}."
        )
    groups = []
    for group in given:
        for column in group:
            if isinstance(column, (int, np.integer)) and not 0 <= column < len(names):
                raise OptionError(f"interaction_cst names column {column}; there are {len(names)}.")
        groups.append(tuple(names[c] if isinstance(c, (int, np.integer)) else str(c) for c in sorted(group, key=str)))
    rest = tuple(name for name in names if not any(name in group for group in groups))
    return (*groups, rest) if rest else tuple(groups)
