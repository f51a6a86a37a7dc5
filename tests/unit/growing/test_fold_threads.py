"""How models of folds share threads, and that the results do not depend on it."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.growing.fold_threads import fold_threads
from hornbeam.table.column import nominal, numeric


def table(n_rows: int, n_columns: int = 10) -> hb.Table:
    rng = np.random.default_rng(3)
    values = [rng.normal(size=n_rows) for _ in range(n_columns)]
    noisy = values[0] + values[1] * values[2] + rng.normal(size=n_rows)
    columns = tuple(numeric(f"x{i}", each) for i, each in enumerate(values))
    return hb.Table(columns, nominal("y", (noisy > 0).astype(int), ("no", "yes")))


def test_threads_are_shared_by_models() -> None:
    rows, plain = table(20_000), hb.recipe("plain")
    assert fold_threads(rows, plain, 10, 4) == (4, 1)
    assert fold_threads(rows, plain, 2, 8) == (2, 4)
    assert fold_threads(rows, plain, 10, 1) == (1, 1)


def test_one_model_after_the_other_for_small_tables_and_functions_of_the_user() -> None:
    plain = hb.recipe("plain")
    assert fold_threads(table(200), plain, 10, 4) == (1, 4)
    own = plain.with_changes(criterion=hb.criteria.Custom(function=lambda counts: 1.0 - (counts / counts.sum()).max()))
    assert fold_threads(table(20_000), own, 10, 4) == (1, 4)


def test_models_that_need_much_memory_are_grown_one_after_the_other() -> None:
    class Large(hb.Table):
        def __len__(self) -> int:
            return 10_000_000

    few = table(100)
    large = Large(few.columns, few.target)
    assert fold_threads(large, hb.recipe("plain"), 10, 8) == (1, 8)


@pytest.mark.parametrize("recipe", ["plain", "cart"])
def test_cross_validation_and_pruning_by_folds_do_not_depend_on_threads(recipe: str) -> None:
    rows = table(12_000)
    one, four = (hb.cross_validate(rows, recipe, folds=4, threads=n) for n in (1, 4))
    assert str(one) == str(four)
    for ours, theirs in zip(one.predictions, four.predictions, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    trees = [hb.grow(rows, recipe, threads=n) for n in (1, 4)]
    for name, array in trees[0].nodes.arrays().items():
        np.testing.assert_array_equal(array, trees[1].nodes.arrays()[name], err_msg=name)


def test_progress_counts_every_fold_once() -> None:
    seen: list[tuple[int, int]] = []
    hb.cross_validate(table(12_000), "plain", folds=5, threads=4, progress=lambda *fold: seen.append(fold))
    assert seen == [(fold, 5) for fold in range(1, 6)]
