"""Contributions: the worked example, how they read, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from tests.examples import EXAMPLES
from tests.unit.tree.example_trees import grown, mixed_columns, mixed_tree

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.table.column import ColumnSpec, Kind, numeric
from hornbeam.table.table import Schema
from hornbeam.tree.forest import combine_trees, score_schema
from hornbeam.tree.questions import Hyperplane, Threshold

NUMBER = Schema((ColumnSpec("x0", Kind.NUMERIC), ColumnSpec("x1", Kind.NUMERIC)), ColumnSpec("y", Kind.NUMERIC))


def columns(rows):
    return tuple(numeric(f"x{j}", values) for j, values in enumerate(np.array(rows, dtype=float).T))


def example_tree():
    """E12.3: x0 <= 0.5 ? (x1 <= 0.5 ? 1 [30] : 5 [10]) : 10 [60]."""
    return grown(NUMBER, (Threshold(0, 0.5), [(Threshold(1, 0.5), [[30, 1.0, 0.0], [10, 5.0, 0.0]]), [60, 10.0, 0.0]]))


@pytest.mark.parametrize("engine", ["core", "python"])
def test_the_worked_example_in_both_games(engine):
    given = EXAMPLES["E12.3"]
    expected, rows = given["expected"], columns([given["input"]["x"]])
    found = hb.shap_values(example_tree(), rows, engine=engine)
    assert found.base == pytest.approx([expected["path_dependent"]["base"]])
    assert found.values[0, :, 0] == pytest.approx(expected["path_dependent"]["phi"])
    assert found.prediction[0, 0] == expected["path_dependent"]["prediction"]
    found = hb.shap_values(example_tree(), rows, background=columns(given["input"]["background"]), engine=engine)
    assert found.base == pytest.approx([expected["interventional"]["base"]])
    assert found.values[0, :, 0] == pytest.approx(expected["interventional"]["phi"])


def test_a_row_is_printed_from_base_to_prediction():
    found = hb.shap_values(example_tree(), columns([[0, 1]]))
    assert str(found) == (
        "Row 0: y\ncolumn       value   contribution\nbase                          6.8\n"
        "x0               0           -3.9\nx1               1           +2.1\nprediction                      5"
    )
    assert found.of(0) == pytest.approx({"x0": -3.9, "x1": 2.1})
    assert found.as_dict(0)["contributions"] == found.of(0)
    assert "<table>" in found._repr_html_()


def test_contributions_to_all_classes_sum_to_zero():
    found = hb.shap_values(mixed_tree(), mixed_columns(30))
    np.testing.assert_allclose(found.values.sum(axis=2), 0.0, atol=1e-12)
    assert found.outputs == ("a", "b", "c")
    assert list(found.strength("a")) == list(found.strength("a"))
    assert "mean absolute" in str(found)


def test_a_forest_adds_its_members_by_weight_and_scores_are_explained_before_the_link():
    tree = example_tree()
    rows = columns([[0, 1], [1, 1]])
    alone = hb.shap_values(tree, rows)
    mean = hb.shap_values(combine_trees([tree, tree], weights=np.array([1.0, 3.0])), rows)
    np.testing.assert_allclose(mean.values, alone.values, atol=1e-12)
    two = Schema(NUMBER.columns, ColumnSpec("c", Kind.NOMINAL, ("no", "yes")))
    member = grown(score_schema(two), (Threshold(0, 0.5), [[30, -1.0, 0.0], [60, 2.0, 0.0]]))
    boosted = combine_trees([member, member], schema=two, weights=np.full(2, 0.5), combine="sum", link="logistic")
    found = hb.shap_values(boosted, rows)
    assert (found.scale, found.outputs) == ("score", ("yes",))
    np.testing.assert_allclose(found.values.sum(axis=1) + found.base, [[-1.0], [2.0]])


def test_a_question_about_many_columns_probabilities_alike_among_them():
    tree = grown(NUMBER, (Hyperplane((0, 1), (1.0, 1.0), 0.0), [[5, 1.0, 0.0], [5, 3.0, 0.0]]))
    # Answered only when both have joined: 3 - 2 in two halves.
    assert hb.shap_values(tree, columns([[1, 1]])).values[0, :, 0] == pytest.approx([0.5, 0.5])


def test_no_rows_and_no_questions_are_fine():
    assert str(hb.shap_values(example_tree(), columns(np.zeros((0, 2))))) == "No rows."
    leaf = hb.shap_values(grown(NUMBER, [3, 4.0, 0.0]), columns([[0, 1]]))
    assert (leaf.base.tolist(), leaf.values.tolist()) == ([4.0], [[[0.0], [0.0]]])


def test_invalid_arguments_are_rejected():
    tree, rows = example_tree(), columns([[0, 1]])
    with pytest.raises(OptionError, match="engine must be one of"):
        hb.shap_values(tree, rows, engine="fast")
    with pytest.raises(InputError, match="fitted estimator is needed; got 'str'"):
        hb.shap_values("tree", rows)
    with pytest.raises(InputError, match="background has no rows"):
        hb.shap_values(tree, rows, background=columns(np.zeros((0, 2))))
    with pytest.raises(InputError, match="row must be between 0 and 0"):
        hb.shap_values(tree, rows).of(1)
    with pytest.raises(InputError, match="Unknown output 'z'"):
        hb.shap_values(tree, rows).of(0, "z")
