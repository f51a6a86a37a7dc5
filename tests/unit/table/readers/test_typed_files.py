"""Parquet, JSON lines and databases: typed columns; unsupported types are errors with the column name."""

import datetime
import decimal
import sqlite3

import duckdb
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from hornbeam.errors import DataFileError, OptionError
from hornbeam.table.column import Kind
from hornbeam.table.read import read
from hornbeam.table.readers import database, frames, jsonl, parquet


def cells(column):
    if column.numbers is not None:
        return [None if np.isnan(value) else value for value in column.numbers]
    return [None if code < 0 else column.distinct[code] for code in column.codes]


def columns(table):
    return {column.name: cells(column) for column in table.columns}


@pytest.fixture
def from_parquet(tmp_path):
    def made(values):
        path = tmp_path / "data.parquet"
        pyarrow.parquet.write_table(pyarrow.table(values), path)
        return parquet.raw(path)

    return made


def test_parquet_columns_keep_their_types(from_parquet):
    noon = datetime.datetime(2020, 1, 1, 12)
    table = from_parquet(
        {
            "whole": [1, None, 3],
            "rowid": [3, 2, 1],  # the name of DuckDB's own row number
            "part": [0.5, float("nan"), None],
            "text": ["b", None, "a"],
            "dictionary": pyarrow.array(["x", "y", "x"]).dictionary_encode(),
            "truth": [True, False, None],
            "nulls": pyarrow.nulls(3),
            "time": [noon, None, noon],
            "zoned": pyarrow.array([noon, None, noon], pyarrow.timestamp("us", "UTC")),
            "date": [noon.date(), None, noon.date()],
            "exact": [decimal.Decimal("1.5"), None, decimal.Decimal("2.5")],
            "large": [2**53 + 1, 2, None],
        }
    )
    assert columns(table) == {
        "whole": [1, None, 3],
        "rowid": [3, 2, 1],
        "part": [0.5, None, None],
        "text": ["b", None, "a"],
        "dictionary": ["x", "y", "x"],
        "truth": [True, False, None],
        "nulls": [None, None, None],
        "time": [noon, None, noon],
        "zoned": [noon, None, noon],
        "date": [noon.date(), None, noon.date()],
        "exact": [1.5, None, 2.5],
        "large": [2**53 + 1, 2, None],
    }


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_durations_in_parquet_are_days_as_in_a_frame(from_parquet, unit):
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    values = pyarrow.array([43_200 * per_second, None, -1, 10**8 * per_second], pyarrow.duration(unit))
    (found,) = from_parquet({"c": values}).columns
    (expected,) = frames.raw(pyarrow.table({"c": values})).columns
    assert np.array_equal(found.numbers, expected.numbers, equal_nan=True)
    assert found.notes == ("durations converted to days",)


def test_times_of_day_are_the_same_texts_in_a_frame_and_in_parquet(from_parquet):
    values = {"c": [datetime.time(1, 2), None, datetime.time(1, 2, 3, 500_000)]}
    expected = {"c": ["01:02:00", None, "01:02:03.500000"]}
    assert columns(from_parquet(values)) == columns(frames.raw(pyarrow.table(values))) == expected


@pytest.mark.parametrize("values", [[[1], [2]], [{"a": 1}, {"a": 2}], [b"x", b"y"]])
def test_unsupported_parquet_columns_are_errors_with_their_name(from_parquet, values):
    with pytest.raises(DataFileError, match="column 'odd'"):
        from_parquet({"odd": values})


def test_a_damaged_parquet_file_is_an_error(tmp_path):
    path = tmp_path / "data.parquet"
    path.write_bytes(b"PAR1" + b"x" * 50)
    with pytest.raises(DataFileError, match="damaged Parquet"):
        parquet.raw(path)
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(DataFileError, match="does not begin with the Parquet signature"):
        parquet.raw(path)


@pytest.fixture
def from_json(tmp_path):
    def made(text):
        path = tmp_path / "data.jsonl"
        path.write_text(text, encoding="utf-8")
        return jsonl.raw(path)

    return made


def test_json_lines_and_arrays_make_the_same_columns(from_json):
    rows = ['{"a": 1, "b": "2020-01-02", "c": true}', '{"a": 2.5, "b": null}', '{"b": "x", "d": "007"}']
    wanted = {
        "a": [1, 2.5, None],
        "b": ["2020-01-02", None, "x"],
        "c": [True, None, None],
        "d": [None, None, "007"],
    }
    assert columns(from_json("\n".join(rows) + "\n")) == wanted
    assert columns(from_json("\n\n" + "\n\n".join(rows))) == wanted
    assert columns(from_json("[" + ",\n".join(rows) + "]")) == wanted


def test_a_json_text_that_looks_like_a_date_or_number_stays_text(from_json):
    assert columns(from_json('{"a": "2020-01-02", "b": "5"}\n')) == {"a": ["2020-01-02"], "b": ["5"]}


def test_mixed_json_values_become_text_with_a_note(from_json):
    table = from_json('{"a": 1}\n{"a": "x"}\n')
    assert columns(table) == {"a": ["1", "x"]}
    assert "mixed" in table.columns[0].notes[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1}\n{"a": \n{"a": 2}\n', "line 2: not a JSON object"),
        ('{"a": 1}\n[2]\n', "line 2: expected an object"),
        ('[{"a": 1},\n {"a": }]', "line 2: not JSON"),
        ('[{"a": 1}, 7]', "element 1 of the array is not an object"),
        ('{"a": [1]}\n', "the values of column 'a' are objects or arrays"),
        ('{"a": {"b": 1}}\n', "the values of column 'a' are objects or arrays"),
        ("[]", "no objects"),
        ("", "0 rows"),
    ],
)
def test_faulty_json_is_an_error_with_its_line(from_json, text, message):
    with pytest.raises(DataFileError) as caught:
        from_json(text)
    assert message in str(caught.value)


def test_a_sqlite_table_is_read_by_the_types_of_its_values(tmp_path):
    path = tmp_path / "data.db"
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE "my table" (a, b TEXT, c, d)')
        rows = [(1, "x", 2**60, 1), (2.5, None, 3, "1"), (None, "y", None, 1.0)]
        connection.executemany('INSERT INTO "my table" VALUES (?, ?, ?, ?)', rows)
    connection.close()
    table = database.raw(f"{path}::my table")
    assert columns(table) == {
        "a": [1, 2.5, None],
        "b": ["x", None, "y"],
        "c": [2**60, 3, None],
        "d": [1, "1", 1.0],
    }
    assert [type(value) for value in cells(table.columns[3])] == [int, str, float]
    assert columns(database.raw(path)) == columns(table)


def test_a_duckdb_table_is_read_by_its_types(tmp_path):
    path = tmp_path / "data.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE one (a INTEGER, b VARCHAR, stage ENUM ('low', 'high'))")
        connection.execute("INSERT INTO one VALUES (1, 'x', 'high'), (NULL, 'y', NULL)")
        connection.execute("CREATE TABLE other (a INTEGER)")
    table = database.raw(f"{path}::one")
    assert columns(table) == {"a": [1, None], "b": ["x", "y"], "stage": ["high", None]}
    assert table.columns[2].levels == ("low", "high")
    with pytest.raises(DataFileError, match=r"Unknown table 'on'.*Did you mean 'one'"):
        database.raw(f"{path}::on")
    with pytest.raises(OptionError, match="contains 2 tables; one must be named"):
        database.raw(path)


def test_other_files_than_databases_are_errors(tmp_path):
    path = tmp_path / "data.db"
    path.write_text("a,b\n")
    with pytest.raises(DataFileError, match="neither a DuckDB nor a SQLite file"):
        database.raw(f"{path}::t")
    with sqlite3.connect(tmp_path / "blob.db") as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("INSERT INTO t VALUES (?)", (b"x",))
    connection.close()
    with pytest.raises(DataFileError, match="column 'a' contains blobs"):
        read(tmp_path / "blob.db")


def test_the_same_rows_make_the_same_table_from_every_file(tmp_path):
    (tmp_path / "t.csv").write_text("age,lesion,outcome\n61,yes,cancer\n55,,benign\n70,no,cancer\n")
    rows = [(61, "yes", "cancer"), (55, None, "benign"), (70, "no", "cancer")]
    lines = '{{"age": {}, "lesion": {}, "outcome": "{}"}}'
    text = "\n".join(lines.format(a, "null" if b is None else f'"{b}"', c) for a, b, c in rows)
    (tmp_path / "t.jsonl").write_text(text)
    names = ("age", "lesion", "outcome")
    values = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    pyarrow.parquet.write_table(pyarrow.table(values), tmp_path / "t.parquet")
    with sqlite3.connect(tmp_path / "t.db") as connection:
        connection.execute("CREATE TABLE t (age, lesion, outcome)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    connection.close()
    (tmp_path / "t.arff").write_text(
        "@relation t\n@attribute age numeric\n@attribute lesion {no,yes}\n@attribute outcome {benign,cancer}\n@data\n"
        "61,yes,cancer\n55,?,benign\n70,no,cancer\n"
    )
    for name in ("t.csv", "t.jsonl", "t.parquet", "t.db", "t.arff"):
        table = read(tmp_path / name, target="outcome")
        assert table["age"].values.tolist() == [61, 55, 70], name
        assert table["age"].kind is Kind.NUMERIC, name
        assert table["lesion"].levels == ("no", "yes"), name
        assert table["lesion"].values.tolist() == [1, -1, 0], name
        assert table.target.levels == ("benign", "cancer"), name
        assert table.target.values.tolist() == [1, 0, 1], name
