"""Rules for missing values of trees grown from files: imputed values and complete rows, as in memory."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.scale import Dataset
from hornbeam.scale.sources import parquet
from hornbeam.tree.file.files import to_bytes

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N_ROWS = 2000
RULES = ("drop_rows", *({"name": "impute", "method": method} for method in ("mean", "median", "mode")))


def rows_of(n=N_ROWS):
    random = np.random.default_rng(3)
    few = random.integers(0, 60, n) / 8
    few[random.random(n) < 0.1] = np.nan
    many = random.normal(size=n)
    many[random.random(n) < 0.2] = np.nan
    group = random.choice(np.array(["a", "b", "c", None], dtype=object), size=n, p=[0.5, 0.2, 0.2, 0.1])
    score = np.nan_to_num(few) / 4 + (group == "a") + np.nan_to_num(many) + random.normal(size=n)
    weights = random.random(n) + 0.1
    key = [f"what the doctor wrote in visit {i}" if i % 20 else None for i in range(n)]
    label = np.where(score > 1.5, "yes", "no")
    return pa.table({"few": few, "many": many, "group": group, "key": key, "y": label, "z": score, "w": weights})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_MIN_PIECE_ROWS", 1)
    for number, start in enumerate(range(0, N_ROWS, 900)):
        pq.write_table(rows_of().slice(start, 900), tmp_path / f"{number}.parquet", row_group_size=400)
    return tmp_path


@pytest.mark.parametrize("missing", RULES, ids=str)
@pytest.mark.parametrize(("target", "weights"), [("y", None), ("y", "w"), ("z", None)])
def test_where_bins_are_values_the_tree_is_that_of_memory(folder, missing, target, weights):
    recipe = hb.recipe("plain").with_changes(missing=missing)
    columns = ["few", "group"]
    table = hb.read(rows_of(), target=target, weights=weights, columns=columns)
    memory = hb.grow(table, recipe)
    dataset = Dataset(str(folder / "*.parquet"), target, weights=weights, columns=columns)
    files = hb.grow(dataset, recipe, memory="100MB")
    assert files.schema == memory.schema
    assert str(files) == str(memory)
    assert np.array_equal(files.nodes.stats, memory.nodes.stats)
    assert np.array_equal(files.nodes.missing_branch, memory.nodes.missing_branch)
    without_digest = {name: value for name, value in memory.metadata.items() if name != "training_rows"}
    assert files.metadata == without_digest


@pytest.mark.parametrize("method", ["mean", "median", "mode"])
def test_a_column_of_many_values_is_imputed_in_its_bins(folder, tmp_path, method):
    recipe = hb.recipe("plain").with_changes(missing={"name": "impute", "method": method})
    pq.write_table(rows_of(), tmp_path / "whole.pq")
    trees = [
        hb.grow(Dataset(str(source), "y", columns=["few", "many"]), recipe, memory=memory)
        for source, memory in ((folder / "*.parquet", "64MB"), (tmp_path / "whole.pq", "1GB"))
    ]
    assert to_bytes(trees[0]) == to_bytes(trees[1])
    known = rows_of()["many"].to_numpy()
    known = known[~np.isnan(known)]
    value = trees[0].metadata["fill_values"][1]
    if method == "mean":
        assert value == pytest.approx(known.mean(), abs=1e-9)
    elif method == "median":
        assert value == pytest.approx(np.median(known), abs=0.02)
    else:
        assert known.min() <= value <= known.max()


def test_a_value_missing_in_an_excluded_column_does_not_exclude_the_row(folder):
    dataset = Dataset(str(folder / "*.parquet"), "y", drop=["z", "w", "many"])
    tree = hb.grow(dataset, hb.recipe("plain").with_changes(missing="drop_rows"), memory="100MB")
    notes = [str(note) for note in tree.metadata["notes"]]
    assert any("'key' is excluded: it is free text" in note for note in notes)
    complete = rows_of().select(["few", "group"]).to_pandas().notna().all(axis=1).sum()
    assert tree.metadata["rows"] == complete
    assert f"{N_ROWS - complete} of {N_ROWS} rows with missing values were excluded." in notes


def test_no_complete_row_is_an_error_with_what_to_use(tmp_path):
    rows = pa.table({"x": [None, 1.0] * 50, "z": [1.0, None] * 50, "y": ["a", "b"] * 50})
    pq.write_table(rows, tmp_path / "rows.parquet")
    recipe = hb.recipe("plain").with_changes(missing="drop_rows")
    with pytest.raises(InputError, match="requires complete rows, but all 100 have missing values") as caught:
        hb.grow(tmp_path / "rows.parquet", recipe, target="y", memory="100MB")
    assert "missing='skip_column'" in str(caught.value)
    assert not list(tmp_path.glob("hornbeam*"))


def test_a_kept_work_folder_gives_the_same_complete_rows(folder, tmp_path):
    recipe = hb.recipe("plain").with_changes(missing="drop_rows")
    dataset = Dataset(str(folder / "*.parquet"), "y", drop=["z", "w", "many"])
    first, second = (to_bytes(hb.grow(dataset, recipe, memory="100MB", work=tmp_path / "work")) for _ in range(2))
    assert first == second


def test_the_rows_of_forests_are_imputed_too(folder):
    recipe = hb.recipe("forest").with_changes(missing="impute", ensemble={"name": "forest", "n_trees": 3})
    forest = hb.grow(Dataset(str(folder / "*.parquet"), "y", columns=["few", "group"]), recipe, memory="100MB")
    known = rows_of()["few"].to_numpy()
    assert all(tree.metadata["fill_values"][0] == pytest.approx(np.nanmean(known)) for tree in forest.trees)
