"""The core, with literals as bits, finds the conjunctions that the reference beam search finds."""

import numpy as np
import pytest
from tests.equivalence.random_methods import assert_same, drawn_for_the_core, random_method, random_table

from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

WAYS = ("skip_column", {"name": "skip_column", "route": "stay"}, "drop_rows", "surrogates")


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
    method = method.with_changes(searches=(method.searches[0], "best_subset", search), missing=way)
    return table, method


@pytest.mark.parametrize("seed", range(80))
def test_conjunctions_grow_the_same_tree(seed):
    rng = np.random.default_rng(seed)
    table, method = drawn_for_the_core(lambda: with_conjunctions(rng, WAYS[seed % len(WAYS)]))
    assert_same(table, method)


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


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"searches": ("sorted_cuts", "level_vs_rest", "conjunctions")}, "conjunctions with level_vs_rest"),
        ({"searches": ("boundary_points", "conjunctions")}, "conjunctions with boundary_points"),
        ({"missing": "learned"}, "conjunctions with the missing-value strategy learned"),
        ({"criterion": "c45"}, "conjunctions with the criterion c45"),
    ],
)
def test_what_the_core_leaves_to_the_plain_grower_is_named(changes, words):
    table = random_table(np.random.default_rng(1), is_number=False, n_classes=2)
    method = Method(searches=("conjunctions",)).with_changes(**changes)
    assert words in without_kernel(prepare(table, method))
