"""Rows that do not keep to the types of the first rows give the predictions, or the error, of reading at once."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import warnings

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamError
from hornbeam.scale import guessed_rows, new_rows
from hornbeam.scale.sources import json_lines, sqlite

pa = pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

N_ROWS = 400


@pytest.fixture(scope="module")
def tree():
    random = np.random.default_rng(0)
    x, k = random.normal(size=N_ROWS), random.integers(0, 5, N_ROWS)
    color = random.choice(["red", "green"], N_ROWS)
    y = np.where(x + k + (color == "red") > 2.5, "a", "b")
    return hb.grow(hb.read({"x": x, "k": k, "color": color, "y": y}, target="y"), "plain")


@pytest.fixture
def few_at_once(monkeypatch):
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 0)
    monkeypatch.setattr(json_lines, "_HEAD", 2000)
    monkeypatch.setattr(json_lines, "_BLOCK", 2000)
    monkeypatch.setattr(sqlite, "_MAX_ROWS", 50)


def rows_of(change, at=300):
    random = np.random.default_rng(1)
    rows = [
        {
            "id": i,
            "x": float(random.normal()),
            "k": int(random.integers(0, 5)),
            "color": str(random.choice(["red", "green"])),
        }
        for i in range(N_ROWS)
    ]
    rows[at] |= change
    return rows


def result_of(tree, source, output, **settings):
    """The bytes that are written, or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            hb.predict(tree, source, output=output, **settings)
        except HornbeamError as error:
            return type(error), str(error)
    return output.read_bytes()


CHANGES = [
    {},
    {"k": 2.5},
    {"k": "many"},
    {"k": None},
    {"x": 3},
    {"x": 2**60},
    {"k": 2**60},
    {"k": -(2**53) - 1},
    {"x": "?"},
    {"color": 7},
    {"color": None},
    {"id": "last"},
    {"id": 0.5},
]


@pytest.mark.parametrize("change", [*CHANGES, {"k": True}, {"new": 1}, {"k": [1]}, {"x": float("nan")}], ids=str)
def test_json_lines_with_another_row(tree, tmp_path, monkeypatch, few_at_once, change):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows_of(change))))
    guessed = result_of(tree, path, tmp_path / "guessed.csv", keep=["id"])
    monkeypatch.setattr(new_rows, "guessed_json_lines", lambda path: None)
    assert guessed == result_of(tree, path, tmp_path / "exact.csv", keep=["id"])


@pytest.mark.parametrize("change", [*CHANGES, {"k": b"bytes"}, {"color": b"red"}], ids=str)
def test_a_sqlite_table_with_another_row(tree, tmp_path, monkeypatch, few_at_once, change):
    path = tmp_path / "rows.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE data (id, x, k, color)")
        connection.executemany("INSERT INTO data VALUES (:id, :x, :k, :color)", rows_of(change))
        connection.commit()
    guessed = result_of(tree, path, tmp_path / "guessed.csv", keep=["id"])
    monkeypatch.setattr(new_rows, "guessed_sqlite", lambda path: None)
    assert guessed == result_of(tree, path, tmp_path / "exact.csv", keep=["id"])


def test_rows_of_the_same_types_are_read_once(tree, tmp_path, monkeypatch, few_at_once):
    monkeypatch.setattr(new_rows, "json_lines_source", None)
    monkeypatch.setattr(new_rows, "sqlite_source", None)
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows_of({}))) + "\n")
    assert hb.predict(tree, path, output=tmp_path / "out.csv", keep=["id"]) == N_ROWS
    found = new_rows.rows_in_batches(path)
    assert isinstance(found, guessed_rows.GuessedRows)
    assert (found.n_rows, found.names) == (N_ROWS, ("id", "x", "k", "color"))
    assert sum(len(batch) for batch in found.matched(tree.schema, ["id"])) == N_ROWS
