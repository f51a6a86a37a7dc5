"""Runs the libraries of every workload in turn (A B C A B C ...) and writes times, ratios and quality.

    python -m benchmarks.race [--quick | --tiny] [--only exact,depth] [--threads 1,2] [--peers sklearn] [--turns K]

Run it with `make bench` (BENCH="--quick" for options), which creates the environment of the other libraries. See
README.md.
"""

import argparse
import dataclasses
import datetime
import json
import os
import select
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks import data, machine, table
from benchmarks.contenders import CONTENDERS, REFERENCES
from benchmarks.workloads import FIRST, GROUPS, Workload

HERE = Path(__file__).resolve().parent
TURNS = {"tiny": 1, "quick": 3, "full": 5}
LIMIT = {"tiny": 60, "quick": 60, "full": 900}  # seconds per turn; a library that takes longer is ended and reported
PATIENCE = {"tiny": 10, "quick": 10, "full": 60}  # seconds per workload after which a library gets no more turns
OURS = "hornbeam"


class Worker:
    """The process of one library on one workload; ended by its own handle."""

    def __init__(self, command: list[str], environment: dict[str, str], log) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, cwd=HERE.parent, stdin=pipe, stdout=pipe, stderr=log, env=environment, text=True
        )

    def reply(self, limit: float) -> dict:
        """Its next line; an error if it takes too long or has died."""
        if not select.select([self.process.stdout], [], [], limit)[0]:
            self.process.terminate()  # not killed: a worker with a subprocess ends that first
            return {"ok": False, "error": f"time limit of {limit:.0f} s exceeded"}
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"ok": False, "error": "the process died (crash, or out of memory)"}

    def turn(self, limit: float) -> dict:
        try:
            self.process.stdin.write("turn\n")
            self.process.stdin.flush()
        except OSError:
            return {"ok": False, "error": "the process died (crash, or out of memory)"}
        return self.reply(limit)

    def end(self) -> None:
        try:
            self.process.communicate(timeout=20)
        except (subprocess.TimeoutExpired, ValueError, OSError):
            self.process.kill()
            self.process.wait()


def new_result(name: str) -> dict:
    return {"contender": name, "library": CONTENDERS[name].library, "times": [], "cpu": []}


class Race:
    """The settings of a benchmark run, and its results so far."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        ours = os.environ.get("HORNBEAM_PYTHON", str(HERE.parent / ".venv/bin/python"))
        self.python = {"peer": sys.executable, OURS: ours}
        self.our_environment = dict(os.environ)
        if "HORNBEAM_PYTHON" in os.environ:
            self.our_environment["PYTHONPATH"] = str(HERE.parent / "src")
        self.versions = self.find_peers()
        self.why_not_ours = self.find_ours()
        self.seconds: dict[
            tuple[str, int], tuple[int, float]
        ] = {}  # rows and best time of the last workload of a series
        self.log = open(options.results / "race.log", "w")  # noqa: SIM115

    def find_peers(self) -> dict[str, str]:
        """Library -> version of the installed other libraries; prints which ones are missing."""
        languages = {kind.library: kind.language for kind in CONTENDERS.values() if kind.library != OURS}
        packages = sorted(name for name, language in languages.items() if language == "R")
        modules = sorted(set(languages) - set(packages))
        versions = machine.peer_versions(sys.executable, [*modules, "numpy"]) | machine.r_versions(packages)
        for missing in sorted(set(languages) - set(versions)):
            where = "for Rscript" if missing in packages else "in the environment of the other libraries"
            print(f"{missing}: not installed {where}, skipped", file=sys.stderr)
        return versions

    def find_ours(self) -> str:
        """Empty if hornbeam can be imported; else the reason why it cannot be measured."""
        version, why = machine.our_version(self.python[OURS], self.our_environment)
        if version:
            self.versions[OURS] = version
            return ""
        line = f"hornbeam cannot be measured ({why}); run `make install`, or set HORNBEAM_PYTHON"
        print(line, file=sys.stderr)
        return line

    def entrants(self, workload: Workload, classes: int) -> list[str]:
        """The entries of a workload: hornbeam always, other libraries if installed and requested."""
        requested = self.options.peers
        return [
            name
            for name, kind in CONTENDERS.items()
            if kind.enters(workload.family, workload.criterion, classes, workload.act)
            and (
                kind.library == OURS or (kind.library in self.versions and (not requested or kind.library in requested))
            )
        ]

    def run(self, workload: Workload, threads: int) -> dict:
        """One workload with a number of threads: all workers get ready, then they take turns."""
        folder = data.make(self.options.data, **workload.data)
        about = json.loads((folder / "about.json").read_text())
        names = self.entrants(workload, about["classes"])
        results = {name: new_result(name) for name in names}
        workers: dict[str, Worker] = {}
        try:
            for name, result in results.items():
                refusal = self.refusal(name, workload, threads, about)
                if refusal:
                    result["error"] = refusal
                else:
                    workers[name] = self.start(name, workload, folder, threads)
            self.take_turns(results, workers, workload.fits_per_turn)
        finally:
            for worker in workers.values():
                worker.end()
        for name, result in results.items():
            if result["times"]:
                result |= {"best": min(result["times"]), "median": statistics.median(result["times"])}
                if workload.series:
                    self.seconds[name, threads] = (about["rows"], result["best"])
        cell = {"workload": dataclasses.asdict(workload), "threads": threads, "data": about}
        return {**cell, "reference": REFERENCES[workload.family], "results": list(results.values())}

    def take_turns(self, results: dict[str, dict], workers: dict[str, Worker], fits_per_turn: int) -> None:
        """Starts timing when all workers are ready: A B C, A B C ..."""
        for name, worker in workers.items():
            ready = worker.reply(2 * self.options.limit + 120)
            if not ready["ok"]:
                results[name]["error"] = ready["error"]
        for _ in range(self.options.turns):
            for name, worker in workers.items():
                result = results[name]
                if "error" not in result and sum(result["times"]) * fits_per_turn <= self.options.patience:
                    self.take_turn(result, worker)

    def refusal(self, name: str, workload: Workload, threads: int, about: dict) -> str:
        """Why a library is not started; empty if it is."""
        if CONTENDERS[name].library == OURS and self.why_not_ours:
            return self.why_not_ours
        last = self.seconds.get((name, threads))
        if workload.series and last and last[0] < about["rows"]:
            estimate = last[1] * (about["rows"] / last[0]) ** 1.1
            if estimate > self.options.limit:
                return f"not run: estimated time {estimate:.0f} s"
        return ""

    def start(self, name: str, workload: Workload, folder: Path, threads: int) -> Worker:
        ours = CONTENDERS[name].library == OURS
        environment = dict(self.our_environment if ours else os.environ)
        for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            environment[variable] = str(threads)
        job = {"contender": name, "folder": str(folder), "task": dataclasses.asdict(workload), "threads": threads}
        python = self.python[OURS if ours else "peer"]
        return Worker([python, "-m", "benchmarks.worker", json.dumps(job)], environment, self.log)

    def take_turn(self, result: dict, worker: Worker) -> None:
        reply = worker.turn(self.options.limit)
        if not reply.pop("ok"):
            result["error"] = reply["error"]
            return
        result["times"].append(reply.pop("seconds"))
        result["cpu"].append(reply.pop("cpu"))
        result |= reply


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", dest="size", action="store_const", const="quick", help="a fifth of the rows")
    size.add_argument("--tiny", dest="size", action="store_const", const="tiny", help="checks that everything runs")
    parser.add_argument("--only", type=lambda s: s.split(","), help="groups: " + ", ".join(GROUPS))
    parser.add_argument("--threads", type=lambda s: [int(t) for t in s.split(",")], default=[1, 2])
    parser.add_argument("--peers", type=lambda s: s.split(","), help="import names, as sklearn,snapml; default all")
    parser.add_argument("--turns", type=int, help="how often each library is timed")
    parser.add_argument("--patience", type=float, help="seconds after which a library gets no further turn")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder for .json and .md")
    parser.add_argument("--data", type=Path, default=HERE / ".data", help="folder for generated data")
    options = parser.parse_args(arguments)
    unknown = set(options.only or ()) - set(GROUPS)
    if unknown:
        parser.error(f"unknown group {', '.join(sorted(unknown))}; available: {', '.join(GROUPS)}")
    unknown = set(options.peers or ()) - {kind.library for kind in CONTENDERS.values()}
    if unknown:
        parser.error(f"unknown library {', '.join(sorted(unknown))}")
    options.data = options.data.resolve()  # the workers run in another folder
    options.size = options.size or "full"
    options.turns = options.turns or TURNS[options.size]
    options.limit = LIMIT[options.size]
    options.patience = PATIENCE[options.size] if options.patience is None else options.patience
    return options


def main() -> int:
    options = parsed()
    options.results.mkdir(parents=True, exist_ok=True)
    cores = machine.about()["cores"]
    threads = [t for t in options.threads if t <= cores]
    run, failed = Race(options), False
    for name in options.only or [group.__name__ for group in FIRST]:
        got = {str(t): round(machine.cores_got(t), 2) for t in threads}
        report = {"group": name, "question": GROUPS[name].__doc__, "size": options.size, "cells": []}
        report |= {"date": datetime.date.today().isoformat(), "machine": machine.about(), "versions": run.versions}
        report |= {"cores_got": got, "load": [round(load, 2) for load in os.getloadavg()]}
        start = time.perf_counter()
        for workload in GROUPS[name](options.size):
            for t in threads:
                cell = run.run(workload, t)
                report["cells"].append(cell)
                print(table.line(cell), file=sys.stderr)
                failed |= any(r["library"] == OURS and not r["times"] for r in cell["results"])
        report["minutes"] = round((time.perf_counter() - start) / 60, 1)
        suffix = "" if options.size == "full" else f"-{options.size}"
        path = options.results / f"{report['date']}-{name}{suffix}"
        path.with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n")
        text = table.markdown(report)
        path.with_suffix(".md").write_text(text)
        print(text)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
