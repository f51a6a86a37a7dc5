"""The sample of a table is that of its smallest hashes, however its rows are divided and merged."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from hornbeam.scale.row_sample import RowSample, SampledRows

HASHES = np.random.default_rng(0).permutation(1000).astype(np.uint64)


def some_rows(places):
    weights = 1.0 + places % 3
    return SampledRows(HASHES[places], places, weights, [places * 2.0, places * 3.0])


@pytest.mark.parametrize("n_parts", [1, 2, 7, 100])
@pytest.mark.parametrize("size", [1, 50, 999, 2000])
def test_the_sample_does_not_depend_on_the_parts(n_parts, size):
    expected = np.sort(np.argsort(HASHES)[:size])
    random = np.random.default_rng(n_parts)
    samples = []
    for places in np.array_split(random.permutation(1000), n_parts):
        samples.append(RowSample(size, 2))
        for few in np.array_split(places, 3):
            samples[-1].add(some_rows(few))
    whole = RowSample(size, 2)
    for each in samples:
        whole.merge(each)
    assert len(whole) == min(size, 1000)
    found = whole.in_order()
    assert found.rows.tolist() == expected.tolist()
    assert found.column(1).tolist() == (expected * 3.0).tolist()
    assert found.weights.tolist() == (1.0 + expected % 3).tolist()


def test_a_sample_holds_few_rows_more_than_its_size():
    sample = RowSample(50, 2)
    for places in np.array_split(np.arange(1000), 100):
        sample.add(some_rows(places))
        assert sum(map(len, sample._parts)) <= 75


def test_no_rows_are_an_empty_sample():
    assert len(RowSample(10, 2)) == 0
    assert RowSample(10, 2).in_order().column(0).tolist() == []


@pytest.mark.parametrize(("values", "n_bytes"), [([0.5, np.nan, -0.0, np.inf], 4), ([0.1, 1e300], 8), ([5e-324], 8)])
def test_values_travel_in_four_bytes_where_these_are_exact(values, n_bytes):
    column = np.array(values * 1000)
    ones = np.ones(len(column))
    rows = SampledRows(ones.astype(np.uint64), ones.astype(np.int64), ones, [column])
    content = pickle.dumps(rows, protocol=5)
    assert pickle.loads(content).values[0].tobytes() == column.tobytes()
    assert len(content) < 1500 + (24 + n_bytes) * len(column)
