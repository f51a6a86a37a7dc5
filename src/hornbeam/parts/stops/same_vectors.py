"""Are all rows of a node alike in every column?  Then no question can part them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stop


@dataclass(frozen=True)
class SameVectors(Stop):
    """All feature vectors are equal, missing values included."""

    name: ClassVar[str] = "same_vectors"
    needs_target: ClassVar[bool] = False
    rank: ClassVar[int] = 1

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'identical rows'."""
        return (
            "identical rows" if all(_is_constant(column.values[node.rows]) for column in node.sample.columns) else None
        )


def _is_constant(values: npt.NDArray[Any]) -> bool:
    same = (values == values[0]) | ((values != values) & (values[0] != values[0]))
    return bool(np.all(same))
