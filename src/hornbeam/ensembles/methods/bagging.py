"""The recipe, pruning and all, on rows drawn for every tree; the answers are averaged, or voted on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.ensembles.methods.base import EnsembleMethod
from hornbeam.ensembles.row_sampling import BY, RowSampling
from hornbeam.options import option


@dataclass(frozen=True)
class Bagging(EnsembleMethod):
    """Trees on rows drawn anew."""

    name: ClassVar[str] = "bagging"
    trees: int = option(100, "how many trees are grown", at_least=1)
    by: str = option("rows", "from what the rows of a tree are drawn", choices=BY)
    with_replacement: bool = option(True, "whether a row may be drawn again")
    share: float = option(1.0, "how many rows are drawn, as a share of those there are", above=0.0, at_most=1.0)
    combine: str = option("mean", "how the trees answer together", choices=("mean", "vote"))

    @property
    def draw(self) -> RowSampling:
        """Which rows a tree sees."""
        return RowSampling(by=self.by, with_replacement=self.with_replacement, share=self.share)
