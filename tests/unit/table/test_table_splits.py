"""`divide` and the splits of a table: by row, by group, forward in time."""

import datetime
import warnings

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamWarning, InputError, OptionError
from hornbeam.evaluation import random_folds, splits_of_folds, stratified_folds
from hornbeam.table.divide import divide, table_part, table_splits

IRIS = hb.datasets.load("iris")
VISITS = hb.read(
    {
        "patient": [f"p{row // 5}" for row in range(60)],
        "visit": [datetime.date(2020, 1, 1 + row % 12) for row in range(60)],
        "age": list(range(60)),
        "ill": ["no", "no", "yes"] * 20,
    },
    target="ill",
)


def rows_of(splits):
    return [(split.train.tolist(), split.test.tolist()) for split in splits]


def test_folds_of_classes_are_stratified():
    folds = stratified_folds(IRIS.target.values, 5, 3)
    assert rows_of(table_splits(IRIS, 5, seed=3)) == rows_of(splits_of_folds(folds))
    assert all(np.bincount(IRIS.target.values[folds == fold]).tolist() == [10, 10, 10] for fold in range(5))


def test_folds_of_numbers_and_of_tables_without_target_are_random():
    numbers = hb.read({"x": list(range(20)), "y": [value / 2 for value in range(20)]}, target="y")
    assert rows_of(table_splits(numbers, 4, seed=1)) == rows_of(splits_of_folds(random_folds(20, 4, 1)))
    plain = table_splits(IRIS.without_target(), 4, seed=1)
    assert rows_of(plain) == rows_of(splits_of_folds(random_folds(150, 4, 1)))


def test_a_part_without_groups_is_the_first_fold():
    assert rows_of([table_part(IRIS, 3, seed=2)]) == rows_of(table_splits(IRIS, 3, seed=2))[:1]


def test_repeats_have_other_folds():
    assert rows_of(table_splits(IRIS, 5, seed=3)) != rows_of(table_splits(IRIS, 5, seed=3, repeat=1))
    grouped = divide(VISITS, groups="patient")
    assert rows_of(table_splits(grouped, 3)) != rows_of(table_splits(grouped, 3, repeat=1))


def test_a_rare_class_gives_a_warning_unless_it_is_turned_off():
    rare = hb.read({"x": list(range(12)), "y": ["a"] * 10 + ["b"] * 2}, target="y")
    with pytest.warns(HornbeamWarning, match="fewer rows than the 4 folds"):
        loud = table_splits(rare, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rows_of(table_splits(rare, 4, warn=False)) == rows_of(loud)


def test_the_columns_of_groups_and_times_are_no_inputs_and_a_note_reports_it():
    found = divide(VISITS, groups="patient", times="visit")
    assert found.names == ("age",)
    assert found.notes[-2:] == (
        "column 'patient' divides the rows and is not an input",
        "column 'visit' divides the rows and is not an input",
    )
    assert found.division.text == "forward in time by 'visit' and by 'patient' (12 groups)"
    assert divide(found, groups="patient").division is found.division


def test_read_takes_the_names_of_the_columns():
    found = hb.read({"g": [1, 1, 2, 2], "x": [1, 2, 3, 4], "y": ["a", "b", None, "a"]}, "y", groups="g", columns=["x"])
    assert found.names == ("x",)
    assert found.division.groups.tolist() == [0, 0, 1]


def test_some_rows_of_a_divided_table_keep_their_groups_and_times():
    found = divide(VISITS, groups="patient", times="visit").take(np.array([59, 0]))
    assert found.division.groups.tolist() == [3, 0]  # the labels are sorted as text: p0, p1, p10, p11, ..
    assert found.division.times.tolist() == [11, 0]


def test_folds_by_group_have_similar_numbers_of_rows_and_classes():
    for split in table_splits(divide(VISITS, groups="patient"), 4):
        assert len(split.test) == 15
        assert 4 <= (VISITS.target.values[split.test] == 1).sum() <= 6


def test_a_part_of_a_grouped_table_is_about_the_fraction_and_never_empty():
    assert len(table_part(divide(VISITS, groups="patient"), 3).test) == 20
    two = divide(VISITS, groups=np.arange(60) // 30)
    assert len(table_part(two, 10).test) == 30


def test_the_part_in_time_has_the_latest_rows():
    split = table_part(divide(VISITS, times="visit"), 3)
    assert (split.test % 12).min() == 8
    assert (split.train % 12).max() == 7


def test_with_groups_and_times_no_training_row_is_later_or_of_a_tested_group():
    groups, times = np.arange(40) // 2, np.arange(40) // 3
    splits = table_splits(divide(VISITS.take(np.arange(40)), groups=groups, times=times), 3)
    assert len(splits) == 3
    for split in splits:
        assert times[split.train].max() < times[split.test].min()
        assert not set(groups[split.train]) & set(groups[split.test])


def test_groups_that_are_in_all_times_leave_no_training_rows():
    with pytest.raises(InputError, match="each earlier 'groups' also has test rows"):
        table_splits(divide(VISITS, groups=np.arange(60) % 2, times=np.arange(60)), 3)


def test_too_few_groups_or_times_are_an_error_with_the_largest_number():
    with pytest.raises(InputError, match=r"15 folds of whole groups require .* 'patient' has 12 .* Pass folds=12"):
        table_splits(divide(VISITS, groups="patient"), 15)
    with pytest.raises(InputError, match=r"require at least 16 distinct times; 'visit' has 12 .* Pass folds=11"):
        table_splits(divide(VISITS, times="visit"), 15)
    with pytest.raises(InputError, match="'groups' has 1 in these rows"):
        table_splits(divide(VISITS, groups=[1] * 60), 2)
    with pytest.raises(OptionError, match="folds must be an integer between 2 and 60"):
        table_splits(VISITS, 61)


def test_times_have_no_repeats():
    with pytest.raises(OptionError, match=r"the same in every repeat. Pass repeats=1"):
        table_splits(divide(VISITS, times="visit"), 3, repeat=1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"groups": [None, None, *range(58)]}, "missing in 2 of 60 rows, first in row 0"),
        ({"times": [float("nan"), *range(59)]}, "Every row must have a time"),
        ({"times": ["first", "second"] * 30}, "text such as 'first'"),
        ({"groups": [1, 2]}, "one value per row"),
        ({"groups": "pateint"}, "Did you mean 'patient'"),
        ({"groups": "ill"}, "the target 'ill' cannot divide the rows"),
    ],
)
def test_groups_and_times_that_cannot_be_used_are_named(given, message):
    with pytest.raises(InputError, match=message):
        divide(VISITS, **given)


@pytest.mark.parametrize("unit", ["D", "us"])
def test_times_may_be_dates_numbers_or_an_ordinal_column(unit):
    dates = np.datetime64("2020-01-01", unit) + np.arange(60)[::-1]
    as_dates = table_splits(divide(VISITS, times=dates), 3)
    assert rows_of(as_dates) == rows_of(table_splits(divide(VISITS, times=-np.arange(60.0)), 3))
    stages = hb.read(
        {"s": ["i", "ii", "iii"] * 4, "x": list(range(12)), "y": [1.5] * 12}, "y", kinds={"s": ["i", "ii", "iii"]}
    )
    split = table_splits(divide(stages, times="s"), 1)[0]
    assert set(split.test % 3) in ({1, 2}, {2})
