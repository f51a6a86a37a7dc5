"""Columns prepared once grow the tree that columns prepared again grow."""

import dataclasses

import numpy as np
import pytest

from hornbeam.growing import in_core
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.file.files import to_bytes


def made(n=600):
    """Listed, coded, sparse and nominal columns, some with gaps."""
    rng = np.random.default_rng(0)
    many, few = rng.normal(size=n), np.round(rng.normal(size=n))
    many[rng.random(n) < 0.1] = np.nan
    columns = (
        numeric("many", many),
        numeric("few", few),
        numeric("rare", (rng.random(n) < 0.02).astype(float)),
        ordinal("level", rng.integers(0, 4, n), ("a", "b", "c", "d")),
        nominal("kind", rng.integers(-1, 5, n), tuple("pqrst")),
    )
    return Table(columns, nominal("y", rng.integers(0, 3, n), ("x", "y", "z")), rng.integers(1, 4, n).astype(float))


@pytest.mark.parametrize(
    "settings", [{}, {"max_features": 2}, {"searches": ("random_cuts",)}, {"criterion": "entropy"}]
)
def test_prepared_columns_grow_the_same_trees(settings):
    table, method = made(), Method(**settings)
    columns = in_core.prepare_columns(prepare(table, method))
    rng = np.random.default_rng(1)
    for tree in range(3):
        weighted = dataclasses.replace(table, weights=rng.random(len(table)) + 0.1)
        start = prepare(weighted, method, tree=tree)
        assert to_bytes(in_core.grow(start, columns=columns)) == to_bytes(in_core.grow(start))


def test_columns_prepared_for_another_job_are_refused():
    table = made()
    columns = in_core.prepare_columns(prepare(table, Method()))
    with pytest.raises(ValueError, match="another job"):
        in_core.grow(prepare(table, Method(max_features=2)), columns=columns)
    with pytest.raises(ValueError, match="other columns"):
        in_core.grow(prepare(made(), Method()), columns=columns)
