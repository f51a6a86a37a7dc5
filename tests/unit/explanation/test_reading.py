"""Explanations of rows, partial dependence, stability and diagnostics."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.unit.tree.example_trees import golf_rows, golf_tree, mixed_columns, mixed_tree

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.forest import combine_trees


def test_an_explanation_has_conditions_values_and_how_the_prediction_changes():
    found = hb.explain(golf_tree(), golf_rows([0, 1], [80.0, 70.0]))
    # By hand: 9 of 14 play; of the sunny 2 of 5; above 75 none of 3.
    assert str(found) == (
        "Row 0: Don't Play 100% (3 training rows at leaf 5)\n"
        "  1  outlook = sunny  outlook sunny  Don't Play 36% -> 60%\n"
        "  2  humidity > 75    humidity 80    Don't Play 60% -> 100%"
    )
    assert [step.how for step in found.steps] == ["known", "known"]
    assert found.as_dict()["probabilities"] == {"Play": 0.0, "Don't Play": 1.0}
    assert "<table>" in found._repr_html_()


def test_a_missing_value_is_stated_and_a_fractional_row_ends_the_path():
    found = hb.explain(golf_tree(), golf_rows([0], [np.nan]))
    assert found.steps[-1].how == "fractional"
    assert found.probabilities["Play"] == pytest.approx(0.4)
    assert found.steps[-1].after == pytest.approx(0.6)


def test_explanations_have_the_predictions_of_predict():
    tree, columns = mixed_tree(), mixed_columns(40)
    predicted = hb.predict(tree, columns)
    for row in range(40):
        found = hb.explain(tree, columns, row)
        assert str(found.prediction) == str(predicted.labels[row])
        assert list(found.probabilities.values()) == pytest.approx(predicted.values[row].tolist())


def test_a_path_needs_one_tree_and_a_row_that_exists():
    with pytest.raises(InputError, match="needs one tree; got a forest of 2"):
        hb.explain(combine_trees([golf_tree(), golf_tree()]), golf_rows([0], [80.0]))
    with pytest.raises(InputError, match="row must be between 0 and 0"):
        hb.explain(golf_tree(), golf_rows([0], [80.0]), 5)


def penguins():
    table = hb.datasets.load("penguins")
    return table, hb.grow(table, "cart")


def test_partial_dependence_over_rows_is_the_mean_of_predictions():
    table, tree = penguins()
    found = hb.partial_dependence(tree, "bill_length_mm", table, individual=True)
    assert found.labels() == ["<= 43.35", "> 43.35"]
    columns = list(hb.table.match_columns(tree.schema, table).columns)
    place = tree.schema.position("bill_length_mm")
    columns[place] = dataclasses.replace(columns[place], values=np.full(len(table), 50.0))
    np.testing.assert_allclose(found.mean[1], walk.values(tree, columns).mean(axis=0))
    np.testing.assert_allclose(found.individual[:, 1], walk.values(tree, columns))
    assert "344 rows" in str(found)


def test_partial_dependence_along_the_paths_weighs_branches_by_training_rows():
    found = hb.partial_dependence(golf_tree(), "windy")
    # By hand: windy matters in the rain alone (5 of 14 rows); 2 of 5 sunny rows and all 4 overcast ones play.
    probabilities = dict(zip(found.labels(), found.mean[:, 0].tolist(), strict=True))
    assert probabilities == pytest.approx({"true": 6 / 14, "false": 11 / 14})


def test_partial_dependence_along_the_paths_has_one_column_in_the_coalition():
    tree = mixed_tree()
    base = hb.shap_values(tree, mixed_columns(1)).base
    found = hb.partial_dependence(tree, "grade")
    assert found.mean.shape == (3, 3)
    np.testing.assert_allclose(found.mean.sum(axis=1), 1.0)
    assert np.abs(found.mean - base).max() > 0


def test_partial_dependence_requires_rows_where_it_needs_them():
    with pytest.raises(InputError, match="Curves of single rows need a table"):
        hb.partial_dependence(golf_tree(), "windy", individual=True)
    with pytest.raises(InputError, match="Unknown column"):
        hb.partial_dependence(golf_tree(), "wind")
    assert hb.partial_dependence(golf_tree(), "temperature", None).labels() == ["all values"]


def test_stability_counts_over_resamples_and_the_same_seed_gives_the_same():
    table, _ = penguins()
    found, again = (hb.stability(table, lambda part: hb.grow(part, "cart"), repeats=4, seed=2) for _ in range(2))
    assert found.as_dict() == again.as_dict()
    assert found.root.sum() == pytest.approx(1.0)
    assert (found.used >= found.root - 1e-12).all()
    assert 0.5 < found.agreement.mean() <= 1
    assert "4 models grown on resamples" in str(found)


def test_one_model_for_all_rows_is_wholly_stable():
    table, tree = penguins()
    found = hb.stability(table, lambda part: tree, repeats=3)
    assert found.agreement.tolist() == [1.0, 1.0, 1.0]
    assert len(found.unstable_rows) == 0


def leaking(n=120):
    """The class stands in a column of its own, another column is an id, a third is missing exactly when 'yes'."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, n).astype(np.int32)
    columns = (
        nominal("code", codes, ("a", "b")),
        nominal("id", np.arange(n), tuple(f"r{i}" for i in range(n))),
        numeric("after", np.where(codes == 1, np.nan, rng.normal(size=n))),
    )
    return Table(columns, nominal("y", codes, ("no", "yes")))


def test_diagnostics_find_a_target_leak_and_predictive_missing_values():
    table = leaking()
    kinds = hb.diagnostics(hb.grow(table, "cart"), table).kinds()
    assert {"target leak", "leakage", "missing values", "no test rows"} <= set(kinds)


def test_diagnostics_find_an_identifier_that_is_used():
    table = leaking().select(["id"])
    assert "identifiers" in hb.diagnostics(hb.grow(table, "id3"), table).kinds()


def test_diagnostics_find_test_rows_among_the_training_rows():
    table, tree = penguins()
    found = hb.diagnostics(tree, table, table.take(np.arange(10)))
    assert "10 of 10 test rows have the values of a training row" in str(found)
    assert "no test rows" not in found.kinds()


def test_diagnostics_count_small_leaves_near_ties_and_small_branches():
    x = np.concatenate([np.zeros(300), [1.0, 1.0, 1.0]])
    y = np.concatenate([np.arange(300) % 7 == 0, [True, True, False]]).astype(np.int32)
    table = Table((numeric("x", x),), nominal("y", y, ("no", "yes")))
    found = hb.diagnostics(hb.grow(table, "plain"), table)
    assert {"small leaves", "near ties", "small branches"} <= set(found.kinds())
    assert "1 of 2 leaves have fewer than 5 training rows" in str(found)
    assert "<li>" in found._repr_html_()


def test_a_competitor_question_within_a_hundredth_is_a_near_tie():
    x = np.arange(40.0)
    table = Table((numeric("x", x), numeric("double", 2 * x)), nominal("y", (x > 19).astype(np.int32), ("no", "yes")))
    tree = hb.grow(table, hb.recipe("cart").with_changes(competitors=4))
    assert any("competitor" in each.text for each in hb.diagnostics(tree, table))
