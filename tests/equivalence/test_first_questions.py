"""First questions of the user: the core grows the tree of the reference grower, with the same notes."""

from __future__ import annotations

import numpy as np
import pytest
from tests.equivalence.random_methods import assert_equal_trees, random_table
from tests.fuzz.methods import random_first_question

import hornbeam as hb
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare

COMBINATIONS = {
    "stops": {"stops": ("same_vectors", {"name": "max_depth", "depth": 2})},
    "leaves, depth first": {"stops": ({"name": "max_leaves", "leaves": 5},)},
    "leaves, level by level": {"order": "level_wise", "stops": ({"name": "max_leaves", "leaves": 5},)},
    "nodes, best first": {"order": "best_first", "stops": ({"name": "max_nodes", "nodes": 7},)},
    "surrogates": {"missing": "surrogates"},
    "learned": {"missing": "learned"},
    "own_branch": {"missing": "own_branch"},
    "fractional": {"missing": "fractional"},
    "impute": {"missing": "impute"},
    "c45": {"criterion": "c45", "searches": ("sorted_cuts", "multiway")},
    "scores": {"criterion": "chi_square", "competitors": 2, "column_costs": {"c0": 3.0}},
    "quantiles": {"criterion": "absolute_error"},
    "numbers": {"criterion": "squared_error"},
    "bins": {"searches": ({"name": "binned_cuts", "bins": 3}, "best_subset")},
    "sampled columns": {"searches": ("random_cuts",), "max_features": 1},
    "zero gain": {"allow_zero_gain": True},
}


@pytest.mark.parametrize("changes", COMBINATIONS.values(), ids=COMBINATIONS.keys())
def test_first_questions_grow_the_same_tree(changes):
    is_number = str(changes.get("criterion")).endswith("error")
    used = noted = 0
    for seed in range(30):
        rng = np.random.default_rng(3000 + seed)
        table = random_table(rng, is_number=is_number, n_classes=3)
        first = random_first_question(rng, table)
        method = Method(criterion="squared_error" if is_number else "gini").with_changes(
            **{"first_question": first, **changes}
        )
        assert without_kernel(prepare(table, method)) == ""
        core, plain = (grow(table, method, engine=engine, seed=seed, tree=1) for engine in ("core", "python"))
        assert_equal_trees(core, plain)
        assert core.metadata["notes"] == plain.metadata["notes"]
        noted += len(core.metadata["notes"])
        used += len(core) > 1
    assert used > 10
    assert noted > 2


def test_a_score_that_is_not_defined_is_nan_and_the_tree_can_be_saved(tmp_path):
    rows = {"x": [0.0, 1.0, 2.0, 3.0, 4.0], "y": ["a", "b", "a", "b", "b"], "w": [1e-4, 100.0, 50.0, 70.0, 200.0]}
    table = hb.read(rows, target="y", weights="w")
    method = Method(criterion="gain_ratio", first_question={"column": "x", "above": 0.5})
    core, plain = (grow(table, method, engine=engine) for engine in ("core", "python"))
    assert_equal_trees(core, plain)
    assert np.isnan(core.nodes.score[0])
    assert core.nodes.gain[0] > 0
    hb.save(core, tmp_path / "model.tree")
    assert str(hb.load(tmp_path / "model.tree")) == str(core)
