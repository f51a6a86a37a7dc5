"""Trees boosted by the workers of a Dask cluster: the bytes of one machine, also when workers are killed."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

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


@pytest.fixture(scope="module")
def client():
    settings = {"n_workers": 2, "threads_per_worker": 2, "dashboard_address": None, "memory_limit": 0}
    with (
        distributed.LocalCluster(processes=True, host="127.0.0.1", silence_logs=50, **settings) as local,
        distributed.Client(local) as found,
    ):
        yield found


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


@pytest.mark.parametrize("target", ["y", "z"])
def test_the_bytes_do_not_depend_on_partitions_or_workers(client, tmp_path, target):
    expected = to_bytes(hb.boost(write(tmp_path / "local", 3, target), memory="100MB", **SETTINGS))
    for n_files in (1, 5):
        dataset = write(tmp_path / f"of{n_files}", n_files, target)
        assert to_bytes(hb.boost(dataset, client=client, **SETTINGS)) == expected
    assert kept_states(client) == 0


def test_a_killed_worker_does_not_change_the_bytes(client, tmp_path):
    expected = to_bytes(hb.boost(write(tmp_path / "local", 3, "y"), memory="100MB", **SETTINGS))
    killed = []

    def kill(text):
        if "2 of 3" in text and not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    found = hb.boost(write(tmp_path / "cluster", 5, "y"), client=client, progress=kill, **SETTINGS)
    assert to_bytes(found) == expected
    assert len(killed) == 1
