"""Laws of divided rows, for any groups and times."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from hornbeam.errors import InputError
from hornbeam.seeds import Purpose, Stream
from hornbeam.table.division import Division, latest_rows

LABELS = st.lists(st.integers(0, 7), min_size=2, max_size=60)


def codes(values):
    return np.unique(np.array(values, dtype=np.int64), return_inverse=True)[1].astype(np.int64)


@given(LABELS, st.integers(2, 6), st.integers(0, 99), st.booleans())
def test_rows_of_one_group_are_never_in_both_parts_and_each_row_is_tested_once(values, n_folds, seed, is_class):
    groups = codes(values)
    assume(groups.max() + 1 >= n_folds)
    classes = np.arange(len(groups)) % 3 if is_class else None
    splits = Division(groups).splits(classes, len(groups), n_folds, seed)
    assert len(splits) == n_folds
    assert sorted(np.concatenate([split.test for split in splits]).tolist()) == list(range(len(groups)))
    for split in splits:
        assert len(split.train)
        assert not set(groups[split.train]) & set(groups[split.test])


@given(LABELS, st.integers(1, 6))
def test_no_training_row_is_as_late_as_a_test_row(values, n_folds):
    times = codes(values)
    assume(times.max() >= n_folds)
    splits = Division(times=times).splits(None, len(times), n_folds)
    assert len(splits) == n_folds
    for split in splits:
        assert times[split.train].max() < times[split.test].min()
    tested = np.concatenate([split.test for split in splits])
    assert len(np.unique(tested)) == len(tested)


@given(LABELS, LABELS, st.integers(1, 4))
def test_both_hold_together_or_the_division_is_refused(first, second, n_folds):
    n_rows = min(len(first), len(second))
    groups, times = codes(first[:n_rows]), codes(second[:n_rows])
    try:
        splits = Division(groups, times).splits(None, n_rows, n_folds)
    except InputError:
        return
    for split in splits:
        assert times[split.train].max() < times[split.test].min()
        assert not set(groups[split.train]) & set(groups[split.test])


@given(LABELS, st.integers(2, 4), st.integers(0, 99), st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_the_rows_does_not_change_the_folds_of_groups_and_times(values, n_folds, seed, random, is_time):
    labels = codes(values)
    assume(labels.max() >= n_folds)
    order = np.array(random.sample(range(len(labels)), len(labels)))
    classes = labels % 2

    def tested(labels, classes):
        division = Division(times=labels) if is_time else Division(labels)
        return [sorted(labels[split.test].tolist()) for split in division.splits(classes, len(labels), n_folds, seed)]

    assert tested(labels, classes) == tested(labels[order], classes[order])


@given(LABELS, st.floats(0.05, 0.95), st.integers(0, 9))
def test_a_held_out_part_keeps_groups_whole_and_is_later_and_never_empty(values, fraction, seed):
    labels = codes(values)
    assume(labels.max() >= 1)
    split = Division(labels).held_out(None, fraction, Stream.of(seed, Purpose.FOLDS))
    assert len(split.train) > 0
    assert len(split.test) > 0
    assert not set(labels[split.train]) & set(labels[split.test])
    later = latest_rows(labels, fraction)
    assert labels[later.train].max() < labels[later.test].min()
