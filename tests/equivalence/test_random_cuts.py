"""Random questions: the core draws what plain Python draws, and scores it alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.equivalence.random_methods import assert_same, random_method, random_table, table_of_many_values

from hornbeam.errors import HornbeamError
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), is_number=st.booleans(), max_features=st.sampled_from([None, 1, 2, "sqrt"]))
def test_the_core_draws_and_scores_the_same_questions(seed: int, is_number: bool, max_features: object) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=is_number, n_classes=3)
    method = random_method(rng, is_number=is_number, n_classes=3)
    if method.criterion is not None and method.criterion.name == "c45":
        method = method.with_changes(criterion="entropy")
    method = method.with_changes(searches=["random_cuts"], max_features=max_features)
    assert_same(table, method, seed=seed % 1000, tree=3)


STRATEGIES: dict[str, Any] = {
    "skip_column": "skip_column",
    "surrogates": {"name": "surrogates", "max_surrogates": 2, "style": "known"},
    "surrogates or stay": {"name": "surrogates", "route": "stay"},
    "fractional": "fractional",
    "learned": "learned",
    "own_branch": "own_branch",
    "impute": {"name": "impute", "scope": "node"},
}
LEVELS = ("best_subset", "level_vs_rest", "all_subsets", "chou", "random_subsets", "many_levels")
MANY = ("logistic_plane", "lda_plane", "spheres", "perceptron_plane", {"name": "oc1_plane", "restarts": 2, "jumps": 2})


def check_with(seed: int, changes: dict[str, Any], *, is_number: bool) -> None:
    """Compare the trees of the first random table and method that fit, with random cuts and these parts."""
    rng = np.random.default_rng((seed, is_number, 3))
    for _ in range(100):
        table = table_of_many_values(rng, is_number=is_number, missing=0.3)
        method = random_method(rng, is_number=is_number, n_classes=3)
        drawn: dict[str, Any] = {
            "max_features": [None, None, 1, 2, "sqrt"][int(rng.integers(5))],
            "competitors": int(rng.integers(0, 3)),
            "allow_zero_gain": bool(rng.random() < 0.3),
            **changes,
        }
        drawn["searches"] = ["random_cuts", *drawn.get("searches", [])]
        if method.criterion is None or method.criterion.name in ("c45", "misclassification"):
            drawn["criterion"] = "squared_error" if is_number else "gini"
        try:
            method = method.with_changes(**drawn)
            start = prepare(table, method)
        except HornbeamError:
            continue
        assert without_kernel(start) == ""
        return assert_same(table, method, seed=seed, tree=2)
    pytest.fail("no method fits")


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("is_number", [False, True])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_random_cuts_work_with_strategies_for_missing_values(strategy: str, is_number: bool, seed: int) -> None:
    check_with(seed, {"missing": STRATEGIES[strategy]}, is_number=is_number)


@pytest.mark.parametrize("seed", range(18))
@pytest.mark.parametrize("is_number", [False, True])
@pytest.mark.parametrize("strategy", ["skip_column", "surrogates", "fractional", "impute"])
def test_another_search_of_levels_competes_with_random_sets(strategy: str, is_number: bool, seed: int) -> None:
    changes = {"searches": [LEVELS[seed % len(LEVELS)]], "missing": STRATEGIES[strategy]}
    check_with(seed, changes, is_number=is_number)


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("strategy", ["skip_column", "surrogates", "learned"])
def test_searches_of_many_columns_compete_with_random_cuts(strategy: str, seed: int) -> None:
    check_with(seed, {"searches": [MANY[seed % len(MANY)]], "missing": STRATEGIES[strategy]}, is_number=False)


@pytest.mark.parametrize("values", [[-np.inf, 0.0, 1.0, np.inf], [1.0, np.nextafter(1.0, 2.0)] * 2])
def test_a_range_without_a_middle_is_cut_after_its_lowest_value(values: list[float]) -> None:
    table = Table((numeric("x", np.array(values)),), nominal("y", np.arange(4) % 2, ("no", "yes")))
    method = Method().with_changes(searches=["random_cuts"], criterion="gini")
    core, plain = (grow(table, method, engine=engine) for engine in ("core", "python"))
    questions = [[tree.question(node) for node in np.flatnonzero(~tree.nodes.is_leaf)] for tree in (core, plain)]
    assert questions[0] == questions[1]
    assert questions[0]


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_the_draws_do_not_depend_on_threads(threads: int) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(20_000, 6))
    codes = rng.integers(0, 9, 20_000)
    target = (values[:, 0] + (codes > 4) + rng.normal(size=20_000) > 0) * 1
    columns = (*(numeric(f"x{j}", values[:, j]) for j in range(6)), nominal("c", codes, tuple("abcdefghi")))
    table = Table(columns, nominal("y", target, ("no", "yes")))
    method = Method().with_changes(searches=["random_cuts"])
    one, many = (grow(table, method, engine="core", threads=n) for n in (1, threads))
    for name, array in one.nodes.arrays().items():
        assert array.tobytes() == many.nodes.arrays()[name].tobytes(), name
    for name, array in one.questions.arrays().items():
        assert array.tobytes() == many.questions.arrays()[name].tobytes(), name
