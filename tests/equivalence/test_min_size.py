"""C4.5's least size of a cut under any criterion, and its criterion with any cuts: both growers give the same tree."""

from __future__ import annotations

import numpy as np
import pytest
from tests.equivalence.random_methods import assert_same, table_of_many_values

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.column import numeric
from hornbeam.table.table import Table

CUTS = (
    {"name": "sorted_cuts", "min_size": "min_leaf"},
    {"name": "boundary_points"},
    {"name": "boundary_points", "cut": "data"},
    {"name": "binned_cuts", "bins": 5},
    {"name": "random_pairs", "pairs": 12},
    {"name": "random_cuts"},
)
MISSING = ("skip_column", "learned", {"name": "impute", "scope": "node", "method": "median"})


@pytest.mark.parametrize("missing", MISSING, ids=str)
@pytest.mark.parametrize("cuts", CUTS, ids=str)
def test_other_cuts_have_the_penalty_of_c45_and_their_own_least_size(cuts, missing):
    groups = () if cuts["name"] == "random_cuts" else ("best_subset",)
    for seed in range(12):
        table = table_of_many_values(np.random.default_rng(seed), is_number=False, missing=0.2)
        method = Method(criterion="c45", searches=(cuts, *groups), missing=missing)
        assert_same(table, method, seed=seed)


@pytest.mark.parametrize("missing", MISSING, ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio", "squared_error", "absolute_error"])
def test_other_criteria_have_the_least_size_of_c45(criterion, missing):
    is_number = criterion.endswith("_error")
    changed = 0
    for seed in range(12):
        table = table_of_many_values(np.random.default_rng(100 + seed), is_number=is_number, missing=0.2)
        near = table.columns[0].values.copy()
        near[1::2] = near[::2][: len(near[1::2])] + 5e-6  # too close for a cut
        table = Table((numeric("near", near), *table.columns[1:]), table.target, table.weights)
        usual = Method(criterion=criterion, missing=missing, searches=("sorted_cuts", "best_subset"))
        method = usual.with_changes(searches=({"name": "sorted_cuts", "min_size": "c45"}, "best_subset"))
        assert_same(table, method, seed=seed)
        changed += len(grow(table, usual, seed=seed)) != len(grow(table, method, seed=seed))
    assert changed


@pytest.mark.parametrize("criterion", ["gini", "c45", "squared_error", "absolute_error"])
def test_planes_have_the_least_size_of_the_criterion_whatever_that_of_cuts_is(criterion):
    for seed in range(12):
        table = table_of_many_values(np.random.default_rng(seed), is_number=criterion.endswith("_error"), missing=0.0)
        for min_size in ("min_leaf", "c45"):
            cuts = {"name": "sorted_cuts", "min_size": min_size}
            assert_same(table, Method(criterion=criterion, searches=(cuts, "best_subset", "sparse_planes")), seed=seed)
