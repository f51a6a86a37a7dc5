"""Bins with other parts: the core grows on codes that are bins, and the tree is that of the reference implementation.

Values are many more than bins, so that the values of a node differ inside a bin: surrogates and questions about many
columns read them, cuts do not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.equivalence.random_methods import assert_same, random_method, table_of_many_values

from hornbeam.errors import HornbeamError
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

LEVELS = ("best_subset", "level_vs_rest", "all_subsets", "chou", "multiway", "random_subsets", "many_levels")
SURROGATES = [
    {"name": "surrogates", "max_surrogates": number, "style": style, "route": route}
    for number in (1, 3)
    for style in ("all", "known")
    for route in ("majority", "stay")
]
IMPUTED = [{"name": "impute", "scope": "node", "method": method} for method in ("median", "mode")]
STRATEGIES: dict[str, list[Any]] = {
    "learned": ["learned"],
    "own_branch": ["own_branch"],
    "fractional": ["fractional"],
    "surrogates": SURROGATES,
    "impute": IMPUTED,
}
MANY = (
    "logistic_plane",
    "lda_plane",
    "perceptron_plane",
    "spheres",
    "chou_plane",
    {"name": "oc1_plane", "restarts": 2, "jumps": 2},
    "kd_median",
    "two_means",
)
CUSTOM = {
    "name": "custom_questions",
    "questions": [
        {"name": "low", "column": "c0", "at_most": 0.1},
        {"name": "high", "column": "c1", "at_most": 0.8},
    ],
}


def check(seed: int, changes: dict[str, Any], *, is_number: bool, missing: float = 0.3) -> None:
    """Compare the trees of the first random table and method that fit."""
    rng = np.random.default_rng((seed, is_number))
    for _ in range(100):
        table = table_of_many_values(rng, is_number=is_number, missing=missing)
        drawn = random_method(rng, is_number=is_number, n_classes=3)
        drawn_changes: dict[str, Any] = {
            "missing": "skip_column",
            "max_features": [None, None, 1, 2][int(rng.integers(4))],
            "competitors": int(rng.integers(0, 3)),
            "allow_zero_gain": bool(rng.random() < 0.2),
            **changes,
        }
        cuts = {"name": "binned_cuts", "bins": int(rng.integers(2, 9))}
        drawn_changes["searches"] = [cuts, str(rng.choice(LEVELS)), *drawn_changes.get("searches", [])]
        if drawn.criterion is None or drawn.criterion.name in ("c45", "misclassification"):
            drawn_changes.setdefault("criterion", "squared_error" if is_number else "gini")
        try:
            method = drawn.with_changes(**drawn_changes)
            start = prepare(table, method)
        except HornbeamError:
            continue
        lacking = without_kernel(start)
        assert "bin" not in lacking
        if not lacking:
            return assert_same(table, method, seed=seed)
    pytest.fail("no method fits")


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("is_number", [False, True])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_strategies_for_missing_values_work_on_bins(strategy: str, is_number: bool, seed: int) -> None:
    listed = STRATEGIES[strategy]
    check(seed, {"missing": listed[seed % len(listed)]}, is_number=is_number)


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("strategy", ["skip_column", "learned", "surrogates", "own_branch"])
def test_searches_of_many_columns_read_the_values_inside_bins(strategy: str, seed: int) -> None:
    # Of the list, the last ones have no kernel with these strategies.
    refused = {"skip_column": 0, "learned": 2, "surrogates": 2, "own_branch": 4}[strategy]
    search = MANY[seed % (len(MANY) - refused)]
    check(seed, {"searches": [search], "missing": strategy}, is_number=False)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("is_number", [False, True])
def test_listed_questions_compete_with_cuts_between_bins(is_number: bool, seed: int) -> None:
    changes = {"searches": [CUSTOM], "max_features": None, "competitors": 0}
    check(seed, changes, is_number=is_number)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("missing", ["skip_column", "fractional", "surrogates", *IMPUTED])
def test_criteria_of_quantiles_work_on_bins(missing: Any, seed: int) -> None:
    check(seed, {"criterion": "absolute_error", "loss": "absolute", "missing": missing}, is_number=True)


def test_a_column_of_very_many_levels_works_with_bins() -> None:
    """More levels than two bytes can number."""
    rng = np.random.default_rng(5)
    n, m = 300, 70_000
    x, codes = rng.normal(size=n), rng.integers(m - 40, m, n)
    target = nominal("y", (x + (codes % 3 == 0) > 0.3) * 1, ("no", "yes"))
    table = Table((numeric("x", x), nominal("c", codes, tuple(map(str, range(m))))), target)
    method = Method(searches=({"name": "binned_cuts", "bins": 9}, "level_vs_rest"))  # type: ignore[arg-type]
    assert without_kernel(prepare(table, method)) == ""
    assert_same(table, method)


@pytest.mark.parametrize("strategy", ["learned", "surrogates", "fractional"])
def test_large_nodes_are_searched_alike(strategy: str) -> None:
    """Nodes that are divided among threads give the bytes of one thread, and the tree of the reference."""
    rng = np.random.default_rng(11)
    n = 6000
    values = rng.normal(size=(n, 5))
    values[rng.random(values.shape) < 0.1] = np.nan
    signal = np.nan_to_num(values[:, 0]) + np.nan_to_num(values[:, 1]) ** 2 + rng.normal(size=n)
    columns = tuple(numeric(f"c{place}", values[:, place]) for place in range(5))
    table = Table(columns, nominal("y", np.digitize(signal, [0, 1]), tuple("ABC")))
    method = Method(
        searches=({"name": "binned_cuts", "bins": 300},),  # type: ignore[arg-type]
        missing=strategy,  # type: ignore[arg-type]
    ).with_changes(stops=[{"name": "max_depth", "depth": 4}])
    assert_same(table, method)
    one, two = (grow(table, method, engine="core", threads=threads) for threads in (1, 2))
    for name, array in one.nodes.arrays().items():
        assert array.tobytes() == two.nodes.arrays()[name].tobytes(), name
