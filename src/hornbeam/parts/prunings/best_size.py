"""How many questions are best?  The size of best-first growth with least error on rows left out.

Over folds each fold's tree is grown without it and judged after 0, 1, 2, ... questions; the losses are added up, and
the whole tree keeps as many questions as were best (the fewest on ties), or the fewest within one standard error.
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
    """Keep as many questions of best-first growth as do best on rows left out."""

    name: ClassVar[str] = "best_size"
    reason: ClassVar[str] = "validation"
    supports_numbers: ClassVar[bool] = True

    rule: str = option("minimum", "least error, or fewest within one standard error", choices=("minimum", "one_se"))

    def edits(self, tree: Tree, evidence: PruningData) -> Edits:
        """Cut the questions beyond the best size."""
        losses = losses_of_sizes(tree, evidence, self.name)
        best = choose_member(losses.total, losses.spread, self.rule)
        return first_questions(tree, best, {"left_out_loss": float(losses.total[best] / (losses.weight or 1.0))})
