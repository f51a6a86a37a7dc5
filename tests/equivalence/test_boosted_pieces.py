"""Trees boosted from pieces are those boosted in memory, bit for bit, where every bin is one value."""

import dataclasses

import numpy as np
import pytest
from tests.equivalence.test_pieces import assert_same_bits, table_of

from hornbeam.ensembles.methods.boosting import Boosting, boost
from hornbeam.scale.boost import boost_binned
from hornbeam.scale.boost_rows import HeldOut
from hornbeam.scale.in_memory import binned_in_memory
from hornbeam.scale.rounds import LocalRounds
from hornbeam.table.column import numeric
from hornbeam.tree.file.files import to_bytes

WEIGHTS = (None, "integers", "fractions")
SETTINGS = {
    "defaults": {},
    "no F test": {"min_f": 0.0},
    "every split is tested": {"min_f": 4.0},
    "7 leaves": {"max_leaves": 7},
    "2 leaves": {"max_leaves": 2},
    "level by level": {"max_leaves": 12, "order": "level_wise"},
    "depth 3": {"max_depth": 3, "max_leaves": None},
    "depth 3 and 20 leaves": {"max_depth": 3, "max_leaves": 20},
    "depth 5 and 20 leaves": {"max_depth": 5, "max_leaves": 20},
    "small leaves": {"min_rows": 1, "min_hessian": 0.0, "l2": 0.0, "max_leaves": 60},
    "penalties": {"l1": 0.5, "l2": 3.0, "gamma": 0.2, "categorical_l2": 5.0, "categorical_smoothing": 2.0},
    "all columns": {"columns_per_node": 1.0},
    "half of the columns per tree": {"columns_per_tree": 0.5, "columns_per_node": 0.5},
    "monotone columns": {"monotone_constraints": {"x0": 1, "x1": -1, "grade": 1}},
    "groups of columns": {"interaction_constraints": (("x0", "colour"), ("x1", "x2", "grade"))},
    "rate 0.5": {"learning_rate": 0.5},
    "leaves that cannot be split": {"min_rows": 400},
}


def boosted(table, settings, *, cuts=None, memory=None, **others):
    data = binned_in_memory(table, cuts=cuts)
    return boost_binned(data, Boosting(**settings), seed=5, memory_limit=memory, **others)


def assert_same_forest(one, other, except_for=("training_rows",)):
    assert len(one) == len(other)
    for ours, theirs in zip(one.trees, other.trees, strict=True):
        assert_same_bits(ours, theirs)
    for forest in (one, other):
        for name in except_for:
            forest.metadata.pop(name, None)
    assert to_bytes(one) == to_bytes(other)


def check(table, settings):
    settings = {"n_rounds": 6, **settings}
    whole = boosted(table, settings)
    assert_same_forest(boost(table, Boosting(**settings), seed=5), whole)
    assert to_bytes(boosted(table, settings, cuts=(20, 21, 160), memory=2000)) == to_bytes(whole)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("target", ["numbers", "two classes", "three classes"])
def test_every_setting_gives_the_trees_in_memory(settings, target):
    kinds = {"numbers": {"is_number": True}, "two classes": {"n_classes": 2}, "three classes": {"n_classes": 3}}
    for seed, weights in enumerate(WEIGHTS):
        table = table_of(seed, n=500, missing=0.1 * (seed % 2), weights=weights, **kinds[target])
        check(table, SETTINGS[settings])


@pytest.mark.parametrize("weights", WEIGHTS)
def test_counts_give_the_trees_in_memory(weights):
    table = table_of(2, n=400, missing=0.1, weights=weights, is_number=True)
    counts = numeric("y", np.round(np.abs(table.target.values)))
    check(dataclasses.replace(table, target=counts), {"loss": "poisson"})


def test_softmax_of_two_classes_and_classes_without_rows():
    check(table_of(4, n_classes=2), {"loss": "softmax"})
    table = table_of(4, n_classes=3)
    check(table.take(np.flatnonzero(table.target.values != 1)), {"loss": "softmax"})


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("is_number", [False, True])
def test_validation_rows_stop_as_the_same_rows_in_memory(weights, is_number):
    table = table_of(7, n=400, missing=0.1, weights=weights, is_number=is_number, n_classes=2)
    if weights == "fractions":  # that a table and a part of it round in the same way
        table = dataclasses.replace(table, weights=np.round(table.weights * 64) / 64)
    settings = {"n_rounds": 60, "learning_rate": 0.4, "early_stopping_rounds": 3, "min_f": 0.0}
    found = boosted(table, {**settings, "validation_fraction": 0.3})
    is_held_out = HeldOut(0.3, 5).rows(0, len(table))
    training, validation = (table.take(np.flatnonzero(rows)) for rows in (~is_held_out, is_held_out))
    expected = boost(training, Boosting(**settings), validation=validation, seed=5)
    assert 1 < len(found) < 60
    assert found.metadata["held_out_loss"] == expected.metadata["held_out_loss"]
    for ours, theirs in zip(found.trees, expected.trees, strict=True):
        assert_same_bits(ours, theirs)
    cut = boosted(table, {**settings, "validation_fraction": 0.3}, cuts=(1, 99, 100, 101, 350))
    assert to_bytes(cut) == to_bytes(found)


def test_the_training_loss_is_recorded_and_stops_as_in_memory():
    table = table_of(8, is_number=True)
    settings = {"n_rounds": 40, "learning_rate": 1.5, "stop_by_training": True, "early_stopping_rounds": 2}
    assert_same_forest(boost(table, Boosting(**settings), seed=5), boosted(table, settings))
    few = {"n_rounds": 5}
    expected = boost(table, Boosting(**few), seed=5, record_loss=True)
    found = boosted(table, few, record_loss=True)
    assert len(found.metadata["training_loss"]) == 5
    assert_same_forest(expected, found)


@pytest.mark.parametrize("settings", [{}, {"rows_per_tree": 0.4}, {"validation_fraction": 0.2, "rows_per_tree": 0.7}])
def test_neither_pieces_nor_threads_nor_memory_nor_lost_states_change_the_model(settings):
    table = table_of(9, n=700, missing=0.1, weights="fractions")
    settings = {"n_rounds": 4, **settings}
    expected = to_bytes(boosted(table, settings))
    random = np.random.default_rng(0)
    for memory in (1, 10_000, 10**6):
        cuts = (0, *np.unique(random.integers(1, 699, 7)).tolist(), 700)  # the first and the last piece are empty
        assert to_bytes(boosted(table, settings, cuts=cuts, memory=memory, threads=3)) == expected
        data = binned_in_memory(table, cuts=cuts)
        forgetful = boost_binned(data, Boosting(**settings), seed=5, rounds=Forgetful(data.pieces))
        assert to_bytes(forgetful) == expected


class Forgetful(LocalRounds):
    """Rounds whose states are lost after every second task of a piece, and that answer pieces in another order."""

    def each(self, task, merged, shared=None):
        found = super().each(task, list, shared)
        self.count = getattr(self, "count", 0) + 1
        if self.count % 2:
            self.states.drop()
        return merged([merged(reversed(found[2:])), merged(found[:2])] if len(found) > 2 else found)


def test_rows_sampled_per_tree_are_a_part_of_all_rows():
    table = table_of(3, n=2000, n_classes=2)
    forest = boosted(table, {"n_rounds": 8, "rows_per_tree": 0.3})
    rows = [int(tree.nodes.rows[0]) for tree in forest.trees]
    assert all(480 < count < 720 for count in rows)
    assert len(set(rows)) > 1
