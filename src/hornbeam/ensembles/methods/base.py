"""What is a way to many trees?  A recipe's `ensemble`: how many trees there are, and how each differs from the others.

    ensemble = { name = "forest", trees = 200 }

The rest of the recipe says how one tree is grown; `recipes/forests.py` grows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import Part


@dataclass(frozen=True)
class EnsembleMethod(Part):
    """A way to many trees."""

    part_type: ClassVar[str] = "ensemble"
    # Whether trees are grown by the recipe's parts; else the way has settings of its own for that.
    grows_by_recipe: ClassVar[bool] = True
