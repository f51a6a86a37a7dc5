"""Eigenvectors: those of equal eigenvalues do not depend on rounding."""

import numpy as np
import pytest

from hornbeam.parts.searches.machinery.eigenvectors import eigenvectors


def test_the_axes_of_uncorrelated_columns_are_the_columns_in_their_order():
    for noise in (0.0, 1e-17, -3e-16):
        values, vectors = eigenvectors(np.array([[1.0, noise], [noise, 1.0 + 2e-16]]))
        assert vectors.tolist() == [pytest.approx([1.0, 0.0]), pytest.approx([0.0, 1.0])]
        assert values.tolist() == pytest.approx([1.0, 1.0])


def test_a_space_of_equal_eigenvalues_has_one_basis_whatever_rounding_gives():
    rng = np.random.default_rng(3)
    rotation = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    matrix = rotation @ np.diag([4.0, 2.0, 2.0, 2.0, 0.5]) @ rotation.T
    first = eigenvectors(matrix)[1]
    for _ in range(20):
        noise = rng.normal(scale=1e-15, size=(5, 5))
        again = eigenvectors(matrix + noise + noise.T)[1]
        np.testing.assert_allclose(np.abs((first * again).sum(axis=1)), 1.0, atol=1e-12)
    np.testing.assert_allclose(first @ first.T, np.eye(5), atol=1e-12)
    np.testing.assert_allclose(first @ matrix @ first.T, np.diag([4.0, 2.0, 2.0, 2.0, 0.5]), atol=1e-12)


def test_different_eigenvalues_have_their_own_vectors():
    matrix = np.array([[2.0, 1.0], [1.0, 2.0]])
    values, vectors = eigenvectors(matrix)
    assert values.tolist() == pytest.approx([3.0, 1.0])
    np.testing.assert_allclose(matrix @ vectors[0], 3.0 * vectors[0])
