"""Which two groups is a set of classes split into?

    purity   the grouping that a single column tells best (purity.py)
    cv       the grouping that the base classifier tells best, by cross-validated accuracy

A set of up to ten classes looks at all 2^(k-1) - 1 groupings; a larger one takes the two groups that joining leaves
(joining.py). Ties within 1e-10 go to the more balanced grouping, then to the first in lexicographic order; the first
group is always the one with the lowest class.
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

MOST_CLASSES = 10
_SLACK = 1e-10
Group = tuple[int, ...]
Scores = Callable[[Sequence[int], Sequence[Group]], Floats]


def dichotomy_by_purity(problem: Problem, labels: Sequence[Any]) -> NestedDichotomy:
    """The class tree whose groups single columns tell best."""
    return build_dichotomy(labels, partial(_split, problem, partial(purity_scores, problem)), "purity")


def dichotomy_by_folds(problem: Problem, labels: Sequence[Any], folds: Rows) -> NestedDichotomy:
    """The class tree whose groups the base classifier tells best; `folds` is the fold of every row."""
    scores = partial(_accuracies, problem, folds)
    return build_dichotomy(labels, partial(_split, problem, scores), "accuracy")


def groupings(classes: Sequence[int]) -> list[tuple[Group, Group]]:
    """Every way to split the classes in two, the more balanced first, then in lexicographic order."""
    lowest, *others = sorted(classes)
    found = []
    for size in range(len(others)):
        for more in itertools.combinations(others, size):
            second = tuple(code for code in others if code not in more)
            found.append(((lowest, *more), second))
    return sorted(found, key=lambda groups: (abs(len(groups[0]) - len(groups[1])), groups[0]))


def _split(problem: Problem, scores: Scores, classes: Group) -> tuple[Group, Group, float]:
    found = groupings(classes) if len(classes) <= MOST_CLASSES else [joined_groups(problem, classes)]
    each = scores(classes, [second for _, second in found])
    best = 0
    for place in range(1, len(found)):
        if each[place] - each[best] > _SLACK:
            best = place
    return *found[best], float(each[best])


def _accuracies(problem: Problem, folds: Rows, classes: Sequence[int], seconds: Sequence[Group]) -> Floats:
    rows = problem.rows_of(classes)
    jobs = [
        partial(cross_validated_error, problem, rows, np.isin(problem.codes[rows], second), folds, number)
        for number, second in enumerate(seconds)
    ]
    return 1.0 - np.array(run_in_order(jobs, problem.threads))
