"""Ways with missing values: the core grows the tree that the plain grower defines, on any number of threads."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.equivalence.random_methods import CLASS_CRITERIA, random_method, random_table

from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

ADDITIVE = ("gini", "entropy", "c45", "misclassification")


def assert_same(core: Tree, plain: Tree) -> None:
    """The same nodes, questions, surrogates and competitors."""
    assert len(core) == len(plain)
    for name, values in core.nodes.arrays().items():
        if not name.endswith("question"):
            np.testing.assert_allclose(values, plain.nodes.arrays()[name], rtol=1e-9, atol=1e-11, err_msg=name)
    for node in range(len(core)):
        if core.nodes.question[node] >= 0:
            assert core.question(node) == plain.question(node), f"node {node}"
        for mine, theirs in zip(core.surrogates(node), plain.surrogates(node), strict=True):
            assert mine[:2] == theirs[:2], f"node {node}"
        for one, other in zip(core.competitors(node), plain.competitors(node), strict=True):
            assert one[0] == other[0], f"node {node}"


def with_way(method: Method, way: str, rng: np.random.Generator) -> Method:
    """The same method with another way, on searches and criteria that suit it."""
    changes: dict[str, object] = {"missing": way, "searches": method.searches, "competitors": int(rng.integers(0, 4))}
    if way == "surrogates":
        changes["missing"] = {
            "name": way,
            "max_surrogates": int(rng.integers(0, 4)),
            "style": str(rng.choice(("all", "known"))),
            "route": str(rng.choice(("majority", "stay"))),
        }
        if any(search.is_multiway for search in method.searches):
            changes["searches"] = (method.searches[0], "best_subset")
    if way == "own_branch" and method.criterion is not None and method.criterion.two_branches:
        changes["criterion"] = str(rng.choice(("gain_ratio", "hellinger")))
    return dataclasses.replace(method, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("way", ["learned", "own_branch", "impute", "surrogates", "skip_column", "fractional"])
@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), is_number=st.booleans(), n_classes=st.integers(1, 4))
def test_the_core_and_the_plain_grower_give_the_same_tree(way: str, seed: int, is_number: bool, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=is_number, n_classes=n_classes, missing=0.4)
    method = with_way(random_method(rng, is_number=is_number, n_classes=n_classes), way, rng)
    assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


# Ties that both growers once decided by the last bit of different formulas.
@pytest.mark.parametrize(
    ("way", "seed", "is_number", "n_classes"),
    [
        ("skip_column", 15597, True, 1),
        ("fractional", 24192, True, 1),
        ("learned", 18668494, False, 4),
        ("own_branch", 2788, False, 2),
    ],
)
def test_ties_are_decided_alike(way: str, seed: int, is_number: bool, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=is_number, n_classes=n_classes, missing=0.4)
    method = with_way(random_method(rng, is_number=is_number, n_classes=n_classes), way, rng)
    assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


def wide_table(n: int, seed: int, *, is_number: bool = False) -> Table:
    """Columns of many values, codes and levels, a fifth of the cells missing, in part because of the target."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 4))
    codes, order = rng.integers(0, 7, n), rng.integers(0, 5, n)
    signal = values[:, 0] + values[:, 1] * (codes > 3) + 0.3 * order + 0.5 * rng.normal(size=n)
    is_missing = rng.random((n, 6)) < 0.2
    is_missing[:, 2] |= signal > 1.5
    values[is_missing[:, :4]] = np.nan
    columns = (
        *(numeric(f"x{j}", values[:, j]) for j in range(3)),
        numeric("few", np.round(values[:, 3], 0)),
        nominal("c", np.where(is_missing[:, 4], -1, codes), tuple("abcdefg")),
        ordinal("o", np.where(is_missing[:, 5], -1, order), tuple("abcde")),
    )
    target = numeric("y", signal) if is_number else nominal("y", np.digitize(signal, [-0.5, 1]), tuple("ABC"))
    return Table(columns, target)


@pytest.mark.parametrize("way", ["learned", "own_branch", "surrogates", "fractional"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_columns_with_many_values_are_searched_alike(way: str, criterion: str) -> None:
    table = wide_table(600, 3, is_number=criterion == "squared_error")
    stops = [{"name": "max_depth", "depth": 5}] if way == "fractional" else []
    method = Method(criterion=criterion, missing=way, competitors=3).with_changes(stops=stops)  # type: ignore[arg-type]
    assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


@pytest.mark.parametrize("way", ["learned", "own_branch", "impute", "surrogates", "fractional"])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_the_tree_is_the_same_on_any_number_of_threads(way: str, threads: int) -> None:
    table = wide_table(20_000, 5)
    # Rows that are shared out double at every cut below: a few levels are enough to share work among threads.
    stops = [{"name": "max_depth", "depth": 5}] if way == "fractional" else []
    method = Method(missing=way, competitors=2).with_changes(stops=stops)  # type: ignore[arg-type]
    one, many = (grow(table, method, engine="core", threads=count) for count in (1, threads))
    for name, array in one.nodes.arrays().items():
        assert array.tobytes() == many.nodes.arrays()[name].tobytes(), name
    for name, array in one.questions.arrays().items():
        assert array.tobytes() == many.questions.arrays()[name].tobytes(), name


# Criteria whose score of three branches is no sum of two scores: each question is scored with the branch more.
@pytest.mark.parametrize("criterion", [c for c in CLASS_CRITERIA if c not in ADDITIVE and c != "twoing"])
@pytest.mark.parametrize("groups", ["best_subset", "level_vs_rest", "multiway", "superclasses", "many_levels", "chou"])
@pytest.mark.parametrize("weighted", [False, True])
def test_an_own_branch_is_scored_whole_by_every_criterion(criterion: str, groups: str, weighted: bool) -> None:
    table = wide_table(300, 7)
    if weighted:
        # Quarters add without rounding.
        table = dataclasses.replace(table, weights=np.random.default_rng(2).integers(1, 5, 300) / 4)
    method = Method(criterion=criterion, missing="own_branch", searches=("sorted_cuts", groups), competitors=3)  # type: ignore[arg-type]
    method = method.with_changes(stops=[{"name": "min_leaf", "rows": 4}, {"name": "max_depth", "depth": 5}])
    assert not without_kernel(prepare(table, method))
    assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


@pytest.mark.parametrize("groups", ["superclasses", "multiway"])
def test_an_own_branch_counts_where_levels_are_grouped(groups: str) -> None:
    method = Method(criterion="gini", missing="own_branch", searches=("sorted_cuts", groups))  # type: ignore[arg-type]
    table = wide_table(300, 11)
    assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))
