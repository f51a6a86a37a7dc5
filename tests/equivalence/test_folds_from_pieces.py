"""Trees of folds from pieces, and prunings chosen by them, are those of memory with the same folds."""

import numpy as np
import pytest
from tests.equivalence.test_pieces import assert_same_bits, table_of

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.prunings.machinery.complexity_table import complexity_table
from hornbeam.parts.prunings.machinery.node_sums import NodeSums
from hornbeam.parts.prunings.machinery.prune import prune
from hornbeam.parts.prunings.machinery.pruning_data import Folds, PruningData
from hornbeam.scale.folds import grow_with_folds
from hornbeam.scale.in_memory import binned_in_memory
from hornbeam.scale.row_hash import fold_of_rows

SEED = 4
BRIER = {"name": "cost_complexity", "rule": "minimum", "choose_by": "brier", "measure": "impurity"}
CLASS_PRUNINGS = ("minimum", "one_se", BRIER, "best_size", "critical_value", {"name": "minimum_error", "m": None})
NUMBER_PRUNINGS = ("minimum", "one_se", "best_size", "critical_value")


def both_folds(table, missing, n_folds=10, cuts=(100, 333)):
    method = Method(missing=missing, stops=("pure", {"name": "min_leaf", "rows": 5}))
    data = binned_in_memory(table, cuts=cuts)
    tree, folds = grow_with_folds(data, method, n_folds=n_folds, seed=SEED, memory_limit=10**5)

    def grow_tree(rows):
        return grow(rows, method, engine="core", seed=SEED)

    return tree, folds, grow_tree(table), Folds(table, fold_of_rows(SEED, n_folds, 0, len(table)), grow_tree)


@pytest.mark.parametrize("missing", ["skip_column", "surrogates", "learned", "impute"])
@pytest.mark.parametrize("weights", [None, "integers", "fractions"])
@pytest.mark.parametrize("is_number", [False, True])
def test_prunings_choose_the_tree_of_memory_with_the_same_folds(missing, weights, is_number):
    table = table_of(3, is_number=is_number, missing=0.1, weights=weights, n=600)
    tree, folds, whole, in_memory = both_folds(table, missing)
    if not (is_number and weights):
        assert_same_bits(tree, whole)
    for (ours, sums), (theirs, rows) in zip(folds.trees, in_memory.trees, strict=True):
        assert len(ours) == len(theirs)
        assert len(sums) == len(rows)
    for pruning in NUMBER_PRUNINGS if is_number else CLASS_PRUNINGS:
        ours, theirs = (prune(tree, pruning, PruningData(folds=each)) for each in (folds, in_memory))
        assert len(ours) == len(theirs), pruning
        assert ours.n_leaves < tree.n_leaves or pruning == "critical_value"


@pytest.mark.parametrize("is_number", [False, True])
def test_the_complexity_table_is_that_of_memory_with_the_same_folds(is_number):
    table = table_of(5, is_number=is_number, missing=0.1, n=500)
    tree, folds, whole, in_memory = both_folds(table, "skip_column", n_folds=5)
    ours, theirs = complexity_table(tree, folds), complexity_table(whole, in_memory)
    np.testing.assert_allclose(ours.xerror, theirs.xerror, rtol=1e-9)
    np.testing.assert_allclose(ours.xstd, theirs.xstd, rtol=1e-9)
    assert ours.chosen() == theirs.chosen()


def test_sums_of_folds_do_not_depend_on_the_pieces():
    table = table_of(7, is_number=True, missing=0.1, weights="fractions", n=500)
    found = [both_folds(table, "skip_column", cuts=cuts)[1] for cuts in ((), (1, 50, 51, 400))]
    for (_, one), (_, other) in zip(found[0].trees, found[1].trees, strict=True):
        assert np.array_equal(one.sums.values(), other.sums.values())


def test_a_pruning_set_in_parts_prunes_as_its_rows_do():
    for is_number in (False, True):
        table, rows = (table_of(seed, is_number=is_number, missing=0.1, n=400) for seed in (1, 2))
        tree = grow(table, Method(), seed=1)
        sums = NodeSums.of(tree)
        for start in range(0, 400, 90):
            sums.add(tree, rows.take(np.arange(start, min(start + 90, 400))))
        for pruning in ("reduced_error", "held_out", "minimum", "one_se"):
            ours, theirs = (prune(tree, pruning, PruningData(pruning_set=each)) for each in (sums, rows))
            assert len(ours) == len(theirs)
            assert ours.metadata["prunings"] == theirs.metadata["prunings"] or pruning == "held_out"
