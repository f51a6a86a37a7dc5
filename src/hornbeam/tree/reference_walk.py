"""The walk in Python: all rows of a node at once, parents before children, without recursion.

This is the reference implementation; `native/walking` gives the same nodes and bit for bit the same mixtures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ordered_sum import ordered_sum
from hornbeam.table.column import Column
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, Tree
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL, Question

MIN_FRACTION = 1e-6  # smaller fractions of a row are dropped and the rest is scaled up


def row_ends(
    tree: Tree, columns: Sequence[Column], n_rows: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_], int]:
    """The end of each row (~node for a fractional row), whether it has an unseen level, and a rejected row or -1."""
    ends = np.zeros(n_rows, dtype=np.int32)
    has_unseen = np.zeros(n_rows, dtype=np.bool_)
    rejected: list[int] = []
    waiting = {0: np.arange(n_rows)}
    for node in range(len(tree)):
        rows = waiting.pop(node, None)
        if rows is None or len(rows) == 0:
            continue
        ends[rows] = node
        if tree.nodes.first_child[node] < 0:
            continue
        branch, unseen = step(tree, node, columns, rows)
        has_unseen[rows] |= unseen
        if tree.unseen == "error":
            rejected += rows[unseen].tolist()
        ends[rows[branch == ALL_BRANCHES]] = ~node
        for position, child in enumerate(tree.nodes.children(node)):
            waiting[child] = rows[branch == position]
    return ends, has_unseen, min(rejected, default=-1)


def unseen_levels(tree: Tree, columns: Sequence[Column]) -> dict[int, int]:
    """Per node that some row reaches with a level without a branch: the number of these rows."""
    found: dict[int, int] = {}
    waiting = {0: np.arange(len(columns[0]) if columns else 0)}
    for node in range(len(tree)):
        rows = waiting.pop(node, np.arange(0))
        if not len(rows) or tree.nodes.first_child[node] < 0:
            continue
        branch, unseen = step(tree, node, columns, rows)
        if unseen.any():
            found[node] = int(unseen.sum())
        for position, child in enumerate(tree.nodes.children(node)):
            waiting[child] = rows[(branch == position) | (branch == ALL_BRANCHES)]
    return found


def step(
    tree: Tree, node: int, columns: Sequence[Column], rows: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """The branch of rows at an inner node (or STAY, ALL_BRANCHES), and which of them have an unseen level."""
    branch = _outcomes(tree.question(node), columns, rows)
    unseen = branch == UNSEEN_LEVEL
    if tree.unseen == "as_missing":
        branch[unseen] = UNKNOWN
    unknown = branch == UNKNOWN
    for question, is_flipped, _, _ in tree.surrogates(node):
        if not unknown.any():
            break
        outcome = _outcomes(question, columns, rows)
        usable = unknown & (outcome >= 0)
        branch[usable] = 1 - outcome[usable] if is_flipped else outcome[usable]
        unknown &= ~usable
    branch[unknown] = tree.nodes.missing_branch[node]
    if tree.unseen != "as_missing":
        branch[unseen] = majority_branch(tree, node) if tree.unseen == "majority" else STAY
    return branch, unseen


def majority_branch(tree: Tree, node: int) -> int:
    """The branch with the largest training weight; the lowest one on ties."""
    children = tree.nodes.children(node)
    return int(np.argmax(tree.nodes.weight[children.start : children.stop]))


def _outcomes(question: Question, columns: Sequence[Column], rows: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    taken: list[Any] = [None] * len(columns)
    for position in question.columns:
        taken[position] = columns[position].take(rows)
    return np.array(question.branch(taken), dtype=np.int32)


def end_of_row(tree: Tree, columns: Sequence[Column], row: int) -> int:
    """The node where one row ends, also if the policy for unseen levels rejects it."""
    rows = np.array([row])
    node = 0
    while tree.nodes.first_child[node] >= 0:
        branch = int(step(tree, node, columns, rows)[0][0])
        if branch < 0:
            break
        node = int(tree.nodes.first_child[node]) + branch
    return node


def mix_fractional(
    tree: Tree,
    columns: Sequence[Column],
    rows: npt.NDArray[Any],
    starts: npt.NDArray[Any],
    table: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """For rows that are fractional from `starts` on: the mixture of the predictions where their fractions end."""
    out = np.empty((len(rows), table.shape[1]))
    for index, (row, start) in enumerate(zip(rows.tolist(), starts.tolist(), strict=True)):
        mixture = np.zeros(table.shape[1])
        total = 0.0
        for node, fraction in sorted(parts_of_row(tree, columns, row, start)):
            mixture += fraction * table[node]
            total += fraction
        out[index] = mixture / total
    return out


def parts_of_row(tree: Tree, columns: Sequence[Column], row: int, start: int = 0) -> list[tuple[int, float]]:
    """The nodes where the fractions of one row end, with the fractions."""
    ended: list[tuple[int, float]] = []
    waiting = [(start, 1.0)]
    while waiting:
        node, fraction = waiting.pop()
        if tree.nodes.first_child[node] < 0:
            ended.append((node, fraction))
            continue
        branch = int(step(tree, node, columns, np.array([row]))[0][0])
        if branch >= 0:
            waiting.append((int(tree.nodes.first_child[node]) + branch, fraction))
            continue
        parts = _fractions(tree, node, fraction) if branch == ALL_BRANCHES else []
        waiting += parts
        if not parts:
            ended.append((node, fraction))
    return ended


def _fractions(tree: Tree, node: int, fraction: float) -> list[tuple[int, float]]:
    children = tree.nodes.children(node)
    weights = [float(tree.nodes.weight[child]) for child in children]
    total = ordered_sum(weights)
    if not total > 0.0:
        return []
    parts = [(child, fraction * (weight / total)) for child, weight in zip(children, weights, strict=True)]
    return [part for part in parts if part[1] >= MIN_FRACTION]
