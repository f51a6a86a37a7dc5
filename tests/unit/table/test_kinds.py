"""The kind of a column is decided from all its values, with the reason."""

import numpy as np
import pytest

from hornbeam.errors import InputError, OptionError
from hornbeam.table import Kind
from hornbeam.table.coding import encode_values, raw_from_values
from hornbeam.table.kinds import DEFAULT_NA_VALUES, decide_kind
from hornbeam.table.raw import RawColumn
from hornbeam.table.remarks import AN_ID, DATES, FREE_TEXT


def from_file(cells, name="a", **more):
    codes, texts = encode_values(name, cells)
    return RawColumn(name, codes=codes, distinct=texts, from_text=True, **more)


def test_a_file_column_of_numbers_is_numeric():
    column = decide_kind(from_file(["1", "2.5", "NA", " 3 ", ""]), None, DEFAULT_NA_VALUES)
    assert column.kind is Kind.NUMERIC
    np.testing.assert_array_equal(column.values, [1, 2.5, np.nan, 3, np.nan])
    assert column.why == "all values are numbers"
    assert column.notes == ("read as missing: 1 x 'NA', 1 x ''",)


@pytest.mark.parametrize("word", DEFAULT_NA_VALUES)
def test_each_default_na_value_is_missing_in_a_file(word):
    assert decide_kind(from_file(["a", word]), None, DEFAULT_NA_VALUES).values.tolist() == [0, -1]


@pytest.mark.parametrize("word", [".", "-999", "none", "na", "-"])
def test_no_other_text_is_missing(word):
    assert not decide_kind(from_file(["1", word]), "nominal", DEFAULT_NA_VALUES).is_missing.any()


@pytest.mark.parametrize("odd", ["1_000", "0x10", "5 mg", "٣", "５", "inf", "x"])
def test_one_text_that_is_no_number_makes_the_column_nominal_and_is_the_reason(odd):
    column = decide_kind(from_file(["1", "2", odd]))
    assert column.kind is Kind.NOMINAL
    assert "in row 2 is not a number" in column.why


def test_codes_with_leading_zeros_stay_text():
    column = decide_kind(from_file(["007", "7", "12"]))
    assert column.levels == ("007", "7", "12")
    assert "'007' has a leading zero" in column.why


def test_integers_that_would_be_rounded_stay_text():
    column = decide_kind(from_file(["9007199254740993", "9007199254740992"]))
    assert column.levels == ("9007199254740992", "9007199254740993")
    assert "too large for float64" in column.notes[0]


def test_a_decimal_comma_is_read_on_request():
    assert decide_kind(from_file(["1,5", "2"]), decimal=",").values.tolist() == [1.5, 2.0]
    assert decide_kind(from_file(["1,5", "2"])).kind is Kind.NOMINAL


def test_texts_of_frames_that_look_like_dates_stay_text_unless_declared():
    column = decide_kind(raw_from_values("a", ["2020-01-01", "1970-01-02"]))
    assert column.kind is Kind.NOMINAL
    assert DATES in column.notes
    dates = decide_kind(raw_from_values("a", ["2020-01-01", "1970-01-02"]), "date")
    assert dates.values.tolist() == [18262.0, 1.0]
    assert dates.spec.is_date
    with pytest.raises(InputError, match=r"row 1, must be a date \(YYYY-MM-DD\), got 'soon'"):
        decide_kind(raw_from_values("a", ["2020-01-01", "soon"]), "date")


def test_an_id_is_recognized():
    assert AN_ID in decide_kind(from_file([f"p{n}" for n in range(20)])).notes
    assert AN_ID in decide_kind(raw_from_values("patient_id", list(range(20)))).notes
    assert AN_ID not in decide_kind(raw_from_values("age", list(range(20)))).notes
    assert AN_ID not in decide_kind(raw_from_values("covid", [n + 0.5 for n in range(20)])).notes


def test_free_text_is_recognized():
    cells = [f"patient {n} came in with a cough" for n in range(20)]
    assert FREE_TEXT in decide_kind(from_file(cells)).notes


def test_levels_are_sorted_by_code_point_and_numbers_by_value():
    assert decide_kind(from_file(["b", "B", "a"])).levels == ("B", "a", "b")
    assert decide_kind(from_file(["10", "9", "1"]), "nominal").levels == ("1", "9", "10")
    assert decide_kind(raw_from_values("a", [10.5, 9, 1]), "ordinal").levels == (1, 9, 10.5)


@pytest.mark.parametrize("wanted", [["lo", "mid", "hi"], "lo<mid<hi"])
def test_an_order_of_levels_can_be_requested(wanted):
    column = decide_kind(from_file(["hi", "lo", "?"]), wanted, DEFAULT_NA_VALUES)
    assert column.kind is Kind.ORDINAL
    assert column.levels == ("lo", "mid", "hi")
    assert column.values.tolist() == [2, 0, -1]


def test_a_value_outside_the_requested_levels_is_an_error_with_its_row():
    with pytest.raises(InputError, match=r"row 1, must be one of its levels .* got 'high'"):
        decide_kind(from_file(["lo", "high"]), ["lo", "hi"])


def test_levels_declared_by_the_source_are_kept_with_those_that_no_row_has():
    raw = from_file(["rain", "sunny"], declared=Kind.NOMINAL, levels=("sunny", "overcast", "rain"))
    column = decide_kind(raw)
    assert column.levels == ("sunny", "overcast", "rain")
    assert column.values.tolist() == [2, 0]
    assert column.why == "declared by the source"


def test_text_in_a_column_declared_numeric_is_an_error_with_its_row():
    with pytest.raises(InputError, match="row 1, must be a number, got 'x'"):
        decide_kind(from_file(["1", "x"], declared=Kind.NUMERIC))


def test_an_unknown_kind_is_an_error_with_the_nearest():
    with pytest.raises(OptionError, match="Did you mean 'nominal'"):
        decide_kind(from_file(["1"]), "nominl")


def test_a_requested_kind_has_priority_over_a_declared_one():
    raw = RawColumn("a", codes=np.array([0, 1], dtype=np.int32), distinct=(1, 2), declared=Kind.NOMINAL)
    assert decide_kind(raw).kind is Kind.NOMINAL
    assert decide_kind(raw, "numeric").values.tolist() == [1.0, 2.0]


def test_values_that_no_row_has_do_not_count():
    raw = RawColumn("a", codes=np.array([0, 0], dtype=np.int32), distinct=("1", "x"), from_text=True)
    assert decide_kind(raw).kind is Kind.NUMERIC


def test_small_integers_are_coded_as_sorted_ones():
    rng = np.random.default_rng(3)
    for numbers in (rng.integers(0, 7, 50).astype(float), np.array([3.0, np.nan, 0.0, 3.0]), np.array([5.5, 2.0, 5.5])):
        known = ~np.isnan(numbers)
        distinct, places = np.unique(numbers[known], return_inverse=True)
        column = decide_kind(RawColumn("y", numbers=numbers), "nominal")
        assert column.levels == tuple(distinct.tolist())
        assert column.values[known].tolist() == places.tolist()
        assert (column.values[~known] == -1).all()
