"""What does a class tree say of a row?  One classifier a node sends it to the first or the second group.

    class       the leaf where the row ends: as many evaluations as its path is long
    shares      P(class) = product along its path of P(group taken | set of classes): all K - 1 classifiers are asked

A classifier learns from the rows of its own classes only. A mistake at the top cannot be undone further down, and the
class at the end of the path need not be the one of the largest share.
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
    """A class tree with one classifier for every node that is split; None at leaves."""

    tree: NestedDichotomy
    members: tuple[Binary | None, ...]

    @property
    def models(self) -> list[Any]:
        """The fitted classifiers, in the order of the nodes."""
        return [member.model for member in self.members if member is not None]

    def played(self, X: Any, n_rows: int) -> GameResult:
        """The class of every row, and how many classifiers it met."""
        at = np.zeros(n_rows, dtype=np.int64)
        evaluations = np.zeros(n_rows, dtype=np.int64)
        for place, (node, member) in enumerate(zip(self.tree.nodes, self.members, strict=True)):
            rows = np.flatnonzero(at == place)
            if member is not None and len(rows):
                takes_second = member.margins(take_rows(X, rows), len(rows)) > 0
                at[rows] = np.where(takes_second, node.second, node.first)
                evaluations[rows] += 1
        ends = np.array([node.classes[0] for node in self.tree.nodes])
        return GameResult(ends[at], evaluations)

    def probabilities(self, X: Any, n_rows: int) -> Floats:
        """The share of every class, (rows, classes)."""
        reached = np.ones((n_rows, len(self.tree.nodes)))
        found = np.zeros((n_rows, len(self.tree.labels)))
        for place, (node, member) in enumerate(zip(self.tree.nodes, self.members, strict=True)):
            if member is None:
                found[:, node.classes[0]] = reached[:, place]
                continue
            share = member.probabilities(X, n_rows)
            reached[:, node.first] = reached[:, place] * (1.0 - share)
            reached[:, node.second] = reached[:, place] * share
        return found


def fit_dichotomy(problem: Problem, tree: NestedDichotomy) -> Nested:
    """One classifier for every node that is split, each learned from the rows of its classes."""
    splits = [place for place, node in enumerate(tree.nodes) if not node.is_leaf]
    jobs = [partial(_fitted_at, problem, tree, place) for place in splits]
    made = dict(zip(splits, run_in_order(jobs, problem.threads), strict=True))
    nodes = tuple(dataclasses.replace(node, rows=len(problem.rows_of(node.classes))) for node in tree.nodes)
    return Nested(dataclasses.replace(tree, nodes=nodes), tuple(made.get(place) for place in range(len(nodes))))


def _fitted_at(problem: Problem, tree: NestedDichotomy, place: int) -> Binary:
    node = tree.nodes[place]
    rows = problem.rows_of(node.classes)
    return fit_binary(problem, rows, np.isin(problem.codes[rows], tree.nodes[node.second].classes), place)
