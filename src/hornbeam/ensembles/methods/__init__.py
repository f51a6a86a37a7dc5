"""How do many trees of one recipe come about?  Each way with its settings."""

from hornbeam.ensembles.methods.base import EnsembleMethod
from hornbeam.registry import Registry

ways = Registry("ensemble", EnsembleMethod, __name__)

__all__ = ["EnsembleMethod", "ways"]
