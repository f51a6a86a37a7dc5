"""Trees grown from pieces are those grown in memory, bit for bit, where every bin is one value."""

import numpy as np
import pytest

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.scale.grow import grow_binned
from hornbeam.scale.in_memory import binned_in_memory
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table

C45 = {"name": "sorted_cuts", "min_size": "c45"}
CRITERIA = ("gini", "entropy", "gain_ratio", "misclassification", "cart_measure", "chi_square", "hellinger", "c45")
IMPUTED = tuple({"name": "impute", "method": method} for method in ("mean", "median", "mode"))
MISSING = ("skip_column", {"name": "skip_column", "route": "stay"}, "learned", "own_branch", "surrogates", *IMPUTED)
WEIGHTS = (None, "integers", "fractions")
SEARCHES = (
    *("level_vs_rest", "all_subsets", "multiway", "best_subset", "chou", "superclasses", "random_subsets"),
    "many_levels",
)
SETTINGS = {
    "equal priors": {"priors": "equal"},
    "balanced classes": {"class_weight": "balanced"},
    "a class of weight 3.3": {"class_weight": {"A": 3.3}},
    "importance weights": {"weights": "importance"},
    "costs": {"loss": {"name": "cost_matrix", "costs": {"A": {"B": 2.5}}}},
    "probabilities": {"loss": "log"},
    "best first": {"order": "best_first"},
    "17 leaves, best first": {"order": "best_first", "stops": ("pure", {"name": "max_leaves", "leaves": 17})},
    "17 leaves, depth first": {"stops": ("pure", {"name": "max_leaves", "leaves": 17})},
    "31 nodes by level": {"order": "level_wise", "stops": ("pure", {"name": "max_nodes", "nodes": 31})},
    "depth 4": {"stops": ("pure", {"name": "max_depth", "depth": 4})},
    "a minimum gain": {"stops": ("pure", {"name": "min_gain", "beta": 0.01})},
    "a minimum decrease": {"stops": ("pure", {"name": "min_decrease", "decrease": 0.003})},
    "a purity of 0.8": {"stops": ("pure", {"name": "purity", "pi": 0.8})},
    "leaves of 7 rows": {"stops": ("pure", {"name": "min_leaf", "rows": 7})},
    "sampled columns": {"max_features": 2},
    "questions of gain 0": {"allow_zero_gain": True},
    "column costs": {"column_costs": {"x0": 3.0}},
    "collapsed leaves": {"collapse": True},
    "boundary points": {"searches": ("boundary_points", "best_subset")},
    "cuts at values": {"searches": ({"name": "sorted_cuts", "cut": "data"}, "best_subset")},
    "random cuts": {"searches": ("random_cuts",)},
    "random cuts of sampled columns": {"searches": ("random_cuts",), "max_features": 2},
    "groups of C4.5": {"criterion": "c45", "searches": (C45, "c45_groups")},
    "competitors": {"competitors": 3},
}


def table_of(seed, *, is_number=False, missing=0.0, weights=None, n=250, n_classes=3):
    """Numbers with few values, levels, a column that is nearly constant, missing values and weights."""
    rng = np.random.default_rng(seed)
    numbers = [rng.integers(0, m, n) / 4 for m in (5, 40, 200)]
    rare = (rng.random(n) < 0.03).astype(float)
    colour, grade = rng.integers(0, 6, n), rng.integers(0, 4, n)
    score = numbers[0] * 1.1 + numbers[1] * 0.3 + colour % 2 + 2 * rare + rng.normal(0, 1, n)
    for values in numbers:
        values[rng.random(n) < missing] = np.nan
    colour[rng.random(n) < missing] = -1
    columns = (
        *(numeric(f"x{i}", values) for i, values in enumerate(numbers)),
        numeric("rare", rare),
        nominal("colour", colour, tuple("abcdef")),
        ordinal("grade", grade, tuple("1234")),
    )
    edges = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    target = numeric("y", score) if is_number else nominal("y", np.digitize(score, edges), tuple("ABC"[:n_classes]))
    given = {None: None, "integers": rng.integers(1, 5, n) / 1.0, "fractions": rng.random(n) + 0.1}[weights]
    return Table(columns, target, given)


def questions(tree):
    return [tree.questions[row] for row in range(len(tree.questions))]


def assert_same_bits(one, other):
    ours, theirs = one.nodes.arrays(), other.nodes.arrays()
    for name, values in ours.items():
        np.testing.assert_array_equal(values, theirs[name], err_msg=name)
    assert questions(one) == questions(other)
    assert one.recipe == other.recipe
    assert one.schema == other.schema
    assert [column.is_idle for column in one.schema.columns] == [column.is_idle for column in other.schema.columns]


def check(table, method):
    expected = grow(table, method, engine="core", seed=5)
    whole = grow_binned(binned_in_memory(table), method, seed=5)
    assert_same_bits(expected, whole)
    assert whole.metadata == expected.metadata
    cut = grow_binned(binned_in_memory(table, cuts=(20, 21, 160)), method, seed=5, memory_limit=1000)
    assert_same_bits(whole, cut)


@pytest.mark.parametrize("missing", MISSING, ids=str)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_criterion_and_missing_rule_gives_the_tree_in_memory(criterion, missing):
    searches = (C45 if criterion == "c45" else "sorted_cuts", "best_subset")
    for seed, weights in enumerate(WEIGHTS):
        for rate in (0.0, 0.15):
            table = table_of(seed, missing=rate, weights=weights, n_classes=2 + (criterion not in ("hellinger",)))
            check(table, Method(criterion=criterion, missing=missing, searches=searches))


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_of_levels_gives_the_tree_in_memory(search):
    for seed, weights in enumerate(WEIGHTS):
        check(table_of(seed, missing=0.1, weights=weights), Method(searches=("sorted_cuts", search)))


@pytest.mark.parametrize("settings", SETTINGS)
def test_every_setting_gives_the_tree_in_memory(settings):
    for seed, weights in enumerate(WEIGHTS):
        check(table_of(seed, missing=0.1 * (seed % 2), weights=weights), Method(**SETTINGS[settings]))


@pytest.mark.parametrize("missing", MISSING, ids=str)
def test_numbers_give_the_tree_in_memory(missing):
    check(table_of(3, is_number=True, missing=0.1), Method(missing=missing))


@pytest.mark.parametrize("missing", MISSING, ids=str)
@pytest.mark.parametrize("is_number", [False, True])
def test_random_cuts_with_every_missing_rule_give_the_tree_in_memory(missing, is_number):
    for seed, weights in enumerate(WEIGHTS):
        for max_features in (None, 2):
            method = Method(searches=("random_cuts",), missing=missing, max_features=max_features)
            check(table_of(seed, is_number=is_number, missing=0.15, weights=weights), method)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("missing", ["skip_column", "learned", "own_branch"])
def test_random_cuts_and_a_search_of_levels_give_the_tree_in_memory(search, missing):
    for seed, weights in enumerate(WEIGHTS):
        for max_features in (None, 2):
            method = Method(searches=("random_cuts", search), max_features=max_features, missing=missing)
            check(table_of(seed, missing=0.1, weights=weights), method)


def test_the_order_of_weighted_rows_does_not_change_the_tree():
    for seed in range(4):
        table = table_of(seed, is_number=True, weights="fractions", missing=0.1)
        tree = grow(table, Method(), engine="core")
        for order in (np.arange(len(table))[::-1], np.random.default_rng(seed).permutation(len(table))):
            assert_same_bits(tree, grow(table.take(order), Method(), engine="core"))


@pytest.mark.parametrize("missing", ["skip_column", "learned", "own_branch", "surrogates"])
@pytest.mark.parametrize("weights", ["integers", "fractions"])
def test_weighted_numbers_give_the_tree_in_memory(weights, missing):
    for seed in range(12):
        check(table_of(seed, is_number=True, weights=weights, missing=0.1 * (seed % 2)), Method(missing=missing))
