"""Bad and odd inputs, part A2: values and weights. One line an item; the id is the item's number."""

import numpy as np
import pandas as pd
import pytest

from hornbeam.errors import InputError
from hornbeam.table import Kind, read, table_from_arrays
from hornbeam.table.remarks import ALL_MISSING, CONSTANT

ROWS = np.array([[1.0], [2.0], [3.0]])


def test_061_nan_is_missing():
    assert read([[1.0], [float("nan")]])["x0"].is_missing.tolist() == [False, True]


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_062_infinite_numbers_are_refused_with_column_and_row(value):
    with pytest.raises(InputError, match="Column 'x1', row 1, must be finite") as caught:
        read(np.array([[1.0, 2.0], [3.0, value]]))
    assert (caught.value.details["column"], caught.value.details["row"]) == ("x1", 1)


def test_062_infinite_numbers_can_be_declared_ordered():
    assert read([[1.0], [np.inf]], infinite="ordered")["x0"].values.tolist() == [1.0, np.inf]


KEPT = {
    "063 large": [1e300, 1e39],
    "064 denormal": [1e-310, 3e-310],
    "065 adjacent": [1.0, np.nextafter(1.0, 2.0)],
    "066 zeros": [-0.0, 0.0],
    "067 extremes": [-np.finfo(float).max, np.finfo(float).max],
    "float32 could not": [16777216.0, 16777217.0],
}


@pytest.mark.parametrize("item", KEPT)
@pytest.mark.parametrize(
    "make", [lambda v: np.array([v]).T, lambda v: [[x] for x in v], lambda v: pd.DataFrame({"x0": v})]
)
def test_doubles_are_kept_to_the_last_bit(item, make):
    assert read(make(KEPT[item]))["x0"].values.tolist() == KEPT[item]


@pytest.mark.parametrize("values", [[np.nan, np.nan], [None, None], pd.Series([None, None], dtype="category")])
def test_068_a_column_all_missing_is_read_and_named(values):
    assert ALL_MISSING in read({"a": values, "b": [1, 2]})["a"].notes


@pytest.mark.parametrize("values", [[1, 1, 1], ["a", "a", None], [2.5, None, 2.5], [True, True, True]])
def test_069_074_a_constant_column_is_read_and_named(values):
    assert CONSTANT in read({"a": values})["a"].notes


def test_072_very_many_distinct_texts_are_read():
    texts = [f"k{number}" for number in range(100_000)]
    assert len(read({"a": texts})["a"].levels) == 100_000


def test_075_words_for_missing_are_ordinary_levels_in_python():
    words = ["", " ", "NA", "nan", "None", "inf"]
    for source in ({"a": words}, pd.DataFrame({"a": words})):
        assert read(source)["a"].levels == tuple(sorted(words))


def test_075_words_for_missing_can_be_given():
    column = read({"a": ["x", "NA", "y"]}, na_values=["NA"])["a"]
    assert column.values.tolist() == [0, -1, 1]
    assert "read as missing: 1 x 'NA'" in column.notes


def test_076_a_declared_level_that_is_a_missing_word_is_refused():
    series = pd.Series(pd.Categorical(["NA", "lo"], categories=["NA", "lo"], ordered=True))
    with pytest.raises(InputError, match="level 'NA', which is also one of na_values"):
        read({"a": series}, na_values=["NA"])


@pytest.mark.parametrize("pair", [("yes", "Yes"), ("a", "a "), ("é", "e\u0301")])
def test_077_levels_that_look_alike_stay_apart_and_it_is_reported(pair):
    column = read({"a": [*pair, "other"]})["a"]
    assert len(column.levels) == 3
    assert "similar levels" in column.notes[0]


def test_078_a_level_of_a_million_characters_is_read():
    assert len(read({"a": ["x" * 1_000_000, "y"]})["a"].levels[0]) == 1_000_000


def test_079_number_like_levels_stay_apart():
    assert read({"a": ["01", "1", "01"]})["a"].levels == ("01", "1")


@pytest.mark.parametrize("source", [{"a": ["ok", "bad\udc80"]}, np.array([["ok"], ["bad\udc80"]], dtype=object)])
def test_080_a_lone_surrogate_is_refused_with_column_and_row(source):
    with pytest.raises(InputError, match="row 1, cannot be encoded as UTF-8"):
        read(source)


def test_088_rows_of_weight_zero_are_counted():
    assert "1 row(s) with weight zero" in table_from_arrays(ROWS, [0, 1, 1], [0, 1, 2]).notes[0]


WRONG_WEIGHTS = {
    "089 all zero": ([0, 0, 0], "At least one weight must be above 0"),
    "090 negative": ([1, -2.5, 1], r"row 1 must be at least 0, got -2\.5"),
    "091 NaN": ([1, 1, np.nan], "row 2 must be finite, got nan"),
    "091 inf": ([np.inf, 1, 1], "row 0 must be finite, got inf"),
    "094 length": ([1, 1], r"shape \(3,\), got shape \(2,\)"),
    "094 two dimensions": ([[1], [1], [1]], r"got shape \(3, 1\)"),
    "094 texts": (["1", "1", "1"], "must be numbers"),
    "094 text objects": (np.array([1, "1", 1], dtype=object), "must be numbers"),
    "094 a single number": (2.0, r"got shape \(\)"),
}


@pytest.mark.parametrize("item", WRONG_WEIGHTS)
def test_wrong_weights_are_refused_with_the_row(item):
    weights, message = WRONG_WEIGHTS[item]
    with pytest.raises(InputError, match=message):
        table_from_arrays(ROWS, [0, 1, 1], weights)


@pytest.mark.parametrize("weights", [[1e-300] * 3, [1e300] * 3, np.array([1, 2, 3], dtype=object), [True, True, False]])
def test_092_095_weights_of_any_size_and_type_of_number_are_taken(weights):
    assert table_from_arrays(ROWS, [0, 1, 1], weights).weights.tolist() == [float(weight) for weight in weights]


def test_weights_may_be_a_column():
    table = read({"a": [1, 2], "w": [0.5, 2]}, weights="w")
    assert table.names == ("a",)
    assert table.weights.tolist() == [0.5, 2.0]


def test_a_text_column_of_an_array_is_nominal_next_to_a_numeric_one():
    table = read([[1, "x"], [2.5, "y"]])
    assert [column.kind for column in table.columns] == [Kind.NUMERIC, Kind.NOMINAL]
