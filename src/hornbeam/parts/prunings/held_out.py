"""Early stopping on held-out rows: growth ends after `patience` questions in a row without improvement.

    grow best-first; after each question compute the loss on the held-out rows; stop after `patience` questions without
    an improvement above 1e-12; keep the smallest tree of least loss

The grown tree contains all intermediate trees (`machinery/growth_order.py`), so they are evaluated in one pass over the
rows, and the result is the tree at which growth would have stopped.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.prunings.base import Edits, Numbers, Pruning
from hornbeam.parts.prunings.machinery.growth_order import first_questions, losses_by_size
from hornbeam.parts.prunings.machinery.pruning_data import PruningData
from hornbeam.tree.nodes import Tree

_MIN_IMPROVEMENT = 1e-12


@dataclasses.dataclass(frozen=True)
class HeldOut(Pruning):
    """Keep the questions of best-first growth up to the least loss on held-out rows."""

    name: ClassVar[str] = "held_out"
    reason: ClassVar[str] = "validation"
    supports_numbers: ClassVar[bool] = True

    patience: int = option(20, "number of questions without improvement after which growth ends", at_least=1)

    @property
    def needs(self) -> tuple[str, ...]:
        """Rows that did not grow the tree."""
        return ("pruning_set",)

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """Cut the questions after the best one."""
        rows = data.needed("pruning_set", self.name)
        losses = losses_by_size(tree, rows, int((~tree.nodes.is_leaf).sum()), data.costs)
        mean = losses.total / (losses.weight or 1.0)
        best = stopping_index(mean, self.patience)
        return first_questions(tree, best, {"held_out_loss": float(mean[best])})


def stopping_index(loss: Numbers, patience: int) -> int:
    """The index of the best loss when growth stops."""
    best = 0
    for index, each in enumerate(loss.tolist()):
        if each < loss[best] - _MIN_IMPROVEMENT:
            best = index
        elif index - best >= patience:
            break
    return best
