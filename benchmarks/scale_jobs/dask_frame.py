"""The Parquet files as a Dask frame of numbers, and the processor time of a cluster."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.scale_data import COLUMNS, N_LEVELS


def frame(dd, paths: list[Path]):
    """Predictors and target; the level of a text is the number in it."""
    data = dd.read_parquet([str(path) for path in paths], split_row_groups=True)
    meta = {name: np.float32 for name in [*COLUMNS, "y"]}
    numbers = data.map_partitions(_numbers, meta=meta)
    return numbers[COLUMNS], numbers["y"]


def _numbers(part):
    import pandas

    found = {}
    for name in [*COLUMNS, "y"]:
        if name in N_LEVELS:
            codes, levels = pandas.factorize(part[name])
            found[name] = np.array([int(level[len(name) + 1 :]) for level in levels] or [0], dtype=np.float32)[codes]
        else:
            found[name] = part[name].to_numpy(dtype=np.float32, na_value=np.nan)
    return pandas.DataFrame(found, index=part.index)


def used_by(client) -> float:
    """The processor time so far of the workers and of this process."""
    import psutil

    def seconds() -> float:
        return sum(psutil.Process().cpu_times()[:2])

    return sum(client.run(seconds).values()) + seconds()
