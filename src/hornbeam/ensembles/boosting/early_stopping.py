"""When a loss improves the best one so far: rounding is no improvement (decision 7)."""

from __future__ import annotations

import math

_ROUNDING = 1e-12


def improves(loss: float, best: float, least: float) -> bool:
    """Whether a loss is smaller than the best by more than `least` and rounding."""
    return loss < best - least - (_ROUNDING * abs(best) if math.isfinite(best) else 0.0)
