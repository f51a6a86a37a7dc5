"""The subset of a class's rules with the smallest code length.

Up to ten rules: every subset, the first minimum with rule 1 toggling fastest. More: from 11 random starts, each rule
included with probability 0, 0.1, ..., 1, the rule of largest saving is added or dropped until none saves; the best
result is returned.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.rules.bits import Mask
from hornbeam.rules.code_length import set_bits
from hornbeam.rules.training import Floats, weight_counts
from hornbeam.seeds import Purpose, Stream

MAX_EXHAUSTIVE = 10
N_STARTS = 11
_SAVING = 1e-9
Rows = npt.NDArray[np.int64]


def best_subset(
    fires: Mask, is_class: Mask, weights: Floats, bits: Sequence[float], seed: int, class_index: int
) -> list[int]:
    """The indices of the chosen rules; `fires` (rules, rows) are their matches."""
    if len(fires) == 0:
        return []
    right, wrong = np.where(is_class, weights, 0.0), np.where(is_class, 0.0, weights)
    if len(fires) <= MAX_EXHAUSTIVE:
        return _exhaustive(fires, right, wrong, np.array(bits))
    best, least = np.zeros(len(fires), dtype=np.bool_), np.inf
    cover = Cover(fires, is_class, weights)
    for start in range(N_STARTS):
        stream = Stream.of(seed, Purpose.OTHER, class_index, start)
        chosen = np.array([stream.uniform() < start / (N_STARTS - 1) for _ in range(len(fires))])
        climber = _Climber(cover, np.array(bits), chosen)
        value = climber.climb()
        if value < least - _SAVING:
            least, best = value, climber.chosen
    return [int(rule) for rule in np.flatnonzero(best)]


def _exhaustive(fires: Mask, right: Floats, wrong: Floats, bits: Floats) -> list[int]:
    count = len(fires)
    # Rows that the same rules match are counted together: at most 2^10 patterns, as many as there are subsets.
    pattern = (1 << np.arange(count)) @ fires
    subsets = np.arange(1 << count)
    covers = (subsets[:, None] & subsets[None, :]) > 0
    members = (subsets[:, None] >> np.arange(count) & 1).astype(np.float64)
    values = set_bits(
        members @ bits,
        members.sum(axis=1).astype(np.int64),
        float(right.sum() + wrong.sum()),
        covers @ weight_counts(pattern, right, 1 << count),
        covers @ weight_counts(pattern, wrong, 1 << count),
        float(right.sum()),
    )
    best = 0
    for subset in np.flatnonzero(values <= values.min() + 1e-6).tolist():  # the first of equal ones
        if subset == 0 or values[subset] < values[best] - _SAVING:
            best = subset
    return [rule for rule in range(count) if best >> rule & 1]


class Cover:
    """The rows of every rule and the rules of every row: those of row r are rules[starts[r] : starts[r + 1]]."""

    def __init__(self, fires: Mask, is_class: Mask, weights: Floats) -> None:
        self.fires = fires
        self.rows = [np.flatnonzero(matched) for matched in fires]
        self.weights = np.ascontiguousarray(weights, dtype=np.float64)
        self.is_wrong = (~is_class).astype(np.uint8)
        row, rule = np.nonzero(fires.T)
        self.rules = rule.astype(np.int32)
        self.starts = np.searchsorted(row, np.arange(len(weights) + 1))

    def weight_of(self, rows: Rows) -> Floats:
        """The weight of some rows, right and wrong."""
        return weight_counts(self.is_wrong[rows], self.weights[rows], 2)

    def shared_by(self, rows: Rows, engine: str = "core") -> Floats:
        """For each rule the weight, right and wrong, of those of the given rows that it covers."""
        if engine == "python":
            each = np.stack(
                [weight_counts(self.is_wrong[rows], self.weights[rows] * matched[rows], 2) for matched in self.fires]
            )
            return each.T
        from hornbeam import _native

        sums = np.empty(2 * len(self.fires))
        _native.covered_sums(rows, self.starts, self.rules, self.weights, self.is_wrong, sums)
        return sums.reshape(2, -1)


class _Climber:
    """A local search for the subset of smallest code length; the change by each rule is updated incrementally."""

    def __init__(self, cover: Cover, bits: Floats, chosen: Mask) -> None:
        self._cover = cover
        self._bits = bits
        self.chosen = chosen.copy()
        self._times = cover.fires[chosen].sum(axis=0)
        everything = cover.weight_of(np.arange(len(cover.weights)))
        self._n, self._of_class = float(everything.sum()), float(everything[0])
        self._sums = cover.weight_of(np.flatnonzero(self._times > 0))
        self._alone = cover.shared_by(np.flatnonzero(self._times == 1))
        self._open = cover.shared_by(np.flatnonzero(self._times == 0))

    def climb(self) -> float:
        """Add or drop the rule of largest saving until none saves; the code length reached."""
        while True:
            bits, count = float(self._bits[self.chosen].sum()), int(self.chosen.sum())
            now = self._value(np.array([bits]), np.array([count]), self._sums[:, None])[0]
            step = np.where(self.chosen, -1, 1)
            after = self._sums[:, None] + np.where(self.chosen, -self._alone, self._open)
            values = self._value(bits + step * self._bits, count + step, after)
            best = int(np.argmin(values))
            if not values[best] < now - _SAVING:
                return float(now)
            self._toggle(best)

    def _value(self, bits: Floats, count: npt.NDArray[np.int64], sums: Floats) -> Floats:
        return set_bits(bits, count, self._n, sums[0], sums[1], self._of_class)

    def _toggle(self, rule: int) -> None:
        """Add or drop a rule: only the counts of its rows change."""
        rows = self._cover.rows[rule]
        before = self._times[rows]
        step = -1 if self.chosen[rule] else 1
        self.chosen[rule] = not self.chosen[rule]
        self._times[rows] += step
        changed_rows, alone = rows[before == (0 if step > 0 else 1)], rows[before == (1 if step > 0 else 2)]
        changed = self._cover.shared_by(changed_rows)
        self._sums = self._sums + step * self._cover.weight_of(changed_rows)
        self._open = self._open - step * changed
        self._alone = self._alone + step * (changed - self._cover.shared_by(alone))
