"""Critical value pruning (Mingers 1987): a node is cut if no split in its subtree reaches a critical value.

    v(t) = the value of the split at t     keep t if v(t) >= critical value, or if some node below t is kept

The value is the gain, the criterion's score, or the significance 1 - p of a chi-square test of branches against
classes. So t is cut exactly if the largest value in its subtree is below the critical value: the prunings are nested.
Without a given critical value, the one of least loss on a pruning set or over folds is used, the smallest tree on ties.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from hornbeam.errors import InputError, OptionError, Set
from hornbeam.number_text import number_text
from hornbeam.options import option
from hornbeam.parts.prunings.base import Edits, Numbers, Pruning, inner_nodes, topmost
from hornbeam.parts.prunings.machinery.nested_prunings import Losses, choose_member, losses_along
from hornbeam.parts.prunings.machinery.pruning_data import PruningData, class_factors
from hornbeam.table.target_kind import other_kind
from hornbeam.tree.nodes import Nodes, Tree


@dataclasses.dataclass(frozen=True)
class CriticalValue(Pruning):
    """Cut a node if no split in its subtree reaches a critical value."""

    name: ClassVar[str] = "critical_value"
    supports_numbers: ClassVar[bool] = True

    threshold: float | None = option(None, "critical value; if None, the one of least loss on held-out rows")
    value: str = option("gain", "value of a split that is compared", choices=("gain", "score", "significance"))

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """Cut the nodes whose largest value in the subtree is too small."""
        level = strongest(tree.nodes, self.values(tree))
        critical = self.threshold if self.threshold is not None else self._best(tree, level, data)
        cut = ~tree.nodes.is_leaf & (level < critical)
        verdicts = {
            node: f"{'cut' if cut[node] else 'kept'}: the largest {self.value} in the subtree is "
            f"{number_text(level[node])}, "
            f"{'below' if cut[node] else 'at least'} {number_text(critical)}"
            for node in inner_nodes(tree.nodes)
        }
        return Edits(topmost(tree.nodes, cut), verdicts=verdicts, metadata={"critical_value": critical})

    def values(self, tree: Tree) -> Numbers:
        """The value of every inner node's split."""
        if self.value == "significance":
            return significance(tree)
        return tree.nodes.gain if self.value == "gain" else tree.nodes.score

    def _best(self, tree: Tree, level: Numbers, data: PruningData) -> float:
        """The critical value of least loss among those that give different trees."""
        critical = np.append(np.unique(level[~tree.nodes.is_leaf])[::-1], -np.inf)
        critical = np.append(np.inf, critical[:-1])
        betas = np.nextafter(critical, -np.inf)
        losses: Losses | None = None
        if data.pruning_set is not None:
            losses = losses_along(tree, level, betas, data.pruning_set, data.costs)
        elif data.folds is not None:
            for grown, held_out in data.folds.trees:
                below = strongest(grown.nodes, self.values(grown))
                part = losses_along(grown, below, betas, held_out, data.costs, class_factors(tree))
                losses = part if losses is None else losses + part
        if losses is None:
            raise InputError(
                "Pruning 'critical_value' requires held-out rows or a threshold, and neither was given.",
                fix=(
                    Set("pruning_set", inside="PruningData"),
                    Set("folds", inside="PruningData"),
                    Set("critical_value.threshold"),
                ),
            )
        return float(critical[choose_member(losses.total, losses.spread, "minimum")])


def strongest(nodes: Nodes, values: Numbers) -> Numbers:
    """The largest value in each node's subtree; -inf at leaves."""
    level: list[float] = np.where(nodes.is_leaf, -np.inf, values).tolist()
    above = nodes.parent.tolist()
    for node in range(len(level) - 1, 0, -1):
        level[above[node]] = max(level[above[node]], level[node])
    return np.array(level)


def significance(tree: Tree) -> Numbers:
    """1 - p of the chi-square test of each split's branches against the classes; 0 if there is nothing to test."""
    if not tree.is_class:
        raise OptionError(
            "Value 'significance' requires a classification tree, but this tree predicts numbers.",
            fix=(Set("critical_value.value", "gain"), *other_kind(tree.schema.target)),
            option="value",
        )
    from scipy.special import chdtrc

    result = np.zeros(len(tree))
    for node in inner_nodes(tree.nodes):
        table = tree.nodes.stats[list(tree.nodes.children(node))]
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
        if freedom > 0:
            expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
            result[node] = 1.0 - float(chdtrc(freedom, ((table - expected) ** 2 / expected).sum()))
    return result
