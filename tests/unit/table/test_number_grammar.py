"""Texts that are numbers: the pattern, the fast parser and the SQL condition agree."""

import re

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbeam.table import number_grammar

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
def test_the_fast_check_of_all_texts_agrees_with_the_pattern(given_texts):
    assert (number_grammar.parse_numbers(given_texts) is not None) == number_grammar.are_numbers(given_texts).all()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_the_repr_of_a_float_is_parsed_to_the_same_bits(values):
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
def test_integers_that_float64_rounds_are_found(value):
    sure = ["1", str(2**53), "1234567890123456", "0.12345678901234567890"]
    assert number_grammar.first_inexact([*sure, str(value) if value < 10**300 else "1" + "0" * 400]) is not None
    assert number_grammar.first_inexact(sure) is None


SIMPLE = ["0", "5", "-5.25", "1e5", "2.5E-3", "-0.0", "123456789012345", "9e9"]
NOT_SIMPLE = [
    "+5",
    " 5",
    "5 ",
    "007",
    "-01",
    ".5",
    "5.",
    "1234567890123456",
    "1e100",
    "1_000",
    "nan",
    "inf",
    "1,5",
    "5\t",
    "",
]


@pytest.mark.parametrize("text", SIMPLE)
def test_a_simple_number_is_an_exact_number_and_no_code(text):
    assert re.fullmatch(number_grammar.SIMPLE_NUMBER, text)
    assert number_grammar.are_numbers([text]).all()
    assert number_grammar.first_code([text]) is None
    assert number_grammar.first_inexact([text]) is None


@pytest.mark.parametrize("text", NOT_SIMPLE)
def test_these_texts_are_no_simple_numbers(text):
    assert not re.fullmatch(number_grammar.SIMPLE_NUMBER, text)


@pytest.mark.parametrize(("text", "matches"), [("1,5", True), ("-3", True), ("1.5", False), ("007,5", False)])
def test_a_decimal_comma_has_a_pattern_of_its_own(text, matches):
    assert bool(re.fullmatch(number_grammar.simple_pattern(","), text)) == matches


def accepted_by_sql(texts):
    condition = number_grammar.is_simple_sql("t")
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT {condition} FROM (SELECT unnest(?) AS t)", [texts]).fetchall()
    return [row[0] for row in rows]


def test_the_sql_condition_accepts_all_simple_numbers_below_the_limit():
    assert accepted_by_sql(SIMPLE) == [True] * len(SIMPLE)


@pytest.mark.parametrize("text", [*NUMBERS, *OTHERS, *NOT_SIMPLE])
def test_a_text_that_the_sql_condition_accepts_is_an_exact_number(text):
    if accepted_by_sql([text])[0]:
        assert number_grammar.are_numbers([text]).all()
        assert number_grammar.first_code([text]) is None
        assert number_grammar.first_inexact([text]) is None
        assert np.isfinite(number_grammar.parse_number(text))


@given(st.lists(st.from_regex(number_grammar.SIMPLE_NUMBER, fullmatch=True), min_size=1, max_size=5))
def test_python_and_sql_parse_simple_numbers_alike(texts):
    with duckdb.connect() as connection:
        rows = connection.execute("SELECT t::DOUBLE FROM (SELECT unnest(?) AS t)", [texts]).fetchall()
    assert [row[0] for row in rows] == number_grammar.parse_numbers(texts).tolist()
