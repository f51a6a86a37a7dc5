"""LightGBM: Sequence (rows read in batches, bins in memory), and lightgbm.dask with one worker."""

from __future__ import annotations

from pathlib import Path

from benchmarks.scale_jobs import BOOSTED, DEPTH
from benchmarks.scale_jobs.timing import Steps

ONE = {"objective": "binary", "max_bin": 255, "num_threads": 1, "max_depth": DEPTH, "num_leaves": 2**DEPTH}
ONE |= {"learning_rate": 1.0, "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0, "lambda_l2": 0, "verbosity": -1}
BOOSTING = {**ONE, "learning_rate": 0.1, "lambda_l2": 1}


def sequence(paths: list[Path]) -> dict:
    """A Dataset of one Sequence per row group, one tree, boosted trees."""
    import lightgbm
    import numpy as np
    import pyarrow.parquet as pq

    from benchmarks.scale_jobs.peer_rows import matrix

    held: list = [None, None]  # the row group that was read last

    class Group(lightgbm.Sequence):
        batch_size = 100_000

        def __init__(self, path: Path, group: int) -> None:
            self.place = path, group
            self.n_rows = pq.ParquetFile(path).metadata.row_group(group).num_rows

        def __len__(self) -> int:
            return self.n_rows

        def __getitem__(self, index):
            if held[0] != self.place:
                held[:] = (
                    self.place,
                    matrix(pq.ParquetFile(self.place[0]).read_row_group(self.place[1], use_threads=False)),
                )
            return held[1][index].astype(np.float64)

    few = np.random.default_rng(0).normal(size=(3000, 3))
    lightgbm.train(ONE, lightgbm.Dataset(few, few[:, 0] > 0), 1)  # imports, once
    steps = Steps()
    with steps.step("prepare"):
        found = [Group(path, group) for path in paths for group in range(pq.ParquetFile(path).metadata.num_row_groups)]
        y = np.concatenate([pq.read_table(path, columns=["y"], use_threads=False)["y"].to_numpy() for path in paths])
        data = lightgbm.Dataset(found, y, params=ONE, free_raw_data=True).construct()
    with steps.step("tree"):
        model = lightgbm.train(ONE, data, 1)
    with steps.step("boosted tree", BOOSTED):
        lightgbm.train(BOOSTING, data, BOOSTED)
    return {"steps": steps.found, "leaves": int(model.trees_to_dataframe()["left_child"].isna().sum())}


def on_dask(paths: list[Path]) -> dict:
    """DaskLGBMClassifier on one worker with one thread: it prepares the rows in every fit."""
    import dask.dataframe as dd
    import lightgbm
    from distributed import Client, LocalCluster

    from benchmarks.scale_jobs.dask_frame import frame, used_by

    steps = Steps()
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
        ) as cluster,
        Client(cluster) as client,
    ):
        x, y = frame(dd, paths)
        seconds = [used_by(client)]
        for trees in (1, 1 + BOOSTED):
            with steps.step(f"prepare and {trees} trees"):
                model = lightgbm.DaskLGBMClassifier(
                    n_estimators=trees,
                    num_leaves=2**DEPTH,
                    max_depth=DEPTH,
                    max_bin=255,
                    n_jobs=1,
                    verbosity=-1,
                    client=client,
                )
                model.fit(x, y)
            seconds.append(used_by(client))
            steps.found[f"prepare and {trees} trees"]["processor"] = seconds[-1] - seconds[-2]
    steps.found["prepare and tree"] = steps.found.pop("prepare and 1 trees")
    several = steps.found.pop(f"prepare and {1 + BOOSTED} trees")
    steps.found["boosted tree"] = {
        kind: (several[kind] - steps.found["prepare and tree"][kind]) / BOOSTED for kind in ("processor", "wall")
    }
    return {"steps": steps.found}


JOBS = {"LightGBM Sequence": sequence, "lightgbm.dask": on_dask}
