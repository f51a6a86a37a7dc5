"""Newton's method for a convex objective, with steps halved until they descend (Armijo 1e-4).

The first step from zero is usually too short; from 128 rows on it is extended by half its length as long as the
objective decreases, which saves two or three evaluations of the Hessian. The minimum is the same. The compiled version
is native/oblique/newton.cpp.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hornbeam.parts.node import Floats

EXTENDED_ROWS = 128
_ARMIJO = 1e-4
_ROUNDING = 1e-14  # near the minimum, values differ by rounding alone
_MAX_STEPS = 100
_MAX_HALVINGS = 40
_MAX_LENGTH = 64.0


def minimize(
    objective: Callable[[Floats], float],
    gradient_and_hessian: Callable[[Floats], tuple[Floats, Callable[[], Floats]]],
    start: Floats,
    flat: float,
    is_extended: bool,
) -> tuple[Floats, int]:
    """The point where all components of the gradient are below `flat`, and the number of rounds until then."""
    point, here = start, objective(start)
    for step in range(_MAX_STEPS):
        gradient, hessian = gradient_and_hessian(point)
        if np.abs(gradient).max() < flat:
            return point, step + 1
        move = -np.linalg.solve(hessian(), gradient)
        descent, size, halvings = float(gradient @ move), 1.0, 0
        there, slack = objective(point + move), _ROUNDING * abs(here)
        while not there <= here + _ARMIJO * size * descent + slack:
            size, halvings = size / 2, halvings + 1
            if halvings == _MAX_HALVINGS:
                return point, step + 1
            there = objective(point + size * move)
        while is_extended and step == 0 and halvings == 0 and size < _MAX_LENGTH:
            further = objective(point + 1.5 * size * move)
            if not further < there:
                break
            size, there = 1.5 * size, further
        point, here = point + size * move, there
    return point, _MAX_STEPS
