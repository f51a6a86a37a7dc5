"""Transcripts of commands on many trees: grown, kept, predicted, judged, shown, drawn."""

from __future__ import annotations

import pathlib

import pytest

COUNTS = {
    "forest": "--forest-trees",
    "extra_trees": "--forest-trees",
    "bagging": "--bagging-trees",
    "adaboost": "--adaboost-trees",
}


@pytest.mark.parametrize("recipe", [*COUNTS, "boosting"])
def test_many_trees_are_grown_kept_judged_and_asked(run, recipe):
    count = COUNTS.get(recipe, "--boosting-rounds")
    more = ("--boosting-min-rows", "1") if recipe == "boosting" else ()
    data = ("fruit.csv", "--target", "ripe", "--drop", "id")
    grown = run("grow", *data, "--recipe", recipe, count, "4", *more, "-o", "many.tree")
    assert grown.code == 0
    assert "that tell ripe" in grown.out
    assert "saved many.tree" in grown.err
    assert run("evaluate", "many.tree", "fruit.csv").code == 0
    lines = run("predict", "many.tree", "fruit.csv").out.splitlines()
    assert len(lines) == 13
    assert lines[0] == "row,answer,node,share_no,share_yes"
    assert run("show", "many.tree").out == grown.out
    assert run("show", "many.tree", "--member", "0").code == 0
    assert run("draw", "many.tree", "--member", "0", "-o", "first.svg").code == 0
    assert pathlib.Path("first.svg").read_text("utf-8").startswith("<svg")


def test_a_forest_is_pruned_whole_or_one_tree_of_it(run):
    data = ("fruit.csv", "--target", "ripe", "--drop", "id", "--recipe", "forest", "--forest-trees", "3")
    run("grow", *data, "-o", "many.tree")
    whole = run("prune", "many.tree", "--pruning", "pessimistic", "-o", "small.tree")
    assert whole.code == 0
    assert "saved small.tree: 3 trees of" in whole.err
    assert run("show", "small.tree").out == whole.out
    assert run("prune", "many.tree", "--member", "1", "--pruning", "pessimistic", "--why").code == 0
    refused = run("prune", "many.tree", "--pruning", "pessimistic", "--why")
    assert refused.code == 2
    assert "Say --member N" in refused.err


def test_a_member_that_is_not_there_is_refused_in_words(run):
    run("grow", "fruit.csv", "--target", "ripe", "--recipe", "forest", "--forest-trees", "2", "-o", "many.tree")
    refused = run("show", "many.tree", "--member", "7")
    assert refused.code == 2
    assert "contains a forest of 2 trees" in refused.err
    assert run("draw", "many.tree", "-o", "tree.svg").code == 2


def test_a_recipe_of_many_trees_is_judged_over_folds(run):
    judged = run(
        "evaluate", "fruit.csv", "--target", "ripe", "--recipe", "forest", "--forest-trees", "3", "--folds", "2"
    )
    assert judged.code == 0
    assert judged.out.startswith("2 folds")


def test_a_setting_that_boosting_does_not_look_at_is_refused(run):
    refused = run("grow", "fruit.csv", "--target", "ripe", "--recipe", "boosting", "--max-depth", "3")
    assert refused.code == 2
    assert "boosting has settings of its own and does not look at stops" in refused.err
