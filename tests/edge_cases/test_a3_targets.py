"""Bad and odd inputs, part A3: targets. One line an item; the id is the item's number."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from hornbeam.errors import HornbeamWarning, InputError
from hornbeam.table import Kind, read, table_from_arrays

ROWS = np.arange(60.0).reshape(-1, 1)
THREE = ROWS[:3]


def test_096_without_a_target_there_is_a_table_without_one():
    assert table_from_arrays(ROWS).target is None


@pytest.mark.parametrize("length", [59, 61])
def test_097_a_target_of_another_length_is_refused_with_both(length):
    with pytest.raises(InputError, match=f"same number of rows, got 60 and {length}"):
        table_from_arrays(ROWS, np.zeros(length))


@pytest.mark.parametrize("y", [["a", None, "b"], [1.0, np.nan, 0.0], pd.Series(["a", None, "b"])])
def test_098_a_missing_class_is_refused_with_its_row_or_dropped_and_counted(y):
    with pytest.raises(InputError, match="first in row 1"):
        table_from_arrays(THREE, y, target_kind="nominal")
    table = table_from_arrays(THREE, y, target_kind="nominal", missing_target="drop")
    assert table["x0"].values.tolist() == [0.0, 2.0]
    assert "1 row(s) with a missing target" in table.notes[0]


def test_098_reading_drops_rows_without_a_target_and_reports_it():
    table = read({"a": [1, 2, 3], "y": ["p", None, "q"]}, "y")
    assert len(table) == 2
    assert "1 row(s) with a missing target" in table.notes[0]


def test_098_a_target_missing_everywhere_is_refused():
    with pytest.raises(InputError, match=r"missing .* 2 of 2 rows"):
        read({"a": [1, 2], "y": [None, None]}, "y")


def test_099_an_infinite_number_as_target_is_refused_with_its_row():
    with pytest.raises(InputError, match="must be finite, got inf in row 2"):
        table_from_arrays(THREE, [1.0, 2.0, np.inf], target_kind="numeric", infinite="ordered")
    with pytest.raises(InputError, match="must be finite, got inf in row 2"):
        read({"a": [1, 2, 3], "y": [1.0, 2.0, np.inf]}, "y", infinite="ordered")


def test_100_a_continuous_target_is_no_class():
    with pytest.raises(InputError, match="looks continuous, 60 distinct of 60"):
        table_from_arrays(ROWS, ROWS[:, 0] + 0.5, target_kind="nominal")


CLASSES = {
    "texts": (["b", "a", "b"], ("a", "b")),
    "text array": (np.array(["b", "a", "b"]), ("a", "b")),
    "true and false": (np.array([True, False, True]), (False, True)),
    "labels 5 and 9": (np.array([9, 5, 9]), (5, 9)),
    "negative": ([1, -1, 1], (-1, 1)),
    "whole floats": (np.array([2.0, 1.0, 2.0]), (1.0, 2.0)),
    "ids beyond doubles": (np.array([2**53 + 1, 2**53, 2**53 + 1]), (2**53, 2**53 + 1)),
    "pandas category": (pd.Series(["b", "a", "b"], dtype="category"), ("a", "b")),
    "polars": (pl.Series(["b", "a", "b"]), ("a", "b")),
}


@pytest.mark.parametrize("item", CLASSES)
def test_101_classes_are_the_values_given(item):
    y, levels = CLASSES[item]
    target = table_from_arrays(THREE, y, target_kind="nominal").target
    assert target.kind is Kind.NOMINAL
    assert target.levels == levels
    assert [type(level) for level in target.levels] == [type(level) for level in levels]
    assert target.values.tolist() == [1, 0, 1]


def test_102_a_target_of_mixed_types_is_refused_with_both():
    with pytest.raises(InputError, match="numbers and text: 1 in row 0, 'a' in row 1"):
        table_from_arrays(THREE, [1, "a", 1])


def test_103_a_target_of_one_column_is_taken_with_a_warning():
    with pytest.warns(HornbeamWarning, match="A column-vector y was passed when a 1d array was expected"):
        assert table_from_arrays(THREE, np.array([[0], [1], [1]]), target_kind="nominal").target.values.tolist() == [
            0,
            1,
            1,
        ]
    with pytest.raises(InputError, match=r"shape \(3, 2\)"):
        table_from_arrays(THREE, np.zeros((3, 2)))


@pytest.mark.parametrize("y", [["a"] * 3, [True] * 3, np.zeros(3, dtype=int)])
def test_104_one_class_is_one_level(y):
    assert len(table_from_arrays(THREE, y, target_kind="nominal").target.levels) == 1


def test_199_an_unknown_target_is_refused_with_the_nearest_name():
    with pytest.raises(InputError, match="Did you mean 'outcome'"):
        read({"outcome": [1, 2], "a": [1, 2]}, "outcme")


def test_a_numeric_target_stays_numeric():
    assert table_from_arrays(THREE, [1.5, 2.5, 3.5], target_kind="numeric").target.values.tolist() == [1.5, 2.5, 3.5]
