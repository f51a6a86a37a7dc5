"""What share of each class does a leaf promise, given the rows it holds?

    raw        n_k / n                     3 of 3 becomes certainty
    Laplace    (n_k + 1) / (n + K)         as if each class had been seen once more
    m-estimate (n_k + m π_k) / (n + m)     as if m rows had been drawn from the whole table's shares π

Counts may be weights. A leaf without rows has no raw shares: NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.evaluation.inputs import Floats, checked_probabilities


def raw_probabilities(counts: Any) -> Floats:
    """Each leaf's counts (leaves, K) as shares; NaN for an empty leaf."""
    found = _counts(counts)
    total = found.sum(axis=-1, keepdims=True)
    return np.where(total > 0, found / np.where(total > 0, total, 1.0), np.nan)


def laplace_probabilities(counts: Any) -> Floats:
    """Shares with one more row of every class."""
    found = _counts(counts)
    return np.asarray((found + 1) / (found.sum(axis=-1, keepdims=True) + found.shape[-1]))


def m_estimate_probabilities(counts: Any, priors: Any, m: float = 2.0) -> Floats:
    """Shares with m more rows spread as the priors say."""
    found = _counts(counts)
    if isinstance(m, bool) or not isinstance(m, (int, float)) or not m > 0 or not np.isfinite(m):
        raise OptionError(f"m must be above 0; got {short_repr(m)}. It is the number of rows added.", option="m", got=m)
    prior = checked_probabilities(np.asarray(priors, dtype=np.float64)[None, ...], found.shape[-1])[0]
    return np.asarray((found + m * prior) / (found.sum(axis=-1, keepdims=True) + m))


def _counts(counts: Any) -> Floats:
    found = np.asarray(counts, dtype=np.float64)
    if found.ndim == 0 or found.shape[-1] == 0 or not (np.isfinite(found) & (found >= 0)).all():
        raise InputError(f"Counts must be finite and not negative, one a class; got {short_repr(counts)}.")
    return found
