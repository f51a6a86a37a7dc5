"""LightGBM: equal leaves and predictions for every missing type, sets of categories, wrappers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import hornbeam as hb
from hornbeam.errors import ModelFileError, NotFittedError
from hornbeam.tree import walk
from hornbeam.tree.prediction import columns_of
from importing.rows import same_partition, table, targets, with_neighbours

lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is not installed")

TWO, THREE, NUMBER = range(3)
SETTINGS = [
    ({"objective": "binary"}, TWO),
    ({"objective": "binary", "zero_as_missing": True}, TWO),
    ({"objective": "binary", "use_missing": False, "sigmoid": 0.7}, TWO),
    ({"objective": "multiclass", "num_class": 3, "boosting": "dart"}, THREE),
    ({"objective": "regression", "zero_as_missing": True}, NUMBER),
    ({"objective": "poisson"}, NUMBER),
    ({"objective": "regression", "boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.5}, NUMBER),
]
NEAR_ZERO = [
    0.0,
    -0.0,
    1e-36,
    -1e-36,
    1e-35,
    -1e-35,
    float(np.float32(1e-35)),
    -float(np.float32(1e-35)),
    2e-35,
    np.nan,
]


def trained(settings, target):
    rows = table()
    fixed = {"verbose": -1, "num_leaves": 10, "min_data_in_leaf": 5, "num_threads": 1, "seed": 1}
    return lightgbm.train({**settings, **fixed}, lightgbm.Dataset(rows, targets(rows)[target]), 6)


@pytest.mark.parametrize(("settings", "target"), SETTINGS)
def test_every_row_ends_in_the_same_leaf_and_has_the_same_prediction(settings, target):
    booster = trained(settings, target)
    converted = hb.convert(booster)
    rows = with_neighbours(converted, table())
    for number in NEAR_ZERO:
        block = table()[:40]
        block[np.arange(40), np.arange(40) % 4] = number
        rows = np.concatenate([rows, block])
    leaves, columns = booster.predict(rows, pred_leaf=True), columns_of(converted.schema, rows)
    for index, tree in enumerate(converted.trees):
        assert same_partition(walk.leaves(tree, columns), leaves[:, index])
    expected, found = booster.predict(rows), hb.predict(converted, rows)
    values = found.numbers if not converted.is_class else found.probabilities
    values = values[:, 1] if target == TWO else values
    np.testing.assert_allclose(values, expected, rtol=1e-14, atol=1e-15)


def test_contributions_are_those_of_lightgbm():
    booster = trained({"objective": "binary"}, TWO)
    rows = table()[:20]
    found = hb.shap_values(hb.convert(booster), rows).values[:, :, 0]
    np.testing.assert_allclose(found, booster.predict(rows, pred_contrib=True)[:, :4], atol=1e-12)


def test_a_file_is_the_same_model_as_the_booster(tmp_path):
    booster = trained({"objective": "binary"}, TWO)
    booster.save_model(tmp_path / "model.txt")
    rows = table()
    of_file, of_booster = (hb.predict(hb.convert(each), rows) for each in (tmp_path / "model.txt", booster))
    assert np.array_equal(of_file.values, of_booster.values)


def test_levels_of_pandas_columns_and_labels_of_the_wrapper():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"n": random.normal(size=400), "c": pd.Categorical(random.choice(list("pqrst"), 400))})
    frame.loc[::9, "c"] = np.nan
    y = np.where(frame.c.isin(["p", "r"]) ^ (frame.n > 0), "yes", "no")
    model = lightgbm.LGBMClassifier(n_estimators=8, verbose=-1, min_data_per_group=1, cat_smooth=1, n_jobs=1)
    model.fit(frame, y)
    converted = hb.convert(model)
    unseen = frame.assign(c=frame.c.astype(object).where(frame.index % 4 != 0, "zz").astype("category"))
    for rows in (frame, unseen):
        found = hb.predict(converted, rows)
        assert np.array_equal(found.labels, model.predict(rows))
        np.testing.assert_allclose(found.probabilities, model.predict_proba(rows), atol=1e-15)


def test_category_numbers_are_levels_and_other_numbers_go_right():
    random = np.random.default_rng(4)
    rows = np.stack([random.normal(size=400), random.integers(0, 30, 400)], axis=1)
    y = (rows[:, 1] % 3 == 0) ^ (rows[:, 0] > 0)
    settings = {"objective": "binary", "verbose": -1, "min_data_per_group": 1, "cat_smooth": 1, "num_threads": 1}
    booster = lightgbm.train(settings, lightgbm.Dataset(rows, y, categorical_feature=[1]), 6)
    converted = hb.convert(booster)
    assert converted.schema.columns[1].levels[:30] == tuple(range(30))
    others = rows.copy()
    others[:, 1] = random.choice([-1, 30, 31, 500, np.nan], 400)
    for each in (rows, others):
        np.testing.assert_allclose(hb.predict(converted, each).probabilities[:, 1], booster.predict(each), atol=1e-15)


def test_what_cannot_be_converted_is_rejected_with_the_reason():
    with pytest.raises(NotFittedError, match="not fitted"):
        hb.convert(lightgbm.LGBMRegressor())
    with pytest.raises(ModelFileError, match=r"objective: 'multiclassova.* is not supported"):
        hb.convert(trained({"objective": "multiclassova", "num_class": 3}, THREE))
    with pytest.raises(ModelFileError, match=r"tree 0, is_linear: leaves with linear models"):
        hb.convert(trained({"objective": "regression", "linear_tree": True}, NUMBER))
