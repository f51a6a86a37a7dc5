"""Every function that takes a model takes each kind of model that it can work on, and data frames as well as tables."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, OptionError

pd = pytest.importorskip("pandas")

IRIS = hb.datasets.load("iris")
FRAME = pd.DataFrame({column.name: column.values for column in IRIS.columns})
FRAME[IRIS.target.name] = [IRIS.target.levels[code] for code in IRIS.target.values]
X, Y = FRAME.drop(columns=IRIS.target.name), FRAME[IRIS.target.name]

SINGLE = {
    "tree": lambda: hb.grow(IRIS, "cart"),
    "tree estimator": lambda: hb.TreeClassifier("cart").fit(X, Y),
}
MANY = {
    "forest": lambda: hb.forest(IRIS, n_trees=4, seed=1),
    "forest estimator": lambda: hb.ForestClassifier(4, random_state=1).fit(X, Y),
    "boosted": lambda: hb.boost(IRIS, n_rounds=4),
    "boosted estimator": lambda: hb.BoostedClassifier(max_iter=4).fit(X, Y),
}
RULES = {
    "rules": lambda: hb.extract_rules(hb.grow(IRIS, "cart")),
    "rule estimator": lambda: hb.estimators.RuleClassifier().fit(X, Y),
}
MODELS = {name: make() for name, make in {**SINGLE, **MANY, **RULES}.items()}

OF_ONE_TREE = {
    "draw": lambda model, rows: hb.draw(model, rows).svg,
    "report": lambda model, rows: hb.report(model, rows, rows).html,
    "extract_rules": lambda model, rows: str(hb.extract_rules(model)),
    "explain": lambda model, rows: str(hb.explain(model, rows, 70)),
    "diagnostics": lambda model, rows: str(hb.diagnostics(model, rows, rows)),
    "regions": lambda model, rows: hb.drawing.regions(model, rows).svg,
}
OF_ANY_MODEL = {
    "importance": lambda model, rows: str(hb.importance(model, rows)),
    "permutation": lambda model, rows: str(hb.importance(model, rows, "permutation", repeats=2)),
    "shap_values": lambda model, rows: str(hb.shap_values(model, rows)),
    "background": lambda model, rows: str(hb.shap_values(model, rows, background=rows)),
    "partial_dependence": lambda model, rows: str(hb.partial_dependence(model, IRIS.names[2], rows)),
    "counterfactual": lambda model, rows: str(hb.counterfactual(model, rows, 70, table=rows)),
}


@pytest.mark.parametrize("model", list(SINGLE))
@pytest.mark.parametrize("function", list(OF_ONE_TREE))
def test_functions_of_one_tree_take_a_tree_or_its_estimator_and_a_frame(function, model):
    call = OF_ONE_TREE[function]
    from_frame, from_table = call(MODELS[model], FRAME), call(MODELS[model], IRIS)
    if function == "report":  # the page names the source of its data
        from_frame, from_table = from_frame[:200], from_table[:200]
    assert from_frame == from_table


@pytest.mark.parametrize("model", [*SINGLE, *MANY])
@pytest.mark.parametrize("function", list(OF_ANY_MODEL))
def test_functions_of_any_model_take_trees_forests_boosted_models_estimators_and_frames(function, model):
    call = OF_ANY_MODEL[function]
    assert call(MODELS[model], FRAME) == call(MODELS[model], IRIS)


@pytest.mark.parametrize("model", list(MODELS))
def test_evaluate_takes_a_model_and_a_table_or_frame(model):
    found = hb.evaluate(MODELS[model], IRIS)
    assert found.as_dict() == hb.evaluate(MODELS[model], FRAME).as_dict()
    assert found["accuracy"].value > 0.9


@pytest.mark.parametrize("model", [name for name in MODELS if "estimator" in name])
def test_evaluate_of_an_estimator_equals_evaluate_of_its_prediction(model):
    estimator = MODELS[model]
    by_hand = hb.evaluate(Y, estimator.predict_proba(X), estimator.classes_)
    assert hb.evaluate(estimator, FRAME).as_dict() == by_hand.as_dict()


@pytest.mark.parametrize("function", [name for name in OF_ONE_TREE if name != "report"])  # a report takes a forest
def test_functions_of_one_tree_reject_a_forest(function):
    with pytest.raises(InputError, match="one tree"):
        OF_ONE_TREE[function](MODELS["forest"], IRIS)


def test_importance_out_of_bag_takes_a_forest_its_estimator_and_a_frame():
    table = hb.importance(MODELS["forest"], IRIS, method="out_of_bag")
    frame = hb.importance(MODELS["forest"], FRAME, method="out_of_bag")
    np.testing.assert_array_equal(table.values, frame.values)
    assert "<table>" in table._repr_html_()
    assert hb.importance(MODELS["forest estimator"], FRAME, method="out_of_bag").method == "out_of_bag"
    with pytest.raises(InputError, match="needs a forest"):
        hb.importance(MODELS["tree"], IRIS, method="out_of_bag")


@pytest.mark.parametrize("model", [name for name in MODELS if "estimator" in name and "rule" not in name])
def test_feature_importances_are_the_importance_by_impurity(model):
    estimator = MODELS[model]
    np.testing.assert_allclose(hb.importance(estimator).values, estimator.feature_importances_, rtol=1e-12)
    assert hb.importance(estimator).values.sum() == pytest.approx(1.0)


def test_the_gains_of_boosted_trees_are_sums_over_the_rows_already():
    forest = MODELS["boosted"]
    total = np.zeros(len(IRIS.columns))
    for tree in forest.trees:
        inner = ~tree.nodes.is_leaf
        np.add.at(total, tree.questions.column[tree.nodes.question[inner]], tree.nodes.gain[inner])
    np.testing.assert_allclose(hb.importance(forest).values, total / total.sum(), rtol=1e-12)


def test_evaluate_uses_the_weights_of_the_table_and_skips_rows_without_a_target():
    frame = FRAME.copy()
    frame["w"] = np.arange(len(frame)) % 3 + 1.0
    weighted = hb.read(frame, target=IRIS.target.name, weights="w")
    assert hb.evaluate(MODELS["tree"], weighted).weight == frame["w"].sum()
    assert hb.evaluate(MODELS["tree"], weighted, weights=np.ones(len(frame))).weight == len(frame)
    some = FRAME.copy()
    some.loc[[0, 3], IRIS.target.name] = None
    assert hb.evaluate(MODELS["tree"], some).n_rows == len(frame) - 2


def test_evaluate_of_a_regression_equals_evaluate_of_its_prediction():
    frame = X.copy()
    table = hb.read(frame, target=IRIS.names[3])
    tree = hb.grow(table, "cart")
    found = hb.evaluate(tree, frame.iloc[::-1])
    assert found.task == "number"
    by_hand = hb.evaluate(table.target.values, hb.predict(tree, table))
    assert found["mse"].value == pytest.approx(by_hand["mse"].value)


def test_evaluate_rejects_rows_without_the_target_other_classes_and_other_models():
    with pytest.raises(InputError, match="must include the model's target"):
        hb.evaluate(MODELS["tree"], X)
    with pytest.raises(InputError, match="Row 2 has a class that the model was not trained on"):
        hb.evaluate(MODELS["tree"], FRAME.iloc[:4].assign(**{IRIS.target.name: ["setosa", "setosa", "rosa", "setosa"]}))
    with pytest.raises(OptionError, match="classes are those of the model"):
        hb.evaluate(MODELS["tree"], IRIS, ["setosa", "versicolor"])
    with pytest.raises(InputError, match="evaluate needs a tree"):
        hb.evaluate(hb.estimators.PairwiseClassifier().fit(X, Y), FRAME)
