"""What is used of one tree is refused for many in one sentence, and taken from a fitted estimator."""

from __future__ import annotations

import pytest

import hornbeam as hb
from hornbeam.errors import InputError

FUNCTIONS = {
    "draw": lambda model, table: hb.draw(model, table),
    "regions": lambda model, table: hb.drawing.regions(model, table),
    "explain": lambda model, table: hb.explain(model, table, 0),
    "cautions": lambda model, table: hb.diagnostics(model, table),
    "rules_of": lambda model, table: hb.extract_rules(model),
    "postpruned": lambda model, table: hb.rules.postprune_rules(model, table),
    "c45rules": lambda model, table: hb.rules.c45rules(model, table),
}


@pytest.fixture(scope="module")
def iris():
    table = hb.datasets.load("iris")
    return table, hb.forest(table, n_trees=3)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_forest_is_refused_and_its_tree_is_taken(iris, function):
    table, forest = iris
    with pytest.raises(InputError, match="needs one tree; got a forest of 3") as caught:
        FUNCTIONS[function](forest, table)
    assert "one of its trees" in caught.value.hint
    FUNCTIONS[function](forest[0], table)


def test_a_fitted_estimator_is_drawn(iris):
    table, _ = iris
    x = [[value] for value in table.columns[2].values]
    fitted = hb.TreeClassifier(max_depth=2).fit(x, table.target.values)
    assert hb.draw(fitted).svg == hb.draw(fitted.tree_).svg


def test_what_is_no_model_is_named():
    with pytest.raises(InputError, match="A tree, a forest or a fitted estimator is needed; got 'str'"):
        hb.draw("tree")
