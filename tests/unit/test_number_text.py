"""Numbers as people read them, with the digits that matter."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hornbeam as hb
from hornbeam.number_text import count_text, cut_number_text, number_text, short_number_text, signed_text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (157_500.0, "157,500"),
        (157_512.37, "157,512"),
        (-25_000.0, "-25,000"),
        (2007.5, "2007.5"),
        (9999.9999, "10,000"),
        (43.35, "43.35"),
        (0.0, "0"),
        (-0.0, "0"),
        (0.0001, "0.0001"),
        (1.5e-05, "1.5e-05"),
        (1e15, "1e+15"),
        (math.inf, "inf"),
        (math.nan, "nan"),
    ],
)
def test_a_value_is_printed_without_an_exponent(number, text):
    assert number_text(number) == text


def test_counts_have_separators_from_a_thousand():
    assert (count_text(1204), count_text(1204.5), count_text(999.0)) == ("1,204", "1,204.5", "999")


def test_values_of_tables_have_four_digits_and_differences_a_sign():
    assert (short_number_text(0.123456), short_number_text(157_512.4)) == ("0.1235", "157,512")
    assert (signed_text(0.5), signed_text(-12_345.6), signed_text(0.0)) == ("+0.5", "-12,346", "+0")


@pytest.mark.parametrize(
    ("cut", "text"),
    [
        (206.5, "206.5"),
        (732_033.5, "732,033.5"),
        (1_234_567.5, "1,234,567.5"),
        (1_234_567_890.5, "1,234,567,890.5"),
        (0.1 + 0.2, "0.3"),
        (1.234567, "1.234567"),
        (1e22, "1e+22"),
    ],
)
def test_a_cut_keeps_the_digits_that_separate_its_values(cut, text):
    assert cut_number_text(cut) == text


@given(st.integers(-(10**12), 10**12))
def test_a_cut_between_two_integers_is_printed_between_them(left):
    printed = float(cut_number_text(left + 0.5).replace(",", ""))
    assert left < printed < left + 1


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_text_of_a_number_is_near_the_number(number):
    assert float(number_text(number).replace(",", "")) == pytest.approx(number, rel=1e-5)
    assert float(cut_number_text(number).replace(",", "")) == pytest.approx(number, rel=1.01e-6)


def test_prices_are_printed_with_separators_in_every_text_of_a_tree():
    income = np.arange(20.0) * 10_000
    table = hb.read({"income": income, "price": np.where(income < 95_000, 157_500.0, 1_250_000.0)}, "price")
    tree = hb.grow(table, "plain")
    texts = [str(tree), str(hb.explain(tree, table, 3)), hb.draw(tree, table).svg, hb.rules.extract_rules(tree).text()]
    for text in texts:
        assert "157,500" in text
        assert "95,000" in text
        assert "e+0" not in text


def test_programs_read_numbers_without_separators():
    income = np.arange(20.0) * 10_000
    table = hb.read({"income": income, "price": np.where(income < 95_000, 157_500.0, 1_250_000.0)}, "price")
    sql = hb.export(hb.extract_rules(hb.grow(table, "plain")), format="sql")
    assert "157500.0" in sql
    assert "95000.0" in sql
