"""Columns in which one value is common: the core lists only the other rows, and grows what plain Python grows."""

from __future__ import annotations

import numpy as np
import pytest
from tests.equivalence.random_methods import assert_same

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.column import Column, nominal, numeric, ordinal
from hornbeam.table.table import Table


def sparse_table(rng: np.random.Generator, n: int, *, is_number: bool, has_weights: bool = False) -> Table:
    """One-hot columns, few values of which one is common, levels, mostly missing values, and one plain column."""
    group = rng.choice(6, n, p=[0.5, 0.2, 0.15, 0.1, 0.04, 0.01])
    few = np.where(rng.random(n) < 0.8, 3.0, rng.integers(0, 7, n).astype(float))
    codes = np.where(rng.random(n) < 0.85, 2, rng.integers(0, 5, n))
    with_missing = np.where(rng.random(n) < 0.75, np.nan, rng.integers(0, 4, n).astype(float))
    plain = np.round(rng.normal(size=n), 1)
    columns: tuple[Column, ...] = (
        *(numeric(f"is_{k}", (group == k) * 2.0 - 1.0) for k in range(6)),
        numeric("few", few),
        nominal("level", codes, tuple("abcde")),
        ordinal("grade", np.where(rng.random(n) < 0.1, -1, codes), tuple("abcde")),
        numeric("with_missing", with_missing),
        numeric("plain", plain),
    )
    score = (group == 1) * 1.5 + (few > 3) + (codes == 4) * plain + rng.normal(size=n) * 0.5
    target = numeric("y", score) if is_number else nominal("y", np.digitize(score, [0.3, 1.2]), tuple("ABC"))
    return Table(columns, target, rng.integers(1, 5, n) / 4 if has_weights else None)


@pytest.mark.parametrize("has_weights", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "c45", "gain_ratio", "twoing", "squared_error", "poisson"])
def test_sparse_columns_give_the_tree_of_the_plain_grower(criterion: str, has_weights: bool) -> None:
    rng = np.random.default_rng(11)
    table = sparse_table(rng, 250, is_number=criterion in ("squared_error", "poisson"), has_weights=has_weights)
    if criterion == "poisson":
        assert table.target is not None
        counts = numeric("y", np.abs(np.round(table.target.values)))
        table = Table(table.columns, counts, table.weights)
    min_size = "c45" if criterion == "c45" else "min_leaf"
    groups = "multiway" if criterion in ("c45", "gain_ratio") else "best_subset"
    searches = ({"name": "sorted_cuts", "min_size": min_size}, groups)
    assert_same(table, Method(criterion=criterion, searches=searches))  # type: ignore[arg-type]


@pytest.mark.parametrize("is_number", [False, True])
def test_sparse_columns_do_not_depend_on_threads_or_on_the_width_of_entries(is_number: bool) -> None:
    # 70,000 rows begin in a block of 64-bit entries and move to 16 + 16 bits below.
    table = sparse_table(np.random.default_rng(3), 70_000, is_number=is_number)
    method = Method().with_changes(stops=[{"name": "min_leaf", "rows": 20}])
    one = grow(table, method, engine="core", threads=1)
    for threads in (2, 3, 8):
        many = grow(table, method, engine="core", threads=threads)
        for name, array in (*one.nodes.arrays().items(), *one.questions.arrays().items()):
            other = {**many.nodes.arrays(), **many.questions.arrays()}[name]
            assert array.tobytes() == other.tobytes(), name
    first = table.take(np.arange(2_000))
    assert_same(first, method)
