"""Estimators and models survive every serializer; models pass the checks of a model file."""

from __future__ import annotations

import io
import pickle

import cloudpickle
import joblib
import numpy as np
import pytest
import skops.io

import hornbeam as hb
from hornbeam.errors import ModelFileError
from hornbeam.parts.prunings.cost_complexity import CostComplexity
from hornbeam.tree.file.files import to_bytes

RANDOM = np.random.default_rng(0)
X = {
    "number": RANDOM.normal(size=120).round(1),
    "colour": np.array(["red", "green", "blue", None], dtype=object)[RANDOM.integers(0, 4, 120)],
    "flag": RANDOM.random(120) < 0.5,
}
CLASSES = np.array(["a", "b", "c"])[RANDOM.integers(0, 3, 120)]
NUMBERS = RANDOM.normal(size=120)


def by_joblib(model):
    stream = io.BytesIO()
    joblib.dump(model, stream)
    stream.seek(0)
    return joblib.load(stream)


def by_skops(model):
    data = skops.io.dumps(model)
    return skops.io.loads(data, trusted=skops.io.get_untrusted_types(data=data))


SERIALIZERS = {
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "cloudpickle": lambda model: pickle.loads(cloudpickle.dumps(model)),
    "joblib": by_joblib,
    "skops": by_skops,
}
ESTIMATORS = {
    "TreeClassifier": hb.TreeClassifier(max_depth=4, prune=CostComplexity(alpha=0.001)),
    "TreeRegressor": hb.TreeRegressor(max_depth=4),
    "ForestClassifier": hb.ForestClassifier(n_estimators=3),
    "ForestRegressor": hb.ForestRegressor(n_estimators=3),
    "ExtraTreesClassifier": hb.ExtraTreesClassifier(n_estimators=3),
    "ExtraTreesRegressor": hb.ExtraTreesRegressor(n_estimators=3),
    "BaggedClassifier": hb.BaggedClassifier(n_estimators=3),
    "BaggedRegressor": hb.BaggedRegressor(n_estimators=3),
    "AdaBoostTreeClassifier": hb.AdaBoostTreeClassifier(n_estimators=3),
    "BoostedClassifier": hb.BoostedClassifier(max_iter=3),
    "BoostedRegressor": hb.BoostedRegressor(max_iter=3),
    "RuleClassifier": hb.estimators.RuleClassifier(max_depth=4),
    "NestedDichotomyClassifier": hb.estimators.NestedDichotomyClassifier(),
    "DDAGClassifier": hb.estimators.DDAGClassifier(),
    "ADAGClassifier": hb.estimators.ADAGClassifier(),
    "PairwiseClassifier": hb.estimators.PairwiseClassifier(),
}


def test_every_estimator_is_tested():
    known = {name for name in hb.__all__ if hasattr(getattr(hb, name), "fit")}
    assert known == set(ESTIMATORS)


@pytest.mark.parametrize("again", SERIALIZERS.values(), ids=SERIALIZERS)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_estimator_predicts_the_same_after_any_serializer(name, again):
    y = NUMBERS if name.endswith("Regressor") else CLASSES
    fitted = ESTIMATORS[name].fit(X, y)
    back = again(fitted)
    np.testing.assert_array_equal(back.predict(X), fitted.predict(X))
    if not name.endswith("Regressor"):
        np.testing.assert_array_equal(back.predict_proba(X), fitted.predict_proba(X))
    assert str(back.get_params()) == str(fitted.get_params())


@pytest.mark.parametrize("again", SERIALIZERS.values(), ids=SERIALIZERS)
def test_models_are_the_same_bytes_after_any_serializer(again):
    table = hb.read({**X, "y": CLASSES}, target="y")
    tree = hb.grow(table, "plain")
    for model in (tree, hb.forest(table, n_trees=2), hb.boost(table, n_rounds=2)):
        assert to_bytes(again(model)) == to_bytes(model)
    rules = hb.extract_rules(tree)
    assert again(rules).text() == rules.text()
    assert again(tree.schema) == tree.schema
    assert all(spec.kind is hb.table.Kind(spec.kind) for spec in again(tree.schema).columns)


def test_the_state_of_a_model_passes_the_checks_of_a_model_file():
    table = hb.read({**X, "y": CLASSES}, target="y")
    for model in (hb.grow(table, "plain"), hb.forest(table, n_trees=2), hb.extract_rules(hb.grow(table, "plain"))):
        state = model.__getstate__()
        (name,) = state
        empty = type(model).__new__(type(model))
        with pytest.raises(ModelFileError):
            empty.__setstate__({name: state[name][:-40] + bytes(40)})
        for wrong in ({}, {name: 3}, {"schema": None}, None):
            with pytest.raises(ModelFileError, match="the state has none"):
                empty.__setstate__(wrong)
    with pytest.raises(ModelFileError, match="A Tree is needed"):
        hb.Tree.__new__(hb.Tree).__setstate__(hb.forest(table, n_trees=2).__getstate__())


def test_an_unfitted_estimator_survives_too():
    for again in SERIALIZERS.values():
        assert again(hb.TreeClassifier(max_depth=3)).get_params()["max_depth"] == 3


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("target", ["class", "number"])
@pytest.mark.parametrize("least", [1, 5])
def test_honest_forests_are_saved_and_loaded(tmp_path, seed, target, least):
    table = hb.read({**X, "y": CLASSES if target == "class" else NUMBERS}, target="y")
    forest = hb.forest(table, n_trees=4, honest=hb.ensembles.Honesty(min_rows=least), seed=seed)
    hb.save(forest, tmp_path / "honest.tree")
    back = hb.load(tmp_path / "honest.tree")
    np.testing.assert_array_equal(hb.predict(back, table).values, hb.predict(forest, table).values)
    pickle.loads(pickle.dumps(forest))
