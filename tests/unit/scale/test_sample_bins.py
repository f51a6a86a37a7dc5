"""The bins of sampled values are those of `binned_cuts` on the same values, with the means of their values."""

from __future__ import annotations

import numpy as np
import pytest

from hornbeam.growing.sample import exact_weights
from hornbeam.parts.searches.binned_cuts import bins_of_values
from hornbeam.scale.sample_bins import sample_bins


def values_of(name, random, n):
    return np.sort(
        {
            "all different": lambda: random.normal(size=n),
            "few": lambda: random.integers(0, 15, n).astype(np.float64),
            "many ties": lambda: np.round(random.exponential(size=n), 1),
            "heavy value": lambda: np.where(random.random(n) < 0.7, 3.0, random.normal(size=n)),
            "last value heavy": lambda: np.minimum(random.geometric(0.05, n), 40.0),
        }[name]()
    )


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("bins", [2, 20, 255])
@pytest.mark.parametrize("name", ["all different", "few", "many ties", "heavy value", "last value heavy"])
def test_bins_are_those_of_binned_cuts(name, bins, is_weighted):
    random = np.random.default_rng(bins)
    for n in (1, 7, 400, 3000):
        values = values_of(name, random, n)
        weights = exact_weights(random.exponential(size=n) + 0.01) if is_weighted else np.ones(n)
        distinct = np.unique(values)
        bin_of_row = bins_of_values(distinct, values, weights, bins)[np.searchsorted(distinct, values)]
        low, high, middle = sample_bins(values, weights if is_weighted else None, bins)
        groups = [bin_of_row == number for number in range(bin_of_row[-1] + 1)]
        assert low.tolist() == [values[rows].min() for rows in groups]
        assert high.tolist() == [values[rows].max() for rows in groups]
        expected = [np.average(values[rows], weights=weights[rows]) for rows in groups]
        np.testing.assert_allclose(middle, expected, rtol=1e-9, atol=1e-12)


def test_no_weights_are_weights_of_one():
    random = np.random.default_rng(3)
    for name in ("all different", "few", "many ties", "heavy value", "last value heavy"):
        values = values_of(name, random, 5000)
        for bins in (2, 3, 100, 255):
            expected = sample_bins(values, np.ones(len(values)), bins)
            found = sample_bins(values, None, bins)
            assert [each.tobytes() for each in found] == [each.tobytes() for each in expected]


def test_a_column_without_known_values_has_no_bins():
    low, high, middle = sample_bins(np.empty(0), np.empty(0), 255)
    assert len(low) == len(high) == len(middle) == 0
