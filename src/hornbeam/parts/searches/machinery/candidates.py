"""Candidate questions of a search: their statistics, their scores, and the choice of the best one.

Candidates of two branches are rows of an array: the statistics, rows and weight of their branch 0. `best_of` drops
those that break the limits, scores the rest in one call of the criterion, and takes the first best (definition 0.3).

Where missing values may go to either branch (`Groups.missing`), every candidate occurs twice: first with them in the
branch of larger known weight (branch 0 on ties), then with them in the other branch; so the first best breaks ties as
definition 0.3 requires. Where they are a branch of their own, every candidate has that additional branch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Groups, Integers, Limits, NodeView, TriedCandidate, first_best
from hornbeam.tree.questions import Question

# Statistics of candidates are stacked in blocks of at most this many numbers.
_BLOCK = 4_000_000
_NOTHING = 1e-14  # of the statistic of the node


@dataclass(frozen=True, eq=False)
class BinaryCandidates:
    """Many candidates of two branches, by the contents of their branch 0; `missing` is the branch of missing values."""

    stats: Floats
    rows: Integers
    weight: Floats
    question: Callable[[int], Question]
    is_cut: bool = False
    missing: Integers | None = None


def binary_candidates(
    groups: Groups, stats: Floats, rows: Integers, weight: Floats, question: Callable[[int], Question], is_cut: bool
) -> BinaryCandidates:
    """Candidates from the known rows of their branch 0; twice each where missing values may go to either branch."""
    if groups.n_directions == 1:
        return BinaryCandidates(stats, rows, weight, question, is_cut)
    assert groups.missing is not None
    left_first = weight >= float(groups.weight.sum()) - weight
    missing = np.where(np.stack([left_first, ~left_first], axis=1).ravel(), 0, 1)
    goes_left = missing == 0
    return BinaryCandidates(
        stats=np.repeat(stats, 2, axis=0) + np.where(goes_left[:, None], groups.missing.stats[None, :], 0.0),
        rows=np.repeat(rows, 2) + np.where(goes_left, groups.missing.rows, 0),
        weight=np.repeat(weight, 2) + np.where(goes_left, groups.missing.weight, 0.0),
        question=lambda index: question(index // 2),
        is_cut=is_cut,
        missing=missing,
    )


def best_of(
    node: NodeView, column: int, groups: Groups, candidates: BinaryCandidates, criterion: Criterion, limits: Limits
) -> Candidate | None:
    """The first best of many candidates of two branches."""
    return best_admitted(node, column, groups, candidates, criterion, admitted_candidates(groups, candidates, limits))


def admitted_candidates(groups: Groups, candidates: BinaryCandidates, limits: Limits) -> Integers:
    """The indices of the candidates whose branches are all large enough."""
    _, rows, weight = groups.inside
    fits = limits.allows(candidates.rows, candidates.weight) & limits.allows(
        rows - candidates.rows, weight - candidates.weight
    )
    return np.flatnonzero(fits)


def best_admitted(
    node: NodeView,
    column: int,
    groups: Groups,
    candidates: BinaryCandidates,
    criterion: Criterion,
    admitted: Integers,
    n_tried: int | None = None,
) -> Candidate | None:
    """The first best of the candidates at the given indices; `n_tried` is their number for penalties."""
    if len(admitted) == 0:
        return None
    tried = len(admitted) if n_tried is None else n_tried
    scores = _scores(node, groups, candidates.stats[admitted], criterion)
    if candidates.is_cut:
        scores = scores - criterion.penalty(tried, node.weight)
    if node.tried_candidates is not None:
        scored = zip(admitted.tolist(), scores.tolist(), strict=True)
        node.tried_candidates.extend(
            TriedCandidate(column, candidates.question(index), score) for index, score in scored
        )
    best = first_best(scores, criterion.tolerance(node.stats, node.targets))
    if best < 0:
        return None
    index = int(admitted[best])
    branches = _branches(groups, candidates.stats[index : index + 1])[0]
    _, all_rows, all_weight = groups.inside
    rows = [candidates.rows[index], all_rows - candidates.rows[index]]
    weight = [candidates.weight[index], all_weight - candidates.weight[index]]
    missing = None if candidates.missing is None else int(candidates.missing[index])
    if groups.missing is not None and not groups.missing.either:
        rows, weight, missing = [*rows, groups.missing.rows], [*weight, groups.missing.weight], 2
    return make_candidate(
        node,
        column,
        candidates.question(index),
        float(scores[best]),
        groups,
        branches,
        rows,
        weight,
        criterion,
        tried,
        missing_branch=missing,
    )


def _branches(groups: Groups, left_stats: Floats) -> Floats:
    """The statistics of all branches (candidates, B, S) from those of branch 0."""
    both = two_branches(groups.inside[0], left_stats)
    if groups.missing is None or groups.missing.either:
        return both
    own = np.broadcast_to(groups.missing.stats, (len(both), 1, both.shape[2]))
    return np.concatenate([both, own], axis=1)


def scores_and_branches(
    node: NodeView, groups: Groups, left_stats: Floats, criterion: Criterion
) -> tuple[Floats, Floats]:
    """The score of every candidate, and the statistics of their branches."""
    return _scores(node, groups, left_stats, criterion), _branches(groups, left_stats)


def _scores(node: NodeView, groups: Groups, left_stats: Floats, criterion: Criterion) -> Floats:
    """The score of every candidate, computed in blocks so that memory stays bounded."""
    step = max(1, _BLOCK // max(1, 2 * left_stats.shape[1]))
    blocks = [
        criterion.score(groups.whole, _branches(groups, left_stats[at : at + step]), groups.unknown, node.targets)
        for at in range(0, len(left_stats), step)
    ]
    return np.concatenate(blocks)


def two_branches(parent: Floats, left: Floats) -> Floats:
    """The statistics of both branches, (candidates, 2, S), from those of branch 0.

    Sums of floats that rows entered and left again are 0 where only rounding is left: the root of it would be a score.
    """
    left = np.where(np.abs(left) <= _NOTHING * np.abs(parent), 0.0, left)
    return np.stack([left, rest_of(parent, left)], axis=1)


def rest_of(whole: Floats, part: Floats) -> Floats:
    """The difference of statistics; 0 where the subtraction of floats leaves rounding only."""
    rest = whole - part
    return np.where(np.abs(rest) <= _NOTHING * np.abs(whole), 0.0, rest)


def make_candidate(
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
    allow_zero_gain: bool = False,
    missing_branch: int | None = None,
) -> Candidate:
    """A candidate with its decrease in impurity."""
    gain = float(criterion.gain(groups.whole, branches[None], groups.unknown, node.targets)[0])
    return Candidate(
        column=column,
        question=question,
        score=score,
        gain=gain,
        parent=groups.whole,
        branches=branches,
        rows=np.asarray(rows, dtype=np.int64),
        weight=np.asarray(weight, dtype=np.float64),
        unknown=groups.unknown,
        n_tried=n_tried,
        allow_zero_gain=allow_zero_gain,
        missing_branch=missing_branch,
    )


def multiway_candidate(
    node: NodeView,
    column: int,
    question: Question,
    groups: Groups,
    branches: Floats,
    rows: Any,
    weight: Any,
    criterion: Criterion,
    allow_zero_gain: bool = False,
) -> Candidate:
    """A candidate of any number of branches from those of its known rows.

    Missing values that may go to any branch are tried in every branch that has known rows, the majority branch first.
    """
    rows, weight = np.asarray(rows, dtype=np.int64), np.asarray(weight, dtype=np.float64)
    tries: list[tuple[Floats, Any, Any, int | None]] = [(branches, rows, weight, None)]
    missing = groups.missing
    if missing is not None and missing.either:
        order = [b for b in np.argsort(-weight, kind="stable").tolist() if rows[b] > 0]
        here = [np.arange(len(rows)) == b for b in order]
        tries = [
            (branches + np.outer(at, missing.stats), rows + at * missing.rows, weight + at * missing.weight, b)
            for at, b in zip(here, order, strict=True)
        ]
    elif missing is not None:
        own = np.vstack([branches, missing.stats])
        tries = [(own, np.append(rows, missing.rows), np.append(weight, missing.weight), len(rows))]
    stacked = np.stack([each[0] for each in tries])
    scores = criterion.score(groups.whole, stacked, groups.unknown, node.targets)
    if node.tried_candidates is not None:
        node.tried_candidates.extend(TriedCandidate(column, question, score) for score in scores.tolist())
    best = max(first_best(scores, criterion.tolerance(node.stats, node.targets)), 0)
    branches, rows, weight, missing_branch = tries[best]
    return make_candidate(
        node,
        column,
        question,
        float(scores[best]),
        groups,
        branches,
        rows,
        weight,
        criterion,
        allow_zero_gain=allow_zero_gain,
        missing_branch=missing_branch,
    )
