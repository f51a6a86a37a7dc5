"""Run many cases of the fuzzer in child processes and report every fault with the seed that shows it.

    python -m tests.fuzz.run --cases 50000 --seed 1 [--jobs 2]
    python -m tests.fuzz.run --only 123456          one case, in this process, with the whole traceback

A child process checks about 200 cases, so a crash ends one child and is reported with the seed of its case. A case that
takes longer than the time limit is reported as a hang. The exit code is 1 when there was any fault.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
PER_CHILD = 200
SECONDS_PER_REPORT = 30.0
SECONDS_PER_CASE = 600.0  # some cases take 10 s of processor time, and the machine may be busy


@dataclasses.dataclass(frozen=True)
class Fault:
    """What went wrong with the case of a seed."""

    seed: int
    kind: str
    message: str


def child(first: int, count: int) -> None:
    """Check cases one after the other; print a line before and after each, so that the parent knows where it is."""
    import faulthandler

    from tests.fuzz.checks import check

    faulthandler.enable()
    for seed in range(first, first + count):
        print(json.dumps({"begin": seed}), flush=True)
        try:
            report = {"seed": seed, "outcome": check(seed)}
        except Exception as error:
            text = " ".join(str(error).split())
            report = {"seed": seed, "outcome": "fault", "kind": type(error).__name__, "message": text[:300]}
        print(json.dumps(report), flush=True)


class Runner:
    """Runs children in parallel, collects outcomes and faults."""

    def __init__(self, first: int, cases: int) -> None:
        self.outcomes: collections.Counter[str] = collections.Counter()
        self.faults: list[Fault] = []
        self.blocks: queue.SimpleQueue[tuple[int, int]] = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.cases = cases
        self.reported = time.monotonic()
        for start in range(first, first + cases, PER_CHILD):
            self.blocks.put((start, min(PER_CHILD, first + cases - start)))

    def run(self, jobs: int) -> None:
        """Work through all blocks with `jobs` children at a time."""
        workers = [threading.Thread(target=self._work) for _ in range(jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def _work(self) -> None:
        while True:
            try:
                first, count = self.blocks.get_nowait()
            except queue.Empty:
                return
            while count > 0:
                done = self._block(first, count)
                first, count = first + done, count - done

    def _block(self, first: int, count: int) -> int:
        """Run one child; returns how many cases are finished, a crashed or hanging one included."""
        command = [sys.executable, "-m", "tests.fuzz.run", "--child", str(first), str(count)]
        with tempfile.TemporaryFile("w+") as errors:
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT) as process:
                watch = _Watch(process)
                current = self._followed(process, watch, first)
                code = process.wait()
                watch.stop()
            if current >= first + count:
                return count
            errors.seek(0)
            place = _place(code, errors.read())
        fault = (
            Fault(current, "hang", f"over {SECONDS_PER_CASE:g} s")
            if watch.has_ended
            else Fault(current, "crash", place)
        )
        with self.lock:
            self._add(fault)
        return current + 1 - first

    def _followed(self, process: subprocess.Popen[str], watch: _Watch, first: int) -> int:
        """Take what a child reports; returns the first case that it has not finished."""
        current = first
        assert process.stdout is not None
        for line in process.stdout:
            report = json.loads(line)
            watch.touch()
            if "begin" in report:
                current = report["begin"]
            else:
                self._note(report)
                current = report["seed"] + 1
        return current

    def _note(self, report: dict[str, object]) -> None:
        with self.lock:
            self.outcomes[str(report["outcome"])] += 1
            if report["outcome"] == "fault":
                self._add(Fault(int(str(report["seed"])), str(report["kind"]), str(report["message"])))
            if time.monotonic() - self.reported > SECONDS_PER_REPORT:
                self.reported = time.monotonic()
                print(f"{self.outcomes.total():,} of {self.cases:,} cases, {len(self.faults)} faults", flush=True)

    def _add(self, fault: Fault) -> None:
        self.faults.append(fault)
        print(f"seed {fault.seed}: {fault.kind}: {fault.message}", flush=True)


class _Watch:
    """Ends a child whose current case takes too long."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.has_ended = False
        self._process = process
        self._last = time.monotonic()
        self._is_done = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def touch(self) -> None:
        """The child has reported something."""
        self._last = time.monotonic()

    def stop(self) -> None:
        """The child has ended by itself."""
        self._is_done.set()

    def _watch(self) -> None:
        while not self._is_done.wait(1.0):
            if time.monotonic() - self._last > SECONDS_PER_CASE:
                self.has_ended = True
                self._process.kill()
                return


def _place(code: int, error: str) -> str:
    """The exit code and the innermost lines of what the child wrote when it crashed."""
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    return f"exit code {code}; " + " | ".join(lines[:4])[:300]


def main() -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2000, help="the number of cases")
    parser.add_argument("--seed", type=int, default=0, help="cases have the numbers seed * 1,000,000 onwards")
    parser.add_argument("--jobs", type=int, default=2, help="the number of child processes at a time")
    parser.add_argument("--only", type=int, help="check one case in this process")
    parser.add_argument("--child", type=int, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(*options.child)
        return 0
    if options.only is not None:
        from tests.fuzz.checks import check, random_case

        print(random_case(options.only))
        print(check(options.only))
        return 0
    runner = Runner(options.seed * 1_000_000, options.cases)
    runner.run(options.jobs)
    print(", ".join(f"{count} {name}" for name, count in sorted(runner.outcomes.items())))
    print(f"{options.cases} cases from seed {options.seed}: {len(runner.faults)} faults")
    return 1 if runner.faults else 0


if __name__ == "__main__":
    sys.exit(main())
