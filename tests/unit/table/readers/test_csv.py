"""CSV files: numbers if every row is a simple number, texts otherwise, with notes about the layout."""

import codecs
import io
import sys

import numpy as np
import pytest

from hornbeam.errors import DataFileError, OptionError
from hornbeam.table.readers import csv, files
from hornbeam.table.text_format import TextFormat


@pytest.fixture(autouse=True, params=["python", "sql"])
def reader(request, monkeypatch):
    """Both readers, whatever the size of the file."""
    monkeypatch.setattr(csv, "SMALL_FILE", 0 if request.param == "sql" else 1 << 30)


@pytest.fixture
def raw(tmp_path):
    def read(content, **settings):
        path = tmp_path / "data.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return csv.raw(path, **settings)

    return read


def cells(column):
    """The column's cells as a list: numbers, or texts with None for missing."""
    if column.numbers is not None:
        return [None if np.isnan(value) else value for value in column.numbers]
    return [None if code < 0 else column.distinct[code] for code in column.codes]


def columns(table):
    return {column.name: cells(column) for column in table.columns}


def test_numbers_come_as_numbers_and_texts_as_codes(raw):
    table = raw("a,b\n1,x\n2.5,y\n-3e2,x\n")
    assert columns(table) == {"a": [1, 2.5, -300], "b": ["x", "y", "x"]}
    assert table.columns[0].numbers.dtype == np.float64
    assert table.columns[1].codes.dtype == np.int32
    assert all(column.from_text for column in table.columns)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(raw, delimiter):
    table = raw(delimiter.join("ab") + "\n" + delimiter.join("12") + "\n")
    assert columns(table) == {"a": [1], "b": [2]}
    assert any("separated" in note for note in table.notes) == (delimiter != ",")


def test_any_delimiter_can_be_requested(raw):
    assert columns(raw("a:b\n1:2\n", delimiter=":")) == {"a": [1], "b": [2]}
    with pytest.raises(OptionError, match="delimiter must be a single character"):
        raw("a,b\n1,2\n", delimiter="ab")


def test_a_decimal_comma_is_detected_and_noted(raw):
    table = raw("a;b\n1,5;x\n-2,25;y\n3;z\n")
    assert columns(table)["a"] == [1.5, -2.25, 3]
    assert table.columns[0].notes == ("written with a decimal comma; decimal='.' keeps the text",)
    assert table.columns[0].text_format == TextFormat(decimal=",")


def test_possible_thousands_are_read_as_text_unless_the_decimal_mark_is_given(raw):
    text = "a;b\n1,500;x\n2,250;y\n"
    assert cells(raw(text).columns[0]) == ["1,500", "2,250"]
    assert cells(raw(text, decimal=",").columns[0]) == [1.5, 2.25]
    assert cells(raw(text, decimal=".").columns[0]) == ["1,500", "2,250"]


@pytest.mark.parametrize("text", ["a,b\n1.500,x\n2.250,y\n", "a,b\n" + "950,x\n" * 20_000 + "1.500,y\n"])
def test_points_that_could_separate_thousands_are_read_as_text_also_after_a_long_run_of_integers(raw, text):
    assert "1.500" in raw(text).columns[0].distinct
    assert cells(raw(text, decimal=".").columns[0])[-1] in (1.5, 2.25)
    assert cells(raw(text + "0.5,z\n").columns[0])[-1] == 0.5


def test_a_column_that_fails_after_a_long_run_of_numbers_is_read_as_text_whole(raw):
    table = raw("a,b\n" + "1,2\n" * 30_000 + "x,3\n")
    assert set(table.columns[0].distinct) == {"1", "x"}
    assert cells(table.columns[0])[-1] == "x"
    assert cells(table.columns[1])[-1] == 3


def test_a_late_na_value_keeps_a_column_of_numbers(raw):
    table = raw("a,b\n" + "1,2\n" * 30_000 + "NA,3\n,4\n", na_values=("NA",))
    assert cells(table.columns[0])[-3:] == [1, None, None]
    assert table.columns[0].notes == ("read as missing: 1 x 'NA'",)
    assert cells(table.columns[1])[-1] == 4


def test_an_na_value_may_look_like_a_number(raw):
    assert columns(raw("a\n1\n-999\n", na_values=("-999",))) == {"a": [1, None]}
    assert columns(raw("a\n1\n-999\n")) == {"a": [1, -999]}


@pytest.mark.parametrize(
    "text",
    [
        "007",
        "-012",
        "9007199254740993",
        "1_000",
        "+5",
        " 5",
        "inf",
        "nan",
        "-inf",
        "-nan",
        "0x10",
        "5 mg",
        "1e999",
        "٣",
    ],
)
@pytest.mark.parametrize("at_the_head", [True, False])
def test_texts_that_are_no_simple_numbers_stay_texts(raw, text, at_the_head):
    before = "" if at_the_head else "1,0\n" * 30_000
    column = raw(f"a,b\n{before}{text},0\n").columns[0]
    assert cells(column)[-1] == text


def test_empty_cells_are_missing_quoted_or_not(raw):
    assert columns(raw('a,b\n1,\n"",y\n')) == {"a": [1, None], "b": [None, "y"]}


def test_quoted_fields_keep_delimiters_newlines_and_quotes(raw):
    assert columns(raw('a,b\n"x,y","1\n2"\n"say ""so""",z\n')) == {"a": ["x,y", 'say "so"'], "b": ["1\n2", "z"]}


@pytest.mark.parametrize("text", ["a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4", "a,b\r1,2\r3,4\r", "a,b\r\n1,2\n3,4\r"])
def test_any_line_end_is_accepted(raw, text):
    assert columns(raw(text)) == {"a": [1, 3], "b": [2, 4]}


def test_blank_lines_are_ignored(raw):
    assert columns(raw("a,b\n\n1,2\n\n3,4\n\n")) == {"a": [1, 3], "b": [2, 4]}


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (codecs.BOM_UTF8 + "ä,b\nü,1\n".encode(), None),
        ("ä,b\nü,1\n".encode("utf-16"), None),
        (codecs.BOM_UTF16_BE + "ä,b\nü,1\n".encode("utf-16-be"), None),
        ("ä,b\nü,1\n".encode("latin-1"), "latin-1"),
    ],
)
def test_encodings_by_mark_or_by_name(raw, content, encoding):
    assert columns(raw(content, encoding=encoding)) == {"ä": ["ü"], "b": [1]}


def test_text_that_is_not_utf_8_is_read_as_cp1252_with_a_note(raw):
    table = raw("a,b\n1,2\nü€,1\n".encode("cp1252"))
    assert cells(table.columns[0]) == ["1", "ü€"]
    assert table.notes == ("the text is not UTF-8: read as cp1252; encoding=... sets another",)


def test_damaged_utf_8_is_an_error_with_its_line(raw):
    with pytest.raises(DataFileError, match=r"line 3: byte 9 \(0xfc\) is not UTF-8") as caught:
        raw("a,b\nä,2\n".encode() + b"\xfc,1\n")
    assert caught.value.details["line"] == 3
    with pytest.raises(OptionError, match="encoding must be the name"):
        raw("a,b\n1,2\n", encoding="klingon")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "0 rows"),
        ("\n", "0 rows"),
        ("a,b\n", "0 rows, only a header"),
        ("a,a\n1,2\n", "line 1: the header repeats 'a'"),
        ("a,\n1,2\n", "line 1: the header has no name for column 1"),
        ("1,x\n2,y\n", "line 1: the header seems to be missing: the first record contains '1'"),
        ("a,b\n1,2\n3\n", "line 3: 1 field, but the first line has 2"),
        ("a,b\n1,2\n3,4,5\n", "line 3: 3 fields, but the first line has 2"),
        ('a,b\n1,2\n"3,4\n5,6\n', "line 3: a quote that opens here is never closed"),
        ('a,b\n1,"x\ny"\n"3"x,4\n', "line 4: text after a closing quote: 'x'"),
        ("a,b\n1,5\n2,5,x,7\n", "line 3: 4 fields"),
        ("a,b;c\n1,2;3\n", "the delimiter could be comma or semicolon"),
        (b"a,b\n1,\x002\n", "not text"),
        (b"a,b\n" + b"1,2\n" * 1000 + b"\x00,3\n", "line 1002: byte 4004 is NUL"),
        ("a,b\n1," + "x" * (17 << 20) + "\n", "line 2: a record is longer than the limit of 16 MB"),
    ],
)
def test_a_faulty_file_is_an_error_with_path_and_line(raw, content, message):
    with pytest.raises(DataFileError, match=r"data\.csv") as caught:
        raw(content)
    assert message in str(caught.value)


def test_bad_rows_are_skipped_on_request_and_counted(raw):
    table = raw("a,b\n1,2\n3\n4,5,6\n7,8\n", bad_rows="skip")
    assert columns(table) == {"a": [1, 7], "b": [2, 8]}
    assert table.notes == ("skipped bad rows: 2 (lines 3, 4)",)
    with pytest.raises(OptionError, match="bad_rows must be"):
        raw("a\n1\n", bad_rows="ignore")


def test_without_a_header_columns_are_named_by_position(raw):
    assert columns(raw("1,x\n2,y\n", header=False)) == {"x0": [1, 2], "x1": ["x", "y"]}
    assert columns(raw("2019,2020\n2,3\n", header=True)) == {"2019": [2], "2020": [3]}


def test_a_delimiter_that_closes_every_line_makes_no_column(raw):
    assert columns(raw("a;b;\n1;2;\n3;4;\n")) == {"a": [1, 3], "b": [2, 4]}


def test_a_hundred_thousand_distinct_texts_keep_their_rows(raw):
    texts = [f"id{(row * 7919) % 100_003}" for row in range(100_000)]
    table = raw("a\n" + "\n".join(texts) + "\n")
    assert cells(table.columns[0]) == texts


def test_the_standard_input_and_open_files_are_read(monkeypatch):
    class Input:
        buffer = io.BytesIO(b"a,b\n1,2\n")

    monkeypatch.setattr(sys, "stdin", Input())
    assert columns(csv.raw("-")) == {"a": [1], "b": [2]}
    assert columns(csv.raw(io.BytesIO(b"a,b\n1,2\n"))) == {"a": [1], "b": [2]}
    assert columns(csv.raw(io.StringIO("ä,b\n1,2\n"))) == {"ä": [1], "b": [2]}


def test_mixed_line_ends_are_detected_across_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(csv, "_BLOCK", 8)
    monkeypatch.setattr(files, "_BLOCK", 7)
    path = tmp_path / "data.csv"
    for ends in ("\n", "\r\n", "\r", "mixed"):
        rows = [f"{row},{row}" for row in range(50)]
        text = "a,b\r\n" + "\n".join(rows) + "\r" if ends == "mixed" else ends.join(["a,b", *rows]) + ends
        path.write_bytes(text.encode())
        assert columns(csv.raw(path))["b"] == list(range(50)), ends


@pytest.mark.parametrize("cell", ['"2\n"', "2\t", '"2\t"'])
def test_white_space_other_than_spaces_is_no_part_of_a_number(raw, cell):
    table = raw("a,b\n" + "1,x\n" * 20_000 + f"{cell},y\n3,z\n", delimiter=",")
    assert cells(table.columns[0])[-3:] == ["1", cell.strip('"'), "3"]
