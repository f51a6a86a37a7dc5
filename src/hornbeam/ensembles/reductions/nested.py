"""Prediction by a nested dichotomy: the classifier of each inner node sends a row to the first or the second group.

    class           the leaf where the row ends: as many evaluations as its path is long
    probabilities   P(class) = product along its path of P(group | set of classes): all K - 1 classifiers are evaluated

A classifier is trained on the rows of its own classes only. An error at the root cannot be corrected below it, and the
predicted class need not have the largest probability.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import numpy as np

from hornbeam.ensembles.reductions.binary import Binary, fit_binary
from hornbeam.ensembles.reductions.dichotomy import NestedDichotomy
from hornbeam.ensembles.reductions.games import GameResult
from hornbeam.ensembles.reductions.problem import Floats, Problem, run_in_order, take_rows


@dataclasses.dataclass(frozen=True, eq=False)
class Nested:
    """A nested dichotomy with one classifier per inner node; None at leaves."""

    tree: NestedDichotomy
    members: tuple[Binary | None, ...]

    @property
    def models(self) -> list[Any]:
        """The fitted classifiers, in the order of the nodes."""
        return [member.model for member in self.members if member is not None]

    def classify(self, X: Any, n_rows: int) -> GameResult:
        """The class of each row, and the number of classifiers used."""
        at = np.zeros(n_rows, dtype=np.int64)
        evaluations = np.zeros(n_rows, dtype=np.int64)
        for index, (node, member) in enumerate(zip(self.tree.nodes, self.members, strict=True)):
            rows = np.flatnonzero(at == index)
            if member is not None and len(rows):
                takes_second = member.margins(take_rows(X, rows), len(rows)) > 0
                at[rows] = np.where(takes_second, node.second, node.first)
                evaluations[rows] += 1
        ends = np.array([node.classes[0] for node in self.tree.nodes])
        return GameResult(ends[at], evaluations)

    def probabilities(self, X: Any, n_rows: int) -> Floats:
        """The class probabilities, (rows, classes)."""
        reached = np.ones((n_rows, len(self.tree.nodes)))
        found = np.zeros((n_rows, len(self.tree.labels)))
        for index, (node, member) in enumerate(zip(self.tree.nodes, self.members, strict=True)):
            if member is None:
                found[:, node.classes[0]] = reached[:, index]
                continue
            of_second = member.probabilities(X, n_rows)
            reached[:, node.first] = reached[:, index] * (1.0 - of_second)
            reached[:, node.second] = reached[:, index] * of_second
        return found


def fit_dichotomy(problem: Problem, tree: NestedDichotomy) -> Nested:
    """One classifier per inner node, each trained on the rows of its classes."""
    splits = [index for index, node in enumerate(tree.nodes) if not node.is_leaf]
    jobs = [partial(_fit_node, problem, tree, index) for index in splits]
    classifiers = dict(zip(splits, run_in_order(jobs, problem.threads), strict=True))
    nodes = tuple(dataclasses.replace(node, rows=len(problem.rows_of(node.classes))) for node in tree.nodes)
    return Nested(dataclasses.replace(tree, nodes=nodes), tuple(classifiers.get(index) for index in range(len(nodes))))


def _fit_node(problem: Problem, tree: NestedDichotomy, index: int) -> Binary:
    node = tree.nodes[index]
    rows = problem.rows_of(node.classes)
    return fit_binary(problem, rows, np.isin(problem.codes[rows], tree.nodes[node.second].classes), index)
