"""The core groups levels as the reference search of C4.5's groups does."""

import numpy as np
import pytest
from tests.equivalence.random_methods import assert_same, random_method, random_table

from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.sample import prepare
from hornbeam.recipes.recipe import recipe
from hornbeam.table.column import nominal
from hornbeam.table.table import Table


@pytest.mark.parametrize("seed", range(80))
def test_groups_of_levels_grow_the_same_tree(seed):
    rng = np.random.default_rng(seed)
    n_classes = int(rng.integers(2, 5))
    table = random_table(rng, is_number=False, n_classes=n_classes)
    method = random_method(rng, is_number=False, n_classes=n_classes)
    if method.criterion.name in ("cart_measure", "twoing", "hellinger"):
        method = method.with_changes(criterion="c45", searches=({"name": "sorted_cuts", "min_size": "c45"},))
    method = method.with_changes(searches=(method.searches[0], "c45_groups"))
    assert without_kernel(prepare(table, method)) == ""
    assert_same(table, method)
    assert_same(table, method.with_changes(missing="fractional"))


@pytest.mark.parametrize("n_levels", [3, 12, 30])
def test_many_levels_are_grouped_alike(n_levels):
    rng = np.random.default_rng(n_levels)
    codes, other = rng.integers(0, n_levels, 800), rng.integers(0, 4, 800)
    probabilities = rng.dirichlet(np.ones(3), n_levels)
    y = (rng.random(800)[:, None] > probabilities[codes].cumsum(axis=1)).sum(axis=1).clip(0, 2)
    columns = (
        nominal("v", codes, tuple(f"v{i:02}" for i in range(n_levels + 1))),
        nominal("w", other, tuple("abcde")),
    )
    table = Table(columns, nominal("y", y, tuple("ABC")))
    method = recipe("c45").with_changes(searches=("c45_groups",))
    assert without_kernel(prepare(table, method)) == ""
    assert_same(table, method)
    assert max(grow(table, method).nodes.n_branches) > 1
