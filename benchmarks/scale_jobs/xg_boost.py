"""XGBoost: external memory (an iterator of row groups, its cache on disk), and xgboost.dask with one worker."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.scale_jobs import BOOSTED, DEPTH
from benchmarks.scale_jobs.timing import Steps

ONE = {"objective": "binary:logistic", "tree_method": "hist", "max_bin": 256, "max_depth": DEPTH, "nthread": 1}
ONE |= {"eta": 1.0, "min_child_weight": 0, "reg_lambda": 0}


def external(paths: list[Path]) -> dict:
    """ExtMemQuantileDMatrix, one tree, boosted trees."""
    import numpy as np
    import xgboost

    from benchmarks.scale_jobs.peer_rows import groups

    class Rows(xgboost.DataIter):
        def __init__(self, cache: str) -> None:
            self.left = groups(paths)
            super().__init__(cache_prefix=cache, on_host=False)

        def next(self, input_data) -> bool:
            found = next(self.left, None)
            if found is None:
                return False
            input_data(data=found[0], label=found[1])
            return True

        def reset(self) -> None:
            self.left = groups(paths)

    few = np.random.default_rng(0).normal(size=(3000, 3))
    xgboost.train(ONE, xgboost.QuantileDMatrix(few, few[:, 0] > 0, max_bin=256, nthread=1), 1)  # imports, once
    steps = Steps()
    with tempfile.TemporaryDirectory(dir=paths[0].parent) as work:
        with steps.step("prepare"):
            data = xgboost.ExtMemQuantileDMatrix(Rows(f"{work}/cache"), max_bin=256, nthread=1)
        disk = sum(path.stat().st_size for path in Path(work).iterdir())
        with steps.step("tree"):
            model = xgboost.train(ONE, data, 1)
        with steps.step("boosted tree", BOOSTED):
            xgboost.train({**ONE, "eta": 0.1, "reg_lambda": 1}, data, BOOSTED)
        del data
    return {"steps": steps.found, "disk": disk, "leaves": model.get_dump()[0].count("leaf")}


def on_dask(paths: list[Path]) -> dict:
    """DaskQuantileDMatrix of a frame read by Dask, on one worker with one thread."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster
    from xgboost import dask as on_workers

    from benchmarks.scale_jobs.dask_frame import frame, used_by

    steps = Steps()
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
        ) as cluster,
        Client(cluster) as client,
    ):
        x, y = frame(dd, paths)
        start = used_by(client)
        with steps.step("prepare"):
            data = on_workers.DaskQuantileDMatrix(client, x, y, max_bin=256)
        prepared = used_by(client)
        with steps.step("tree"):
            model = on_workers.train(client, ONE, data, 1)["booster"]
        grown = used_by(client)
        with steps.step("boosted tree", BOOSTED):
            on_workers.train(client, {**ONE, "eta": 0.1, "reg_lambda": 1}, data, BOOSTED)
        boosted = used_by(client)
    for name, seconds in (
        ("prepare", prepared - start),
        ("tree", grown - prepared),
        ("boosted tree", (boosted - grown) / BOOSTED),
    ):
        steps.found[name]["processor"] = seconds
    return {"steps": steps.found, "leaves": model.get_dump()[0].count("leaf")}


JOBS = {"XGBoost external memory": external, "xgboost.dask": on_dask}
