"""Measures how soon a growth stops after Ctrl-C: median and maximum over several presses, in milliseconds.

    python -m benchmarks.latency [--presses N] [--threads N]

Each growth takes far longer than the press waits, so every press interrupts it; each press comes a quarter of a second
later than the one before, so that they meet different nodes.
"""

import argparse
import os
import signal
import statistics
import threading
import time
from collections.abc import Callable

import numpy as np

import hornbeam as hb
from benchmarks import machine
from hornbeam.growing.method import Method
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

Growth = Callable[[], object]


def noise(n_rows: int, n_columns: int) -> Table:
    rng = np.random.default_rng(0)
    columns = tuple(numeric(f"x{j}", rng.normal(size=n_rows)) for j in range(n_columns))
    return Table(columns, nominal("y", rng.integers(0, 2, n_rows), ("no", "yes")))


def growths(threads: int) -> dict[str, Growth]:
    """Growths of many seconds by what they are."""
    large, middle = noise(1_000_000, 20), noise(60_000, 8)
    searches = {
        "intervals, 60,000 x 8": "intervals",
        "sparse planes, 60,000 x 8": {"name": "sparse_planes", "at_least": 100_000, "at_most": 100_000},
        "spheres, 60,000 x 8": {"name": "spheres", "rows": 50_000},
    }
    rows = np.stack([column.values for column in middle.columns], axis=1)
    classes = np.asarray(middle.target.values)
    found: dict[str, Growth] = {
        "one exact tree, 1,000,000 x 20": lambda: hb.grow(large, threads=threads),
        "forest of 2,000, 60,000 x 8": lambda: hb.ForestClassifier(2000, n_jobs=threads).fit(rows, classes),
        "boosting of 5,000, 60,000 x 8": lambda: hb.BoostedClassifier(max_iter=5000).fit(rows, classes),
    }
    for words, search in searches.items():
        method = Method(searches=(search,))
        found[words] = lambda method=method: hb.grow(middle, method, threads=threads)
    return found


def seconds_after_press(growth: Growth, delay: float) -> float:
    """How long a growth goes on after a press that comes `delay` seconds after its start."""
    pressed = 0.0

    def press() -> None:
        nonlocal pressed
        pressed = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(delay, press)
    try:
        timer.start()
        growth()
    except KeyboardInterrupt:
        return time.perf_counter() - pressed
    finally:
        timer.cancel()
        timer.join()
    raise SystemExit(f"the growth ended within {delay} s: it is too short to be interrupted")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presses", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    print(f"{machine.about()['processor']}, threads: {options.threads}, presses: {options.presses}", flush=True)
    print(f"{'growth':<32} {'median ms':>10} {'maximum ms':>11}", flush=True)
    for words, growth in growths(options.threads).items():
        waits = [1000 * seconds_after_press(growth, 0.5 + 0.25 * press) for press in range(options.presses)]
        print(f"{words:<32} {statistics.median(waits):>10.1f} {max(waits):>11.1f}", flush=True)


if __name__ == "__main__":
    main()
