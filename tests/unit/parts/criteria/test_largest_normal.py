"""The tail of the largest of several normal variables, against scipy and by its laws."""

import math

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from hornbeam.parts.criteria.machinery.largest_normal import log_tail


def correlation(seed, d):
    rng = np.random.default_rng(seed)
    products = (scores := rng.normal(size=(d, d + 2))) @ scores.T
    spread = np.sqrt(np.diag(products))
    return products / np.outer(spread, spread)


@pytest.mark.parametrize("c", [0.5, 2.0, 3.4, 3.6, 10.0, 50.0])
def test_one_variable_has_the_normal_tail(c):
    assert log_tail(c, np.eye(1)) == pytest.approx(math.log(2) + norm.logsf(c), rel=1e-9)


@pytest.mark.parametrize("c", [1.0, 2.5, 3.4])
@pytest.mark.parametrize("d", [2, 3, 6])
def test_the_probability_is_scipys_to_one_percent(d, c):
    matrix = correlation(d, d)
    ends = np.full(d, c)
    inside = multivariate_normal.cdf(ends, cov=matrix, lower_limit=-ends, abseps=1e-8, releps=1e-8, rng=1)
    assert math.exp(log_tail(c, matrix)) == pytest.approx(1 - inside, rel=0.01)


@pytest.mark.parametrize("c", [2.0, 5.0])
def test_a_variable_that_repeats_another_changes_nothing(c):
    matrix = correlation(1, 3)
    twice = np.block([[matrix, -matrix], [-matrix, matrix]])
    assert log_tail(c, twice) == log_tail(c, matrix)


def test_a_variable_that_follows_from_the_others_keeps_the_probability_between_its_bounds():
    probabilities = np.array([0.3, 0.35, 0.13, 0.22])
    products = np.diag(probabilities) - np.outer(probabilities, probabilities)
    spread = np.sqrt(np.diag(products))
    singular = products / np.outer(spread, spread)
    for c in (2.5, 3.2, 6.0):
        one = 2 * norm.sf(c)
        assert one < math.exp(log_tail(c, singular)) < 4 * one
        assert log_tail(c, singular[:3, :3]) < log_tail(c, singular)


def test_the_tail_falls_with_the_bound_also_where_the_formula_changes():
    matrix = correlation(4, 8)
    found = [log_tail(c, matrix) for c in np.linspace(3.0, 4.0, 21)]
    assert (np.diff(found) < 0).all()
