"""Facts about the values of a column, and their codes, are those that NumPy computes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbeam import _native
from hornbeam.scale.row_hash import chosen_rows
from hornbeam.scale.summaries import LevelSummary, NumberSummary
from hornbeam.seeds import mix

NUMBERS = st.one_of(
    st.integers(-3, 3).map(float),
    st.sampled_from([-0.0, np.nan, np.inf, -np.inf, 0.5, 2.0**52 + 1, -(2.0**60), 5e-324, 1.7e308]),
    st.floats(),
)
COLUMNS = st.lists(NUMBERS, max_size=40).map(np.array)


@given(COLUMNS, st.integers(0, 12))
def test_facts_about_numbers(values, limit):
    values = values.astype(np.float64)
    known = values[~np.isnan(values)]
    distinct = np.unique(known)
    n_missing, minimum, maximum, is_integer, found = _native.number_facts(values, limit)
    assert n_missing == len(values) - len(known)
    assert (minimum, maximum) == (known.min(initial=np.inf), known.max(initial=-np.inf))
    assert is_integer == (known == np.floor(known)).all()
    assert (found is None) == (len(distinct) > limit)
    assert found is None or np.array_equal(found, distinct)
    assert _native.number_facts(values, -1)[4] is None


def test_many_distinct_numbers():
    values = np.random.default_rng(0).permutation(70_000) / 7
    assert np.array_equal(_native.number_facts(np.tile(values, 2), 70_000)[4], np.sort(values))
    assert _native.number_facts(values, 69_999)[4] is None


def test_zero_has_one_sign():
    for values in ([-0.0, 0.0, 1.0], [0.0, -0.0, 1.0], [-0.0]):
        _, minimum, maximum, _, distinct = _native.number_facts(np.array(values), 3)
        assert not np.signbit([minimum, maximum, distinct[0]]).any()


@given(COLUMNS, st.lists(st.integers(0, 40), max_size=4))
def test_summaries_do_not_depend_on_the_parts(values, places):
    values = values.astype(np.float64)
    whole, merged = NumberSummary(4), NumberSummary(4)
    whole.add(values)
    for part in np.split(values, sorted(min(place, len(values)) for place in places)):
        summary = NumberSummary(4)
        summary.add(part)
        merged.merge(summary)
    found, expected = dataclasses.asdict(merged), dataclasses.asdict(whole)
    assert np.array_equal(found.pop("distinct"), expected.pop("distinct"))
    assert found == expected


def test_counts_of_levels():
    summary = LevelSummary()
    summary.add(np.array([0, 2, -1, 2, -1, -1], dtype=np.int32), ("a", "b", "c"))
    assert (summary.counts, summary.n_missing, summary.n_known) == ({"a": 1, "c": 2}, 3, 3)
    with pytest.raises(ValueError, match="too large"):
        _native.count_codes(np.array([3], dtype=np.int32), 3)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int32])
def test_codes_of_known_numbers(dtype):
    numbers = np.sort(np.random.default_rng(0).normal(size=100))
    table = np.random.default_rng(1).permutation(101).astype(dtype)
    places = np.random.default_rng(2).integers(0, 101, 5000)
    values = np.append(numbers, np.nan)[places]
    codes = np.empty(5000, dtype=dtype)
    assert _native.code_known(values, numbers, table, codes)
    assert np.array_equal(codes, table[places])
    for other in (-np.inf, np.inf, numbers[3] + 1e-9):
        assert not _native.code_known(np.append(values[:-1], other), numbers, table, codes)
    assert _native.code_known(np.full(5000, np.nan), np.empty(0), table[-1:], codes)
    assert (codes == table[-1]).all()


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int32])
def test_codes_of_levels(dtype):
    levels = np.random.default_rng(0).integers(-1, 7, 1000).astype(np.int32)
    table = np.array([3, 1, 4, 1, 5, 9, 2, 6], dtype=dtype)
    codes = np.empty(1000, dtype=dtype)
    _native.look_up(levels, table, codes)
    assert np.array_equal(codes, table[levels])
    with pytest.raises(ValueError, match="no code"):
        _native.look_up(np.array([7], dtype=np.int32), table, codes[:1])


@pytest.mark.parametrize("fraction", [0.0, 1e-30, 0.1, 0.5, 1.0])
def test_chosen_rows(fraction):
    rows = np.flatnonzero(np.random.default_rng(0).random(3000) < 0.9) + 12345
    places, hashes = chosen_rows(2, rows, fraction)
    expected = [mix(int(row) ^ mix(2)) for row in rows]
    assert places.tolist() == [place for place, hash_ in enumerate(expected) if hash_ < fraction * 2**64]
    assert hashes.tolist() == [expected[place] for place in places]


def test_no_rows_are_chosen_from_none():
    places, hashes = chosen_rows(1, np.empty(0, dtype=np.int64), 0.5)
    assert len(places) == len(hashes) == 0
