"""The directions of logistic regression, linear SVM and LDA are those of scikit-learn and liblinear, to 1e-6."""

from __future__ import annotations

import numpy as np
import pytest

from hornbeam.parts.searches.lda_plane import spread
from hornbeam.parts.searches.logistic_plane import logistic
from hornbeam.parts.searches.svm_plane import squared_hinge

linear_model = pytest.importorskip("sklearn.linear_model")


def problem(seed: int, n: int = 300, d: int = 5):
    """Overlapping classes, correlated columns, uneven weights; the columns in units of their spread."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
    signs = np.where(x @ rng.normal(size=d) + rng.normal(size=n) > 0.3, 1.0, -1.0)
    return (x - x.mean(axis=0)) / x.std(axis=0), signs, rng.uniform(0.5, 2.0, n)


@pytest.mark.parametrize("seed", range(5))
def test_logistic_regression(seed):
    x, signs, weights = problem(seed)
    ours = logistic(x, signs, weights, 1e-3)[0]
    peer = linear_model.LogisticRegression(C=1 / (1e-3 * weights.sum()), tol=1e-12, max_iter=10_000)
    peer.fit(x, signs, sample_weight=weights)
    theirs = np.append(peer.coef_[0], peer.intercept_)
    assert np.abs(ours - theirs).max() < 1e-6 * np.abs(theirs).max()


def test_logistic_regression_of_many_rows():
    """From 4096 rows on the fit begins with a part of them."""
    x, signs, weights = problem(9, n=5000)
    ours = logistic(x, signs, weights, 1e-3)[0]
    peer = linear_model.LogisticRegression(C=1 / (1e-3 * weights.sum()), tol=1e-12, max_iter=10_000)
    peer.fit(x, signs, sample_weight=weights)
    assert np.abs(ours[:-1] - peer.coef_[0]).max() < 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_linear_svm_of_liblinear(seed):
    from sklearn.svm import LinearSVC

    x, signs, weights = problem(seed)
    ours = squared_hinge(x, signs, weights)
    peer = LinearSVC(C=1.0, dual=False, tol=1e-12, max_iter=100_000).fit(x, signs, sample_weight=weights)
    theirs = np.append(peer.coef_[0], peer.intercept_)
    assert np.abs(ours - theirs).max() < 1e-6 * np.abs(theirs).max()


@pytest.mark.parametrize("seed", range(5))
def test_fishers_discriminant(seed):
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    x, signs, _ = problem(seed)
    within, means, _ = spread(x, (signs > 0).astype(np.int64), np.ones(len(x)), 1e-12)
    ours = np.linalg.solve(within, means[1] - means[0])
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(x, signs).coef_[0]
    assert ours / np.linalg.norm(ours) == pytest.approx(theirs / np.linalg.norm(theirs), abs=1e-6)
