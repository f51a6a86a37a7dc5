"""Which columns compete at a node?  All of them, or so many drawn at random for each node anew.

    a whole number      so many          a share in (0, 1]   that share of all columns, at least one
    "sqrt", "log2"      of the number of columns, rounded down, at least one

The columns stand in a random order (keyed by the node); the first so many compete, and if none of them varies at the
node, all up to the first that does (as in scikit-learn). `keep_drawn` in native/growing/worker.cpp is the compiled
twin.
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
    """Raise unless it is none, a whole number of 1 or more, a share in (0, 1], "sqrt" or "log2"."""
    if given is None or (isinstance(given, str) and given in ("sqrt", "log2")):
        return
    if is_real(given) and (given >= 1 if is_integer(given) else 0 < given <= 1):
        return
    raise OptionError(
        "max_features must be a whole number of 1 or more, a share above 0 and at most 1, sqrt, log2 or none; "
        f"got {short_repr(given)}.",
        option="max_features",
        got=given,
    )


def n_sampled_columns(given: MaxFeatures, n_columns: int) -> int:
    """How many of the columns compete at a node."""
    if given is None:
        return n_columns
    if isinstance(given, str):
        wanted = math.isqrt(n_columns) if given == "sqrt" else n_columns.bit_length() - 1
    else:
        wanted = int(given) if is_integer(given) else int(given * n_columns)
    return min(max(1, wanted), n_columns)


def sampled_columns(view: NodeView, given: MaxFeatures, varies: Callable[[int], bool]) -> set[int]:
    """The columns that compete at a node; `varies` says whether any search may still ask about a column that varies."""
    d = len(view.sample.columns)
    wanted = n_sampled_columns(given, d)
    if wanted == d:
        return set(range(d))
    stream = view.stream(Purpose.FEATURES)
    pool = list(range(d))
    kept: set[int] = set()
    for i in range(d):
        if i >= wanted and kept:
            break
        j = i + stream.below(d - i)
        pool[i], pool[j] = pool[j], pool[i]
        if varies(pool[i]):
            kept.add(pool[i])
    return kept
