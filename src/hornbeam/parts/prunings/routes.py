"""Where do rows end, and with what weight?  Rows go down the tree; those that share go down every branch with a part.

    answered by the question, else by the first surrogate that can, else by the node's rule for missing values:
    one branch, STAY (the row ends here) or SHARE (it goes down every branch; the parts are the shares of weight)

The shares are those of the training weight kept in the tree or, for C4.5's pruning, those of the rows at hand. A
`Shape` lets a method walk the tree as it stands in the middle of its edits. Fractions below 1e-6 of a row are not
followed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, shown
from hornbeam.table.column import Column
from hornbeam.tree.nodes import SHARE, STAY, Tree
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL

Rows = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
SMALLEST_PART = 1e-6


class Shape:
    """The tree in the middle of edits: which nodes are leaves by now, and which stand in another's place."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.is_leaf: npt.NDArray[np.bool_] = tree.nodes.is_leaf.copy()
        self.instead: dict[int, int] = {}

    def at(self, node: int) -> int:
        """The node that now stands where `node` stood."""
        while node in self.instead:
            node = self.instead[node]
        return node

    def children(self, node: int) -> list[int]:
        """The children as they are by now."""
        return [] if self.is_leaf[node] else [self.at(child) for child in self.tree.nodes.children(node)]


@dataclasses.dataclass(frozen=True, eq=False)
class Visit:
    """Rows at a node: their numbers and weights, and which of them end here."""

    node: int
    rows: Rows
    weights: Numbers
    ends: npt.NDArray[np.bool_]


def visits(
    shape: Shape,
    columns: Sequence[Column],
    rows: Rows,
    weights: Numbers,
    start: int = 0,
    *,
    shares_of_rows: bool = False,
) -> Iterator[Visit]:
    """Every node that some row reaches, in preorder, with its rows."""
    stack = [(shape.at(start), rows, weights)]
    least = SMALLEST_PART * float(weights.max(initial=0.0))
    while stack:
        node, here, parts = stack.pop()
        children = shape.children(node)
        if not children:
            yield Visit(node, here, parts, np.ones(len(here), dtype=bool))
            continue
        branch = branches(shape.tree, node, columns, here)
        yield Visit(node, here, parts, branch == STAY)
        shared = branch == SHARE
        shares = _shares(shape.tree, node, branch, parts, of_rows=shares_of_rows) if shared.any() else None
        for number in range(len(children) - 1, -1, -1):
            taken = branch == number
            part = parts
            if shares is not None and shares[number] > 0:
                part = np.where(shared, parts * shares[number], parts)
                taken |= shared & (part > least)
            if taken.any():
                stack.append((children[number], here[taken], part[taken]))


def branches(tree: Tree, node: int, columns: Sequence[Column], rows: Rows) -> npt.NDArray[np.int32]:
    """The branch of each row at a node, or STAY or SHARE."""
    question = tree.question(node)
    branch = question.branch(_narrowed(columns, question.columns, rows))
    _settle_unseen(tree, node, branch)
    for surrogate, is_flipped, _, _ in tree.surrogates(node):
        open_rows = branch == UNKNOWN
        if not open_rows.any():
            break
        second = surrogate.branch(_narrowed(columns, surrogate.columns, rows))
        known = open_rows & (second >= 0)
        branch[known] = 1 - second[known] if is_flipped else second[known]
    open_rows = branch == UNKNOWN
    branch[branch == _STOP] = STAY
    branch[open_rows] = tree.nodes.missing_branch[node]
    return branch


_STOP = -9  # a row that ends at this node, apart from STAY, which has the number of UNKNOWN


def _settle_unseen(tree: Tree, node: int, branch: npt.NDArray[np.int32]) -> None:
    """Levels without a branch, by the tree's policy."""
    unseen = branch == UNSEEN_LEVEL
    if not unseen.any():
        return
    if tree.unseen == "error":
        asked = tree.schema.columns[tree.question(node).columns[0]].name
        raise InputError(
            f"Column {shown(asked)} has a level that node {node} never met in training.",
            hint="Grow with unseen='as_missing', or leave such rows out.",
            column=asked,
        )
    heaviest = int(np.argmax(tree.nodes.weight[list(tree.nodes.children(node))]))
    branch[unseen] = {"as_missing": UNKNOWN, "majority": heaviest, "stay": _STOP}[tree.unseen]


def _narrowed(columns: Sequence[Column], asked: tuple[int, ...], rows: Rows) -> list[Column]:
    """The columns, of which those a question looks at are cut down to some rows."""
    narrow = list(columns)
    for position in asked:
        narrow[position] = columns[position].taken(rows)
    return narrow


def _shares(
    tree: Tree, node: int, branch: npt.NDArray[np.int32], parts: Numbers, *, of_rows: bool
) -> npt.NDArray[np.float64]:
    """The share of each branch: of the known rows at hand, or of the training weight."""
    if of_rows:
        known = branch >= 0
        weight = weighed(branch[known], parts[known], int(tree.nodes.n_branches[node]))
        if weight.sum() > 0:
            return np.divide(weight, weight.sum())
    weight = tree.nodes.weight[list(tree.nodes.children(node))]
    total = float(weight.sum())
    return np.divide(weight, total) if total > 0 else np.full(len(weight), 1.0 / len(weight))


def weighed(codes: npt.NDArray[Any], weights: Numbers, n: int) -> Numbers:
    """The sum of weights of each code below n."""
    return np.bincount(codes, weights, minlength=n).astype(np.float64, copy=False)
