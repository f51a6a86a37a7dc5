"""Commands on ensembles: grow, save, predict, evaluate, show, draw."""

from __future__ import annotations

import pathlib

import pytest

COUNTS = {
    "forest": "--forest-n-trees",
    "extra_trees": "--forest-n-trees",
    "bagging": "--bagging-n-trees",
    "adaboost": "--adaboost-n-trees",
}


@pytest.mark.parametrize("recipe", [*COUNTS, "boosting"])
def test_an_ensemble_is_grown_saved_evaluated_and_predicts(run, recipe):
    count = COUNTS.get(recipe, "--boosting-n-rounds")
    more = ("--boosting-min-rows", "1") if recipe == "boosting" else ()
    data = ("fruit.csv", "--target", "ripe", "--drop", "id")
    grown = run("grow", *data, "--recipe", recipe, count, "4", *more, "-o", "many.tree")
    assert grown.code == 0
    assert "predicting ripe" in grown.out
    assert "saved many.tree" in grown.err
    assert run("evaluate", "many.tree", "fruit.csv").code == 0
    lines = run("predict", "many.tree", "fruit.csv").out.splitlines()
    assert len(lines) == 13
    assert lines[0] == "row,prediction,node,probability_no,probability_yes"
    assert run("show", "many.tree").out == grown.out
    assert run("show", "many.tree", "--tree-index", "0").code == 0
    assert run("draw", "many.tree", "--tree-index", "0", "-o", "first.svg").code == 0
    assert pathlib.Path("first.svg").read_text("utf-8").startswith("<svg")


def test_all_trees_of_a_forest_are_pruned_or_one(run):
    data = ("fruit.csv", "--target", "ripe", "--drop", "id", "--recipe", "forest", "--forest-n-trees", "3")
    run("grow", *data, "-o", "many.tree")
    whole = run("prune", "many.tree", "--pruning", "pessimistic", "-o", "small.tree")
    assert whole.code == 0
    assert "saved small.tree: 3 trees of" in whole.err
    assert run("show", "small.tree").out == whole.out
    assert run("prune", "many.tree", "--tree-index", "1", "--pruning", "pessimistic", "--explain").code == 0
    rejected = run("prune", "many.tree", "--pruning", "pessimistic", "--explain")
    assert rejected.code == 2
    assert "Pass --tree-index N" in rejected.err


def test_a_tree_index_out_of_range_is_an_error(run):
    run("grow", "fruit.csv", "--target", "ripe", "--recipe", "forest", "--forest-n-trees", "2", "-o", "many.tree")
    rejected = run("show", "many.tree", "--tree-index", "7")
    assert rejected.code == 2
    assert "contains a forest of 2 trees" in rejected.err
    assert "hint: Pass --tree-index N from 0 to 1." in rejected.err
    assert run("draw", "many.tree", "-o", "tree.svg").code == 2


def test_an_ensemble_recipe_is_cross_validated(run):
    evaluated = run(
        "evaluate", "fruit.csv", "--target", "ripe", "--recipe", "forest", "--forest-n-trees", "3", "--folds", "2"
    )
    assert evaluated.code == 0
    assert evaluated.out.startswith("2 folds")


def test_a_setting_that_boosting_ignores_is_rejected(run):
    rejected = run("grow", "fruit.csv", "--target", "ripe", "--recipe", "boosting", "--max-depth", "3")
    assert rejected.code == 2
    assert "boosting has its own settings and ignores stops" in rejected.err
