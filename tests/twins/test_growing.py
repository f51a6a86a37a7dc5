"""The core grows the tree that the plain grower defines: same questions, numbers, statistics and reasons."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.recipes import recipe
from hornbeam.table.column import nominal, numeric, ordinal
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


def random_table(rng: np.random.Generator, *, is_number: bool, n_classes: int, holes: float = 0.2) -> Table:
    """A small table full of ties: few values, few levels, some holes, weights that are whole quarters."""
    n = int(rng.integers(1, 60))
    columns = []
    for place in range(int(rng.integers(1, 5))):
        kind = rng.random()
        has_holes = rng.random() < 0.4
        if kind < 0.5:
            values = rng.integers(0, 8, n).astype(float) if rng.random() < 0.6 else rng.normal(size=n)
            values[has_holes & (rng.random(n) < holes)] = np.nan
            columns.append(numeric(f"c{place}", values))
        else:
            m = int(rng.integers(1, 7))
            codes = rng.integers(0, m, n)
            codes[has_holes & (rng.random(n) < holes)] = -1
            columns.append((nominal if kind < 0.8 else ordinal)(f"c{place}", codes, tuple("abcdef"[:m])))
    target = (
        numeric("y", rng.integers(0, 5, n) * 1.5)
        if is_number
        else nominal("y", rng.integers(0, n_classes, n), tuple("ABCD"[:n_classes]))
    )
    # Quarters add without rounding, so both growers see exactly the same ties.
    weights = None if rng.random() < 0.5 else rng.integers(1, 5, n) / 4
    return Table(tuple(columns), target, weights)


def assert_same(table: Table, method: Method, **how: object) -> None:
    core = grow(table, method, engine="core", **how)  # type: ignore[arg-type]
    assert_equal_trees(core, grow(table, method, engine="python"))


def assert_equal_trees(core: Tree, plain: Tree) -> None:
    assert len(core) == len(plain)
    for name, values in core.nodes.arrays().items():
        if name != "question":
            np.testing.assert_allclose(values, plain.nodes.arrays()[name], rtol=1e-9, atol=1e-12, err_msg=name)
    for node in np.flatnonzero(core.nodes.question >= 0).tolist():
        assert core.question(node) == plain.question(node), f"node {node}"


def random_method(rng: np.random.Generator, *, is_number: bool, n_classes: int) -> Method:
    criterion = str(rng.choice(("squared_error", "poisson"))) if is_number else str(rng.choice(CLASS_CRITERIA))
    groups = ["one_value", "best_subset", "all_subsets", "chou"]
    if criterion in ("gini", "entropy", "c45", "gain_ratio", "chi_square", "squared_error", "misclassification"):
        groups.append("each_value")
    stops = [
        {"name": "min_leaf", "rows": int(rng.integers(1, 4)), "weight": float(rng.integers(0, 3))},
        {"name": "depth", "at_most": int(rng.integers(0, 8))},
    ]
    if rng.random() < 0.3:
        stops.append({"name": "max_leaves", "at_most": int(rng.integers(1, 8))})
    if rng.random() < 0.2:
        stops.append({"name": "max_nodes", "at_most": int(rng.integers(1, 12))})
    if rng.random() < 0.2:
        stops.append({"name": "same_vectors"})
    if rng.random() < 0.2:
        stops.append({"name": "min_decrease", "least": 0.02})
    if rng.random() < 0.2 and not is_number:
        stops.append({"name": "purity", "pi": 0.8})
    least = "c45" if criterion == "c45" else "plain"
    cuts = {"name": "sorted_cuts", "cut": str(rng.choice(("midpoint", "data"))), "least": least}
    return Method(
        criterion=criterion,  # type: ignore[arg-type]
        searches=(cuts, str(rng.choice(groups))),  # type: ignore[arg-type]
        order=str(rng.choice(("depth_first", "best_first", "level_wise"))),  # type: ignore[arg-type]
        missing={"name": "skip_column", "route": str(rng.choice(("majority", "stay")))},  # type: ignore[arg-type]
        priors="equal" if not is_number and rng.random() < 0.2 else "data",
    ).but(stops=stops)


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), is_number=st.booleans(), n_classes=st.integers(1, 4))
def test_the_core_and_the_plain_grower_give_the_same_tree(seed: int, is_number: bool, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=is_number, n_classes=n_classes)
    assert_same(table, random_method(rng, is_number=is_number, n_classes=n_classes))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("n_rows", [300, 700])
def test_columns_with_many_values_are_searched_alike(criterion: str, n_rows: int) -> None:
    """More than 256 distinct values: the sorted lists of the core, with holes."""
    rng = np.random.default_rng(n_rows)
    values = np.round(rng.normal(size=(n_rows, 3)), 3)
    values[rng.random(values.shape) < 0.1] = np.nan
    signal = np.nan_to_num(values[:, 0]) + rng.normal(size=n_rows)
    columns = tuple(numeric(f"x{j}", values[:, j]) for j in range(3))
    target = numeric("y", signal) if criterion == "squared_error" else nominal("y", (signal > 0) * 1, ("no", "yes"))
    method = Method(criterion=criterion)  # type: ignore[arg-type]
    assert_same(Table(columns, target), method)


@pytest.mark.parametrize("threads", [2, 3, 8])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "twoing"])
def test_the_tree_is_the_same_on_any_number_of_threads(threads: int, criterion: str) -> None:
    rng = np.random.default_rng(7)
    n = 12_000
    values = rng.normal(size=(n, 9))
    codes = rng.integers(0, 9, n)
    signal = values[:, 0] + values[:, 1] * (codes > 4) + rng.normal(size=n)
    columns = (*(numeric(f"x{j}", values[:, j]) for j in range(9)), nominal("c", codes, tuple("abcdefghi")))
    target = (
        numeric("y", signal)
        if criterion == "squared_error"
        else nominal("y", np.digitize(signal, [-1, 1]), tuple("ABC"))
    )
    table = Table(columns, target)
    method = Method(criterion=criterion)  # type: ignore[arg-type]
    one = grow(table, method, engine="core", threads=1)
    many = grow(table, method, engine="core", threads=threads)
    for name, array in one.nodes.arrays().items():
        assert array.tobytes() == many.nodes.arrays()[name].tobytes(), name
    for name, array in one.questions.arrays().items():
        assert array.tobytes() == many.questions.arrays()[name].tobytes(), name


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_distinct", [30, 400])
def test_c45_passes_over_neighbours_closer_than_its_gap_in_both_growers(n_distinct, seed):
    # 30 distinct values are kept as codes, 400 as a sorted list: two searches of the core.
    rng = np.random.default_rng(seed)
    values = rng.integers(0, n_distinct, 600) * 0.6e-5
    table = Table((numeric("x", values),), nominal("y", (values + rng.normal(0, 1e-3, 600) > 1e-3) * 1, ("A", "B")))
    assert_same(table, recipe("c45").but(collapse=False))


def test_c45_asks_as_much_of_the_sides_of_an_ordinal_cut_as_of_a_numeric_one():
    rng = np.random.default_rng(5)
    codes = rng.choice(6, 400, p=[0.03, 0.17, 0.2, 0.3, 0.27, 0.03])
    classes = np.where(codes == 0, 0, np.where(codes == 5, 1, rng.integers(0, 2, 400)))
    table = Table((ordinal("o", codes, tuple("abcdef")),), nominal("y", classes, ("A", "B")))
    assert_same(table, recipe("c45").but(collapse=False))
