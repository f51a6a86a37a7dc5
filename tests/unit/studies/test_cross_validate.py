"""`cross_validate`: the metrics of a recipe on held-out rows."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.evaluation import stratified_folds
from hornbeam.recipes.recipe import Recipe
from hornbeam.studies.cross_validate import cross_validate

IRIS = hb.datasets.load("iris")
STUMP = hb.Recipe(stops=["pure", {"name": "max_depth", "depth": 1}])


def test_the_values_are_those_of_growing_and_predicting_by_hand():
    found = cross_validate(IRIS, "cart", folds=4, seed=2)
    folds = stratified_folds(IRIS.target.values, 4, seed=2)
    accuracies = []
    for fold in range(4):
        tree = hb.grow(IRIS.take(folds != fold), "cart", seed=2)
        test = IRIS.take(folds == fold)
        accuracies.append(float((hb.predict(tree, test).codes == test.target.values).mean()))
    assert found["accuracy"].values == pytest.approx(accuracies)
    assert found["accuracy"].mean.value == pytest.approx(np.mean(accuracies))
    assert found["accuracy"].standard_error == pytest.approx(np.std(accuracies, ddof=1) / 2)


@pytest.mark.parametrize(
    "recipe",
    ["cart", hb.recipe("c45"), STUMP, Recipe(target="class", ensemble={"name": "forest", "n_trees": 5})],
    ids=["name", "recipe", "method", "ensemble"],
)
def test_a_recipe_is_a_name_a_value_a_method_or_has_an_ensemble(recipe):
    assert 0.5 < cross_validate(IRIS, recipe, folds=3)["accuracy"].mean.value <= 1.0


def test_a_numeric_target_has_the_metrics_of_regression():
    numbers = hb.read({"x": list(range(40)), "y": [value / 2 for value in range(40)]}, target="y")
    found = cross_validate(numbers, "cart", folds=4, metric=("rmse", "r2"))
    assert list(found.metrics) == ["rmse", "r2"]
    with pytest.raises(OptionError, match="positive requires a classification target"):
        cross_validate(numbers, "cart", folds=4, positive="yes")


def test_repeats_add_folds_and_progress_counts_them():
    steps = []
    found = cross_validate(IRIS, STUMP, folds=3, repeats=2, progress=lambda *step: steps.append(step))
    assert len(found.rows) == 6
    assert steps == [(number, 6) for number in range(1, 7)]


def test_one_metric_can_be_selected_and_an_unknown_one_is_reported():
    assert list(cross_validate(IRIS, STUMP, folds=3, metric="log_loss").metrics) == ["log_loss"]
    with pytest.raises(OptionError, match=r"Unknown metric 'acuracy'\. Did you mean 'accuracy'"):
        cross_validate(IRIS, STUMP, folds=3, metric="acuracy")


def test_without_a_target_there_is_nothing_to_validate():
    with pytest.raises(InputError, match="requires a table with a target"):
        cross_validate(IRIS.without_target(), "plain")


def visits(n_patients=30, n_visits=5):
    """Rows whose target belongs to the patient alone, and cannot be predicted for another one."""
    random = np.random.default_rng(1)
    patient = np.repeat(np.arange(n_patients), n_visits)
    ill = random.permutation(np.arange(n_patients) % 2)[patient]
    blood = random.permutation(n_patients)[patient] + random.uniform(0, 0.5, len(patient))
    return hb.read(
        {"patient": patient, "visit": np.arange(len(patient)) % n_visits, "blood": blood, "ill": ill == 1}, "ill"
    )


def test_rows_of_one_patient_in_both_parts_would_look_like_knowledge():
    table = visits().select(["blood", "patient"])
    assert cross_validate(table.select(["blood"]), "plain", folds=5)["accuracy"].mean.value > 0.8
    found = cross_validate(table, "plain", folds=5, groups="patient")
    assert found["accuracy"].mean.value < 0.65
    patient = table["patient"].values
    for (train, _), test in zip(found.sizes, found.rows):
        assert train == len(table) - len(test)
        assert not np.isin(np.delete(patient, test), patient[test]).any()
    assert str(found).startswith("5 folds, by 'patient' (30 groups)\n")


def test_times_train_on_the_past_and_test_on_later_rows():
    table = visits()
    found = cross_validate(table, "plain", folds=3, times="visit")
    assert [sorted(set(table["visit"].values[rows])) for rows in found.rows] == [[2.0], [3.0], [4.0]]
    assert found.sizes == ((60, 30), (90, 30), (120, 30))
    assert str(found).startswith("3 folds, forward in time by 'visit'\n")


@pytest.mark.parametrize("by", ["groups", "times"])
@pytest.mark.parametrize("pruning", ["reduced_error", {"name": "cost_complexity", "rule": "minimum"}])
def test_the_pruning_of_each_fold_divides_its_training_rows_in_the_same_way(monkeypatch, by, pruning):
    import importlib

    module = importlib.import_module("hornbeam.recipes.grow_and_prune")
    seen = []

    def record(name):
        original = getattr(module, name)

        def call(table, *more, **named):
            found = original(table, *more, **named)
            seen.extend((table.division, split) for split in (found if isinstance(found, tuple) else (found,)))
            return found

        monkeypatch.setattr(module, name, call)

    record("table_splits")
    record("table_part")
    column = {"groups": "patient", "times": "visit"}[by]
    cross_validate(visits(), hb.recipe("plain").with_changes(pruning=pruning), folds=2, **{by: column})
    assert len(seen) >= 2
    for division, split in seen:
        values = getattr(division, by)
        assert not set(values[split.train]) & set(values[split.test])
        assert by == "groups" or values[split.train].max() < values[split.test].min()


def test_a_model_is_grown_again_by_its_own_recipe():
    tree = hb.grow(IRIS, STUMP)
    assert (
        cross_validate(IRIS, tree, folds=3)["accuracy"].values
        == cross_validate(IRIS, STUMP, folds=3)["accuracy"].values
    )


def test_repeats_need_random_folds():
    with pytest.raises(OptionError, match="repeats must be an integer of at least 1, got 0"):
        cross_validate(IRIS, STUMP, repeats=0)
    with pytest.raises(OptionError, match="the same in every repeat"):
        cross_validate(visits(), STUMP, folds=2, repeats=2, times="visit")


def test_evaluate_with_folds_is_the_cross_validation_of_the_model():
    table = visits()
    tree = hb.grow(table.select(["blood"]), STUMP)
    found = hb.evaluate(tree, table, folds=3, groups="patient", positive=True)
    expected = cross_validate(table.select(["blood", "patient"]), STUMP, 3, groups="patient", positive=True)
    assert str(found) == str(expected)
    assert hb.evaluate(hb.TreeClassifier(max_depth=1).fit(*xy(table)), table, folds=3)["accuracy"].mean.value > 0.5


def xy(table):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"blood": table["blood"].values}), table.target.values == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda tree: hb.evaluate(tree, IRIS, groups=[1] * 150), "groups requires folds.*Pass folds=10"),
        (lambda tree: hb.evaluate([1, 2], [1, 2], folds=3), "folds requires a model and rows"),
        (lambda tree: hb.evaluate(tree, IRIS, folds=3, weights=[1] * 150), "weights cannot be combined with folds"),
    ],
)
def test_evaluate_explains_what_folds_require(call, message):
    with pytest.raises(OptionError, match=message):
        call(hb.grow(IRIS, STUMP))


def test_rows_without_a_target_are_excluded_and_a_new_class_is_an_error():
    frame = {"x": list(range(30)), "y": ["a", "b", None] * 10}
    tree = hb.grow(hb.read(frame, "y"), STUMP)
    assert sum(len(rows) for rows in hb.evaluate(tree, frame, folds=2).rows) == 20
    with pytest.raises(InputError, match="The class of row 29 was not seen in training"):
        hb.evaluate(tree, {**frame, "y": [*"ab" * 14, "a", "c"]}, folds=2)
