"""Class probabilities of a leaf from the counts of its rows.

    raw        n_k / n                     3 of 3 becomes a probability of 1
    Laplace    (n_k + 1) / (n + K)         as if each class had one more row
    m-estimate (n_k + m π_k) / (n + m)     as if m more rows had the class probabilities π of the whole table

Counts may be weights. Raw probabilities of a leaf without rows are NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.evaluation.inputs import Floats, checked_probabilities


def raw_probabilities(counts: Any) -> Floats:
    """The counts of each leaf (leaves, K) as probabilities; NaN for an empty leaf."""
    found = _counts(counts)
    total = found.sum(axis=-1, keepdims=True)
    return np.where(total > 0, found / np.where(total > 0, total, 1.0), np.nan)


def laplace_probabilities(counts: Any) -> Floats:
    """Probabilities with one more row of every class."""
    found = _counts(counts)
    return np.asarray((found + 1) / (found.sum(axis=-1, keepdims=True) + found.shape[-1]))


def m_estimate_probabilities(counts: Any, priors: Any, m: float = 2.0) -> Floats:
    """Probabilities with m more rows distributed as the priors."""
    found = _counts(counts)
    if isinstance(m, bool) or not isinstance(m, (int, float)) or not m > 0 or not np.isfinite(m):
        raise OptionError(f"m (the number of rows added) must be above 0, got {short_repr(m)}.", option="m", got=m)
    prior = checked_probabilities(np.asarray(priors, dtype=np.float64)[None, ...], found.shape[-1])[0]
    return np.asarray((found + m * prior) / (found.sum(axis=-1, keepdims=True) + m))


def _counts(counts: Any) -> Floats:
    found = np.asarray(counts, dtype=np.float64)
    if found.ndim == 0 or found.shape[-1] == 0 or not (np.isfinite(found) & (found >= 0)).all():
        raise InputError(f"counts must be finite and not negative, one per class, got {short_repr(counts)}.")
    return found
