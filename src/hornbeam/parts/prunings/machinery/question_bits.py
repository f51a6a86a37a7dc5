"""The number of bits that code a question: its columns, then what is tested.

    log d + t        t = log(cuts)                      threshold; log C(cuts, B - 1) for B intervals
                         log(2^(m - 1) - 1)             two branches for the m levels present
                         0                              more branches for levels, is-missing
                         log(questions in the list)     a named question, which needs no column
                         32 per coefficient             hyperplane, sphere; then log C(d, s) codes the s columns
                         the sum over its literals      combined

The cuts at a node are counted if the training rows are given; otherwise the number is that of its rows less one, the
maximum.
"""

from __future__ import annotations

import math

import numpy as np

from hornbeam.parts.prunings.machinery.routed_rows import align_columns
from hornbeam.parts.prunings.machinery.routes import Shape, visits
from hornbeam.table.column import Kind
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.questions import Encoding, QuestionTable


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
    table = tree.questions
    total = 0.0
    stack = [int(tree.nodes.question[node])]
    while stack:
        row = stack.pop()
        if table.encoding[row] == Encoding.COMBINED and table.name[row] < 0:
            stack.extend(table.whole_of(row)[1::2].tolist())
        else:
            total += _simple_bits(table, row, len(tree.schema.columns), cuts)
    return total


def _simple_bits(table: QuestionTable, row: int, width: int, cuts: int) -> float:
    column = math.log2(width) if width > 1 else 0.0
    encoding, n_branches = table.encoding[row], table.n_branches(row)
    if table.name[row] >= 0:
        return math.log2(max(len(table.names), 1))
    if encoding == Encoding.CUTS:
        n_cuts = len(table.reals_of(row))
        return column + (math.log2(cuts) if n_cuts == 1 else _log_choose(cuts, min(n_cuts, cuts)) if n_cuts else 0.0)
    if encoding == Encoding.MAP:
        present = int(np.count_nonzero(table.whole_of(row) >= 0))
        return column + (math.log2(2 ** (present - 1) - 1) if n_branches == 2 else 0.0)
    used = len(table.whole_of(row))
    return 32.0 * (used + 1 if encoding == Encoding.BALL else used) + _log_choose(width, used)


def _log_choose(n: int, k: int) -> float:
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)
