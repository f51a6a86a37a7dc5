"""Rows of several files: a column has one type in all of them, and a column without values has any type."""

from __future__ import annotations

import numpy as np
import pytest

from hornbeam.errors import InputError
from hornbeam.table.concat import concatenate
from hornbeam.table.raw import RawColumn, RawTable

NUMBERS = RawColumn("c", np.array([1.0, np.nan]))
NO_NUMBERS = RawColumn("c", np.full(2, np.nan))
TEXTS = RawColumn("c", codes=np.array([0, 1], dtype=np.int32), distinct=("a", "b"), from_text=True)
NO_TEXTS = RawColumn("c", codes=np.array([0, -1], dtype=np.int32), distinct=("",), from_text=True)


def joined(*columns):
    (found,) = concatenate([RawTable((column,), f"file {number}") for number, column in enumerate(columns)]).columns
    return found


@pytest.mark.parametrize("empty", [NO_NUMBERS, NO_TEXTS], ids=["numbers", "texts"])
def test_a_column_without_values_has_the_type_of_the_others(empty):
    assert np.array_equal(joined(empty, NUMBERS).numbers, [np.nan, np.nan, 1, np.nan], equal_nan=True)
    assert np.array_equal(joined(NUMBERS, empty).numbers, [1, np.nan, np.nan, np.nan], equal_nan=True)
    found = joined(empty, TEXTS, empty)
    assert found.numbers is None
    assert [found.distinct[code] or None if code >= 0 else None for code in found.codes] == [
        *[None] * 2,
        "a",
        "b",
        *[None] * 2,
    ]


def test_numbers_and_texts_are_rejected_with_both_files():
    with pytest.raises(InputError, match="Column 'c' is numeric in 'file 0' and text in 'file 1'"):
        joined(NUMBERS, TEXTS, NO_NUMBERS)
