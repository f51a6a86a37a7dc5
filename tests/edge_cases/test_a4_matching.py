"""Bad and odd inputs, part A4: new rows at predict time. One line an item; the id is the item's number."""

import collections
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from hornbeam.errors import HornbeamWarning, InputError
from hornbeam.table import UNSEEN, match_columns, read, table_from_arrays

FRAME = pd.DataFrame({"age": [61.0, 58.0, 70.0], "stage": ["T1", "T2", "T1"], "smokes": [True, False, True]})
SCHEMA = read(FRAME.assign(y=["p", "q", "p"]), "y").schema
ARRAY = np.arange(12.0).reshape(4, 3)
NUMBERS = table_from_arrays(ARRAY).schema
CODES = [[61.0, 58.0, 70.0], [0, 1, 0], [1, 0, 1]]


def values(table):
    return [column.values.tolist() for column in table.columns]


@pytest.mark.parametrize("rows", [np.empty((0, 3)), pd.DataFrame({"x0": [], "x1": [], "x2": []})])
def test_142_no_rows_are_no_rows(rows):
    table = match_columns(NUMBERS, rows)
    assert len(table) == 0
    assert [column.values.dtype for column in table.columns] == [np.float64] * 3


def test_143_missing_columns_are_named():
    with pytest.raises(InputError, match="missing from the new rows: 'stage', 'smokes'"):
        match_columns(SCHEMA, FRAME[["age"]])


def test_144_an_array_of_more_columns_is_refused_with_both_numbers():
    with pytest.raises(InputError, match=r"must have 3 column\(s\) .*, got 6"):
        match_columns(NUMBERS, np.zeros((2, 6)))


def test_145_columns_too_many_are_ignored_with_one_warning():
    with pytest.warns(HornbeamWarning, match="'more', 'other'") as caught:
        assert values(match_columns(SCHEMA, FRAME.assign(more=1, other=2))) == CODES
    assert len(caught) == 1


def test_145_the_target_is_no_column_too_many():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert values(match_columns(SCHEMA, FRAME.assign(y=["p", "q", "p"]))) == CODES


@pytest.mark.parametrize(
    "make",
    [
        lambda frame: frame,
        pl.DataFrame,
        pa.table,
        lambda frame: frame.to_dict("list"),
        lambda frame: frame.to_dict("records"),
        read,
    ],
    ids=["pandas", "polars", "pyarrow", "dict", "dicts", "table"],
)
def test_146_columns_in_another_order_are_matched_by_name(make):
    assert values(match_columns(SCHEMA, make(FRAME[["smokes", "stage", "age"]]))) == CODES


def test_147_a_renamed_column_is_refused_with_both_names():
    with pytest.raises(
        InputError, match=r"missing from the new rows: 'stage'.*Columns that the model does not have: 'stagee'"
    ) as caught:
        match_columns(SCHEMA, FRAME.rename(columns={"stage": "stagee"}))
    assert "Did you mean 'stagee'" in caught.value.hint


def test_148_an_array_after_a_frame_is_matched_by_position_with_a_warning():
    with pytest.warns(HornbeamWarning, match="by position"):
        assert values(match_columns(SCHEMA, FRAME.to_numpy(dtype=object))) == CODES


def test_149_a_frame_after_an_array_needs_the_default_names():
    assert values(match_columns(NUMBERS, pd.DataFrame(ARRAY, columns=["x0", "x1", "x2"]))) == ARRAY.T.tolist()
    with pytest.raises(InputError, match="missing from the new rows: 'x0', 'x1', 'x2'"):
        match_columns(NUMBERS, pd.DataFrame(ARRAY, columns=["a", "b", "c"]))


@pytest.mark.parametrize("make", [lambda v: pd.Series(v), lambda v: pl.Series(v), lambda v: v])
def test_150_a_number_that_is_now_text_is_refused_with_its_row(make):
    with pytest.raises(InputError, match="'age' is numeric in the model, but row 1 contains the text '5'"):
        match_columns(SCHEMA, {"age": make([None, "5", "6"]), "stage": ["T1"] * 3, "smokes": [True] * 3})


def test_151_a_category_that_is_now_numbers_is_refused():
    with pytest.raises(
        InputError, match="'stage' has levels such as 'T1' in the model, but row 0 contains the number 1"
    ):
        match_columns(SCHEMA, FRAME.assign(stage=[1, 2, 1]))


@pytest.mark.parametrize(
    "stage",
    [
        pd.Categorical(["T1", "T2", "T1"], categories=["T2", "T1"]),
        pd.Categorical(["T1", "T2", "T1"], categories=["T0", "T2", "T1"], ordered=True),
        np.array(["T1", "T2", "T1"]),
    ],
    ids=["152 other codes", "152 more levels", "153 plain texts"],
)
def test_152_153_levels_are_matched_by_value(stage):
    assert values(match_columns(SCHEMA, FRAME.assign(stage=stage))) == CODES


def test_154_an_unseen_level_is_coded_as_unseen():
    assert match_columns(SCHEMA, FRAME.assign(stage=["T1", "T9", None]))["stage"].values.tolist() == [0, UNSEEN, -1]


def test_154_an_unseen_number_is_unseen_where_levels_are_numbers():
    schema = read({"grade": [1, 2, 3]}, kinds={"grade": "ordinal"}).schema
    assert match_columns(schema, {"grade": [3, 7, None, 1]})["grade"].values.tolist() == [2, UNSEEN, -1, 0]


@pytest.mark.parametrize("empty", [None, np.nan])
def test_156_missing_where_training_had_none_is_missing(empty):
    table = match_columns(SCHEMA, {"age": [empty], "stage": [empty], "smokes": [empty]})
    assert np.isnan(table["age"].values[0])
    assert table["stage"].values.tolist() == table["smokes"].values.tolist() == [-1]


def test_157_an_infinite_number_is_refused_or_ordered():
    rows = np.array([[1.0, 2.0, np.inf]])
    with pytest.raises(InputError, match="'x2', row 0, must be finite"):
        match_columns(NUMBERS, rows)
    assert match_columns(NUMBERS, rows, infinite="ordered")["x2"].values.tolist() == [np.inf]


def test_158_a_float32_copy_has_the_values_of_its_floats():
    assert values(match_columns(NUMBERS, ARRAY.astype(np.float32))) == ARRAY.T.tolist()


Point = collections.namedtuple("Point", ["x0", "x1", "x2"])
ONE_ROW = {
    "1-D": (np.array([1.0, 2.0, 3.0]), r"X\.reshape\(1, -1\)"),
    "list": ([1.0, 2.0, 3.0], r"\[X\] for a single row"),
    "Series": (pd.Series([1.0, 2.0, 3.0]), r"frame\.iloc\[\[i\]\]"),
    "namedtuple": (Point(1.0, 2.0, 3.0), r"\[row\._asdict\(\)\]"),
}


@pytest.mark.parametrize("item", ONE_ROW)
def test_160_one_row_is_refused_with_the_call_to_use(item):
    row, message = ONE_ROW[item]
    with pytest.raises(InputError, match=message):
        match_columns(NUMBERS, row)


def test_160_a_dict_of_single_values_is_one_row():
    assert values(match_columns(SCHEMA, {"age": 61.0, "stage": "T2", "smokes": False})) == [[61.0], [1], [0]]


def test_161_blocks_of_rows_give_the_same_as_all():
    whole = match_columns(NUMBERS, ARRAY)
    parts = [match_columns(NUMBERS, ARRAY[:1]), match_columns(NUMBERS, ARRAY[1:])]
    for place, column in enumerate(whole.columns):
        joined = np.concatenate([part.columns[place].values for part in parts])
        np.testing.assert_array_equal(column.values, joined)


def test_the_target_is_matched_when_requested():
    table = match_columns(SCHEMA, FRAME.assign(y=["q", "new", None]), with_target=True)
    assert table.target.values.tolist() == [1, UNSEEN, -1]
    with pytest.raises(InputError, match="Unknown column 'y'"):
        match_columns(SCHEMA, FRAME, with_target=True)


def test_a_table_matched_once_may_be_matched_again():
    """The codes for unseen and missing are no places in the list of levels."""
    once = match_columns(SCHEMA, FRAME.assign(stage=["T1", "T9", None]))
    assert once["stage"].values.tolist() == [0, UNSEEN, -1]
    assert values(match_columns(SCHEMA, once)) == values(once)
    other = read(FRAME.assign(stage=["T2", "T1", "T0"], y=["p", "q", "p"]), "y").schema
    assert match_columns(other, once)["stage"].values.tolist() == [1, UNSEEN, -1]
