"""The nodes that each row visits, with its weight there. Fractional rows visit every branch.

The step at a node is that of prediction. The fractions are those of the training weight stored in the tree or, for
C4.5's pruning, those of the rows at hand. A `Shape` is a tree in the middle of its edits. Fractions below 1e-6 of the
largest row weight are not followed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, Tree
from hornbeam.tree.reference_walk import MIN_FRACTION, step

Rows = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]


class Shape:
    """The tree in the middle of edits: which nodes are leaves, and which nodes are replaced by another."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.is_leaf: npt.NDArray[np.bool_] = tree.nodes.is_leaf.copy()
        self.replacement: dict[int, int] = {}

    def at(self, node: int) -> int:
        """The node that has replaced `node`, or `node` itself."""
        while node in self.replacement:
            node = self.replacement[node]
        return node

    def children(self, node: int) -> list[int]:
        """The current children."""
        return [] if self.is_leaf[node] else [self.at(child) for child in self.tree.nodes.children(node)]


@dataclasses.dataclass(frozen=True, eq=False)
class Visit:
    """Rows at a node: their numbers and weights, which of them end here, and their branches (STAY at a leaf)."""

    node: int
    rows: Rows
    weights: Numbers
    ends: npt.NDArray[np.bool_]
    branch: npt.NDArray[np.int32]


def visits(
    shape: Shape,
    columns: Sequence[Column],
    rows: Rows,
    weights: Numbers,
    start: int = 0,
    *,
    fractions_of_rows: bool = False,
) -> Iterator[Visit]:
    """Every node that some row reaches, in preorder, with its rows."""
    stack = [(shape.at(start), rows, weights)]
    min_weight = MIN_FRACTION * float(weights.max(initial=0.0))
    while stack:
        node, here, parts = stack.pop()
        children = shape.children(node)
        if not children:
            yield Visit(node, here, parts, np.ones(len(here), dtype=bool), np.full(len(here), STAY, dtype=np.int32))
            continue
        branch, _ = step(shape.tree, node, columns, here)
        yield Visit(node, here, parts, branch == STAY, branch)
        is_fractional = branch == ALL_BRANCHES
        fractions = (
            _fractions(shape.tree, node, branch, parts, of_rows=fractions_of_rows) if is_fractional.any() else None
        )
        for number in range(len(children) - 1, -1, -1):
            taken = branch == number
            part = parts
            if fractions is not None and fractions[number] > 0:
                part = np.where(is_fractional, parts * fractions[number], parts)
                taken |= is_fractional & (part > min_weight)
            if taken.any():
                stack.append((children[number], here[taken], part[taken]))


def _fractions(
    tree: Tree, node: int, branch: npt.NDArray[np.int32], parts: Numbers, *, of_rows: bool
) -> npt.NDArray[np.float64]:
    """The fraction of each branch: of the known rows at hand, or of the training weight."""
    if of_rows:
        known = branch >= 0
        weight = sum_weights(branch[known], parts[known], int(tree.nodes.n_branches[node]))
        if weight.sum() > 0:
            return np.divide(weight, float(weight.sum()))
    weight = tree.nodes.weight[list(tree.nodes.children(node))]
    total = float(weight.sum())
    return np.divide(weight, total) if total > 0 else np.full(len(weight), 1.0 / len(weight))


def sum_weights(codes: npt.NDArray[Any], weights: Numbers, n: int) -> Numbers:
    """The sum of the weights of each code below n."""
    return np.bincount(codes, weights, minlength=n).astype(np.float64, copy=False)
