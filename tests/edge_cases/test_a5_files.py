"""Bad and odd inputs, part A5: data files. One line an item; the id is the item's number."""

import codecs
import gzip
import io
import locale
import os
import sys
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from hornbeam.errors import DataFileError, HornbeamError, InputError, MemoryLimitError, OptionError
from hornbeam.table import Kind, read
from hornbeam.table.match import match_columns
from hornbeam.table.readers import compressed, csv_faults, files

BOM = codecs.BOM_UTF8
ROWS = "a,b\n1,x\n2,y\n"
ARFF = "@relation r\n@attribute {0}\n@attribute c {{x,y}}\n@data\n"


def values(column):
    """A column's cells, missing as None."""
    if column.kind is Kind.NUMERIC:
        return [None if np.isnan(value) else value for value in column.values]
    return [None if code < 0 else column.levels[code] for code in column.values]


def written(folder, content, name="data.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


WORKS = {  # content, settings, column, its values
    "170 mark of UTF-8": (BOM + ROWS.encode(), {}, "a", [1, 2]),
    "170 UTF-16 by its mark": (ROWS.replace("x", "é").encode("utf-16"), {}, "b", ["é", "y"]),
    "170 cp1252 by itself": (ROWS.replace("x", "é€").encode("cp1252"), {}, "b", ["é€", "y"]),
    "170 Latin-1 when requested": (ROWS.replace("x", "é").encode("latin-1"), {"encoding": "latin-1"}, "b", ["é", "y"]),
    "172 CRLF": (ROWS.replace("\n", "\r\n"), {}, "a", [1, 2]),
    "172 CR only": (ROWS.replace("\n", "\r"), {}, "b", ["x", "y"]),
    "172 mixed": ("a,b\r\n1,x\n2,y\r", {}, "b", ["x", "y"]),
    "172 no newline at the end": (ROWS.rstrip(), {}, "b", ["x", "y"]),
    "173 quoted newline": ('a,b\n1,"x\ny"\n2,z\n', {}, "b", ["x\ny", "z"]),
    "173 doubled quotes": ('a,b\n1,"say ""x"""\n2,z\n', {}, "b", ['say "x"', "z"]),
    "174 too few fields, skipped": ("a,b\n1,x\n2\n3,y\n", {"bad_rows": "skip"}, "a", [1, 3]),
    "175 no header": ("1,x\n2,y\n", {"header": False}, "x1", ["x", "y"]),
    "176 semicolon and decimal comma": ("a;b\n1,5;x\n2,25;y\n", {}, "a", [1.5, 2.25]),
    "176 tab": ("a\tb\n1\tx\n2\ty\n", {}, "b", ["x", "y"]),
    "176 one column of decimal commas": ("a\n1,5\n2,7\n", {}, "a", [1.5, 2.7]),
    "176 quoted decimal commas": ('a,b\n"1,5",x\n"2,7",y\n', {}, "a", [1.5, 2.7]),
    "178 thousands separators": ('a,b\n"1,000",x\n"12,000",y\n', {}, "a", ["1,000", "12,000"]),
    "178 1_000": ("a,b\n1_000,x\n2_000,y\n", {}, "a", ["1_000", "2_000"]),
    "178 0x10": ("a,b\n0x10,x\n0x11,y\n", {}, "a", ["0x10", "0x11"]),
    "178 1e5 and +5": ("a,b\n1e5,x\n+5,y\n", {}, "a", [100000, 5]),
    "178 spaces around": ("a,b\n 5 ,x\n6,y\n", {}, "a", [5, 6]),
    "178 5 mg": ("a,b\n5 mg,x\n6 mg,y\n", {}, "a", ["5 mg", "6 mg"]),
    "178 Arabic digits": ("a,b\n٣,x\n٤,y\n", {}, "a", ["٣", "٤"]),
    "178 full-width digits": ("a,b\n５,x\n６,y\n", {}, "a", ["５", "６"]),
    "179 words for missing": ("a,b\n1,NA\n?,x\n,y\nN/A,null\n4,\n", {}, "a", [1, None, None, None, 4]),
    "179 in text": ("a,b\n1,NA\n?,x\n,y\nN/A,null\n4,\n", {}, "b", [None, "x", "y", None, None]),
    "179 -999 is a number": ("a,b\n-999,x\n2,y\n", {}, "a", [-999, 2]),
    "179 -999 when listed": ("a,b\n-999,x\n2,y\n", {"na_values": ["-999"]}, "a", [None, 2]),
    "179 NA = Namibia": ("a,b\n1,NA\n2,DE\n", {"keep_default_na": False}, "b", ["NA", "DE"]),
    "179 a dot is not listed": ("a,b\n1,.\n2,x\n", {}, "b", [".", "x"]),
    "180 leading zeros": ("a,b\n007,x\n012,y\n", {}, "a", ["007", "012"]),
    "181 dates": ("a,b\n01/02/2020,x\n03/04/2020,y\n", {}, "a", ["01/02/2020", "03/04/2020"]),
    "183 above 2^53": (
        "a,b\n9007199254740993,x\n9007199254740992,y\n",
        {},
        "a",
        ["9007199254740993", "9007199254740992"],
    ),
}


@pytest.mark.parametrize(("content", "settings", "name", "wanted"), WORKS.values(), ids=WORKS)
def test_odd_files_are_read_as_documented(tmp_path, content, settings, name, wanted):
    assert values(read(written(tmp_path, content), **settings)[name]) == wanted


REFUSED = {  # content, settings, what the message contains
    "169 empty": ("", {}, "0 rows"),
    "169 only a header": ("a,b\n", {}, "0 rows"),
    "169 only a newline": ("\n", {}, "0 rows"),
    "170 broken UTF-8": (b"a,\xc3\xa9\n1,\xc3\n", {}, r"line 2: byte 7 \(0xc3\) is not UTF-8"),
    "170 neither UTF-8 nor cp1252": (b"a,b\n1,\x81\n", {}, r"line 2: byte 6 \(0x81\) is not UTF-8"),
    "170 wrong encoding": (b"a,b\n1,\xff\n", {"encoding": "ascii"}, "is not"),
    "171 NUL bytes": (b"a,b\n1,\x00\n", {}, "not text"),
    "171 binary": (b"\x89PNG\r\n\x1a\n\x00\x00", {}, "not text.*PNG"),
    "171 Parquet as CSV": (b"PAR1\x15\x00\x15", {}, "not text.*Parquet"),
    "173 unclosed quote": ('a,b\n1,"x\n2,y\n3,z\n', {}, "line 2: a quote that opens here"),
    "174 too few fields": ("a,b\n1,x\n2\n", {}, "line 3: 1 field, but the first line has 2"),
    "174 too many fields": ("a,b\n1,x\n2,y,z\n", {}, "line 3: 3 fields, but the first line has 2"),
    "175 duplicates": ("a,b,a\n1,2,3\n", {}, "line 1: the header repeats 'a'"),
    "175 empty name": ("a,,c\n1,2,3\n", {}, "line 1: the header has no name for column 1"),
    "175 no header": ("1.5,x\n2,y\n", {}, "header seems to be missing.*header=False"),
    "176 decimal commas between commas": ("a,b\n1,5,x\n2,5,y\n", {}, "3 fields.*decimal comma"),
    "176 either of two": ("a;b,c\n1;2,3\n", {}, "comma or semicolon.*delimiter"),
    "182 text after numbers": ("a,b\n" + "1,2\n" * 10_000 + "x,2\n", {}, "row 10000"),
    "184 a long line": ("a,b\n1," + "x" * (csv_faults.MAX_RECORD_BYTES + 10) + "\n", {}, "line 2.*limit"),
}


@pytest.mark.parametrize(("content", "settings", "message"), REFUSED.values(), ids=REFUSED)
def test_bad_files_are_refused_with_the_place(tmp_path, content, settings, message):
    with pytest.raises(HornbeamError, match=f"(?s){message}") as caught:
        read(written(tmp_path, content), **settings)
    assert isinstance(caught.value, DataFileError) or message == "row 10000"


def test_168_a_missing_file_a_folder_a_fifo_and_no_permission_say_path_and_reason(tmp_path, monkeypatch):
    with pytest.raises(DataFileError, match=r"gone\.csv.*no such file"):
        read(tmp_path / "gone.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataFileError, match=r"folder\.csv.*it is a folder"):
        read(tmp_path / "folder.csv")
    os.mkfifo(tmp_path / "fifo.csv")
    with pytest.raises(DataFileError, match=r"fifo\.csv.*it is a FIFO"):
        read(tmp_path / "fifo.csv")
    with pytest.raises(DataFileError, match="the name contains a null character"):
        read("a\0b.csv")
    locked = written(tmp_path, ROWS, "locked.csv")
    locked.chmod(0)
    if os.access(locked, os.R_OK):  # the superuser may read anything: say the system's answer for it
        monkeypatch.setattr("pathlib.Path.open", _denied)
    with pytest.raises(DataFileError, match=r"locked\.csv.*permission denied"):
        read(locked)


def _denied(self, *_, **__):
    raise PermissionError(13, "Permission denied", str(self))


def test_168_the_standard_input_is_read(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(ROWS.encode())))
    assert values(read("-", format="csv")["b"]) == ["x", "y"]


def test_174_skipped_rows_are_counted_and_reported(tmp_path):
    table = read(written(tmp_path, "a,b\n1,x\n2\n3,y,z\n4,z\n"), bad_rows="skip")
    assert "skipped bad rows: 2 (lines 3, 4)" in table.notes


def test_176_what_was_found_is_reported(tmp_path):
    table = read(written(tmp_path, "a;b\n1,5;x\n2,5;y\n"))
    assert "fields are separated by semicolons" in table.notes
    assert "written with a decimal comma; decimal='.' keeps the text" in table["a"].notes


def test_177_the_locale_changes_nothing(tmp_path, monkeypatch):
    path = written(tmp_path, "a,b\n1.5,x\n2.5,y\n")
    monkeypatch.setenv("LC_NUMERIC", "de_DE.UTF-8")
    before = locale.setlocale(locale.LC_NUMERIC)
    for name in ("de_DE.UTF-8", "C.UTF-8", "C"):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        try:
            assert values(read(path)["a"]) == [1.5, 2.5]
        finally:
            locale.setlocale(locale.LC_NUMERIC, before)


def test_179_what_was_read_as_missing_is_reported_per_column(tmp_path):
    table = read(written(tmp_path, "a,b\n1,NA\nNA,x\n3,?\n"))
    assert "read as missing: 1 x 'NA'" in table["a"].notes
    assert any("1 x '?'" in note and "1 x 'NA'" in note for note in table["b"].notes)


def test_181_a_date_is_a_number_of_days_when_declared(tmp_path):
    table = read(written(tmp_path, "a,b\n1970-01-02,x\n1970-01-11,y\n"), kinds={"a": "date"})
    assert values(table["a"]) == [1, 10]


def test_185_a_file_beyond_memory_is_refused_with_the_estimate(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MEMORY_PER_BYTE", 1e15)
    with pytest.raises(MemoryLimitError, match=r"data\.csv.*requires .*may be used"):
        read(written(tmp_path, ROWS))


def test_186_a_gzip_bomb_is_refused_with_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(compressed, "_UNLIMITED_BYTES", 1 << 20)
    path = written(tmp_path, gzip.compress(b"a\n" + b"1\n" * (4 << 20)), "bomb.csv.gz")
    with pytest.raises(DataFileError, match="200 times the compressed size"):
        read(path)


NAMES = ["with space", "it's", 'say "x"', "new\nline", "-dash", "~", "fire 🔥", "é" * 120, "a*b?[1]{c}", "%41", "a;b--"]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_187_any_path_is_taken_literally(tmp_path, name, monkeypatch):
    written(tmp_path, "a,b\n7,x\n8,y\n", f"{name}.csv")
    written(tmp_path, "a,b\n1,z\n1,z\n", "ab1c.csv")
    monkeypatch.chdir(tmp_path)
    assert values(read(f"{name}.csv")["a"]) == [7, 8]


def test_199_a_target_not_in_the_file_is_answered_with_the_nearest(tmp_path):
    path = written(tmp_path, "age,--help,outcome\n1,2,x\n2,3,y\n")
    with pytest.raises(InputError, match=r"Unknown column 'outcom'.*Did you mean 'outcome'"):
        read(path, target="outcom")
    assert read(path, target="--help").target.name == "--help"


def test_200_a_file_without_the_target_or_with_more_columns_is_matched(tmp_path):
    schema = read(written(tmp_path, "a,b,y\n1,x,u\n2,z,v\n"), target="y").schema
    assert values(match_columns(schema, written(tmp_path, "b,a\nz,5\n"))["b"]) == ["z"]
    assert values(match_columns(schema, written(tmp_path, "b,more,a\nz,0,5\n"), warn=False)["a"]) == [5]


ARFF_WORKS = {
    "201 sparse": ("a numeric", "{0 3, 1 y}\n{}\n", [3, 0]),
    "201 missing": ("a numeric", "?,x\n2,y\n", [None, 2]),
    "201 quoted name and level": ("'a b' {'u v',w}", "'u v',x\nw,y\n", ["u v", "w"]),
    "201 date": ("a date yyyy-MM-dd", "2020-01-31,x\n2020-02-01,y\n", ["2020-01-31", "2020-02-01"]),
}


@pytest.mark.parametrize(("attribute", "rows", "wanted"), ARFF_WORKS.values(), ids=ARFF_WORKS)
def test_201_arff_oddities_are_read(tmp_path, attribute, rows, wanted):
    table = read(written(tmp_path, ARFF.format(attribute) + rows, "data.arff"), target="c")
    assert values(table.columns[0]) == wanted


def test_201_a_relational_attribute_is_refused_with_line_and_name(tmp_path):
    with pytest.raises(DataFileError, match="line 2: attribute 'bag'"):
        read(written(tmp_path, ARFF.format("bag relational"), "data.arff"))


PARQUET = {
    "202 nested": (pa.array([[1], [2]]), "column 'a' is nested"),
    "202 struct": (pa.array([{"u": 1}, {"u": 2}]), "column 'a' is nested"),
    "202 binary": (pa.array([b"x", b"y"]), "column 'a' has the type BLOB"),
    "202 dictionary": (pa.array(["u", "v"]).dictionary_encode(), ["u", "v"]),
    "202 null type": (pa.nulls(2), [None, None]),
    "202 timestamps": (pa.array([0, 86_400], pa.timestamp("s")), [0, 1]),
}


@pytest.mark.parametrize(("column", "wanted"), PARQUET.values(), ids=PARQUET)
def test_202_parquet_types_work_or_are_refused_by_column(tmp_path, column, wanted):
    path = tmp_path / "data.parquet"
    pyarrow.parquet.write_table(pa.table({"a": column, "b": [1, 2]}), path)
    if isinstance(wanted, str):
        with pytest.raises(DataFileError, match=wanted):
            read(path)
    else:
        assert values(read(path)["a"]) == wanted


def test_203_what_only_looks_like_a_spreadsheet_is_refused_in_words(tmp_path):
    with pytest.raises((OptionError, DataFileError), match=r"excel|spreadsheet"):
        read(written(tmp_path, b"PK\x03\x04", "book.xlsx"))
