"""Trees and ensembles of scikit-learn: equal leaves, equal predictions, statistics of the source kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor

import hornbeam as hb
from hornbeam.errors import InputError, NotFittedError, OptionError
from hornbeam.tree import walk
from hornbeam.tree.prediction import columns_of
from importing.rows import same_partition, table, targets, with_neighbours

TWO, THREE, NUMBER = range(3)
MODELS = [
    (DecisionTreeClassifier(random_state=0), THREE),
    (DecisionTreeClassifier(class_weight="balanced", max_depth=4, random_state=0), THREE),
    (DecisionTreeRegressor(max_depth=5, random_state=0), NUMBER),
    (DecisionTreeRegressor(criterion="absolute_error", max_depth=3, random_state=0), NUMBER),
    (ExtraTreeRegressor(max_depth=6, random_state=0), NUMBER),
    (RandomForestClassifier(8, random_state=0), THREE),
    (RandomForestRegressor(8, max_depth=6, random_state=0), NUMBER),
    (ExtraTreesClassifier(8, random_state=0), TWO),
    (ExtraTreesRegressor(8, max_depth=6, random_state=0), NUMBER),
    (GradientBoostingClassifier(n_estimators=5, random_state=0), THREE),
    (GradientBoostingClassifier(n_estimators=5, loss="exponential", random_state=0), TWO),
    (GradientBoostingRegressor(n_estimators=5, init="zero", random_state=0), NUMBER),
    (HistGradientBoostingClassifier(max_iter=5, random_state=0), THREE),
    (HistGradientBoostingClassifier(max_iter=5, random_state=0), TWO),
    (HistGradientBoostingRegressor(max_iter=5, loss="poisson", random_state=0), NUMBER),
]


@pytest.mark.parametrize(("model", "target"), MODELS, ids=lambda each: getattr(type(each), "__name__", ""))
def test_every_row_ends_in_the_same_leaf_and_has_the_same_prediction(model, target):
    rows = table()
    if isinstance(model, (GradientBoostingClassifier, GradientBoostingRegressor)):
        rows = np.nan_to_num(rows)  # they accept no missing values
    model.fit(rows, targets(rows)[target])
    converted = hb.convert(model)
    rows = with_neighbours(converted, rows)
    found = hb.predict(converted, rows)
    if converted.is_class:
        assert np.array_equal(found.labels, model.predict(rows))
        np.testing.assert_allclose(found.probabilities, model.predict_proba(rows), rtol=0, atol=1e-15)
    else:
        np.testing.assert_allclose(found.numbers, model.predict(rows), rtol=4e-16, atol=0)
    members = [model] if hasattr(model, "tree_") else np.ravel(getattr(model, "estimators_", [])).tolist()
    trees = [converted] if hasattr(model, "tree_") else converted.trees
    columns = columns_of(converted.schema, rows)
    for tree, member in zip(trees, members):
        assert same_partition(walk.leaves(tree, columns), member.apply(rows))


def test_a_tree_keeps_counts_impurities_and_names():
    frame = pd.DataFrame(np.nan_to_num(table()), columns=["age", "size", "mass", "dose"])
    labels = np.where(targets(frame.to_numpy())[0], "ill", "well")
    model = DecisionTreeClassifier(max_depth=3).fit(frame, labels)
    tree = hb.convert(model, target="outcome")
    assert tree.schema.names == ("age", "size", "mass", "dose")
    assert tree.schema.classes == ("ill", "well")
    assert tree.schema.target.name == "outcome"
    assert tree.nodes.rows[0] == 400
    assert sorted(tree.nodes.impurity) == pytest.approx(sorted(model.tree_.impurity))
    assert hb.importance(tree).values == pytest.approx(model.feature_importances_)
    assert "absent" not in tree.metadata


def test_levels_of_histogram_boosting_are_the_levels_of_the_frame():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"n": random.normal(size=400), "c": pd.Categorical(random.choice(list("pqrst"), 400))})
    frame.loc[::9, "c"] = np.nan
    y = frame.c.isin(["p", "r"]) ^ (frame.n > 0)
    model = HistGradientBoostingClassifier(max_iter=8, categorical_features="from_dtype").fit(frame, y)
    converted = hb.convert(model)
    assert converted.schema.columns[1].levels[:5] == ("p", "q", "r", "s", "t")
    unseen = frame.assign(c=frame.c.astype(object).where(frame.index % 4 != 0, "zz").astype("category"))
    for rows in (frame, unseen):
        expected = model.predict_proba(rows)
        np.testing.assert_allclose(hb.predict(converted, rows).probabilities, expected, rtol=0, atol=1e-15)


def test_a_set_of_all_known_levels_separates_missing_ones():
    frame = pd.DataFrame({"c": pd.Categorical(["a", "b", None] * 40)})
    model = HistGradientBoostingClassifier(max_iter=2, categorical_features="from_dtype").fit(frame, frame.c.isna())
    converted = hb.convert(model)
    np.testing.assert_allclose(hb.predict(converted, frame).probabilities, model.predict_proba(frame), atol=1e-15)


def test_what_cannot_be_converted_is_rejected_with_the_reason():
    rows, (two, _, number) = np.nan_to_num(table()), targets(table())
    with pytest.raises(InputError, match=r"sklearn.linear_model\S* cannot be converted"):
        hb.convert(LinearRegression().fit(rows, number))
    with pytest.raises(InputError, match=r"Convert its last step, model\[-1\]"):
        hb.convert(make_pipeline(DecisionTreeClassifier()).fit(rows, two))
    with pytest.raises(NotFittedError, match="not fitted"):
        hb.convert(DecisionTreeClassifier())
    with pytest.raises(NotFittedError, match="not fitted"):
        hb.convert(HistGradientBoostingClassifier())
    with pytest.raises(InputError, match="2 targets"):
        hb.convert(DecisionTreeRegressor().fit(rows, np.stack([number, number], axis=1)))
    with pytest.raises(InputError, match="init=LogisticRegression"):
        hb.convert(GradientBoostingClassifier(n_estimators=1, init=LogisticRegression()).fit(rows, two))
    tree = DecisionTreeClassifier(max_depth=2).fit(rows, two)
    with pytest.raises(OptionError, match="4 columns; got 2 names"):
        hb.convert(tree, columns=["a", "b"])
    with pytest.raises(OptionError, match="2 classes"):
        hb.convert(tree, classes=["a", "b", "c"])
