"""The rows and the loss that choose alpha of cost-complexity pruning."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.parts.prunings import prunings
from hornbeam.parts.prunings.machinery.nested_prunings import losses_along
from hornbeam.tree.walk import node_values


def noisy(n: int) -> hb.Table:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(n, 3))
    y = np.where(x[:, 0] + rng.normal(size=n) > 0, "a", "b")
    return hb.read({"p": x[:, 0], "q": x[:, 1], "r": x[:, 2], "y": y}, target="y")


def default(**changes: object) -> hb.Recipe:
    part = {"name": "cost_complexity", "rule": "minimum", **changes}
    return hb.recipe("plain").with_changes(pruning=part)


def test_one_tenth_of_a_large_table_is_held_out_instead_of_folds():
    table = noisy(400)
    tree = hb.grow(table, default(max_fold_rows=300))
    entry = tree.metadata["prunings"][0]
    assert entry["held_out_rows"] == 40
    assert tree.nodes.rows[0] == 360
    assert 1 < tree.n_leaves < entry["leaves"][0]
    folds = hb.grow(table, default(max_fold_rows=400))
    assert folds.nodes.rows[0] == 400
    assert "held_out_rows" not in folds.metadata["prunings"][0]


def test_a_given_alpha_needs_no_held_out_rows():
    assert prunings.part({"name": "cost_complexity", "max_fold_rows": 10}).pruning_set_parts(100) == 0
    assert prunings.part("reduced_error").pruning_set_parts(100) == 3


@pytest.mark.parametrize("beta", [-1.0, 1.0])
def test_the_brier_score_is_that_of_the_predicted_probabilities(beta):
    table, rows = noisy(200), noisy(80)
    tree = hb.grow(table, hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 2}]))
    level = np.where(tree.nodes.is_leaf, np.nan, 0.5)  # beta 1 cuts every node, beta -1 none
    found = losses_along(tree, level, np.array([beta]), rows, by="brier")
    ends = hb.predict(tree, rows).nodes if beta < 0 else np.zeros(len(rows), dtype=int)
    truth = np.eye(2)[[tree.schema.classes.index(rows.target.levels[code]) for code in rows.target.values]]
    assert found.total[0] == pytest.approx(((node_values(tree)[ends] - truth) ** 2).sum())


def test_costs_choose_alpha_if_there_are_costs():
    loss = {"name": "cost_matrix", "costs": {"a": {"b": 4.0}}}
    trees = [hb.grow(noisy(300), default(choose_by=by).with_changes(loss=loss)) for by in ("cost", "brier")]
    assert trees[0].metadata["prunings"][0]["alpha"] == trees[1].metadata["prunings"][0]["alpha"]
    free = [hb.grow(noisy(300), default(choose_by=by)).n_leaves for by in ("cost", "brier")]
    assert free[0] != free[1]
