"""`cross_validate`: the metrics of a recipe on held-out rows."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.recipes.folds import folds_for
from hornbeam.recipes.recipe import Recipe
from hornbeam.studies.cross_validate import cross_validate

IRIS = hb.datasets.load("iris")
STUMP = hb.Recipe(stops=["pure", {"name": "max_depth", "depth": 1}])


def test_the_values_are_those_of_growing_and_predicting_by_hand():
    found = cross_validate(IRIS, "cart", folds=4, seed=2)
    folds = folds_for(IRIS, 4, seed=2)
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
