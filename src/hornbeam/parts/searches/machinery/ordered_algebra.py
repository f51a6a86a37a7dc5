"""Sums of products and triangular solutions in the order in which the core computes them.

Where columns nearly depend on each other, a solution has only ten exact digits, and libraries of linear algebra order
their sums in ways of their own: two growers would find two directions. `native/oblique/dense.cpp` has the same order.
"""

from __future__ import annotations

import numpy as np

from hornbeam.parts.node import Floats

_CHUNK = 64  # rows


def weighted_gram(x: Floats, weights: Floats) -> Floats:
    """The sum of w x x' over the rows (n, d): each chunk of rows is added up in order, then the chunks are."""
    n_rows, d = x.shape
    out = np.zeros((d, d))
    padding = np.zeros(-n_rows % _CHUNK)
    for j in range(d):
        scaled = weights * x[:, j]
        for k in range(j, d):
            products = np.concatenate((scaled * x[:, k], padding)).reshape(-1, _CHUNK)
            out[j, k] = out[k, j] = np.cumsum(np.cumsum(products, axis=1)[:, -1])[-1]
    return out


def cholesky(a: Floats) -> Floats | None:
    """The lower factor L of a positive definite matrix L L'; None for another matrix."""
    lower = np.tril(a)
    for j in range(len(a)):
        pivot = lower[j, j]
        for k in range(j):
            pivot -= lower[j, k] * lower[j, k]
        if not (pivot > 0 and np.isfinite(pivot)):
            return None
        lower[j, j] = np.sqrt(pivot)
        for k in range(j):
            lower[j + 1 :, j] -= lower[j + 1 :, k] * lower[j, k]
        lower[j + 1 :, j] /= lower[j, j]
    return lower


def solve_lower(lower: Floats, b: Floats) -> Floats:
    """L^-1 b, for one column or several."""
    out = np.array(b, dtype=np.float64)
    for i in range(len(lower)):
        for k in range(i):
            out[i] -= lower[i, k] * out[k]
        out[i] /= lower[i, i]
    return out


def solve_upper(lower: Floats, b: Floats) -> Floats:
    """L'^-1 b."""
    out = np.array(b, dtype=np.float64)
    for i in reversed(range(len(lower))):
        for k in range(i + 1, len(lower)):
            out[i] -= lower[k, i] * out[k]
        out[i] /= lower[i, i]
    return out
