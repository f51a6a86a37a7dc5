"""Which conditions of a rule can go?  Count, for every condition at once, the rows that fail it alone.

    N, E      rows that satisfy all conditions, and those of them that are wrong
    N_d, E_d  rows that satisfy all but perhaps condition d

Each row keeps how many conditions it fails and the sum of their numbers: where it fails one, the sum is that one. So a
round costs one pass over the rows, however many conditions there are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hornbeam.rules.conditions import Condition
from hornbeam.rules.training import Floats, Learning, counted


class Fallible:
    """The rows that fail none or one of a rule's conditions, as conditions are dropped. Held while a rule is pruned."""

    def __init__(self, data: Learning, conditions: Sequence[Condition], answer: int) -> None:
        self._failing = [data.failing(condition) for condition in conditions]
        self._weights = data.weights
        self._wrong = data.wrong(answer)
        self._fails = np.zeros(len(data), dtype=np.int32)
        self._numbers = np.zeros(len(data), dtype=np.int32)
        for place, failing in enumerate(self._failing):
            self._fails += failing
            self._numbers += np.multiply(failing, place, dtype=np.int32)
        self.kept = list(range(len(conditions)))

    def counts(self) -> tuple[float, float, Floats, Floats]:
        """N, E, and for every condition N_d and E_d (those of dropped conditions mean nothing)."""
        near = np.flatnonzero(self._fails <= 1)
        has_none = self._fails[near] == 0
        all_hold, one = near[has_none], near[~has_none]
        rows, errors = float(self._weights[all_hold].sum()), float(self._wrong[all_hold].sum())
        n = len(self._failing)
        alone = self._numbers[one]
        return (
            rows,
            errors,
            rows + counted(alone, self._weights[one], n),
            errors + counted(alone, self._wrong[one], n),
        )

    def drop(self, place: int) -> None:
        """Leave a condition out."""
        self.kept.remove(place)
        self._fails -= self._failing[place]
        self._numbers -= np.multiply(self._failing[place], place, dtype=np.int32)
