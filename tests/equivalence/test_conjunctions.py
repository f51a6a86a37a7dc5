"""The core, with literals as bits, finds the conjunctions that the reference beam search finds."""

import contextlib

import numpy as np
import pytest
from tests.equivalence.random_methods import assert_same, drawn_for_the_core, random_method, random_table

from hornbeam.errors import HornbeamError
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table

WAYS = (
    "skip_column",
    {"name": "skip_column", "route": "stay"},
    "drop_rows",
    "surrogates",
    "learned",
    "own_branch",
    {"name": "impute", "method": "mode"},
    {"name": "impute", "method": "median", "scope": "node"},
    "fractional",
)
CUTS = ("sorted_cuts", "boundary_points", "random_cuts", {"name": "binned_cuts", "bins": 4})
GROUPS = ("best_subset", "level_vs_rest", "many_levels", "superclasses", "multiway")


def with_conjunctions(rng, way):
    """A table and a method that searches for conjunctions."""
    is_number = bool(rng.random() < 0.3)
    n_classes = int(rng.integers(2, 5))
    table = random_table(rng, is_number=is_number, n_classes=n_classes)
    search = {
        "name": "conjunctions",
        "length": int(rng.integers(2, 4)),
        "beam": int(rng.integers(1, 6)),
        "pool": int(rng.integers(2, 9)),
    }
    method = random_method(rng, is_number=is_number, n_classes=n_classes)
    cuts = method.searches[0] if rng.random() < 0.5 else CUTS[int(rng.integers(len(CUTS)))]
    groups = GROUPS[int(rng.integers(len(GROUPS)))]
    return table, method.with_changes(searches=(cuts, groups, search), missing=way)


def fitting(make):
    """What `make` returns once the parts that it draws fit each other."""
    while True:
        with contextlib.suppress(HornbeamError):
            table, method = make()
            prepare(table, method)
            return table, method


@pytest.mark.parametrize("seed", range(180))
def test_conjunctions_grow_the_same_tree(seed):
    rng = np.random.default_rng(seed)
    table, method = drawn_for_the_core(lambda: fitting(lambda: with_conjunctions(rng, WAYS[seed % len(WAYS)])))
    assert_same(table, method)


def corner(n=200):
    """Two numbers, one with missing values, and levels; the class depends on a corner."""
    rng = np.random.default_rng(8)
    a, b, code = rng.normal(size=n), rng.normal(size=n).round(1), rng.integers(0, 4, n)
    y = ((a > 0.2) & ((b > 0) | (code == 2))).astype(int) ^ (rng.random(n) < 0.05)
    columns = (
        numeric("a", np.where(rng.random(n) < 0.3 * (y == 1), np.nan, a)),
        numeric("b", b),
        nominal("c", code, tuple("pqrs")),
    )
    return Table(columns, nominal("y", y, ("A", "B")))


@pytest.mark.parametrize("missing", ["skip_column", "learned", "own_branch"])
@pytest.mark.parametrize(
    "searches",
    [
        ("sorted_cuts", "level_vs_rest"),
        ("boundary_points", "best_subset"),
        ({"name": "binned_cuts", "bins": 3}, "best_subset"),
        ("random_cuts",),
        ({"name": "sorted_cuts", "cut": "data"}, "best_subset"),
    ],
    ids=str,
)
def test_literals_are_the_questions_that_the_other_searches_found(searches, missing):
    table = corner()
    for criterion in ("gini", "chi_square"):
        stops = [{"name": "max_depth", "depth": 4}]
        method = Method(criterion=criterion, searches=(*searches, "conjunctions"), missing=missing, competitors=2)
        method = method.with_changes(stops=stops)
        assert without_kernel(prepare(table, method)) == ""
        assert_same(table, method, seed=3)


def test_columns_that_are_constant_in_their_bin_are_not_sampled():
    rng = np.random.default_rng(2)
    n = 120
    columns = (
        ordinal("o", rng.integers(0, 9, n), tuple("abcdefghi")),
        numeric("x", rng.normal(size=n)),
        nominal("c", rng.integers(0, 6, n), tuple("pqrstu")),
    )
    table = Table(columns, nominal("y", rng.integers(0, 3, n), tuple("ABC")))
    searches = ({"name": "binned_cuts", "bins": 2}, "best_subset", "conjunctions")
    for seed in range(5):
        assert_same(table, Method(searches=searches, max_features=1), seed=seed)


def test_a_literal_may_ask_whether_a_value_is_missing():
    tree = grow(corner(), Method(searches=("conjunctions",), missing="learned", competitors=5), engine="core")
    assert any("missing" in tree.questions[row].text(tree.schema) for row in range(len(tree.questions)))
    assert_same(corner(), Method(searches=("conjunctions",), missing="learned", competitors=5))


@pytest.mark.parametrize("is_weighted", [False, True])
def test_many_rows_and_classes_are_joined_alike(is_weighted):
    rng = np.random.default_rng(5)
    n = 700
    x, code = rng.normal(size=(n, 3)), rng.integers(0, 5, n)
    y = (x[:, 0] > 0) * 1 + ((x[:, 1] > 0.3) & (code > 2)) * 1 + (rng.random(n) < 0.05)
    columns = (*(numeric(f"x{j}", x[:, j]) for j in range(3)), nominal("c", code, tuple("abcde")))
    weights = rng.integers(1, 5, n) / 4 if is_weighted else None
    table = Table(columns, nominal("y", y, tuple("ABCD")), weights)
    method = Method(searches=("conjunctions",), max_features=3).with_changes(stops=[{"name": "max_depth", "depth": 4}])
    assert without_kernel(prepare(table, method)) == ""
    assert_same(table, method, seed=4)


def test_columns_that_gain_nothing_alone_are_joined_alike():
    # XOR: no single question gains, a corner does.
    a, b = np.array([0, 0, 1, 1] * 6), np.array([0, 1, 0, 1] * 6)
    for columns in (
        (numeric("a", a.astype(float)), numeric("b", b.astype(float))),
        (nominal("a", a, ("x", "y")), nominal("b", b, ("x", "y"))),
    ):
        table = Table(columns, nominal("y", a ^ b, ("A", "B")))
        method = Method(searches=("conjunctions",))
        assert_same(table, method)
        assert len(grow(table, method)) > 1


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads_change_nothing(threads):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(3000, 4))
    table = Table(
        tuple(numeric(f"x{j}", x[:, j]) for j in range(4)),
        nominal("y", ((x[:, 0] > 0) & (x[:, 1] > 0)).astype(int) ^ (rng.random(3000) < 0.1), ("A", "B")),
    )
    method = Method(searches=("conjunctions",)).with_changes(stops=[{"name": "max_depth", "depth": 6}])
    one, many = (grow(table, method, engine="core", threads=count) for count in (1, threads))
    for name, values in one.nodes.arrays().items():
        np.testing.assert_array_equal(values, many.nodes.arrays()[name])
