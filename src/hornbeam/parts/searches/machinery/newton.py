"""How is a convex height brought to its lowest place?  By Newton steps, halved until they descend (Armijo 1e-4).

The first step from nothing is too short as a rule; from 128 rows on it is stretched by half its length as long as that
leads further down, which saves two or three of the costly curves. The lowest place is the same. Twin:
native/oblique/newton.cpp.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hornbeam.parts.node import Floats

STRETCHED_ROWS = 128
_ARMIJO = 1e-4
_MOST_STEPS = 100
_MOST_HALVINGS = 40
_LONGEST = 64.0


def minimize(
    height: Callable[[Floats], float],
    slope_and_curve: Callable[[Floats], tuple[Floats, Callable[[], Floats]]],
    start: Floats,
    flat: float,
    is_stretched: bool,
) -> tuple[Floats, int]:
    """The place where no slope is steeper than `flat`, and after how many rounds it was seen to be there."""
    place, here = start, height(start)
    for step in range(_MOST_STEPS):
        slope, curve = slope_and_curve(place)
        if np.abs(slope).max() < flat:
            return place, step + 1
        move = -np.linalg.solve(curve(), slope)
        fall, size, halvings = float(slope @ move), 1.0, 0
        there = height(place + move)
        while not there <= here + _ARMIJO * size * fall:
            size, halvings = size / 2, halvings + 1
            if halvings == _MOST_HALVINGS:
                return place, step + 1
            there = height(place + size * move)
        while is_stretched and step == 0 and halvings == 0 and size < _LONGEST:
            further = height(place + 1.5 * size * move)
            if not further < there:
                break
            size, there = 1.5 * size, further
        place, here = place + size * move, there
    return place, _MOST_STEPS
