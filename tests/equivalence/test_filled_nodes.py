"""A usual value of each node replaces missing ones: the core grows the tree that the plain grower defines."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.equivalence.random_methods import CLASS_CRITERIA, assert_equal_trees, random_method, random_table
from tests.equivalence.test_missing import wide_table
from tests.equivalence.test_sparse_columns import sparse_table

from hornbeam.ensembles.forest import grow_forest
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table

BY = ("mean", "median", "mode")


def fill(by: str) -> dict[str, Any]:
    return {"name": "impute", "method": by, "scope": "node"}


def assert_same_tree(table: Table, method: Method, *, seed: int = 0) -> None:
    """The core serves the method, and grows the plain grower's tree."""
    assert not without_kernel(prepare(table, method))
    core, plain = (grow(table, method, engine=engine, seed=seed) for engine in ("core", "python"))
    assert_equal_trees(core, plain)


def filling(method: Method, by: str, **changes: Any) -> Method:
    """The same method with this way; a mean is no value of the table, so no cut is put at one."""
    searches = method.searches
    if by == "mean" and searches[0].settings().get("cut") == "data":
        searches = (searches[0].replace(cut="midpoint"), *searches[1:])
    if method.criterion is not None and method.criterion.name == "poisson":
        # Descent over levels under Poisson starts otherwise in the core, with or without missing values.
        searches = (searches[0], "best_subset")  # type: ignore[assignment]
    return dataclasses.replace(method, missing=fill(by), searches=changes.pop("searches", searches), **changes)


@settings(deadline=None)
@given(by=st.sampled_from(BY), seed=st.integers(0, 2**32 - 1), is_number=st.booleans(), n_classes=st.integers(1, 4))
def test_small_trees_are_the_same(by: str, seed: int, is_number: bool, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=is_number, n_classes=n_classes, missing=0.5)
    method = random_method(rng, is_number=is_number, n_classes=n_classes)
    assert_same_tree(table, filling(method, by, competitors=int(rng.integers(0, 4))))


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("criterion", [*CLASS_CRITERIA, "squared_error", "poisson"])
def test_columns_of_many_values_are_the_same_under_every_criterion(by: str, criterion: str) -> None:
    is_number = criterion in ("squared_error", "poisson")
    table = wide_table(200, 3, is_number=is_number)
    if criterion == "poisson":
        assert table.target is not None
        table = dataclasses.replace(table, target=numeric("y", np.abs(np.round(table.target.values))))
    min_size = "c45" if criterion == "c45" else "min_leaf"
    method = Method(criterion=criterion, missing=fill(by), competitors=2)  # type: ignore[arg-type]
    method = method.with_changes(searches=[{"name": "sorted_cuts", "min_size": min_size}, "best_subset"])
    assert_same_tree(table, method.with_changes(stops=[{"name": "min_leaf", "rows": 3}]))


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("is_number", [False, True])
def test_weights_that_are_no_round_numbers_give_the_same_thresholds(by: str, is_number: bool) -> None:
    table = wide_table(300, 9, is_number=is_number)
    table = dataclasses.replace(table, weights=np.random.default_rng(2).random(300) + 0.1)
    method = Method(missing=fill(by)).with_changes(stops=[{"name": "min_leaf", "rows": 5}])  # type: ignore[arg-type]
    assert_same_tree(table, method)
    assert_same_tree(dataclasses.replace(table, weights=np.full(300, 0.3)), method)


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize(
    "criterion", ["absolute_error", {"name": "loss_decrease", "loss": {"name": "pinball", "tau": 0.8}}]
)
def test_distances_from_a_quantile_are_the_same(by: str, criterion: Any) -> None:
    table = wide_table(150, 4, is_number=True)
    for weights in (None, np.random.default_rng(1).integers(1, 5, 150) / 4):
        method = Method(criterion=criterion, missing=fill(by)).with_changes(stops=[{"name": "min_leaf", "rows": 4}])  # type: ignore[arg-type]
        assert_same_tree(dataclasses.replace(table, weights=weights), method)


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize(
    ("cuts", "criteria"),
    [
        ("boundary_points", ("gini", "hellinger")),
        ({"name": "random_pairs", "pairs": 40}, ("gini", "absolute_error")),
        ("random_cuts", ("gini", "hellinger", "squared_error", "absolute_error")),
    ],
)
def test_searches_that_try_some_of_the_cuts_are_the_same(by: str, cuts: Any, criteria: tuple[str, ...]) -> None:
    searches = (cuts,) if cuts == "random_cuts" else (cuts, "best_subset")
    method = Method(missing=fill(by), searches=searches).with_changes(stops=[{"name": "min_leaf", "rows": 3}])  # type: ignore[arg-type]
    for criterion in criteria:
        table = wide_table(150, 5, is_number=criterion.endswith("error"))
        assert_same_tree(table, method.with_changes(criterion=criterion), seed=3)


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("has_weights", [False, True])
@pytest.mark.parametrize("groups", ["best_subset", "multiway", "level_vs_rest", "superclasses"])
def test_sparse_columns_and_every_grouping_of_levels_are_the_same(by: str, has_weights: bool, groups: str) -> None:
    table = sparse_table(np.random.default_rng(11), 250, is_number=False, has_weights=has_weights)
    method = Method(criterion="gini", missing=fill(by), searches=("sorted_cuts", groups))  # type: ignore[arg-type]
    assert_same_tree(table, method.with_changes(stops=[{"name": "max_depth", "depth": 5}]))


@pytest.mark.parametrize(("by", "threads"), [("mean", 2), ("median", 3), ("mode", 8)])
def test_threads_and_the_width_of_entries_change_nothing(by: str, threads: int) -> None:
    # 70,000 rows begin in a block of 64-bit entries and move to 16 + 16 bits below.
    table = wide_table(70_000, 5)
    method = Method(missing=fill(by)).with_changes(stops=[{"name": "max_depth", "depth": 7}])  # type: ignore[arg-type]
    one, many = (grow(table, method, engine="core", threads=count) for count in (1, threads))
    for name, array in (*one.nodes.arrays().items(), *one.questions.arrays().items()):
        assert array.tobytes() == {**many.nodes.arrays(), **many.questions.arrays()}[name].tobytes(), name


def test_forests_and_drawn_columns_are_the_same() -> None:
    table = wide_table(200, 6)
    method = Method(missing=fill("mean"), max_features="sqrt")  # type: ignore[arg-type]
    for drawn in (RowSampling(), RowSampling(method="none")):
        core, plain = (
            grow_forest(table, method, n_trees=3, sampling=drawn, seed=1, engine=e) for e in ("core", "python")
        )
        for one, other in zip(core, plain, strict=True):
            assert_equal_trees(one, other)


def test_looking_two_levels_deep_is_the_same_where_nothing_is_missing() -> None:
    rng = np.random.default_rng(3)
    columns = (numeric("x", rng.random(80)), numeric("z", rng.random(80)), ordinal("o", rng.integers(0, 4, 80), "abcd"))
    both = (columns[0].values > 0.5) ^ (columns[1].values > 0.5)
    table = Table(columns, nominal("y", both.astype(int), ("A", "B")))
    method = Method(missing=fill("mean"), searches=("sorted_cuts", "best_subset", "lookahead"))  # type: ignore[arg-type]
    assert_same_tree(table, method.with_changes(stops=[{"name": "max_depth", "depth": 3}]))


def test_a_column_without_missing_values_sends_new_rows_where_the_nodes_own_mean_goes() -> None:
    # The mean 3.4 is above the cut 1.5, although more rows are below it.
    table = Table((numeric("x", [1.0, 1.0, 1.0, 2.0, 12.0]),), nominal("y", [0, 0, 0, 1, 1], ("A", "B")))
    tree = grow(table, Method(missing=fill("mean")), engine="core")  # type: ignore[arg-type]
    assert tree.nodes.missing_branch[0] == 1
    assert grow(table, Method(missing=fill("mode")), engine="core").nodes.missing_branch[0] == 0  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["core", "python"])
@pytest.mark.parametrize("scope", ["global", "node"])
def test_a_mean_that_overflows_gives_way_to_the_median(engine: str, scope: str) -> None:
    big = 1.7e308
    table = Table((numeric("x", [1.0, big, big, big, math.nan]),), nominal("y", [0, 1, 1, 1, 0], ("A", "B")))
    tree = grow(table, Method(missing={"name": "impute", "scope": scope}), engine=engine)  # type: ignore[arg-type]
    assert tree.nodes.missing_branch[0] == 1


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("name", ["lda_plane", "kd_median", "conjunctions"])
def test_questions_about_many_columns_are_the_same(by: str, name: str) -> None:
    many = Method(missing=fill(by), searches=("sorted_cuts", "best_subset", name))  # type: ignore[arg-type]
    assert_same_tree(wide_table(60, 1), many)
