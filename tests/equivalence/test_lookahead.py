"""The core, looking two levels deep, finds the questions that the reference lookahead finds."""

import numpy as np
import pytest
from tests.equivalence.random_methods import assert_same, drawn_for_the_core, random_method, random_table

from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table


def with_lookahead(rng, when):
    """A table and a method that looks ahead."""
    is_number = bool(rng.random() < 0.3)
    n_classes = int(rng.integers(2, 5))
    table = random_table(rng, is_number=is_number, n_classes=n_classes)
    method = random_method(rng, is_number=is_number, n_classes=n_classes)
    search = {"name": "lookahead", "when": when, "quantiles": int(rng.integers(1, 6))}
    method = method.with_changes(searches=("sorted_cuts", "best_subset", search))
    return table, method


@pytest.mark.parametrize("when", ["stuck", "always"])
@pytest.mark.parametrize("seed", range(60))
def test_lookahead_grows_the_same_tree(seed, when):
    rng = np.random.default_rng(seed)
    table, method = drawn_for_the_core(lambda: with_lookahead(rng, when))
    assert_same(table, method)


@pytest.mark.parametrize("when", ["stuck", "always"])
@pytest.mark.parametrize("seed", range(60))
def test_lookahead_samples_columns_and_keeps_competitors_alike(seed, when):
    rng = np.random.default_rng((seed, 2))
    limits = {"max_features": [None, 1, 2, 3][seed % 4], "competitors": seed % 3}

    def drawn():
        table, method = with_lookahead(rng, when)
        return table, method.with_changes(**limits)

    table, method = drawn_for_the_core(drawn)
    assert_same(table, method, seed=seed)


@pytest.mark.parametrize("seed", range(20))
def test_a_search_of_kinds_that_no_column_has_samples_no_columns(seed):
    rng = np.random.default_rng((seed, 3))
    columns = tuple(nominal(f"c{i}", rng.integers(0, 3, 40), tuple("abc")) for i in range(3))
    table = Table(columns, nominal("y", rng.integers(0, 2, 40), ("A", "B")))
    method = Method(searches=("sorted_cuts", "chou_plane", "lookahead"), max_features=1)
    assert_same(table, method, seed=seed)


def test_cuts_at_quantiles_are_the_same():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(900, 4))
    y = ((x[:, 0] > 0) ^ (x[:, 1] > 0)) ^ (rng.random(900) < 0.1)
    columns = (
        *(numeric(f"x{j}", x[:, j]) for j in range(4)),
        nominal("c", rng.integers(0, 9, 900), tuple("abcdefghi")),
    )
    table = Table(columns, nominal("y", y.astype(np.int64), ("A", "B")))
    for when in ("stuck", "always"):
        method = Method(searches=("sorted_cuts", "best_subset", {"name": "lookahead", "when": when, "quantiles": 8}))
        assert_same(table, method.with_changes(stops=[{"name": "max_depth", "depth": 3}]))


def test_xor_of_two_values_is_solved_in_the_core():
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 2, (400, 8)).astype(float)
    y = (bits[:, 2] != bits[:, 5]).astype(np.int64)
    table = Table(tuple(numeric(f"b{j}", bits[:, j]) for j in range(8)), nominal("y", y, ("no", "yes")))
    method = Method(searches=("sorted_cuts", {"name": "lookahead", "when": "always"}))
    assert_same(table, method)
    tree = grow(table, method, engine="core")
    assert (tree.n_leaves, tree.errors()[tree.nodes.is_leaf].sum()) == (4, 0)


@pytest.mark.parametrize("missing", ["skip_column", "learned", "own_branch", "fractional"])
@pytest.mark.parametrize("when", ["stuck", "always"])
@pytest.mark.parametrize("other", ["conjunctions", "custom_questions", "is_missing"])
def test_questions_that_look_ahead_compete_with_those_of_any_search(other, when, missing):
    for seed in range(8):
        table = random_table(np.random.default_rng(seed), is_number=False, n_classes=3, missing=0.4)
        added: object = other
        if other == "custom_questions":
            added = {"name": other, "questions": [{"column": name, "is_missing": True} for name in table.names]}
        searches = ("sorted_cuts", "best_subset", added, {"name": "lookahead", "when": when})
        for more in ({}, {"max_features": 2, "competitors": 2}):
            method = Method(searches=searches, missing=missing).with_changes(**more)
            assert without_kernel(prepare(table, method)) == ""
            assert_same(table, method, seed=seed)
