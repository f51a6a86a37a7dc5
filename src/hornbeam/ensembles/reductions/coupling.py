"""What is the share of each class, when only shares within pairs are known?  (Hastie and Tibshirani 1998)

    r_ij = share of i against j, mu_ij = p_i / (p_i + p_j), n_ij = the weight of the pair.  Find p, adding up to 1, that
    makes  f(p) = sum over i, j of n_ij r_ij log mu_ij  largest;  there sum_j n_ij (r_ij - mu_ij) = 0 for every i.

Their own step, p_i <- p_i * sum_j n_ij r_ij / sum_j n_ij mu_ij, always climbs but takes thousands of steps where shares
are near 0 and 1, as those of trees are. So Newton's step in log p, no longer than 4, is taken where it climbs higher.
Shares of 0 and 1 are moved inwards by 1e-7, so that no class is ruled out by one pair alone. Each row is finished by
itself: its answer does not depend on the rows beside it.
"""

from __future__ import annotations

import numpy as np

from hornbeam.ensembles.reductions.problem import Floats

_LEAST = 1e-7
_LEVEL = 1e-12
_LONGEST = 4.0
_FARTHEST = 600.0  # e^600 is still a number
_MOST_STEPS = 200


def couple_probabilities(probabilities: Floats, weights: Floats) -> Floats:
    """Shares of classes (rows, K) from `shares[row, i, j]` of i against j; the diagonals are not looked at."""
    games = weights * (1.0 - np.eye(len(weights)))
    won = np.clip(probabilities, _LEAST, 1.0 - _LEAST) * games
    logs = np.log(won.sum(axis=2))
    open_rows = np.arange(len(probabilities))
    for _ in range(_MOST_STEPS):
        here, at = won[open_rows], logs[open_rows]
        expected = games / (1.0 + np.exp(np.minimum(at[:, None, :] - at[:, :, None], _FARTHEST)))
        slope = (here - expected).sum(axis=2)
        climbs = np.abs(slope).max(axis=1) > _LEVEL * games.sum()
        open_rows, here, at = open_rows[climbs], here[climbs], at[climbs]
        if not len(open_rows):
            break
        own = at + np.log(here.sum(axis=2)) - np.log(expected[climbs].sum(axis=2))
        newton = at + _newton_step(slope[climbs], expected[climbs], games)
        better = _height(newton, here) > _height(own, here)
        logs[open_rows] = np.where(better[:, None], newton, own)
    found = np.exp(logs - logs.max(axis=1, keepdims=True))
    told: Floats = found / found.sum(axis=1, keepdims=True)
    return told


def _newton_step(slope: Floats, expected: Floats, games: Floats) -> Floats:
    """The step to where the slope would be 0 if the curvature stayed; shortened when it is long."""
    bend = np.divide(expected * (games - expected), games, out=np.zeros_like(expected), where=games > 0)
    steepest = bend.sum(axis=2).max(axis=1)[:, None, None]
    # Only differences of logarithms matter; the constant matrix fixes their mean, the ridge keeps it solvable.
    curvature = np.eye(len(games)) * (bend.sum(axis=2)[:, :, None] + 1e-12 * steepest) - bend + steepest
    whole = np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
    step: Floats = whole * np.minimum(1.0, _LONGEST / np.maximum(np.abs(whole).max(axis=1, keepdims=True), 1e-300))
    return step


def _height(logs: Floats, won: Floats) -> Floats:
    height: Floats = -(won * np.logaddexp(0.0, logs[:, None, :] - logs[:, :, None])).sum(axis=(1, 2))
    return height
