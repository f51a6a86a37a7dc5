"""Items of the battery that concern many trees: A113, A128, A129, B58 to B60, B82, B83.

A229 and A230 are in tests/unit/tree/test_forest_slim.py.
"""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import MemoryLimitError, OptionError
from hornbeam.table.column import nominal
from hornbeam.tree.file.files import to_bytes

IRIS = hb.datasets.load("iris")


def rows(n=300, seed=0, classes=True):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 4)), 1)
    score = X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * rng.normal(size=n)
    target = np.where(score > 0, "yes", "no") if classes else score
    return hb.read({**{f"x{i}": X[:, i] for i in range(4)}, "y": target}, target="y")


def test_a113_a_tiny_share_of_the_columns_is_one_column():
    few, one = (hb.forest(IRIS, n_trees=5, max_features=wanted) for wanted in (0.0001, 1))
    assert few.n_nodes > 5
    assert hb.predict(few, IRIS).values.tobytes() == hb.predict(one, IRIS).values.tobytes()
    model = hb.ForestClassifier(3, max_features=0.0001).fit(np.eye(4), [0, 0, 1, 1])
    assert model.max_features_ == 1


def test_a128_a_first_tree_without_mistake_stops_adaboost_with_weight_one():
    forest = hb.adaboost(hb.read({"a": [0.0, 1.0, 2.0, 3.0], "y": list("nnyy")}, target="y"), n_trees=10)
    assert (len(forest), forest.weights.tolist(), forest.metadata["stopped"]) == (1, [1.0], "no error left")


@pytest.mark.parametrize("way", ["samme", "c50"])
def test_a128_a_first_tree_no_better_than_chance_is_kept_alone(way):
    same = hb.read({"a": [1.0] * 8, "y": list("nynynyny")}, target="y")
    with np.errstate(all="raise"):
        forest = hb.adaboost(same, n_trees=10, algorithm=way)
        probabilities = hb.predict(forest, same).probabilities
    assert len(forest) == 1
    assert np.isfinite(probabilities).all()


def test_a128_gradient_boosting_of_rows_that_cannot_be_distinguished_predicts_their_share():
    same = hb.read({"a": [1.0] * 40, "y": list("nyyy") * 10}, target="y")
    forest = hb.boost(same, n_rounds=3)
    np.testing.assert_allclose(hb.predict(forest, same).probabilities[0], [0.25, 0.75], rtol=1e-9)


@pytest.mark.parametrize("trees", [0, -1, 1.5, True, None, "many"])
def test_a129_a_forest_of_no_trees_is_refused(trees):
    for grown in (hb.forest, hb.bag, hb.adaboost):
        with pytest.raises(OptionError, match=r"n_trees .*must be"):
            grown(IRIS, n_trees=trees)
    with pytest.raises(OptionError, match="n_estimators"):
        hb.ForestClassifier(trees).fit(np.eye(4), [0, 0, 1, 1])


def test_a129_a_million_trees_are_estimated_before_they_are_grown(monkeypatch):
    monkeypatch.setattr("hornbeam.table.memory.available_bytes", lambda: 2**30)
    with pytest.raises(
        MemoryLimitError, match=r"A forest of this many trees requires .* GB, but only 1.07 GB may"
    ) as caught:
        hb.forest(IRIS, n_trees=10**6)
    assert caught.value.details["needed"] > 2**30


def test_b58_trees_on_all_rows_with_all_columns_are_the_plain_tree():
    table = rows()
    forest = hb.forest(table, n_trees=3, max_features=1.0, sampling=hb.ensembles.RowSampling(method="none"))
    plain = hb.grow(table, "plain")
    for tree in forest:
        np.testing.assert_array_equal(tree.nodes.first_child, plain.nodes.first_child)
        np.testing.assert_array_equal(tree.questions.reals, plain.questions.reals)
        np.testing.assert_array_equal(tree.nodes.stats, plain.nodes.stats)


@pytest.mark.parametrize("classes", [True, False])
def test_b59_a_forest_predicts_the_mean_of_its_trees(classes):
    table = rows(classes=classes)
    forest = hb.forest(table, n_trees=8)
    members = sum(hb.predict(tree, table).values for tree in forest) / len(forest)
    np.testing.assert_allclose(hb.predict(forest, table).values, members, rtol=1e-14)


def test_b59_rows_out_of_bag_are_really_unseen():
    # A row's own label is turned round: what the trees that did not see it say cannot change.
    table = rows()
    forest = hb.forest(table, n_trees=30, seed=5)
    before = hb.out_of_bag(forest, table).values
    turned = table.target.values.copy()
    turned[7] = 1 - turned[7]
    other = hb.Table(table.columns, nominal("y", turned, table.target.levels))
    after = hb.out_of_bag(hb.forest(other, n_trees=30, seed=5), other).values
    np.testing.assert_array_equal(before[7], after[7])
    assert (before != after).any()


@pytest.mark.parametrize("loss", ["logistic", "squared", "poisson"])
def test_b60_the_training_loss_of_boosting_falls_round_by_round(loss):
    table = rows(classes=loss == "logistic")
    if loss == "poisson":
        counts = np.floor(np.exp(np.clip(rows(classes=False).target.values, -3, 2)))
        table = hb.read({**{c.name: c.values for c in table.columns}, "y": counts + 0.5}, target="y")
    losses = hb.boost(table, n_rounds=40, learning_rate=0.1, loss=loss, min_rows=5, record_loss=True).metadata[
        "training_loss"
    ]
    assert len(losses) == 40
    assert (np.diff(losses) <= 1e-12).all()


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_b82_any_number_of_threads_gives_the_same_bytes(threads):
    table = rows(600)
    for grown in (
        lambda n: hb.forest(table, n_trees=6, threads=n),
        lambda n: hb.forest(table, hb.recipe("plain").with_changes(searches="random_cuts"), n_trees=6, threads=n),
        lambda n: hb.bag(table, "cart", n_trees=2, threads=n),
        lambda n: hb.adaboost(
            table, hb.recipe("plain").with_changes(stops={"name": "max_depth", "depth": 2}), n_trees=4, threads=n
        ),
        lambda n: hb.boost(table, n_rounds=10, threads=n),
    ):
        one = grown(1)
        assert to_bytes(grown(threads)) == to_bytes(one)
        predicted = hb.predict(one, table, threads=threads).values
        assert predicted.tobytes() == hb.predict(one, table, threads=1).values.tobytes()


@pytest.mark.parametrize("size", [1, 2, 7, 4096])
def test_b83_blocks_of_any_size_give_the_same_bytes(size):
    table = rows(600)
    for forest in (
        hb.forest(table, n_trees=6),
        hb.boost(table, n_rounds=10),
        hb.forest(table, n_trees=5, combine="vote"),
    ):
        whole = hb.predict(forest, table).values
        blocks = [np.arange(start, min(start + size, 600)) for start in range(0, 600 if size > 2 else 60, size)]
        parts = np.concatenate([hb.predict(forest, [c.take(block) for c in table.columns]).values for block in blocks])
        assert parts.tobytes() == whole[: len(parts)].tobytes()
