"""The registry of ensemble methods: one part per file, each with its settings and its `grow`."""

from hornbeam.ensembles.methods.base import EnsembleMethod, EnsembleRun
from hornbeam.registry import Registry

ensembles: Registry[EnsembleMethod] = Registry("ensemble", EnsembleMethod, __name__)  # type: ignore[type-abstract]

__all__ = ["EnsembleMethod", "EnsembleRun", "ensembles"]
