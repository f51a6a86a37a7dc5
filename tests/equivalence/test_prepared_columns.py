"""A prepared table grows the trees of the table itself, on all rows and on any of them, for every recipe."""

import dataclasses

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.table.borrowed import BorrowedColumn
from hornbeam.table.column import Kind, nominal, numeric, ordinal
from hornbeam.tree.file.files import to_bytes

N = 700


def made(*, missing=False, weights=False, numbers=False, seed=0):
    """Columns of many, few and very few values, levels, signed zeros and a view of float32 values."""
    rng = np.random.default_rng(seed)
    many, few, halves = rng.normal(size=N), np.round(rng.normal(size=N)), np.round(rng.normal(size=N) * 60) / 8
    few[few == 0] = rng.choice([-0.0, 0.0], size=int((few == 0).sum()))
    if missing:
        for column in (many, few, halves):
            column[rng.random(N) < 0.1] = np.nan
    matrix = rng.normal(size=(N, 3)).astype(np.float32)
    columns = (
        numeric("many", many),
        numeric("few", few),
        numeric("halves", halves),
        numeric("rare", (rng.random(N) < 0.02).astype(float)),
        # All rows have more values than a column of codes may have; some of the rows have fewer.
        numeric("crowded", np.where(rng.random(N) < 0.5, np.arange(N), rng.integers(0, 9, N)).astype(float)),
        BorrowedColumn("single", Kind.NUMERIC, matrix[:, 1]),
        ordinal("level", rng.integers(0, 6, N), tuple("abcdef")),
        nominal("kind", rng.integers(-1 if missing else 0, 5, N), tuple("pqrst")),
    )
    noise = rng.normal(size=N)
    score = matrix[:, 1] + np.nan_to_num(many) + (columns[-1].values > 2) + noise
    target = numeric("y", np.round(score, 2)) if numbers else nominal("y", np.digitize(score, [-0.5, 1]), tuple("xyz"))
    return hb.Table(columns, target, rng.integers(0, 4, N).astype(float) if weights else None)


def selections():
    rng = np.random.default_rng(5)
    return {
        "most": np.flatnonzero(rng.random(N) < 0.9),
        "few": np.flatnonzero(rng.random(N) < 0.2),
        "mask": rng.random(N) < 0.6,
        "shuffled": rng.permutation(N)[:500],
    }


def same(one, other):
    """Whether two models are equal byte by byte."""
    trees = [model.trees if hasattr(model, "trees") else (model,) for model in (one, other)]
    return [to_bytes(tree) for tree in trees[0]] == [to_bytes(tree) for tree in trees[1]]


def small(recipe):
    """A recipe with few trees."""
    found = hb.recipe(recipe)
    ensemble = found.ensemble_method
    if ensemble is None:
        return found
    size = {"n_rounds": 3} if recipe == "boosting" else {"n_trees": 4}
    return found.with_changes(ensemble=dataclasses.replace(ensemble, **size))


CLASS_RECIPES = ["default", "cart", "c45", "plain", "forest", "extra_trees", "bagging", "adaboost", "boosting"]


@pytest.mark.parametrize("rows", ["most", "few", "mask", "shuffled"])
@pytest.mark.parametrize("recipe", CLASS_RECIPES)
def test_rows_of_a_prepared_table_grow_the_tree_of_a_table_of_these_rows(recipe, rows):
    chosen, found = selections()[rows], small(recipe)
    for settings in ({}, {"weights": True}, {"missing": True}):
        table = made(**settings)
        assert same(hb.grow(hb.prepare(table), found, rows=chosen), hb.grow(table.take(chosen), found)), settings


@pytest.mark.parametrize("recipe", ["ctree", "oblique", "lecture_notes"])
def test_recipes_without_a_kernel_and_of_many_columns(recipe):
    table, chosen = made(), selections()["few"]
    assert same(hb.grow(hb.prepare(table), recipe, rows=chosen), hb.grow(table.take(chosen), recipe))


@pytest.mark.parametrize("recipe", ["regression", "cart", "plain", "forest", "boosting"])
def test_numeric_targets_too(recipe):
    found = small(recipe)
    for chosen in selections().values():
        for settings in ({}, {"weights": True, "missing": True}):
            table = made(numbers=True, **settings)
            assert same(hb.grow(hb.prepare(table), found, rows=chosen), hb.grow(table.take(chosen), found))


@pytest.mark.parametrize(
    "settings",
    [
        {"missing": "surrogates"},
        {"missing": "learned"},
        {"missing": "own_branch"},
        {"missing": {"name": "impute", "scope": "node"}},
        {"missing": "impute"},
        {"missing": "drop_rows"},
        {"searches": [{"name": "binned_cuts", "bins": 20}, "best_subset"]},
        {"searches": [{"name": "binned_cuts", "bins": 255}, "best_subset"]},
        {"searches": [{"name": "sorted_cuts", "cut": "data"}, "best_subset"]},
        {"searches": ["random_cuts", "level_vs_rest"]},
        {"searches": [{"name": "intervals"}, "multiway"], "criterion": "entropy"},
        {"max_features": 3},
        {"order": "best_first", "stops": [{"name": "max_leaves", "leaves": 9}]},
        {"priors": "equal"},
        {"class_weight": "balanced"},
        {"criterion": "gain_ratio"},
    ],
    ids=str,
)
def test_methods_of_all_kinds(settings):
    found = hb.recipe("plain").with_changes(**settings)
    for more in ({"missing": True}, {"missing": True, "weights": True}):
        table = made(**more)
        prepared = hb.prepare(table)
        assert same(hb.grow(prepared, found), hb.grow(table, found))
        for chosen in selections().values():
            assert same(hb.grow(prepared, found, rows=chosen), hb.grow(table.take(chosen), found))


@pytest.mark.parametrize("recipe", ["plain", "cart", "c45"])
def test_a_prepared_table_is_not_changed_by_growing(recipe):
    table = made(missing=True)
    prepared = hb.prepare(table)
    expected = hb.grow(table, recipe)
    for threads in (1, 2, 2, 1):
        assert same(hb.grow(prepared, recipe, threads=threads), expected)


def test_rows_of_rows_are_rows_of_the_whole_table():
    table = made(missing=True)
    rng = np.random.default_rng(3)
    outer, inner = rng.permutation(N)[:500], rng.permutation(500)[:300]
    assert same(hb.grow(hb.prepare(table).take(outer).take(inner), "plain"), hb.grow(table.take(outer[inner]), "plain"))


def test_rows_that_occur_twice_grow_the_same_tree_without_the_ranks():
    table = made()
    twice = np.random.default_rng(1).integers(0, N, N)
    assert same(hb.grow(hb.prepare(table).take(twice), "plain"), hb.grow(table.take(twice), "plain"))


def test_weights_replace_those_of_the_table_and_zero_excludes_a_row():
    table, rng = made(), np.random.default_rng(2)
    weights = rng.integers(0, 3, N).astype(float)
    chosen = np.flatnonzero(rng.random(N) < 0.7)
    expected = hb.grow(dataclasses.replace(table.take(chosen), weights=weights[chosen]), "plain")
    assert same(hb.grow(hb.prepare(table), "plain", rows=chosen, weights=weights[chosen]), expected)


def test_trees_with_a_kernel_and_without_one_see_the_same_rows():
    table, chosen = made(missing=True), selections()["shuffled"]
    found = hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(3)])
    core = hb.grow(hb.prepare(table), found, rows=chosen)
    python = hb.grow(hb.prepare(table), found, rows=chosen, engine="python")
    assert str(core) == str(python)
