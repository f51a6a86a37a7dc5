"""Estimates of class probabilities: from the class weights of the nodes of a tree to the probabilities it predicts."""

from hornbeam.registry import Registry
from hornbeam.tree.probabilities.base import Probabilities

probabilities = Registry("probabilities", Probabilities, __name__)  # type: ignore[type-abstract]

__all__ = ["Probabilities", "probabilities"]
