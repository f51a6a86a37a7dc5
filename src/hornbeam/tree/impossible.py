"""Removes branches that no row can take: groups of levels that a question above about the same column excludes.

C4.5's grouping assigns all levels without rows at a node to a default branch, the last one. If the column was used
above or a subtree was raised, none of these levels may remain; release 8 removes such branches after pruning.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.tree.edit import chosen_nodes
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.questions import Multiway
from hornbeam.tree.questions.table import QuestionWriter

# The levels of a column that can reach a node; columns without an entry have all of theirs.
Possible = dict[int, frozenset[int]]


def without_impossible(tree: Tree) -> tuple[Tree, npt.NDArray[np.int64]]:
    """The tree without default branches of impossible levels, and the old number of every node that is left."""
    changed = _impossible(tree)
    all_nodes = np.arange(len(tree), dtype=np.int64)
    if not changed:
        return tree, all_nodes
    gone = [int(tree.nodes.first_child[node]) + question.n_branches for node, question in changed.items()]
    remaining = np.delete(all_nodes, gone)
    writer = QuestionWriter()
    row_of = np.array([writer.add(tree.questions[row]) for row in range(len(tree.questions))], dtype=np.int64)
    arrays: dict[str, Any] = dict(tree.nodes.arrays())
    arrays["question"] = np.where(tree.nodes.question < 0, -1, row_of[tree.nodes.question])
    arrays["n_branches"] = tree.nodes.n_branches.copy()
    for node, question in changed.items():
        arrays["question"][node] = writer.add(question)
        arrays["n_branches"][node] -= 1
    for name in ("surrogate_question", "competitor_question"):
        arrays[name] = row_of[arrays[name]]
    nodes = Nodes(**arrays)
    return chosen_nodes(dataclasses.replace(tree, nodes=nodes, questions=writer.finished()), remaining), remaining


def _impossible(tree: Tree) -> dict[int, Multiway]:
    """The nodes whose last branch no level can take, with their questions without it."""
    nodes = tree.nodes
    possible: list[Possible] = [{} for _ in range(len(tree))]
    found = {}
    for node in np.flatnonzero(~nodes.is_leaf).tolist():
        question, first = tree.question(node), int(nodes.first_child[node])
        here = possible[node]
        children = range(first, first + int(nodes.n_branches[node]))
        if not isinstance(question, Multiway):
            for child in children:
                possible[child] = here
            continue
        levels = _levels(question, here)
        for child, of_branch in zip(children, levels, strict=False):
            possible[child] = {**here, question.column: of_branch}
        last = question.n_branches - 1
        is_leaf = bool(nodes.is_leaf[first + last]) and nodes.rows[first + last] == 0
        is_default = last >= 2 and len(children) == last + 1 and nodes.missing_branch[node] != last
        if is_leaf and is_default and not levels[last]:
            found[node] = Multiway(question.column, tuple(-1 if b == last else b for b in question.branch_of))
    return found


def _levels(question: Multiway, possible: Possible) -> list[frozenset[int]]:
    """The levels that can take each branch."""
    left = possible.get(question.column, frozenset(range(len(question.branch_of))))
    return [
        frozenset(level for level in left if question.branch_of[level] == branch)
        for branch in range(question.n_branches)
    ]
