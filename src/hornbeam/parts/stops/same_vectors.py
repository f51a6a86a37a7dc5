"""A node whose rows are equal in every column is a leaf: no question can separate them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stop


@dataclass(frozen=True)
class SameVectors(Stop):
    """A node whose feature vectors are all equal, including missing values, is a leaf."""

    name: ClassVar[str] = "same_vectors"
    reasons: ClassVar[tuple[str, ...]] = ("identical rows",)
    needs_target: ClassVar[bool] = False
    compares_rows: ClassVar[bool] = True
    rank: ClassVar[int] = 1

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        is_same = all(_is_constant(column.values[node.rows]) for column in node.sample.columns)
        return self.reasons[0] if is_same else None


def _is_constant(values: npt.NDArray[Any]) -> bool:
    same = (values == values[0]) | ((values != values) & (values[0] != values[0]))
    return bool(np.all(same))
