"""Number of questions of best-first growth with the least loss on held-out rows.

For each fold, a tree is grown without it and evaluated on it after 0, 1, 2, ... questions; the losses are summed, and
the whole tree keeps the best number of questions (the fewest on ties), or the fewest within one standard error.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.prunings.base import Edits, Pruning
from hornbeam.parts.prunings.machinery.growth_order import first_questions, losses_of_sizes
from hornbeam.parts.prunings.machinery.nested_prunings import choose_member
from hornbeam.parts.prunings.machinery.pruning_data import PruningData
from hornbeam.tree.nodes import Tree


@dataclasses.dataclass(frozen=True)
class BestSize(Pruning):
    """Keep the number of questions of best-first growth with the least loss on held-out rows."""

    name: ClassVar[str] = "best_size"
    reason: ClassVar[str] = "validation"
    supports_numbers: ClassVar[bool] = True

    rule: str = option(
        "minimum",
        "selection: the least loss, or the fewest questions within one standard error of it",
        choices=("minimum", "one_se"),
    )

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """Cut the questions beyond the best number."""
        losses = losses_of_sizes(tree, data, self.name)
        best = choose_member(losses.total, losses.spread, self.rule)
        return first_questions(tree, best, {"held_out_loss": float(losses.total[best] / (losses.weight or 1.0))})
