"""Candidate questions of a search: their statistics, their scores, and the choice of the best one.

Candidates of two branches are rows of an array: the statistics, rows and weight of their branch 0. `best_of` drops
those that break the limits, scores the rest in one call of the criterion, and takes the first best (definition 0.3).

Where missing values may go to either branch (`Groups.holes`), every candidate occurs twice: first with them in the
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


@dataclass(frozen=True, eq=False)
class BinaryCandidates:
    """Many candidates of two branches, by what their branch 0 holds; `missing` is where missing values go."""

    stats: Floats
    rows: Integers
    weight: Floats
    question: Callable[[int], Question]
    is_cut: bool = False
    missing: Integers | None = None


def binary_candidates(
    groups: Groups, stats: Floats, rows: Integers, weight: Floats, question: Callable[[int], Question], is_cut: bool
) -> BinaryCandidates:
    """Candidates from what the known rows of their branch 0 are; twice each where missing values may go either way."""
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
        question=lambda place: question(place // 2),
        is_cut=is_cut,
        missing=missing,
    )


def best_of(
    node: NodeView, column: int, groups: Groups, lefts: BinaryCandidates, criterion: Criterion, limits: Limits
) -> Candidate | None:
    """The first best of many candidates of two branches."""
    return best_admitted(node, column, groups, lefts, criterion, admitted_candidates(groups, lefts, limits))


def admitted_candidates(groups: Groups, lefts: BinaryCandidates, limits: Limits) -> Integers:
    """The places of the candidates whose branches are all large enough."""
    _, rows, weight = groups.inside
    fits = limits.allows(lefts.rows, lefts.weight) & limits.allows(rows - lefts.rows, weight - lefts.weight)
    return np.flatnonzero(fits)


def best_admitted(
    node: NodeView,
    column: int,
    groups: Groups,
    lefts: BinaryCandidates,
    criterion: Criterion,
    admitted: Integers,
    n_tried: int | None = None,
) -> Candidate | None:
    """The first best of the candidates whose places are given; `n_tried` counts them for penalties."""
    if len(admitted) == 0:
        return None
    tried = len(admitted) if n_tried is None else n_tried
    scores = _scores(node, groups, lefts.stats[admitted], criterion)
    if lefts.is_cut:
        scores = scores - criterion.penalty(tried, node.weight)
    if node.tried_candidates is not None:
        marks = zip(admitted.tolist(), scores.tolist(), strict=True)
        node.tried_candidates.extend(TriedCandidate(column, lefts.question(place), score) for place, score in marks)
    best = first_best(scores, criterion.tolerance(node.stats, node.targets))
    if best < 0:
        return None
    place = int(admitted[best])
    branches = _branches(groups, lefts.stats[place : place + 1])[0]
    _, all_rows, all_weight = groups.inside
    rows = [lefts.rows[place], all_rows - lefts.rows[place]]
    weight = [lefts.weight[place], all_weight - lefts.weight[place]]
    missing = None if lefts.missing is None else int(lefts.missing[place])
    if groups.missing is not None and not groups.missing.either:
        rows, weight, missing = [*rows, groups.missing.rows], [*weight, groups.missing.weight], 2
    return make_candidate(
        node,
        column,
        lefts.question(place),
        float(scores[best]),
        groups,
        branches,
        rows,
        weight,
        criterion,
        tried,
        missing_branch=missing,
    )


def _branches(groups: Groups, lefts: Floats) -> Floats:
    """The statistics of all branches (candidates, B, S) from those of branch 0."""
    both = two_branches(groups.inside[0], lefts)
    if groups.missing is None or groups.missing.either:
        return both
    own = np.broadcast_to(groups.missing.stats, (len(both), 1, both.shape[2]))
    return np.concatenate([both, own], axis=1)


def scores_and_branches(node: NodeView, groups: Groups, lefts: Floats, criterion: Criterion) -> tuple[Floats, Floats]:
    """The criterion's word on every candidate, and the statistics of their branches."""
    return _scores(node, groups, lefts, criterion), _branches(groups, lefts)


def _scores(node: NodeView, groups: Groups, lefts: Floats, criterion: Criterion) -> Floats:
    """The criterion's word on every candidate, in blocks so that memory stays bounded."""
    step = max(1, _BLOCK // max(1, 2 * lefts.shape[1]))
    blocks = [
        criterion.score(groups.whole, _branches(groups, lefts[at : at + step]), groups.unknown, node.targets)
        for at in range(0, len(lefts), step)
    ]
    return np.concatenate(blocks)


def two_branches(parent: Floats, left: Floats) -> Floats:
    """The statistics of both branches, (candidates, 2, S), from those of branch 0."""
    return np.stack([left, rest_of(parent, left)], axis=1)


def rest_of(whole: Floats, part: Floats) -> Floats:
    """What is left of statistics; 0 where a subtraction of numbers that are no integers leaves rounding alone."""
    rest = whole - part
    return np.where(np.abs(rest) <= 1e-14 * np.abs(whole), 0.0, rest)


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

    Missing values that may go either way are tried in every branch that has known rows, the heaviest first.
    """
    rows, weight = np.asarray(rows, dtype=np.int64), np.asarray(weight, dtype=np.float64)
    tries: list[tuple[Floats, Any, Any, int | None]] = [(branches, rows, weight, None)]
    holes = groups.missing
    if holes is not None and holes.either:
        places = [b for b in np.argsort(-weight, kind="stable").tolist() if rows[b] > 0]
        here = [np.arange(len(rows)) == b for b in places]
        tries = [
            (branches + np.outer(at, holes.stats), rows + at * holes.rows, weight + at * holes.weight, b)
            for at, b in zip(here, places, strict=True)
        ]
    elif holes is not None:
        own = np.vstack([branches, holes.stats])
        tries = [(own, np.append(rows, holes.rows), np.append(weight, holes.weight), len(rows))]
    stacked = np.stack([each[0] for each in tries])
    scores = criterion.score(groups.whole, stacked, groups.unknown, node.targets)
    if node.tried_candidates is not None:
        node.tried_candidates.extend(TriedCandidate(column, question, score) for score in scores.tolist())
    best = max(first_best(scores, criterion.tolerance(node.stats, node.targets)), 0)
    branches, rows, weight, missing = tries[best]
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
        missing_branch=missing,
    )
