"""Cross-validation and prunings by folds give the results of tables that are cut out and ranked again."""

import numpy as np
import pytest
from tests.unit.recipes.test_candidates import made

import hornbeam as hb
from hornbeam.parts.prunings.machinery.pruning_data import Folds
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.table.divide import table_splits


@pytest.mark.parametrize("recipe", ["plain", "default", "c45"])
@pytest.mark.parametrize("more", [{}, {"missing": True, "weights": True}])
def test_the_predictions_of_folds_are_those_of_trees_of_tables_of_the_rows(recipe, more):
    table = made(**more)
    found = hb.cross_validate(table, recipe, folds=4)
    for split, values in zip(table_splits(table, 4, 0), found.predictions, strict=True):
        tree = hb.grow(table.take(split.train), recipe, seed=0)
        np.testing.assert_array_equal(values, hb.predict(tree, table.take(split.test)).values)


def test_codes_of_classes_that_are_not_text_are_evaluated_as_their_labels():
    table = hb.read({"x": [1.0, 2, 3, 4, 5, 6, 7, 8] * 4, "y": [True, False, False, True] * 8}, target="y")
    numbers = hb.cross_validate(table, "plain", folds=4)["accuracy"].pooled
    texts = hb.read({"x": [1.0, 2, 3, 4, 5, 6, 7, 8] * 4, "y": ["t", "f", "f", "t"] * 8}, target="y")
    assert numbers.value == pytest.approx(hb.cross_validate(texts, "plain", folds=4)["accuracy"].pooled.value)


def test_a_table_that_is_prepared_before_gives_the_same_results_and_keeps_its_ranks():
    table = made(missing=True)
    prepared = hb.prepare(table)
    one, other = hb.cross_validate(prepared, "plain", folds=4), hb.cross_validate(table, "plain", folds=4)
    for ours, theirs in zip(one.predictions, other.predictions, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert prepared.kept_bytes > 0
    assert str(hb.complexity_table(prepared, "cart")) == str(hb.complexity_table(table, "cart"))
    assert str(hb.compare_prunings(prepared, folds=3)) == str(hb.compare_prunings(table, folds=3))


def test_trees_of_a_pruning_by_folds_are_those_of_tables_of_the_rows():
    table = made()
    plain = as_recipe("plain")
    splits = table_splits(table, 3, 0)
    grown = [tree for tree, _ in Folds(hb.prepare(table), splits, lambda rows: hb.grow(rows, plain)).trees]
    assert [str(tree) for tree in grown] == [str(hb.grow(table.take(split.train), plain)) for split in splits]
