"""ScoreGroups: rows with equal scores, collected from batches of any number of rows.

A tree predicts few different scores, so groups are exact there. Above `limit` groups the scores are rounded to 12
significant bits, all rows alike, so that the result does not depend on the batches.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError

Floats = npt.NDArray[np.float64]

MAX_GROUPS = 500_000
_WAITING = 1 << 16
BITS = 12


@dataclasses.dataclass
class ScoreGroups:
    """One entry per distinct row of scores: the weight, the squared weights and the number of its rows."""

    limit: int = dataclasses.field(default_factory=lambda: MAX_GROUPS)
    is_rounded: bool = False
    scores: Floats = dataclasses.field(default_factory=lambda: np.zeros((0, 0)))
    sums: Floats = dataclasses.field(default_factory=lambda: np.zeros((0, 3)))
    _waiting: list[tuple[Floats, Floats]] = dataclasses.field(default_factory=list)
    _n_waiting: int = 0

    def add(self, scores: Floats, weights: Floats) -> None:
        """Add rows: one row of scores and one weight each."""
        sums = np.stack([weights, weights**2, np.ones(len(weights))], axis=1)
        self._append(*_grouped(_rounded(scores) if self.is_rounded else scores, sums))
        if self._n_waiting > max(len(self.scores), min(self.limit, _WAITING)):
            self._merge()

    def finished(self) -> ScoreGroups:
        """All groups, in the order of their scores."""
        self._merge()
        return self

    def _append(self, scores: Floats, sums: Floats) -> None:
        self._waiting.append((scores, sums))
        self._n_waiting += len(scores)

    def _merge(self) -> None:
        if not self._waiting:
            return
        parts = [*([(self.scores, self.sums)] if len(self.scores) else []), *self._waiting]
        self._waiting, self._n_waiting = [], 0
        scores, sums = (np.concatenate(each) for each in zip(*parts))
        self.scores, self.sums = _grouped(scores, sums)
        if len(self.scores) > self.limit and not self.is_rounded:
            self.is_rounded = True
            self.scores, self.sums = _grouped(_rounded(self.scores), self.sums)
        if len(self.scores) > self.limit:
            raise InputError(
                f"The rows have more than {self.limit:,} different predictions, even with {BITS} significant bits.",
                hint="Evaluate on a sample of the rows.",
            )


def _rounded(scores: Floats) -> Floats:
    """The scores with fewer significant bits."""
    fraction, exponent = np.frexp(scores)
    return np.asarray(np.ldexp(np.rint(np.ldexp(fraction, BITS)), exponent - BITS), dtype=np.float64)


def _grouped(scores: Floats, sums: Floats) -> tuple[Floats, Floats]:
    """The distinct rows of scores in order, and the sums of their entries."""
    order = np.lexsort(scores.T[::-1])
    ranked = scores[order]
    is_first = np.ones(len(ranked), dtype=bool)
    is_first[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    starts = np.flatnonzero(is_first)
    return ranked[starts], np.add.reduceat(sums[order], starts, axis=0) if len(starts) else sums[:0]
