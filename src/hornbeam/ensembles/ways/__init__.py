"""How do many trees of one recipe come about?  Each way with its settings."""

from hornbeam.ensembles.ways.base import Way
from hornbeam.shelf import Shelf

ways = Shelf("ensemble", Way, __name__)

__all__ = ["Way", "ways"]
