"""The order in which best-first growth uses the questions of a tree; the intermediate trees are a nested family.

    step 0 is the root; then always the open node of largest P(t) gain, ties to the one created first

Growing best-first with a limit of k questions gives the first k of these steps, so a limit can be chosen after growth:
level(t) = number of questions - step(t) decreases from parent to child, and the member beta = questions - k keeps k.
"""

from __future__ import annotations

import heapq

import numpy as np
import numpy.typing as npt

from hornbeam.parts.prunings.base import Edits, Numbers, inner_nodes, topmost
from hornbeam.parts.prunings.machinery.nested_prunings import Losses, losses_along
from hornbeam.parts.prunings.machinery.node_sums import NodeSums
from hornbeam.parts.prunings.machinery.pruning_data import PruningData, class_factors
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Nodes, Tree


def steps_of(nodes: Nodes) -> npt.NDArray[np.int64]:
    """The step at which best-first growth splits each inner node; -1 at leaves."""
    first, branches = nodes.first_child.tolist(), nodes.n_branches.tolist()
    decrease = (nodes.weight / (float(nodes.weight[0]) or 1.0) * nodes.gain).tolist()
    step = np.full(len(nodes), -1, dtype=np.int64)
    queue = [(-decrease[0], 0, 0)] if first[0] >= 0 else []
    created, next_step = 1, 0
    while queue:
        _, _, node = heapq.heappop(queue)
        step[node] = next_step
        next_step += 1
        for child in range(first[node], first[node] + branches[node]):
            if first[child] >= 0:
                heapq.heappush(queue, (-decrease[child], created, child))
            created += 1
    return step


def losses_by_size(
    tree: Tree, rows: Table | NodeSums, max_questions: int, costs: Numbers | None = None, factors: Numbers | None = None
) -> Losses:
    """The loss of the tree with its first 0, 1, ... `max_questions` questions on held-out rows."""
    step = steps_of(tree.nodes)
    n_questions = int(step.max()) + 1
    level = np.where(step < 0, np.nan, n_questions - step)
    betas = n_questions - np.minimum(np.arange(max_questions + 1), n_questions)
    return losses_along(tree, level, betas.astype(np.float64), rows, costs, factors)


def losses_of_sizes(tree: Tree, data: PruningData, pruning: str) -> Losses:
    """The loss of every number of questions on the pruning set, or summed over the fold trees."""
    max_questions = int((~tree.nodes.is_leaf).sum())
    if data.pruning_set is not None:
        return losses_by_size(tree, data.pruning_set, max_questions, data.costs)
    folds = data.needed("folds", pruning)
    factors = class_factors(tree)
    losses = [losses_by_size(grown, held_out, max_questions, data.costs, factors) for grown, held_out in folds.trees]
    total: Losses = losses[0]
    for each in losses[1:]:
        total += each
    return total


def first_questions(tree: Tree, n_questions: int, metadata: dict[str, float]) -> Edits:
    """Keep the first questions of best-first growth."""
    step = steps_of(tree.nodes)
    cut = step >= n_questions
    verdicts = {
        node: f"{'cut' if cut[node] else 'kept'}: question {step[node] + 1} of best-first growth, "
        f"{'after' if cut[node] else 'among'} the first {n_questions}"
        for node in inner_nodes(tree.nodes)
    }
    return Edits(topmost(tree.nodes, cut), verdicts=verdicts, metadata={"questions": n_questions, **metadata})
