"""Settings of a recipe for one target, and the default recipe that uses them."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import OptionError

IRIS = hb.datasets.load("iris")
WAVE = hb.read({"x": np.arange(120.0), "y": np.round(np.sin(np.arange(120.0) / 10.0) + 2.0, 3)}, target="y")
TOML = """
name = "two"
stops = [{ name = "pure" }, { name = "min_leaf", rows = 4 }]

[by_target.class]
criterion = { name = "entropy" }
stops = [{ name = "min_leaf", rows = 9 }]
pruning = { name = "pessimistic" }
"""


def stop_rows(recipe: hb.Recipe) -> dict[str, int]:
    return {stop.name: stop.rows for stop in recipe.stops if hasattr(stop, "rows")}


def test_a_section_applies_to_its_target_alone():
    two = hb.Recipe.from_toml(TOML)
    assert two.with_target("class").criterion.name == "entropy"
    assert stop_rows(two.with_target("class")) == {"min_leaf": 9}
    assert two.with_target("class").target == "class"
    assert two.with_target("number").pruning is None
    assert stop_rows(two.with_target("number")) == {"min_leaf": 4}
    assert two.with_target(None).by_target is None


def test_changes_win_over_sections():
    two = hb.Recipe.from_toml(TOML)
    changed = two.with_changes(criterion="gini", stops=[{"name": "min_leaf", "rows": 30}], pruning=None)
    assert changed.with_target("class").criterion.name == "gini"
    assert changed.with_target("class").pruning is None
    assert stop_rows(changed.with_target("class")) == {"min_leaf": 30}
    assert stop_rows(two.with_changes(without=["min_leaf"]).with_target("class")) == {}


def test_a_recipe_with_sections_is_written_and_read():
    for given in (hb.Recipe.from_toml(TOML), hb.recipe("default")):
        assert hb.Recipe.from_toml(given.to_toml()) == given


def test_a_tree_stores_the_recipe_of_its_target():
    stored = hb.grow(IRIS).recipe
    assert stored["name"] == "default"
    assert stored["target"] == "class"
    assert "by_target" not in stored
    assert hb.grow(IRIS, hb.Recipe.from_table(stored)).n_leaves == hb.grow(IRIS).n_leaves


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[by_target.klass]\nseed = 1", "Unknown target 'klass' of by_target"),
        ("[by_target.class]\ncriterium = 'gini'", "Unknown key 'criterium' of by_target.class"),
        ("by_target = 3", "by_target must be a table"),
        ("[by_target.class]\ncriterion = 'squared_error'", "squared_error"),
        ("target = 'number'\n[by_target.class]\nseed = 1", "Unknown target 'class' of by_target"),
    ],
)
def test_wrong_sections_are_rejected_when_a_recipe_is_read(text, message):
    with pytest.raises(OptionError, match=message):
        hb.Recipe.from_toml(text)


def test_a_loss_of_the_other_target_is_named_by_the_error():
    with pytest.raises(OptionError, match="Loss 'pinball' requires a numeric target"):
        hb.grow(IRIS, hb.recipe("default").with_changes(loss="pinball"))


@pytest.mark.parametrize(
    "changes",
    [
        {"loss": {"name": "pinball", "tau": 0.9}},
        {"loss": "absolute", "criterion": "absolute_error"},
        {"loss": "poisson", "criterion": "poisson"},
        {"searches": ["multiway", "sorted_cuts"]},
    ],
)
def test_the_default_takes_other_losses_for_numbers(changes):
    tree = hb.grow(WAVE, hb.recipe("default").with_changes(**changes))
    assert 1 < tree.n_leaves < 60


def test_the_default_prunes_and_plain_keeps_the_whole_tree():
    tree = hb.grow(IRIS)
    whole = hb.grow(IRIS, hb.recipe("default").with_changes(pruning=None))
    assert tree.n_leaves < whole.n_leaves
    assert f"pruned from {whole.n_leaves} leaves" in repr(tree)
    assert "pruned" not in repr(hb.grow(IRIS, "plain"))


def test_the_default_needs_no_target_for_searches_without_one():
    tree = hb.grow(
        IRIS.without_target(),
        hb.recipe("default").with_changes(searches="kd_median", stops=[{"name": "max_depth", "depth": 2}]),
    )
    assert tree.n_leaves == 4


def test_estimators_keep_the_defaults_of_scikit_learn():
    assert hb.TreeClassifier().recipe == "plain"
    assert hb.TreeRegressor().recipe == "plain"
