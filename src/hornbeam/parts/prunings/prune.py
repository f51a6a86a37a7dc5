"""Cut a tree back: what does the tree look like once a pruning's edits are made?

    prune(tree, "pessimistic")        prune(tree, ReducedError(), Evidence(pruning_set=rows))

Returns a new tree; of a forest, a new forest, every member cut by itself. `tree.metadata["prunings"]` grows by one entry:
the method and its settings, how many nodes and leaves there were and are, which nodes were cut and raised (by their
old numbers), what the method found (alpha, m, ...), and for each node of the new tree the words that say why it was
cut or kept.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.parts.prunings import prunings
from hornbeam.parts.prunings.base import Edits, Pruning
from hornbeam.parts.prunings.pruning_data import PruningData
from hornbeam.tree.edit import reshape
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.one_tree import check_labels, unwrapped


@overload
def prune(model: Tree, pruning: Pruning | str | Mapping[str, Any], evidence: PruningData | None = None) -> Tree: ...
@overload
def prune(model: Forest, pruning: Pruning | str | Mapping[str, Any], evidence: PruningData | None = None) -> Forest: ...
def prune(
    model: Tree | Forest, pruning: Pruning | str | Mapping[str, Any], evidence: PruningData | None = None
) -> Tree | Forest:
    """The tree after a pruning, given by value, name or table; a forest with every member cut, each by itself."""
    found, part = unwrapped(model, labels=False), prunings.part(pruning)
    given = PruningData() if evidence is None else evidence
    if isinstance(found, Tree):
        if part.name != "manual":
            check_labels(found)
        return _pruned(found, part, given)
    if found.combine == "sum":
        raise InputError(
            "The trees of a boosted model cannot be pruned: each says a part of a sum and keeps no errors of its own.",
            hint="Boost with fewer or smaller trees, or stop early.",
        )
    return dataclasses.replace(found, trees=tuple(_pruned(tree, part, given) for tree in found.trees))


def _pruned(tree: Tree, part: Pruning, evidence: PruningData) -> Tree:
    edits = part.edits(tree, evidence)
    shaped, origin = reshape(tree, edits.collapse, edits.grafts, part.reason)
    restated = dataclasses.replace(shaped, nodes=_restated(shaped.nodes, origin, edits))
    done, kept = part.finished(restated)
    return dataclasses.replace(done, metadata=_with_entry(tree, part, edits, done.nodes, origin[kept]))


def _restated(nodes: Nodes, origin: npt.NDArray[np.int64], edits: Edits) -> Nodes:
    """The nodes with the answers and statistics that the edits change."""
    if not edits.answers and not edits.restated:
        return nodes
    place = {old: new for new, old in enumerate(origin.tolist())}
    changed = {name: getattr(nodes, name).copy() for name in ("answer", "rows", "weight", "stats")}
    for old, answer in edits.answers.items():
        if old in place and nodes.first_child[place[old]] < 0:
            changed["answer"][place[old]] = answer
    for old, fresh in edits.restated.items():
        for name in changed:
            changed[name][place[old]] = getattr(fresh, name)
    return nodes.in_full().replace(**changed)


def _with_entry(tree: Tree, part: Pruning, edits: Edits, nodes: Nodes, origin: npt.NDArray[np.int64]) -> dict[str, Any]:
    """The tree's facts with what was done."""
    entry = {
        "pruning": part.as_table(),
        "nodes": [len(tree), len(nodes)],
        "leaves": [tree.n_leaves, int(nodes.is_leaf.sum())],
        "cut": list(edits.collapse),
        "raised": {str(old): new for old, new in edits.grafts.items()},
        "verdicts": {str(i): edits.verdicts[old] for i, old in enumerate(origin.tolist()) if old in edits.verdicts},
        **edits.metadata,
    }
    return {**tree.metadata, "prunings": [*tree.metadata.get("prunings", ()), entry]}
