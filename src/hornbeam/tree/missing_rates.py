"""Is a value missing as often in use as in training?

Where a tree takes missing values for a sign (`learned`, `own_branch`), that must hold: else what it learnt from them is
wrong in use (definition 7.6). Training keeps the share of weight missing of every column; new rows are held beside it.

    p in training, q of n new rows:  told when |q - p| > 0.05 and |q - p| > 4 sqrt(p (1 - p) / n + 1 / n^2)
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

import numpy as np

from hornbeam.errors import HornbeamWarning, short_repr
from hornbeam.table.column import Column
from hornbeam.tree.nodes import Tree

FACT = "missing_shares"
_LEAST_APART = 0.05
_LEAST_ERRORS = 4.0


def has_missing_rates(tree: Tree) -> bool:
    """Whether training kept how often values were missing."""
    return bool(tree.metadata.get(FACT))


def warn_of_missing_rates(tree: Tree, columns: Sequence[Column]) -> None:
    """Warn of columns that are missing much more or less often than in training, where the tree makes use of that."""
    probabilities = tree.metadata.get(FACT)
    n = len(columns[0]) if columns else 0
    if not probabilities or n == 0:
        return
    asked = tree.questions.column[tree.nodes.question[tree.nodes.question >= 0]]
    told = []
    for position in np.unique(asked[asked >= 0]).tolist():
        p, q = float(probabilities[position]), float(columns[position].is_missing.mean())
        slack = _LEAST_ERRORS * math.sqrt(p * (1 - p) / n + 1 / n**2)
        if abs(q - p) > max(_LEAST_APART, slack):
            told.append(f"{short_repr(tree.schema.columns[position].name)} ({100 * p:.0f} % then, {100 * q:.0f} % now)")
    if told:
        warnings.warn(
            f"Values are missing more or less often than in training, where the tree takes that for a sign: "
            f"{', '.join(told)}. Grow it with surrogates or fractional if missing values mean something else now.",
            HornbeamWarning,
            stacklevel=3,
        )
