"""Pruning of a model: the tree after the edits of a pruning.

    prune(tree, "pessimistic")        prune(tree, ReducedError(), PruningData(pruning_set=rows))

Returns a new tree; for a forest, a new forest with every tree pruned separately. `tree.metadata["prunings"]` gets one
more entry: the method and its settings, the numbers of nodes and leaves before and after, the nodes that became leaves
(`cut`) or took the place of a node above them (`raised`), what the method computed (alpha, m, ...), and for each node
why it was cut or kept. Nodes have the numbers of the tree after this pruning.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamWarning, InputError
from hornbeam.parts.prunings import prunings
from hornbeam.parts.prunings.base import Edits, Pruning
from hornbeam.parts.prunings.cost_complexity import CostComplexity
from hornbeam.parts.prunings.machinery.pruning_data import PruningData
from hornbeam.table.table import Table
from hornbeam.tree.edit import reshape
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.one_tree import check_labels, unwrapped
from hornbeam.tree.training_rows import are_training_rows

# Rules that choose the alpha of cost complexity; their names are accepted where a pruning is named.
RULES = {rule: CostComplexity(rule=rule) for rule in ("minimum", "one_se")}


def named_pruning(given: Pruning | str | Mapping[str, Any]) -> Pruning:
    """A pruning by value, name or table of settings, or by the name of a rule of cost complexity."""
    if isinstance(given, str) and given in RULES:
        return RULES[given]
    return prunings.part(given)


@overload
def prune(model: Tree, pruning: Pruning | str | Mapping[str, Any], data: PruningData | None = None) -> Tree: ...
@overload
def prune(model: Forest, pruning: Pruning | str | Mapping[str, Any], data: PruningData | None = None) -> Forest: ...
def prune(
    model: Tree | Forest, pruning: Pruning | str | Mapping[str, Any], data: PruningData | None = None
) -> Tree | Forest:
    """The tree after a pruning, given by value, name or table; a forest with every tree pruned separately."""
    found, part = unwrapped(model, labels=False), named_pruning(pruning)
    given = PruningData() if data is None else data
    if isinstance(found, Tree):
        if part.name != "manual":
            check_labels(found)
        if isinstance(given.pruning_set, Table) and are_training_rows(found, given.pruning_set):
            warnings.warn(
                "The pruning set has the rows that the tree was grown from: their errors are optimistic, and hardly "
                "anything is pruned. Hold out rows that do not grow the tree.",
                HornbeamWarning,
                stacklevel=2,
            )
        return _pruned(found, part, given)
    if found.combine == "sum":
        raise InputError(
            "A boosted model cannot be pruned: each tree predicts a term of a sum and has no errors of its own.",
            hint="Boost with fewer or smaller trees, or stop early.",
        )
    return dataclasses.replace(found, trees=tuple(_pruned(tree, part, given) for tree in found.trees))


def _pruned(tree: Tree, part: Pruning, data: PruningData) -> Tree:
    edits = part.edits(tree, data)
    shaped, origin = reshape(tree, edits.collapse, edits.grafts, part.reason)
    updated = dataclasses.replace(shaped, nodes=_with_updates(shaped.nodes, origin, edits))
    done, kept = part.finished(updated)
    return dataclasses.replace(done, metadata=_with_entry(tree, part, edits, done.nodes, origin[kept]))


def _with_updates(nodes: Nodes, origin: npt.NDArray[np.int64], edits: Edits) -> Nodes:
    """The nodes with the predictions and statistics that the edits change."""
    if not edits.answers and not edits.updated_stats:
        return nodes
    position = {old: new for new, old in enumerate(origin.tolist())}
    changed = {name: getattr(nodes, name).copy() for name in ("answer", "rows", "weight", "stats")}
    for old, answer in edits.answers.items():
        if old in position and nodes.first_child[position[old]] < 0:
            changed["answer"][position[old]] = answer
    for old, updated in edits.updated_stats.items():
        for name in changed:
            changed[name][position[old]] = getattr(updated, name)
    return nodes.in_full().replace(**changed)


def _with_entry(tree: Tree, part: Pruning, edits: Edits, nodes: Nodes, origin: npt.NDArray[np.int64]) -> dict[str, Any]:
    """The metadata of the tree with an entry for this pruning."""
    ends = {old for old in edits.collapse if tree.nodes.first_child[old] >= 0}
    risen = set(edits.grafts.values())
    entry = {
        "pruning": part.as_table(),
        "nodes": [len(tree), len(nodes)],
        "leaves": [tree.n_leaves, int(nodes.is_leaf.sum())],
        "cut": [new for new, old in enumerate(origin.tolist()) if old in ends],
        "raised": [new for new, old in enumerate(origin.tolist()) if old in risen],
        "verdicts": {str(i): edits.verdicts[old] for i, old in enumerate(origin.tolist()) if old in edits.verdicts},
        **edits.metadata,
    }
    return {**tree.metadata, "prunings": [*tree.metadata.get("prunings", ()), entry]}
