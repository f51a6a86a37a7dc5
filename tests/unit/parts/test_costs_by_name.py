"""Costs of errors as a matrix, by class name and as a data frame, wherever they are taken."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamWarning, OptionError
from hornbeam.parts.losses.cost_matrix import CostMatrix
from hornbeam.parts.losses.machinery.costs import cost_table

CLASSES = ("benign", "cancer")
MATRIX = [[0, 1], [5, 0]]
PROSTATE = hb.datasets.load("prostate")


def frames():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rows = {"cancer": [0, 1], "benign": [5, 0]}
    return [
        pandas.DataFrame(rows, index=["cancer", "benign"]),
        pandas.DataFrame(MATRIX, index=CLASSES, columns=CLASSES),
        pandas.DataFrame(rows),
        polars.DataFrame(rows),
        polars.DataFrame({"truth": ["benign", "cancer"], "benign": [0, 5], "cancer": [1, 0]}),
    ]


def test_all_forms_give_the_same_table():
    forms = [MATRIX, np.array(MATRIX), {"cancer": {"benign": 5}}, *frames()]
    for form in forms:
        assert cost_table(form, CLASSES).tolist() == MATRIX, type(form)


def test_growing_evaluating_pruning_and_estimators_take_every_form():
    matrix, named = (
        hb.grow(PROSTATE, hb.recipe("plain").with_changes(loss={"name": "cost_matrix", "costs": costs}))
        for costs in (MATRIX, {"cancer": {"benign": 5}})
    )
    assert str(matrix) == str(named)
    found = [hb.evaluate(matrix, PROSTATE, costs=costs)["average_cost"].value for costs in (MATRIX, frames()[0])]
    assert found[0] == found[1]
    grown = hb.grow(PROSTATE, "plain")
    with pytest.warns(HornbeamWarning, match="the rows that the tree was grown from"):
        pruned = [
            hb.prune(grown, "reduced_error", hb.PruningData(pruning_set=PROSTATE, costs=costs)).n_leaves
            for costs in (MATRIX, {"cancer": {"benign": 5.0}})
        ]
    assert pruned[0] == pruned[1]
    X = np.column_stack([column.values for column in PROSTATE.columns if not column.levels])
    y = np.array(CLASSES)[PROSTATE.target.values]
    trees = [hb.TreeClassifier(max_depth=3, costs=costs).fit(X, y).predict(X) for costs in (MATRIX, frames()[1])]
    assert (trees[0] == trees[1]).all()


def test_a_recipe_with_a_matrix_can_be_written_and_read():
    recipe = hb.recipe("plain").with_changes(loss=CostMatrix(costs=MATRIX))
    assert hb.Recipe.from_toml(recipe.to_toml()).loss == recipe.loss
    assert CostMatrix(costs=np.array(MATRIX)) == CostMatrix(costs=MATRIX)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (
            [[0, 1, 2], [1, 0, 2], [3, 3, 0]],
            r"must be 2 x 2, one row per true class \(benign, cancer\), got shape \(3, 3\)",
        ),
        ([0, 1], r"one row and one column per class, got shape \(2,\)"),
        ([["a", "b"], ["c", "d"]], "costs must be numbers"),
        ({"cancr": {"benign": 5}}, "costs name 'cancr', which is not a class of the target. Did you mean 'cancer'"),
        ({"cancer": 5}, r"costs\['cancer'\] must be a table"),
        ({"cancer": {"benign": "high"}}, r"costs\['cancer'\]\['benign'\] must be a number, got 'high'"),
    ],
)
def test_costs_that_do_not_fit_the_classes_are_explained(costs, message):
    with pytest.raises(OptionError, match=message):
        hb.evaluate(np.array(CLASSES)[[0, 1]], np.array(CLASSES)[[1, 1]], CLASSES, costs=costs)


def test_the_loss_rejects_costs_of_correct_predictions():
    with pytest.raises(OptionError, match=r"costs\[1\]\[1\] of a correct prediction must be 0, got 2"):
        CostMatrix(costs=[[0, 1], [5, 2]])
