"""Error-based pruning of C4.5: a leaf, or the largest branch, replaces a node if a pessimistic estimate does not grow.

    U = errors seen + added errors (upper confidence limit, see `machinery/added_errors.py`)
    leaf = U(t)      tree = sum of the children's estimates      branch = the largest child's, with all rows of t
    leaf <= branch + 0.1 and leaf <= tree + 0.1      the node becomes a leaf
    else branch <= tree + 0.1                        the largest child replaces the node, and is estimated again
    else                                             the node is kept

Children are decided before their parent. Raising sends the rows of the other branches down tests made for other rows,
so the training rows are required; fractional rows go down every branch by the fractions of the rows at hand. Without
raising the counts of the tree suffice. The label of a node stays unless another class is strictly more frequent. Counts
are weights. The cost of raising is one walk of a node's rows through its largest child, per node. Finally, default
branches of grouped levels (`c45_groups`) that no row can reach are removed.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.number_text import number_text
from hornbeam.options import option
from hornbeam.parts.prunings.base import Edits, Pruning, cheapest_pruning, inner_nodes, topmost
from hornbeam.parts.prunings.machinery.added_errors import BOUNDS, added_errors
from hornbeam.parts.prunings.machinery.pruning_data import PruningData
from hornbeam.parts.prunings.machinery.raising import Raiser
from hornbeam.parts.prunings.machinery.routed_rows import align_columns, target_codes
from hornbeam.tree.impossible import without_impossible
from hornbeam.tree.nodes import Tree

SLACK = 0.1


@dataclasses.dataclass(frozen=True)
class ErrorBased(Pruning):
    """Cut or raise nodes if a pessimistic estimate of the errors does not grow (C4.5)."""

    name: ClassVar[str] = "error_based"

    confidence: float = option(0.25, "confidence CF of the upper limit; smaller values prune more", above=0, at_most=1)
    raising: bool = option(True, "whether the largest branch may replace its parent")
    bounds: str = option("c45", "formula of the upper limit", choices=BOUNDS)

    @property
    def needs(self) -> tuple[str, ...]:
        """The training rows, to raise subtrees."""
        return ("training",) if self.raising else ()

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """Decide every node, children first."""
        self.check_target(tree)
        if not self.raising:
            return self._replacing(tree)
        table = data.needed("training", self.name)
        raiser = Raiser(
            tree, align_columns(tree, table), target_codes(tree, table), table.weights, self.estimate, SLACK
        )
        return raiser.edits()

    def finished(self, tree: Tree) -> tuple[Tree, npt.NDArray[np.int64]]:
        """Remove default branches of grouped levels that no row can reach."""
        return without_impossible(tree)

    def estimate(self, rows: float, errors: float) -> float:
        """U: the errors seen plus the added errors."""
        return errors + added_errors(rows, errors, self.confidence, self.bounds)

    def _replacing(self, tree: Tree) -> Edits:
        """Replace subtrees by leaves only, with the counts of the tree."""
        leaf = np.array([self.estimate(n, e) for n, e in zip(tree.nodes.weight.tolist(), tree.errors().tolist())])
        outcome = cheapest_pruning(tree.nodes, leaf, slack=SLACK)
        verdicts = {
            node: f"{'cut' if outcome.cut[node] else 'kept'}: estimate {number_text(leaf[node])} errors as a leaf, "
            f"{number_text(outcome.as_subtree[node])} as a subtree"
            for node in inner_nodes(tree.nodes)
        }
        metadata = {"estimate": float(outcome.best[0])}
        return Edits(topmost(tree.nodes, outcome.cut), verdicts=verdicts, metadata=metadata)
