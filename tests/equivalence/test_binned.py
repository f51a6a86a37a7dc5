"""The core's histograms grow the tree that the plain binned search defines, on any number of threads."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.equivalence.random_methods import assert_equal_trees, assert_same, random_method, random_table

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.searches.binned_cuts import BinnedCuts
from hornbeam.table.column import Column, nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree


def on_bins(method: Method, bins: int) -> Method:
    """The method with its cuts of numbers between bins."""
    searches = tuple(BinnedCuts(bins=bins) if each.name == "sorted_cuts" else each for each in method.searches)
    return dataclasses.replace(method, searches=searches)


def same_bytes(one: Tree, other: Tree) -> None:
    for name, array in one.nodes.arrays().items():
        assert array.tobytes() == other.nodes.arrays()[name].tobytes(), name
    for name, array in one.questions.arrays().items():
        assert array.tobytes() == other.questions.arrays()[name].tobytes(), name


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), is_number=st.booleans(), n_classes=st.integers(1, 4), bins=st.integers(2, 9))
def test_the_core_and_the_plain_grower_give_the_same_tree_on_bins(
    seed: int, is_number: bool, n_classes: int, bins: int
) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=is_number, n_classes=n_classes)
    method = random_method(rng, is_number=is_number, n_classes=n_classes)
    if method.criterion is not None and method.criterion.name in ("c45", "misclassification"):
        return  # c45 has its own least size, which bins do not have; the other is full of ties
    assert_same(table, on_bins(method, bins))


def uneven_columns(rng: np.random.Generator, n: int) -> tuple[Column, ...]:
    """Continuous, rounded, very skewed, mostly 0, with infinities, with missing values."""
    values = rng.normal(size=(n, 6))
    values[:, 1] = np.round(values[:, 1] * 20)
    values[:, 2] = np.exp(4 * values[:, 2])
    values[:, 3] = np.where(rng.random(n) < 0.6, 0, values[:, 3])
    values[rng.random(n) < 0.01, 4] = np.inf
    values[rng.random(n) < 0.01, 4] = -np.inf
    values[rng.random(values.shape) < 0.05] = np.nan
    return tuple(numeric(f"x{j}", values[:, j]) for j in range(6))


@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "twoing"])
def test_large_nodes_with_histograms_are_searched_alike(criterion: str, n_classes: int, weighed: bool) -> None:
    """3,000 rows: histograms, what is left of the parent's, and small nodes; wide columns next to narrow ones."""
    rng = np.random.default_rng(n_classes)
    n = 3000
    columns = uneven_columns(rng, n)
    signal = np.nan_to_num(columns[0].values) + np.nan_to_num(columns[5].values) ** 2 + rng.normal(size=n)
    columns += (ordinal("o", rng.integers(0, 700, n), tuple(map(str, range(700)))),)
    cuts = [0, 0.5, 1.5][: n_classes - 1]
    if criterion == "squared_error":
        target = numeric("y", np.round(signal * 4) / 4)
    else:
        columns += (nominal("c", rng.integers(-1, 400, n), tuple(map(str, range(400)))),)
        target = nominal("y", np.digitize(signal, cuts), tuple("ABCD"[:n_classes]))
    method = Method(
        criterion=criterion,  # type: ignore[arg-type]
        searches=("binned_cuts", "level_vs_rest"),  # type: ignore[arg-type]
    ).with_changes(stops=[{"name": "min_leaf", "rows": 12}])
    assert_same(Table(columns, target, rng.integers(1, 5, n) / 4 if weighed else None), method)


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_a_bin_a_value_gives_the_exact_tree(criterion: str) -> None:
    """B19: with no fewer bins than values the search between bins is the exact search."""
    rng = np.random.default_rng(19)
    n = 4000
    values = np.round(rng.normal(size=(n, 5)) * 30)
    signal = values[:, 0] + values[:, 1] * (values[:, 2] > 0) + 30 * rng.normal(size=n)
    target = numeric("y", signal) if criterion == "squared_error" else nominal("y", (signal > 0) * 1, ("no", "yes"))
    table = Table(tuple(numeric(f"x{j}", values[:, j]) for j in range(5)), target)
    assert all(len(np.unique(values[:, j])) <= 255 for j in range(5))
    exact = grow(table, Method(criterion=criterion), engine="core")  # type: ignore[arg-type]
    binned = grow(table, on_bins(Method(criterion=criterion), 255), engine="core")  # type: ignore[arg-type]
    # Histograms and tables of levels round the last bit of a score differently.
    assert_equal_trees(binned, exact)


@pytest.mark.parametrize("order", ["depth_first", "best_first"])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_the_tree_on_bins_is_the_same_on_any_number_of_threads(threads: int, order: str) -> None:
    """B82: same bytes."""
    rng = np.random.default_rng(7)
    n = 20_000
    columns = uneven_columns(rng, n)
    signal = np.nan_to_num(columns[0].values) + rng.normal(size=n)
    table = Table(columns, nominal("y", np.digitize(signal, [-1, 1]), tuple("ABC")))
    method = on_bins(Method(order=order).with_changes(stops=[{"name": "max_leaves", "leaves": 900}]), 255)  # type: ignore[arg-type]
    same_bytes(
        grow(table, method, engine="core", threads=1),
        grow(table, method, engine="core", threads=threads),
    )


def test_a_tree_on_bins_uses_what_its_training_rows_answered() -> None:
    """The rows of every node by the walk are those that grew it."""
    rng = np.random.default_rng(3)
    columns = uneven_columns(rng, 2000)
    signal = np.nan_to_num(columns[0].values) + rng.normal(size=2000)
    tree = grow(Table(columns, nominal("y", (signal > 0) * 1, ("A", "B"))), on_bins(Method(), 20), engine="core")
    from hornbeam.tree.prediction import predict

    ends = np.bincount(predict(tree, columns).nodes, minlength=len(tree))
    leaf = tree.nodes.is_leaf
    assert (ends[leaf] == tree.nodes.rows[leaf]).all()


def test_questions_that_came_next_are_kept_on_bins_too() -> None:
    rng = np.random.default_rng(0)
    table = Table(uneven_columns(rng, 200), nominal("y", rng.integers(0, 2, 200), ("A", "B")))
    method = on_bins(Method(competitors=2).with_changes(stops=[{"name": "max_depth", "depth": 3}]), 20)
    core, plain = (grow(table, method, engine=engine).nodes for engine in ("core", "python"))
    assert len(core.competitor_gain) > 0
    np.testing.assert_allclose(core.competitor_gain, plain.competitor_gain, rtol=1e-9)
