"""The core and the reference grower grow the same tree where questions of gain 0 may be used."""

import numpy as np
import pytest
from tests.equivalence.random_methods import (
    assert_equal_trees,
    assert_same,
    drawn_for_the_core,
    random_method,
    random_table,
)

from hornbeam.ensembles.forest import grow_forest
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.errors import OptionError
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.criteria.loss_decrease import LossDecrease
from hornbeam.parts.losses.absolute import Absolute
from hornbeam.parts.losses.pinball import Pinball
from hornbeam.parts.searches.multiway import Multiway
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.parts.stops.min_gain import MinGain
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

MISSING = (
    "skip_column",
    "learned",
    "own_branch",
    "fractional",
    "surrogates",
    {"name": "impute", "method": "median", "scope": "node"},
)


def drawn(rng, **changes):
    """A table and a method with these changes, drawn again where they do not fit each other."""
    while True:
        is_number = bool(rng.random() < 0.3)
        n_classes = int(rng.integers(2, 5))
        table = random_table(rng, is_number=is_number, n_classes=n_classes)
        try:
            return table, random_method(rng, is_number=is_number, n_classes=n_classes).with_changes(
                allow_zero_gain=True, **changes
            )
        except OptionError:
            continue


@pytest.mark.parametrize("seed", range(60))
def test_trees_of_any_criterion_are_the_same(seed):
    rng = np.random.default_rng(seed)
    assert_same(*drawn_for_the_core(lambda: drawn(rng)))


@pytest.mark.parametrize("missing", MISSING, ids=str)
@pytest.mark.parametrize("seed", range(12))
def test_trees_with_missing_values_are_the_same(seed, missing):
    rng = np.random.default_rng([seed, 1])
    assert_same(*drawn_for_the_core(lambda: drawn(rng, missing=missing)))


@pytest.mark.parametrize("search", ["binned_cuts", "random_cuts", "boundary_points", "random_pairs", "is_missing"])
@pytest.mark.parametrize("seed", range(8))
def test_trees_of_other_cuts_are_the_same(seed, search):
    rng = np.random.default_rng([seed, 2])
    searches = ["random_cuts"] if search == "random_cuts" else [search, "best_subset"]
    searches = ["sorted_cuts", *searches] if search == "is_missing" else searches
    assert_same(*drawn_for_the_core(lambda: drawn(rng, searches=searches)))


def integers(rng, n_classes):
    """A table of few integers, on which many questions gain nothing."""
    n, d = int(rng.integers(4, 60)), int(rng.integers(2, 6))
    columns = tuple(numeric(f"x{j}", rng.integers(0, rng.integers(2, 5), n).astype(float)) for j in range(d))
    if n_classes == 0:
        return Table(columns, numeric("y", rng.integers(0, 3, n).astype(float)))
    return Table(columns, nominal("y", rng.integers(0, n_classes, n), tuple("ABCD"[:n_classes])))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("search", ["sorted_cuts", "random_cuts"])
@pytest.mark.parametrize("max_features", [None, 1, 2])
def test_forests_are_the_same(criterion, search, max_features):
    for seed in range(12):
        rng = np.random.default_rng([seed, 3])
        table = integers(rng, 0 if criterion == "squared_error" else int(rng.integers(2, 5)))
        method = Method(criterion=criterion, searches=(search,), max_features=max_features, allow_zero_gain=True)
        if rng.random() < 0.4:
            method = method.with_changes(stops=[{"name": "min_leaf", "rows": 2}])
        settings = {"n_trees": 3, "sampling": RowSampling(method=str(rng.choice(["none", "rows"]))), "seed": seed}
        core = grow_forest(table, method, **settings)
        for one, other in zip(core, grow_forest(table, method, engine="python", **settings), strict=True):
            assert_equal_trees(one, other)


def test_a_gain_within_rounding_is_0_whichever_part_allows_it():
    # The quantile is 0 at every node: the gain is 0 up to the rounding of sums that the growers add in other orders.
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rows = 36
        columns = (nominal("c", rng.integers(0, 2, rows), ("a", "b")),)
        target = numeric("y", (rng.random(rows) < 0.4) * 1e-9)
        table = Table(columns, target, weights=rng.integers(1, 5, rows) * 0.25)
        method = Method(
            criterion=LossDecrease(Pinball(0.1)),
            searches=(Multiway(allow_zero_gain=True),),
            stops=(MaxDepth(1), MinGain(0.0)),
            loss=Absolute(),
        )
        assert [len(grow(table, method, engine=engine)) for engine in ("core", "python")] == [1, 1]


def test_a_branch_of_missing_values_alone_must_gain_where_only_the_search_of_levels_need_not():
    codes, target = np.array([0, 0, 1, 1, -1, -1, -1, -1]), np.array([0, 1, 0, 1, 0, 1, 0, 1])
    table = Table((nominal("c", codes, ("a", "b")),), nominal("y", target, ("A", "B")))
    method = Method(criterion="misclassification", searches=[Multiway(allow_zero_gain=True)], missing="own_branch")
    trees = [grow(table, method.with_changes(allow_zero_gain=False), engine=engine) for engine in ("core", "python")]
    assert_equal_trees(*trees)
    assert len(trees[0]) == 1
