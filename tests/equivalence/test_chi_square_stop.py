"""Tested after growth in the core, or node by node in the plain grower: the same tree."""

import numpy as np
import pytest
from tests.equivalence.small_tables import small_table as table

from hornbeam.errors import OptionError
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.stops.chi_square_test import ChiSquareTest

STOPS = [
    ChiSquareTest(alpha=0.05),
    ChiSquareTest(alpha=0.2, adjust="bonferroni"),
    ChiSquareTest(alpha=0.2, adjust="sidak", yates=False, fisher=False),
]


@pytest.mark.parametrize("stop", STOPS, ids=["plain", "bonferroni", "sidak"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_both_growers_give_the_same_tree(seed, classes, stop):
    data = table(seed, classes, weights=seed % 2 == 1)
    changes = {"priors": "equal"} if seed == 2 else {}
    method = Method(stops=({"name": "pure"}, {"name": "min_leaf", "rows": 2}, stop), **changes)
    fast, plain = grow(data, method, engine="core"), grow(data, method, engine="python")
    assert 1 < len(plain) < len(grow(data, Method(stops=({"name": "min_leaf", "rows": 2},), **changes)))
    for node in np.flatnonzero(~plain.nodes.is_leaf):
        assert fast.question(node) == plain.question(node)
    for name, array in plain.nodes.arrays().items():
        if name == "question":  # places in the tree's list, where questions that were cut leave gaps
            continue
        np.testing.assert_allclose(fast.nodes.arrays()[name], array, rtol=1e-9, atol=1e-12, err_msg=name)
    assert fast.recipe == plain.recipe


@pytest.mark.parametrize("more", [{"missing": True}, {}])
def test_where_more_depends_on_it_the_reference_grower_is_used(more):
    limit = () if more else ({"name": "max_leaves", "leaves": 3},)
    method = Method(stops=(ChiSquareTest(), *limit))
    with pytest.raises(OptionError, match="no kernel for the stop chi_square_test"):
        grow(table(1, **more), method, engine="core")
    assert len(grow(table(1, **more), method)) > 1
