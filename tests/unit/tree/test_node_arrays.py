"""Arrays that were left out are what they would have been; arrays shared by many trees is shared and given back."""

import gc

import numpy as np
import pytest
from hypothesis import given
from tests.strategies import trees

import hornbeam as hb
from hornbeam.tree.node_arrays import Shared, depths
from hornbeam.tree.nodes import Nodes


@given(trees())
def test_parents_and_depths_follow_from_the_children(tree):
    whole = tree.nodes.arrays()
    nodes = Nodes(**{name: array for name, array in whole.items() if name not in ("parent", "depth")})
    np.testing.assert_array_equal(nodes.parent, whole["parent"])
    np.testing.assert_array_equal(nodes.depth, whole["depth"])


def test_depths_of_a_long_chain():
    np.testing.assert_array_equal(depths(np.arange(-1, 99_999)), np.arange(100_000))


@pytest.mark.parametrize("name", ["iris", "prostate"])
def test_what_the_core_leaves_out_is_what_the_plain_grower_writes(name):
    table = hb.datasets.load(name)
    grown, plain = (hb.grow(table, "plain", engine=engine).nodes for engine in ("core", "python"))
    assert {"parent", "depth", "weight"}.isdisjoint(grown.given)
    for field, array in plain.arrays().items():
        if field == "question":  # the plain grower writes a question that is used again but once
            continue
        np.testing.assert_allclose(getattr(grown, field), array, rtol=1e-12, atol=1e-12, err_msg=field)


def test_what_is_made_for_others_is_not_kept_and_what_is_requested_is():
    nodes = hb.grow(hb.datasets.load("iris"), "plain").nodes
    nodes.arrays(("parent",))
    assert "parent" not in vars(nodes)
    assert nodes.parent is nodes.parent
    assert not nodes.parent.flags.writeable
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        nodes.colour  # noqa: B018


def test_other_arrays_leave_the_rest_as_it_was():
    nodes = hb.grow(hb.datasets.load("iris"), "plain").nodes
    other = nodes.replace(answer=np.zeros(len(nodes)))
    assert not other.answer.any()
    assert other.stats is nodes.stats
    np.testing.assert_array_equal(other.parent, nodes.parent)


def test_shared_arrays_are_one_while_held_and_gone_after():
    made = []
    share = Shared(lambda n: made.append(n) or np.zeros(n))
    assert share(100).base is share(90).base
    first, second = share(1000), share(900)
    assert first.base is second.base
    assert len(share(10_000)) == 10_000
    del first, second
    gc.collect()
    assert len(share(1000)) == 1000
    assert len(made) == 4
