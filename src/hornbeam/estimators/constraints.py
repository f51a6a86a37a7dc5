"""The parameters monotonic_cst and interaction_cst of boosted estimators as settings of boosting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, short_repr
from hornbeam.options import is_integer, is_real


def monotone_directions(given: Any, names: list[str]) -> dict[str, int] | None:
    """Directions per column from a dict by name, or a list in the order of the columns."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        return {str(name): _direction(direction) for name, direction in given.items()}
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise OptionError(
            f"monotonic_cst must be a list of -1, 0 and 1 (one per column) or a dict by name, got {short_repr(given)}.",
            option="monotonic_cst",
            got=given,
        )
    directions = list(given)
    if len(directions) != len(names):
        raise OptionError(
            f"monotonic_cst must have one number per column, {len(names)}, got {len(directions)}.",
            option="monotonic_cst",
        )
    pairs = zip(names, directions, strict=True)
    return {name: _direction(each) for name, each in pairs if each is not None and _direction(each)}


def _direction(given: Any) -> int:
    if not is_real(given) or given not in (-1, 0, 1):
        raise OptionError(
            f"monotonic_cst must contain -1, 0 or 1, got {short_repr(given)}.", option="monotonic_cst", got=given
        )
    return int(given)


def interaction_groups(given: Any, names: list[str]) -> tuple[tuple[str, ...], ...] | None:
    """Groups of column names; the remaining columns form one more group, as in scikit-learn."""
    if given is None:
        return None
    if isinstance(given, str) and given == "no_interactions":
        return tuple((name,) for name in names)
    if isinstance(given, str) and given == "pairwise":
        return tuple((a, b) for i, a in enumerate(names) for b in names[i + 1 :])
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise _groups_error(given)
    groups = []
    for group in given:
        if isinstance(group, str) or not isinstance(group, Iterable):
            raise _groups_error(given)
        for column in group:
            is_index = is_integer(column)
            if not is_index and not isinstance(column, str):
                raise _groups_error(given)
            if is_index and not 0 <= column < len(names):
                raise OptionError(
                    f"interaction_cst contains column {column}, but there are {len(names)} columns.",
                    option="interaction_cst",
                )
        groups.append(tuple(names[c] if isinstance(c, (int, np.integer)) else str(c) for c in sorted(group, key=str)))
    rest = tuple(name for name in names if not any(name in group for group in groups))
    return (*groups, rest) if rest else tuple(groups)


def _groups_error(given: Any) -> OptionError:
    return OptionError(
        f"interaction_cst must be groups of columns, pairwise or no_interactions, got {short_repr(given)}.",
        option="interaction_cst",
        got=given,
    )
