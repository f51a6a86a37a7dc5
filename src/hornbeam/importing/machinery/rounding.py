"""Cuts for float64 values that reproduce comparisons of values rounded to float32.

scikit-learn's trees and XGBoost round each value to float32 (to nearest, ties to even) before they compare it. With
T = the largest float32 at or below the source's cut and U = the next float32 above T:

    float32(x) <= cut   <=>   float32(x) <= T   <=>   x <= m, or x < m if the mantissa of T is odd,   m = (T + U) / 2

because m itself rounds to whichever of T and U has an even mantissa. m is a float64 without rounding, so the right-hand
side is a comparison of float64 values: the cut is m, or the float64 before m.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]

_LARGEST = np.finfo(np.float32).max
_NONE_ABOVE = np.finfo(np.float64).max
# The midpoint between the largest float32 and the power of two that would follow it; it rounds to infinity.
_OVERFLOW = 2.0**128 - 2.0**103


def cuts_of_rounded_values(cuts: npt.NDArray[Any]) -> Doubles:
    """The cuts c with x <= c exactly if float32(x) <= cut."""
    cuts = np.asarray(cuts, dtype=np.float64)
    with np.errstate(over="ignore"):
        below = np.clip(cuts, -_LARGEST, _LARGEST).astype(np.float32)
        below = np.where(below > cuts, np.nextafter(below, np.float32(-np.inf)), below).astype(np.float32)
    return _boundaries(below, cuts)


def cuts_below_rounded_values(cuts: npt.NDArray[Any]) -> Doubles:
    """The cuts c with x <= c exactly if float32(x) < cut; the given cuts are float32 values."""
    cuts = np.asarray(cuts, dtype=np.float32)
    with np.errstate(over="ignore"):
        return _boundaries(np.nextafter(cuts, np.float32(-np.inf)), cuts.astype(np.float64))


def _boundaries(below: npt.NDArray[np.float32], cuts: Doubles) -> Doubles:
    """The largest float64 that rounds to at most `below`; the largest of all where the cut is infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        above = np.nextafter(below, np.float32(np.inf)).astype(np.float64)
        low = below.astype(np.float64)
        middle = np.where(np.isinf(above), _OVERFLOW, low + (above - low) / 2)
        is_odd = (below.view(np.uint32) & 1) == 1
        found = np.where(is_odd, np.nextafter(middle, -np.inf), middle)
    found = np.where(np.isneginf(low), -_OVERFLOW, found)
    return np.where(np.isposinf(cuts), _NONE_ABOVE, found)
