"""Chooses the two groups into which a set of classes is split.

    purity   the grouping that a single column separates best (purity.py)
    cv       the grouping that the base classifier separates best, by cross-validated accuracy

For up to ten classes all 2^(k-1) - 1 groupings are scored; more classes are joined into two groups (joining.py). Ties
within 1e-10 go to the more balanced grouping, then to the first in lexicographic order; the first group always has the
lowest class.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from hornbeam.ensembles.reductions.binary import cross_validated_error
from hornbeam.ensembles.reductions.dichotomy import NestedDichotomy, build_dichotomy
from hornbeam.ensembles.reductions.joining import joined_groups
from hornbeam.ensembles.reductions.problem import Floats, Problem, Rows, run_in_order
from hornbeam.ensembles.reductions.purity import purity_scores

MAX_CLASSES = 10
_SLACK = 1e-10
Group = tuple[int, ...]
Scores = Callable[[Sequence[int], Sequence[Group]], Floats]


def dichotomy_by_purity(problem: Problem, labels: Sequence[Any]) -> NestedDichotomy:
    """The nested dichotomy whose groups single columns separate best."""
    return build_dichotomy(labels, partial(_split, problem, partial(purity_scores, problem)), "purity")


def dichotomy_by_folds(problem: Problem, labels: Sequence[Any], folds: Rows) -> NestedDichotomy:
    """The nested dichotomy whose groups the base classifier separates best; `folds` is the fold of each row."""
    scores = partial(_accuracies, problem, folds)
    return build_dichotomy(labels, partial(_split, problem, scores), "accuracy")


def groupings(classes: Sequence[int]) -> list[tuple[Group, Group]]:
    """All splits of the classes into two groups, the more balanced first, then in lexicographic order."""
    lowest, *others = sorted(classes)
    all_groups = []
    for size in range(len(others)):
        for more in itertools.combinations(others, size):
            second = tuple(code for code in others if code not in more)
            all_groups.append(((lowest, *more), second))
    return sorted(all_groups, key=lambda groups: (abs(len(groups[0]) - len(groups[1])), groups[0]))


def _split(problem: Problem, scores: Scores, classes: Group) -> tuple[Group, Group, float]:
    candidates = groupings(classes) if len(classes) <= MAX_CLASSES else [joined_groups(problem, classes)]
    each = scores(classes, [second for _, second in candidates])
    best = 0
    for index in range(1, len(candidates)):
        if each[index] - each[best] > _SLACK:
            best = index
    return *candidates[best], float(each[best])


def _accuracies(problem: Problem, folds: Rows, classes: Sequence[int], seconds: Sequence[Group]) -> Floats:
    rows = problem.rows_of(classes)
    jobs = [
        partial(cross_validated_error, problem, rows, np.isin(problem.codes[rows], second), folds, number)
        for number, second in enumerate(seconds)
    ]
    return 1.0 - np.array(run_in_order(jobs, problem.threads))
