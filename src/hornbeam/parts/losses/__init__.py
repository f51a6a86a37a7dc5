"""Losses: the cost of a wrong prediction. Each has a centroid (the best prediction), a risk and a divergence."""

from hornbeam.parts.losses.base import Loss
from hornbeam.registry import Registry

losses = Registry("loss", Loss, __name__)  # type: ignore[type-abstract]

__all__ = ["Loss", "losses"]
