"""Small random tables full of ties, random methods, and a comparison of two trees node by node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import Column, nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

CLASS_CRITERIA = (
    "gini",
    "entropy",
    "c45",
    "misclassification",
    "gain_ratio",
    "cart_measure",
    "twoing",
    "chi_square",
    "hellinger",
)


def drawn_for_the_core(make: Callable[[], tuple[Table, Method]]) -> tuple[Table, Method]:
    """The first table and method that the core can grow, of those that `make` draws one after the other."""
    while True:
        table, method = make()
        if not without_kernel(prepare(table, method)):
            return table, method


def random_table(rng: np.random.Generator, *, is_number: bool, n_classes: int, missing: float = 0.2) -> Table:
    """A small table full of ties: few values and levels, some missing, weights that are multiples of a quarter."""
    n = int(rng.integers(1, 60))
    columns = []
    for place in range(int(rng.integers(1, 5))):
        kind = rng.random()
        has_missing = rng.random() < 0.4
        if kind < 0.5:
            values = rng.integers(0, 8, n).astype(float) if rng.random() < 0.6 else rng.normal(size=n)
            values[has_missing & (rng.random(n) < missing)] = np.nan
            columns.append(numeric(f"c{place}", values))
        else:
            m = int(rng.integers(1, 7))
            codes = rng.integers(0, m, n)
            codes[has_missing & (rng.random(n) < missing)] = -1
            columns.append((nominal if kind < 0.8 else ordinal)(f"c{place}", codes, tuple("abcdef"[:m])))
    target = (
        numeric("y", rng.integers(0, 5, n) * 1.5)
        if is_number
        else nominal("y", rng.integers(0, n_classes, n), tuple("ABCD"[:n_classes]))
    )
    # Quarters add without rounding, so both growers see exactly the same ties.
    weights = None if rng.random() < 0.5 else rng.integers(1, 5, n) / 4
    return Table(tuple(columns), target, weights)


def table_of_many_values(rng: np.random.Generator, *, is_number: bool, missing: float) -> Table:
    """Numbers, even and skewed, rounded and not; ordinal levels, more and fewer than bins; nominal levels; weights."""
    n = int(rng.integers(8, 70))

    def with_gaps(values: np.ndarray[Any, Any], absent: float) -> np.ndarray[Any, Any]:
        if rng.random() < 0.7:
            values[rng.random(n) < missing] = absent
        return values

    first = rng.normal(size=n)
    skewed = np.exp(2 * rng.normal(size=n)).round(int(rng.integers(0, 3)))
    columns: list[Column] = [numeric("c0", with_gaps(first.copy(), np.nan)), numeric("c1", with_gaps(skewed, np.nan))]
    if rng.random() < 0.5:
        columns.append(numeric("c2", with_gaps(first + rng.normal(size=n) / 2, np.nan)))
    levels = int(rng.integers(2, 15))
    columns.append(ordinal("o", with_gaps(rng.integers(0, levels, n), -1), tuple(map(str, range(levels)))))
    if rng.random() < 0.6:
        columns.append(nominal("n", with_gaps(rng.integers(0, 4, n), -1), tuple("abcd")))
    signal = first + rng.normal(size=n)
    classes = np.digitize(signal, [-0.5, 0.6])
    target = numeric("y", signal.round(1)) if is_number else nominal("y", classes, tuple("ABC"))
    return Table(tuple(columns), target, None if rng.random() < 0.5 else rng.integers(1, 5, n) / 4)


def assert_same(table: Table, method: Method, *, seed: int = 0, tree: int = 0) -> None:
    """The core and the plain grower give the same tree."""
    core = grow(table, method, engine="core", seed=seed, tree=tree)
    assert_equal_trees(core, grow(table, method, engine="python", seed=seed, tree=tree))


def assert_equal_trees(core: Tree, plain: Tree) -> None:
    """Two trees with the same questions and, up to rounding, the same numbers."""
    assert len(core) == len(plain)
    for name, values in core.nodes.arrays().items():
        if not name.endswith("question"):
            np.testing.assert_allclose(values, plain.nodes.arrays()[name], rtol=1e-9, atol=1e-12, err_msg=name)
    for node in np.flatnonzero(core.nodes.question >= 0).tolist():
        assert core.question(node) == plain.question(node), f"node {node}"
    for name in ("surrogate_question", "competitor_question"):
        ours, theirs = ([tree.questions[row] for row in getattr(tree.nodes, name).tolist()] for tree in (core, plain))
        assert ours == theirs, name


def random_method(rng: np.random.Generator, *, is_number: bool, n_classes: int) -> Method:
    criterion = str(rng.choice(("squared_error", "poisson"))) if is_number else str(rng.choice(CLASS_CRITERIA))
    groups = ["level_vs_rest", "best_subset", "all_subsets", "chou"]
    if criterion in ("gini", "entropy", "c45", "gain_ratio", "chi_square", "squared_error", "misclassification"):
        groups.append("multiway")
    stops = [
        {"name": "min_leaf", "rows": int(rng.integers(1, 4)), "weight": float(rng.integers(0, 3))},
        {"name": "max_depth", "depth": int(rng.integers(0, 8))},
    ]
    if rng.random() < 0.3:
        stops.append({"name": "max_leaves", "leaves": int(rng.integers(1, 8))})
    if rng.random() < 0.2:
        stops.append({"name": "max_nodes", "nodes": int(rng.integers(1, 12))})
    if rng.random() < 0.2:
        stops.append({"name": "same_vectors"})
    if rng.random() < 0.2:
        stops.append({"name": "min_decrease", "decrease": 0.02})
    if rng.random() < 0.2 and not is_number:
        stops.append({"name": "purity", "pi": 0.8})
    min_size = "c45" if criterion == "c45" else "min_leaf"
    cuts = {"name": "sorted_cuts", "cut": str(rng.choice(("midpoint", "data"))), "min_size": min_size}
    return Method(
        criterion=criterion,  # type: ignore[arg-type]
        searches=(cuts, str(rng.choice(groups))),  # type: ignore[arg-type]
        order=str(rng.choice(("depth_first", "best_first", "level_wise"))),  # type: ignore[arg-type]
        missing={"name": "skip_column", "route": str(rng.choice(("majority", "stay")))},  # type: ignore[arg-type]
        priors="equal" if not is_number and rng.random() < 0.2 else "data",
    ).with_changes(stops=stops)
