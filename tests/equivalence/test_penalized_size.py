"""The stop by a penalized size: its rule at each node, both growers, and the pruning of the same criterion."""

import numpy as np
import pytest
from tests.equivalence.small_tables import small_table as made

import hornbeam as hb
from hornbeam.errors import OptionError
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.prunings.description_length import DescriptionLength, weighted_impurity
from hornbeam.parts.stops.penalized_size import PenalizedSize

IRIS = hb.datasets.load("iris")


def cost(tree, alpha, impurity):
    """alpha * nodes + the sum over the leaves of weight times impurity."""
    return alpha * len(tree) + weighted_impurity(tree, impurity)[tree.nodes.is_leaf].sum()


@pytest.mark.parametrize("impurity", ["gini", "entropy", "error"])
@pytest.mark.parametrize("alpha", [0.5, 2.0, 8.0])
@pytest.mark.parametrize("seed", range(3))
def test_both_growers_stop_at_the_same_nodes(seed, alpha, impurity):
    data = made(seed, weights=seed == 1)
    changes = {"priors": "equal"} if seed == 2 else {}
    method = Method(stops=("pure", PenalizedSize(alpha=alpha, impurity=impurity)), **changes)
    fast, plain = grow(data, method, engine="core"), grow(data, method, engine="python")
    for name in ("first_child", "reason", "rows", "stats", "answer", "gain"):
        np.testing.assert_allclose(fast.nodes.arrays()[name], plain.nodes.arrays()[name], rtol=1e-9, atol=1e-12)
    assert fast.recipe == plain.recipe


@pytest.mark.parametrize("loss", ["squared", "absolute"])
@pytest.mark.parametrize("seed", range(3))
def test_both_growers_stop_at_the_same_nodes_of_numbers(seed, loss):
    criterion = {"squared": "squared_error", "absolute": "absolute_error"}[loss]
    method = Method(criterion=criterion, loss=loss, stops=("pure", PenalizedSize(alpha=2.0)))
    fast, plain = (grow(made(seed, number=True), method, engine=engine) for engine in ("core", "python"))
    for name in ("first_child", "reason", "rows", "answer"):
        np.testing.assert_allclose(fast.nodes.arrays()[name], plain.nodes.arrays()[name], rtol=1e-9)
    assert len(fast) > 1


@pytest.mark.parametrize("alpha", [0.5, 2.0, 20.0])
@pytest.mark.parametrize("impurity", ["gini", "entropy", "error"])
def test_every_question_lowers_the_cost_and_every_question_refused_would_not(alpha, impurity):
    tree = grow(IRIS, Method(stops=("pure", PenalizedSize(alpha=alpha, impurity=impurity))))
    spread = weighted_impurity(tree, impurity)
    for node in range(len(tree)):
        if tree.nodes.is_leaf[node]:
            continue
        assert spread[node] - spread[list(tree.nodes.children(node))].sum() > 2 * alpha
    ends = hb.predict(tree, IRIS).nodes
    for leaf in np.flatnonzero(tree.nodes.is_leaf):
        if tree.reason(leaf) != "penalized size":
            continue
        once = grow(IRIS.take(np.flatnonzero(ends == leaf)), Method(stops=({"name": "max_depth", "depth": 1},)))
        spread = weighted_impurity(once, impurity)
        assert spread[0] - spread[1:].sum() <= 2 * alpha + 1e-9


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("impurity", ["gini", "entropy", "error"])
def test_the_pruning_of_the_same_criterion_finds_a_tree_of_no_larger_cost(seed, impurity):
    data, alpha = made(seed), 1.5
    stopped = grow(data, Method(stops=("pure", PenalizedSize(alpha=alpha, impurity=impurity))))
    whole = grow(data, Method())
    pruned = hb.prune(whole, DescriptionLength(code="notes", alpha=alpha, impurity=impurity))
    root = hb.tree.collapse(whole, [0])
    assert cost(pruned, alpha, impurity) <= cost(stopped, alpha, impurity) + 1e-9
    assert cost(stopped, alpha, impurity) <= cost(root, alpha, impurity) + 1e-9


def test_equality_is_not_worth_a_question():
    # Four rows, two of each class, divided: weight times Gini falls from 2 to 0 and two nodes are added.
    table = hb.read({"x": [1, 2, 3, 4], "y": list("aabb")}, target="y")
    assert grow(table, Method(stops=(PenalizedSize(alpha=1.0),))).n_leaves == 1
    assert grow(table, Method(stops=(PenalizedSize(alpha=0.99),))).n_leaves == 2
    assert grow(table, Method(stops=(PenalizedSize(alpha=1.0),))).reason(0) == "penalized size"


@pytest.mark.parametrize("more", [{"missing": True}, {}])
def test_where_more_depends_on_it_the_reference_grower_is_used(more):
    limit = () if more else ({"name": "max_leaves", "leaves": 3},)
    method = Method(stops=(PenalizedSize(alpha=1.0), *limit))
    with pytest.raises(OptionError, match="no kernel for the stop penalized_size"):
        grow(made(1, **more), method, engine="core")
    assert len(grow(made(1, **more), method)) > 1


def test_a_tree_stopped_by_it_goes_through_a_file(tmp_path):
    tree = grow(IRIS, Method(stops=(PenalizedSize(alpha=2.0),)))
    hb.save(tree, tmp_path / "a.tree")
    again = hb.load(tmp_path / "a.tree")
    assert [again.reason(node) for node in range(len(again))] == [tree.reason(node) for node in range(len(tree))]
