"""Mean absolute distance of the numbers of a node from their median: I = mean |y - lower weighted median|.

It needs the whole distribution of the target, not its moments: time and memory are rows x distinct targets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.criteria.base import NodeImpurity
from hornbeam.parts.losses.absolute import Absolute
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class AbsoluteError(NodeImpurity):
    """The decrease of the mean absolute distance from the median."""

    name: ClassVar[str] = "absolute_error"
    supports: ClassVar[tuple[str, ...]] = ("number",)
    statistics: ClassVar[str] = "distribution"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The mean |y - median|."""
        return Absolute().risk(stats, targets)
