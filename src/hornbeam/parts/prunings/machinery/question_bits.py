"""The number of bits that code a question: its columns, then what is tested.

    log d + t        t = log(cuts)                      threshold; log C(cuts, B - 1) for B intervals
                         log(2^(m - 1) - 1)             a subset of the m levels present
                         0                              one branch per level, is-missing
                         log(questions in the list)     a named question, which needs no column
                         32 per coefficient             hyperplane, sphere; then log C(d, s) codes the s columns
                         the sum over its literals      combined

The cuts at a node are counted if the training rows are given; otherwise the number is that of its rows less one, the
maximum.
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
    """The number of possible cuts of the column that each inner node tests."""
    inner = np.flatnonzero(~tree.nodes.is_leaf).tolist()
    cuts = {node: max(int(tree.nodes.rows[node]) - 1, 1) for node in inner}
    if training is None:
        return cuts
    columns = align_columns(tree, training)
    for visit in visits(Shape(tree), columns, np.arange(len(training)), np.ones(len(training))):
        used = tree.question(visit.node).columns if visit.node in cuts else ()
        if len(used) == 1 and columns[used[0]].kind is not Kind.NOMINAL:
            values = columns[used[0]].take(visit.rows)
            cuts[visit.node] = max(len(np.unique(values.values[~values.is_missing])) - 1, 1)
    return cuts


def question_bits(tree: Tree, node: int, cuts: int) -> float:
    """The bits of the question of a node whose column has `cuts` possible cuts."""
    width = len(tree.schema.columns)
    total = 0.0
    stack: list[Question] = [tree.question(node)]
    while stack:
        question = stack.pop()
        if isinstance(question, Combined):
            stack.extend(literal.question for literal in question.literals)
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
        n_numbers = used + 1 if isinstance(question, Sphere) else used
        return 32.0 * n_numbers + _log_choose(width, used)
    return column


def _log_choose(n: int, k: int) -> float:
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)
