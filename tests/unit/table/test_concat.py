"""Rows of several files: a column has one type in all of them, and a column without values has any type."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import DataFileError, InputError
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


def test_patterns_and_lists_of_files_are_read_as_one_table(tmp_path):
    for name, rows in (("b", "x,y\n3,u\n"), ("a", "x,y\n1,u\n2,v\n")):
        (tmp_path / f"{name}.csv").write_text(rows)
    paths = [str(tmp_path / "a.csv"), tmp_path / "b.csv"]
    for source in (str(tmp_path / "*.csv"), paths, tuple(paths)):
        table = hb.read(source, target="y")
        assert table["x"].values.tolist() == [1, 2, 3]
        tree = hb.grow(source, "plain", target="y")
        assert hb.predict(tree, source).labels.tolist() == hb.predict(tree, table).labels.tolist()
    with pytest.raises(InputError, match=r"The file '.*a\.csv' is given more than once"):
        hb.read([str(tmp_path / "*.csv"), str(tmp_path / "a.csv")])
    with pytest.raises(DataFileError, match="No file matches"):
        hb.read(str(tmp_path / "*.parquet"))
