"""`compare_prunings` and `complexity_table`."""

import importlib

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.parts.prunings.cost_complexity import CostComplexity
from hornbeam.studies.compare_prunings import EVERY
from hornbeam.table.column import numeric
from hornbeam.table.divide import table_splits
from hornbeam.table.table import Table


@pytest.fixture(scope="module")
def found():
    return hb.compare_prunings(hb.datasets.load("breast_cancer"), "plain", folds=4)


def test_every_method_is_compared_with_the_unpruned_tree(found):
    assert [line.pruning for line in found.lines] == ["none", *(each["name"] for each in EVERY)]
    assert not any(line.error for line in found.lines)
    whole = found["none"]
    assert whole.training == 0
    assert all(line.leaves <= whole.leaves for line in found.lines)
    assert found.rows == {"growing": 284, "pruning": 142, "held out": 143, "folds": 4}


def test_pessimistic_pruning_is_compared_with_and_without_the_standard_error(found):
    lines = [line for line in found.lines if line.pruning == "pessimistic"]
    assert [line.settings for line in lines] == [{}, {"standard_error": False}]
    assert lines[0].leaves <= lines[1].leaves


def test_the_errors_are_those_of_the_trees(found):
    line = found["pessimistic"]
    table = hb.datasets.load("breast_cancer")
    held_out = table.take(table_splits(table, 4, 0)[0].test)
    wrong = (hb.predict(line.tree, held_out).codes != held_out.target.values).mean()
    assert line.held_out == pytest.approx(wrong)
    assert line.training == pytest.approx(line.tree.errors()[line.tree.nodes.is_leaf].sum() / 284)
    error, n = line.cross_validated, len(table) - len(held_out)
    assert line.standard_error == pytest.approx(np.sqrt(error * (1 - error) / n))


def test_a_tree_is_grown_once_and_once_per_fold(monkeypatch):
    grown = []
    module = importlib.import_module("hornbeam.studies.compare_prunings")
    original = module.grow
    monkeypatch.setattr(module, "grow", lambda *rows, **more: grown.append(1) or original(*rows, **more))
    hb.compare_prunings(hb.datasets.load("iris"), "plain", folds=5)
    assert len(grown) == 6


def test_the_seed_determines_the_table():
    iris = hb.datasets.load("iris")
    assert str(hb.compare_prunings(iris, "plain", folds=3)) == str(hb.compare_prunings(iris, "plain", folds=3))
    assert str(hb.compare_prunings(iris, "plain", folds=3)) != str(hb.compare_prunings(iris, "plain", folds=3, seed=5))


def test_it_has_text_html_dictionaries_and_a_plot(found):
    text = str(found)
    assert text.startswith("error rate; one tree grown on 284 rows")
    assert text.count("<- smallest") == 1
    assert "cost_complexity (rule one_se)" in text
    assert found._repr_html_().count("<tr") == len(found) + 1
    rows = found.as_dicts()
    assert rows[0]["pruning"] == "none"
    assert set(rows[0]) >= {"leaves", "training", "held_out", "cross_validated", "standard_error"}
    picture = found.picture()
    assert "Prunings of one tree" in picture.svg
    assert picture.svg.count("leaves</text>") == len(found)


def test_a_method_that_cannot_prune_the_tree_reports_the_reason():
    table = hb.datasets.load("iris")
    found = hb.compare_prunings(table, "plain", prunings=["pessimistic", {"name": "minimum_error", "m": None}], folds=2)
    assert found["pessimistic"].leaves
    line = found[2]
    assert line.leaves is None
    assert "requires folds" in line.error
    assert line.error in str(found)


def test_regression_trees_are_compared_by_the_methods_that_support_them():
    random = np.random.default_rng(1)
    x = random.normal(size=120)
    table = Table((numeric("x", x),), numeric("y", np.where(x > 0, 2.0, -1.0) + random.normal(size=120)))
    found = hb.compare_prunings(table, "plain", folds=3)
    assert found.measure == "mean squared error"
    assert "pessimistic" not in [line.pruning for line in found.lines]
    assert found[found.best].cross_validated < found["none"].cross_validated


def test_the_metric_is_the_cost_if_the_recipe_has_costs():
    iris = hb.datasets.load("iris")
    classes = iris.target.levels
    costs = {truth: {predicted: 0.0 if truth == predicted else 5.0 for predicted in classes} for truth in classes}
    plain = hb.compare_prunings(iris, "plain", prunings=[], folds=0)
    costly = hb.compare_prunings(
        iris, hb.recipe("plain").with_changes(loss={"name": "cost_matrix", "costs": costs}), [], folds=0
    )
    assert costly.measure == "mean cost"
    assert costly["none"].held_out == pytest.approx(5 * plain["none"].held_out)
    assert costly.best is None  # nothing was cross-validated


def test_too_few_rows_and_invalid_folds_are_rejected():
    iris = hb.datasets.load("iris")
    with pytest.raises(OptionError, match="folds must be 0 or"):
        hb.compare_prunings(iris, "plain", folds=1)
    with pytest.raises(InputError, match="too few"):
        hb.compare_prunings(iris.take(np.arange(0, 150, 25)), "plain")


def test_the_complexity_table_is_computed_from_rows_and_a_recipe():
    iris = hb.datasets.load("iris")
    table = hb.complexity_table(iris, "cart", folds=np.arange(150) % 10)
    row = table.chosen()
    assert "<- 1-SE" in str(table)
    assert table._repr_html_().count("bold") == 1
    assert table.as_dicts()[row]["nsplit"] == table.n_splits[row]
    smaller = hb.prune(table.tree, CostComplexity(alpha=table.alpha(row)))
    assert smaller.n_leaves == table.n_splits[row] + 1
    assert hb.complexity_table(iris, folds=0).xerror is None
    with pytest.raises(OptionError, match="folds must be 0, between 2"):
        hb.complexity_table(iris, folds=1)


def test_groups_and_times_divide_all_rows_of_the_comparison():
    table = hb.datasets.load("breast_cancer")
    groups = np.arange(len(table)) // 4
    found = hb.compare_prunings(table, prunings=["reduced_error"], folds=2, groups=groups)
    assert found.about.endswith("2 folds, divided by 'groups' (143 groups)")
    assert found.rows["held out"] % 4 in (0, 1)  # whole groups of four, the last one has one row
    assert hb.complexity_table(table, folds=2, times=groups).xerror[0] == pytest.approx(1, abs=0.2)
