"""The order of levels by a key and of questions by their score; keys that differ by rounding alone are equal."""

from __future__ import annotations

import numpy as np

from hornbeam.parts.node import TOLERANCE, Floats, Integers


def sorted_positions(keys: Floats, scale: float) -> Integers:
    """The positions of the keys in ascending order.

    Neighbors closer than 1e-10 of the range of all keys, or of `scale` if that is larger, are equal; equal keys stay in
    their original order. Without a scale the range of equal keys would be rounding alone.
    """
    return _sorted_by_gap(keys, TOLERANCE * max(float(np.ptp(keys)), scale) if len(keys) else 0.0)


def best_first(scores: Floats, tolerance: float) -> Integers:
    """The positions of scores, best first; neighbors within the tolerance are equal and keep their order."""
    return _sorted_by_gap(-scores, tolerance)


def _sorted_by_gap(keys: Floats, gap: float) -> Integers:
    order = np.argsort(keys, kind="stable")
    ascending = keys[order]
    block = np.cumsum(np.diff(ascending, prepend=ascending[:1]) > gap)
    return np.asarray(order[np.lexsort((order, block))], dtype=np.int64)
