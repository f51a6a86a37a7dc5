"""Sums by group: exact, and the same for any order and division of the numbers."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.grouped_sums import GroupedSums

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e200, max_value=1e200)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), NUMBERS), max_size=60), st.integers(0, 60), st.randoms())
def test_sums_are_exact_in_any_order_and_division(entries, cut, random):
    whole = GroupedSums(5)
    whole.add(np.array([group for group, _ in entries], dtype=np.int64), np.array([x for _, x in entries]))
    for group, found in enumerate(whole.values()):
        assert found == math.fsum(x for each, x in entries if each == group)
    random.shuffle(entries)
    parts = [GroupedSums(5), GroupedSums(5)]
    for part, some in zip(parts, (entries[:cut], entries[cut:])):
        part.add(np.array([group for group, _ in some], dtype=np.int64), np.array([x for _, x in some]))
    parts[0].merge(parts[1])
    assert np.array_equal(parts[0].values(), whole.values())


def test_many_equal_numbers_add_up_beyond_53_bits():
    sums = GroupedSums(1)
    for _ in range(3):
        sums.add(np.zeros(1 << 20, dtype=np.int64), np.full(1 << 20, 0.1))
    assert sums.values()[0] == float(3 * (1 << 20) * (0.1).as_integer_ratio()[0] / (0.1).as_integer_ratio()[1])


def test_a_sum_that_is_too_large_is_infinite():
    sums = GroupedSums(2)
    sums.add(np.array([0, 0, 1, 1]), np.array([1.7e308, 1.7e308, -1.7e308, -1.7e308]))
    assert sums.values().tolist() == [math.inf, -math.inf]
