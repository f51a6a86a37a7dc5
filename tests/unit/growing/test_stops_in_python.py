"""Stopping rules, reasons of leaves and rows without a branch in the reference implementation."""

import numpy as np
import pytest
from tests.unit.growing.tables import PLAIN, random_table

from hornbeam.errors import InputError
from hornbeam.growing.in_python import grow
from hornbeam.parts.stops.eta import Eta
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.parts.stops.max_leaves import MaxLeaves
from hornbeam.parts.stops.max_nodes import MaxNodes
from hornbeam.parts.stops.min_decrease import MinDecrease
from hornbeam.parts.stops.min_gain import MinGain
from hornbeam.parts.stops.min_leaf import MinLeaf
from hornbeam.parts.stops.min_split import MinSplit
from hornbeam.parts.stops.purity import Purity
from hornbeam.parts.stops.same_vectors import SameVectors
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.nodes import STAY

REASONS = [
    (MaxDepth(depth=0), "depth"),
    (MinSplit(rows=41), "below min_split"),
    (MinLeaf(rows=21), "below min_leaf"),
    (MinLeaf(rows=1, weight=20.5), "below min_leaf"),
    (Eta(rows=40), "at most eta rows"),
    (Purity(pi=0.2), "purity"),
    (MinGain(beta=1.0), "min gain"),
    (MinDecrease(decrease=1.0), "min decrease"),
    (MaxLeaves(leaves=1), "leaves"),
    (MaxNodes(nodes=2), "nodes"),
]


@pytest.mark.parametrize(("stop", "reason"), REASONS, ids=lambda each: getattr(each, "name", each))
def test_a_stop_makes_a_leaf_and_gives_the_reason(stop, reason):
    tree = grow(random_table(1), PLAIN.with_changes(stops=[stop]))
    assert len(tree) == 1
    assert tree.reason(0) == reason


def test_a_node_at_the_limit_is_not_stopped_where_the_rule_excludes_it():
    table = random_table(1)
    whole = grow(table, PLAIN.with_changes(stops=[MaxDepth(depth=1)]))
    gain = float(whole.nodes.gain[0])
    assert len(grow(table, PLAIN.with_changes(stops=[MaxDepth(depth=1), MinDecrease(decrease=gain)]))) == 3
    assert len(grow(table, PLAIN.with_changes(stops=[MaxDepth(depth=1), MinGain(beta=gain)]))) == 1


def test_rows_that_are_all_alike_stop_with_their_own_reason():
    table = Table((numeric("x", [1.0, 1.0, np.nan, np.nan][:2]),), nominal("y", [0, 1], ("a", "b")))
    assert grow(table, PLAIN.with_changes(stops=[SameVectors()])).reason(0) == "identical rows"
    assert grow(table, PLAIN).reason(0) == "no improvement"


def test_no_leaf_is_smaller_than_requested():
    for seed in range(5):
        tree = grow(random_table(seed), PLAIN.with_changes(stops=[MinLeaf(rows=4)]))
        assert tree.nodes.rows.min() >= 4


def test_rows_of_unknown_answer_follow_the_majority_or_stay():
    x = [1.0, 1.0, 1.0, 9.0, 9.0, np.nan]
    table = Table((numeric("x", x),), nominal("y", [0, 0, 0, 1, 1, 1], ("a", "b")))
    follow = grow(table, PLAIN.with_changes(missing="skip_column", stops=[MaxDepth(depth=1)]))
    assert follow.nodes.missing_branch[0] == 0
    assert follow.nodes.rows.tolist() == [6, 4, 2]
    # Known rows gain .48; 5 of 6 rows are known.
    assert follow.nodes.gain[0] == pytest.approx(0.48 * 5 / 6)
    stay = grow(table, PLAIN.with_changes(missing={"name": "skip_column", "route": "stay"}, stops=[MaxDepth(depth=1)]))
    assert stay.nodes.missing_branch[0] == STAY
    assert stay.nodes.rows.tolist() == [6, 3, 2]
    dropped = grow(table, PLAIN.with_changes(missing="drop_rows"))
    assert dropped.nodes.rows.tolist() == [5, 3, 2]
    assert dropped.metadata["notes"] == ["1 of 6 rows with missing values were excluded."]


def test_ordinal_columns_are_cut_between_levels():
    table = Table(
        (ordinal("size", [0, 0, 1, 2, 2], ("small", "middle", "large")),), nominal("y", [0, 0, 0, 1, 1], ("a", "b"))
    )
    tree = grow(table, PLAIN)
    assert tree.question(0).text(tree.schema) == "size <= middle"


def test_rows_without_target_or_weight_are_left_out_and_counted():
    table = Table(
        (numeric("x", [1.0, 2.0, 3.0, 4.0]),), nominal("y", [0, 1, -1, 1], ("a", "b")), np.array([1.0, 1.0, 1.0, 0.0])
    )
    tree = grow(table, PLAIN)
    assert tree.nodes.rows[0] == 2
    assert len(tree.metadata["notes"]) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"weights": np.array([1.0, -1.0])}, "got -1.0 in row 1"),
        ({"target": None}, "requires a table with a target"),
        ({"target": numeric("y", [1.0, np.inf])}, "infinite in row 1"),
    ],
)
def test_what_cannot_be_grown_on_is_reported(change, words):
    given_table = {"columns": (numeric("x", [1.0, 2.0]),), "target": nominal("y", [0, 1], ("a", "b"))}
    with pytest.raises(InputError, match=words):
        grow(Table(**{**given_table, **change}), PLAIN)
