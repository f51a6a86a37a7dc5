"""What does a wrong answer cost?  Each loss has its centroid (the best answer), its risk and its divergence."""

from hornbeam.parts.losses.base import Loss
from hornbeam.registry import Registry

losses = Registry("loss", Loss, __name__)  # type: ignore[type-abstract]

__all__ = ["Loss", "losses"]
