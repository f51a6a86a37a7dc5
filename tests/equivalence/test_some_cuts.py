"""Searches that try some of the cuts: the core grows the tree that the plain grower defines."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.equivalence.random_methods import (
    assert_equal_trees,
    assert_same,
    random_method,
    random_table,
    table_of_many_values,
)

from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table

PAIRS = {"name": "random_pairs", "pairs": 40}


def with_cuts(method: Method, cuts: Any) -> Method:
    """The same method with other cuts."""
    return dataclasses.replace(method, searches=(cuts, *method.searches[1:]))


def wide_table(n: int, seed: int, *, is_number: bool = False, missing: float = 0.1) -> Table:
    """Columns of many values, of few, of one value mostly, and of levels."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 4))
    codes, order = rng.integers(0, 7, n), rng.integers(0, 5, n)
    signal = values[:, 0] + values[:, 1] * (codes > 3) + 0.3 * order + 0.3 * rng.normal(size=n)
    values[rng.random(values.shape) < missing] = np.nan
    columns = (
        *(numeric(f"x{j}", values[:, j]) for j in range(3)),
        numeric("few", np.round(values[:, 3], 0)),
        numeric("rare", np.where(rng.random(n) < 0.1, 1.0, 0.0)),
        nominal("c", codes, tuple("abcdefg")),
        ordinal("o", order, tuple("abcde")),
    )
    target = numeric("y", signal) if is_number else nominal("y", np.digitize(signal, [-0.5, 1]), tuple("ABC"))
    return Table(columns, target, rng.integers(1, 5, n) / 4)


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n_classes=st.integers(1, 4), cut=st.sampled_from(("midpoint", "data")))
def test_boundary_points_are_the_same_in_both_growers(seed: int, n_classes: int, cut: str) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=False, n_classes=n_classes)
    method = random_method(rng, is_number=False, n_classes=n_classes)
    assert_same(table, with_cuts(method, {"name": "boundary_points", "cut": cut}))


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), is_number=st.booleans(), n_classes=st.integers(1, 4), pairs=st.integers(1, 12))
def test_random_pairs_are_the_same_in_both_growers(seed: int, is_number: bool, n_classes: int, pairs: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=is_number, n_classes=n_classes)
    method = random_method(rng, is_number=is_number, n_classes=n_classes)
    method = with_cuts(method, {"name": "random_pairs", "pairs": pairs})
    if rng.random() < 0.3:
        method = dataclasses.replace(method, max_features=1)
    assert_same(table, method, seed=seed % 11, tree=seed % 3)


@pytest.mark.parametrize("missing", ["skip_column", "own_branch", "surrogates", "fractional", "learned"])
@pytest.mark.parametrize("cuts", ["boundary_points", PAIRS])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_columns_with_many_values_are_searched_alike(criterion: str, cuts: Any, missing: str) -> None:
    method = Method(criterion=criterion, searches=(cuts, "best_subset"), missing=missing)  # type: ignore[arg-type]
    core, plain = (
        grow(wide_table(500, 3), method.with_changes(stops=[{"name": "max_depth", "depth": 5}]), engine=engine, seed=4)
        for engine in ("core", "python")
    )
    assert len(core) == len(plain)
    np.testing.assert_allclose(core.nodes.score, plain.nodes.score, rtol=1e-9, atol=1e-12)
    assert [core.question(node) for node in range(len(core)) if core.nodes.question[node] >= 0] == [
        plain.question(node) for node in range(len(plain)) if plain.nodes.question[node] >= 0
    ]


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_random_pairs_of_numbers_are_searched_alike(criterion: str) -> None:
    table = wide_table(400, 6, is_number=True)
    method = Method(criterion=criterion, searches=(PAIRS, "best_subset"))  # type: ignore[arg-type]
    assert_same(table, method.with_changes(stops=[{"name": "max_depth", "depth": 4}]), seed=2)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_boundary_points_find_what_sorted_cuts_find(criterion: str) -> None:
    """Fayyad and Irani: for strictly concave impurities nothing is lost."""
    table = wide_table(3_000, 9)
    some, every = (
        grow(table, Method(criterion=criterion, searches=(cuts, "best_subset")), engine="core")  # type: ignore[arg-type]
        for cuts in ("boundary_points", "sorted_cuts")
    )
    assert_equal_trees(some, every)


@pytest.mark.parametrize("cuts", ["boundary_points", PAIRS])
def test_the_tree_is_the_same_on_any_number_of_threads(cuts: Any) -> None:
    table = wide_table(20_000, 7)
    method = Method(searches=(cuts, "best_subset"))  # type: ignore[arg-type]
    one, *others = (grow(table, method, engine="core", threads=count, seed=3) for count in (1, 2, 3, 8))
    for many in others:
        for name, array in one.nodes.arrays().items():
            assert array.tobytes() == many.nodes.arrays()[name].tobytes(), name


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("cuts", ["boundary_points", "random_pairs"])
def test_cuts_with_missing_values_on_either_side_are_numbered_alike(cuts: str, seed: int) -> None:
    """Each cut is two: the first and the last that are allowed, and those that are sampled, count both."""
    rng = np.random.default_rng((seed, 8))
    is_number = cuts == "random_pairs" and seed % 3 == 0
    table = random_table(rng, is_number=is_number, n_classes=3, missing=0.4)
    if seed % 4 == 0:
        table = table_of_many_values(rng, is_number=is_number, missing=0.4)
    method = random_method(rng, is_number=is_number, n_classes=3)
    part = {"name": cuts, **({"pairs": int(rng.integers(1, 12))} if cuts == "random_pairs" else {})}
    method = with_cuts(method, part).with_changes(missing="learned", competitors=seed % 3)
    if method.criterion is not None and method.criterion.name in ("misclassification", "poisson"):
        method = method.with_changes(criterion="squared_error" if is_number else "gini")
    assert without_kernel(prepare(table, method)) == ""
    assert_same(table, method, seed=seed)
