"""Stopping rules: when a node becomes a leaf, each with its reason."""

from hornbeam.parts.stops.base import Stage, Stop
from hornbeam.registry import Registry

stops = Registry("stop", Stop, __name__)  # type: ignore[type-abstract]

__all__ = ["Stage", "Stop", "stops"]
