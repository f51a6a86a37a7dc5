"""Kills the workers of a cluster again and again while it grows models, and compares every model with the expected one.

python -m tests.system.repeated_kills --runs 100 --seed 1

Each run kills one or two workers at some moment: at a place of the growth, or after a random time. The table has one
line per place: runs, workers killed, models with the expected bytes, errors, and the longest run.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.unit.scale.cluster_data import Killer, await_workers, rows_of, started_cluster, worker_processes, write

import hornbeam as hb
from hornbeam.errors import HornbeamError
from hornbeam.scale import Dataset, grow
from hornbeam.tree.file.files import to_bytes

PLACES = {
    "first pass": ("pass 1", 1, 1),
    "binning": ("pass 2", 1, 1),
    "first level": ("nodes grown", 1, 1),
    "middle level": ("nodes grown", 4, 1),
    "last level": ("nodes grown", -1, 1),
    "two at once": ("nodes grown", 2, 2),
    "random time": ("", 0, 1),
    "random time, two": ("", 0, 2),
}


@dataclasses.dataclass
class Line:
    """A line of the table."""

    runs: int = 0
    killed: int = 0
    same: int = 0
    errors: int = 0
    longest: float = 0.0


class RandomKiller:
    """Kills workers a random time after the first line of progress."""

    def __init__(self, client: Any, n_killed: int, seconds: float) -> None:
        self.client, self.n_killed, self.seconds = client, n_killed, seconds
        self.killed: list[int] = []
        self.timer: threading.Timer | None = None

    def __call__(self, text: str) -> None:
        if self.timer is None:
            found = worker_processes(self.client)[: self.n_killed]
            self.timer = threading.Timer(self.seconds, self._kill, [found])
            self.timer.start()

    def _kill(self, processes: list[int]) -> None:
        for process in processes:
            os.kill(process, signal.SIGKILL)
        self.killed = processes

    def end(self) -> None:
        """Wait until the workers are killed."""
        if self.timer is not None:
            self.timer.join()


def sources(folder: Path) -> dict[str, Any]:
    """The same rows in files and as a Dask DataFrame."""
    import dask.dataframe as frames

    table = rows_of().drop_columns(["z"]).to_pandas()
    frame = frames.from_pandas(table, npartitions=5, sort=False)
    return {"files": write(folder / "data", 7), "frame": Dataset(frame, "y", weights="w")}


def recipes() -> dict[str, Any]:
    """What is grown."""
    forest = hb.recipe("forest")
    few = dataclasses.replace(forest.ensemble_method, n_trees=2)
    return {"tree": hb.recipe("default"), "forest": forest.with_changes(ensemble=few)}


def killer_of(client: Any, place: str, n_levels: int, chance: random.Random) -> Any:
    """The progress function of a place."""
    what, at, n_killed = PLACES[place]
    if not what:
        return RandomKiller(client, n_killed, chance.uniform(0.0, 1.5))
    return Killer(client, what, n_levels - 1 if at < 0 else min(at, n_levels - 1), n_killed=n_killed)


def run_once(client: Any, dataset: Any, recipe: Any, kill: Any, expected: bytes, line: Line) -> None:
    """Grow once with a kill, and count what happened."""
    await_workers(client)
    start = time.monotonic()
    try:
        line.same += to_bytes(hb.grow(dataset, recipe, client=client, progress=kill, seed=1)) == expected
    except HornbeamError as error:
        line.errors += 1
        print(f"error: {error}", file=sys.stderr)
    if isinstance(kill, RandomKiller):
        kill.end()
    line.runs += 1
    line.killed += len(kill.killed)
    line.longest = max(line.longest, time.monotonic() - start)


def repeat(runs: int, seed: int, report: Callable[[str], Any]) -> dict[str, Line]:
    """The table of all places after some runs."""
    chance = random.Random(seed)
    table = {place: Line() for place in PLACES}
    grow._SMALL_NODE = 64  # several levels of few rows
    with tempfile.TemporaryDirectory() as folder, started_cluster() as client:
        data, methods = sources(Path(folder)), recipes()
        lines: list[str] = []
        expected = {
            name: to_bytes(hb.grow(data["files"], recipe, memory="100MB", seed=1, progress=lines.append))
            for name, recipe in methods.items()
        }
        n_levels = sum("nodes grown" in text for text in lines) - 1
        for number in range(runs):
            place = list(PLACES)[number % len(PLACES)]
            is_level = "level" in place or place == "two at once"
            method = "tree" if is_level else chance.choice(list(methods))
            source = chance.choice(list(data))
            kill = killer_of(client, place, n_levels, chance)
            run_once(client, data[source], methods[method], kill, expected[method], table[place])
            report(f"{number + 1} of {runs}: {place}, {method} from {source}, {table[place].longest:.1f} s at most")
    return table


def main() -> int:
    """Run and print the table; the exit code is 1 if a model differs or is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    table = repeat(args.runs, args.seed, lambda text: print(text, file=sys.stderr, flush=True))
    print(f"{'place':<18}{'runs':>6}{'killed':>8}{'same bytes':>12}{'errors':>8}{'longest':>10}")
    for place, line in table.items():
        counts = f"{line.runs:>6}{line.killed:>8}{line.same:>12}{line.errors:>8}"
        print(f"{place:<18}{counts}{line.longest:>8.1f} s")
    return int(any(line.same != line.runs for line in table.values()))


if __name__ == "__main__":
    sys.exit(main())
