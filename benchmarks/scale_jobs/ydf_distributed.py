"""YDF: the distributed learner of boosted trees, with one worker; it reads CSV, which is written before the timing."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path

from benchmarks.scale_jobs import BOOSTED, DEPTH
from benchmarks.scale_jobs.timing import Steps


def distributed(paths: list[Path]) -> dict:
    """The dataset cache and one tree, then further trees."""
    import pyarrow.csv
    import pyarrow.parquet as pq
    import ydf

    steps = Steps()
    with tempfile.TemporaryDirectory(dir=paths[0].parent) as work:
        for number, path in enumerate(paths):
            pyarrow.csv.write_csv(pq.read_table(path), f"{work}/rows-{number:05d}-of-{len(paths):05d}.csv")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        stop = ydf.start_worker(port, blocking=False)
        for trees in (1, 1 + BOOSTED):
            with steps.step(f"prepare and {trees} trees"):
                learner = ydf.DistributedGradientBoostedTreesLearner(
                    label="y",
                    working_dir=f"{work}/cache-{trees}",
                    workers=[f"127.0.0.1:{port}"],
                    num_trees=trees,
                    max_depth=DEPTH + 1,
                    num_threads=1,
                )
                learner.train(f"csv:{work}/rows-*.csv" if len(paths) > 1 else f"csv:{work}/rows-00000-of-00001.csv")
        stop()
    steps.found["prepare and tree"] = steps.found.pop("prepare and 1 trees")
    several = steps.found.pop(f"prepare and {1 + BOOSTED} trees")
    steps.found["boosted tree"] = {
        kind: (several[kind] - steps.found["prepare and tree"][kind]) / BOOSTED for kind in ("processor", "wall")
    }
    return {"steps": steps.found}


JOBS = {"YDF distributed": distributed}
