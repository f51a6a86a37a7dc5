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
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.unit.scale.cluster_data import Killer, await_workers, rows_of, started_cluster, worker_processes, write

import hornbeam as hb
from hornbeam.scale import Dataset, grow
from hornbeam.tree.file.files import to_bytes

N_ROUNDS = 4


@dataclasses.dataclass(frozen=True)
class Place:
    """When workers are killed: at the n-th line of progress with a text, or after a random time if that is empty.

    A negative number counts from the last line. `model` is what is grown; any if it is empty.
    """

    what: str = ""
    at: int = 1
    n_killed: int = 1
    times: int = 1
    model: str = ""


PLACES = {
    "first pass": Place("pass 1"),
    "binning": Place("pass 2"),
    "first level": Place("nodes grown", model="tree"),
    "middle level": Place("nodes grown", 4, model="tree"),
    "last level": Place("nodes grown", -1, model="tree"),
    "two at once": Place("nodes grown", 2, 2, model="tree"),
    "two in a row": Place("nodes grown", 2, times=2, model="tree"),
    "random time": Place(),
    "random time, two": Place(n_killed=2),
    "boosting, first round": Place("rounds boosted", model="boosting"),
    "boosting, two at once": Place("rounds boosted", 2, 2, model="boosting"),
    "boosting, two in a row": Place("rounds boosted", times=2, model="boosting"),
    "boosting, every round": Place("rounds boosted", times=N_ROUNDS - 1, model="boosting"),
    "boosting, random time": Place(model="boosting"),
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
    forest, boosting = hb.recipe("forest"), hb.recipe("boosting")
    few = dataclasses.replace(forest.ensemble_method, n_trees=2)
    rounds = dataclasses.replace(boosting.ensemble_method, n_rounds=N_ROUNDS, max_leaves=5, validation_fraction=0.2)
    return {
        "tree": hb.recipe("default"),
        "forest": forest.with_changes(ensemble=few),
        "boosting": boosting.with_changes(ensemble=rounds),
    }


def killer_of(client: Any, place: str, n_levels: int, chance: random.Random) -> Any:
    """The progress function of a place."""
    chosen = PLACES[place]
    if not chosen.what:
        return RandomKiller(client, chosen.n_killed, chance.uniform(0.0, 1.5))
    last = n_levels - 1 if chosen.model == "tree" else N_ROUNDS
    at = last if chosen.at < 0 else min(chosen.at, last)
    return Killer(client, chosen.what, at, n_killed=chosen.n_killed, times=chosen.times)


def run_once(client: Any, dataset: Any, recipe: Any, kill: Any, expected: bytes, line: Line) -> None:
    """Grow once with a kill, and count what happened."""
    await_workers(client)
    start = time.monotonic()
    try:
        line.same += to_bytes(hb.grow(dataset, recipe, client=client, progress=kill, seed=1)) == expected
    except Exception:
        line.errors += 1
        traceback.print_exc()
    if isinstance(kill, RandomKiller):
        kill.end()
    line.runs += 1
    line.killed += len(kill.killed)
    line.longest = max(line.longest, time.monotonic() - start)


def repeat(places: list[str], runs: int, seed: int, report: Callable[[str], Any]) -> dict[str, Line]:
    """The table of some places after some runs."""
    chance = random.Random(seed)
    table = {place: Line() for place in places}
    grow._SMALL_NODE = 64  # several levels of few rows
    with tempfile.TemporaryDirectory() as folder, started_cluster() as client:
        data, methods = sources(Path(folder)), recipes()
        lines: dict[str, list[str]] = {name: [] for name in methods}
        expected = {
            name: to_bytes(hb.grow(data["files"], recipe, memory="100MB", seed=1, progress=lines[name].append))
            for name, recipe in methods.items()
        }
        n_levels = sum("nodes grown" in text for text in lines["tree"]) - 1  # the last line is that of the whole tree
        for number in range(runs):
            place = places[number % len(places)]
            method = PLACES[place].model or chance.choice(list(methods))
            source = chance.choice(list(data))
            kill = killer_of(client, place, n_levels, chance)
            run_once(client, data[source], methods[method], kill, expected[method], table[place])
            report(f"{number + 1} of {runs}: {place}, {method} from {source}, {table[place].longest:.1f} s at most")
    return table


def least_killed(place: str, line: Line) -> int:
    """The workers that the runs of a place must have killed."""
    chosen = PLACES[place]
    return line.runs * chosen.n_killed * (chosen.times if chosen.what else 1)


def main() -> int:
    """Run and print the table; the exit code is 1 if a model differs or is missing, or too few workers were killed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="places whose name has this text")
    args = parser.parse_args()
    places = [place for place in PLACES if args.only in place]
    table = repeat(places, args.runs, args.seed, lambda text: print(text, file=sys.stderr, flush=True))
    print(f"{'place':<24}{'runs':>6}{'killed':>8}{'same bytes':>12}{'errors':>8}{'longest':>10}")
    for place, line in table.items():
        counts = f"{line.runs:>6}{line.killed:>8}{line.same:>12}{line.errors:>8}"
        print(f"{place:<24}{counts}{line.longest:>8.1f} s")
    return int(any(line.same != line.runs or line.killed < least_killed(place, line) for place, line in table.items()))


if __name__ == "__main__":
    sys.exit(main())
