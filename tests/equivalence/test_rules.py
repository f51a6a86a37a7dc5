"""The core's sums over rules equal those of the reference, to the bit."""

import numpy as np
import pytest

from hornbeam.rules.bits import pack_bits, unpack_bits
from hornbeam.rules.generalizing import leave_one_out, reference_leave_one_out
from hornbeam.rules.subsets import Cover


@pytest.mark.parametrize("n_rows", [1, 63, 64, 65, 1000])
def test_bits_and_truth_values_are_two_ways_to_write_a_set(n_rows):
    mask = np.random.default_rng(n_rows).random((3, n_rows)) < 0.5
    assert (unpack_bits(pack_bits(mask), n_rows) == mask).all()


@pytest.mark.parametrize("seed", range(60))
def test_rows_without_each_condition_are_those_of_the_plain_count(seed):
    rng = np.random.default_rng(seed)
    n_rows, n_conditions = int(rng.integers(1, 300)), int(rng.integers(0, 8))
    failing = pack_bits(rng.random((n_conditions, n_rows)) < rng.random())
    kept = np.flatnonzero(rng.random(n_conditions) < 0.8).astype(np.int32)
    inside, wrong = pack_bits(np.ones(n_rows, dtype=bool)), pack_bits(rng.random(n_rows) < 0.4)
    # Weights that are no integers: both add them in the order of the rows.
    weights = rng.random(n_rows) if seed % 2 else np.zeros(0)
    given = (failing, kept, inside, wrong, weights)
    for core, plain in zip(leave_one_out(*given), reference_leave_one_out(*given), strict=True):
        np.testing.assert_array_equal(core, plain)


@pytest.mark.parametrize("seed", range(20))
def test_what_rules_cover_of_some_rows_is_the_plain_sum(seed):
    rng = np.random.default_rng(seed)
    n_rows, n_rules = int(rng.integers(1, 200)), int(rng.integers(1, 20))
    fires = rng.random((n_rules, n_rows)) < 0.3
    weights = rng.random(n_rows) if seed % 2 else np.ones(n_rows)
    cover = Cover(fires, rng.random(n_rows) < 0.5, weights)
    rows = np.flatnonzero(rng.random(n_rows) < 0.6)
    np.testing.assert_array_equal(cover.shared_by(rows), cover.shared_by(rows, engine="python"))


def test_what_is_not_inside_the_arrays_is_refused():
    from hornbeam import _native

    bits = np.zeros((1, 1), dtype=np.uint64)
    with pytest.raises(ValueError, match="indices of conditions"):
        _native.leave_one_out(bits, np.array([1], dtype=np.int32), bits[0], bits[0], np.zeros(0))
    cover = Cover(np.ones((1, 2), dtype=bool), np.ones(2, dtype=bool), np.ones(2))
    with pytest.raises(ValueError, match="row numbers of the table"):
        cover.shared_by(np.array([2]))
