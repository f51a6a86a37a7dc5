"""All sets of levels: their order, and how many levels the recipes try all of."""

import itertools

import numpy as np
import pytest

from hornbeam.parts.searches.all_subsets import all_sets
from hornbeam.recipes.recipe import recipe


@pytest.mark.parametrize("m", range(2, 11))
def test_sets_come_by_size_and_then_by_levels(m):
    for largest in range(1, m // 2 + 1):
        chosen = itertools.chain(*(itertools.combinations(range(m), size) for size in range(1, largest + 1)))
        wanted = [inside for inside in chosen if 2 * len(inside) != m or inside[0] == 0]
        assert [tuple(np.flatnonzero(row).tolist()) for row in all_sets(m, largest)] == wanted


def test_ctree_tries_all_sets_of_sixteen_levels():
    (groups,) = (search for search in recipe("ctree").searches if search.name == "best_subset")
    assert (groups.try_all, groups.every_set) == (16, True)
    assert len(all_sets(16, 8)) == 2**15 - 1
