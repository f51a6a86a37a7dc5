"""A column of an unsupported type is an error only if it is used, whatever the source."""

from __future__ import annotations

import contextlib
import sqlite3

import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamError
from hornbeam.scale import Dataset

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pd = pytest.importorskip("pandas")

ROWS = pa.table(
    {
        "x": [1, 2, 3, 4] * 5,
        "nested": pa.array([[1.0, 2.0]] * 20),
        "bytes": pa.array([b"a"] * 20),
        "y": ["u", "v"] * 10,
    }
)


@pytest.fixture
def sources(tmp_path):
    import duckdb

    pq.write_table(ROWS.slice(0, 10), tmp_path / "a.parquet")
    pq.write_table(ROWS.slice(10), tmp_path / "b.parquet")
    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        connection.register("given", ROWS)
        connection.execute("CREATE TABLE t AS SELECT * FROM given")
    with contextlib.closing(sqlite3.connect(tmp_path / "s.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE t (x, nested, bytes, y)")
        rows = [(each["x"], b"[]", each["bytes"], each["y"]) for each in ROWS.to_pylist()]
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
    lines = pd.DataFrame({"x": [1, 2], "nested": [[1], [2]], "y": ["u", "v"], "bytes": [{"a": 1}, {"a": 2}]})
    lines.to_json(tmp_path / "r.jsonl", orient="records", lines=True)
    return {
        "parquet": str(tmp_path / "a.parquet"),
        "several files": str(tmp_path / "*.parquet"),
        "duckdb": f"{tmp_path / 'd.duckdb'}::t",
        "json lines": str(tmp_path / "r.jsonl"),
        "sqlite": f"{tmp_path / 's.sqlite'}::t",
        "dict": ROWS.to_pydict(),
        "list of dicts": ROWS.to_pylist(),
        "arrow": ROWS,
        "pandas": pd.DataFrame(ROWS.to_pylist()),
        "few rows of pandas": pd.DataFrame(ROWS.slice(0, 4).to_pylist()),
    }


NAMES = ["parquet", "several files", "duckdb", "json lines", "sqlite", "dict", "list of dicts"]
NAMES += ["arrow", "pandas", "few rows of pandas"]


@pytest.mark.filterwarnings("ignore:Columns that the model does not have are ignored")
@pytest.mark.parametrize("name", NAMES)
def test_columns_that_are_not_used_may_have_any_type(sources, name):
    source = sources[name]
    table = hb.read(source, target="y", drop=["nested", "bytes"])
    assert [column.name for column in hb.read(source, target="y", columns=["x"]).columns] == ["x"]
    tree = hb.grow(table, "plain")
    assert hb.predict(tree, source).labels.tolist() == hb.predict(tree, table).labels.tolist()
    assert hb.evaluate(tree, source)["accuracy"].value == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("used", ["nested", "bytes"])
def test_columns_that_are_used_are_an_error_with_their_name(sources, name, used):
    with pytest.raises(HornbeamError, match=f"(?i)column '{used}'"):
        hb.read(sources[name], target="y", columns=["x", used])
    with pytest.raises(HornbeamError, match=f"(?i)column '{used}'"):
        hb.read(sources[name], target=used, columns=["x"])


@pytest.mark.filterwarnings("ignore:Columns that the model does not have are ignored")
@pytest.mark.parametrize("name", ["parquet", "several files", "duckdb", "stream"])
def test_so_it_is_from_files(sources, tmp_path, name):
    def dataset(**given):
        return Dataset(ROWS.to_reader() if name == "stream" else sources[name], "y", **given)

    tree = hb.grow(dataset(columns=["x"]), "plain", memory="100MB")
    with pytest.raises(HornbeamError, match=r"Column 'nested' of .* has the type"):
        hb.grow(dataset(drop=["bytes"]), "plain", memory="100MB")
    source = dataset().source
    assert hb.predict(tree, source, output=tmp_path / "out.csv") in (10, 20)


def test_types_that_parquet_does_not_have_are_not_copied(tmp_path):
    import duckdb

    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT i % 4 AS x, INTERVAL 1 DAY AS span, i % 2 = 0 AS y FROM range(40) r(i)"
        )
    data = Dataset(f"{tmp_path / 'd.duckdb'}::t", "y", drop=["span"])
    assert str(hb.grow(data, "plain", memory="100MB")) == str(hb.grow(data.read(), "plain"))
    with pytest.raises(HornbeamError, match=r"Column 'span' of .* has the type month_day_nano_interval"):
        hb.grow(Dataset(data.source, "y"), "plain", memory="100MB")
