"""Runs jobs of the core in which one allocation after the other fails; started with the preloaded library.

    LD_PRELOAD=LIBRARY python -m tests.edge_cases.failing_allocations LIBRARY [JOB] [FIRST]

The first failures (60, or FIRST) are tried one by one, then some spread over the rest. Prints the number of errors of
each job. Every failure must be a MemoryError, or change nothing, and leave nothing allocated; the
next run must give the same result as before.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import sys
from collections.abc import Callable

import numpy as np

import hornbeam as hb
from hornbeam.explanation import shap_values
from hornbeam.tree.file.files import to_bytes

FIRST, LATER = 60, 6
MAX_BUFFERS = 16


def table(classes: bool) -> hb.Table:
    random = np.random.default_rng(0)
    x = np.round(random.normal(size=(60, 3)), 1)
    x[::9, 0] = np.nan
    level = np.array(["a", "b", "c", "d", "e"])[random.integers(0, 5, 60)]
    y = x[:, 1] + (level == "b")
    target = np.where(y > 0, "yes", "no") if classes else y
    return hb.read({"x0": x[:, 0], "x1": x[:, 1], "x2": x[:, 2], "level": level, "y": target}, target="y")


CLASSES, NUMBERS = table(True), table(False)
TREE = hb.grow(CLASSES, "cart")
FOREST = hb.forest(CLASSES, n_trees=4, threads=1)

JOBS: dict[str, Callable[[int], bytes]] = {
    "cart": lambda threads: to_bytes(hb.grow(CLASSES, "cart", threads=threads)),
    "c45": lambda threads: to_bytes(hb.grow(CLASSES, "c45", threads=threads)),
    "regression": lambda threads: to_bytes(hb.grow(NUMBERS, "plain", threads=threads)),
    "oblique": lambda threads: to_bytes(hb.grow(CLASSES, "oblique", threads=threads)),
    "forest": lambda threads: to_bytes(hb.forest(CLASSES, n_trees=4, threads=threads)),
    "boosting": lambda threads: to_bytes(hb.boost(CLASSES, n_rounds=4, threads=threads)),
    "predict": lambda threads: (
        hb.predict(TREE, CLASSES).values.tobytes() + hb.predict(FOREST, CLASSES).values.tobytes()
    ),
    "shap": lambda threads: shap_values(FOREST, CLASSES).values.tobytes(),
}


def main() -> None:
    library, jobs = ctypes.CDLL(sys.argv[1]), sys.argv[2:3] or list(JOBS)
    first = int(sys.argv[3]) if len(sys.argv) > 3 else FIRST
    gc.freeze()  # what exists already need not be searched for garbage again and again
    for name in jobs:
        failed = [sweep(library, functools.partial(JOBS[name], threads), first, threads == 1) for threads in (1, 2)]
        print(name, sum(failed), flush=True)


def sweep(library: ctypes.CDLL, job: Callable[[], bytes], first: int, is_exact: bool) -> int:
    """The number of errors. Threads keep buffers of their own, so what is held is exact on one thread only."""
    expected = job()
    library.fail_at(0)
    job()
    total = library.allocations()
    later = np.linspace(first, total, LATER).astype(int).tolist() if total > first else []
    gc.collect()
    held, failed = library.held(), 0
    for k in [*range(1, min(first, total) + 1), *later]:
        library.fail_at(k)
        try:
            assert job() == expected, f"allocation {k} of {total} changes the result"
        except MemoryError:
            failed += 1
        library.fail_at(0)
        gc.collect()
        left = library.held() - held
        assert left == 0 or (not is_exact and left <= MAX_BUFFERS), f"allocation {k} of {total}: {left} are left"
    assert job() == expected
    return failed


if __name__ == "__main__":
    main()
