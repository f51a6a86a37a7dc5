"""How does the core grow a tree?  One call with a plan; arrays come back and become a tree.

The core keeps plain class weights; priors multiply them here, and the loss says what every node answers; quantiles of
numbers are found in the core.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.growing.bit_columns import restored, widened
from hornbeam.growing.collapse import collapse
from hornbeam.growing.filled_branches import filled_branches
from hornbeam.growing.plan import EACH_VALUE, Plan, plan_for
from hornbeam.growing.sample import Ready, facts_of
from hornbeam.table.memory import require_memory
from hornbeam.tree.nodes import SHARE, STAY, Tree, nodes_from
from hornbeam.tree.questions import QuestionTable


def prepared(start: Ready, *, threads: int = 0) -> _native.Prepared:
    """The columns made ready for many trees on the same rows, whose weights and targets may differ."""
    return _native.Prepared(plan_for(start, threads))


def grow(start: Ready, *, threads: int = 0, columns: _native.Prepared | None = None) -> Tree:
    """A tree grown by the core; `columns` where they were prepared before."""
    plan = plan_for(start, threads)
    require_memory(_needed(start, plan), "growing this tree")
    return tree_of(start, _native.grow(plan, columns))


def tree_of(start: Ready, grown: dict[str, Any], facts: dict[str, Any] | None = None) -> Tree:
    """A tree from the arrays that the core gives; `facts` where they are not the sample's."""
    nodes: dict[str, npt.NDArray[Any]] = grown["nodes"]
    questions = QuestionTable(**grown["questions"])
    wide = widened(start)
    if wide is not None:
        questions = restored(nodes, questions, wide)
    if start.sample.fills:
        nodes["missing_branch"] = filled_branches(nodes, questions, np.array(start.sample.fills))
    heaviest = nodes.pop("heaviest", None)
    is_plain = (start.factors == 1.0).all()
    if heaviest is not None and start.loss.name == "zero_one" and is_plain:
        nodes["answer"] = heaviest
    elif start.sample.n_classes:
        if not is_plain:
            nodes["stats"] = nodes["stats"] * start.factors
            nodes["weight"] = nodes["stats"].sum(axis=1)
        nodes["answer"] = start.loss.answer(nodes["stats"])
    else:
        nodes["answer"] = nodes["stats"][:, 1] if heaviest is None else heaviest
    _answer_empty(nodes)
    if start.method.missing.name == "fractional":
        nodes["missing_branch"] = np.where(nodes["first_child"] >= 0, SHARE, STAY)
    tree = Tree(
        schema=start.table.schema,
        nodes=nodes_from(nodes),
        questions=questions,
        recipe=start.method.as_table(),
        unseen=start.method.unseen,
        facts=facts_of(start) if facts is None else facts,
    )
    return collapse(tree) if start.method.collapse else tree


def memory_needed(n_rows: int, n_columns: int, *, threads: int = 1, width: int = 2, most_nodes: int = 0) -> int:
    """The bytes that growing needs at its peak beside the table.

    Eight a cell for the sorted lists; a row's target, places and marks; what a thread sorts a column in; and nodes,
    of which there may be two a row.
    """
    lists = n_rows * (8 * n_columns + 64 + 40 * threads)
    nodes = min(2 * n_rows, most_nodes or 2 * n_rows) * (256 + 16 * width)
    return lists + nodes


def _needed(start: Ready, plan: Plan) -> int:
    sample = start.sample
    deepest = plan.get("max_depth", -1)
    in_two = plan["nominal"] != EACH_VALUE and not plan.get("intervals")
    most = 2 ** (deepest + 1) if 0 <= deepest < 40 and in_two else 0
    threads = plan["threads"] or _native.default_threads()
    width = max(3, sample.n_classes)
    return memory_needed(sample.n_rows, len(plan["columns"]), threads=threads, width=width, most_nodes=most)


def _answer_empty(nodes: dict[str, npt.NDArray[Any]]) -> None:
    """A branch that no row takes says what its parent says."""
    if nodes["rows"].all():
        return
    nodes["answer"] = nodes["answer"].copy()
    for node in np.flatnonzero(nodes["rows"] == 0).tolist():
        nodes["answer"][node] = nodes["answer"][nodes["parent"][node]]
