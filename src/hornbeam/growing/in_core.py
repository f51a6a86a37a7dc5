"""Growth of a tree by the compiled core: one call with a job; the returned arrays become a tree.

The core stores class weights without priors. Priors multiply them here, and the loss gives the prediction of every
node; quantiles of numbers are computed in the core.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.growing.collapse import collapse_equal_errors
from hornbeam.growing.core_job import Job, job_of
from hornbeam.growing.filled_branches import imputed_branches, with_imputed_values
from hornbeam.growing.given_questions import restore_questions
from hornbeam.growing.leaf_predictions import class_answers
from hornbeam.growing.memory import tree_bytes
from hornbeam.growing.sample import PreparedData, tree_metadata
from hornbeam.parts.losses.poisson import Poisson
from hornbeam.table.memory import require_memory
from hornbeam.tree.node_arrays import (
    class_weights,
    majority_branches,
    majority_classes,
    means,
    number_weights,
    questions_in_order,
    variances,
)
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, Nodes, Tree
from hornbeam.tree.packed import lazy_arrays
from hornbeam.tree.questions.table import table_of


def grow(start: PreparedData, *, threads: int = 0) -> Tree:
    """A tree grown by the core."""
    job = job_of(start, threads)
    require_memory(_needed(start, job), "growing this tree")
    return tree_of(start, _native.grow(job))


def tree_of(start: PreparedData, grown: dict[str, Any], metadata: dict[str, Any] | None = None) -> Tree:
    """A tree from the arrays that the core returns; `metadata` replaces that of the sample."""
    nodes, questions = _nodes(start, grown["nodes"]), table_of(grown["questions"])
    fill_values = np.array(start.sample.fill_values)
    if len(fill_values):
        questions = with_imputed_values(questions, fill_values)
    nodes, questions, notes = restore_questions(nodes, questions, start)
    if len(fill_values):
        branch = imputed_branches(nodes, questions, fill_values, start.sample.columns)
        nodes = nodes.replace(missing_branch=branch)
    tree = Tree(
        schema=start.table.schema,
        nodes=nodes,
        questions=questions,
        recipe=start.method.as_table(),
        unseen=start.method.unseen,
        probabilities=start.method.probabilities,
        metadata=tree_metadata(start, notes) if metadata is None else metadata,
    )
    return collapse_equal_errors(tree) if start.method.collapse else tree


def _nodes(start: PreparedData, given: dict[str, npt.NDArray[Any]]) -> Nodes:
    """The nodes with priors and the predictions of the loss; arrays that the core omits are derived from the others."""
    is_class = start.sample.n_classes > 0
    nodes = Nodes(
        **{
            "question": questions_in_order,
            "missing_branch": majority_branches,
            "weight": class_weights if is_class else number_weights,
            "answer": majority_classes if is_class else means,
            "impurity": variances,
            **lazy_arrays(given),
        }
    )
    has_no_priors = (start.factors == 1.0).all()
    if is_class and not has_no_priors:
        # The core weights branches without priors.
        branch, stats = nodes.missing_branch, nodes.stats * start.factors
        nodes = nodes.replace(stats=stats, weight=class_weights, missing_branch=branch)
    if is_class and not (has_no_priors and start.loss.name == "zero_one"):
        nodes = nodes.replace(answer=class_answers(start.loss, nodes.stats))
    if isinstance(start.loss, Poisson) and start.loss.shrink:
        weight, mean = nodes.stats[:, 0], nodes.stats[:, 1]
        nodes = nodes.replace(answer=start.loss.shrunken(mean, weight, float(mean[0])))
    if start.method.missing.name == "fractional":
        nodes = nodes.replace(missing_branch=np.where(nodes.is_leaf, STAY, ALL_BRANCHES))
    return nodes if nodes.stored("rows").all() else _with_empty(nodes, is_class)


def _needed(start: PreparedData, job: Job) -> int:
    """The maximum number of bytes that growth can need."""
    sample = start.sample
    is_binary = not any(search.is_multiway for search in start.method.searches)
    max_nodes = 2 * sample.n_rows
    if sample.max_depth is not None and sample.max_depth < 40 and is_binary:
        max_nodes = min(max_nodes, 2 ** (sample.max_depth + 1))
    threads = job["threads"] or _native.default_threads()
    width = max(3, sample.n_classes)
    return tree_bytes(sample.n_rows, len(job["columns"]), max_nodes, threads=threads, width=width)


def _with_empty(nodes: Nodes, is_class: bool) -> Nodes:
    """The nodes; a branch that no row takes has its parent's prediction and, for numbers, its parent's mean."""
    answer, stats = nodes.answer.copy(), nodes.stats.copy()
    for node in np.flatnonzero(nodes.rows == 0).tolist():
        parent = nodes.parent[node]
        answer[node] = answer[parent]
        if not is_class:
            stats[node, 1] = stats[parent, 1]
    return nodes.replace(answer=answer) if is_class else nodes.replace(answer=answer, stats=stats)
