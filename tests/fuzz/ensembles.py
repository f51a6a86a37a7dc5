"""Random forests and boosted models for the fuzzer, compiled compared with reference."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.fuzz.compare import assert_equal_trees, assert_same_bytes, check_file
from tests.fuzz.tables import random_table

from hornbeam.ensembles.forest import grow_forest
from hornbeam.ensembles.methods.boosting import boost
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.errors import HornbeamError
from hornbeam.growing.method import Method

CLASS_LOSSES = ("logistic", "softmax")
NUMBER_LOSSES = ("squared", "absolute", "quantile")


def check_forest(rng: np.random.Generator) -> str:
    """A forest of two trees grown by both engines."""
    table, kind = random_table(rng)
    criterion = str(rng.choice(("gini", "entropy"))) if kind == "class" else "squared_error"
    stops = [
        "pure",
        {"name": "min_leaf", "rows": int(rng.integers(1, 4))},
        {"name": "max_depth", "depth": int(rng.integers(1, 9))},
    ]
    searches = ["random_cuts"] if rng.random() < 0.4 else ["sorted_cuts", "best_subset"]
    settings: dict[str, Any] = {
        "n_trees": 2,
        "seed": int(rng.integers(0, 100)),
        "sampling": RowSampling(
            method=str(rng.choice(("none", "rows", "classes", "balanced"))),
            with_replacement=bool(rng.random() < 0.6),
            fraction=float(rng.choice([1.0, 0.6])),
        ),
        "rebalance": kind == "class" and bool(rng.random() < 0.2),
    }
    try:
        method = Method(
            criterion=criterion,  # type: ignore[arg-type]
            searches=searches,  # type: ignore[arg-type]
            stops=stops,  # type: ignore[arg-type]
            max_features=[None, 1, 2, "sqrt"][int(rng.integers(4))],  # type: ignore[arg-type]
            allow_zero_gain=bool(rng.random() < 0.5),
        )
        core = grow_forest(table, method, threads=1, **settings)
    except HornbeamError:
        return "forest refused"
    reference = grow_forest(table, method, engine="python", **settings)
    for one, other in zip(core, reference, strict=True):
        assert_equal_trees(one, other)
    assert_same_bytes(core, grow_forest(table, method, threads=2, **settings))
    check_file(core, table)
    return "forest compared"


def check_boosting(rng: np.random.Generator) -> str:
    """A boosted model of three rounds by both engines."""
    table, kind = random_table(rng)
    losses = CLASS_LOSSES if kind == "class" else (*NUMBER_LOSSES, "poisson") if kind == "count" else NUMBER_LOSSES
    settings: dict[str, Any] = {
        "loss": str(rng.choice(losses)),
        "quantile": 0.3,
        "n_rounds": 3,
        "learning_rate": 0.3,
        "max_leaves": int(rng.integers(2, 9)) if rng.random() < 0.7 else None,
        "max_depth": int(rng.integers(1, 5)),
        "order": str(rng.choice(["best_first", "level_wise"])),
        "min_rows": [None, 1, 3, 5, 11][int(rng.integers(5))],
        "l1": float(rng.choice([0, 0.5])),
        "l2": [None, 0.0, 1.0][int(rng.integers(3))],
        "categorical_l2": float(rng.choice([0, 10.0])),
        "categorical_smoothing": float(rng.choice([0, 5.0])),
        "gamma": float(rng.choice([0, 0.1])),
        "bins": int(rng.choice([2, 4, 20, 255])),
        "rows_per_tree": float(rng.choice([1.0, 0.6])),
        "columns_per_tree": float(rng.choice([1.0, 0.7])),
        "columns_per_node": [None, 1.0, 0.6][int(rng.integers(3))],
        "min_f": [None, 0.0, 2.0][int(rng.integers(3))],
        "joint_trees": rng.random() < 0.8,
        "validation_fraction": (held_out := 0.3 if rng.random() < 0.2 else None),
        "stop_by_training": held_out is None and rng.random() < 0.2,
        "seed": int(rng.integers(0, 1000)),
    }
    try:
        core = boost(table, threads=1, **settings)
    except HornbeamError:
        return "boosting refused"
    reference = boost(table, engine="python", **settings)
    assert len(core) == len(reference), f"{len(core)} trees against {len(reference)} of the reference"
    for one, other in zip(core, reference, strict=True):
        assert_equal_trees(one, other)
    assert_same_bytes(core, boost(table, threads=2, **settings))
    check_file(core, table)
    return "boosting compared"
