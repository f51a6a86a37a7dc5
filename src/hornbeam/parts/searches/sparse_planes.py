"""The best of many random hyperplanes of few columns (sparse oblique trees, SPORF).

    directions   floor(d ^ exponent) of them, d columns that vary at the node, between `min_directions` and
                 `max_directions`
    a direction  has each column with probability density / d; its coefficient is uniform in [-1, 1], or -1 or +1
    units        the spread of the columns at the node, or their own units

A direction of fewer than two columns is drawn again: questions about one column compete anyway. Nothing is fitted, so
small nodes are searched too; a direction is skipped if the rows are fewer than twice its columns. Random numbers:
purpose 6, keyed by the node, column by column (definition 0.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.node import Candidate, Floats
from hornbeam.parts.searches.householder_planes import canonical_direction
from hornbeam.parts.searches.machinery.plane_search import Fit, Frame, PlaneSearch
from hornbeam.parts.searches.machinery.points import Points
from hornbeam.seeds import Purpose, Stream

_MIN_TERMS = 2


@dataclass(frozen=True)
class SparsePlanes(PlaneSearch):
    """The best of many random hyperplanes of few columns."""

    name: ClassVar[str] = "sparse_planes"
    supports: ClassVar[tuple[str, ...]] = ("class", "number")
    exponent: float = option(
        2.0, "number of random directions at a node, as a power of its number of columns", at_least=0.0, at_most=4.0
    )
    min_directions: int = option(32, "minimum number of random directions at a node", at_least=1, at_most=1_000_000)
    max_directions: int = option(6000, "maximum number of random directions at a node", at_least=1, at_most=1_000_000)
    density: float = option(2.0, "mean number of columns of a direction", at_least=1.0)
    is_binary: bool = option(False, "whether coefficients are -1 or +1, not any number between")
    is_scaled: bool = option(True, "whether columns are divided by their spread at the node")

    def min_rows(self, points: Points) -> int:
        """Twice the columns of the shortest direction."""
        return 2 * _MIN_TERMS

    def fits(self, points: Points, frame: Frame, best_single: Candidate | None) -> Iterator[Fit]:
        """One fit per random direction."""
        node, d = frame.node, len(points.columns)
        stream = Stream.of(node.sample.seed, Purpose.OBLIQUE, node.sample.tree, node.id)
        for _ in range(int(min(self.max_directions, max(self.min_directions, float(d) ** self.exponent)))):
            direction = self._random_direction(stream, d)
            if 2 * np.count_nonzero(direction) <= node.n_rows:
                yield canonical_direction(direction if self.is_scaled else direction * points.sd)

    def _random_direction(self, stream: Stream, d: int) -> Floats:
        """A direction of at least two columns."""
        probability = self.density / d
        while True:
            direction = np.zeros(d)
            for index in range(d):
                if stream.uniform() < probability:
                    u = stream.uniform()
                    direction[index] = (1.0 if u >= 0.5 else -1.0) if self.is_binary else 2.0 * u - 1.0
            if np.count_nonzero(direction) >= _MIN_TERMS:
                return direction
