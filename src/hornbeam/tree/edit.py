r"""Edits: each returns a new tree.

    collapse(t, [2])                   graft(t, 2, 4)                    replace_question(t, 2, question)

          0             0                    0             0             node 2 has another question
         / \           / \                  / \           / \
        1   2    ->   1   2                1   2    ->   1   4
           / \                                / \
          3   4                              3   4

An edit needs no data: statistics stay as they were. Nodes are renumbered as nodes.py defines, unused questions are
dropped, depths are updated.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.tree.name_codes import check_name, extend_names
from hornbeam.tree.node_arrays import depths
from hornbeam.tree.nodes import STAY, Nodes, Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.questions import Encoding, Question, QuestionTable
from hornbeam.tree.questions.table import QuestionWriter

# Arrays of which a node has a range, by the array of the starts.
RANGES = {
    "surrogate_start": ("surrogate_question", "surrogate_flipped", "surrogate_agree", "surrogate_adjusted"),
    "competitor_start": ("competitor_question", "competitor_gain", "competitor_score"),
}
_QUESTION_ROWS = ("surrogate_question", "competitor_question")


def collapse(tree: Tree, nodes: Iterable[int], reason: str = "pruned") -> Tree:
    """The tree with some nodes changed to leaves, for a reason of any text; leaves stay leaves."""
    tree = only_tree(tree, "An edit", labels=False)
    check_name(reason)
    ends = np.zeros(len(tree), dtype=np.bool_)
    for node in nodes:
        ends[checked_node(tree, node)] = True
    ends &= ~tree.nodes.is_leaf
    if not ends.any():
        return tree
    is_end = ends.tolist()
    parent = tree.nodes.parent.tolist()
    kept = [True] * len(tree)
    for node in range(1, len(tree)):
        above = parent[node]
        kept[node] = kept[above] and not is_end[above]
    return renumbered(tree, np.flatnonzero(kept), ends, reason)


def graft(tree: Tree, node: int, child: int) -> Tree:
    """The tree with `node` replaced by the subtree of one of its descendants."""
    tree = only_tree(tree, "An edit", labels=False)
    node, child = checked_node(tree, node), checked_node(tree, child)
    above = child
    while above > node:
        above = int(tree.nodes.parent[above])
    if above != node or child == node:
        raise InputError(f"Node {child} is not a descendant of node {node}.", node=node, child=child)
    order = expansion_order(tree.nodes, {node: child})
    return renumbered(tree, order, np.zeros(len(tree), dtype=np.bool_), "", {child: int(tree.nodes.parent[node])})


def reshape(
    tree: Tree, collapse: Iterable[int], grafts: Mapping[int, int], reason: str = "pruned"
) -> tuple[Tree, npt.NDArray[np.int64]]:
    """Many collapses and grafts at once, by the old numbers, and the old number of each node of the new tree.

    A node that a graft replaces is ignored; the one that replaces it may be collapsed.
    """
    ends = np.zeros(len(tree), dtype=np.bool_)
    ends[[checked_node(tree, node) for node in collapse]] = True
    ends &= ~tree.nodes.is_leaf
    order = expansion_order(tree.nodes, dict(grafts), ends)
    above = {child: int(tree.nodes.parent[node]) for node, child in grafts.items()}
    return renumbered(tree, order, ends, reason, above), order


def chosen_nodes(tree: Tree, kept: npt.NDArray[np.int64]) -> Tree:
    """The tree of some of its nodes, ascending; the remaining children of a node must be adjacent."""
    return renumbered(tree, kept, np.zeros(len(tree), dtype=np.bool_), "")


def replace_question(tree: Tree, node: int, question: Question) -> Tree:
    """The tree with another question at an inner node; surrogates and competitors go, gain and score are NaN."""
    node = checked_node(tree, node)
    if tree.nodes.first_child[node] < 0:
        raise InputError(f"Node {node} is a leaf: it has no question to replace.", node=node)
    if question.n_branches != tree.nodes.n_branches[node]:
        raise InputError(
            f"Node {node} has {tree.nodes.n_branches[node]} branches; the question has {question.n_branches}.",
            node=node,
        )
    writer = QuestionWriter()
    new_row = np.array([writer.add(tree.questions[row]) for row in range(len(tree.questions))])
    rows = np.where(tree.nodes.question < 0, -1, new_row[tree.nodes.question])
    rows[node] = writer.add(question)
    arrays: dict[str, Any] = dict(tree.nodes.arrays())
    arrays["question"] = rows
    for name in ("gain", "score"):
        arrays[name] = np.where(np.arange(len(tree)) == node, np.nan, arrays[name])
    others = np.arange(len(tree))
    arrays.update(_taken_ranges(tree.nodes, others, others == node))
    for name in _QUESTION_ROWS:
        arrays[name] = new_row[arrays[name]]
    return _without_unused(dataclasses.replace(tree, nodes=Nodes(**arrays), questions=writer.finished()))


def checked_node(tree: Tree, node: int) -> int:
    """The number of a node; an error unless the tree has it."""
    number = operator.index(node)
    if not 0 <= number < len(tree):
        raise InputError(f"The tree has nodes 0 to {len(tree) - 1}; got {number}.", node=number)
    return number


def expansion_order(
    nodes: Nodes, instead: dict[int, int], ends: npt.NDArray[np.bool_] | None = None
) -> npt.NDArray[np.int64]:
    """The old numbers of the nodes in their new order; `instead` replaces nodes, `ends` become leaves."""
    first, count = nodes.first_child.tolist(), nodes.n_branches.tolist()
    for node in np.flatnonzero(ends).tolist() if ends is not None else []:
        first[node] = -1
    order = [instead.get(0, 0)]
    waiting = [order[0]]
    while waiting:
        node = waiting.pop()
        if first[node] < 0:
            continue
        children = [instead.get(child, child) for child in range(first[node], first[node] + count[node])]
        order += children
        waiting += reversed(children)
    return np.array(order, dtype=np.int64)


def renumbered(
    tree: Tree,
    order: npt.NDArray[np.int64],
    ends: npt.NDArray[np.bool_],
    reason: str,
    new_parent: dict[int, int] | None = None,
) -> Tree:
    """The tree of the old nodes in `order`; those in `ends` become leaves, for this reason."""
    reasons = extend_names(tree.reasons, [reason] if ends.any() else [])
    nodes = tree.nodes
    number = np.full(len(tree) + 1, -1, dtype=np.int64)  # one more: number[-1] is the root's parent
    number[order] = np.arange(len(order))
    owned = {name for start, names in RANGES.items() for name in (start, *names)}
    arrays: dict[str, Any] = {name: array[order] for name, array in nodes.arrays().items() if name not in owned}
    parent = nodes.parent.astype(np.int64)
    for node, above in (new_parent or {}).items():
        parent[node] = above
    arrays["parent"] = number[parent[order]]
    is_leaf = ends[order] | nodes.is_leaf[order]
    # The first child of a node is the first new node that names it as its parent.
    children, first = np.unique(arrays["parent"], return_index=True)
    arrays["first_child"] = np.full(len(order), -1)
    arrays["first_child"][children[children >= 0]] = first[children >= 0]
    for name, blank in (("n_branches", 0), ("question", -1), ("missing_branch", STAY), ("gain", 0.0), ("score", 0.0)):
        arrays[name] = np.where(is_leaf, blank, arrays[name])
    arrays["reason"] = np.where(ends[order], reasons.index(reason) if ends.any() else 0, arrays["reason"])
    arrays["depth"] = depths(arrays["parent"])
    arrays.update(_taken_ranges(nodes, order, is_leaf))
    return _without_unused(dataclasses.replace(tree, nodes=Nodes(**arrays), reasons=reasons))


def _taken_ranges(nodes: Nodes, order: npt.NDArray[np.int64], gone: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Surrogates and competitors of the nodes in `order`, except for those in `gone`."""
    taken: dict[str, Any] = {}
    for name, names in RANGES.items():
        start = getattr(nodes, name)
        counts = np.where(gone, 0, np.diff(start)[order])
        rows = _ranges(start[:-1][order], counts)
        taken |= {each: getattr(nodes, each)[rows] for each in names}
        taken[name] = np.concatenate([[0], np.cumsum(counts)])
    return taken


def _ranges(starts: npt.NDArray[Any], counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The numbers starts[i], ..., starts[i] + counts[i] - 1 for each i."""
    before = np.cumsum(counts) - counts
    out: npt.NDArray[np.int64] = np.repeat(starts - before, counts) + np.arange(int(counts.sum()))
    return out


def _without_unused(tree: Tree) -> Tree:
    """The tree with the questions that a node, surrogate or competitor uses, in their old order."""
    nodes, table = tree.nodes, tree.questions
    is_used = np.zeros(len(table), dtype=np.bool_)
    is_used[nodes.question[nodes.question >= 0]] = True
    for name in _QUESTION_ROWS:
        is_used[getattr(nodes, name)] = True
    for row in np.flatnonzero(table.encoding == Encoding.COMBINED)[::-1].tolist():
        if is_used[row]:
            is_used[table.whole_of(row)[1::2]] = True
    if is_used.all():
        return tree
    number = np.cumsum(is_used) - 1
    rows = np.where(nodes.question < 0, -1, number[nodes.question]) if len(number) else nodes.question
    arrays: dict[str, Any] = {**nodes.arrays(), "question": rows}
    for name in _QUESTION_ROWS:
        arrays[name] = number[getattr(nodes, name)]
    questions = _taken_questions(table, np.flatnonzero(is_used), number)
    return dataclasses.replace(tree, nodes=Nodes(**arrays), questions=questions)


def _taken_questions(table: QuestionTable, rows: npt.NDArray[Any], number: npt.NDArray[Any]) -> QuestionTable:
    whole_counts, reals_counts = np.diff(table.whole_start)[rows], np.diff(table.reals_start)[rows]
    whole_start = np.concatenate([[0], np.cumsum(whole_counts)]).astype(np.int64)
    whole = table.whole[_ranges(table.whole_start[:-1][rows], whole_counts)]
    for place in np.flatnonzero(table.encoding[rows] == Encoding.COMBINED).tolist():
        inside = slice(whole_start[place] + 1, whole_start[place + 1], 2)
        whole[inside] = number[whole[inside]]
    in_use = sorted(set(table.name[rows].tolist()) - {-1})
    renamed = np.full(len(table.names) + 1, -1, dtype=np.int32)  # one more: -1 stays -1
    renamed[in_use] = np.arange(len(in_use))
    return QuestionTable(
        kind=table.kind[rows],
        encoding=table.encoding[rows],
        column=table.column[rows],
        first=table.first[rows],
        missing_answer=table.missing_answer[rows],
        whole_start=whole_start,
        reals_start=np.concatenate([[0], np.cumsum(reals_counts)]).astype(np.int64),
        whole=whole,
        reals=table.reals[_ranges(table.reals_start[:-1][rows], reals_counts)],
        name=renamed[table.name[rows]],
        names=tuple(table.names[i] for i in in_use),
        kinds=table.kinds,
    )


def subtree_nodes(tree: Tree, node: int) -> Sequence[int]:
    """A node and its descendants, ascending."""
    node = checked_node(tree, node)
    first, count = tree.nodes.first_child.tolist(), tree.nodes.n_branches.tolist()
    found, waiting = [node], [node]
    while waiting:
        at = waiting.pop()
        if first[at] >= 0:
            children = range(first[at], first[at] + count[at])
            found += children
            waiting += children
    return sorted(found)
