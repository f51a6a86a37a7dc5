"""Several intervals of a column at once (definition 3.4).

gain_ratio   for B = 2..max_intervals the best B intervals by dynamic programming over boundary blocks,
             D_b(j) = min_i D_{b-1}(i) + W I(i..j), ties to the smaller i; the B of largest gain / split information
mdlp         cut in two by entropy, and each part again, while (Fayyad and Irani)
             gain > (log(N - 1) + log(3^k - 2) - (k H - k1 H1 - k2 H2)) / N,  k classes present
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.errors import OptionError, Set
from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.criteria.entropy import entropy
from hornbeam.parts.criteria.gain_ratio import MIN_BITS
from hornbeam.parts.node import TOLERANCE, Candidate, Floats, Groups, Integers, Limits, NodeView, Sample, first_best
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.boundary_points import is_boundary
from hornbeam.parts.searches.machinery.candidates import multiway_candidate, two_branches
from hornbeam.parts.searches.sorted_cuts import midpoint
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Intervals as IntervalsQuestion
from hornbeam.tree.questions import Question, Threshold

# The cost of a forbidden interval.
_FORBIDDEN = 1e300


@dataclass(frozen=True)
class Intervals(Search):
    """Several intervals of a numeric or ordinal column at once."""

    name: ClassVar[str] = "intervals"
    must_gain: ClassVar[bool] = True
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL)
    rank: ClassVar[int] = 4
    is_exact: ClassVar[bool] = True
    is_multiway: ClassVar[bool] = True
    method: str = option("gain_ratio", "method that selects the number of intervals", choices=("gain_ratio", "mdlp"))
    max_intervals: int = option(4, "maximum number of intervals with method = gain_ratio", at_least=2, at_most=64)

    def check(self, sample: Sample) -> None:
        """Raise an error for mdlp with a numeric target."""
        if self.method == "mdlp" and not sample.n_classes:
            raise OptionError(
                "Search 'intervals' by mdlp requires a classification target, but the target is numeric.",
                fix=Set("intervals.method", "gain_ratio"),
            )

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best intervals."""
        groups = node.groups(column)
        ends = _blocks(groups, bool(node.sample.n_classes))
        if len(ends) < 2:
            return None
        pieces = (
            _mdlp(groups, ends)
            if self.method == "mdlp"
            else _by_ratio(groups, ends, criterion, self.max_intervals, node)
        )
        if len(pieces) < 2:
            return None
        return _candidate(node, column, groups, pieces, criterion, limits)


def _blocks(groups: Groups, is_class: bool) -> Integers:
    """The last group of every boundary block."""
    last = len(groups) - 1
    if last < 0:
        return np.zeros(0, dtype=np.int64)
    inner = np.flatnonzero(is_boundary(groups.stats)) if is_class else np.arange(last)
    return np.append(inner, last)


def _sums(values: Floats, ends: Integers) -> Floats:
    """The sums of consecutive intervals that end at the given groups."""
    total = np.cumsum(values, axis=0)[ends]
    return np.diff(total, axis=0, prepend=np.zeros_like(total[:1]))


def _by_ratio(groups: Groups, ends: Integers, criterion: Criterion, max_intervals: int, node: NodeView) -> Integers:
    """The ends of the intervals of largest gain ratio."""
    best, best_ratio = np.zeros(0, dtype=np.int64), 0.0
    for pieces in optimal_pieces(_sums(groups.stats, ends), criterion, max_intervals, node.targets):
        stats = _sums(groups.stats, ends[pieces])
        bits = float(entropy(criterion.mass(stats)))
        gain = float(criterion.gain(groups.parent, stats[None], groups.unknown, node.targets)[0])
        if bits > MIN_BITS and gain / bits - best_ratio > TOLERANCE:
            best, best_ratio = ends[pieces], gain / bits
    return best


def optimal_pieces(
    blocks: Floats, criterion: Criterion, max_intervals: int, targets: Floats | None = None
) -> list[Integers]:
    """For B = 2..max_intervals, the last blocks of the B consecutive intervals of least total impurity."""
    count = len(blocks)
    before = np.vstack([np.zeros(blocks.shape[1]), np.cumsum(blocks, axis=0)])

    def cost(j: int) -> Floats:
        pieces = before[j] - before[:j]
        inside = criterion.mass(pieces) * criterion.impurity(pieces, targets)
        return np.where(criterion.forbids(pieces, before[-1], targets), _FORBIDDEN, inside)

    costs = [cost(j) for j in range(count + 1)]
    slack = TOLERANCE * max(float(costs[count][0]), 1e-300)
    lowest = np.array([np.inf, *(float(costs[j][0]) for j in range(1, count + 1))])
    sources: list[Integers] = []
    out = []
    for _ in range(2, min(max_intervals, count) + 1):
        source = np.zeros(count + 1, dtype=np.int64)
        reached = np.full(count + 1, np.inf)
        for j in range(1, count + 1):
            source[j] = max(first_best(-(lowest[:j] + costs[j]), slack), 0)
            reached[j] = lowest[source[j]] + costs[j][source[j]]
        sources.append(source)
        lowest = reached
        out.append(_backtracked(sources, count))
    return out


def _backtracked(sources: list[Integers], count: int) -> Integers:
    """The last block of every interval, from the last block backwards."""
    ends = [count]
    for source in reversed(sources):
        ends.append(int(source[ends[-1]]))
    return np.array(ends[::-1]) - 1


def _mdlp(groups: Groups, ends: Integers) -> Integers:
    """The ends of the intervals that Fayyad and Irani's test accepts."""
    blocks = _sums(groups.stats, ends)
    stack, accepted = [(0, len(ends))], [len(ends) - 1]
    while stack:
        start, stop = stack.pop()
        cut = mdlp_cut(blocks[start:stop])
        if cut is not None:
            accepted.append(start + cut)
            stack += [(start, start + cut + 1), (start + cut + 1, stop)]
    pieces: Integers = ends[np.sort(np.array(accepted))]
    return pieces


def mdlp_cut(blocks: Floats) -> int | None:
    """The block before the best cut by entropy, if the test accepts it."""
    if len(blocks) < 2:
        return None
    total = blocks.sum(axis=0)
    low = np.cumsum(blocks, axis=0)[:-1]
    both = two_branches(total, low)
    n = float(total.sum())
    whole, parts = float(entropy(total)), entropy(both)
    gains = whole - (both.sum(axis=-1) * parts).sum(axis=-1) / n
    cut = first_best(gains, TOLERANCE * whole)
    kinds = (both[cut] > 0).sum(axis=-1)
    k = int((total > 0).sum())
    delta = _log_of_labels(k) - (k * whole - float((kinds * parts[cut]).sum()))
    return cut if n > 1 and float(gains[cut]) > (np.log2(n - 1) + delta) / n else None


def _log_of_labels(k: int) -> float:
    """log2(3^k - 2); the 2 is dropped for powers beyond double precision."""
    return float(np.log2(3.0 ** min(k, 600) - 2)) + max(k - 600, 0) * math.log2(3.0)


def _candidate(
    node: NodeView, column: int, groups: Groups, pieces: Integers, criterion: Criterion, limits: Limits
) -> Candidate | None:
    rows = np.diff(np.cumsum(groups.rows)[pieces], prepend=0)
    weight = np.diff(np.cumsum(groups.weight)[pieces], prepend=0.0)
    if int(limits.allows(rows, weight).sum()) < 2:
        return None
    values = groups.values.astype(np.float64)
    taus = tuple(midpoint(float(values[end]), float(values[end + 1])) for end in pieces[:-1])
    question: Question = Threshold(column, taus[0]) if len(taus) == 1 else IntervalsQuestion(column, taus)
    branches = _sums(groups.stats, pieces)
    return multiway_candidate(node, column, question, groups, branches, rows, weight, criterion)
