"""The columns that compete at a node: all of them, or a random sample that is drawn for each node (`max_features`).

    an integer          that many columns    a fraction in (0, 1]   of all columns, at least one
    "sqrt", "log2"      of the number of columns, rounded down, at least one

The columns are put in a random order (keyed by the node); the first n compete, and if none of them varies at the node,
all up to the first that does (as in scikit-learn). The compiled core has the same function in native/growing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from hornbeam.errors import OptionError, short_repr
from hornbeam.options import is_integer, is_real
from hornbeam.parts.node import NodeView
from hornbeam.seeds import Purpose

MaxFeatures = int | float | str | None


def check_max_features(given: Any) -> None:
    """Raise unless it is None, an integer of 1 or more, a fraction in (0, 1], "sqrt" or "log2"."""
    if given is None or (isinstance(given, str) and given in ("sqrt", "log2")):
        return
    if is_real(given) and (given >= 1 if is_integer(given) else 0 < given <= 1):
        return
    raise OptionError(
        "max_features must be an integer of 1 or more, a fraction above 0 and at most 1, sqrt, log2 or none, "
        f"got {short_repr(given)}.",
        option="max_features",
        got=given,
    )


def n_sampled_columns(given: MaxFeatures, n_columns: int) -> int:
    """The number of columns that compete at a node."""
    if given is None:
        return n_columns
    if isinstance(given, str):
        count = math.isqrt(n_columns) if given == "sqrt" else n_columns.bit_length() - 1
    else:
        count = int(given) if is_integer(given) else int(given * n_columns)
    return min(max(1, count), n_columns)


def sampled_columns(view: NodeView, given: MaxFeatures, varies: Callable[[int], bool]) -> set[int]:
    """The columns that compete at a node; `varies` tests whether some search may use a column that varies there."""
    d = len(view.sample.columns)
    count = n_sampled_columns(given, d)
    if count == d:
        return set(range(d))
    stream = view.stream(Purpose.FEATURES)
    pool = list(range(d))
    kept: set[int] = set()
    for i in range(d):
        if i >= count and kept:
            break
        j = i + stream.below(d - i)
        pool[i], pool[j] = pool[j], pool[i]
        if varies(pool[i]):
            kept.add(pool[i])
    return kept
