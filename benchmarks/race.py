"""Who is faster, by what ratio, at what quality?  Runs the contenders of every workload in turn: A B C A B C ...

    python -m benchmarks.race [--quick | --tiny] [--only exact,depth] [--threads 1,2] [--peers sklearn] [--turns K]

Run it through `make bench` (BENCH="--quick" for options): that makes the peers' environment. See README.md.
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
LIMIT = {"tiny": 60, "quick": 60, "full": 900}  # seconds for one turn; over it a contender is ended and said so
PATIENCE = {"tiny": 10, "quick": 10, "full": 60}  # seconds in one workload after which a contender gets no more turns
OURS = "hornbeam"


class Worker:
    """The process of one contender on one workload; ended by its own handle."""

    def __init__(self, command: list[str], environment: dict[str, str], log) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, cwd=HERE.parent, stdin=pipe, stdout=pipe, stderr=log, env=environment, text=True
        )

    def answer(self, limit: float) -> dict:
        """Its next line; an error when it takes too long or has died."""
        if not select.select([self.process.stdout], [], [], limit)[0]:
            self.process.terminate()  # not killed at once: who works in a process of its own ends that first
            return {"ok": False, "error": f"over the limit of {limit:.0f} s"}
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"ok": False, "error": "the process died (crash, or out of memory)"}

    def turn(self, limit: float) -> dict:
        try:
            self.process.stdin.write("turn\n")
            self.process.stdin.flush()
        except OSError:
            return {"ok": False, "error": "the process died (crash, or out of memory)"}
        return self.answer(limit)

    def end(self) -> None:
        try:
            self.process.communicate(timeout=20)
        except (subprocess.TimeoutExpired, ValueError, OSError):
            self.process.kill()
            self.process.wait()


def new_result(name: str) -> dict:
    return {"contender": name, "library": CONTENDERS[name].library, "times": [], "cpu": []}


class Race:
    """Settings of a run, and what it has found out so far."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        ours = os.environ.get("HORNBEAM_PYTHON", str(HERE.parent / ".venv/bin/python"))
        self.python = {"peer": sys.executable, OURS: ours}
        self.our_environment = dict(os.environ)
        if "HORNBEAM_PYTHON" in os.environ:
            self.our_environment["PYTHONPATH"] = str(HERE.parent / "src")
        self.versions = self.look_for_peers()
        self.why_not_ours = self.look_for_ours()
        self.seconds: dict[tuple[str, int], tuple[int, float]] = {}  # rows and best time of the last of a series
        self.log = open(options.results / "race.log", "w")  # noqa: SIM115

    def look_for_peers(self) -> dict[str, str]:
        """Library -> version of the peers that are there; who is missing is said."""
        languages = {kind.library: kind.language for kind in CONTENDERS.values() if kind.library != OURS}
        packages = sorted(name for name, language in languages.items() if language == "R")
        modules = sorted(set(languages) - set(packages))
        versions = machine.peer_versions(sys.executable, [*modules, "numpy"]) | machine.r_versions(packages)
        for missing in sorted(set(languages) - set(versions)):
            where = "for Rscript" if missing in packages else "in the peers' environment"
            print(f"{missing}: not installed {where}, left out", file=sys.stderr)
        return versions

    def look_for_ours(self) -> str:
        """Empty when hornbeam can be imported; else the line that says why it cannot take part."""
        version, why = machine.our_version(self.python[OURS], self.our_environment)
        if version:
            self.versions[OURS] = version
            return ""
        line = f"hornbeam cannot take part ({why}); run `make install`, or set HORNBEAM_PYTHON"
        print(line, file=sys.stderr)
        return line

    def entrants(self, workload: Workload, classes: int) -> list[str]:
        """Who takes part: hornbeam always (if only to say why not), peers when installed and asked for."""
        asked = self.options.peers
        return [
            name
            for name, kind in CONTENDERS.items()
            if kind.enters(workload.family, workload.criterion, classes, workload.act)
            and (kind.library == OURS or (kind.library in self.versions and (not asked or kind.library in asked)))
        ]

    def run(self, workload: Workload, threads: int) -> dict:
        """One workload on so many threads: everybody ready first, then turn by turn."""
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
            self.turn_by_turn(results, workers, workload.fits_per_turn)
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

    def turn_by_turn(self, results: dict[str, dict], workers: dict[str, Worker], fits_per_turn: int) -> None:
        """Nobody is timed before everybody is ready: A B C, A B C ..."""
        for name, worker in workers.items():
            ready = worker.answer(2 * self.options.limit + 120)
            if not ready["ok"]:
                results[name]["error"] = ready["error"]
        for _ in range(self.options.turns):
            for name, worker in workers.items():
                result = results[name]
                if "error" not in result and sum(result["times"]) * fits_per_turn <= self.options.patience:
                    self.take_turn(result, worker)

    def refusal(self, name: str, workload: Workload, threads: int, about: dict) -> str:
        """Why a contender is not even started; empty when it is."""
        if CONTENDERS[name].library == OURS and self.why_not_ours:
            return self.why_not_ours
        seen = self.seconds.get((name, threads))
        if workload.series and seen and seen[0] < about["rows"]:
            needed = seen[1] * (about["rows"] / seen[0]) ** 1.1
            if needed > self.options.limit:
                return f"not tried: would need about {needed:.0f} s"
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
        answer = worker.turn(self.options.limit)
        if not answer.pop("ok"):
            result["error"] = answer["error"]
            return
        result["times"].append(answer.pop("seconds"))
        result["cpu"].append(answer.pop("cpu"))
        result |= answer


def parsed(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", dest="size", action="store_const", const="quick", help="a fifth of the rows")
    size.add_argument("--tiny", dest="size", action="store_const", const="tiny", help="only shows that everything runs")
    parser.add_argument("--only", type=lambda s: s.split(","), help="groups: " + ", ".join(GROUPS))
    parser.add_argument("--threads", type=lambda s: [int(t) for t in s.split(",")], default=[1, 2])
    parser.add_argument("--peers", type=lambda s: s.split(","), help="import names, as sklearn,snapml; default all")
    parser.add_argument("--turns", type=int, help="how often each contender is timed")
    parser.add_argument("--patience", type=float, help="a contender has no further turn after so many seconds in all")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder for .json and .md")
    parser.add_argument("--data", type=Path, default=HERE / ".data", help="folder where made data is kept")
    options = parser.parse_args(words)
    unknown = set(options.only or ()) - set(GROUPS)
    if unknown:
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    strangers = set(options.peers or ()) - {kind.library for kind in CONTENDERS.values()}
    if strangers:
        parser.error(f"no peer {', '.join(sorted(strangers))}")
    options.data = options.data.resolve()  # the workers have another working folder
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
    race, failed = Race(options), False
    for name in options.only or [group.__name__ for group in FIRST]:
        got = {str(t): round(machine.cores_got(t), 2) for t in threads}
        report = {"group": name, "question": GROUPS[name].__doc__, "size": options.size, "cells": []}
        report |= {"date": datetime.date.today().isoformat(), "machine": machine.about(), "versions": race.versions}
        report |= {"cores_got": got, "load": [round(load, 2) for load in os.getloadavg()]}
        start = time.perf_counter()
        for workload in GROUPS[name](options.size):
            for t in threads:
                cell = race.run(workload, t)
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
