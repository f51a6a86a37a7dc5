"""Trees grown by the workers of a Dask cluster: the bytes of one machine, also when workers are killed."""

from __future__ import annotations

import glob
import os
import signal

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import DataFileError
from hornbeam.scale import Dataset, cluster
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


def rows_of(n=N_ROWS, seed=0):
    random = np.random.default_rng(seed)
    x, few = random.normal(size=n), random.integers(0, 60, n)
    color = random.choice(["red", "green", "blue"], size=n)
    score = x + few / 30 + (color == "red") + random.normal(size=n)
    return pa.table(
        {"x": x, "few": few, "color": color, "w": random.integers(1, 4, n), "y": np.where(score > 2, "a", "b")}
    )


@pytest.fixture(scope="module")
def client():
    settings = {"n_workers": 3, "threads_per_worker": 1, "dashboard_address": None, "memory_limit": 0}
    with (
        distributed.LocalCluster(processes=True, host="127.0.0.1", silence_logs=50, **settings) as local,
        distributed.Client(local) as found,
    ):
        yield found


def write(folder, n_files):
    folder.mkdir()
    rows = -(-N_ROWS // n_files)
    for number, start in enumerate(range(0, N_ROWS, rows)):
        pq.write_table(rows_of().slice(start, rows), folder / f"{number:02d}.parquet")
    return Dataset(folder / "*.parquet", "y", weights="w")


def test_the_bytes_do_not_depend_on_partitions_or_workers(client, tmp_path):
    expected = to_bytes(hb.grow(write(tmp_path / "local", 3), memory="100MB"))
    for n_files in (1, 2, 7, 16):
        dataset = write(tmp_path / f"of{n_files}", n_files)
        assert to_bytes(hb.grow(dataset, client=client)) == expected
    workers = sorted(client.scheduler_info()["workers"])
    for n_workers in (1, 2):
        few = OnWorkers(client, workers[:n_workers])
        assert to_bytes(hb.grow(write(tmp_path / f"w{n_workers}", 7), client=few)) == expected
    assert not any(client.run(lambda dask_worker: glob.glob(f"{dask_worker.local_directory}/hornbeam-*")).values())


class OnWorkers:
    """A client whose tasks run on some of the workers only."""

    def __init__(self, client, workers):
        self.client, self.workers = client, workers

    def run(self, *arguments, **settings):
        return self.client.run(*arguments, **settings)

    def submit(self, *arguments, **settings):
        return self.client.submit(*arguments, workers=self.workers, **settings)


@pytest.mark.parametrize(("at", "n_killed"), [("nodes", 2), ("pass 1", 1), ("1 nodes", 1)])
def test_killed_workers_do_not_change_the_bytes(client, tmp_path, at, n_killed):
    expected = to_bytes(hb.grow(write(tmp_path / "local", 3), memory="100MB"))
    killed = []

    def kill(text):
        if at in text and not killed:
            killed.extend(list(client.run(os.getpid).values())[:n_killed])
            for process in killed:
                os.kill(process, signal.SIGKILL)

    dataset = write(tmp_path / "cluster", 7)
    assert to_bytes(hb.grow(dataset, client=client, progress=kill)) == expected
    assert len(killed) == n_killed
    client.wait_for_workers(2, timeout=60)


def test_a_forest_has_the_bytes_of_one_machine(client, tmp_path):
    dataset = write(tmp_path / "data", 5)
    recipe = hb.recipe("forest").with_changes(ensemble={"name": "forest", "n_trees": 2})
    local = hb.grow(dataset, recipe, memory="100MB", seed=1)
    assert to_bytes(hb.grow(dataset, recipe, client=client, seed=1)) == to_bytes(local)


def test_a_file_that_changes_is_an_error_that_names_it(client, tmp_path):
    dataset = write(tmp_path / "data", 4)

    def replace(text):
        if "pass 1: 3,000" in text:
            pq.write_table(rows_of(750, seed=9), tmp_path / "data" / "02.parquet")

    with pytest.raises(DataFileError, match=r"02\.parquet' has changed since it was first read"):
        hb.grow(dataset, client=client, progress=replace)


def test_the_bins_of_a_piece_are_written_again_if_they_are_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_worker_folder", lambda: str(tmp_path))
    from hornbeam.scale.prepare import prepared

    with prepared(write(tmp_path / "data", 2), memory_limit=10**8) as files:
        coding = cluster.Coding.of(files.roles, files.plan)
        piece = files.source.pieces[1]
        handle = cluster.PieceHandle(piece, files.data.pieces[1].n_rows, files.data.pieces[1].first_row, 500, True)
        first = cluster.binned_on_worker(handle, coding)
        expected = first.codes(0).tolist()
        os.unlink(first.path)
        again = cluster.binned_on_worker(handle, coding)
        assert again.codes(0).tolist() == expected == files.data.pieces[1].codes(0).tolist()
