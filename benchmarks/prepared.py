"""Measures what a prepared table saves: cross-validation in single growths, and the candidates of the root.

    python -m benchmarks.prepared                        prints the page of benchmarks/results
    python -m benchmarks.prepared --turns 3 --rows 10000

In every turn all jobs of a table and a recipe run one after the other; a ratio is the median over the turns, so that a
busy machine affects its two sides alike. On one thread, as processor time:

    single       hb.grow(table, recipe)
    folds        hb.grow(table.take(rows), recipe) for the training rows of ten folds
    prepared     hb.grow(prepared, recipe, rows=rows) for the same rows
    cv           hb.cross_validate(table, recipe, folds=10), with predictions and metrics

On all threads, as wall time: one growth, and `cv`, which grows several folds at the same time. On a busy machine they
mean little.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import hornbeam as hb
from benchmarks.machine import about
from hornbeam.table.column import nominal, numeric
from hornbeam.table.divide import table_splits

FOLDS = 10
N_NUMERIC, N_NOMINAL = 16, 4
MAX_SECONDS = 120.0


def made(n_rows: int) -> hb.Table:
    """Two classes, 16 numeric and 4 nominal columns; three of the numbers and one of the levels matter."""
    rng = np.random.default_rng(0)
    x, codes = rng.normal(size=(n_rows, N_NUMERIC)), rng.integers(0, 8, (n_rows, N_NOMINAL))
    score = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * (codes[:, 0] > 3) + rng.normal(size=n_rows)
    numbers = [numeric(f"x{i}", x[:, i]) for i in range(N_NUMERIC)]
    levels = [nominal(f"c{i}", codes[:, i], tuple("abcdefgh")) for i in range(N_NOMINAL)]
    return hb.Table((*numbers, *levels), nominal("y", (score > 0).astype(int), ("no", "yes")))


def recipes() -> dict[str, hb.Recipe]:
    """The recipes by the name that is printed."""
    plain = hb.recipe("plain")
    return {
        "plain, depth 1": plain.with_changes(stops=[hb.stops.MaxDepth(1)]),
        "plain, depth 4": plain.with_changes(stops=[hb.stops.MaxDepth(4)]),
        "plain, depth 8": plain.with_changes(stops=[hb.stops.MaxDepth(8)]),
        "plain": plain,
        "cart, not pruned": hb.recipe("cart").with_changes(pruning=None),
        "c45, not pruned": hb.recipe("c45").with_changes(pruning=None),
        "c45": hb.recipe("c45"),
    }


def seconds(job: Callable[[], Any], clock: Callable[[], float]) -> float:
    """The time of a job."""
    start = clock()
    job()
    return clock() - start


def turns_of(
    jobs: dict[str, Callable[[], Any]], turns: int, clock: Callable[[], float] = time.process_time
) -> dict[str, list[float]]:
    """The times of all jobs, in interleaved turns; fewer turns for slow jobs."""
    found: dict[str, list[float]] = {name: [] for name in jobs}
    start = time.monotonic()
    for _ in range(turns):
        for name, job in jobs.items():
            found[name].append(seconds(job, clock))
        if time.monotonic() - start > MAX_SECONDS:
            break
    return found


def cross_validation(table: hb.Table, recipe: hb.Recipe, turns: int) -> dict[str, Any]:
    """The time of a single growth in milliseconds, and the others as multiples of it."""
    splits = table_splits(table, FOLDS, 0)

    def grow_folds() -> None:
        for split in splits:
            hb.grow(table.take(split.train), recipe, threads=1)

    def grow_prepared() -> None:
        prepared = hb.prepare(table)
        for split in splits:
            hb.grow(prepared, recipe, rows=split.train, threads=1)

    jobs = {
        "single": lambda: hb.grow(table, recipe, threads=1),
        "folds": grow_folds,
        "prepared": grow_prepared,
        "cv": lambda: hb.cross_validate(table, recipe, folds=FOLDS, threads=1),
    }
    times = turns_of(jobs, turns)
    found: dict[str, Any] = {"single": 1000 * statistics.median(times["single"]), "turns": len(times["single"])}
    found |= {name: ratio(times[name], times["single"]) for name in ("folds", "prepared", "cv")}
    on_threads = {
        "one": lambda: hb.grow(table, recipe, threads=1),
        "all": lambda: hb.grow(table, recipe),
        "cv": lambda: hb.cross_validate(table, recipe, folds=FOLDS),
    }
    walls = turns_of(on_threads, turns, time.perf_counter)
    return found | {f"cv_of_{name}": ratio(walls["cv"], walls[name]) for name in ("one", "all")}


def ratio(times: list[float], base: list[float]) -> float:
    """The median ratio of times of the same turns."""
    return statistics.median(one / other for one, other in zip(times, base, strict=True))


def candidate_milliseconds(table: hb.Table, turns: int) -> dict[str, float]:
    """The time of the candidates of the root, of the table and of the table prepared before."""
    prepared = hb.prepare(table)
    hb.candidates(prepared, "plain", threads=1)
    jobs = {
        "table": lambda: hb.candidates(table, "plain", threads=1),
        "prepared": lambda: hb.candidates(prepared, "plain", threads=1),
    }
    return {name: 1000 * statistics.median(times) for name, times in turns_of(jobs, turns).items()}


def main() -> None:
    """Print the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--turns", type=int, default=7)
    chosen = parser.parse_args()
    machine = about()
    hb.cross_validate(made(500), "plain")  # imports everything
    print("# Prepared tables\n")
    print(f"Made by `python -m benchmarks.prepared --turns {chosen.turns}` on {machine['cores']} cores of an")
    print(f"{machine['processor']}; medians of interleaved turns, 20 columns.\n")
    print("Ten folds, as multiples of one growth on all rows: processor time of one thread; then wall time of")
    print("`cross_validate` on all threads, as multiples of a growth on one thread and of one on all threads.\n")
    print(
        "| rows | recipe | one growth, ms | tables of the folds | prepared table | `cross_validate` "
        "| all threads, growths on one | all threads, growths on all | turns |"
    )
    print("|--:|---|--:|--:|--:|--:|--:|--:|--:|")
    for n_rows in chosen.rows:
        table = made(n_rows)
        for name, recipe in recipes().items():
            found = cross_validation(table, recipe, chosen.turns)
            ratios = " | ".join(f"{found[key]:.2f}" for key in ("folds", "prepared", "cv", "cv_of_one", "cv_of_all"))
            print(f"| {n_rows:,} | {name} | {found['single']:.1f} | {ratios} | {found['turns']} |", flush=True)
    print("\nThe candidates of the root, with the statistics of all branches, in milliseconds:\n")
    print("| rows | table | prepared table |\n|--:|--:|--:|")
    for n_rows in chosen.rows:
        times = candidate_milliseconds(made(n_rows), max(chosen.turns, 9))
        print(f"| {n_rows:,} | {times['table']:.1f} | {times['prepared']:.1f} |", flush=True)


if __name__ == "__main__":
    main()
