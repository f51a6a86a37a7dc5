"""Data and clusters of the tests of growth on a cluster."""

from __future__ import annotations

import contextlib
import glob
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np

N_ROWS = 3000
SMALL_NODE = 64  # trees of few rows need many rounds


def rows_of(n: int = N_ROWS, seed: int = 0) -> Any:
    """Rows with numbers, levels, weights, classes and a numeric target."""
    import pyarrow as pa

    random = np.random.default_rng(seed)
    x, few = random.normal(size=n), random.integers(0, 60, n)
    color = random.choice(["red", "green", "blue"], size=n)
    score = x + few / 30 + (color == "red") + random.normal(size=n)
    weights, classes = random.integers(1, 4, n), np.where(score > 2, "a", "b")
    return pa.table({"x": x, "few": few, "color": color, "w": weights, "y": classes, "z": score})


def write(folder: Path, n_files: int) -> Any:
    """The rows in files, as a dataset."""
    import pyarrow.parquet as pq

    from hornbeam.scale import Dataset

    folder.mkdir()
    rows = -(-N_ROWS // n_files)
    for number, start in enumerate(range(0, N_ROWS, rows)):
        pq.write_table(rows_of().slice(start, rows), folder / f"{number:02d}.parquet")
    return Dataset(str(folder / "*.parquet"), "y", weights="w", drop=["z"])


def frame_of(n_partitions: int, columns: Any = ("x", "few", "color", "w", "y")) -> Any:
    """The rows as a Dask DataFrame."""
    import dask.dataframe as frames

    return frames.from_pandas(rows_of().select(columns).to_pandas(), npartitions=n_partitions, sort=False)


@contextlib.contextmanager
def started_cluster(n_workers: int = 3, **settings: Any) -> Any:
    """A client of worker processes on this machine; the scheduler allows the failures of a test."""
    import dask
    import distributed

    given = {
        "threads_per_worker": 1,
        "dashboard_address": "127.0.0.1:0",
        "memory_limit": 0,
        "silence_logs": 50,
        **settings,
    }
    config = {
        "hornbeam.deadline": "300s",
        "distributed.scheduler.allowed-failures": 2,
        "distributed.comm.timeouts.connect": "60s",
        "distributed.worker.multiprocessing-method": "forkserver",  # restarts workers faster
    }
    with (
        dask.config.set(config),
        distributed.LocalCluster(n_workers=n_workers, processes=True, host="127.0.0.1", **given) as local,
        distributed.Client(local) as client,
    ):
        yield client


def await_workers(client: Any, n_workers: int = 3) -> None:
    """Wait for workers; Dask does not start one again that was killed while it started, so another one is added."""
    try:
        client.wait_for_workers(n_workers, timeout=10)
    except TimeoutError:
        absent = n_workers - len(client.scheduler_info()["workers"])
        client.cluster.scale(len(client.cluster.worker_spec) + max(absent, 0))
        client.wait_for_workers(n_workers, timeout=300)


def worker_processes(client: Any) -> list[int]:
    """The numbers of the worker processes."""
    return sorted(client.run(os.getpid).values())


def left_behind(client: Any) -> list[str]:
    """The folders of bins that workers still have."""
    found = client.run(lambda dask_worker: glob.glob(f"{dask_worker.local_directory}/hornbeam-*"), on_error="ignore")
    return [path for paths in found.values() for path in paths if isinstance(path, str)]


class Killer:
    """A progress function that kills workers at the n-th line with some text, and at each of the next `times` - 1."""

    def __init__(self, client: Any, what: str, at: int, *, n_killed: int = 1, times: int = 1) -> None:
        self.client, self.what, self.n_killed = client, what, n_killed
        self.moments = range(at, at + times)
        self.killed: list[int] = []
        self.lines: list[str] = []

    def __call__(self, text: str) -> None:
        self.lines.append(text)
        if self.what in text and sum(self.what in line for line in self.lines) in self.moments:
            processes = worker_processes(self.client)[: self.n_killed]
            for process in processes:
                os.kill(process, signal.SIGKILL)
            self.killed += processes
