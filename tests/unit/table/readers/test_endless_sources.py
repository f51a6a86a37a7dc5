"""Infinite or too large sources: views that are programs, very long lines and quotes, very wide files.

Signals are sent to child processes. An infinite query replaces a large file, so that no test depends on speed.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys

import duckdb
import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import DataFileError, MemoryLimitError
from hornbeam.table.readers import csv, csv_faults, csv_wide

ENDLESS = {
    "duckdb": "CREATE VIEW v AS WITH RECURSIVE t(n) AS (FROM range(300000) UNION ALL SELECT n + 7 FROM t) FROM t",
    "sqlite": "CREATE VIEW v AS WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t",
}

# Reads a source in the main thread; a signal arrives while the query runs; afterwards another file is read.
STOPPED = r"""
import os, signal, sys, threading
import hornbeam as hb
from hornbeam.cli.main import main
from hornbeam.table.readers import csv, waiting
source, number = sys.argv[1], int(sys.argv[2])
inner = waiting.interruptible

sent = []

def soon(work, stop):
    if not sent:
        sent.append(threading.Timer(1, os.kill, (os.getpid(), number)))
        sent[0].start()
    return inner(work, stop)

kept = csv.Scan.source
csv.SMALL_FILE = 0
if source.endswith(".csv"):
    csv.Scan.source = lambda scan: "(SELECT n::VARCHAR AS c0, n::VARCHAR AS c1 FROM range(1000000000000) AS t(n))"
import hornbeam.table.readers.sql as sql, hornbeam.table.readers.database as database
sql.interruptible = database.interruptible = soon
code = main(["inspect", source])
sql.interruptible = database.interruptible = inner
csv.Scan.source = kept
print(code, len(hb.read("good.csv")))
"""


def made(kind: str, statement: str, path: str) -> str:
    connect = duckdb.connect if kind == "duckdb" else sqlite3.connect
    connection = connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    return path


@pytest.mark.parametrize(("number", "code"), [(2, 130), (15, 143)])
@pytest.mark.parametrize("source", ["d.duckdb", "d.sqlite", "d.csv"])
def test_a_signal_while_a_source_is_read_stops_it_and_the_next_read_works(tmp_path, source, number, code):
    (tmp_path / "good.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    (tmp_path / "d.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    kind = source.removeprefix("d.")
    if kind in ENDLESS:
        made(kind, ENDLESS[kind], str(tmp_path / source))
    words = [sys.executable, "-c", STOPPED, source, str(number)]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert ran.stdout.split() == [str(code), "2"], ran.stderr
    assert "fault" not in ran.stderr


@pytest.mark.parametrize(
    ("kind", "statement"),
    [
        *ENDLESS.items(),
        ("duckdb", "CREATE VIEW v AS SELECT hash(range) AS n FROM range(100000000000)"),
        ("sqlite", "CREATE VIEW v AS SELECT printf('%.*c', 1000000, 'x') AS n FROM generate_it"),
    ],
    ids=["duckdb without end", "sqlite without end", "duckdb 1e11 rows", "sqlite long texts"],
)
def test_a_view_that_does_not_fit_into_memory_is_an_error_with_the_limit(tmp_path, monkeypatch, kind, statement):
    path = str(tmp_path / f"d.{kind}")
    if "generate_it" in statement:
        made(kind, ENDLESS[kind].replace("VIEW v", "VIEW generate_it"), path)
    made(kind, statement, path)
    for module in ("sql", "database"):
        monkeypatch.setattr(f"hornbeam.table.readers.{module}.available_bytes", lambda: 160 << 20)
    with pytest.raises(MemoryLimitError, match=r"requires"):
        hb.read(f"{path}::v")


@pytest.mark.parametrize(
    "view",
    [
        "SELECT * FROM read_csv('secret.csv', header=false, columns={'a': 'VARCHAR'})",
        "SELECT content AS a FROM read_text('secret.csv')",
        "SELECT file AS a FROM glob('*')",
    ],
)
def test_a_view_of_a_database_reads_nothing_outside_it(tmp_path, monkeypatch, view):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.csv").write_text("hidden\n", encoding="utf-8")
    made("duckdb", f"CREATE VIEW v AS {view}", "d.duckdb")
    with pytest.raises(DataFileError) as failed:
        hb.read("d.duckdb")
    assert "hidden" not in str(failed.value)


def test_an_unclosed_quote_before_much_text_is_reported_with_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_faults, "MAX_RECORD_BYTES", 1 << 20)
    path = tmp_path / "d.csv"
    good = "1,2,abc\n" * 5_000
    path.write_text("a,b,c\n" + good + '1,2,"abc\n' + good * 60, encoding="utf-8")
    with pytest.raises(DataFileError, match="line 5002: a quote that opens here is never closed"):
        hb.read(path)


@pytest.mark.parametrize("line", [1, 2, 4000])
def test_a_line_beyond_the_limit_is_reported_as_such(tmp_path, monkeypatch, line):
    monkeypatch.setattr(csv_faults, "MAX_RECORD_BYTES", 1 << 20)
    path = tmp_path / "d.csv"
    lines = ["a,b", *["1,2"] * 5_000]
    lines[line - 1] = "1," + "x" * (3 << 20)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(DataFileError, match=rf"line {line}: a record is longer than the limit of 1 MB"):
        hb.read(path)


def test_a_hundred_thousand_columns_are_read(tmp_path):
    n = 100_000
    path = tmp_path / "wide.csv"
    rows = [[f"c{i}" for i in range(n)], *([f"{i + k}" if i % 2 else "ab"[k] for i in range(n)] for k in range(2))]
    path.write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")
    table = hb.read(path)
    assert len(table.columns) == n
    assert table.columns[3].values.tolist() == [3.0, 4.0]
    assert table.columns[0].levels == ("a", "b")


TEXTS = {
    "plain": "a,b\n1,x\n2.5,y\n-3e2,\n",
    "missing words": "a,b\n1,NA\nNA,?\n3,z\n",
    "codes": "a,b\n007,+5\n008, 6\n010,7\n",
    "quotes": 'a,b\n"1","x, y"\n"2","he wrote ""no""\nand left"\n"","z"\n',
    "crlf": "a;b\r\n1;x\r\n2;y\r\n",
    "comma": "a;b\n1,5;x\n2,25;y\n;y\n",
    "thousands": "a;b\n1,500;x\n2,250;y\n",
    "blank lines": "a,b\n1,2\n\n3,4\n",
    "closed": "a,b,\n1,2,\n3,4,\n",
    "not numbers below": "a,b\n" + "1,2\n" * 300 + "x,3\ny,3\nz,3\nu,3\n",
    "large": "a,b\n12345678901234567890,1_000\n1,2\n",
    "no end": "a,b\n1,2\n3,4",
}


def shown(table):
    return [
        (column.name, column.kind, column.levels, column.why, column.notes, column.values.tolist())
        for column in table.columns
    ], table.notes


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_wide_files_are_read_like_others(tmp_path, monkeypatch, text):
    path = tmp_path / "d.csv"
    path.write_bytes(text.encode())
    monkeypatch.setattr(csv, "SMALL_FILE", 0)
    monkeypatch.setattr(csv_wide, "is_wide", lambda *_: False)
    expected = shown(hb.read(path))
    monkeypatch.setattr(csv_wide, "is_wide", lambda *_: True)
    np.testing.assert_equal(shown(hb.read(path)), expected)


@pytest.mark.parametrize(
    "text", ["a,b\n1,2,3\n", "a,b\n1\n", 'a,b\n1,"x\n2,3\n', 'a,b\n1,"x"y\n', "a,b\n1,2\n\x81,3\n"]
)
def test_wide_files_have_the_same_errors(tmp_path, monkeypatch, text):
    path = tmp_path / "d.csv"
    path.write_bytes(text.encode("latin-1"))
    message = []
    monkeypatch.setattr(csv, "SMALL_FILE", 0)
    for is_wide in (False, True):
        monkeypatch.setattr(csv_wide, "is_wide", lambda *_, is_wide=is_wide: is_wide)
        with pytest.raises(DataFileError) as failed:
            hb.read(path)
        message.append(str(failed.value))
    assert message[0] == message[1]


def test_bad_rows_of_wide_files_are_skipped_with_the_same_note(tmp_path, monkeypatch):
    path = tmp_path / "d.csv"
    path.write_text("a,b\n1,2\n3\n4,5\n6,7,8\n", encoding="utf-8")
    monkeypatch.setattr(csv, "SMALL_FILE", 0)
    for is_wide in (False, True):
        monkeypatch.setattr(csv_wide, "is_wide", lambda *_, is_wide=is_wide: is_wide)
        table = hb.read(path, bad_rows="skip")
        assert len(table) == 2
        assert table.notes == ("skipped bad rows: 2 (lines 3, 5)",)
