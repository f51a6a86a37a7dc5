"""Which texts are numbers, dates or missing, and which are not?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbeam.table import number_grammar, texts

NUMBERS = ["5", "+5", "-5.", ".5", "1e5", "2.5E-3", " 5 ", "0", "0.5", "-0", "1e400"]
OTHERS = [
    "1_000",
    "1,000",
    "0x10",
    "5 mg",
    "inf",
    "nan",
    "٣",
    "５",
    "",
    " ",
    ".",
    "e5",
    "1e",
    "5\n",
    "1 000",
    "--5",
    "1.2.3",
]


@pytest.mark.parametrize("text", NUMBERS)
def test_these_texts_are_numbers(text):
    assert number_grammar.parse_numbers([text]).tolist() == [float(text)]
    assert number_grammar.are_numbers([text]).all()


@pytest.mark.parametrize("text", OTHERS)
def test_these_texts_are_not_numbers(text):
    assert number_grammar.parse_numbers([text]) is None
    assert number_grammar.parse_numbers(["1", text]) is None
    assert not number_grammar.are_numbers([text]).any()


@given(st.lists(st.text(alphabet="0123456789+-.eE _x\n٣", max_size=6), max_size=5))
def test_the_quick_check_of_all_texts_agrees_with_the_rule_for_each(given_texts):
    assert (number_grammar.parse_numbers(given_texts) is not None) == number_grammar.are_numbers(given_texts).all()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_a_double_written_out_comes_back_to_the_last_bit(values):
    assert number_grammar.parse_numbers([repr(value) for value in values]).tolist() == values


@pytest.mark.parametrize(
    ("text", "number"), [("1,5", 1.5), ("-,5", -0.5), ("2e3", 2000.0), ("1.5", None), ("1.000,5", None)]
)
def test_with_a_decimal_comma_a_point_makes_no_number(text, number):
    found = number_grammar.parse_numbers([text], ",")
    assert found is None if number is None else found.tolist() == [number]


@pytest.mark.parametrize(
    ("text", "is_code"), [("007", True), ("-01", True), ("00", True), ("0", False), ("0.7", False), ("10", False)]
)
def test_a_leading_zero_makes_a_code(text, is_code):
    assert number_grammar.first_code(["5", text]) == (text if is_code else None)


@pytest.mark.parametrize("value", [2**53 + 1, 10**17 + 1, -(2**60) - 1, 10**400])
def test_whole_numbers_that_a_double_rounds_are_found(value):
    sure = ["1", str(2**53), "1234567890123456", "0.12345678901234567890"]
    assert number_grammar.first_inexact([*sure, str(value) if value < 10**300 else "1" + "0" * 400]) is not None
    assert number_grammar.first_inexact(sure) is None


@pytest.mark.parametrize(
    "text", ["2020-01-31", "31/01/2020", "31.1.2020", "1/2/20", "2020-01-31 12:30:00", "2020-01-31T12:30Z"]
)
def test_these_texts_look_like_dates(text):
    assert texts.are_dates([text])


@pytest.mark.parametrize("text", ["2020", "1-2", "31/01-2020", "192.168.1.1", "2020-01-31x"])
def test_these_texts_do_not_look_like_dates(text):
    assert not texts.are_dates([text])


def test_iso_dates_are_days_since_1970():
    # date(2020, 1, 1).toordinal() - date(1970, 1, 1).toordinal() = 18262
    np.testing.assert_array_equal(texts.days_of(["1970-01-01", "2020-01-01", "2020-01-01 12:00Z"]), [0, 18262, 18262.5])
    assert texts.days_of(["2020-02-30"]) is None
    assert texts.days_of(["31/01/2020"]) is None
