"""Compares builds of hornbeam: they take turns on the workloads of a group (A B, A B, ...).

    python -m benchmarks.builds GROUP FOLDER FOLDER ... [--threads N ...] [--turns K] [--repeat] [--trees N]
                                                        [--only TEXT] [--quick | --tiny]

A folder is a checkout with its module built in `src/`; the first one is the reference. A ratio is the median over the
turns of a build's processor time divided by that of the reference in the same turn: 0.9 means 10 % less. Processor time
counts all threads and hardly depends on what else runs; the elapsed time follows in parentheses. With `--repeat` a
workload whose ratio is above 1.05 runs again: it is marked `slower` if the ratio is above 1.05 both times. The
interpreter is HORNBEAM_PYTHON, or the one that runs this script; hornbeam must not be installed in it.
"""

import argparse
import dataclasses
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks import data, machine, race
from benchmarks.contenders import CONTENDERS
from benchmarks.workloads import GROUPS, Workload

PYTHON = os.environ.get("HORNBEAM_PYTHON", sys.executable)
LIMIT = 900.0  # seconds per turn
SLOWER = 1.05  # a ratio above this twice


def environment_of(folder: Path, threads: int = 1) -> dict[str, str]:
    """The environment in which this build is imported; exits with a message if another one is."""
    environment = {**os.environ, "PYTHONPATH": str(folder.resolve() / "src"), "OMP_NUM_THREADS": str(threads)}
    command = [PYTHON, "-c", "import hornbeam._native as n; print(n.__file__)"]
    found = subprocess.run(command, env=environment, capture_output=True, text=True)
    if found.returncode:
        raise SystemExit(f"{folder}: no module is built in src/ ({found.stderr.strip().splitlines()[-1]})")
    if not Path(found.stdout.strip()).is_relative_to(folder.resolve() / "src"):
        raise SystemExit(
            f"{folder}: {found.stdout.strip()} is imported instead; "
            f"set HORNBEAM_PYTHON to an interpreter that has numpy and no hornbeam"
        )
    return environment


@dataclasses.dataclass(frozen=True)
class Ratios:
    """The best processor time of the first build, and the ratios of the others: processor time, elapsed time."""

    best: float
    processor: list[float]
    elapsed: list[float]

    def __str__(self) -> str:
        pairs = zip(self.processor, self.elapsed, strict=True)
        return f"best {self.best:.3f} s; " + ", ".join(f"{cpu:.3f} ({clock:.3f})" for cpu, clock in pairs)

    @property
    def is_slower(self) -> bool:
        """Whether a build takes more than 1.05 times as long as the first."""
        return any(ratio > SLOWER for ratio in self.processor)


def compare(
    name: str, workload: Workload, folder: Path, environments: list[dict], turns: int, threads: int = 1
) -> Ratios:
    """The times of one entry of hornbeam; the builds take turns."""
    job = {"contender": name, "folder": str(folder), "task": dataclasses.asdict(workload), "threads": threads}
    command = [PYTHON, "-m", "benchmarks.worker", json.dumps(job)]
    workers = [race.Worker(command, environment, None) for environment in environments]
    taken: list[list[dict]] = [[] for _ in workers]
    try:
        for worker in workers:
            checked(worker.reply(LIMIT))
        for _ in range(turns):
            for worker, replies in zip(workers, taken, strict=True):
                replies.append(checked(worker.turn(LIMIT)))
    finally:
        for worker in workers:
            worker.end()

    def ratios(key: str) -> list[float]:
        pairs = (zip(taken[0], each, strict=True) for each in taken[1:])
        return [statistics.median(b[key] / a[key] for a, b in each if a[key] > 0) for each in pairs]

    return Ratios(min(reply["cpu"] for reply in taken[0]), ratios("cpu"), ratios("seconds"))


def checked(reply: dict) -> dict:
    """A reply of a worker; exits with its error if it failed."""
    if not reply["ok"]:
        raise SystemExit(reply["error"])
    return reply


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("group", choices=list(GROUPS))
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--repeat", action="store_true", help="run again what is slower")
    parser.add_argument("--only", default="", help="only workloads with this text in their label")
    parser.add_argument("--trees", type=int, help="number of trees of an ensemble, instead of the workload's")
    parser.add_argument("--quick", dest="size", action="store_const", const="quick", default="full")
    parser.add_argument("--tiny", dest="size", action="store_const", const="tiny")
    parser.add_argument("--data", type=Path, default=race.HERE / ".data", help="folder for generated data")
    options = parser.parse_args()
    print(
        f"{machine.about()['processor']}, {options.turns} turns: {', '.join(map(str, options.folders))}",
        flush=True,
    )
    for workload in GROUPS[options.group](options.size):
        if options.only not in workload.label:
            continue
        folder = data.make(options.data.resolve(), **workload.data)
        classes = json.loads((folder / "about.json").read_text())["classes"]
        task = workload
        if options.trees:
            task = dataclasses.replace(workload, trees=options.trees, label=f"{workload.label}: {options.trees} trees")
        for name, kind in CONTENDERS.items():
            if kind.library == race.OURS and kind.enters(task.family, task.criterion, classes, task.act):
                for threads in options.threads:
                    print(line_of(name, task, folder, options, threads), flush=True)


def line_of(name: str, workload: Workload, folder: Path, options: argparse.Namespace, threads: int) -> str:
    """A line for one entry of hornbeam with n threads; what is slower runs again if that is requested."""
    environments = [environment_of(each, threads) for each in options.folders]
    first = compare(name, workload, folder, environments, options.turns, threads)
    line = f"{name}, {workload.label}, {threads} threads: {first}"
    if not (options.repeat and first.is_slower):
        return line
    second = compare(name, workload, folder, environments, options.turns, threads)
    return f"{line}; again {second}{'; slower' if second.is_slower else ''}"


if __name__ == "__main__":
    main()
