"""The code of docs/guides/scoring.md runs in the engines that are installed and gives the predictions of `predict`.

Spark and Ray are not among the tools for development: their tests are skipped unless they are installed.
"""

from __future__ import annotations

import os
import pathlib
import re
import secrets
import sys

import numpy as np
import pytest

import hornbeam as hb

pa = pytest.importorskip("pyarrow")

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guides" / "scoring.md"
N_ROWS = 500
pytestmark = pytest.mark.filterwarnings("ignore")  # of the engines


def block(name):
    """The code of the page with a name."""
    found = re.search(rf"<!-- scoring: {name} -->\n```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found, name
    return found[1]


@pytest.fixture
def rows():
    random = np.random.default_rng(0)
    size = np.where(random.random(N_ROWS) < 0.05, np.nan, random.normal(size=N_ROWS))
    color = random.choice(["red", "green", "blue"], N_ROWS)
    ripe = np.where((size > 0.2) | (color == "red"), "yes", "no")
    return pa.table({"size": pa.array(size, from_pandas=True), "color": color, "ripe": ripe})


@pytest.fixture
def names(rows, tmp_path, monkeypatch):
    """The functions of the page, as the module `scoring_code` that worker processes import."""
    path = tmp_path / "fruit.tree"
    hb.save(hb.grow(hb.read(rows, target="ripe"), "plain"), path)
    code = "\n".join(block(name) for name in ("common", "spark", "ray", "duckdb", "dask"))
    (tmp_path / "scoring_code.py").write_text(code.replace('path="fruit.tree"', f"path={str(path)!r}"), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))
    sys.modules.pop("scoring_code", None)
    import scoring_code

    return scoring_code


@pytest.fixture
def expected(rows, names):
    found = hb.predict(names.model_of(names.predictions.__defaults__[0]), rows.drop_columns(["ripe"]))
    return found.labels.tolist(), found.probabilities.max(axis=1).tolist()


def test_the_function_predicts_batches_and_loads_the_model_once(rows, names, expected):
    parts = [names.predictions(batch) for batch in rows.to_batches(max_chunksize=100)]
    assert pa.concat_tables(parts)["prediction"].to_pylist() == expected[0]
    assert pa.concat_tables(parts)["probability"].to_pylist() == expected[1]
    assert names.model_of.cache_info().misses == 1


def test_duckdb_scores_a_table(rows, names, expected):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    with duckdb.connect() as connection:
        connection.register("given", rows)
        names.score_in_duckdb(connection)
        found = connection.execute("SELECT ripeness(size, color) FROM given").fetchall()
    assert [row[0] for row in found] == expected[0]


def test_dask_scores_a_frame(rows, names, expected):
    frames = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    frame = frames.from_pandas(rows.to_pandas(), npartitions=3, sort=False)
    found = names.score_in_dask(frame).compute(scheduler="sync")
    assert found["prediction"].tolist() == expected[0]
    assert found["probability"].tolist() == expected[1]
    assert found["size"].tolist()[-1] == rows["size"].to_pylist()[-1]


def test_spark_scores_a_frame(rows, names, expected):
    sql = pytest.importorskip("pyspark.sql", reason="Spark is not installed")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    settings = {"spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
    builder = sql.SparkSession.builder.master("local[2]").config(map=settings)
    spark = builder.getOrCreate()
    try:
        numbered = rows.append_column("row", pa.array(range(N_ROWS)))
        frame = spark.createDataFrame(numbered.to_pandas()).repartition(3)
        found = sorted(names.score_in_spark(frame).collect(), key=lambda row: row["row"])
    finally:
        spark.stop()
    assert [row["prediction"] for row in found] == expected[0]
    assert [row["probability"] for row in found] == expected[1]


def test_ray_scores_a_dataset(rows, names, expected, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    data = pytest.importorskip("ray.data", reason="Ray Data is not installed")
    (tmp_path / "token").write_text(secrets.token_hex(32), "utf-8")  # else Ray writes one to the home folder
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))
    workers = {"env_vars": {"PYTHONPATH": os.environ["PYTHONPATH"]}}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=workers)
    try:
        numbered = rows.append_column("row", pa.array(range(N_ROWS)))
        scored = names.score_in_ray(data.from_arrow(numbered).repartition(3))
        found = sorted(scored.take_all(), key=lambda row: row["row"])
    finally:
        ray.shutdown()
    assert [row["prediction"] for row in found] == expected[0]
    assert [row["probability"] for row in found] == expected[1]
