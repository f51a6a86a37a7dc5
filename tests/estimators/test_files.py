"""Estimators fitted on files: the models of `grow` from the same files, predictions in batches, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.estimators import (
    BaggedClassifier,
    BoostedClassifier,
    BoostedRegressor,
    ExtraTreesRegressor,
    ForestClassifier,
    TreeClassifier,
    TreeRegressor,
)
from hornbeam.scale import Dataset, new_rows
from hornbeam.scale.sources import parquet

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N_ROWS = 1200


def rows_of(n=N_ROWS, seed=0):
    random = np.random.default_rng(seed)
    few = random.integers(0, 40, n).astype(float)
    few[random.random(n) < 0.05] = np.nan
    color = random.choice(["red", "green", "blue"], size=n)
    score = np.nan_to_num(few) / 20 + (color == "red") + random.normal(size=n)
    weights = random.integers(1, 4, n).astype(float)
    return pa.table({"few": few, "color": color, "y": (score > 1.5).astype(int), "z": score, "w": weights})


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_MIN_PIECE_ROWS", 1)
    for number, start in enumerate(range(0, N_ROWS, 500)):
        pq.write_table(rows_of().slice(start, 500), tmp_path / f"{number}.parquet", row_group_size=200)
    return str(tmp_path / "*.parquet")


@pytest.fixture
def new(tmp_path):
    for number, start in enumerate(range(0, N_ROWS, 700)):
        rows = rows_of().select(["few", "color"]).slice(start, 700)
        pq.write_table(rows, tmp_path / f"new-{number}.pq", row_group_size=300)
    return str(tmp_path / "new-*.pq")


def X_of(n=N_ROWS, seed=0):
    return rows_of(n, seed).select(["few", "color"]).to_pandas()


def test_a_tree_is_that_of_rows_in_memory(files):
    dataset = Dataset(files, columns=["few", "color"])
    tree = TreeClassifier(max_depth=4, min_samples_leaf=0.01).fit(dataset, "y", memory="100MB")
    memory = TreeClassifier(max_depth=4, min_samples_leaf=0.01).fit(X_of(), rows_of()["y"].to_numpy())
    assert tree.feature_names_in_.tolist() == ["few", "color"]
    assert tree.n_features_in_ == 2
    assert tree.classes_.tolist() == [0, 1]
    np.testing.assert_array_equal(tree.predict_proba(X_of()), memory.predict_proba(X_of()))
    np.testing.assert_array_equal(tree.predict(X_of()), memory.predict(X_of()))
    np.testing.assert_allclose(tree.feature_importances_, memory.feature_importances_)
    assert tree.score(X_of(), rows_of()["y"].to_numpy()) > 0.7


def test_weights_classes_and_costs_are_those_of_memory(files):
    settings = {"class_weight": {0: 2.5}, "max_depth": 5, "priors": "equal", "costs": [[0, 1], [3, 0]]}
    dataset = Dataset(files, columns=["few", "color"])
    found = TreeClassifier(**settings).fit(dataset, "y", "w", memory="100MB")
    weights = rows_of()["w"].to_numpy()
    expected = TreeClassifier(**settings).fit(X_of(), rows_of()["y"].to_numpy(), weights)
    np.testing.assert_allclose(found.predict_proba(X_of()), expected.predict_proba(X_of()), rtol=1e-12)
    np.testing.assert_array_equal(found.predict(X_of()), expected.predict(X_of()))


def test_memory_does_not_change_the_model_and_clones_fit_again(files):
    first = TreeRegressor("cart").fit(files, "z", memory="64MB")
    second = clone(first).fit(files, "z", memory="1GB")
    assert str(first.tree_) == str(second.tree_)
    without = TreeRegressor("cart").fit(files, "z")
    assert without.feature_names_in_.tolist() == first.feature_names_in_.tolist() == ["few", "color", "y", "w"]


@pytest.mark.parametrize("memory", [None, "100MB"])
def test_predictions_of_files_are_those_of_their_rows(files, new, memory, monkeypatch):
    tree = TreeClassifier(max_depth=3).fit(Dataset(files, drop=["z", "w"]), "y", memory=memory)
    expected = tree.predict_proba(X_of())
    np.testing.assert_array_equal(tree.predict_proba(new), expected)
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 0)
    monkeypatch.setattr(new_rows, "BATCH_ROWS", 130)
    np.testing.assert_array_equal(tree.predict_proba(new), expected)
    np.testing.assert_array_equal(tree.predict(new), tree.predict(X_of()))
    np.testing.assert_array_equal(tree.apply(new), tree.apply(X_of()))


def test_forests_extra_trees_and_bagged_trees(files, new):
    dataset = Dataset(files, drop=["z", "w"])
    forest = ForestClassifier(5, max_samples=0.5, random_state=3).fit(dataset, "y", memory="64MB")
    other = ForestClassifier(5, max_samples=0.5, random_state=3).fit(dataset, "y", memory="1GB")
    np.testing.assert_array_equal(forest.predict_proba(new), other.predict_proba(new))
    assert len(forest) == 5
    assert forest.max_features_ == 1
    extra = ExtraTreesRegressor(4, random_state=1, max_depth=5).fit(Dataset(files, drop=["y", "w"]), "z", memory="64MB")
    assert np.corrcoef(extra.predict(new), rows_of()["z"].to_numpy())[0, 1] > 0.5
    bagged = BaggedClassifier("plain", 3).fit(dataset, "y", memory="64MB")
    assert len(bagged.forest_) == 3


@pytest.mark.parametrize(
    ("estimator", "arguments", "text"),
    [
        (TreeClassifier(), {"groups": [1]}, "groups requires rows in memory"),
        (TreeClassifier(min_weight_fraction_leaf=0.1), {}, "min_weight_fraction_leaf requires rows in memory"),
        (ForestClassifier(oob_score=True), {}, "oob_score requires rows in memory"),
        (ForestClassifier(warm_start=True), {}, "warm_start requires rows in memory"),
        (ForestClassifier(honest=True), {}, "honest requires rows in memory"),
        (ForestClassifier(class_weight="balanced_subsample"), {}, "balanced_subsample' requires rows in memory"),
        (BaggedClassifier("cart"), {}, "bagging of pruned trees"),
        (TreeClassifier(), {"sample_weight": np.ones(3)}, "sample_weight must be the name of a column"),
        (TreeClassifier(categorical_features=[0]), {}, "categorical_features must be column names"),
    ],
)
def test_what_needs_rows_in_memory_is_refused(files, estimator, arguments, text):
    with pytest.raises(OptionError, match=text):
        estimator.fit(files, "y", memory="64MB", **arguments)


def test_the_target_must_be_named(files):
    with pytest.raises(InputError, match="requires y to be the name of the target column if X is files"):
        TreeClassifier().fit(files, rows_of()["y"].to_numpy(), memory="64MB")
    with pytest.raises(InputError, match="Unknown column 'yy'"):
        TreeClassifier().fit(files, "yy", memory="64MB")
    with pytest.raises(OptionError, match="memory requires files, got a DataFrame"):
        TreeClassifier().fit(X_of(), rows_of()["y"].to_numpy(), memory="64MB")


def test_importances_of_trees_from_files_are_those_of_memory(files):
    dataset = Dataset(files, "y", columns=["few", "color"], kinds={"y": "nominal"})
    table = hb.read(rows_of(), target="y", columns=["few", "color"], kinds={"y": "nominal"})
    ours, theirs = hb.grow(dataset, "plain", memory="64MB"), hb.grow(table, "plain")
    found, expected = (hb.importance(tree) for tree in (ours, theirs))
    assert str(found) == str(expected)


@pytest.mark.parametrize(("estimator", "target"), [(BoostedClassifier, "y"), (BoostedRegressor, "z")])
def test_boosted_trees_are_those_of_rows_in_memory(files, estimator, target):
    dataset = Dataset(files, columns=["few", "color"])
    settings = {"max_iter": 8, "monotonic_cst": {"few": 1}, "early_stopping": False}
    found = estimator(**settings).fit(dataset, target, memory="100MB")
    memory = estimator(**settings).fit(X_of(), rows_of()[target].to_numpy())
    np.testing.assert_array_equal(found.predict(X_of()), memory.predict(X_of()))
    assert found.n_iter_ == 8
    assert found.feature_names_in_.tolist() == ["few", "color"]
    assert found.is_categorical_.tolist() == memory.is_categorical_.tolist()


def test_boosting_of_files_stops_early_on_rows_by_hash(files):
    dataset = Dataset(files, columns=["few", "color"])
    found = BoostedClassifier(max_iter=200, early_stopping=True).fit(dataset, "y", memory="100MB")
    assert found.do_early_stopping_
    assert found.n_iter_ <= len(found.validation_score_) == len(found.train_score_) < 200


@pytest.mark.parametrize(
    ("settings", "given", "message"),
    [
        ({}, {"X_val": [1], "y_val": [1]}, "X_val requires rows in memory"),
        ({"warm_start": True}, {}, "warm_start requires rows in memory"),
        ({"class_weight": "balanced"}, {}, "class_weight requires rows in memory"),
        ({"scoring": "accuracy"}, {}, "scoring requires rows in memory"),
        ({"monotonic_cst": {"absent": 1}}, {}, "monotonic_cst"),
    ],
)
def test_what_boosting_of_files_cannot_do_is_refused(files, settings, given, message):
    with pytest.raises(OptionError, match=message):
        BoostedClassifier(**settings).fit(files, "y", memory="100MB", **given)
