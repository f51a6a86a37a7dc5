"""Distances from a quantile: the core grows the tree that the plain grower defines, on any number of threads."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.equivalence.random_methods import assert_equal_trees, assert_same, random_method, random_table

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table

PINBALL = {"name": "pinball", "tau": 0.8}
CRITERIA: tuple[Any, ...] = (
    "absolute_error",
    {"name": "loss_decrease", "loss": "absolute"},
    {"name": "loss_decrease", "loss": PINBALL},
)
LOSSES: tuple[Any, ...] = ("squared", "absolute", PINBALL, {"name": "pinball", "tau": 0.1})


def with_quantiles(method: Method, rng: np.random.Generator) -> Method:
    """The same method with a criterion and a loss drawn from those above."""
    changes: dict[str, Any] = {
        "criterion": CRITERIA[int(rng.integers(len(CRITERIA)))],
        "loss": LOSSES[int(rng.integers(len(LOSSES)))],
        "missing": str(rng.choice(("skip_column", "fractional"))),
    }
    groups = str(rng.choice(("level_vs_rest", "best_subset", "all_subsets", "chou", "random_subsets", "many_levels")))
    if rng.random() < 0.5:
        changes["searches"] = (method.searches[0], groups)
    elif rng.random() < 0.3:
        changes["searches"] = ("random_cuts",)
        changes["missing"] = "skip_column"
    return dataclasses.replace(method, **changes)


def wide_table(n: int, seed: int, *, missing: float = 0.0, weighted: bool = False) -> Table:
    """Columns of many values, of few, and of levels; a target with a few values far away."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 4))
    codes, order = rng.integers(0, 7, n), rng.integers(0, 5, n)
    signal = values[:, 0] + values[:, 1] * (codes > 3) + 0.3 * order + rng.standard_t(2, n)
    values[rng.random(values.shape) < missing] = np.nan
    columns = (
        *(numeric(f"x{j}", values[:, j]) for j in range(3)),
        numeric("few", np.round(values[:, 3], 0)),
        nominal("c", codes, tuple("abcdefg")),
        ordinal("o", order, tuple("abcde")),
    )
    return Table(columns, numeric("y", np.round(signal, 6)), rng.random(n) + 0.1 if weighted else None)


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_core_and_the_plain_grower_give_the_same_tree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=True, n_classes=1)
    assert_same(table, with_quantiles(random_method(rng, is_number=True, n_classes=1), rng), seed=seed % 7)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_columns_with_many_values_are_searched_alike(criterion: Any, missing: float, weighted: bool) -> None:
    """More than 256 distinct values: the sorted lists of the core; weights that are no integers."""
    table = wide_table(300, 3, missing=missing, weighted=weighted)
    method = Method(criterion=criterion, loss=PINBALL)  # type: ignore[arg-type]
    assert_same(table, method.with_changes(stops=[{"name": "max_depth", "depth": 4}]))


@pytest.mark.parametrize("loss", [*LOSSES, "poisson"])
@pytest.mark.parametrize("missing", ["skip_column", "impute"])
def test_a_leaf_predicts_what_the_loss_wants_whatever_the_criterion(loss: Any, missing: str) -> None:
    table = wide_table(300, 5, missing=0.1)
    if loss == "poisson":
        assert table.target is not None
        table = dataclasses.replace(table, target=numeric("y", np.abs(table.target.values)))
    stops = [{"name": "max_depth", "depth": 5}]
    assert_same(table, Method(loss=loss, missing=missing).with_changes(stops=stops))  # type: ignore[arg-type]


@pytest.mark.parametrize("loss", ["brier", "log", "squared"])
def test_a_criterion_made_from_a_loss_is_grown_as_its_counterpart(loss: str) -> None:
    table = wide_table(300, 2, missing=0.1)
    if loss != "squared":
        assert table.target is not None
        codes = np.digitize(table.target.values, [-0.5, 1.0])
        table = dataclasses.replace(table, target=nominal("y", codes, tuple("ABC")))
    assert_same(table, Method(criterion={"name": "loss_decrease", "loss": loss}))  # type: ignore[arg-type]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_tree_is_the_same_on_any_number_of_threads(criterion: Any, weighted: bool) -> None:
    table = wide_table(20_000, 7, missing=0.05, weighted=weighted)
    method = Method(criterion=criterion, loss="absolute").with_changes(stops=[{"name": "min_leaf", "rows": 3}])  # type: ignore[arg-type]
    one, *others = (grow(table, method, engine="core", threads=count) for count in (1, 2, 3, 8))
    for many in others:
        assert_equal_trees(one, many)
        assert one.nodes.arrays()["score"].tobytes() == many.nodes.arrays()["score"].tobytes()


def test_the_order_of_rows_changes_nothing() -> None:
    table = wide_table(3_000, 8, weighted=True)
    method = Method(criterion="absolute_error", loss="absolute")  # type: ignore[arg-type]
    turned = table.take(np.arange(len(table))[::-1].copy())
    assert_equal_trees(grow(table, method, engine="core"), grow(turned, method, engine="core"))


def test_decreases_that_differ_by_rounding_alone_are_taken_in_the_order_of_nodes():
    # Two nodes of weight times gain 6: one sum comes to 5.999999999999998, the other to 6.000000000000001.
    rng = np.random.default_rng(287)
    table = random_table(rng, is_number=True, n_classes=1)
    assert_same(table, with_quantiles(random_method(rng, is_number=True, n_classes=1), rng))
