"""Losses, missing values, intervals and lookahead with the parts that they are rarely combined with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.equivalence.test_combinations import Changes, check, levels

Combination = Callable[[np.random.Generator], Changes]

COSTS = {"name": "loss_decrease", "loss": {"name": "cost_matrix", "costs": {"A": {"B": 4.0}, "B": {"A": 0.5}}}}
RATES = {"name": "loss_decrease", "loss": "poisson"}
QUANTILE = {"name": "loss_decrease", "loss": {"name": "pinball", "tau": 0.7}}
BY_RATIO = {"name": "level_vs_rest", "method": "ratio"}


def scored(rng: np.random.Generator) -> str:
    """A strategy in which missing values take part in scores."""
    return str(rng.choice(("learned", "own_branch")))


def any_missing(rng: np.random.Generator) -> Any:
    found = str(rng.choice(("learned", "own_branch", "surrogates", "fractional", "impute")))
    return imputed(rng) if found == "impute" else found


def ahead(rng: np.random.Generator) -> Changes:
    return {"name": "lookahead", "when": str(rng.choice(("stuck", "always")))}


def imputed(rng: np.random.Generator) -> Changes:
    return {"name": "impute", "scope": "node", "method": str(rng.choice(("mean", "median", "mode")))}


def cuts(rng: np.random.Generator) -> str:
    return str(rng.choice(("sorted_cuts", "random_pairs", "random_cuts", "binned_cuts")))


def sets(rng: np.random.Generator) -> str:
    return str(rng.choice(("best_subset", "level_vs_rest", "many_levels", "random_subsets")))


ON_CLASSES: dict[str, Combination] = {
    "cost_matrix": lambda rng: {"criterion": COSTS, "searches": ("sorted_cuts", levels(rng))},
    "cost_matrix, chou": lambda rng: {"criterion": COSTS, "searches": ("sorted_cuts", "chou")},
    "cost_matrix, intervals": lambda rng: {"criterion": COSTS, "searches": ("intervals", "best_subset")},
    "c45_groups, scored": lambda rng: {"searches": ("sorted_cuts", "c45_groups"), "missing": scored(rng)},
    "ratio, scored": lambda rng: {"searches": ("sorted_cuts", BY_RATIO), "missing": scored(rng)},
    "intervals and cuts, scored": lambda rng: {
        "searches": ("intervals", "sorted_cuts", levels(rng)),
        "missing": scored(rng),
    },
    "intervals and other cuts": lambda rng: {
        "searches": ("intervals", cuts(rng), "level_vs_rest"),
        "missing": str(rng.choice(("skip_column", "learned", "own_branch"))),
    },
    "intervals, imputed": lambda rng: {"searches": ("intervals", cuts(rng), sets(rng)), "missing": imputed(rng)},
    "random cuts and levels, scored": lambda rng: {"searches": ("random_cuts", sets(rng)), "missing": scored(rng)},
    "random cuts, multiway": lambda rng: {"searches": ("random_cuts", "multiway"), "missing": scored(rng)},
    "random cuts, c45_groups": lambda rng: {"searches": ("random_cuts", "c45_groups"), "missing": scored(rng)},
}
ON_NUMBERS: dict[str, Combination] = {
    "loss poisson": lambda rng: {"criterion": RATES, "searches": ("sorted_cuts", levels(rng))},
    "loss poisson, chou": lambda rng: {"criterion": RATES, "searches": ("sorted_cuts", "chou")},
    "loss poisson, intervals": lambda rng: {"criterion": RATES, "searches": ("intervals", "best_subset")},
    "ratio, scored": ON_CLASSES["ratio, scored"],
    "intervals and cuts, scored": ON_CLASSES["intervals and cuts, scored"],
    "random cuts and levels, scored": ON_CLASSES["random cuts and levels, scored"],
    "random cuts, multiway": ON_CLASSES["random cuts, multiway"],
    "intervals and other cuts": ON_CLASSES["intervals and other cuts"],
    "intervals, imputed": ON_CLASSES["intervals, imputed"],
    "quantile, intervals": lambda rng: {
        "criterion": QUANTILE,
        "searches": ("intervals", cuts(rng), sets(rng)),
        "missing": str(rng.choice(("skip_column", "learned", "own_branch"))),
    },
    "quantile, intervals, imputed": lambda rng: {
        "criterion": QUANTILE,
        "searches": ("intervals", cuts(rng), sets(rng)),
        "missing": imputed(rng),
    },
    "quantile, scored": lambda rng: {
        "criterion": QUANTILE,
        "searches": (cuts(rng), sets(rng)),
        "missing": scored(rng),
    },
}

AHEAD: dict[str, Combination] = {
    "missing values": lambda rng: {"searches": (cuts(rng), sets(rng), ahead(rng)), "missing": any_missing(rng)},
    "alone": lambda rng: {"searches": (ahead(rng),), "missing": any_missing(rng)},
    "alone, max_features": lambda rng: {"searches": (ahead(rng),), "max_features": 1, "missing": any_missing(rng)},
    "other cuts": lambda rng: {"searches": (cuts(rng), "best_subset", ahead(rng)), "max_features": 2},
    "intervals": lambda rng: {"searches": ("intervals", cuts(rng), ahead(rng)), "missing": scored(rng)},
    "multiway": lambda rng: {"searches": (cuts(rng), "multiway", ahead(rng)), "missing": scored(rng)},
    "planes": lambda rng: {"searches": (cuts(rng), sets(rng), "pca_median", ahead(rng)), "missing": "skip_column"},
}
AHEAD_ON_CLASSES: dict[str, Combination] = {
    **AHEAD,
    "c45": lambda rng: {
        "criterion": {"name": "c45", "method": str(rng.choice(("ratio", "gain")))},
        "searches": ({"name": "sorted_cuts", "min_size": "c45"}, "c45_groups", ahead(rng)),
        "missing": scored(rng),
    },
}
AHEAD_ON_NUMBERS: dict[str, Combination] = {
    **AHEAD,
    "poisson": lambda rng: {"criterion": "poisson", "searches": (cuts(rng), sets(rng), ahead(rng))},
    "loss poisson": lambda rng: {"criterion": RATES, "searches": (cuts(rng), sets(rng), ahead(rng))},
    "quantile": lambda rng: {
        "criterion": QUANTILE,
        "searches": (cuts(rng), sets(rng), ahead(rng)),
        "missing": any_missing(rng),
    },
}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ON_CLASSES)
def test_classes(name: str, seed: int) -> None:
    check(ON_CLASSES[name], seed, is_number=False)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ON_NUMBERS)
def test_numbers(name: str, seed: int) -> None:
    check(ON_NUMBERS[name], seed, is_number=True)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", AHEAD_ON_CLASSES)
def test_lookahead_of_classes(name: str, seed: int) -> None:
    check(AHEAD_ON_CLASSES[name], seed, is_number=False)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", AHEAD_ON_NUMBERS)
def test_lookahead_of_numbers(name: str, seed: int) -> None:
    check(AHEAD_ON_NUMBERS[name], seed, is_number=True)
