"""CSV files, DuckDB tables and streams give the same columns as in memory; the rules for files apply."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import DataFileError, HornbeamError, InputError
from hornbeam.scale.dataset import Dataset
from hornbeam.scale.prepare import prepared

pa = pytest.importorskip("pyarrow")

LIMIT = 200 << 20
N_ROWS = 400


def lines(seed=0, n=N_ROWS):
    random = np.random.default_rng(seed)
    for i in range(n):
        yield {
            "id": f"P{i + 1000 * seed}",
            "size": f"{random.normal():.3f}".replace(".", ","),
            "count": str(random.integers(0, 9)) if i % 11 else "k.A.",
            "price": f"{random.integers(1, 9)}.{random.integers(100, 999)},50",
            "day": f"{random.integers(13, 28)}.{random.integers(1, 12)}.2020",
            "code": f"00{random.integers(1, 5)}",
            "color": random.choice(["red ", "green", "?", "blue"]),
            "y": random.choice(["yes", "no"]),
        }


def write_csv(path, rows):
    rows = list(rows)
    text = [";".join(rows[0]), *(";".join(row.values()) for row in rows)]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return path


def codes(found, position):
    return np.concatenate([piece.codes(position) for piece in found.data.pieces])


def assert_same(found, table):
    assert found.schema.columns == table.schema.columns
    assert [each.text_format for each in found.schema.columns] == [each.text_format for each in table.schema.columns]
    assert found.schema.target == table.schema.target
    for position, column in enumerate(table.columns):
        coded = codes(found, position)
        np.testing.assert_array_equal(coded == len(found.data.columns[position].low), column.is_missing)
        known = ~column.is_missing
        if column.levels:
            np.testing.assert_array_equal(coded[known], column.values[known])
        else:
            order = np.argsort(column.values[known], kind="stable")
            assert (np.diff(coded[known][order].astype(int)) >= 0).all()


def test_a_csv_file_is_read_by_the_rules_for_files(tmp_path):
    path = write_csv(tmp_path / "a.csv", lines())
    table = hb.read(path, target="y")
    with prepared(Dataset(path, "y"), memory_limit=LIMIT) as found:
        assert_same(found, table)
        assert [column.name for column in found.data.columns] == ["size", "count", "price", "day", "code", "color"]
        notes = " | ".join(found.notes)
    assert "column count: read as missing: 37 x 'k.A.'" in notes
    assert "column 'id' is excluded: it looks like an id (400 different values in 400 rows)" in notes


def test_several_csv_files_are_one_table(tmp_path):
    rows = [*lines(), *lines(1)]
    whole = write_csv(tmp_path / "whole.csv", rows)
    write_csv(tmp_path / "part1.csv", rows[:500])
    write_csv(tmp_path / "part2.csv", ({"y": row["y"], **row} for row in rows[500:]))
    with prepared(Dataset(tmp_path / "part*.csv", "y"), memory_limit=LIMIT) as found:
        assert_same(found, hb.read(whole, target="y"))
    write_csv(tmp_path / "part3.csv", ({"z": "1", **row} for row in rows[:5]))
    with (
        pytest.raises(InputError, match=r"part3\.csv' also has 'z', unlike .*part1\.csv"),
        prepared(Dataset(tmp_path / "part*.csv", "y"), memory_limit=LIMIT),
    ):
        pass


def test_a_requested_kind_applies_and_an_error_names_the_row(tmp_path):
    path = write_csv(tmp_path / "a.csv", lines())
    kinds = {"color": ["blue", "green", "red"], "count": "nominal"}
    with prepared(Dataset(path, "y", kinds=kinds), memory_limit=LIMIT) as found:
        assert_same(found, hb.read(path, target="y", kinds=kinds))
    with pytest.raises(HornbeamError) as memory:
        hb.read(path, target="y", kinds={"color": "numeric"})
    with (
        pytest.raises(HornbeamError) as from_files,
        prepared(Dataset(path, "y", kinds={"color": "numeric"}), memory_limit=LIMIT),
    ):
        pass
    assert from_files.value.details["row"] == memory.value.details["row"]


def test_a_bad_line_is_an_error_with_its_line(tmp_path):
    path = write_csv(tmp_path / "a.csv", lines(n=3000))
    path.write_text(path.read_text().replace("\nP2000;", "\nP2000;;;;;;;;;;;", 1))
    with pytest.raises(DataFileError, match="line 2002"), prepared(Dataset(path, "y"), memory_limit=LIMIT):
        pass
    skipping = Dataset(path, "y", settings={"bad_rows": "skip"})
    with prepared(skipping, memory_limit=LIMIT) as found:
        assert found.data.n_rows == 2999
        assert any("skipped bad rows: 1 (lines 2002)" in note for note in found.notes)


def test_streams_frames_and_duckdb_tables_give_the_same_bins(tmp_path):
    import duckdb

    random = np.random.default_rng(0)
    table = pa.table({"x": random.normal(size=900), "c": random.choice(["a", "b"], size=900), "y": np.arange(900) % 2})
    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        connection.register("rows", table)
        connection.execute("CREATE TABLE t AS SELECT * FROM rows")
    sources = [
        f"{tmp_path}/d.duckdb::t",
        pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=100)),
        iter(table.to_batches(max_chunksize=250)),
        (table.slice(at, 300).to_pandas() for at in range(0, 900, 300)),
    ]
    results = []
    for source in sources:
        with prepared(Dataset(source, "y"), memory_limit=LIMIT) as found:
            results.append([codes(found, position).tolist() for position in range(2)])
    assert all(result == results[0] for result in results)


def test_a_kept_folder_keeps_the_columns_of_a_csv_file(tmp_path):
    path = write_csv(tmp_path / "a.csv", lines())
    reports: list[str] = []
    for _ in range(2):
        with prepared(Dataset(path, "y"), memory_limit=LIMIT, work=tmp_path / "w", report=reports.append) as found:
            assert found.data.n_rows == N_ROWS
    assert sum("writing the columns" in text for text in reports) == 1
    assert "the first pass is complete already" in reports


def test_a_sqlite_table_is_grown_from_in_batches(tmp_path):
    import contextlib
    import sqlite3

    with contextlib.closing(sqlite3.connect(tmp_path / "data.sqlite")) as connection:
        connection.execute("CREATE TABLE visits (x REAL, y TEXT)")
        rows = [(row % 40 / 4, "high" if row % 40 > 17 else "low") for row in range(400)]
        connection.executemany("INSERT INTO visits VALUES (?, ?)", rows)
        connection.commit()
    tree = hb.grow(f"{tmp_path}/data.sqlite::visits", target="y", memory="100MB")
    in_memory = hb.grow(hb.read(f"{tmp_path}/data.sqlite::visits", target="y"))
    assert str(tree.question(0)) == str(in_memory.question(0))
