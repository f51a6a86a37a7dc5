"""Random cuts, as in extremely randomized trees: one random question per column, in the order of columns.

    numeric, ordinal   min + u (max - min), u uniform; min if that equals max
    nominal            each level present goes to branch 0 with probability 1/2; again if all go to one branch

Columns that are constant at the node use no random number. Random numbers: purpose 3, keyed by the node (definition
10.3, E10.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Groups, Limits, NodeView
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.level_vs_rest import canonical_sets, set_candidates
from hornbeam.parts.searches.machinery.candidates import BinaryCandidates, best_of, binary_candidates
from hornbeam.parts.searches.sorted_cuts import finite_low
from hornbeam.seeds import Purpose, Stream
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Threshold


@dataclass(frozen=True)
class RandomCuts(Search):
    """One random question per column."""

    name: ClassVar[str] = "random_cuts"
    ranks_values: ClassVar[bool] = False
    uses_order: ClassVar[bool] = False
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL, Kind.NOMINAL)
    numbers_by: ClassVar[str] = "bin"
    rank: ClassVar[int] = 0

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The random question."""
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        stream = node.stream(Purpose.THRESHOLDS)
        data = node.sample.columns[column]
        if data.kind is Kind.NOMINAL:
            candidates = set_candidates(
                groups, canonical_sets(_random_set(stream, len(groups))), column, len(data.levels)
            )
        else:
            candidates = _random_cut(stream, groups, column)
        return best_of(node, column, groups, candidates, criterion, limits)


def _random_set(stream: Stream, m: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    while True:
        inside = np.array([[stream.uniform() < 0.5 for _ in range(m)]])
        if inside.any() and not inside.all():
            return inside


def random_cut(low: float, high: float, u: float) -> float:
    """A cut in [low, high)."""
    tau = low + u * (high - low)
    # Between infinite ends there is no random cut; the lowest value is then separated.
    return tau if low <= tau < high else finite_low(low, high)


def _random_cut(stream: Stream, groups: Groups, column: int) -> BinaryCandidates:
    values = groups.values.astype(np.float64)
    tau = random_cut(float(values[0]), float(values[-1]), stream.uniform())
    below = values <= tau
    return binary_candidates(
        groups,
        stats=groups.stats[below].sum(axis=0, keepdims=True),
        rows=groups.rows[below].sum(keepdims=True),
        weight=groups.weight[below].sum(keepdims=True),
        question=lambda index: Threshold(column, tau),
        is_cut=True,
    )
