"""Class probabilities from pair probabilities (Hastie and Tibshirani 1998).

    r_ij = probability of i against j, mu_ij = p_i / (p_i + p_j), n_ij = weight of the pair.  The result p, with sum 1,
    maximizes  f(p) = sum over i, j of n_ij r_ij log mu_ij;  there sum_j n_ij (r_ij - mu_ij) = 0 for each i.

The authors' iteration, p_i <- p_i * sum_j n_ij r_ij / sum_j n_ij mu_ij, always increases f but takes thousands of steps
if probabilities are near 0 and 1, as those of trees are. So Newton's step in log p, no longer than 4, is taken where it
increases f more. Probabilities of 0 and 1 are moved inwards by 1e-7, so that one pair alone does not exclude a class.
Each row is computed on its own: its result does not depend on the other rows.
"""

from __future__ import annotations

import numpy as np

from hornbeam.ensembles.reductions.problem import Floats

_MIN_PROBABILITY = 1e-7
_TOLERANCE = 1e-12
_MAX_STEP = 4.0
_MAX_EXPONENT = 600.0  # e^600 is a finite float64
_MAX_ITERATIONS = 200


def couple_probabilities(probabilities: Floats, weights: Floats) -> Floats:
    """Class probabilities (rows, K) from `probabilities[row, i, j]` of i against j; the diagonals are ignored."""
    pair_weights = weights * (1.0 - np.eye(len(weights)))
    won = np.clip(probabilities, _MIN_PROBABILITY, 1.0 - _MIN_PROBABILITY) * pair_weights
    logs = np.log(won.sum(axis=2))
    open_rows = np.arange(len(probabilities))
    for _ in range(_MAX_ITERATIONS):
        won_here, at = won[open_rows], logs[open_rows]
        expected = pair_weights / (1.0 + np.exp(np.minimum(at[:, None, :] - at[:, :, None], _MAX_EXPONENT)))
        slope = (won_here - expected).sum(axis=2)
        is_open = np.abs(slope).max(axis=1) > _TOLERANCE * pair_weights.sum()
        open_rows, won_here, at = open_rows[is_open], won_here[is_open], at[is_open]
        if not len(open_rows):
            break
        fixed_point = at + np.log(won_here.sum(axis=2)) - np.log(expected[is_open].sum(axis=2))
        newton = at + _newton_step(slope[is_open], expected[is_open], pair_weights)
        is_better = _likelihood(newton, won_here) > _likelihood(fixed_point, won_here)
        logs[open_rows] = np.where(is_better[:, None], newton, fixed_point)
    scaled = np.exp(logs - logs.max(axis=1, keepdims=True))
    coupled: Floats = scaled / scaled.sum(axis=1, keepdims=True)
    return coupled


def _newton_step(slope: Floats, expected: Floats, pair_weights: Floats) -> Floats:
    """Newton's step, shortened to the maximum step."""
    second = np.divide(
        expected * (pair_weights - expected), pair_weights, out=np.zeros_like(expected), where=pair_weights > 0
    )
    largest = second.sum(axis=2).max(axis=1)[:, None, None]
    # Only differences of logarithms matter: the constant matrix fixes their mean, the ridge makes it solvable.
    curvature = np.eye(len(pair_weights)) * (second.sum(axis=2)[:, :, None] + 1e-12 * largest) - second + largest
    full = np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
    step: Floats = full * np.minimum(1.0, _MAX_STEP / np.maximum(np.abs(full).max(axis=1, keepdims=True), 1e-300))
    return step


def _likelihood(logs: Floats, won: Floats) -> Floats:
    likelihood: Floats = -(won * np.logaddexp(0.0, logs[:, None, :] - logs[:, :, None])).sum(axis=(1, 2))
    return likelihood
