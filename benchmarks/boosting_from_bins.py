"""Processor time of one boosted tree from bins on disk, compared with the booster in memory on the same bins.

    python -m benchmarks.boosting_from_bins --rows 500000 --columns 20 --pieces 4

Both boost the same table, whose columns have at most 255 values, so the trees are equal. The time of a tree is that of
many rounds less that of one round, divided by their difference: reading and binning do not count. Runs alternate, on
one thread; the ratio is the median of the ratios of the runs.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import hornbeam as hb
from hornbeam.ensembles.methods.boosting import Boosting
from hornbeam.ensembles.methods.boosting import boost as boost_table
from hornbeam.scale.boost import boost_binned
from hornbeam.scale.prepare import prepared
from hornbeam.scale.rounds import LocalRounds


def rows_of(n_rows: int, n_columns: int, is_class: bool) -> Any:
    """A table of columns with 250 values each."""
    import pyarrow as pa

    random = np.random.default_rng(0)
    columns = {f"x{i}": random.integers(0, 250, n_rows) / 8 for i in range(n_columns)}
    score = sum(np.sin(columns[f"x{i}"] / (3 + i)) for i in range(min(n_columns, 8))) + random.normal(size=n_rows)
    return pa.table({**columns, "y": np.where(score > 0.5, "a", "b") if is_class else score})


class CountedRounds(LocalRounds):
    """Rounds that count the passes over the pieces."""

    n_passes = 0

    def each(self, task: Any, shared: Any = None) -> Any:
        """The results of a task for all pieces."""
        self.n_passes += 1
        return super().each(task, shared)


def cpu_seconds(work: Any) -> float:
    """The processor time of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Prints the times and their ratio."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--pieces", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    for is_class in (True, False):
        with tempfile.TemporaryDirectory() as folder:
            times, passes = measured(rows_of(args.rows, args.columns, is_class), Path(folder), args)
        ratios = [ours / memory for memory, ours in times]
        in_memory, ours = (statistics.median(each) for each in zip(*times, strict=True))
        print(
            f"{'logistic' if is_class else 'squared'}: {args.rows:,} x {args.columns} in {args.pieces} pieces: "
            f"in memory {1000 * in_memory:.0f} ms, from bins {1000 * ours:.0f} ms per tree; "
            f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}); "
            f"{passes:.1f} passes per tree"
        )


def measured(rows: Any, folder: Path, args: argparse.Namespace) -> tuple[list[tuple[float, float]], float]:
    """Times per tree in memory and from bins, one pair per repetition; the passes over the pieces per tree."""
    import pyarrow.parquet as pq

    size = -(-args.rows // args.pieces)
    for number, start in enumerate(range(0, args.rows, size)):
        pq.write_table(rows.slice(start, size), folder / f"{number:03d}.parquet")
    table = hb.read(rows, target="y")
    dataset = hb.scale.Dataset(str(folder / "*.parquet"), "y")
    found: list[tuple[float, float]] = []
    with prepared(dataset, memory_limit=10**9) as files:
        rounds = CountedRounds(files.data.pieces)

        def in_memory(n: int) -> float:
            return cpu_seconds(lambda: boost_table(table, Boosting(n_rounds=n), threads=1))

        def from_bins(n: int) -> float:
            return cpu_seconds(lambda: boost_binned(files.data, Boosting(n_rounds=n), rounds=rounds))

        for _ in range(args.repeat):
            times = [(of(args.rounds) - of(1)) / (args.rounds - 1) for of in (in_memory, from_bins)]
            found.append((times[0], times[1]))
    return found, rounds.n_passes / (args.repeat * (args.rounds + 1))


if __name__ == "__main__":
    main()
