"""The F test of boosting: splits whose leaves hardly differ are removed, and half of the columns are searched."""

from __future__ import annotations

import numpy as np
import pytest

from hornbeam.ensembles.methods.boosting import boost
from hornbeam.estimators.boosted import BoostedClassifier
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest

ENGINES = ("core", "python")
ONE_STUMP = {"n_rounds": 1, "max_depth": 1, "min_rows": 1}


def classes(codes: np.ndarray, count: int = 2):
    return nominal("y", codes, tuple("abcde"[:count]))


def seven_and_three() -> Table:
    """Ten rows with seven of class b on one side of x = 1/2, ten with three on the other."""
    y = np.r_[np.repeat([1, 0], [7, 3]), np.repeat([1, 0], [3, 7])]
    return Table((numeric("x", np.repeat([0.0, 1.0], 10)),), classes(y))


def random_table(n_classes: int, is_weighted: bool, n: int = 400, n_columns: int = 2) -> Table:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(n, n_columns))
    x[rng.random(x.shape) < 0.1] = np.nan
    signal = np.nan_to_num(x[:, 0]) + rng.normal(size=n)
    target = classes(np.digitize(signal, [0.0, 1.0][: n_classes - 1]), n_classes)
    if not n_classes:
        target = numeric("y", signal)
    columns = tuple(numeric(f"x{j}", x[:, j]) for j in range(n_columns))
    return Table(columns, target, rng.integers(1, 6, n) / 4 if is_weighted else None)


def f_of_stump(table: Table, forest: Forest) -> float:
    """F of the first tree's root by its definition, in floats; the base score is the best constant."""
    tree, target = forest[0], table.target.values.astype(float)
    weights = np.ones(len(table)) if table.weights is None else table.weights / table.weights.mean()
    if table.target.levels:
        target = (target == 0) if len(table.target.levels) > 2 else target
    g = np.average(target, weights=weights) - target
    values = table.columns[tree.question(0).column].values
    is_left = np.where(np.isnan(values), tree.nodes.missing_branch[0] == 0, values <= tree.question(0).cut)
    means, n = [np.average(g[side], weights=weights[side]) for side in (is_left, ~is_left)], weights.sum()
    fitted = np.where(is_left, *means)
    between = (weights * (fitted - np.average(g, weights=weights)) ** 2).sum()
    return between / ((weights * (g - fitted) ** 2).sum() / (n - 2))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_split_is_removed_when_its_f_is_below_the_minimum(engine):
    # g = 1/2 - y: GL = -2, GR = 2, sum g^2 = 5, between = 0.4 + 0.4, within = 4.2, F = 0.8 / (4.2 / 18) = 3.43.
    table = seven_and_three()
    kept = boost(table, min_f=3.4, engine=engine, **ONE_STUMP)[0]
    removed = boost(table, min_f=3.5, engine=engine, **ONE_STUMP)[0]
    assert len(kept) == 3
    assert len(removed) == 1
    assert removed.reason(0) == "not significant"
    assert removed.nodes.answer[0] == 0.0  # a tree without a split adds nothing


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_f_is_that_of_the_definition_also_with_weights_and_missing_values(engine, is_weighted, n_classes):
    table = random_table(n_classes, is_weighted)
    f = f_of_stump(table, boost(table, min_f=0.0, engine=engine, **ONE_STUMP))
    below, above = (boost(table, min_f=f * factor, engine=engine, **ONE_STUMP) for factor in (0.9999, 1.0001))
    assert (len(below[0]), len(above[0])) == (3, 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_leaves_without_any_spread_are_never_joined(engine):
    y = np.repeat([0, 1], 10)
    table = Table((numeric("x", y.astype(float)),), classes(y))
    assert len(boost(table, min_f=1e9, engine=engine, **ONE_STUMP)[0]) == 3


@pytest.mark.parametrize("engine", ENGINES)
def test_a_weak_split_above_a_strong_one_stays(engine):
    # An exclusive or of two columns: the root's own split is weak, those below it separate the classes.
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float).repeat([25, 26, 25, 25], axis=0)
    y = (x[:, 0] != x[:, 1]) * 1
    table = Table((numeric("a", x[:, 0]), numeric("b", x[:, 1])), classes(y))
    forest = boost(table, n_rounds=1, engine=engine)
    assert len(forest[0]) == 7
    assert boost(table, n_rounds=1, max_depth=1, engine=engine)[0].reason(0) == "not significant"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_nodes_that_remain_are_compact_and_keep_their_splits(engine, n_classes):
    table = random_table(n_classes, is_weighted=False)
    whole, pruned = (boost(table, n_rounds=1, min_f=f, engine=engine)[0] for f in (0.0, 6.0))
    assert 1 < len(pruned) < len(whole)
    nodes = pruned.nodes
    for at in np.flatnonzero(~nodes.is_leaf):
        first = nodes.first_child[at]
        assert first > at
        assert nodes.parent[first : first + 2].tolist() == [at, at]
        assert nodes.rows[first : first + 2].sum() == nodes.rows[at]
    assert np.isin(nodes.answer[1:], whole.nodes.answer).all()
    assert "not significant" in {pruned.reason(node) for node in np.flatnonzero(nodes.is_leaf)}


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_the_test_is_on_for_classification_only(n_classes):
    table = random_table(n_classes, is_weighted=False)
    one, other = boost(table, n_rounds=3), boost(table, n_rounds=3, min_f=0.0)
    is_same = [tree.nodes.answer.tobytes() for tree in one] == [tree.nodes.answer.tobytes() for tree in other]
    assert is_same == (n_classes == 0)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("n_classes", "slope"), [(2, 2.0), (3, 1.0)])
def test_the_default_minimum_grows_with_the_number_of_cuts_tried(n_classes, slope, engine):
    # A leaf needs 10 of 20 rows, so all columns have the same split; the number of their values differs.
    outcomes = set()
    for share in range(4, 11):
        codes = np.r_[np.repeat([0, 1], [share, 10 - share]), np.repeat([1, 0], [8, 2])]
        if n_classes == 3:
            codes[[8, 12]] = 2
        for n_values in (2, 4, 10, 20):
            x = np.repeat(np.arange(float(n_values)), 20 // n_values)
            table = Table((numeric("x", x),), classes(codes, n_classes))
            settings = {**ONE_STUMP, "min_rows": 10, "l2": 0.0, "engine": engine}
            whole = boost(table, min_f=0.0, **settings)
            if len(whole[0]) == 1:
                continue
            is_kept = len(boost(table, **settings)[0]) == 3
            assert is_kept == (f_of_stump(table, whole) >= 2 + slope * np.log(n_values - 1))
            outcomes.add((n_values, is_kept))
    assert len(outcomes) >= 5


@pytest.mark.parametrize(("n_columns", "fraction"), [(5, 1.0), (8, 0.63), (10, 0.5), (12, 0.5)])
def test_half_of_the_columns_but_at_least_five_are_searched_at_a_node(n_columns, fraction):
    table = random_table(2, is_weighted=False, n_columns=n_columns)
    one, other = boost(table, n_rounds=3), boost(table, n_rounds=3, columns_per_node=fraction)
    assert [tree.nodes.answer.tobytes() for tree in one] == [tree.nodes.answer.tobytes() for tree in other]


def test_the_order_of_the_rows_changes_nothing():
    table = random_table(3, is_weighted=True, n_columns=9)
    other = table.take(np.random.default_rng(1).permutation(len(table)))
    one, two = boost(table, n_rounds=5), boost(other, n_rounds=5)
    assert [len(tree) for tree in one] == [len(tree) for tree in two]
    for a, b in zip(one, two, strict=True):
        np.testing.assert_allclose(a.nodes.answer, b.nodes.answer, rtol=1e-9)


def test_estimators_have_the_setting_too():
    table = seven_and_three()
    X, y = table.columns[0].values[:, None], table.target.values
    kept, removed = (BoostedClassifier(max_iter=1, min_samples_leaf=1, min_f=f).fit(X, y) for f in (3.4, 3.5))
    assert len(kept.forest_[0]) == 3
    assert len(removed.forest_[0]) == 1
