"""Numbers cut into several intervals at once: the core grows the tree that the plain grower defines."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.equivalence.random_methods import (
    CLASS_CRITERIA,
    assert_equal_trees,
    assert_same,
    random_method,
    random_table,
)

import hornbeam as hb
from hornbeam.errors import OptionError
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.column import Column, nominal, numeric, ordinal
from hornbeam.table.table import Table

MDLP = {"name": "intervals", "method": "mdlp"}
# twoing looks at two branches.
CRITERIA = [name for name in CLASS_CRITERIA if name != "twoing"] + ["two_class_variance"]
WAYS = ("skip_column", "own_branch", "learned", "impute", "fractional")


def cut_into_many(
    method: Method, rng: np.random.Generator, *, is_number: bool, others: tuple[str, ...] = (), cut: str = "midpoint"
) -> dict[str, Any]:
    """What of a method changes so that it searches intervals."""
    by = "gain_ratio" if is_number or rng.random() < 0.6 else "mdlp"
    named = method.criterion.name if method.criterion is not None else ""
    min_size = "c45" if named == "c45" else "min_leaf"
    in_two = [
        {"name": name, "cut": cut, **({"min_size": min_size} if name == "sorted_cuts" else {})} for name in others
    ]
    return {
        "searches": (
            *in_two,
            {"name": "intervals", "method": by, "max_intervals": int(rng.integers(2, 7))},
            *method.searches[1:],
        ),
        "criterion": str(rng.choice(["gini", "entropy", "gain_ratio"])) if named == "twoing" else method.criterion,
        "competitors": int(rng.integers(0, 3)),
        "split_penalty": {"intervals": 0.4, "subset": 0.2} if rng.random() < 0.3 and named != "c45" else {},
    }


def wide_table(n: int, seed: int, *, is_number: bool = False, missing: float = 0.15, digits: int = 2) -> Table:
    """Columns of many values, of few, of one value mostly, and of levels; the target goes up and down again."""
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=(n, 3)), digits)
    codes, order = rng.integers(0, 6, n), rng.integers(0, 7, n)
    signal = np.abs(values[:, 0]) + (np.abs(values[:, 1]) < 0.7) + 0.4 * (np.abs(order - 3) > 1) + 0.2 * (codes > 3)
    signal = signal + 0.2 * np.round(rng.normal(size=n), 1)
    values[rng.random(values.shape) < missing] = np.nan
    columns: tuple[Column, ...] = (
        *(numeric(f"x{j}", values[:, j]) for j in range(2)),
        numeric("few", np.round(values[:, 2], 0)),
        numeric("rare", np.where(rng.random(n) < 0.1, 1.0, 0.0) + (rng.random(n) < 0.05)),
        nominal("c", codes, tuple("abcdef")),
        ordinal("o", np.where(rng.random(n) < missing, -1, order), tuple("abcdefg")),
    )
    target = numeric("y", signal) if is_number else nominal("y", np.digitize(signal, [0.8, 1.6]), tuple("ABC"))
    return Table(columns, target)


@pytest.mark.parametrize("way", WAYS)
@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), is_number=st.booleans(), n_classes=st.integers(1, 4))
def test_intervals_are_the_same_in_both_growers(way: str, seed: int, is_number: bool, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=is_number, n_classes=n_classes, missing=0.4)
    method = random_method(rng, is_number=is_number, n_classes=n_classes)
    changes = cut_into_many(method, rng, is_number=is_number)
    if way != "skip_column":
        changes["missing"] = way
    if is_number:
        # Levels of equal mean stand in an order that the last bit decides.
        changes["searches"] = (changes["searches"][0], "level_vs_rest")
    if rng.random() < 0.3:
        changes["max_features"] = 1
    assert_same(table, dataclasses.replace(method, **changes), seed=seed % 11)


@pytest.mark.parametrize("cut", ["midpoint", "data"])
@pytest.mark.parametrize("in_two", ["sorted_cuts", "boundary_points"])
@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), n_classes=st.integers(1, 4))
def test_cuts_in_two_and_into_many_compete_alike(in_two: str, cut: str, seed: int, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=False, n_classes=n_classes)
    method = random_method(rng, is_number=False, n_classes=n_classes)
    if in_two != "sorted_cuts":
        method = dataclasses.replace(method, criterion="entropy")
    changes = cut_into_many(method, rng, is_number=False, others=(in_two,), cut=cut)
    if rng.random() < 0.3:
        changes["max_features"] = 2
    assert_same(table, dataclasses.replace(method, **changes), seed=seed % 11)


@pytest.mark.parametrize("search", ["intervals", MDLP, {"name": "intervals", "max_intervals": 9}])
@pytest.mark.parametrize("criterion", [name for name in CRITERIA if name != "two_class_variance"])
def test_columns_with_many_values_are_searched_alike(criterion: str, search: Any) -> None:
    method = Method(criterion=criterion, searches=(search, "best_subset"), competitors=2)  # type: ignore[arg-type]
    assert_same(wide_table(400, 3), method.with_changes(stops=[{"name": "max_depth", "depth": 3}]))


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
@pytest.mark.parametrize("missing", WAYS)
def test_numbers_are_searched_alike(criterion: str, missing: str) -> None:
    table = wide_table(300, 4, is_number=True)
    if criterion == "poisson":
        table = dataclasses.replace(table, target=numeric("y", np.floor(np.abs(table.target.values) * 3)))  # type: ignore[union-attr]
    method = Method(criterion=criterion, searches=("intervals", "best_subset"), missing=missing)  # type: ignore[arg-type]
    assert_same(table, method.with_changes(stops=[{"name": "max_depth", "depth": 3}]))


def test_numbers_far_from_zero_are_cut_where_they_differ() -> None:
    """Centred in integers: a spread of a billionth part of the mean is still seen."""
    x = np.arange(60.0)
    y = 1e9 + np.where((x >= 20) & (x < 40), 1.0, 0.0)
    tree = grow(Table((numeric("x", x),), numeric("y", y)), Method(criterion="squared_error", searches=("intervals",)))  # type: ignore[arg-type]
    assert tree.question(0).cuts == (19.5, 39.5)  # type: ignore[union-attr]


@pytest.mark.parametrize("way", ["skip_column", "learned", "own_branch"])
def test_weights_and_priors_count_alike(way: str) -> None:
    table = dataclasses.replace(wide_table(300, 8), weights=np.random.default_rng(2).integers(1, 5, 300) / 4)
    for search in ("intervals", MDLP):
        method = Method(searches=(search, "best_subset"), missing=way, priors="equal", criterion="entropy")  # type: ignore[arg-type]
        assert_same(table, method.with_changes(stops=[{"name": "max_depth", "depth": 3}]))


def test_rows_of_integer_weight_count_as_rows_repeated() -> None:
    table = wide_table(200, 5)
    times = np.random.default_rng(1).integers(1, 4, 200)
    rows = np.repeat(np.arange(200), times)
    repeated = Table(tuple(c.take(rows) for c in table.columns), table.target.take(rows))  # type: ignore[union-attr]
    weighted = dataclasses.replace(table, weights=times.astype(float))
    method = Method(searches=("intervals", "best_subset")).with_changes(stops=[{"name": "max_depth", "depth": 3}])  # type: ignore[arg-type]
    one, other = (grow(each, method, engine="core") for each in (repeated, weighted))
    np.testing.assert_array_equal(one.nodes.stats, other.nodes.stats)
    assert [one.question(n) for n in np.flatnonzero(one.nodes.question >= 0)] == [
        other.question(n) for n in np.flatnonzero(other.nodes.question >= 0)
    ]


@pytest.mark.parametrize("searches", [("intervals",), (MDLP,), ("sorted_cuts", "intervals")])
@pytest.mark.parametrize("n", [20_000, 70_000])
def test_the_tree_is_the_same_on_any_number_of_threads(searches: tuple[Any, ...], n: int) -> None:
    """With 70,000 rows the lists of the whole table have wide entries."""
    table = wide_table(n, 7, digits=2)
    method = Method(searches=(*searches, "best_subset")).with_changes(stops=[{"name": "max_depth", "depth": 4}])
    one, *others = (grow(table, method, engine="core", threads=count) for count in (1, 2, 3, 8))
    assert (one.nodes.n_branches > 2).any()
    for many in others:
        for name, array in {**one.nodes.arrays(), **one.questions.arrays()}.items():
            other = {**many.nodes.arrays(), **many.questions.arrays()}[name]
            assert array.tobytes() == other.tobytes(), name


def test_a_table_of_wide_lists_is_searched_alike() -> None:
    table = wide_table(66_000, 11, digits=2)
    method = Method(searches=("intervals", "best_subset")).with_changes(stops=[{"name": "max_depth", "depth": 1}])  # type: ignore[arg-type]
    assert_same(table, method)


def test_single_precision_gives_the_same_tree() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(500, 3)).astype(np.float32)
    y = [str(k) for k in (np.abs(x[:, 0]) > 0.6).astype(int) + (x[:, 1] > 0)]
    recipe = hb.recipe("plain").with_changes(searches=["intervals"])
    one, other = (
        hb.grow(hb.read({**{f"x{j}": values[:, j] for j in range(3)}, "y": y}, target="y"), recipe)
        for values in (x, x.astype(np.float64))
    )
    assert_equal_trees(one, other)  # type: ignore[arg-type]


@pytest.mark.parametrize("plane", ["lda_plane", "logistic_plane"])
def test_planes_compete_with_intervals_alike(plane: str) -> None:
    table = wide_table(200, 9, missing=0.0)
    method = Method(searches=("intervals", "best_subset", plane), split_penalty={"hyperplane": 0.5})  # type: ignore[arg-type]
    assert_same(table, method.with_changes(stops=[{"name": "max_depth", "depth": 2}]))


def test_a_permutation_test_searches_intervals_in_the_core() -> None:
    table = wide_table(120, 2, missing=0.0)
    stops = [{"name": "permutation_test", "draws": 19}]
    method = Method(searches=("intervals", "best_subset")).with_changes(stops=stops)  # type: ignore[arg-type]
    assert_equal_trees(grow(table, method), grow(table, method, engine="python"))


def test_bagged_trees_of_intervals_are_grown_alike() -> None:
    table = wide_table(150, 6)
    recipe = hb.recipe("plain").with_changes(searches=["intervals", "best_subset"], max_features=2)
    core, plain = (hb.bag(table, recipe, n_trees=3, engine=engine) for engine in ("core", "python"))
    for one, other in zip(core.trees, plain.trees, strict=True):
        assert_equal_trees(one, other)


def test_mdlp_of_a_number_is_refused_by_name() -> None:
    table = wide_table(60, 1, is_number=True)
    for engine in ("auto", "core", "python"):
        with pytest.raises(OptionError, match="requires a classification target"):
            grow(table, Method(criterion="squared_error", searches=(MDLP, "best_subset")), engine=engine)  # type: ignore[arg-type]
