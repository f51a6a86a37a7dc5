"""Compares how often values are missing in new rows and in training.

A tree that uses missingness as information (`learned`, `own_branch`) is valid only while values are missing for the
same reasons (definition 7.6). Training stores the weighted fraction of missing values of each column.

    p in training, q of n new rows: a warning if |q - p| > 0.05 and |q - p| > 4 sqrt(p (1 - p) / n + 1 / n^2)
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from hornbeam.errors import HornbeamWarning, short_repr
from hornbeam.table.column import Column
from hornbeam.tree.nodes import Tree

KEY = "missing_fractions"
_MIN_DIFFERENCE = 0.05
_MIN_STANDARD_ERRORS = 4.0


def has_missing_rates(tree: Tree) -> bool:
    """Whether the tree stores how often values were missing in training, and some were."""
    return any(tree.metadata.get(KEY) or ())


def warn_of_missing_rates(tree: Tree, columns: Sequence[Column]) -> None:
    """Warn of columns that are missing much more or less often than in training, if the tree uses missingness."""
    n_missing = count_missing(tree, columns)
    if n_missing:
        warn_of_counts(tree, n_missing, len(columns[0]) if columns else 0, stacklevel=4)


def count_missing(tree: Tree, columns: Sequence[Column]) -> dict[int, int]:
    """The number of missing values of every column that the tree uses; empty if the tree stores no rates."""
    if not has_missing_rates(tree):
        return {}
    used = tree.questions.column[tree.nodes.question[tree.nodes.question >= 0]]
    return {position: int(columns[position].is_missing.sum()) for position in np.unique(used[used >= 0]).tolist()}


def warn_of_counts(tree: Tree, n_missing: Mapping[int, int], n_rows: int, stacklevel: int = 2) -> None:
    """`warn_of_missing_rates` of rows whose missing values have been counted (`count_missing`)."""
    changed = []
    for position, count in n_missing.items() if n_rows else ():
        p, q = float(tree.metadata[KEY][position]), count / n_rows
        slack = _MIN_STANDARD_ERRORS * math.sqrt(p * (1 - p) / n_rows + 1 / n_rows**2)
        if abs(q - p) > max(_MIN_DIFFERENCE, slack):
            changed.append(
                f"{short_repr(tree.schema.columns[position].name)} ({100 * p:.0f}% in training, {100 * q:.0f}% now)"
            )
    if changed:
        warnings.warn(
            f"Values are missing more or less often than in training, and the tree uses missingness as information: "
            f"{', '.join(changed)}. Grow it with surrogates or fractional if missing values have another meaning now.",
            HornbeamWarning,
            stacklevel=stacklevel,
        )
