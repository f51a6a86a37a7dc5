"""Contributions: compiled equals every subset counted by hand, for every kind of question, missing and unseen rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import columns_for, trees_with_rows
from tests.unit.tree.example_trees import chain, mixed_columns, mixed_tree

from hornbeam.explanation.shap import shap_values
from hornbeam.table.column import numeric

ONE_COLUMN = ("threshold", "intervals", "subset", "multiway", "is_missing")


def scale(found):
    return max(1.0, float(np.abs(found.prediction).max(initial=0)), float(np.abs(found.base).max(initial=0)))


def same(tree, columns, **more):
    fast, plain = (shap_values(tree, columns, engine=engine, **more) for engine in ("core", "python"))
    # Parts of a row below 1e-6 are dropped by prediction, so also by the plain worth of a mixture with a background.
    np.testing.assert_allclose(fast.values / scale(plain), plain.values / scale(plain), atol=1e-5 * bool(more) + 1e-10)
    added = fast.values.sum(axis=1) + fast.base
    np.testing.assert_allclose(added / scale(fast), fast.prediction / scale(fast), atol=1e-5)


@settings(max_examples=60)
@given(trees_with_rows(most_rows=20, unseen=("as_missing", "majority", "stay")))
def test_path_dependent_contributions_equal_those_of_all_subsets(case):
    same(*case)


@settings(max_examples=40)
@given(trees_with_rows(most_rows=20, kinds=ONE_COLUMN, surrogates=False, unseen=("as_missing", "stay")))
def test_path_dependent_contributions_of_one_column_questions_equal_those_of_all_subsets(case):
    same(*case)


@settings(max_examples=60)
@given(trees_with_rows(most_rows=4, unseen=("as_missing", "majority", "stay")), st.data())
def test_contributions_against_a_background_equal_those_of_all_subsets(case, data):
    tree, columns = case
    others = tuple(data.draw(columns_for(spec, 3, True, unseen=True, infinite=True)) for spec in tree.schema.columns)
    same(tree, columns, background=others)


@settings(max_examples=40)
@given(
    trees_with_rows(most_rows=4, kinds=ONE_COLUMN, surrogates=False, missing=("stay", "branch"), unseen=("stay",)),
    st.data(),
)
def test_contributions_by_patterns_equal_those_of_all_subsets(case, data):
    tree, columns = case
    others = tuple(data.draw(columns_for(spec, 5, True, unseen=True)) for spec in tree.schema.columns)
    same(tree, columns, background=others)


@pytest.mark.parametrize("background", [None, mixed_columns(20, seed=3)], ids=["paths", "background"])
def test_threads_do_not_change_a_bit(background):
    tree, columns = mixed_tree(), mixed_columns(700)
    one = shap_values(tree, columns, background=background, threads=1)
    many = shap_values(tree, columns, background=background, threads=5)
    np.testing.assert_array_equal(one.values, many.values)


def test_a_row_gets_the_same_prediction_alone_as_among_others():
    tree, columns = mixed_tree(), mixed_columns(50)
    together = shap_values(tree, columns).values
    for row in (0, 15, 16, 49):
        alone = shap_values(tree, tuple(column.take(np.array([row])) for column in columns)).values
        np.testing.assert_array_equal(alone[0], together[row])


def test_a_very_deep_chain_is_explained():
    tree = chain(20_000)
    found = shap_values(tree, (numeric("x", [3.5, 1e9]),))
    np.testing.assert_allclose(found.values.sum(axis=1) + found.base, found.prediction, atol=1e-9)
