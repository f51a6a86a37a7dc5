"""Which rules of a class are worth their bits?  The subset of least code length.

Up to ten rules: every subset, the first minimum with rule 1 toggling fastest. More: from 11 random starts, each rule
in with chance 0, 0.1, ..., 1, the rule of largest saving is added or dropped until nothing saves; the best start wins.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.rules.code_length import set_bits
from hornbeam.rules.training import Floats, Mask
from hornbeam.seeds import Purpose, Stream

MOST_EXHAUSTIVE = 10
N_STARTS = 11
_SAVING = 1e-9


def best_subset(
    fires: Mask, is_class: Mask, weights: Floats, bits: Sequence[float], seed: int, class_index: int
) -> list[int]:
    """The rules to keep, of those whose rows in `fires` (rules, rows) they hold for."""
    if len(fires) == 0:
        return []
    if len(fires) <= MOST_EXHAUSTIVE:
        return _exhaustive(fires, is_class, weights, bits)
    return _climbed(fires, is_class, weights, np.array(bits), seed, class_index)


def _exhaustive(fires: Mask, is_class: Mask, weights: Floats, bits: Sequence[float]) -> list[int]:
    count = len(fires)
    # Rows on which the same rules hold count together: at most 2^10 patterns.
    pattern = (1 << np.arange(count)) @ fires
    right = np.bincount(pattern[is_class], weights[is_class], 1 << count)
    wrong = np.bincount(pattern[~is_class], weights[~is_class], 1 << count)
    patterns = np.arange(1 << count)
    n, of_class = float(weights.sum()), float(right.sum())
    best, least = 0, np.inf
    for subset in range(1 << count):
        covered = (patterns & subset) > 0
        true, false = float(right[covered].sum()), float(wrong[covered].sum())
        members = [rule for rule in range(count) if subset >> rule & 1]
        value = set_bits(sum(bits[r] for r in members), len(members), n, true + false, false, of_class - true)
        if value < least - _SAVING:
            best, least = subset, value
    return [rule for rule in range(count) if best >> rule & 1]


def _climbed(fires: Mask, is_class: Mask, weights: Floats, bits: Floats, seed: int, class_index: int) -> list[int]:
    right, wrong = np.where(is_class, weights, 0.0), np.where(is_class, 0.0, weights)
    least, best = np.inf, np.zeros(len(fires), dtype=np.bool_)
    for start in range(N_STARTS):
        draws = Stream.of(seed, Purpose.OTHER, class_index, start)
        chance = start / (N_STARTS - 1)
        chosen = np.array([draws.uniform() < chance for _ in range(len(fires))])
        value, chosen = _climb(fires, right, wrong, bits, chosen)
        if value < least - _SAVING:
            least, best = value, chosen
    return np.flatnonzero(best).tolist()


def _climb(
    fires: Mask, right: Floats, wrong: Floats, bits: Floats, chosen: npt.NDArray[np.bool_]
) -> tuple[float, npt.NDArray[np.bool_]]:
    """Add or drop the rule of largest saving until nothing saves."""
    n, of_class = float(right.sum() + wrong.sum()), float(right.sum())
    as_numbers = fires.astype(np.float64)
    chosen = chosen.copy()

    def value(members: float, count: int, true: float, false: float) -> float:
        return set_bits(members, count, n, true + false, false, of_class - true)

    times = fires[chosen].sum(axis=0)
    while True:
        covered = times > 0
        true, false = float(right[covered].sum()), float(wrong[covered].sum())
        members, count = float(bits[chosen].sum()), int(chosen.sum())
        now = value(members, count, true, false)
        gained = as_numbers @ np.stack([np.where(times == 0, right, 0.0), np.where(times == 0, wrong, 0.0)], axis=1)
        lost = as_numbers @ np.stack([np.where(times == 1, right, 0.0), np.where(times == 1, wrong, 0.0)], axis=1)
        best, place = now - _SAVING, -1
        for rule in range(len(fires)):
            if chosen[rule]:
                after = value(members - bits[rule], count - 1, true - lost[rule, 0], false - lost[rule, 1])
            else:
                after = value(members + bits[rule], count + 1, true + gained[rule, 0], false + gained[rule, 1])
            if after < best:
                best, place = after, rule
        if place < 0:
            return now, chosen
        chosen[place] = not chosen[place]
        times = times + fires[place] if chosen[place] else times - fires[place]
