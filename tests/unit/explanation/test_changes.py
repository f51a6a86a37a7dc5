"""Counterfactuals: the worked example, nothing nearer by brute force, frozen columns, directions, missing values."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from tests.examples import EXAMPLES
from tests.strategies import trees_with_rows
from tests.unit.tree.example_trees import grown

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.explanation.allowed_changes import AllowedChanges, column_cost
from hornbeam.table.column import Column, ColumnSpec, Kind, nominal, numeric
from hornbeam.table.table import Schema
from hornbeam.tree.forest import combine_trees
from hornbeam.tree.nodes import ALL_BRANCHES
from hornbeam.tree.questions import Combined, Hyperplane, Literal, Subset, Threshold

BOXES = ("threshold", "intervals", "subset", "multiway", "is_missing", "combined", "named")
TWO = Schema(
    (ColumnSpec("x0", Kind.NUMERIC), ColumnSpec("x1", Kind.NUMERIC)), ColumnSpec("y", Kind.NOMINAL, ("neg", "pos"))
)


def example_tree(**more):
    """E12.4: x0 <= 2: neg; x0 > 2, x1 <= 5: pos; x0 > 2, x1 > 5: neg."""
    return grown(TWO, (Threshold(0, 2.0), [[5, 0], (Threshold(1, 5.0), [[0, 4], [3, 0]])]), **more)


def row(*values):
    return tuple(numeric(f"x{i}", [value]) for i, value in enumerate(values))


def test_the_worked_example_moves_both_columns():
    example = EXAMPLES["E12.4"]
    scales = dict(zip(("x0", "x1"), example["input"]["mad"], strict=True))
    found = hb.counterfactual(example_tree(), row(*example["input"]["query"]), target_class="pos", scales=scales)
    assert found.distance == pytest.approx(example["expected"]["distance"], abs=1e-6)
    assert [each.value for each in found.changes] == pytest.approx(example["expected"]["point"], abs=1e-6)
    assert (found.before, found.after, found.is_exact) == ("neg", "pos", True)


def test_a_frozen_column_stays_and_a_one_way_column_does_not_turn_back():
    tree, here = example_tree(), row(1.0, 7.0)
    assert hb.counterfactual(tree, here, frozen=["x1"]).after is None
    assert "no allowed change" in str(hb.counterfactual(tree, here, frozen=["x1"]))
    assert hb.counterfactual(tree, here, directions={"x1": "up"}).after is None
    assert hb.counterfactual(tree, here, directions={"x1": "down", "x0": "up"}).after == "pos"


def test_costs_choose_between_ways():
    tree = grown(TWO, (Threshold(0, 2.0), [[0, 5], (Threshold(1, 5.0), [[0, 4], [9, 0]])]))
    here = row(3.0, 6.0)
    assert [c.column for c in hb.counterfactual(tree, here, costs={"x1": 3.0}).changes] == ["x0"]
    assert [c.column for c in hb.counterfactual(tree, here, costs={"x0": 3.0}).changes] == ["x1"]


def test_a_row_with_the_requested_prediction_needs_no_change():
    found = hb.counterfactual(example_tree(), row(1.0, 1.0), target_class="neg")
    assert (found.changes, found.distance) == ((), 0.0)
    assert "no change is needed" in str(found)


def test_a_number_is_requested_above_or_below():
    schema = Schema(TWO.columns, ColumnSpec("y", Kind.NUMERIC))
    tree = grown(schema, (Threshold(0, 2.0), [[5, 1.0, 0.0], (Threshold(1, 5.0), [[4, 3.0, 0.0], [3, 9.0, 0.0]])]))
    found = hb.counterfactual(tree, row(0.0, 0.0), above=5.0)
    assert [each.column for each in found.changes] == ["x0", "x1"]
    assert float(found.after) == 9.0
    with pytest.raises(OptionError, match="above= or below="):
        hb.counterfactual(tree, row(0.0, 0.0), target_class="9")


def test_a_failing_conjunction_is_left_by_any_of_its_literals():
    schema = Schema(
        (ColumnSpec("size", Kind.NUMERIC), ColumnSpec("colour", Kind.NOMINAL, ("red", "green"))), TWO.target
    )
    both = Combined((Literal(Threshold(0, 4.0), True), Literal(Subset(1, (0,), (1,), 2))))
    tree = grown(schema, (both, [[0, 5], [5, 0]]))
    here = (numeric("size", [4.5]), nominal("colour", [0], ("red", "green")))
    assert [each.after for each in hb.counterfactual(tree, here).changes] == ["4"]
    assert [each.after for each in hb.counterfactual(tree, here, frozen="size").changes] == ["green"]


def candidates(tree, column, c):
    """Every value that matters to a tree in one column: around its cuts, every level, missing as it is."""
    if column.kind is not Kind.NUMERIC:
        return [int(column.values[0]), *range(len(column.levels))]
    table = tree.questions
    cuts = [float(cut) for q in range(len(table)) if table.column[q] == c for cut in table.reals_of(q)]
    return [float(column.values[0]), *cuts, *(np.nextafter(cut, np.inf) for cut in cuts)]


@settings(max_examples=60)
@given(
    trees_with_rows(
        most_rows=1, kinds=BOXES, surrogates=False, missing=("branch",), unseen=("as_missing",), most_inner=4
    )
)
def test_no_mixture_of_values_that_matter_is_nearer(case):
    tree, columns = case
    if not tree.is_class or len(columns[0]) == 0 or any(np.isinf(c.values).any() for c in columns):
        return
    found = hb.counterfactual(tree, columns)
    d = len(columns)
    allowed = AllowedChanges((False,) * d, (None,) * d, (1.0,) * d, (1.0,) * d)
    best = np.inf
    now = hb.predict(tree, columns).codes[0]
    tried = [candidates(tree, column, c) for c, column in enumerate(columns)]
    if np.prod([len(each) for each in tried]) > 500:
        return
    for values in itertools.product(*tried):
        new = tuple(
            Column(c.name, c.kind, np.array([v], dtype=c.values.dtype), c.levels)
            for c, v in zip(columns, values, strict=True)
        )
        if hb.predict(tree, new).codes[0] != now:
            cost = sum(column_cost(c, a, b, allowed) for c, (a, b) in enumerate(zip(columns, new, strict=True)))
            best = min(best, cost)
    # A strict side is passed by 1e-6 of the scale, one step per column at most.
    assert found.distance <= best + 1e-5 * max(1.0, best)


def test_a_missing_value_stays_missing_or_is_set():
    tree = grown(TWO, (Threshold(0, 2.0), [[5, 0], [0, 4]], 0))
    found = hb.counterfactual(tree, row(np.nan, 1.0))
    assert [(each.before, each.cost) for each in found.changes] == [("missing", 1.0)]
    assert found.after == "pos"


def test_the_prediction_of_a_forest_changes_but_the_change_is_not_proven_smallest():
    forest = combine_trees([example_tree(), example_tree(), grown(TWO, (Threshold(0, 3.0), [[5, 0], [0, 4]]))])
    found = hb.counterfactual(forest, row(1.0, 7.0), target_class="pos")
    assert found.after == "pos"
    assert not found.is_exact
    assert "not proven" in str(found)
    assert hb.counterfactual(forest, row(1.0, 7.0), frozen=["x0", "x1"]).after is None


def test_hyperplanes_and_invalid_arguments_are_rejected():
    with pytest.raises(InputError, match="questions about one column at a time"):
        hb.counterfactual(grown(TWO, (Hyperplane((0, 1), (1.0, 1.0), 0.0), [[5, 0], [0, 4]])), row(-1.0, 0.0))
    with pytest.raises(OptionError, match="Unknown class 'poz'"):
        hb.counterfactual(example_tree(), row(1.0, 7.0), target_class="poz")
    with pytest.raises(OptionError, match="up or down"):
        hb.counterfactual(example_tree(), row(1.0, 7.0), directions={"x0": "left"})
    with pytest.raises(InputError, match="Unknown column 'x9'"):
        hb.counterfactual(example_tree(), row(1.0, 7.0), frozen=["x9"])
    with pytest.raises(InputError, match="row must be between 0 and 0"):
        hb.counterfactual(example_tree(), row(1.0, 7.0), 1)
    shared = grown(TWO, (Threshold(0, 2.0), [[5, 0], [0, 4]], ALL_BRANCHES))
    assert hb.counterfactual(shared, row(1.0, 1.0)).after == "pos"
