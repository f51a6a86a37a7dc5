"""Is a leaf, or the largest branch in the node's place, no worse by a pessimistic estimate?  (C4.5's pruning)

    U = errors seen + added errors (upper confidence limit, see `added_errors`)
    leaf = U(t)      tree = sum of the children's estimates      branch = the largest child's, with all rows of t
    leaf <= branch + 0.1 and leaf <= tree + 0.1      the node becomes a leaf
    else branch <= tree + 0.1                        the largest child is raised into its place, and estimated anew
    else                                             the node is kept

Children are settled before their parent. Raising sends the rows of the other branches down tests made for other rows,
so the training rows are needed; rows that share go down every branch by the shares of the rows at hand. Without
raising the tree's own counts do. A node's label stays unless another class is strictly more frequent. Counts are
weights. What raising costs is the walk of a node's rows through its largest child, at every node. At last default
branches of grouped levels (`c45_groups`) that no row can take any more are removed.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import option
from hornbeam.parts.prunings.base import Edits, Pruning, cheapest_pruning, format_number, inner_nodes, topmost
from hornbeam.parts.prunings.machinery.added_errors import BOUNDS, added_errors
from hornbeam.parts.prunings.machinery.pruning_data import PruningData, align_columns, target_codes
from hornbeam.parts.prunings.machinery.raising import Raiser
from hornbeam.tree.impossible import without_impossible
from hornbeam.tree.nodes import Tree

SLACK = 0.1


@dataclasses.dataclass(frozen=True)
class ErrorBased(Pruning):
    """Cut or raise where a pessimistic estimate of the errors does not grow (C4.5)."""

    name: ClassVar[str] = "error_based"

    confidence: float = option(0.25, "the confidence CF of the upper limit; smaller prunes more", above=0, at_most=1)
    raising: bool = option(True, "whether the largest branch may take its parent's place")
    bounds: str = option("c45", "how the limit is computed", choices=BOUNDS)

    @property
    def needs(self) -> tuple[str, ...]:
        """The training rows, to raise subtrees."""
        return ("training",) if self.raising else ()

    def edits(self, tree: Tree, evidence: PruningData) -> Edits:
        """Settle every node, children first."""
        self.check_target(tree)
        if not self.raising:
            return self._replacing(tree)
        table = evidence.needed("training", self.name)
        raiser = Raiser(
            tree, align_columns(tree, table), target_codes(tree, table), table.weights, self.estimate, SLACK
        )
        return raiser.edits()

    def finished(self, tree: Tree) -> tuple[Tree, npt.NDArray[np.int64]]:
        """Default branches of grouped levels that no row can take are removed."""
        return without_impossible(tree)

    def estimate(self, rows: float, errors: float) -> float:
        """U: errors seen and added."""
        return errors + added_errors(rows, errors, self.confidence, self.bounds)

    def _replacing(self, tree: Tree) -> Edits:
        """Leaves for subtrees only, by the counts in the tree."""
        leaf = np.array([self.estimate(n, e) for n, e in zip(tree.nodes.weight.tolist(), tree.errors().tolist())])
        outcome = cheapest_pruning(tree.nodes, leaf, slack=SLACK)
        words = {
            node: f"{'cut' if outcome.cut[node] else 'kept'}: estimate {format_number(leaf[node])} errors as a leaf, "
            f"{format_number(outcome.as_subtree[node])} as a subtree"
            for node in inner_nodes(tree.nodes)
        }
        metadata = {"estimate": float(outcome.best[0])}
        return Edits(topmost(tree.nodes, outcome.cut), verdicts=words, metadata=metadata)
