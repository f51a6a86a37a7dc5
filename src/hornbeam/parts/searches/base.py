"""What is a search?  It finds the best question about one column at a node, or None.

Candidates of two branches are rows of an array: the statistics, rows and weight of their branch 0. `best_of` drops
those that break the limits, asks the criterion once for all that are left, and takes the first best (ALGORITHMS 0.3).
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.options import Part
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import TOLERANCE, Candidate, Floats, Groups, Limits, NodeView, Tried, Whole, first_best
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Question

# Statistics of candidates are stacked in blocks of at most this many numbers.
_BLOCK = 4_000_000


@dataclass(frozen=True)
class Search(Part, abc.ABC):
    """Finds questions; `kinds` says about which columns, `rank` where its kind of question stands in ALGORITHMS 1.4.

    `is_many`: it looks at many columns at once (`many_columns.py`).
    """

    sort: ClassVar[str] = "search"
    kinds: ClassVar[tuple[Kind, ...]] = ()
    suits: ClassVar[tuple[str, ...]] = ("class", "number")
    rank: ClassVar[int] = 0
    is_multiway: ClassVar[bool] = False
    is_many: ClassVar[bool] = False

    @property
    def is_last_resort(self) -> bool:
        """Whether it is asked only where the other searches find no question that may be asked."""
        return False

    def offers(self, node: NodeView, column: int) -> bool:
        """Whether it may still ask about a column at a node."""
        return True

    @abc.abstractmethod
    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best question about a column, or None."""


@dataclass(frozen=True, eq=False)
class Lefts:
    """Many candidates of two branches, by what their branch 0 holds."""

    stats: Floats
    rows: Whole
    weight: Floats
    question: Callable[[int], Question]
    is_cut: bool = False


def best_of(
    node: NodeView, column: int, groups: Groups, lefts: Lefts, criterion: Criterion, limits: Limits
) -> Candidate | None:
    """The first best of many candidates of two branches."""
    fits = limits.admits(lefts.rows, lefts.weight)
    fits &= limits.admits(groups.rows.sum() - lefts.rows, groups.weight.sum() - lefts.weight)
    return best_admitted(node, column, groups, lefts, criterion, np.flatnonzero(fits))


def best_admitted(
    node: NodeView,
    column: int,
    groups: Groups,
    lefts: Lefts,
    criterion: Criterion,
    admitted: Whole,
    n_tried: int | None = None,
) -> Candidate | None:
    """The first best of the candidates whose places are given; `n_tried` counts them for penalties."""
    if len(admitted) == 0:
        return None
    tried = len(admitted) if n_tried is None else n_tried
    scores = _scores(node, groups, lefts.stats[admitted], criterion)
    if lefts.is_cut:
        scores = scores - criterion.penalty(tried, node.weight)
    if node.notebook is not None:
        marks = zip(admitted.tolist(), scores.tolist(), strict=True)
        node.notebook.extend(Tried(column, lefts.question(place), score) for place, score in marks)
    best = first_best(scores, TOLERANCE * criterion.scale(node.stats, node.targets))
    if best < 0:
        return None
    place = int(admitted[best])
    branches = two_branches(groups.parent, lefts.stats[place : place + 1])[0]
    rows = np.array([lefts.rows[place], groups.rows.sum() - lefts.rows[place]])
    weight = np.array([lefts.weight[place], groups.weight.sum() - lefts.weight[place]])
    return made(
        node, column, lefts.question(place), float(scores[best]), groups, branches, rows, weight, criterion, tried
    )


def _scores(node: NodeView, groups: Groups, lefts: Floats, criterion: Criterion) -> Floats:
    """The criterion's word on every candidate, in blocks so that memory stays bounded."""
    step = max(1, _BLOCK // max(1, 2 * lefts.shape[1]))
    blocks = [
        criterion.score(groups.parent, two_branches(groups.parent, lefts[at : at + step]), groups.unknown, node.targets)
        for at in range(0, len(lefts), step)
    ]
    return np.concatenate(blocks)


def two_branches(parent: Floats, left: Floats) -> Floats:
    """The statistics of both branches, (candidates, 2, S), from those of branch 0."""
    right = parent - left
    # Subtracting weights that are no whole numbers can leave -1e-17 where there is nothing.
    right = np.where(np.abs(right) <= 1e-14 * np.abs(parent), 0.0, right)
    return np.stack([left, right], axis=1)


def made(
    node: NodeView,
    column: int,
    question: Question,
    score: float,
    groups: Groups,
    branches: Floats,
    rows: Any,
    weight: Any,
    criterion: Criterion,
    n_tried: int = 1,
    admits_zero: bool = False,
) -> Candidate:
    """A candidate with its decrease in impurity."""
    gain = float(criterion.gain(groups.parent, branches[None], groups.unknown, node.targets)[0])
    return Candidate(
        column=column,
        question=question,
        score=score,
        gain=gain,
        parent=groups.parent,
        branches=branches,
        rows=np.asarray(rows, dtype=np.int64),
        weight=np.asarray(weight, dtype=np.float64),
        unknown=groups.unknown,
        n_tried=n_tried,
        admits_zero=admits_zero,
    )
