"""The curve of pruning: leaves and losses of every tree of the weakest-link sequence.

A node is a leaf of the tree at alpha if it collapses at or below alpha and no node above it does. So it counts in one
interval of the sequence, and all sizes and losses are sums over intervals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.report.text import finite_number, short_number
from hornbeam.parts.prunings.cost_complexity import Sequence
from hornbeam.tree.hiding import hidden_counts
from hornbeam.tree.nodes import Tree

Numbers = npt.NDArray[Any]


def curve_values(tree: Tree, links: Sequence, losses: dict[str, Numbers] | None, min_count: int) -> dict[str, Any]:
    """The alphas from the full tree to the root, with the leaves and the losses on training and test rows."""
    alphas = links.alphas
    if not len(alphas) or alphas[0] != 0:
        alphas = np.concatenate([[0.0], alphas])
    from_step, to_step = _steps(tree, links.collapse, alphas)
    training = _total(_training_losses(tree), from_step, to_step, len(alphas))
    found = {"training": _shown(training, float(tree.nodes.weight[0]), tree.is_class, min_count), "test": None}
    if losses is not None:
        # A row that ends at an inner node counts as long as the node is one.
        start = np.zeros(len(tree), dtype=np.int64)
        ended = _total(losses["ended"] * ~tree.nodes.is_leaf, start, np.minimum(from_step, to_step), len(alphas))
        test = _total(losses["loss"], from_step, to_step, len(alphas)) + ended
        found["test"] = _shown(test, float(losses["rows"][0]), tree.is_class, min_count)
    return {
        "alphas": [short_number(value, 9) for value in alphas.tolist()],
        "leaves": _total(np.ones(len(tree)), from_step, to_step, len(alphas)).astype(int).tolist(),
        **found,
    }


def _steps(tree: Tree, collapse: Numbers, alphas: Numbers) -> tuple[Numbers, Numbers]:
    """Each node is a leaf from its first step up to the step at which a node above it collapses."""
    limits = alphas + 1e-12 + 1e-9 * np.abs(alphas)
    own = np.where(tree.nodes.is_leaf, 0, np.maximum(np.searchsorted(limits, np.nan_to_num(collapse, nan=np.inf)), 1))
    above = [len(alphas)] * len(tree)
    steps, parent = own.tolist(), tree.nodes.parent.tolist()
    for node in range(1, len(tree)):
        above[node] = min(above[parent[node]], steps[parent[node]])
    return own, np.array(above)


def _total(values: Numbers, from_step: Numbers, to_step: Numbers, n: int) -> Numbers:
    """The sum of the values whose interval contains each step."""
    is_used = from_step < to_step
    change = np.bincount(from_step[is_used], values[is_used], n + 1) - np.bincount(
        to_step[is_used], values[is_used], n + 1
    )
    return np.cumsum(change)[:n]


def _training_losses(tree: Tree) -> Numbers:
    stats = tree.nodes.stats
    if not tree.is_class:
        return np.asarray(np.maximum(stats[:, 2], 0.0))
    return np.asarray(stats.sum(axis=1) - stats[np.arange(len(tree)), tree.nodes.answer.astype(np.int64)])


def _shown(losses: Numbers, total: float, is_class: bool, min_count: int) -> list[Any] | None:
    """Losses as fractions or means; hidden counts of misclassified rows are multiples of `min_count`."""
    shown = hidden_counts(losses, min_count) if is_class else losses
    return [finite_number(float(loss) / (total or 1.0)) for loss in shown]
