"""AdaBoost: boosting by row weights."""

import math

import numpy as np
import pytest

import hornbeam as hb
from hornbeam import datasets
from hornbeam.ensembles.methods.adaboost import c50_weights, samme_round
from hornbeam.errors import OptionError
from hornbeam.tree.file.files import from_bytes, to_bytes

IRIS = datasets.load("iris")
STUMPS = hb.Recipe(stops=["pure", {"name": "max_depth", "depth": 1}])


def test_one_round_of_samme_is_the_worked_example():
    """E10.3: three classes, ten equal weights, rows 2 and 7 wrong."""
    wrong = np.isin(np.arange(10), [2, 7])
    alpha, after = samme_round(np.full(10, 0.1), wrong, 3)
    assert alpha == pytest.approx(2.0794415416798357, abs=1e-9)
    assert after[2] == pytest.approx(0.3333333333333332, abs=1e-9)
    assert after[0] == pytest.approx(0.041666666666666664, abs=1e-9)
    assert after[wrong].sum() == pytest.approx(2 / 3, abs=1e-9)


def test_the_weights_of_c50_are_the_worked_example():
    """E10.4: twenty cases of weight 1, four errors."""
    after = c50_weights(np.ones(20), np.arange(20) < 4)
    np.testing.assert_allclose(after[:4], 1.75, atol=1e-12)
    np.testing.assert_allclose(after[4:], 0.8125, atol=1e-12)
    assert after.sum() == pytest.approx(20.0, abs=1e-12)


def test_no_error_in_the_first_round_stops_boosting_with_weight_one():
    """A128."""
    boosted = hb.adaboost(IRIS, "plain", n_trees=10)
    assert len(boosted) == 1
    assert boosted.weights.tolist() == [1.0]
    assert boosted.metadata["stopped"] == "no error left"


def test_a_first_tree_no_better_than_chance_is_kept_alone():
    """A128: XOR, where no stump has any gain."""
    table = hb.table.table_from_arrays({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 1, 1, 0], target_kind="nominal")
    boosted = hb.adaboost(table, STUMPS, n_trees=10)
    assert len(boosted) == 1
    assert boosted.weights.tolist() == [1.0]
    assert boosted.metadata["stopped"] == "no better than chance"


def test_the_exponential_loss_falls_with_every_tree():
    """B60: of SAMME on two classes, mean exp(-y F / 2) with F the sum of alpha times the sign."""
    table = datasets.load("breast_cancer")
    boosted = hb.adaboost(table, STUMPS, n_trees=20)
    truth = np.where(table.target.values == 1, 1.0, -1.0)
    score, losses = np.zeros(len(table)), [1.0]
    for tree, alpha in zip(boosted, boosted.weights, strict=True):
        score += alpha / 2 * np.where(hb.predict(tree, table).codes == 1, 1.0, -1.0)
        losses.append(float(np.exp(-truth * score).mean()))
    assert len(losses) == 21
    assert (np.diff(losses) < 0).all()


def test_boosted_stumps_do_better_than_one_and_are_saved_whole():
    boosted = hb.adaboost(IRIS, STUMPS, n_trees=20)
    one = hb.grow(IRIS, STUMPS)
    right = [(hb.predict(model, IRIS).codes == IRIS.target.values).mean() for model in (one, boosted)]
    assert right[1] > right[0] + 0.2
    again = from_bytes(to_bytes(boosted))
    np.testing.assert_array_equal(hb.predict(again, IRIS).probabilities, hb.predict(boosted, IRIS).probabilities)


def test_c50_votes_with_the_confidence_of_the_leaf():
    table = datasets.load("breast_cancer")
    boosted = hb.adaboost(
        table, hb.recipe("c45").with_changes(stops=[{"name": "max_depth", "depth": 3}]), n_trees=5, algorithm="c50"
    )
    assert len(boosted) == 5
    assert boosted.combine == "confidence"
    votes = np.zeros((len(table), 2))
    for tree in boosted:
        prediction = hb.predict(tree, table)
        rows = np.arange(len(table))
        votes[rows, prediction.codes] += prediction.probabilities[rows, prediction.codes]
    probabilities = hb.predict(boosted, table).probabilities
    np.testing.assert_allclose(probabilities, votes / votes.sum(axis=1, keepdims=True), atol=1e-12)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    again = from_bytes(to_bytes(boosted))
    np.testing.assert_array_equal(hb.predict(again, table).probabilities, probabilities)


def test_invalid_targets_and_settings_are_rejected():
    numbers = hb.table.table_from_arrays({"x": [1.0, 2.0]}, [1.0, 2.0], target_kind="numeric")
    with pytest.raises(OptionError, match="samme of AdaBoost requires a classification target"):
        hb.adaboost(numbers, algorithm="samme")
    with pytest.raises(OptionError, match="r2 of AdaBoost requires a numeric target"):
        hb.adaboost(IRIS, algorithm="r2")
    with pytest.raises(OptionError, match=r"algorithm .*must be one of samme, c50, r2"):
        hb.adaboost(IRIS, algorithm="real")
    with pytest.raises(OptionError, match=r"n_trees \(.*\) must be"):
        hb.adaboost(IRIS, n_trees=0)


def test_a_later_tree_without_errors_has_the_maximum_weight():
    """Definition 10.4: trees deep enough to make no error after the weights have changed."""
    rng = np.random.default_rng(4)
    table = hb.table.table_from_arrays(
        rng.integers(0, 3, (40, 3)).astype(float), rng.integers(0, 2, 40), target_kind="nominal"
    )
    boosted = hb.adaboost(table, hb.Recipe(stops=["pure", {"name": "max_depth", "depth": 5}]), n_trees=60)
    assert all(alpha > 0 for alpha in boosted.weights)
    if boosted.metadata["stopped"] == "no error left":
        assert boosted.weights[-1] == pytest.approx(math.log(1e10))


def test_trees_are_stumps_unless_a_recipe_is_given():
    boosted = hb.adaboost(IRIS, n_trees=5)
    assert [tree.depth for tree in boosted] == [1] * 5
    np.testing.assert_array_equal(
        hb.predict(boosted, IRIS).codes, hb.predict(hb.adaboost(IRIS, STUMPS, n_trees=5), IRIS).codes
    )
