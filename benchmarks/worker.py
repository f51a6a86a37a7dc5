"""Times one library on one workload: one process each, controlled by lines on its standard input.

    start    pin to the allowed cores, import the library, read the data, fit a few rows once: not timed
    "turn"   time the action once (or `fits_per_turn` times, mean); the first turn reports memory, quality and nodes too

Every workload has a new process, so that memory left by an earlier fit does not hide the peak memory.
"""

import contextlib
import gc
import json
import os
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path

WARM_ROWS = 300


def pin(threads: int) -> None:
    """Restrict the process to `threads` cores if the system supports it, so that no library uses more."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])


def end_with_worker(process: int | str) -> None:
    """If this worker is ended during a fit, also end the process that does the work."""

    def end(*_):
        os.kill(process, signal.SIGKILL)
        sys.exit("time limit exceeded")

    if process != "self":
        signal.signal(signal.SIGTERM, end)


def resident(field: str, process: int | str) -> int | None:
    """VmRSS (current) or VmHWM (peak) of a process in bytes; None without /proc."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/status") as lines:
        return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(field)), None)
    return None


def reset_peak(process: int | str) -> bool:
    with contextlib.suppress(OSError):
        Path(f"/proc/{process}/clear_refs").write_text("5")
        return True
    return False


def processor_time(process: int | str) -> float:
    """Processor time so far in seconds; of another process in units of system ticks, 0 without /proc."""
    if process == "self":
        return time.process_time()
    with contextlib.suppress(OSError):
        after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")  # user and system
    return 0.0


class Bench:
    """A library and its data, ready to be timed."""

    def __init__(self, job):
        from benchmarks.contenders import CONTENDERS
        from benchmarks.data import Data

        kind, folder = CONTENDERS[job["contender"]], Path(job["folder"])
        self.task, threads = job["task"], job["threads"]
        with contextlib.suppress(Exception):  # a failed warm-up is no result; the timed fit reports the error
            few = kind(Data(folder, first=WARM_ROWS), {**self.task, "trees": min(self.task["trees"], 2)}, threads)
            few.inputs()
            few.fit()
            few.predict()
            few.close()
        self.data = Data(folder)
        self.contender = kind(self.data, self.task, threads)
        end_with_worker(self.contender.process)
        if self.task["act"] != "fit":
            self.contender.inputs()
            self.contender.fit()
        self.is_first = True
        gc.collect()
        gc.freeze()

    def turn(self):
        clock = cpu = 0.0
        extra = None
        for _ in range(self.task["fits_per_turn"]):
            if self.task["act"] == "fit":
                self.contender.model = None
                self.contender.inputs()
            gc.collect(0 if self.task["fits_per_turn"] > 1 else 2)
            process = self.contender.process
            before, has_new_peak = resident("VmRSS", process), reset_peak(process) if self.is_first else False
            act = getattr(self.contender, self.task["act"])
            cpu_start, start = processor_time(process), time.perf_counter()
            act()
            took = time.perf_counter() - start
            clock += took if self.contender.counted is None else self.contender.counted
            cpu += processor_time(process) - cpu_start
            if has_new_peak and before is not None and extra is None:
                extra = max(0, resident("VmHWM", process) - before)
        times = self.task["fits_per_turn"]
        reply = {"seconds": clock / times, "cpu": cpu / times}
        if self.is_first:
            self.is_first = False
            reply |= {"extra_bytes": extra}
            reply |= measured("quality", self.quality) | measured("nodes", self.contender.nodes)
            if self.task["family"] == "boosting":
                reply |= measured("loss", self.loss)
        return reply

    def quality(self):
        """Held-out accuracy or R2."""
        import numpy as np

        predicted, truth = np.asarray(self.contender.predict()).ravel(), self.data.yt
        if self.data.classes:
            return float(np.mean(predicted == truth))
        return float(1 - np.sum((truth - predicted) ** 2) / np.sum((truth - truth.mean()) ** 2))

    def loss(self):
        """Held-out log loss per row, or mean squared error: the loss that boosting minimizes."""
        import numpy as np

        truth = self.data.yt
        if not self.data.classes:
            return float(np.mean((truth - np.asarray(self.contender.predict()).ravel()) ** 2))
        probabilities = np.asarray(self.contender.probabilities(), dtype=float)
        if probabilities.ndim == 1:
            probabilities = np.stack([1 - probabilities, probabilities], axis=1)
        of_truth = probabilities[np.arange(len(truth)), truth.astype(int)]
        return float(-np.mean(np.log(np.clip(of_truth, 1e-15, 1))))


def measured(name, measure):
    """The result of `measure` under a name; if it fails, None and the error, so that the time is still reported."""
    try:
        return {name: measure()}
    except Exception as error:
        return {name: None, f"{name}_error": f"{type(error).__name__}: {error}".replace("\n", " ")[:200]}


def main() -> None:
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # output of the libraries goes to the log, not to the driver
    warnings.filterwarnings("ignore")

    def reply_with(action):
        try:
            reply = {"ok": True, **(action() or {})}
        except Exception as error:
            traceback.print_exc()
            reply = {"ok": False, "error": f"{type(error).__name__}: {error}".replace("\n", " ")[:300]}
        replies.write(json.dumps(reply) + "\n")
        return reply["ok"]

    job = json.loads(sys.argv[1])
    pin(job["threads"])
    bench = None

    def start():
        nonlocal bench
        bench = Bench(job)

    if reply_with(start):
        for _ in sys.stdin:
            reply_with(bench.turn)


if __name__ == "__main__":
    main()
