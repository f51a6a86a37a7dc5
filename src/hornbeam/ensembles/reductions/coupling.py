"""What is the share of each class, when only shares within pairs are known?  (Hastie and Tibshirani 1998)

    r_ij = share of i against j.  Find p with p_i / (p_i + p_j) nearest to r_ij, pairs counted by their weight n_ij:
    p_i <- p_i * sum_j n_ij r_ij / sum_j n_ij p_i / (p_i + p_j),  then p is made to add up to 1; until p stays.

Shares of 0 and 1 are moved inwards by 1e-7, so that no class is ruled out by one pair alone. Each row is finished by
itself: its answer does not depend on the rows beside it.
"""

from __future__ import annotations

import numpy as np

from hornbeam.ensembles.reductions.problem import Floats

_LEAST = 1e-7
_STAYS = 1e-9
_MOST_STEPS = 500


def coupled(shares: Floats, weights: Floats) -> Floats:
    """Shares of classes (rows, K) from `shares[row, i, j]` of i against j; the diagonals are not looked at."""
    n_classes = shares.shape[1]
    games = weights * (1.0 - np.eye(n_classes))
    won = (np.clip(shares, _LEAST, 1.0 - _LEAST) * games).sum(axis=2)
    found = won / won.sum(axis=1, keepdims=True)
    open_rows = np.arange(len(shares))
    for _ in range(_MOST_STEPS):
        old = found[open_rows]
        expected = (games / (old[:, :, None] + old[:, None, :])).sum(axis=2)
        new = won[open_rows] / expected
        new /= new.sum(axis=1, keepdims=True)
        found[open_rows] = new
        open_rows = open_rows[np.abs(new - old).max(axis=1) > _STAYS]
        if not len(open_rows):
            break
    return found
