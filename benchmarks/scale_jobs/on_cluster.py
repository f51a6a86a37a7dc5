"""hornbeam on a Dask cluster: one worker, two workers, and two clusters of one worker at the same time.

Two processes on one machine slow each other down: they share caches, memory, and often a core. The two clusters that
run at the same time, each with all rows, show how much: no program with two workers is faster than both of them
together. All workers have one thread. Every cluster grows the same tree once before it is measured: the first pieces of
a new process take about half a second in which the system maps memory, with any number of workers.
"""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.scale_jobs.ours import MEMORY, recipe, warm_up

LIMIT = 3600  # seconds


def _warm_up_worker() -> None:
    """Import and run everything once on a few rows, also what reads files."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    import hornbeam as hb

    warm_up()
    random = np.random.default_rng(0)
    rows = pa.table({"x": random.normal(size=3000), "c": random.choice(["a", "b"], 3000), "y": ["u", "v"] * 1500})
    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(rows, f"{folder}/rows.parquet")
        hb.grow(f"{folder}/rows.parquet", recipe(), target="y", memory="100MB")


def _used() -> float:
    """The processor time of this process so far."""
    import psutil

    return sum(psutil.Process().cpu_times()[:2])


def _grown(paths: list[Path], n_workers: int, start: Callable[[], Any] = lambda: None) -> dict:
    """The seconds of one growth: wall, processor time of the driver with the scheduler, and of every worker."""
    from distributed import Client, LocalCluster

    from hornbeam.recipes.grow_files import grow_files
    from hornbeam.scale import Dataset

    settings = {"threads_per_worker": 1, "processes": True, "dashboard_address": None, "memory_limit": 0}
    with LocalCluster(n_workers=n_workers, **settings) as cluster, Client(cluster) as client:
        data = Dataset([str(path) for path in paths], "y")
        _warm_up_worker()
        client.run(_warm_up_worker)
        grow_files(data, recipe(), memory=MEMORY, client=client, threads=1)
        start()
        before, driver, wall = client.run(_used), _used(), time.perf_counter()
        tree = grow_files(data, recipe(), memory=MEMORY, client=client, threads=1)
        wall, driver = time.perf_counter() - wall, _used() - driver
        after = client.run(_used)
    workers = [after[at] - before[at] for at in after]
    return {"wall": wall, "driver": driver, "workers": workers, "leaves": tree.n_leaves}


def on_dask(n_workers: int) -> Callable[[list[Path]], dict]:
    """The job on a cluster of some workers."""
    return lambda paths: {"growths": [_grown(paths, n_workers)]}


def _grow_with_others(paths: list[Path], barrier: Any, results: Any) -> None:
    results.put(_grown(paths, 1, lambda: barrier.wait(LIMIT)))


def twice(paths: list[Path]) -> dict:
    """The job of one worker in two processes that start at the same time."""
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(2), context.Queue()
    processes = [context.Process(target=_grow_with_others, args=(paths, barrier, results)) for _ in range(2)]
    for process in processes:
        process.start()
    found = [results.get(timeout=LIMIT) for _ in processes]
    for process in processes:
        process.join()
    return {"growths": found}


ONE, TWO, BOTH = "hornbeam, Dask, 1 worker", "hornbeam, Dask, 2 workers", "hornbeam, Dask, 1 worker, two at once"
JOBS = {ONE: on_dask(1), TWO: on_dask(2), BOTH: twice}
