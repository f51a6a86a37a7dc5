"""`hb.prune` with rows: rules by name, defaults, groups and times."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, OptionError

CANCER = hb.datasets.load("breast_cancer")
TREE = hb.grow(CANCER, "plain")


def test_a_rule_chooses_alpha_over_folds_of_the_rows():
    small = hb.prune(TREE, "one_se", CANCER)
    expected = hb.grow(CANCER, hb.recipe("plain").with_changes(pruning={"name": "cost_complexity", "rule": "one_se"}))
    assert small.n_leaves == expected.n_leaves
    assert small.metadata["prunings"][-1]["alpha"] == expected.metadata["prunings"][-1]["alpha"]


def test_the_default_is_the_size_of_least_loss_or_error_based_without_rows():
    with_rows, without = hb.prune(TREE, CANCER), hb.prune(TREE)
    assert with_rows.metadata["prunings"][-1]["pruning"] == {"name": "cost_complexity", "rule": "minimum"}
    assert without.metadata["prunings"][-1]["pruning"] == {"name": "error_based", "confidence": 0.05, "raising": False}
    assert max(with_rows.n_leaves, without.n_leaves) < TREE.n_leaves


def test_rows_are_the_pruning_set_of_a_pruning_that_needs_one():
    rows = np.arange(len(CANCER))
    tree, others = hb.grow(CANCER.take(rows % 2 == 0), "plain"), CANCER.take(rows % 2 == 1)
    expected = hb.prune(tree, "reduced_error", hb.PruningData(pruning_set=others))
    assert hb.prune(tree, "reduced_error", others).n_leaves == expected.n_leaves


def test_rows_may_be_a_frame_with_the_columns_of_the_tree():
    pandas = pytest.importorskip("pandas")
    target = CANCER.target
    frame = pandas.DataFrame({column.name: column.values for column in CANCER.columns})
    frame[target.name] = np.array(target.levels, dtype=object)[target.values]
    assert hb.prune(TREE, "one_se", frame).n_leaves == hb.prune(TREE, "one_se", CANCER).n_leaves


@pytest.mark.parametrize("by", ["groups", "times"])
def test_groups_and_times_divide_the_folds(monkeypatch, by):
    import importlib

    module = importlib.import_module("hornbeam.recipes.prune")
    values = np.arange(len(CANCER)) // 6
    seen = []
    original = module.Folds
    monkeypatch.setattr(
        module, "Folds", lambda table, splits, *more: seen.extend(splits) or original(table, splits, *more)
    )
    hb.prune(TREE, "minimum", CANCER, folds=3, **{by: values})
    assert len(seen) == 3
    for split in seen:
        assert not set(values[split.train]) & set(values[split.test])
        assert by == "groups" or values[split.train].max() < values[split.test].min()


def test_what_is_missing_is_named():
    with pytest.raises(InputError, match="rule 'one_se' requires rows"):
        hb.prune(TREE, "one_se")
    with pytest.raises(OptionError, match="folds, groups and times require rows"):
        hb.prune(TREE, "pessimistic", folds=3)
    with pytest.raises(OptionError, match="Pass the pruning before the rows"):
        hb.prune(TREE, CANCER, CANCER)
    numbers = hb.read({"x": list(range(9)), "y": [value / 2 for value in range(9)]}, target="y")
    with pytest.raises(InputError, match=r"regression tree is chosen on rows.*prune\(tree, table\)"):
        hb.prune(hb.grow(numbers, "plain"))
    assert hb.prune(hb.grow(numbers, "plain"), numbers).n_leaves >= 1
    with pytest.raises(InputError, match="include the model's target"):
        hb.prune(TREE, "minimum", CANCER.without_target())


def test_forests_are_pruned_without_folds():
    forest = hb.forest(CANCER, n_trees=3)
    assert hb.prune(forest).n_nodes < forest.n_nodes
