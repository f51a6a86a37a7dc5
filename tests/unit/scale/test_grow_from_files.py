"""Trees grown from files: those of memory where bins are values, the same for any memory, pieces and source."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.scale import Dataset
from hornbeam.scale.sources import parquet
from hornbeam.tree.file.files import to_bytes

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N_ROWS = 4000


def rows_of(n=N_ROWS, seed=0):
    random = np.random.default_rng(seed)
    few = random.integers(0, 100, n).astype(float)
    few[random.random(n) < 0.05] = np.nan
    x = random.normal(size=n)
    color = random.choice(["red", "green", "blue"], size=n)
    noise = random.normal(size=n)
    score = np.nan_to_num(few) / 50 + (color == "red") + 0.5 * x + noise
    return pa.table({"few": few, "x": x, "color": color, "y": np.where(score > 1.5, "yes", "no"), "z": score})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_MIN_PIECE_ROWS", 1)
    table = rows_of()
    for number, start in enumerate(range(0, N_ROWS, 1500)):
        pq.write_table(table.slice(start, 1500), tmp_path / f"{number}.parquet", row_group_size=700)
    return tmp_path


@pytest.mark.parametrize("target", ["y", "few"])
def test_where_bins_are_values_the_tree_is_that_of_memory(folder, target):
    columns = ["few", "color"] if target == "y" else ["color", "y"]
    data = rows_of().select([*columns, target])
    memory = hb.grow(hb.read(data, target=target), "plain")
    files = hb.grow(Dataset(str(folder / "*.parquet"), target, columns=columns), "plain", memory="100MB")
    assert files.schema == memory.schema
    assert str(files) == str(memory)
    assert np.array_equal(files.nodes.stats, memory.nodes.stats)


def test_neither_memory_nor_pieces_nor_the_source_change_the_tree(folder, tmp_path):
    import duckdb

    pq.write_table(rows_of(), tmp_path / "whole.pq", row_group_size=N_ROWS)
    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        connection.register("rows", rows_of())
        connection.execute("CREATE TABLE t AS SELECT * FROM rows")
    reader = pa.RecordBatchReader.from_batches(rows_of().schema, rows_of().to_batches(max_chunksize=1000))
    calls = [
        (str(folder / "*.parquet"), "64MB"),
        (str(folder / "*.parquet"), "1GB"),
        (tmp_path / "whole.pq", "100MB"),
        (f"{tmp_path}/d.duckdb::t", "100MB"),
        (reader, "100MB"),
    ]
    trees = [to_bytes(hb.grow(Dataset(source, "y", drop=["z"]), memory=memory)) for source, memory in calls]
    assert all(tree == trees[0] for tree in trees)


def test_large_tables_are_pruned_on_held_out_rows_and_a_note_states_what_differs(folder):
    pruning = {"name": "cost_complexity", "rule": "minimum", "choose_by": "brier", "max_fold_rows": 1000}
    recipe = hb.recipe("plain").with_changes(pruning=pruning)
    tree = hb.grow(Dataset(folder / "*.parquet", "y", drop=["z"]), recipe, memory="100MB")
    entry = tree.metadata["prunings"][0]
    assert 300 < entry["held_out_rows"] < 500
    assert tree.metadata["rows"] + entry["held_out_rows"] == N_ROWS
    assert "cuts are between at most 255 bins of the columns with more values: x" in tree.metadata["notes"]
    memory = hb.grow(hb.read(rows_of().drop_columns(["z"]), target="y"))
    new = hb.read(rows_of(2000, seed=5).drop_columns(["z"]), target="y")
    errors = [1 - hb.evaluate(model, new)["accuracy"].value for model in (tree, memory)]
    assert errors[0] < errors[1] + 0.03


@pytest.mark.parametrize("name", ["forest", "extra_trees", "bagging"])
def test_forests_are_grown_from_files_and_memory_does_not_change_them(folder, name):
    recipe = hb.recipe(name)
    recipe = recipe.with_changes(ensemble=dataclasses.replace(recipe.ensemble_method, n_trees=4))
    dataset = Dataset(folder / "*.parquet", "y", drop=["z"])
    lines: list[str] = []
    forests = [hb.grow(dataset, recipe, memory=size, seed=3, progress=lines.append) for size in ("64MB", "1GB")]
    assert to_bytes(forests[0]) == to_bytes(forests[1])
    assert "4 of 4 trees grown, 0 s left" in lines
    new = hb.read(rows_of(2000, seed=5).drop_columns(["z"]), target="y")
    assert hb.evaluate(forests[0], new)["accuracy"].value > 0.6


def test_regression_prunes_too(folder):
    tree = hb.grow(Dataset(folder / "*.parquet", "z", drop=["y"]), memory="100MB")
    assert tree.n_leaves > 3
    assert not tree.is_class
    assert tree.metadata["prunings"]


def test_a_csv_file_and_a_parquet_file_give_one_tree(tmp_path):
    table = rows_of().drop_columns(["z"])
    pq.write_table(table, tmp_path / "a.parquet")
    table.to_pandas().to_csv(tmp_path / "a.csv", index=False)
    trees = [hb.grow(tmp_path / name, target="y", memory="100MB") for name in ("a.parquet", "a.csv")]
    assert str(trees[0]) == str(trees[1])


def test_files_without_memory_are_read_as_a_table(folder):
    expected = hb.grow(hb.read(rows_of().drop_columns(["z"]), target="y"), "cart")
    found = hb.grow(Dataset(folder / "*.parquet", "y", drop=["z"]), "cart")
    assert str(found) == str(expected)
    assert str(hb.grow(hb.read(rows_of(), target="y"), "plain")) == str(
        hb.grow([folder / f"{i}.parquet" for i in range(3)], "plain", target="y")
    )


def test_what_cannot_be_grown_from_files_is_refused_with_what_to_use(folder):
    path = str(folder / "*.parquet")
    with pytest.raises(OptionError, match=r"bagged trees and boosted trees, but the recipe grows adaboost"):
        hb.grow(path, "adaboost", target="y", memory="100MB")
    with pytest.raises(OptionError, match="trace cannot be used with memory="):
        hb.grow(path, target="y", memory="100MB", trace=True)
    with pytest.raises(OptionError, match="memory requires files, got a Table"):
        hb.grow(hb.read(rows_of(), target="y"), memory="1GB")
    with pytest.raises(OptionError, match="No target is given"):
        hb.grow(path, memory="100MB")
    with pytest.raises(InputError, match="Unknown column 'w'"):
        hb.grow(path, target="w", memory="100MB")


def test_progress_reports_both_passes_and_the_nodes(folder):
    lines: list[str] = []
    hb.grow(str(folder / "*.parquet"), target="y", memory="100MB", progress=lines.append)
    assert any(line.startswith("pass 1: 4,000 of 4,000 rows, 0 s left") for line in lines)
    assert any(line.startswith("pass 2: ") for line in lines)
    assert any("nodes grown" in line for line in lines)
