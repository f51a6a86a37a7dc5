"""Predictions of files that are read in batches equal those in memory, and a failure leaves no file."""

from __future__ import annotations

import contextlib
import csv
import gzip
import json
import pathlib
import sqlite3
import warnings

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import DataFileError, HornbeamWarning, InputError, OptionError
from hornbeam.scale import new_rows

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N_ROWS = 1000


def table(n=N_ROWS, seed=0):
    random = np.random.default_rng(seed)
    x = random.normal(size=n)
    x[::17] = np.nan
    color = random.choice(["red", "green", "blue"], size=n)
    return pa.table({"id": np.arange(n), "x": x, "color": color, "k": random.integers(0, 5, n)})


@pytest.fixture
def in_batches(monkeypatch):
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 0)
    monkeypatch.setattr(new_rows, "BATCH_ROWS", 128)


@pytest.fixture
def tree():
    rows = table(seed=1)
    y = np.where(np.nan_to_num(rows["x"].to_numpy()) > 0.2, "yes", "no").tolist()
    data = rows.select(["x", "color", "k"]).append_column("y", pa.array(y))
    return hb.grow(hb.read(data, target="y"), "plain")


@pytest.fixture
def files(tmp_path, in_batches):
    rows = table()
    pq.write_table(rows.slice(0, 600), tmp_path / "a.parquet", row_group_size=250)
    pq.write_table(rows.slice(600), tmp_path / "b.parquet")
    return tmp_path


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "csv", "jsonl"])
def test_a_file_of_predictions_has_the_predictions_in_memory(files, tree, suffix):
    out = files / f"out.{suffix}"
    assert hb.predict(tree, files / "[ab].parquet", output=out, keep=["id"]) == N_ROWS
    expected = hb.predict(tree, table().select(["x", "color", "k"]))
    rows = read_back(out)
    assert [row["row"] for row in rows] == list(range(N_ROWS))
    assert [row["id"] for row in rows] == list(range(N_ROWS))
    assert [row["prediction"] for row in rows] == expected.labels.tolist()
    assert [row["node"] for row in rows] == expected.nodes.tolist()
    assert [row["probability_yes"] for row in rows] == expected.probabilities[:, 1].tolist()


def read_back(path):
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    if path.suffix == ".arrow":
        return pa.ipc.open_file(path).read_all().to_pylist()
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        return [row | {"probability_yes": row["probabilities"]["yes"]} for row in rows]
    rows = list(csv.DictReader(path.read_text().splitlines()))
    numbers = {"row": int, "id": int, "node": int, "probability_yes": float}
    return [row | {name: convert(row[name]) for name, convert in numbers.items()} for row in rows]


def test_the_batches_do_not_change_the_file(files, tree, monkeypatch):
    for size, name in ((128, "small.csv"), (10_000, "large.csv")):
        monkeypatch.setattr(new_rows, "BATCH_ROWS", size)
        hb.predict(tree, files / "[ab].parquet", output=files / name, keep=["id"])
    assert (files / "small.csv").read_bytes() == (files / "large.csv").read_bytes()


def test_streams_and_iterators_of_frames_are_read_once(tree, tmp_path):
    rows = table().drop_columns(["id"])
    expected = hb.predict(tree, rows).labels.tolist()
    reader = pa.RecordBatchReader.from_batches(rows.schema, rows.to_batches(max_chunksize=300))
    frames = (rows.slice(start, 300).to_pandas() for start in range(0, N_ROWS, 300))
    for name, source in (("a", reader), ("b", frames), ("c", iter(rows.to_batches(max_chunksize=300)))):
        assert hb.predict(tree, source, output=tmp_path / f"{name}.parquet") == N_ROWS
        assert pq.read_table(tmp_path / f"{name}.parquet")["prediction"].to_pylist() == expected


def test_a_table_of_duckdb_is_read_in_batches(tree, tmp_path, in_batches):
    import duckdb

    rows = table().drop_columns(["id"])
    with duckdb.connect(str(tmp_path / "data.duckdb")) as connection:
        connection.register("rows", rows)
        connection.execute("CREATE TABLE patients AS SELECT * FROM rows")
    hb.predict(tree, f"{tmp_path}/data.duckdb::patients", output=tmp_path / "out.parquet")
    found = pq.read_table(tmp_path / "out.parquet")["prediction"].to_pylist()
    assert found == hb.predict(tree, rows).labels.tolist()


@pytest.mark.parametrize("name", ["data.jsonl", "data.jsonl.gz", "data.json", "data.sqlite"])
def test_json_lines_and_sqlite_tables_are_read_in_batches(tree, tmp_path, in_batches, monkeypatch, name):
    rows = table()
    write_rows(tmp_path / name, rows)
    seen = []
    with monkeypatch.context() as patched:
        patched.setattr("hornbeam.scale.prediction_files.read_at_once", None)
        hb.predict(
            tree,
            tmp_path / name,
            output=tmp_path / "out.parquet",
            keep=["id", "color"],
            progress=lambda *done: seen.append(done),
        )
    assert len(seen) > 1
    assert seen[-1] == (N_ROWS, N_ROWS)
    found = pq.read_table(tmp_path / "out.parquet")
    assert found["prediction"].to_pylist() == hb.predict(tree, rows.drop_columns(["id"])).labels.tolist()
    assert found["id"].to_pylist() == rows["id"].to_pylist()
    assert found["color"].to_pylist() == rows["color"].to_pylist()


def write_rows(path, rows):
    values = [row | {"x": None if row["x"] != row["x"] else row["x"]} for row in rows.to_pylist()]
    if path.suffix == ".sqlite":
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE data (id, x, color, k)")
            connection.executemany("INSERT INTO data VALUES (:id, :x, :color, :k)", values)
            connection.commit()
        return
    text = json.dumps(values) if path.suffix == ".json" else "\n".join(map(json.dumps, values))
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def test_a_sqlite_column_of_numbers_and_texts_is_read_at_once(tree, tmp_path, in_batches):
    with contextlib.closing(sqlite3.connect(tmp_path / "mixed.sqlite")) as connection:
        connection.execute("CREATE TABLE data (x, color, k)")
        values = [(0.5, "red" if row % 2 else 7, row % 5) for row in range(N_ROWS)]
        connection.executemany("INSERT INTO data VALUES (?, ?, ?)", values)
        connection.commit()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        hb.predict(tree, tmp_path / "mixed.sqlite", output=tmp_path / "out.csv")
    assert new_rows.rows_in_batches(tmp_path / "mixed.sqlite") is None


def test_a_line_that_is_no_json_is_an_error_with_its_line(tree, tmp_path, in_batches):
    write_rows(tmp_path / "bad.jsonl", table())
    with (tmp_path / "bad.jsonl").open("a") as file:
        file.write("\nnothing\n")
    with pytest.raises(DataFileError, match="line 1001"):
        hb.predict(tree, tmp_path / "bad.jsonl", output=tmp_path / "out.csv", keep=["id"])


def test_regression_forests_and_rules_are_written_too(files, tree):
    rows = table(seed=1)
    data = hb.read(rows.select(["x", "color", "k"]), target="k")
    forest = hb.forest(data, n_trees=3, seed=1)
    new = table().select(["x", "color"])
    hb.predict(forest, files / "[ab].parquet", output=files / "forest.parquet", keep=["id", "k"])
    found = pq.read_table(files / "forest.parquet")
    assert found["prediction"].to_pylist() == hb.predict(forest, new).numbers.tolist()
    assert found["k"].to_pylist() == table()["k"].to_pylist()
    rules = hb.extract_rules(tree)
    hb.predict(rules, files / "[ab].parquet", output=files / "rules.parquet", keep=["id"])
    labels = rules.predict(table().select(["x", "color", "k"])).labels.tolist()
    assert pq.read_table(files / "rules.parquet")["prediction"].to_pylist() == labels


def test_an_error_names_the_row_of_the_whole_source_and_leaves_no_file(files, tree):
    rows = table()
    bad = rows.set_column(1, "x", pa.array(np.where(np.arange(N_ROWS) == 777, np.inf, 0.0)))
    pq.write_table(bad, files / "bad.parquet")
    with pytest.raises(InputError, match="row 777, must be finite"):
        hb.predict(tree, files / "bad.parquet", output=files / "out.parquet", keep=["id"])
    assert not list(files.glob("*out*"))
    (files / "out.parquet").write_text("old")
    with pytest.raises(InputError, match="row 777"):
        hb.predict(tree, files / "bad.parquet", output=files / "out.parquet", keep=["id"])
    assert (files / "out.parquet").read_text() == "old"


def test_ctrl_c_leaves_no_file(files, tree):
    def interrupt(done, n_rows):
        assert n_rows == N_ROWS
        if done > 300:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hb.predict(tree, files / "[ab].parquet", output=files / "out.csv", keep=["id"], progress=interrupt)
    assert sorted(path.name for path in files.iterdir()) == ["a.parquet", "b.parquet"]


def test_a_truncated_file_and_other_columns_are_errors_that_name_the_file(files, tree):
    data = (files / "b.parquet").read_bytes()
    (files / "c.parquet").write_bytes(data[: len(data) // 2])
    with pytest.raises(DataFileError, match=r"c\.parquet.* is damaged Parquet"):
        hb.predict(tree, files / "c.parquet", output=files / "out.csv")
    pq.write_table(table().rename_columns(["id", "x", "colour", "k"]), files / "d.parquet")
    with pytest.raises(InputError, match=r"d\.parquet' lacks the column 'color'"):
        hb.predict(tree, files / "[ad].parquet", output=files / "out.csv")
    pq.write_table(table().set_column(3, "k", pa.array(["1"] * N_ROWS)), files / "e.parquet")
    with pytest.raises(InputError, match=r"'k' is numeric in .*a\.parquet' and text in .*e\.parquet'"):
        hb.predict(tree, files / "[ae].parquet", output=files / "out.csv")
    with pytest.raises(InputError, match=r"1 column.s. of the model are missing from the new rows: 'color'"):
        hb.predict(tree, files / "d.parquet", output=files / "out.csv")


def test_a_file_that_is_replaced_meanwhile_is_an_error(files, tree):
    def replace(done, n_rows):
        pq.write_table(table(500, seed=3), files / "b.parquet")

    with pytest.raises(DataFileError, match=r"b\.parquet' has changed since it was first read"):
        hb.predict(tree, files / "[ab].parquet", output=files / "out.csv", keep=["id"], progress=replace)


def test_extra_columns_and_unseen_levels_are_warned_of_once(files, tree):
    rows = table().set_column(2, "color", pa.array(["pink"] * N_ROWS))
    pq.write_table(rows, files / "pink.parquet")
    with pytest.warns(HornbeamWarning) as warned:
        hb.predict(tree, files / "pink.parquet", output=files / "out.csv")
    texts = [str(each.message) for each in warned]
    assert sum("are ignored: 'id'" in text for text in texts) == 1
    assert sum("a level that was not seen" in text for text in texts) <= 1


def test_settings_of_files_need_an_output(tree):
    with pytest.raises(OptionError, match=r"keep requires output"):
        hb.predict(tree, {"x": [1.0], "color": ["red"], "k": [1]}, keep=["id"])
    with pytest.raises(OptionError, match=r"The format of 'a\.txt' is unknown"):
        hb.predict(tree, {"x": [1.0], "color": ["red"], "k": [1]}, output="a.txt")


def test_small_sources_are_written_at_once(tree, tmp_path):
    assert hb.predict(tree, {"x": [1.0, -1.0], "color": ["red"] * 2, "k": [1, 2]}, output=tmp_path / "o.csv") == 2
    assert pathlib.Path(tmp_path / "o.csv").read_text().startswith("row,prediction,node,probability_no")
