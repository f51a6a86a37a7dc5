"""Cuts at class boundaries only: those between blocks that are not both pure in the same class (Fayyad and Irani).

For strictly concave impurities (entropy, Gini) skipping the other cuts changes nothing. Where a minimum size excludes a
boundary, the nearest allowed cut is tried as well. Penalties still count every cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Integers, Limits, NodeView
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.machinery.candidates import best_admitted
from hornbeam.parts.searches.sorted_cuts import admitted_cuts, cuts
from hornbeam.table.column import Kind


@dataclass(frozen=True)
class BoundaryPoints(Search):
    """Only the cuts where the class changes; the same result as sorted_cuts in less time."""

    name: ClassVar[str] = "boundary_points"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL)
    numbers_by: ClassVar[str] = "value"
    supports: ClassVar[tuple[str, ...]] = ("class",)
    rank: ClassVar[int] = 0
    is_exact: ClassVar[bool] = True
    cut: str = option(
        "midpoint", "position of the chosen cut: between two values, or at a value", choices=("midpoint", "data")
    )

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best boundary."""
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        candidates = cuts(node.sample, groups, column, self.cut)
        indices = admitted_cuts(groups, candidates, limits, "min_leaf", node.sample.n_classes)
        if len(indices) == 0:
            return None
        is_tried = is_boundary(groups.stats)[indices // groups.n_directions]
        is_tried[[0, -1]] = True
        return best_admitted(node, column, groups, candidates, criterion, indices[is_tried], len(indices))


def only_class(stats: Floats) -> Integers:
    """The class of every block that has just one, else -1."""
    return np.where((stats > 0).sum(axis=1) == 1, stats.argmax(axis=1), -1)


def is_boundary(stats: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether the cut after each block but the last separates classes."""
    one = only_class(stats)
    return np.asarray((one[:-1] != one[1:]) | (one[:-1] < 0), dtype=bool)
