"""Recipes with an ensemble."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import OptionError
from hornbeam.recipes.recipe import Recipe
from hornbeam.tree.file.files import to_bytes

IRIS = hb.datasets.load("iris")
MANY = ("forest", "extra_trees", "bagging", "adaboost", "boosting")


def small(name):
    recipe = hb.recipe(name)
    count = "n_rounds" if name == "boosting" else "n_trees"
    return recipe.with_changes(ensemble=recipe.ensemble.replace(**{count: 6}))


@pytest.mark.parametrize("name", MANY)
def test_an_ensemble_recipe_grows_a_forest_and_is_stored_in_it(name):
    forest = hb.grow(IRIS, small(name), seed=3)
    assert isinstance(forest, hb.Forest)
    assert forest.recipe == small(name).as_table()
    assert np.mean(hb.predict(forest, IRIS).codes == IRIS.target.values) > 0.9
    assert to_bytes(hb.grow(IRIS, Recipe.from_table(forest.recipe), seed=3)) == to_bytes(forest)


@pytest.mark.parametrize("name", MANY)
def test_an_ensemble_recipe_survives_toml(name):
    recipe = hb.recipe(name)
    assert Recipe.from_toml(recipe.to_toml()) == recipe


def test_the_recipe_and_the_function_grow_the_same_trees():
    by_recipe = {name: hb.grow(IRIS, small(name), seed=1) for name in MANY}
    cuts = hb.recipe("plain").with_changes(searches="random_cuts")
    by_function = {
        "forest": hb.forest(IRIS, n_trees=6, seed=1),
        "extra_trees": hb.forest(IRIS, cuts, n_trees=6, sampling=hb.ensembles.RowSampling(method="none"), seed=1),
        "bagging": hb.bag(IRIS, n_trees=6, seed=1),
        "adaboost": hb.adaboost(
            IRIS, hb.recipe("plain").with_changes(stops={"name": "max_depth", "depth": 3}), n_trees=6, seed=1
        ),
        "boosting": hb.boost(IRIS, n_rounds=6, seed=1),
    }
    for name, forest in by_function.items():
        np.testing.assert_array_equal(
            hb.predict(by_recipe[name], IRIS).probabilities, hb.predict(forest, IRIS).probabilities
        )


@pytest.mark.parametrize(
    "use",
    [
        lambda: hb.TreeClassifier("forest").fit([[0.0], [1.0]], [0, 1]),
        lambda: hb.ForestClassifier(recipe="forest").fit([[0.0], [1.0]], [0, 1]),
        lambda: hb.compare_prunings(IRIS, recipe="forest"),
        lambda: hb.complexity_table(IRIS, "forest"),
    ],
    ids=["tree", "forest", "prunings", "costs"],
)
def test_functions_of_single_trees_reject_ensemble_recipes(use):
    with pytest.raises(OptionError, match="The recipe 'forest' has an ensemble"):
        use()


def test_parts_that_boosting_ignores_are_rejected():
    with pytest.raises(OptionError, match="boosting has its own settings and ignores stops"):
        hb.recipe("boosting").with_changes(stops=[{"name": "max_depth", "depth": 3}])
    with pytest.raises(OptionError, match="ignores pruning"):
        hb.recipe("boosting").with_changes(pruning="pessimistic")
    assert hb.recipe("boosting").with_changes(seed=4).seed == 4


def test_settings_out_of_range_are_rejected():
    with pytest.raises(OptionError, match="n_trees"):
        hb.recipe("forest").with_changes(ensemble={"name": "forest", "n_trees": 0})
    with pytest.raises(OptionError, match="Did you mean"):
        hb.recipe("forest").with_changes(ensemble="forrest")
    numbers = hb.read({"a": [1.0, 2.0, 3.0], "y": [0.1, 0.2, 0.3]}, target="y")
    with pytest.raises(OptionError, match="requires a classification target"):
        hb.grow(numbers, "adaboost")
    with pytest.raises(OptionError, match="trace requires a recipe of a single tree"):
        hb.grow(IRIS, "forest", trace=True)
