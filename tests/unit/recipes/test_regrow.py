"""A subtree that is grown again by the tree's own recipe is the same; by another recipe it is another."""

import numpy as np
import pytest
from tests.unit.recipes.test_candidates import inner_nodes, made

import hornbeam as hb
from hornbeam.tree.edit import subtree_nodes

EXACT = ("parent", "first_child", "n_branches", "missing_branch", "depth", "rows", "surrogate_start")


@pytest.mark.parametrize("more", [{}, {"missing": True}, {"weights": True}, {"numbers": True}])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"stops": [hb.stops.MaxDepth(4)]},
        {"stops": [hb.stops.MinDecrease(0.002)]},
        {"missing": "surrogates"},
        {"searches": [{"name": "sorted_cuts", "cut": "data"}, "best_subset"]},
    ],
    ids=str,
)
def test_the_same_recipe_grows_the_same_subtree(settings, more):
    table = made(**more)
    tree = hb.grow(table, hb.recipe("plain").with_changes(**settings))
    prepared = hb.prepare(table)
    for node in [*inner_nodes(tree, 4), len(tree) - 1]:
        again = hb.regrow(tree, node, prepared)
        assert str(again) == str(tree)
        for name in EXACT:
            np.testing.assert_array_equal(getattr(again.nodes, name), getattr(tree.nodes, name), err_msg=name)
        # Numbers are summed about the mean of the rows of the growth.
        for name in ("weight", "answer", "stats", "gain"):
            np.testing.assert_allclose(getattr(again.nodes, name), getattr(tree.nodes, name), rtol=1e-9, atol=1e-9)


def test_priors_come_from_all_rows():
    table = made()
    tree = hb.grow(table, hb.recipe("plain").with_changes(priors="equal"))
    assert str(hb.regrow(tree, 1, table)) == str(tree)


def test_fractional_rows_reach_a_node_in_part():
    table = made(missing=True)
    tree = hb.grow(table, hb.recipe("c45").with_changes(pruning=None))
    again = hb.regrow(tree, 1, table)
    np.testing.assert_allclose(again.nodes.weight[0], tree.nodes.weight[0])
    np.testing.assert_allclose(again.nodes.weight[1], tree.nodes.weight[1])


def test_another_recipe_changes_one_subtree_only():
    table = made()
    tree = hb.grow(table, "plain")
    stump = hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(2)])
    again = hb.regrow(tree, 1, table, stump)
    assert again.nodes.depth[list(subtree_nodes(again, 1))].max() == 2
    assert len(again) < len(tree)
    right, old_right = int(again.nodes.first_child[0]) + 1, int(tree.nodes.first_child[0]) + 1
    assert len(subtree_nodes(again, right)) == len(subtree_nodes(tree, old_right))
    assert str(hb.regrow(again, 1, table, "plain")) == str(tree)


def test_a_leaf_is_regrown_too():
    table = made()
    small = hb.grow(table, hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(1)]))
    assert len(hb.regrow(small, 1, table, "plain")) > len(small)


def test_the_subtree_handles_missing_values_as_the_tree_does():
    table = made()
    with pytest.raises(hb.errors.InputError, match="must handle missing values as the tree does"):
        hb.regrow(hb.grow(table, "plain"), 1, table, "cart")
    with pytest.raises(hb.errors.InputError, match="The tree has nodes 0 to"):
        hb.regrow(hb.grow(table, "plain"), -1, table)


def test_a_subtree_of_other_columns_is_refused():
    tree = hb.grow(made(), "plain")
    other = hb.grow(made().select(["x0", "kind"]), "plain")
    with pytest.raises(hb.errors.InputError, match="must have the columns"):
        hb.tree.replace_subtree(tree, 1, other)
