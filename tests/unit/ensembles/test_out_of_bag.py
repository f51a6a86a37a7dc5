"""Out-of-bag predictions, importance and quantiles."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam import datasets
from hornbeam.ensembles.row_sampling import reference_sample_counts
from hornbeam.errors import InputError
from hornbeam.tree import walk

IRIS = datasets.load("iris")
FOREST = hb.forest(IRIS, n_trees=25, seed=2)


def numbers(n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return hb.table.table_from_arrays(X, X[:, 0] + 0.1 * rng.normal(size=n), target_kind="numeric")


@pytest.mark.parametrize("combine", ["mean", "vote"])
def test_a_row_is_predicted_by_exactly_the_trees_that_did_not_sample_it(combine):
    """B59: out-of-bag rows are not in the sample of the tree; computed row by row from the definition."""
    forest = hb.forest(IRIS, n_trees=25, seed=2, combine=combine)
    result = hb.out_of_bag(forest, IRIS)
    target = IRIS.target.values
    by_tree = [hb.predict(tree, IRIS) for tree in forest]
    out = [reference_sample_counts(hb.ensembles.RowSampling(), target, 3, 2, tree) == 0 for tree in range(25)]
    for row in range(0, 150, 7):
        speakers = [tree for tree in range(25) if out[tree][row]]
        assert result.n_trees[row] == len(speakers)
        each = [
            np.eye(3)[by_tree[t].codes[row]] if combine == "vote" else by_tree[t].probabilities[row] for t in speakers
        ]
        np.testing.assert_allclose(result.values[row], np.mean(each, axis=0))
        assert result.codes[row] == np.mean(each, axis=0).argmax()
    agrees = (by_tree[4].codes == result.codes)[out[4]].mean()
    assert result.agreement[4] == pytest.approx(agrees)


def test_rows_in_every_sample_have_no_prediction_and_are_counted():
    result = hb.out_of_bag(hb.forest(IRIS, n_trees=1, seed=2), IRIS)
    assert result.n_left_out == int((~result.has_prediction).sum()) > 60
    assert np.isnan(result.values[~result.has_prediction]).all()
    assert (result.codes[~result.has_prediction] == -1).all()
    nothing = hb.out_of_bag(hb.forest(IRIS, n_trees=2, sampling=hb.ensembles.RowSampling(method="none")), IRIS)
    assert nothing.n_left_out == 150
    assert np.isnan(nothing.error)
    assert np.isnan(nothing.interval()).all()


def test_the_error_has_wilsons_interval():
    result = hb.out_of_bag(FOREST, IRIS)
    wrong, n = result.losses.sum(), len(result.losses)
    assert result.error == wrong / n
    z = 1.959963984540054
    centre = (wrong / n + z * z / (2 * n)) / (1 + z * z / n)
    low, high = result.interval()
    assert low < result.error < high
    assert (low + high) / 2 == pytest.approx(centre)


def test_regression_has_a_mean_squared_error_and_an_interval():
    table = numbers()
    result = hb.out_of_bag(hb.forest(table, n_trees=30, seed=1), table)
    np.testing.assert_allclose(result.error, np.mean((result.values[:, 0] - table.target.values) ** 2))
    low, high = result.interval()
    assert low < result.error < high
    assert "mean square" in repr(result)


def test_another_table_than_the_training_table_is_rejected():
    with pytest.raises(InputError, match="grown on 150 rows"):
        hb.out_of_bag(FOREST, IRIS.take(np.arange(100)))
    with pytest.raises(InputError, match="forest with sampled rows"):
        hb.out_of_bag(hb.tree.combine_trees([hb.grow(IRIS, "plain")]), IRIS)


def test_an_irrelevant_column_has_no_importance():
    table = numbers()
    found = hb.importance(hb.forest(table, n_trees=30, seed=1, max_features=3), table, "out_of_bag")
    assert found.values[0] > 10 * np.abs(found.values[1:]).max()
    assert found.values[0] > 5 * found.error[0]
    assert found.low[0] < found.values[0] < found.high[0]
    assert "out-of-bag rows" in str(found)
    with pytest.raises(InputError, match="No tree has out-of-bag rows"):
        hb.importance(
            hb.forest(table, n_trees=2, sampling=hb.ensembles.RowSampling(method="none")), table, "out_of_bag"
        )


def test_quantiles_are_those_of_the_training_rows_in_the_leaves():
    """By the definition: the weights of all training rows, and the smallest target that reaches q."""
    table = numbers(80)
    forest = hb.forest(table, hb.Recipe(stops=["pure", {"name": "min_leaf", "rows": 5}]), n_trees=6, seed=3)
    found = hb.quantiles(forest, table, table, [0.0, 0.1, 0.5, 0.9, 1.0])
    y = table.target.values
    for row in range(0, 80, 9):
        weights = np.zeros(80)
        for index, tree in enumerate(forest):
            counts = reference_sample_counts(hb.ensembles.RowSampling(), y, 0, 3, index)
            ends = walk.leaves(tree, table.columns)
            mine = np.where(ends == ends[row], counts, 0)
            weights += mine / mine.sum() / 6
        order = np.argsort(y)
        below = np.cumsum(weights[order])
        for column, q in enumerate([0.1, 0.5, 0.9], start=1):
            assert found[row, column] == y[order][np.flatnonzero(below >= q - 1e-9)[0]]
        np.testing.assert_allclose(weights @ y, hb.predict(forest, table).numbers[row])
    assert (np.diff(found, axis=1) >= 0).all()
    with pytest.raises(InputError, match="regression forest"):
        hb.quantiles(FOREST, IRIS, IRIS, [0.5])
    with pytest.raises(ValueError, match="between 0 and 1"):
        hb.quantiles(forest, table, table, [1.5])
