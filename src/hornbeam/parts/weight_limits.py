"""Comparison of weights with limits: the weights of fractional rows do not add up to the last bit (decision 7)."""

from __future__ import annotations

from typing import Any

# A weight that lacks this fraction of a limit reaches it.
ROUNDING = 1e-10


def reaches(weight: Any, limit: Any) -> Any:
    """Whether weights (scalars or arrays) are at least a limit."""
    return weight >= limit * (1 - ROUNDING)


def exceeds(weight: Any, limit: Any) -> Any:
    """Whether weights are above a limit; a weight that differs from it by rounding is equal to it."""
    return weight > limit * (1 + ROUNDING)
