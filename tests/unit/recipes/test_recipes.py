"""Recipes: names, files, changes, errors."""

import pytest

from hornbeam.errors import DataFileError, OptionError
from hornbeam.growing.method import Method
from hornbeam.parts.losses.cost_matrix import CostMatrix
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.recipes import Recipe, recipe, recipe_names


def test_the_recipes_of_the_library_are_listed():
    assert set(recipe_names()) >= {"c45", "cart", "id3", "lecture_notes", "plain", "regression"}


@pytest.mark.parametrize("name", recipe_names())
def test_a_named_recipe_has_its_name_and_survives_toml(name):
    found = recipe(name)
    assert found.name == name
    assert Recipe.from_toml(found.to_toml()) == found


def test_a_changed_recipe_survives_toml():
    changed = recipe("cart").with_changes(
        criterion="entropy",
        stops=[MaxDepth(depth=3)],
        priors={"yes": 0.25, "no": 0.75},
        loss=CostMatrix(costs={"yes": {"no": 5.0}}),
        column_costs={"a column": 2.0},
        split_penalty={"combined": 0.1, "named": 0.05},
        seed=7,
    )
    assert Recipe.from_toml(changed.to_toml()) == changed


def test_stops_are_merged_by_name_and_dropped_by_name():
    changed = recipe("cart").with_changes(stops=[MaxDepth(depth=3)], without=["pure"])
    assert [stop.name for stop in changed.stops] == ["min_split", "min_leaf", "max_depth"]
    assert changed.stops[-1] == MaxDepth(depth=3)
    with pytest.raises(OptionError, match="Did you mean 'max_depth'"):
        recipe("cart").with_changes(without=["dept"])


def test_parts_are_given_by_value_name_or_table():
    given = recipe("plain").with_changes(
        criterion={"name": "gini"}, order="best_first", stops={"name": "max_depth", "depth": 2}
    )
    assert given.criterion.name == "gini"
    assert given.order.name == "best_first"
    assert given.stops[-1] == MaxDepth(depth=2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"criterion": "gini", "loss": "squared"},
            "'gini' and 'squared' cannot be combined: 'gini' supports classes, 'squared' supports numbers",
        ),
        ({"criterion": "squared_error", "stops": ["purity"]}, "cannot be combined"),
        ({"criterion": "twoing", "searches": ["multiway"]}, "Criterion 'twoing' requires searches of two branches"),
        ({"searches": []}, "at least one search"),
        ({"searches": ["sorted_cuts", "sorted_cuts"]}, "given twice"),
        ({"criterion": "ginni"}, "Did you mean 'gini'"),
        ({"max_depth": 3}, "Unknown field 'max_depth' of a recipe"),
        ({"priors": "flat"}, "priors must be one of data, equal"),
        ({"priors": {"a": -1.0}}, "must be a number of 0 or more"),
        ({"column_costs": {"x": 0}}, "must be a number above 0"),
        ({"weights": "heavy"}, "weights must be one of frequency, importance"),
        ({"target": "ranks"}, "target must be one of class, number, any"),
        ({"seed": -1}, "seed must be between"),
        ({"criterion": 3}, "criterion must be a name, a table of settings or a part"),
    ],
)
def test_invalid_recipes_are_rejected_with_a_message(change, message):
    with pytest.raises(OptionError, match=message):
        recipe("plain").with_changes(**change)


def test_a_part_that_does_not_support_the_target_is_named_with_alternatives():
    with pytest.raises(
        OptionError,
        match=r"Criterion 'entropy' requires a classification target, but the target is numeric.*squared_error",
    ):
        Method(criterion="entropy").for_target("number")
    with pytest.raises(OptionError, match="recipe 'id3' requires a classification target, but the target is numeric"):
        recipe("id3").for_target("number")


def test_criterion_and_loss_follow_the_target_if_left_out():
    assert Method().for_target("class").criterion.name == "gini"
    assert Method().for_target("number").loss.name == "squared"


def test_a_recipe_is_read_from_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ncriterion = "entropy"\nstops = [{ name = "max_depth", depth = 2 }]\n')
    assert recipe(path).stops == (MaxDepth(depth=2),)
    assert recipe(str(path)).name == "mine"
    path.write_text("name = ")
    with pytest.raises(DataFileError, match="not valid TOML"):
        recipe(path)
    with pytest.raises(DataFileError, match="cannot be read"):
        recipe(tmp_path / "none.toml")
    path.write_text("nome = 'x'")
    with pytest.raises(OptionError, match="Did you mean 'name'"):
        recipe(path)


def test_an_unknown_recipe_gives_a_suggestion():
    with pytest.raises(OptionError, match="Did you mean 'cart'"):
        recipe("carts")
    with pytest.raises(OptionError, match="must be a name, a file or a Recipe"):
        recipe(3)
    assert recipe(Method()) == Recipe()
