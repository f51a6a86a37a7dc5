"""Sums and solutions in the order of the core are those of NumPy up to rounding."""

from __future__ import annotations

import numpy as np
import pytest

from hornbeam.parts.searches.machinery.eigenvectors import eigenvectors
from hornbeam.parts.searches.machinery.ordered_algebra import cholesky, solve_lower, solve_upper, weighted_gram

RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize("n_rows", [1, 63, 64, 65, 1000])
def test_the_weighted_gram_matrix(n_rows):
    x, weights = RANDOM.normal(size=(n_rows, 5)), RANDOM.random(n_rows)
    assert weighted_gram(x, weights) == pytest.approx((x * weights[:, None]).T @ x, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("d", [1, 2, 7])
def test_factors_and_solutions(d):
    half = RANDOM.normal(size=(d, d + 2))
    a, b = half @ half.T, RANDOM.normal(size=d)
    lower = cholesky(a)
    assert lower == pytest.approx(np.linalg.cholesky(a), rel=1e-10, abs=1e-12)
    assert solve_upper(lower, solve_lower(lower, b)) == pytest.approx(np.linalg.solve(a, b), rel=1e-6)
    assert solve_lower(lower, half) == pytest.approx(np.linalg.solve(lower, half), rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("a", [[[1.0, 2.0], [2.0, 1.0]], [[0.0]], [[np.nan]], [[np.inf]]])
def test_a_matrix_that_is_not_positive_definite_has_no_factor(a):
    assert cholesky(np.array(a)) is None


@pytest.mark.parametrize("d", [1, 2, 6])
def test_eigenvectors_are_those_of_numpy(d):
    half = RANDOM.normal(size=(d, d + 2))
    values, rows = eigenvectors(half @ half.T)
    assert values == pytest.approx(np.linalg.eigh(half @ half.T)[0][::-1], rel=1e-10)
    assert rows @ rows.T == pytest.approx(np.eye(d), abs=1e-12)
    assert half @ half.T @ rows.T == pytest.approx(rows.T * values, rel=1e-9, abs=1e-9)
