"""Combinations of parts in the core: it grows the tree of the reference implementation, with all its numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.equivalence.random_methods import assert_same, random_method, random_table

from hornbeam.errors import HornbeamError
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

PENALTY = {"threshold": 0.1, "subset": 0.2, "multiway": 0.05, "is_missing": 0.15}
BINS = {"name": "binned_cuts", "bins": 7}
C45_CUTS = {"name": "sorted_cuts", "min_size": "c45"}
AT_DATA = {"name": "sorted_cuts", "cut": "data"}
OC1 = {"name": "oc1_plane", "restarts": 2}
EVERY_SET = {"name": "best_subset", "every_set": True, "try_all": 5}
Changes = dict[str, Any]


def levels(rng: np.random.Generator) -> str:
    return str(rng.choice(("best_subset", "level_vs_rest", "multiway", "many_levels")))


COMBINATIONS: dict[str, Callable[[np.random.Generator], Changes]] = {
    "bins, split_penalty": lambda rng: {"searches": (BINS, levels(rng)), "split_penalty": PENALTY},
    "c45, split_penalty": lambda rng: {
        "criterion": "c45",
        "searches": (C45_CUTS, levels(rng)),
        "split_penalty": PENALTY,
    },
    "every set": lambda rng: {"searches": ("sorted_cuts", EVERY_SET)},
    "zero_one": lambda rng: {"criterion": "loss_decrease", "searches": ("sorted_cuts", levels(rng))},
    "zero_one, chou": lambda rng: {"criterion": "loss_decrease", "searches": ("sorted_cuts", "chou")},
    "zero_one, intervals": lambda rng: {"criterion": "loss_decrease", "searches": ("intervals", "best_subset")},
    "is_missing, competitors": lambda rng: {
        "searches": ("sorted_cuts", levels(rng), "is_missing"),
        "missing": "skip_column",
        "competitors": 3,
    },
    "is_missing, fractional": lambda rng: {
        "searches": ("sorted_cuts", levels(rng), "is_missing"),
        "missing": "fractional",
    },
    "is_missing, impute": lambda rng: {"searches": ("sorted_cuts", levels(rng), "is_missing"), "missing": "impute"},
    "intervals, cuts at data": lambda rng: {
        "searches": ("intervals", AT_DATA, levels(rng)),
        "missing": "skip_column",
    },
    "chou_plane, learned": lambda rng: {"searches": ("sorted_cuts", levels(rng), "chou_plane"), "missing": "learned"},
    "oc1_plane, learned": lambda rng: {"searches": ("sorted_cuts", levels(rng), OC1), "missing": "learned"},
}
ON_NUMBERS: dict[str, Callable[[np.random.Generator], Changes]] = {
    "bins, split_penalty": COMBINATIONS["bins, split_penalty"],
    "every set": COMBINATIONS["every set"],
    "is_missing, fractional": COMBINATIONS["is_missing, fractional"],
    "poisson, spheres": lambda rng: {"criterion": "poisson", "searches": ("sorted_cuts", levels(rng), "spheres")},
    "poisson, sparse_planes": lambda rng: {
        "criterion": "poisson",
        "searches": ("sorted_cuts", levels(rng), "sparse_planes"),
    },
}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", COMBINATIONS)
def test_a_combination_grows_the_same_tree(name: str, seed: int) -> None:
    check(COMBINATIONS[name], seed, is_number=False)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ON_NUMBERS)
def test_a_combination_grows_the_same_tree_of_a_number(name: str, seed: int) -> None:
    check(ON_NUMBERS[name], seed, is_number=True)


@pytest.mark.parametrize("seed", range(6))
def test_a_search_of_levels_does_not_matter_to_a_table_of_numbers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = tuple(numeric(f"c{place}", rng.normal(size=50).round(1)) for place in range(3))
    table = Table(columns, nominal("y", rng.integers(0, 3, 50), tuple("ABC")))
    method = Method(searches=("random_cuts", "multiway"))  # type: ignore[arg-type]
    assert without_kernel(prepare(table, method)) == ""
    assert_same(table, method, seed=seed)


def check(changes: Callable[[np.random.Generator], Changes], seed: int, is_number: bool) -> None:
    """Compare the trees of the first random table that the parts fit."""
    rng = np.random.default_rng((41, seed))
    while True:
        n_classes = int(rng.integers(2, 5))
        table = random_table(rng, is_number=is_number, n_classes=n_classes, missing=0.3)
        method = random_method(rng, is_number=is_number, n_classes=n_classes)
        try:
            method = method.with_changes(
                **{"criterion": "squared_error" if is_number else "gini", "competitors": 0, **changes(rng)}
            )
            start = prepare(table, method)
        except HornbeamError:
            continue
        if len(table) < 10:
            continue
        assert without_kernel(start) == ""
        assert_same(table, method, seed=seed)
        return
