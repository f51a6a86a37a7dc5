"""The interface of a stop: a rule that turns a node into a leaf, and the reason for it.

Stops apply in the order of definition 5.2, in whatever order the recipe lists them; the first that applies gives the
reason:

    BEFORE the search   pure, identical rows, at most eta rows, purity, below min_split, depth, below min_leaf
    AFTER the search    no improvement (always on), min gain, min decrease, penalized size, tests of significance
    SIZE                when the node is taken from the queue: leaves, nodes
"""

from __future__ import annotations

import abc
import enum
from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import Part
from hornbeam.parts.node import Candidate, NodeView


class Stage(enum.IntEnum):
    """When a stop applies."""

    BEFORE = 0
    AFTER = 1
    SIZE = 2


@dataclass(frozen=True)
class Stop(Part, abc.ABC):
    """A stopping rule.

    `reasons` lists the texts that `reason` returns; model files store them. `stage` and `rank` decide when the rule
    applies. `needs_target` is False for a rule that does not read the target. `compares_rows`: it reads the values of
    single rows.
    """

    part_type: ClassVar[str] = "stop"
    supports: ClassVar[tuple[str, ...]] = ("class", "number")
    stage: ClassVar[Stage] = Stage.BEFORE
    needs_target: ClassVar[bool] = True
    compares_rows: ClassVar[bool] = False
    rank: ClassVar[int] = 0
    reasons: ClassVar[tuple[str, ...]] = ()

    @abc.abstractmethod
    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason why the node is a leaf, or None. The candidate is None before the search."""
