"""Models grown by the workers of a Dask cluster: the bytes of one machine, also when workers are killed."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys

import numpy as np
import pytest
from tests.unit.scale.cluster_data import N_ROWS, Killer, frame_of, left_behind, rows_of, write

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.scale import Dataset
from hornbeam.tree.file.files import load, to_bytes

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
frames = pytest.importorskip("dask.dataframe")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # of the libraries of the cluster
    pytest.mark.skipif(os.name != "posix", reason="workers are killed by signals"),
]


def forest(n_trees=2):
    recipe = hb.recipe("forest")
    return recipe.with_changes(ensemble=dataclasses.replace(recipe.ensemble_method, n_trees=n_trees))


# The same bytes.


@pytest.mark.parametrize("n_files", [1, 2, 7, 16])
def test_files_give_the_bytes_of_one_machine(clean, tmp_path, expected, n_files):
    assert to_bytes(hb.grow(write(tmp_path / "data", n_files), client=clean)) == expected


@pytest.mark.parametrize("n_partitions", [1, 2, 7, 16])
def test_a_frame_gives_the_bytes_of_files(clean, expected, n_partitions):
    found = hb.grow(Dataset(frame_of(n_partitions), "y", weights="w"), client=clean)
    assert to_bytes(found) == expected


@pytest.mark.parametrize("n_workers", [1, 2])
def test_the_number_of_workers_changes_nothing(tmp_path, expected, n_workers):
    settings = {"processes": False, "dashboard_address": "127.0.0.1:0", "memory_limit": 0, "threads_per_worker": 2}
    with (
        distributed.LocalCluster(n_workers=n_workers, silence_logs=50, **settings) as local,
        distributed.Client(local, set_as_default=False) as other,
    ):
        assert to_bytes(hb.grow(write(tmp_path / "data", 7), client=other)) == expected
        assert left_behind(other) == []


def test_a_forest_has_the_bytes_of_one_machine(clean, tmp_path):
    dataset = write(tmp_path / "data", 5)
    local = to_bytes(hb.grow(dataset, forest(), memory="100MB", seed=1))
    assert to_bytes(hb.grow(dataset, forest(), client=clean, seed=1)) == local
    assert to_bytes(hb.grow(Dataset(frame_of(4), "y", weights="w"), forest(), seed=1)) == local


def test_the_default_client_is_used_and_without_one_the_error_names_the_argument(clean, monkeypatch):
    frame = frame_of(2).drop(columns="w")
    assert str(hb.grow(frame, "plain", target="y")) == str(hb.grow(frame, "plain", target="y", client=clean))

    def no_client():
        raise ValueError("No global client found")

    monkeypatch.setattr(distributed, "default_client", no_client)
    with pytest.raises(OptionError, match="A Dask collection requires a client of a cluster"):
        hb.grow(frame, target="y")


# Workers that are lost.

PLACES = ["binning", "first level", "middle level", "last level"]


def when(place, lines):
    """The text of the lines of progress before a place, and which of them it is."""
    if place == "binning":
        return "pass 2", 1
    n_levels = sum("nodes grown" in line for line in lines) - 1  # the last line is that of the whole tree
    return "nodes grown", {"first level": 1, "middle level": n_levels // 2, "last level": n_levels - 1}[place]


@pytest.mark.parametrize("place", PLACES)
def test_killed_workers_do_not_change_the_bytes(clean, tmp_path, on_one_machine, place):
    expected, lines = on_one_machine
    kill = Killer(clean, *when(place, lines))
    assert to_bytes(hb.grow(write(tmp_path / "data", 7), client=clean, progress=kill)) == expected
    assert kill.killed


def test_two_workers_killed_at_once_do_not_change_the_bytes(clean, tmp_path, expected):
    kill = Killer(clean, "nodes grown", 2, n_killed=2)
    assert to_bytes(hb.grow(write(tmp_path / "data", 7), client=clean, progress=kill)) == expected
    assert len(kill.killed) == 2


def test_a_worker_killed_while_it_bins_a_frame_does_not_change_the_bytes(clean, expected):
    kill = Killer(clean, "pass 2", 1)
    assert to_bytes(hb.grow(Dataset(frame_of(7), "y", weights="w"), progress=kill)) == expected
    assert kill.killed


# Estimators.


def test_estimators_fit_frames_and_arrays_as_in_memory(clean):
    import dask.array as arrays

    random = np.random.default_rng(0)
    X = np.round(random.normal(size=(1500, 4)), 1)
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0.2).astype(int)
    weights = random.integers(1, 4, 1500).astype(float)
    settings = {"max_depth": 4, "min_samples_leaf": 0.01, "class_weight": {0: 2.0, 1: 1.0}}
    memory = hb.TreeClassifier(**settings).fit(X, y, weights)
    chunks = (arrays.from_array(X, chunks=(400, 2)), arrays.from_array(y, chunks=300), arrays.from_array(weights, 500))
    found = hb.TreeClassifier(**settings).fit(*chunks, client=clean)
    assert found.classes_.dtype == memory.classes_.dtype
    assert found.n_features_in_ == 4
    assert np.array_equal(found.predict_proba(X), memory.predict_proba(X))

    table = rows_of().select(["x", "few", "color", "z"]).to_pandas()
    table["x"] = table["x"].round(1)
    rows = frames.from_pandas(table, npartitions=3)
    memory = hb.TreeRegressor(max_depth=5).fit(table[["x", "few", "color"]], table["z"])
    found = hb.TreeRegressor(max_depth=5).fit(rows[["x", "few", "color"]], rows["z"])
    assert np.array_equal(found.predict(table[["x", "few", "color"]]), memory.predict(table[["x", "few", "color"]]))
    assert list(found.feature_names_in_) == ["x", "few", "color"]
    boosted = {"max_iter": 5, "early_stopping": False}
    memory = hb.BoostedRegressor(**boosted).fit(table[["x", "few", "color"]], table["z"])
    found = hb.BoostedRegressor(**boosted).fit(rows[["x", "few", "color"]], rows["z"], client=clean)
    assert np.array_equal(found.predict(table[["x", "few", "color"]]), memory.predict(table[["x", "few", "color"]]))
    several = [hb.ForestRegressor(3, random_state=seed).fit(rows[["x", "few"]], rows["z"]) for seed in (1, 1, 2)]
    models = [to_bytes(each.forest_) for each in several]
    assert models[0] == models[1] != models[2]


def test_columns_of_one_parquet_frame_stay_aligned(clean, tmp_path):
    """Dask joins partitions of files of which few columns are read: others for y than for X."""
    write(tmp_path / "data", 6)
    frame = frames.read_parquet(tmp_path / "data")
    found = hb.TreeClassifier(max_depth=3).fit(frame[["x", "few", "color"]], frame["y"])
    table = rows_of().select(["x", "few", "color", "y"])
    expected = hb.grow(frames.from_pandas(table.to_pandas(), npartitions=2, sort=False), "plain", target="y")
    assert found.tree_.nodes.stats[0].tolist() == expected.nodes.stats[0].tolist()
    assert found.get_depth() == 3


def test_what_estimators_cannot_do_with_collections_is_an_error(clean):
    rows = frame_of(3)
    X, y = rows[["x", "few"]], rows["y"]
    for estimator, settings, message in (
        (hb.TreeClassifier(), {"groups": [1]}, "groups requires rows in memory, but X is a Dask collection"),
        (hb.ForestClassifier(oob_score=True), {}, "oob_score requires rows in memory, but X is a Dask collection"),
        (hb.TreeClassifier(class_weight={"q": 1.0}), {}, "class_weight contains 'q', which is not a class"),
    ):
        with pytest.raises(OptionError, match=message):
            estimator.fit(X, y, **settings)
        assert not hasattr(estimator, "classes_")
    with pytest.raises(InputError, match="y must be a Dask collection, as the other arguments are, got a ndarray"):
        hb.TreeClassifier().fit(X, np.zeros(N_ROWS))
    with pytest.raises(InputError, match="X has 3 partitions and y has 2"):
        hb.TreeClassifier().fit(X, frame_of(2)["y"])


# The command line.


def test_the_command_line_grows_on_a_scheduler(clean, tmp_path, expected):
    write(tmp_path / "data", 4)
    flags = ["--target", "y", "--weights", "w", "--drop", "z", "--scheduler", clean.scheduler.address]
    run = subprocess.run(
        [sys.executable, "-m", "hornbeam", "grow", "data/*.parquet", *flags, "-o", "model.tree", "-q"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert to_bytes(load(tmp_path / "model.tree")) == expected
