"""How many bits tell a question?  Which columns, then what is asked of them.

    log d + t        t = log(cuts)                      threshold; log C(cuts, B - 1) for B intervals
                         log(2^(m - 1) - 1)             a subset of the m levels present
                         0                              one branch a level, is-missing
                         log(questions in the list)     a named question, which needs no column
                         32 for each coefficient        hyperplane, sphere; then log C(d, s) tells the s columns
                         the sum over its literals      combined

The cuts at a node are counted when the training rows are at hand; else taken as its rows less one, all there can be.
"""

from __future__ import annotations

import math

import numpy as np

from hornbeam.parts.prunings.machinery.pruning_data import align_columns
from hornbeam.parts.prunings.machinery.routes import Shape, visits
from hornbeam.table.column import Kind
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.questions import Combined, Hyperplane, Intervals, Named, Question, Sphere, Subset, Threshold


def cuts_of(tree: Tree, training: Table | None) -> dict[int, int]:
    """The number of places each inner node could have cut the column it asks about."""
    inner = np.flatnonzero(~tree.nodes.is_leaf).tolist()
    cuts = {node: max(int(tree.nodes.rows[node]) - 1, 1) for node in inner}
    if training is None:
        return cuts
    columns = align_columns(tree, training)
    for visit in visits(Shape(tree), columns, np.arange(len(training)), np.ones(len(training))):
        asked = tree.question(visit.node).columns if visit.node in cuts else ()
        if len(asked) == 1 and columns[asked[0]].kind is not Kind.NOMINAL:
            values = columns[asked[0]].take(visit.rows)
            cuts[visit.node] = max(len(np.unique(values.values[~values.is_missing])) - 1, 1)
    return cuts


def question_bits(tree: Tree, node: int, cuts: int) -> float:
    """The bits of the question a node asks, when its column could be cut in so many places."""
    width = len(tree.schema.columns)
    total = 0.0
    waiting: list[Question] = [tree.question(node)]
    while waiting:
        question = waiting.pop()
        if isinstance(question, Combined):
            waiting.extend(literal.question for literal in question.literals)
        else:
            total += _simple_bits(question, width, cuts, len(tree.questions.names))
    return total


def _simple_bits(question: Question, width: int, cuts: int, n_named: int) -> float:
    column = math.log2(width) if width > 1 else 0.0
    if isinstance(question, Named):
        return math.log2(max(n_named, 1))
    if isinstance(question, Threshold):
        return column + math.log2(cuts)
    if isinstance(question, Intervals):
        return column + _log_choose(cuts, min(question.n_branches - 1, cuts))
    if isinstance(question, Subset):
        present = len(question.inside) + len(question.outside)
        return column + (math.log2(2 ** (present - 1) - 1) if present > 1 else 0.0)
    if isinstance(question, Hyperplane | Sphere):
        used = len(question.columns)
        reals = used + 1 if isinstance(question, Sphere) else used
        return 32.0 * reals + _log_choose(width, used)
    return column


def _log_choose(n: int, k: int) -> float:
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)
