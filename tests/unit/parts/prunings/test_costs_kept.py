"""A tree remembers the costs it was grown with: prunings and importances use them."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.explanation.impurity import impurity_gains

COSTS = {"a": {"b": 10.0}, "b": {"a": 1.0}}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(400, 3))
    target = np.where(x[:, 0] + rng.normal(size=400) > 0.8, "a", "b")
    return hb.table.table_from_arrays(x, target)


def with_costs(costs):
    return hb.recipe("plain").with_changes(
        loss={"name": "cost_matrix", "costs": costs}, stops=[{"name": "max_depth", "depth": 5}]
    )


def test_a_tree_keeps_its_costs(table):
    tree = hb.grow(table, with_costs(COSTS))
    assert tree.metadata["costs"] == [[0.0, 10.0], [1.0, 0.0]]


@pytest.mark.parametrize("pruning", ["cost_complexity", "reduced_error"])
def test_pruning_afterwards_uses_the_costs_of_growth(table, pruning):
    rows = np.arange(len(table))
    grow_rows, prune_rows = table.take(rows[::2]), table.take(rows[1::2])
    tree = hb.grow(grow_rows, with_costs(COSTS))
    costs = np.array(tree.metadata["costs"])
    part = {"name": pruning, "alpha": 0.02} if pruning == "cost_complexity" else pruning
    silent = hb.prune(tree, part, hb.PruningData(pruning_set=prune_rows))
    explicit = hb.prune(tree, part, hb.PruningData(pruning_set=prune_rows, costs=costs))
    without = hb.prune(tree, part, hb.PruningData(pruning_set=prune_rows, costs=1.0 - np.eye(2)))
    assert str(silent) == str(explicit)
    assert str(silent) != str(without)


def test_importance_weighs_nodes_as_the_criterion_did(table):
    """The gains of an altered criterion add up with its own weights: root impurity minus that of the leaves."""
    tree = hb.grow(table, with_costs(COSTS))
    factor = np.array(tree.metadata["criterion_factors"])
    weight = tree.nodes.stats @ factor
    leaf = tree.nodes.is_leaf
    inside = (weight[leaf] * tree.nodes.impurity[leaf]).sum() / weight[0]
    assert impurity_gains(tree).sum() == pytest.approx(tree.nodes.impurity[0] - inside)


def test_importance_divides_by_the_cost_of_a_column(table):
    plain = hb.grow(table, hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 1}]))
    name = table.names[plain.question(0).column]
    expensive = hb.grow(
        table, hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 1}], column_costs={name: 1.25})
    )
    assert expensive.question(0) == plain.question(0)
    assert impurity_gains(expensive).sum() == pytest.approx(impurity_gains(plain).sum() / 1.25)
