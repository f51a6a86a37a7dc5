"""Hashes of row numbers, which choose rows independently of how the rows are divided into pieces or batches.

hash(purpose, row) = mix(row ^ mix(purpose)) with the mixer of `seeds.py`
fold(seed, row)    = the part of [0, 1) of mix(key ^ mix(row)) / 2^64, as `native/pieces/row_sample.hpp` computes it
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.seeds import Purpose, key, mix

Places = npt.NDArray[np.intp]
SAMPLE, HELD_OUT = 1, 2
_STEP, _ONE, _TWO = (np.uint64(x) for x in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_MAX = 2**64


def chosen_rows(purpose: int, rows: npt.NDArray[np.int64], fraction: float) -> tuple[Places, npt.NDArray[np.uint64]]:
    """The places of the rows that belong to a random fraction of all rows, and their hashes; `rows` ascend."""
    limit = min(int(fraction * _MAX), _MAX) - 1
    if not len(rows) or limit < 0:
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.uint64)
    found = _native.chosen_rows(limit, mix(purpose), int(rows[0]), int(rows[-1] - rows[0]) + 1)
    chosen, hashes = map(np.asarray, found)
    places = np.searchsorted(rows, chosen)
    is_used = rows[places] == chosen
    return places[is_used], hashes[is_used]


def _mixed(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    z = z + _STEP
    z = (z ^ (z >> np.uint64(30))) * _ONE
    z = (z ^ (z >> np.uint64(27))) * _TWO
    return z ^ (z >> np.uint64(31))


def fold_key(seed: int) -> int:
    """The key of the folds of a seed."""
    return key(seed, Purpose.FOLDS)


def fold_limits(n_folds: int) -> list[float]:
    """Where the folds begin among the hashes from 0 to 1, and where the last one ends."""
    return [fold / n_folds for fold in range(n_folds + 1)]


def fold_of_rows(seed: int, n_folds: int, first_row: int, n_rows: int) -> npt.NDArray[np.int64]:
    """The folds of consecutive rows."""
    rows = np.arange(first_row, first_row + n_rows, dtype=np.uint64)
    at = (_mixed(_mixed(rows) ^ np.uint64(fold_key(seed))) >> np.uint64(11)) * 2.0**-53
    return np.searchsorted(fold_limits(n_folds), at, side="right") - 1


def is_in_part(key: int, first_row: int, n_rows: int, fraction: float) -> npt.NDArray[np.bool_]:
    """Whether each of some consecutive rows belongs to a random fraction, as `native/pieces/row_sample.hpp` decides."""
    rows = np.arange(first_row, first_row + n_rows, dtype=np.uint64)
    at = (_mixed(_mixed(rows) ^ np.uint64(key)) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    part: npt.NDArray[np.bool_] = at < fraction
    return part
