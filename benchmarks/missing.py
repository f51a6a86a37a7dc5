"""Measures the cost of missing values: the same table with and without missing values, in turn; no other libraries.

    HORNBEAM_PYTHON=.venv/bin/python; PYTHONPATH=src $HORNBEAM_PYTHON -m benchmarks.missing [--rows 200000] [--turns 5]

20 % of the cells are removed at random. Each line is the best time divided by the best time of `skip_column` on the
complete table; the last column is the ratio per inner node, because missing values also change the size of a tree.
Limits: 1.5 for skip_column and learned, 3 for surrogates per stored split.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.column import nominal as levels
from hornbeam.table.column import numeric
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

WAYS = ("skip_column", "learned", "own_branch", "impute", "fill at nodes", "surrogates")
DEPTH = 8


def table_of(rows: int, columns: int, missing: float, seed: int = 1) -> Table:
    """Normal values, two classes; the fraction `missing` of the cells is missing at random."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(rows, columns))
    signal = values[:, :4].sum(axis=1) + 2 * rng.normal(size=rows)
    values[rng.random(values.shape) < missing] = np.nan
    target = levels("y", (signal > 0).astype(np.int64), ("no", "yes"))
    return Table(tuple(numeric(f"x{j}", values[:, j]) for j in range(columns)), target)


def timed(table: Table, way: str, threads: int) -> tuple[float, Tree]:
    """Seconds to grow a tree of some depth, and the tree."""
    chosen = {"name": "impute", "scope": "node"} if way == "fill at nodes" else way
    method = Method(missing=chosen).with_changes(stops=[{"name": "max_depth", "depth": DEPTH}])  # type: ignore[arg-type]
    start = time.perf_counter()
    tree = grow(table, method, engine="core", threads=threads)
    return time.perf_counter() - start, tree


def main() -> None:
    """Print the table of ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    complete, incomplete = table_of(args.rows, args.columns, 0.0), table_of(args.rows, args.columns, 0.2)
    cells = [("complete", way) for way in ("skip_column", "surrogates")] + [("missing", way) for way in WAYS]
    best: dict[tuple[str, str], float] = {}
    nodes: dict[tuple[str, str], int] = {}
    for _ in range(args.turns):
        for cell in cells:
            seconds, tree = timed(complete if cell[0] == "complete" else incomplete, cell[1], args.threads)
            best[cell] = min(seconds, best.get(cell, np.inf))
            nodes[cell] = int((tree.nodes.first_child >= 0).sum())
    base, base_nodes = best["complete", "skip_column"], nodes["complete", "skip_column"]
    print(f"{args.rows:,} x {args.columns}, depth {DEPTH}, {args.threads} threads, best of {args.turns}")
    print(f"{'table':<10}{'strategy':<14}{'seconds':>9}{'ratio':>8}{'nodes':>8}{'per node':>10}")
    for cell in cells:
        ratio = best[cell] / base
        per_node = ratio * base_nodes / nodes[cell]
        print(f"{cell[0]:<10}{cell[1]:<14}{best[cell]:>9.3f}{ratio:>8.2f}{nodes[cell]:>8}{per_node:>10.2f}")


if __name__ == "__main__":
    main()
