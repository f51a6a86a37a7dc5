"""The compiled walk of many trees equals the plain one: all combinations, kinds of columns, missing and unseen values,
any number of threads."""

import dataclasses

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.tree import forest_walk
from hornbeam.tree.forest import score_schema

N = 700


def table_of(rng, target):
    x = np.round(rng.normal(size=(N, 3)), 1)
    x[rng.random((N, 3)) < 0.1] = np.nan
    few = rng.integers(-1, 5, N)
    many = rng.integers(-1, 80, N)
    steps = rng.integers(-1, 4, N)
    columns = (
        numeric("a", x[:, 0]),
        nominal("few", few, tuple("abcde")),
        numeric("b", x[:, 1]),
        ordinal("steps", steps, ("1", "2", "3", "4")),
        nominal("many", many, tuple(f"m{i}" for i in range(80))),
        numeric("c", x[:, 2]),
    )
    signal = np.nan_to_num(x[:, 0]) + (few > 2) - (many % 7) / 3 + 0.3 * steps
    if target == "number":
        return hb.Table(columns=columns, target=numeric("y", signal))
    return hb.Table(columns=columns, target=nominal("y", np.digitize(signal, [-0.5, 0.7]), ("no", "maybe", "yes")))


def grown(table, rng, n, **settings):
    return [hb.grow(table.take(rng.integers(0, N, N)), hb.recipe("plain").with_changes(**settings)) for _ in range(n)]


SETTINGS = [{}, {"missing": "fractional"}, {"searches": ["sorted_cuts", "multiway"]}]


@pytest.mark.parametrize("settings", SETTINGS, ids=["lean", "shared out", "many branches"])
@pytest.mark.parametrize("combine", ["mean", "vote", "sum"])
def test_core_equals_plain(settings, combine):
    rng = np.random.default_rng(4)
    table = table_of(rng, "class")
    fresh = table_of(rng, "class")
    weights = np.array([1.0, 0.3, 2.5])
    if combine == "sum":
        scored = dataclasses.replace(
            table, target=numeric(score_schema(table.schema).target.name, rng.normal(size=N).round(1))
        )
        trees = grown(scored, rng, 3, **{key: value for key, value in settings.items() if key != "missing"})
        forest = hb.Forest(
            table.schema,
            tuple(trees),
            weights,
            "sum",
            "softmax",
            np.array([0.5, 0.0, -1.0]),
            np.array([2, 0, 1], dtype=np.int32),
        )
    else:
        forest = hb.tree.combine_trees(grown(table, rng, 3, **settings), weights=weights, combine=combine)
    columns = hb.table.match_columns(forest.schema, fresh).columns
    plain = forest_walk.forest_totals(forest, columns, engine="python")
    for threads in (1, 3):
        core = forest_walk.forest_totals(forest, columns, threads=threads)
        np.testing.assert_array_equal(core.totals, plain.totals)
        np.testing.assert_array_equal(core.is_fractional, plain.is_fractional)
        np.testing.assert_array_equal(core.has_unseen_level, plain.has_unseen_level)


def test_numbers_add_up_to_their_mean():
    rng = np.random.default_rng(5)
    table = table_of(rng, "number")
    forest = hb.tree.combine_trees(grown(table, rng, 4))
    core, plain = (
        forest_walk.forest_totals(forest, table.columns),
        forest_walk.forest_totals(forest, table.columns, engine="python"),
    )
    np.testing.assert_array_equal(core.totals, plain.totals)
    assert core.totals.std() > 0.1


def test_a_tree_that_is_a_leaf_has_its_say():
    rng = np.random.default_rng(6)
    table = table_of(rng, "class")
    stump = hb.tree.collapse(hb.grow(table, "plain"), [0])
    forest = hb.tree.combine_trees([stump, *grown(table, rng, 1)])
    core, plain = (
        forest_walk.forest_totals(forest, table.columns),
        forest_walk.forest_totals(forest, table.columns, engine="python"),
    )
    np.testing.assert_array_equal(core.totals, plain.totals)
