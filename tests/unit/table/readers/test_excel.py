"""Spreadsheets: saved values, kinds as in a CSV file, one named sheet or the only one with data."""

from __future__ import annotations

import sys
import zipfile

import numpy as np
import pytest
from tests.unit.table.readers.spreadsheets import Cell, workbook

from hornbeam.errors import DataFileError, InputError, OptionError
from hornbeam.table.column import Kind
from hornbeam.table.read import read

pytest.importorskip("python_calamine")

HEAD = ["age", "stage", "code", "outcome"]
ROWS = [HEAD, [61, "T1", "007", "good"], [58.5, "T2", "011", "poor"], [None, None, "007", "good"]]


def test_a_sheet_becomes_a_table(tmp_path):
    table = read(workbook(tmp_path / "book.xlsx", {"Patients": ROWS}), "outcome")
    assert table.names == ("age", "stage", "code")
    assert table["age"].kind is Kind.NUMERIC
    np.testing.assert_array_equal(table["age"].values, [61, 58.5, np.nan])
    assert [table["stage"].shown_value(row) for row in range(3)] == ["T1", "T2", "missing"]
    assert table["code"].levels == ("007", "011")  # leading zeros stay text (A5/180)
    assert table.target.levels == ("good", "poor")


def test_the_same_cells_in_a_csv_file_give_the_same_table(tmp_path):
    rows = [["a", "b", "c"], [1, "x", "NA"], [2.5, "NA", 3], [None, "y", 4]]
    (tmp_path / "same.csv").write_text("a,b,c\n1,x,NA\n2.5,NA,3\n,y,4\n", encoding="utf-8")
    one, two = read(workbook(tmp_path / "same.xlsx", {"s": rows})), read(tmp_path / "same.csv")
    for left, right in zip(one.columns, two.columns, strict=True):
        assert (left.kind, left.levels) == (right.kind, right.levels)
        np.testing.assert_array_equal(left.values, right.values)


def test_a_sheet_is_named_after_two_colons_and_empty_ones_need_not_be_counted(tmp_path):
    path = workbook(tmp_path / "book.xlsx", {"Sheet1": [], "Data": ROWS, "Sheet3": []})
    assert len(read(path)) == 3
    path = workbook(tmp_path / "two.xlsx", {"old": ROWS, "new": ROWS[:3]})
    assert len(read(f"{path}::new")) == 2
    with pytest.raises(OptionError, match="contains 2 sheets; one must be named") as caught:
        read(path)
    assert "old, new" in caught.value.hint
    with pytest.raises(DataFileError, match="Unknown sheet 'neww'") as caught:
        read(f"{path}::neww")
    assert "new" in caught.value.hint


def test_203_formulas_give_their_saved_values_and_errors_are_missing(tmp_path):
    saved = Cell("<c><f>1+1</f><v>2</v></c>")
    broken = Cell('<c t="e"><f>1/0</f><v>#DIV/0!</v></c>')
    outside = Cell("<c><f>[1]Sheet1!$A$1</f><v>7</v></c>")
    table = read(workbook(tmp_path / "book.xlsx", {"s": [["x"], [saved], [broken], [outside]]}))
    np.testing.assert_array_equal(table["x"].values, [2, np.nan, 7])


def test_203_merged_cells_are_an_error(tmp_path):
    with pytest.raises(DataFileError, match="the cells A2:A3 of the sheet 's' are merged"):
        read(workbook(tmp_path / "book.xlsx", {"s": ROWS}, merged="A2:A3"))


def test_dates_and_booleans_keep_their_types(tmp_path):
    day = Cell('<c s="1"><v>43831</v></c>')  # 2020-01-01, counted in days from 1899-12-30
    rows = [["day", "sick"], [day, True], [Cell('<c s="1"><v>43833</v></c>'), False]]
    table = read(workbook(tmp_path / "book.xlsx", {"s": rows}))
    assert table["sick"].levels == (False, True)
    assert table["day"].values.tolist() == [18262, 18264]  # days since 1970-01-01


def test_bad_headers_are_errors_and_no_header_is_possible(tmp_path):
    with pytest.raises(InputError, match="have the same name: 'a'"):
        read(workbook(tmp_path / "twice.xlsx", {"s": [["a", "a"], [1, 2]]}))
    with pytest.raises(InputError, match="The name of column 1 must be text"):
        read(workbook(tmp_path / "none.xlsx", {"s": [["a", None], [1, 2]]}))
    table = read(workbook(tmp_path / "bare.xlsx", {"s": [[1, "u"], [2, "v"]]}), header=False)
    assert table.names == ("x0", "x1")
    assert len(table) == 2
    with pytest.raises(DataFileError, match="0 rows"):
        read(workbook(tmp_path / "empty.xlsx", {"s": [["a", "b"]]}))


def test_other_files_are_errors(tmp_path):
    (tmp_path / "book.xlsx").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(DataFileError, match="not a readable spreadsheet"):
        read(tmp_path / "book.xlsx")
    (tmp_path / "book.xls").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(DataFileError, match="not a readable spreadsheet"):
        read(tmp_path / "book.xls")


def test_186_a_sheet_that_decompresses_to_far_too_much_is_an_error(tmp_path):
    path = workbook(tmp_path / "book.xlsx", {"s": ROWS})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/media/zeros", bytes(70 << 20))
    with pytest.raises(DataFileError, match="more than 200 times as many"):
        read(path)


def test_without_the_package_the_error_has_the_install_command(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(OptionError, match="python-calamine") as caught:
        read(workbook(tmp_path / "book.xlsx", {"s": ROWS}))
    assert 'pip install "hornbeam[excel]"' in caught.value.hint
