"""Which questions does best-first growth ask first?  The trees on the way are a nested family, read off the grown tree.

    step 0 is the root; then always the open node of largest P(t) gain, ties to the one made first

Growing best-first with a limit of k questions gives the first k of these steps, so a limit can be chosen after growth:
level(t) = number of questions - step(t) falls from parent to child, and the member beta = questions - k keeps k.
"""

from __future__ import annotations

import heapq

import numpy as np
import numpy.typing as npt

from hornbeam.parts.prunings.base import Edits, Numbers, inner_nodes, topmost
from hornbeam.parts.prunings.machinery.nested_prunings import Losses, losses_along
from hornbeam.parts.prunings.machinery.pruning_data import PruningData, class_factors
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Nodes, Tree


def steps_of(nodes: Nodes) -> npt.NDArray[np.int64]:
    """The step at which best-first growth asks each inner node; -1 at leaves."""
    first, branches = nodes.first_child.tolist(), nodes.n_branches.tolist()
    decrease = (nodes.weight / (float(nodes.weight[0]) or 1.0) * nodes.gain).tolist()
    step = np.full(len(nodes), -1, dtype=np.int64)
    waiting = [(-decrease[0], 0, 0)] if first[0] >= 0 else []
    made, asked = 1, 0
    while waiting:
        _, _, node = heapq.heappop(waiting)
        step[node] = asked
        asked += 1
        for child in range(first[node], first[node] + branches[node]):
            if first[child] >= 0:
                heapq.heappush(waiting, (-decrease[child], made, child))
            made += 1
    return step


def losses_by_size(
    tree: Tree, rows: Table, most: int, costs: Numbers | None = None, factors: Numbers | None = None
) -> Losses:
    """The loss on rows left out of the tree with its first 0, 1, ... `most` questions; a smaller tree stays whole."""
    step = steps_of(tree.nodes)
    asked = int(step.max()) + 1
    level = np.where(step < 0, np.nan, asked - step)
    betas = asked - np.minimum(np.arange(most + 1), asked)
    return losses_along(tree, level, betas.astype(np.float64), rows, costs, factors)


def losses_of_sizes(tree: Tree, evidence: PruningData, pruning: str) -> Losses:
    """The loss of every size on the pruning set, or summed over the folds' trees."""
    most = int((~tree.nodes.is_leaf).sum())
    if evidence.pruning_set is not None:
        return losses_by_size(tree, evidence.pruning_set, most, evidence.costs)
    folds = evidence.needed("folds", pruning)
    factors = class_factors(tree)
    parts = [losses_by_size(grown, left_out, most, evidence.costs, factors) for grown, left_out in folds.trees]
    total: Losses = parts[0]
    for part in parts[1:]:
        total += part
    return total


def first_questions(tree: Tree, n_questions: int, metadata: dict[str, float]) -> Edits:
    """Keep the first questions of best-first growth."""
    step = steps_of(tree.nodes)
    cut = step >= n_questions
    words = {
        node: f"{'cut' if cut[node] else 'kept'}: question {step[node] + 1} of best-first growth, "
        f"{'after' if cut[node] else 'among'} the first {n_questions}"
        for node in inner_nodes(tree.nodes)
    }
    return Edits(topmost(tree.nodes, cut), verdicts=words, metadata={"questions": n_questions, **metadata})
