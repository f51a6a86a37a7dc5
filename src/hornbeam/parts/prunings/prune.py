"""Cut a tree back: what does the tree look like once a pruning's edits are made?

    prune(tree, "pessimistic")        prune(tree, ReducedError(), Evidence(pruning_set=rows))

Returns a new tree. `tree.facts["prunings"]` grows by one entry: the method and its settings, how many nodes and
leaves there were and are, which nodes were cut and raised (by their old numbers), what the method found (alpha, m,
...), and for each node of the new tree the words that say why it was cut or kept.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.parts.prunings import prunings
from hornbeam.parts.prunings.base import Edits, Pruning
from hornbeam.parts.prunings.evidence import Evidence
from hornbeam.tree.nodes import REASONS, STAY, Nodes, Tree, nodes_from


def prune(tree: Tree, pruning: Pruning | str | Mapping[str, Any], evidence: Evidence | None = None) -> Tree:
    """The tree after a pruning, given by value, name or table."""
    part = prunings.part(pruning)
    edits = part.edits(tree, evidence if evidence is not None else Evidence())
    nodes, origin = edited(tree.nodes, edits, part.reason)
    return dataclasses.replace(tree, nodes=nodes, facts=_with_entry(tree, part, edits, nodes, origin))


def edited(nodes: Nodes, edits: Edits, reason: str) -> tuple[Nodes, npt.NDArray[np.int64]]:
    """The nodes after edits, and the old number of each: parents first, children side by side, as ever."""
    cut = set(edits.collapse)
    origin, parent, first_child = [edits.grafts.get(0, 0)], [-1], [-1]
    stack = [0]
    while stack:
        new = stack.pop()
        old = origin[new]
        if old in cut or nodes.first_child[old] < 0:
            continue
        first_child[new] = len(origin)
        for child in nodes.children(old):
            origin.append(edits.grafts.get(child, child))
            parent.append(new)
            first_child.append(-1)
        stack.extend(range(len(origin) - 1, first_child[new] - 1, -1))
    places = np.array(origin)
    arrays: dict[str, Any] = {
        name: values[places].copy() for name, values in nodes.arrays().items() if len(values) == len(nodes)
    }
    return nodes_from(_restated(arrays, nodes, places, parent, first_child, edits, reason)), places


def _restated(
    arrays: dict[str, Any],
    nodes: Nodes,
    origin: npt.NDArray[np.int64],
    parent: list[int],
    first_child: list[int],
    edits: Edits,
    reason: str,
) -> dict[str, Any]:
    """The arrays of the kept nodes with new links, leaves, statistics and surrogates."""
    for name in [name for name in arrays if name.startswith("surrogate") or name == "depth"]:
        del arrays[name]
    arrays["parent"], arrays["first_child"] = np.array(parent), np.array(first_child)
    is_new_leaf = (arrays["first_child"] < 0) & ~nodes.is_leaf[origin]
    blanks = {"n_branches": 0, "question": -1, "missing_branch": STAY, "gain": 0.0, "score": 0.0}
    for name, blank in {**blanks, "reason": REASONS.index(reason)}.items():
        arrays[name][is_new_leaf] = blank
    place = {old: new for new, old in enumerate(origin.tolist())}
    for old, answer in edits.answers.items():
        if old in place and arrays["first_child"][place[old]] < 0:
            arrays["answer"][place[old]] = answer
    for old, fresh in edits.restated.items():
        new = place[old]
        arrays["rows"][new], arrays["weight"][new] = fresh.rows, fresh.weight
        arrays["stats"][new], arrays["answer"][new] = fresh.stats, fresh.answer
    return {**arrays, **_surrogates(nodes, origin, is_new_leaf)}


def _surrogates(nodes: Nodes, origin: npt.NDArray[np.int64], dropped: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """The surrogates of the nodes kept."""
    start = nodes.surrogate_start
    counts = np.where(dropped, 0, start[origin + 1] - start[origin])
    spans = [
        np.arange(start[old], start[old] + n) for old, n in zip(origin.tolist(), counts.tolist(), strict=True) if n
    ]
    taken = np.concatenate(spans) if spans else np.zeros(0, dtype=np.int64)
    names = ("surrogate_question", "surrogate_flipped", "surrogate_agree", "surrogate_adjusted")
    pools = {name: getattr(nodes, name)[taken] for name in names}
    return {"surrogate_start": np.append(0, np.cumsum(counts)), **pools}


def _with_entry(tree: Tree, part: Pruning, edits: Edits, nodes: Nodes, origin: npt.NDArray[np.int64]) -> dict[str, Any]:
    """The tree's facts with what was done."""
    entry = {
        "pruning": part.as_table(),
        "nodes": [len(tree), len(nodes)],
        "leaves": [tree.n_leaves, int(nodes.is_leaf.sum())],
        "cut": list(edits.collapse),
        "raised": {str(old): new for old, new in edits.grafts.items()},
        "verdicts": {str(i): edits.verdicts[old] for i, old in enumerate(origin.tolist()) if old in edits.verdicts},
        **edits.facts,
    }
    return {**tree.facts, "prunings": [*tree.facts.get("prunings", ()), entry]}
