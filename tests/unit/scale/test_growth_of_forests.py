"""Forests from pieces: samples by hashes of rows, so neither pieces nor the trees that share a round change a tree."""

import numpy as np
import pytest

from hornbeam.ensembles.forest import grow_forest
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.errors import OptionError
from hornbeam.growing.method import Method
from hornbeam.scale.forest import grow_forest_binned
from hornbeam.scale.in_memory import binned_in_memory
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

SAMPLED = Method(searches=("binned_cuts", "best_subset"), max_features=2)


def table_of(n=400, *, is_number=False, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 30, (n, 4)).astype(float)
    score = x[:, 0] + x[:, 1] - x[:, 2] + rng.normal(0, 5, n)
    target = numeric("y", score) if is_number else nominal("y", np.digitize(score, (10, 20)), tuple("ABC"))
    return Table(tuple(numeric(f"x{i}", x[:, i]) for i in range(4)), target)


def same(one, other):
    for ours, theirs in zip(one.trees, other.trees, strict=True):
        arrays = theirs.nodes.arrays()
        if not all(np.array_equal(values, arrays[name]) for name, values in ours.nodes.arrays().items()):
            return False
    return True


@pytest.mark.parametrize("is_number", [False, True])
def test_pieces_and_memory_do_not_change_a_forest(is_number):
    table = table_of(is_number=is_number)
    whole = grow_forest_binned(binned_in_memory(table), SAMPLED, n_trees=5, seed=3)
    cut = binned_in_memory(table, cuts=(7, 100, 350))
    assert same(whole, grow_forest_binned(cut, SAMPLED, n_trees=5, seed=3, memory_limit=10_000, threads=2))
    assert not same(whole, grow_forest_binned(cut, SAMPLED, n_trees=5, seed=4))


def test_rows_are_sampled_with_replacement_or_without():
    data = binned_in_memory(table_of(4000))
    stump = Method(searches=("binned_cuts",), stops=({"name": "max_depth", "depth": 1},))
    forest = grow_forest_binned(data, stump, n_trees=3)
    for tree in forest.trees:
        assert abs(tree.nodes.rows[0] / 4000 - (1 - np.exp(-1))) < 0.03
        assert abs(tree.nodes.weight[0] / 4000 - 1) < 0.05
    part = RowSampling(with_replacement=False, fraction=0.25)
    tree = grow_forest_binned(data, stump, n_trees=1, sampling=part).trees[0]
    assert abs(tree.nodes.rows[0] / 4000 - 0.25) < 0.03
    assert tree.nodes.weight[0] == tree.nodes.rows[0]


@pytest.mark.parametrize("is_number", [False, True])
def test_extra_trees_are_those_in_memory(is_number):
    table = table_of(is_number=is_number)
    method, rows = Method(searches=("random_cuts",), max_features=2), RowSampling(method="none")
    expected = grow_forest(table, method, n_trees=4, sampling=rows, seed=5)
    found = grow_forest_binned(binned_in_memory(table, cuts=(33,)), method, n_trees=4, sampling=rows, seed=5)
    for ours, theirs in zip(found.trees, expected.trees, strict=True):
        assert [ours.questions[i] for i in range(len(ours.questions))] == [
            theirs.questions[i] for i in range(len(theirs.questions))
        ]
        arrays = theirs.nodes.arrays()
        for name, values in ours.nodes.arrays().items():
            np.testing.assert_allclose(values, arrays[name], rtol=1e-10, atol=1e-12, err_msg=name)


def test_samples_by_class_are_refused():
    with pytest.raises(OptionError, match="cannot sample rows by balanced: each row is sampled alone"):
        grow_forest_binned(binned_in_memory(table_of()), SAMPLED, sampling=RowSampling(method="balanced"))
