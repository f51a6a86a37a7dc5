"""Groups of levels as in C4.5 (its option -s): blocks of levels are merged while the gain ratio increases (4.2.7).

    start     one block per level of weight above 0.5; all other declared levels form a default branch at the end
    pure      blocks of one and the same class are merged first
    climb     while more than two blocks: go through the pairs in order and select one; a later pair replaces it if its
              merger has at least the same ratio, or if it keeps half of the starting gain and the selected pair does
              not; stop when the ratio increases by less than 1e-5, unless fewer than two blocks have the weight m; with
              fewer than three such blocks the block with the largest weight is not merged

A grouping of gain 0 is not used. A column of two declared levels has one branch per level, once per path, as without
grouping. Ratios that differ by less than 1e-12 are ties. The compiled version is native/searches/c45_groups.cpp, which
updates what a merger changes instead of all blocks.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.criteria.entropy import entropy
from hornbeam.parts.node import Candidate, Floats, Groups, Limits, NodeView
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.machinery.candidates import multiway_candidate
from hornbeam.parts.searches.multiway import Multiway
from hornbeam.parts.weight_limits import exceeds, reaches
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Multiway as EachValueQuestion

_SLACK = 1e-3
_MIN_WEIGHT = 0.5
_MIN_INCREASE = 1e-5
# Ratios and gains closer than this differ by rounding only.
_TIE = 1e-12
_MULTIWAY = Multiway(every="declared", allow_zero_gain=True)


@dataclass(frozen=True)
class C45Groups(Search):
    """One branch per group of levels, with the groups of C4.5."""

    name: ClassVar[str] = "c45_groups"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    supports: ClassVar[tuple[str, ...]] = ("class",)
    rank: ClassVar[int] = 3
    is_multiway: ClassVar[bool] = True

    def can_use(self, node: NodeView, column: int) -> bool:
        """Always for grouped columns; once per path for columns of two levels."""
        return len(node.sample.columns[column].levels) > 2 or _MULTIWAY.can_use(node, column)

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The groups at the end of the merging."""
        n_levels = len(node.sample.columns[column].levels)
        if n_levels <= 2:
            return _MULTIWAY.best(node, column, criterion, limits)
        groups = node.groups(column)
        kept = np.flatnonzero(exceeds(groups.weight, _MIN_WEIGHT))
        if len(kept) < 2:
            return None
        blocks = [[int(index)] for index in kept]
        _merge_pure(blocks, groups.stats)
        _climb(blocks, groups, max(limits.weight, 1.0))
        if len(blocks) < 2:
            return None
        return _candidate(node, column, groups, blocks, criterion, limits)


def _stats(blocks: list[list[int]], stats: Floats) -> Floats:
    return np.array([stats[block].sum(axis=0) for block in blocks])


def _merged(blocks: list[list[int]], first: int, second: int) -> None:
    """Merge a block into an earlier one; the last block moves to its position, as in C4.5."""
    blocks[first] = blocks[first] + blocks[second]
    last = blocks.pop()
    if second < len(blocks):
        blocks[second] = last


def _merge_pure(blocks: list[list[int]], stats: Floats) -> None:
    first = 0
    while first < len(blocks) - 1:
        table = _stats(blocks, stats)
        k = int(np.argmax(table[first] > 0))
        is_pure = table[:, k] >= table.sum(axis=1) - 0.1
        same = next((second for second in range(first + 1, len(blocks)) if is_pure[first] and is_pure[second]), None)
        if same is None:
            first += 1
        else:
            _merged(blocks, first, same)


def _gain_and_ratio(table: Floats, unknown: float, min_weight: float) -> tuple[float, float]:
    """The gain and the ratio of a split into blocks; no gain unless two blocks have the minimum weight."""
    weight = table.sum(axis=1)
    known = float(weight.sum())
    total = known + unknown
    if int(reaches(weight, min_weight).sum()) < 2:
        return -_SLACK, -_SLACK
    gain = (known / total) * float(entropy(table.sum(axis=0)) - (weight * entropy(table)).sum() / known)
    bits = float(entropy(np.append(weight, unknown)))
    return gain, gain / bits if gain >= -_TIE and bits > _SLACK else -_SLACK


def _climb(blocks: list[list[int]], groups: Groups, min_weight: float) -> None:
    """Merge pairs while the ratio increases."""
    start_gain, ratio = _gain_and_ratio(_stats(blocks, groups.stats), groups.unknown, 1.0)
    min_gain = start_gain / 2
    while len(blocks) > 2:
        weight = _stats(blocks, groups.stats).sum(axis=1)
        n_large = int(reaches(weight, min_weight).sum())
        excluded = int(weight.argmax()) if n_large < 3 else -1
        found = _best_pair(blocks, groups, excluded, min_gain)
        if found is None or (n_large >= 2 and found[0] < ratio + _MIN_INCREASE):
            break
        ratio = found[0]
        _merged(blocks, found[1], found[2])


def _best_pair(
    blocks: list[list[int]], groups: Groups, excluded: int, min_gain: float
) -> tuple[float, int, int] | None:
    """The ratio and the indices of the pair to merge, compared pair by pair in release 8's order."""
    best: tuple[bool, float, int, int] | None = None
    for first, second in itertools.combinations(range(len(blocks)), 2):
        if excluded in (first, second):
            continue
        trial = [list(block) for block in blocks]
        _merged(trial, first, second)
        gain, ratio = _gain_and_ratio(_stats(trial, groups.stats), groups.unknown, 1.0)
        keeps = gain >= min_gain - _TIE
        if best is None or keeps > best[0] or ratio >= best[1] - _TIE:
            best = (keeps, ratio, first, second)
    return None if best is None else best[1:]


def _candidate(
    node: NodeView, column: int, groups: Groups, blocks: list[list[int]], criterion: Criterion, limits: Limits
) -> Candidate | None:
    n_levels = len(node.sample.columns[column].levels)
    codes = groups.values.astype(np.int64)
    branch_of = np.full(n_levels, len(blocks), dtype=np.int64)
    for branch, block in enumerate(blocks):
        branch_of[codes[block]] = branch
    count = int(branch_of.max()) + 1
    index = branch_of[codes]
    branches = np.zeros((count, groups.stats.shape[1]))
    np.add.at(branches, index, groups.stats)
    rows = np.bincount(index, weights=groups.rows, minlength=count)
    weight = np.bincount(index, weights=groups.weight, minlength=count)
    if int(limits.allows(rows, weight).sum()) < 2:
        return None
    question = EachValueQuestion(column, tuple(branch_of.tolist()))
    found = multiway_candidate(node, column, question, groups, branches, rows, weight, criterion)
    return found if found.score > criterion.tolerance(node.stats, node.targets) else None
