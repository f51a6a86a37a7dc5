"""XGBoost: equal leaves, predictions equal up to float32 sums, categories, both file formats, wrappers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, ModelFileError, NotFittedError
from hornbeam.tree import walk
from hornbeam.tree.prediction import columns_of
from importing.rows import same_partition, table, targets, with_neighbours

xgboost = pytest.importorskip("xgboost", reason="XGBoost is not installed")

TWO, THREE, NUMBER = range(3)
SETTINGS = [
    ({"objective": "binary:logistic"}, TWO),
    ({"objective": "multi:softprob", "num_class": 3}, THREE),
    ({"objective": "reg:squarederror", "base_score": 0.25, "tree_method": "exact"}, NUMBER),
    ({"objective": "count:poisson"}, NUMBER),
    ({"objective": "reg:squarederror", "num_parallel_tree": 3, "subsample": 0.5}, NUMBER),
    ({"objective": "binary:logistic", "booster": "dart", "rate_drop": 0.5}, TWO),
]


def trained(settings, target, rounds=6):
    rows = table(zeros=0.05)
    return xgboost.train({**settings, "nthread": 1}, xgboost.DMatrix(rows, targets(rows)[target]), rounds)


@pytest.mark.parametrize(("settings", "target"), SETTINGS)
def test_every_row_ends_in_the_same_leaf_and_has_the_same_prediction(settings, target, tmp_path):
    booster = trained(settings, target)
    converted = hb.convert(booster)
    rows = with_neighbours(converted, table())
    matrix, columns = xgboost.DMatrix(rows), columns_of(converted.schema, rows)
    leaves = booster.predict(matrix, pred_leaf=True).reshape(len(rows), -1)
    for index, tree in enumerate(converted.trees):
        assert same_partition(walk.leaves(tree, columns), leaves[:, index])
    expected, found = booster.predict(matrix), hb.predict(converted, rows)
    values = found.numbers if not converted.is_class else found.probabilities
    np.testing.assert_allclose(values[:, 1] if target == TWO else values, expected, rtol=2e-6, atol=1e-6)
    for name in ("model.json", "model.ubj"):
        booster.save_model(tmp_path / name)
        of_file = hb.predict(hb.convert(tmp_path / name), rows)
        assert np.array_equal(of_file.values, found.values)


def test_contributions_are_those_of_xgboost():
    booster = trained({"objective": "binary:logistic"}, TWO)
    rows = table()[:20]
    expected = booster.predict(xgboost.DMatrix(rows), pred_contribs=True)[:, :4]
    np.testing.assert_allclose(hb.shap_values(hb.convert(booster), rows).values[:, :, 0], expected, atol=1e-5)


@pytest.mark.parametrize("one_hot", [1, 100])
def test_category_numbers_missing_and_unseen_ones_take_the_branches_of_xgboost(one_hot):
    random = np.random.default_rng(4)
    rows = np.stack([random.normal(size=400), random.integers(0, 30, 400).astype(float)], axis=1)
    rows[::5, 1] = np.nan
    y = np.isnan(rows[:, 1]) | (rows[:, 1] % 3 == 0) ^ (rows[:, 0] > 0)
    about = {"feature_types": ["float", "c"], "enable_categorical": True}
    settings = {"objective": "binary:logistic", "max_cat_to_onehot": one_hot, "nthread": 1}
    booster = xgboost.train(settings, xgboost.DMatrix(rows, y, **about), 6)
    converted = hb.convert(booster)
    rows = np.concatenate([rows, rows])
    rows[400:, 1] = random.choice([40, 77, np.nan], 400)
    leaves, columns = (
        booster.predict(xgboost.DMatrix(rows, **about), pred_leaf=True),
        columns_of(converted.schema, rows),
    )
    assert any(len(tree.nodes.surrogate_question) for tree in converted.trees)
    for index, tree in enumerate(converted.trees):
        assert same_partition(walk.leaves(tree, columns), leaves[:, index])


def test_levels_of_pandas_columns():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"n": random.normal(size=400), "c": pd.Categorical(random.choice(list("pqrst"), 400))})
    frame.loc[::9, "c"] = np.nan
    y = (frame.c.isin(["p", "r"]) ^ (frame.n > 0)).astype(int)
    model = xgboost.XGBClassifier(n_estimators=6, enable_categorical=True, n_jobs=1).fit(frame, y)
    converted = hb.convert(model, classes=["no", "yes"])
    if converted.schema.columns[1].levels[0] != "p":
        pytest.skip("this version of XGBoost does not store the names of levels")
    np.testing.assert_allclose(hb.predict(converted, frame).probabilities, model.predict_proba(frame), atol=1e-6)
    assert converted.schema.classes == ("no", "yes")


def test_a_wrapper_that_stopped_early_predicts_with_its_best_trees():
    rows = table()
    two = targets(rows)[TWO]
    model = xgboost.XGBClassifier(n_estimators=60, early_stopping_rounds=2, n_jobs=1)
    model.fit(
        rows[:300], two[:300], eval_set=[(rows[300:], np.random.default_rng(0).permutation(two[300:]))], verbose=False
    )
    assert len(hb.convert(model).trees) == model.best_iteration + 1
    np.testing.assert_allclose(
        hb.predict(hb.convert(model), rows).probabilities, model.predict_proba(rows), rtol=1e-5, atol=1e-6
    )


def test_what_cannot_be_converted_is_rejected_with_the_reason():
    rows = np.nan_to_num(table())
    with pytest.raises(NotFittedError, match="not fitted"):
        hb.convert(xgboost.XGBRegressor())
    with pytest.raises(InputError, match="treats 0 as missing"):
        hb.convert(xgboost.XGBRegressor(n_estimators=1, missing=0).fit(rows, targets(rows)[NUMBER]))
    with pytest.raises(ModelFileError, match=r"gradient_booster.name: only gbtree and dart"):
        hb.convert(trained({"booster": "gblinear"}, NUMBER, 1))
    with pytest.raises(ModelFileError, match=r"objective.name: the objective 'binary:hinge' is not supported"):
        hb.convert(trained({"objective": "binary:hinge"}, TWO, 1))
