"""Row samples of the trees of a forest."""

import numpy as np
import pytest
from tests.examples import EXAMPLES

from hornbeam.ensembles.row_sampling import RowSampling, _sample, sample_counts
from hornbeam.errors import OptionError
from hornbeam.seeds import Purpose, Stream


def test_the_first_samples_are_those_of_the_worked_example():
    """E10.1: eight rows, seed 42, three trees."""
    expected = EXAMPLES["E10.1"]["expected"]
    for tree, (draws, out) in enumerate(zip(expected["draws"], expected["oob"], strict=True)):
        assert _sample(np.arange(8), 8, True, Stream.of(42, Purpose.BOOTSTRAP, tree)) == draws
        counts = sample_counts(RowSampling(), np.zeros(8), 0, 42, tree)
        np.testing.assert_array_equal(counts, np.bincount(draws, minlength=8))
        assert np.flatnonzero(counts == 0).tolist() == out


def test_a_fraction_without_replacement_has_distinct_rows():
    counts = sample_counts(RowSampling(with_replacement=False, fraction=0.632), np.zeros(1000), 0, 1, 0)
    assert counts.max() == 1
    assert counts.sum() == 632
    # k / n of n rows is k, for any rounding of k / n.
    assert all(sample_counts(RowSampling(fraction=k / 49), np.zeros(49), 0, 1, 0).sum() == k for k in range(1, 50))


def test_stratified_samples_keep_the_class_frequencies():
    target = np.repeat([0, 1, 2], [100, 30, 5])
    counts = sample_counts(RowSampling(method="classes"), target, 3, 1, 0)
    assert [int(counts[target == k].sum()) for k in range(3)] == [100, 30, 5]


def test_balanced_samples_have_as_many_rows_per_class_as_the_rarest():
    target = np.repeat([0, 1, 2], [100, 30, 5])
    counts = sample_counts(RowSampling(method="balanced"), target, 3, 1, 0)
    assert [int(counts[target == k].sum()) for k in range(3)] == [5, 5, 5]


@pytest.mark.parametrize("wrong", [{"method": "row"}, {"fraction": 0.0}, {"fraction": 1.5}, {"with_replacement": 2}])
def test_invalid_sampling_is_rejected(wrong):
    with pytest.raises(OptionError):
        RowSampling(**wrong)
