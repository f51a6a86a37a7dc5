"""When do rows left out say stop?  Early stopping: after so many questions in a row that did not help them.

    grow best-first; after each question take the loss on the held-out rows; give up after `patience` questions without
    an improvement above 1e-12; keep the shortest tree of least loss seen so far

The grown tree holds all trees on the way (`growth_order.py`), so they are judged in one pass over the rows, and the
result is the tree that growth would have stopped at.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.prunings.base import Edits, Numbers, Pruning
from hornbeam.parts.prunings.machinery.growth_order import first_questions, losses_by_size
from hornbeam.parts.prunings.machinery.pruning_data import PruningData
from hornbeam.tree.nodes import Tree

_LEAST = 1e-12


@dataclasses.dataclass(frozen=True)
class HeldOut(Pruning):
    """Keep what best-first growth had asked when held-out rows stopped getting better."""

    name: ClassVar[str] = "held_out"
    reason: ClassVar[str] = "validation"
    supports_numbers: ClassVar[bool] = True

    patience: int = option(20, "how many questions without improvement end the growth", at_least=1)

    @property
    def needs(self) -> tuple[str, ...]:
        """Rows that did not grow the tree."""
        return ("pruning_set",)

    def edits(self, tree: Tree, evidence: PruningData) -> Edits:
        """Cut the questions asked after the best moment."""
        rows = evidence.needed("pruning_set", self.name)
        losses = losses_by_size(tree, rows, int((~tree.nodes.is_leaf).sum()), evidence.costs)
        mean = losses.total / (losses.weight or 1.0)
        best = stopping_index(mean, self.patience)
        return first_questions(tree, best, {"held_out_loss": float(mean[best])})


def stopping_index(loss: Numbers, patience: int) -> int:
    """The place of the best loss when growth gives up."""
    best = 0
    for place, each in enumerate(loss.tolist()):
        if each < loss[best] - _LEAST:
            best = place
        elif place - best >= patience:
            break
    return best
