"""Trees boosted by the workers of a Dask cluster: the bytes of one machine, also when workers are killed."""

from __future__ import annotations

import os

import numpy as np
import pytest
from tests.unit.scale.cluster_data import Killer

import hornbeam as hb
from hornbeam.scale import Dataset
from hornbeam.tree.file.files import to_bytes

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
distributed = pytest.importorskip("distributed")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # of the libraries of the cluster
    pytest.mark.skipif(os.name != "posix", reason="workers are killed by signals"),
]
N_ROWS = 3000
SETTINGS = {"n_rounds": 3, "max_leaves": 5, "validation_fraction": 0.2}


def rows_of():
    random = np.random.default_rng(0)
    x, few = random.normal(size=N_ROWS), random.integers(0, 60, N_ROWS)
    color = random.choice(["red", "green", "blue"], size=N_ROWS)
    score = x + few / 30 + (color == "red") + random.normal(size=N_ROWS)
    classes = np.array(["a", "b", "c"])[np.digitize(score, [1, 2])]
    return pa.table({"x": x, "few": few, "color": color, "w": random.integers(1, 4, N_ROWS), "y": classes, "z": score})


def write(folder, n_files, target):
    folder.mkdir()
    rows = -(-N_ROWS // n_files)
    for number, start in enumerate(range(0, N_ROWS, rows)):
        pq.write_table(rows_of().slice(start, rows), folder / f"{number:02d}.parquet")
    drop = ["z"] if target == "y" else ["y"]
    return Dataset(folder / "*.parquet", target, weights="w", drop=drop)


def kept_states(client):
    def count():
        from hornbeam.scale import cluster

        return len(cluster._states._states)

    return sum(client.run(count).values())


@pytest.fixture(scope="module")
def on_one_machine(tmp_path_factory):
    """The bytes of the model of each target that this machine boosts from files."""
    folder = tmp_path_factory.mktemp("local")
    return {
        target: to_bytes(hb.boost(write(folder / target, 3, target), memory="100MB", **SETTINGS)) for target in "yz"
    }


@pytest.mark.parametrize("target", ["y", "z"])
def test_the_bytes_do_not_depend_on_partitions_or_workers(clean, tmp_path, on_one_machine, target):
    for n_files in (1, 5):
        dataset = write(tmp_path / f"of{n_files}", n_files, target)
        assert to_bytes(hb.boost(dataset, client=clean, **SETTINGS)) == on_one_machine[target]
    assert kept_states(clean) == 0


def test_workers_of_several_threads_give_the_same_bytes(tmp_path, on_one_machine):
    settings = {"processes": False, "dashboard_address": "127.0.0.1:0", "memory_limit": 0, "threads_per_worker": 2}
    with (
        distributed.LocalCluster(n_workers=2, silence_logs=50, **settings) as local,
        distributed.Client(local, set_as_default=False) as other,
    ):
        found = hb.boost(write(tmp_path / "data", 7, "y"), client=other, **SETTINGS)
    assert to_bytes(found) == on_one_machine["y"]


@pytest.mark.parametrize(("n_killed", "times"), [(1, 1), (2, 1), (1, 2)])
def test_killed_workers_do_not_change_the_bytes(clean, tmp_path, on_one_machine, n_killed, times):
    kill = Killer(clean, "rounds boosted", 1, n_killed=n_killed, times=times)
    found = hb.boost(write(tmp_path / "cluster", 5, "y"), client=clean, progress=kill, **SETTINGS)
    assert to_bytes(found) == on_one_machine["y"]
    assert len(kill.killed) == n_killed * times
