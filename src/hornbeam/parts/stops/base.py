"""What is a stop?  A rule that makes a node a leaf, and gives the reason.

Rules are asked in the order of definition 5.2, whatever order the recipe lists them in; the first that holds is the
reason:

    BEFORE the search   pure, identical rows, at most eta rows, purity, below min_split, depth, below min_leaf
    AFTER it            no improvement (always on), min gain, min decrease, penalized size, tests of significance
    SIZE                when the node's turn comes: leaves, nodes
"""

from __future__ import annotations

import abc
import enum
from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import Part
from hornbeam.parts.node import Candidate, NodeView


class Stage(enum.IntEnum):
    """When a stop is asked."""

    BEFORE = 0
    AFTER = 1
    SIZE = 2


@dataclass(frozen=True)
class Stop(Part, abc.ABC):
    """When a node is a leaf; `needs_target`: the rule looks at the target."""

    part_type: ClassVar[str] = "stop"
    supports: ClassVar[tuple[str, ...]] = ("class", "number")
    stage: ClassVar[Stage] = Stage.BEFORE
    needs_target: ClassVar[bool] = True
    rank: ClassVar[int] = 0

    @abc.abstractmethod
    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """Why the node is a leaf, or None. The candidate is None before the search."""
