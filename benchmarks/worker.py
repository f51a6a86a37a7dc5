"""How long does one contender take?  One process per contender and workload, asked by lines on its input.

    start    pin to the cores allowed, import the library, read the data, fit a few rows once: not timed
    "turn"   time the act once (or `fits_per_turn` times, mean); the first turn also reports memory, quality and nodes

A fresh process for every workload, so that peak memory is not hidden by what an earlier fit left on the heap.
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
    """Give the process `threads` cores where the system lets us; libraries then cannot use more by mistake."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])


def end_with_us(process: int | str) -> None:
    """When the race ends this worker in the midst of a fit, the process that does the work must not go on."""

    def end(*_):
        os.kill(process, signal.SIGKILL)
        sys.exit("ended over the limit")

    if process != "self":
        signal.signal(signal.SIGTERM, end)


def resident(field: str, process: int | str) -> int | None:
    """VmRSS (now) or VmHWM (peak) of a process in bytes; None where there is no /proc."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/status") as lines:
        return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(field)), None)
    return None


def forget_peak(process: int | str) -> bool:
    with contextlib.suppress(OSError):
        Path(f"/proc/{process}/clear_refs").write_text("5")
        return True
    return False


def processor_time(process: int | str) -> float:
    """Seconds of processor time so far; of another process in ticks of the system, 0 where there is no /proc."""
    if process == "self":
        return time.process_time()
    with contextlib.suppress(OSError):
        after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")  # user and system
    return 0.0


class Bench:
    """A contender on its data, ready to be timed."""

    def __init__(self, job):
        from benchmarks.contenders import CONTENDERS
        from benchmarks.data import Data

        kind, folder = CONTENDERS[job["contender"]], Path(job["folder"])
        self.task, threads = job["task"], job["threads"]
        with contextlib.suppress(Exception):  # a warm-up that fails is no result; the fit that is timed will tell
            few = kind(Data(folder, first=WARM_ROWS), {**self.task, "trees": min(self.task["trees"], 2)}, threads)
            few.inputs()
            few.fit()
            few.predict()
            few.close()
        self.data = Data(folder)
        self.contender = kind(self.data, self.task, threads)
        end_with_us(self.contender.process)
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
            before, is_fresh = resident("VmRSS", process), forget_peak(process) if self.is_first else False
            act = getattr(self.contender, self.task["act"])
            cpu_start, start = processor_time(process), time.perf_counter()
            act()
            took = time.perf_counter() - start
            clock += took if self.contender.counted is None else self.contender.counted
            cpu += processor_time(process) - cpu_start
            if is_fresh and before is not None and extra is None:
                extra = max(0, resident("VmHWM", process) - before)
        times = self.task["fits_per_turn"]
        answer = {"seconds": clock / times, "cpu": cpu / times}
        if self.is_first:
            self.is_first = False
            answer |= {"extra_bytes": extra, **told("quality", self.quality), **told("nodes", self.contender.nodes)}
            if self.task["family"] == "boosting":
                answer |= told("loss", self.loss)
        return answer

    def quality(self):
        """Held-out accuracy or R2."""
        import numpy as np

        answer, truth = np.asarray(self.contender.predict()).ravel(), self.data.yt
        if self.data.classes:
            return float(np.mean(answer == truth))
        return float(1 - np.sum((truth - answer) ** 2) / np.sum((truth - truth.mean()) ** 2))

    def loss(self):
        """Held-out log loss a row, or mean squared error: what boosting makes small."""
        import numpy as np

        truth = self.data.yt
        if not self.data.classes:
            return float(np.mean((truth - np.asarray(self.contender.predict()).ravel()) ** 2))
        probabilities = np.asarray(self.contender.probabilities(), dtype=float)
        if probabilities.ndim == 1:
            probabilities = np.stack([1 - probabilities, probabilities], axis=1)
        of_truth = probabilities[np.arange(len(truth)), truth.astype(int)]
        return float(-np.mean(np.log(np.clip(of_truth, 1e-15, 1))))


def told(name, act):
    """What `act` says under its name; when it fails the time still stands and the reason is told."""
    try:
        return {name: act()}
    except Exception as error:
        return {name: None, f"{name}_error": f"{type(error).__name__}: {error}".replace("\n", " ")[:200]}


def main() -> None:
    reply = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what the libraries print goes to the log, not to the driver
    warnings.filterwarnings("ignore")

    def answered(act):
        try:
            answer = {"ok": True, **(act() or {})}
        except Exception as error:
            traceback.print_exc()
            answer = {"ok": False, "error": f"{type(error).__name__}: {error}".replace("\n", " ")[:300]}
        reply.write(json.dumps(answer) + "\n")
        return answer["ok"]

    job = json.loads(sys.argv[1])
    pin(job["threads"])
    bench = None

    def start():
        nonlocal bench
        bench = Bench(job)

    if answered(start):
        for _ in sys.stdin:
            answered(bench.turn)


if __name__ == "__main__":
    main()
