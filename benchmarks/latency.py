"""Measures how soon long jobs stop after Ctrl-C: median and maximum over several presses, in milliseconds.

    python -m benchmarks.latency [--presses N] [--only TEXT]

The jobs (benchmarks/long_jobs.py) take far longer than the delay of a press, so every press interrupts one; each press
comes slightly later than the previous one, so that they interrupt different steps. After each press the same process
grows a small tree. A job that ends by itself is reported. Python loses a press that comes while it runs a callback of
its own, such as one at the end of an import: a press without effect is repeated after 5 s, and the latency is that of
the last one. A job that runs on for 30 s ends the benchmark.
"""

import argparse
import faulthandler
import os
import signal
import statistics
import tempfile
import threading
import time
from pathlib import Path

from benchmarks import machine
from benchmarks.long_jobs import Job, jobs, noise

FIRST, STEP = 0.4, 0.1  # seconds
AGAIN, TIMEOUT = 5.0, 30.0


def seconds_after_press(job: Job, delay: float) -> float | None:
    """How long a job runs after a press that comes `delay` seconds after its start; None if it ended before."""
    pressed, has_ended = 0.0, threading.Event()

    def press() -> None:
        nonlocal pressed
        if has_ended.wait(delay):
            return
        faulthandler.dump_traceback_later(TIMEOUT, exit=True)
        while True:
            pressed = time.perf_counter()
            os.kill(os.getpid(), signal.SIGINT)
            if has_ended.wait(AGAIN):
                return

    presses = threading.Thread(target=press)
    presses.start()
    try:
        job()
        return None
    except KeyboardInterrupt:
        return time.perf_counter() - pressed
    finally:
        has_ended.set()
        presses.join()
        faulthandler.cancel_dump_traceback_later()


def measured(only: str, presses: int, folder: Path) -> dict[str, list[float | None]]:
    """The latencies of every job whose name contains `only`; prints one line per job."""
    import hornbeam as hb

    small, found = noise(500, 3, 2), {}
    for name, (prepare, job) in jobs(folder).items():
        if only not in name:
            continue
        prepare()
        waits = [seconds_after_press(job, FIRST + STEP * press) for press in range(presses)]
        if len(hb.grow(small, "plain")) < 3:
            raise SystemExit(f"after {name}, growing a small tree fails")
        found[name] = waits
        stopped = [1000 * wait for wait in waits if wait is not None]
        text = f"{statistics.median(stopped):>10.1f} {max(stopped):>11.1f}" if stopped else "ends by itself"
        print(f"{name:<40} {text}", flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presses", type=int, default=5)
    parser.add_argument("--only", default="", help="jobs whose name contains this text")
    options = parser.parse_args()
    print(f"{machine.about()['processor']}, presses: {options.presses}")
    print(f"{'job':<40} {'median ms':>10} {'maximum ms':>11}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        found = measured(options.only, options.presses, Path(folder))
    waits = [1000 * wait for each in found.values() for wait in each if wait is not None]
    print(f"all: median {statistics.median(waits):.1f} ms, maximum {max(waits):.1f} ms, {len(waits)} presses")


if __name__ == "__main__":
    main()
