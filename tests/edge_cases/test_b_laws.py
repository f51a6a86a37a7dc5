"""Laws of grown trees on random small tables: invariances, nested limits, brute force. Names begin with the law."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbeam as hb
from hornbeam.parts.criteria.custom import Custom
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

SEEDS = st.integers(0, 100_000)
law = settings(max_examples=40, deadline=None)


def made(seed, number=False, n=40):
    """Two columns of numbers with ties, one of levels, and a target."""
    random = np.random.default_rng(seed)
    columns = (
        numeric("a", random.integers(0, 8, n).astype(float)),
        numeric("b", random.normal(size=n).round(1)),
        nominal("c", random.integers(0, 4, n), ("p", "q", "r", "s")),
    )
    y = random.integers(0, 3, n)
    return Table(columns, numeric("y", random.normal(size=n)) if number else nominal("y", y, ("x", "y", "z")))


def stops(**limits):
    return [{"name": name, **settings} for name, settings in limits.items()]


def with_column(table, place, **changes):
    columns = list(table.columns)
    columns[place] = dataclasses.replace(columns[place], **changes)
    return dataclasses.replace(table, columns=tuple(columns))


def shape(tree):
    """What does not depend on names and units: children, rows and statistics."""
    nodes = tree.nodes
    return nodes.first_child.tolist(), nodes.rows.tolist(), nodes.stats.tolist()


def partition(tree, table):
    """The rows that end together."""
    ends = hb.predict(tree, table).nodes
    return {frozenset(np.flatnonzero(ends == end).tolist()) for end in np.unique(ends)}


def is_top_of(small, large):
    """Whether a tree is the upper part of another: the same questions down to its leaves."""
    waiting = [(0, 0)]
    while waiting:
        one, other = waiting.pop()
        if small.nodes.is_leaf[one]:
            continue
        if large.nodes.is_leaf[other]:
            return False
        if small.question(one).text(small.schema) != large.question(other).text(large.schema):
            return False
        waiting += zip(small.nodes.children(one), large.nodes.children(other), strict=True)
    return True


def nats(stats):
    share = stats / np.maximum(stats.sum(axis=-1, keepdims=True), 1e-300)
    return -np.where(share > 0, share * np.log(np.where(share > 0, share, 1.0)), 0.0).sum(axis=-1)


def gain_in_nats(parent, branches):
    inside = (branches.sum(axis=-1) * nats(branches)).sum(axis=-1) / parent.sum()
    return nats(parent) - inside


@given(SEEDS)
@law
def test_b12_the_base_of_the_logarithm_does_not_change_the_tree(seed):
    table = made(seed).select(["a", "b"])
    limit = tuple(stops(max_depth={"depth": 3}, pure={}))
    bits = hb.grow(table, hb.Recipe(criterion="entropy", stops=limit))
    other = hb.grow(table, hb.Recipe(criterion=Custom(function=gain_in_nats), stops=limit))
    assert shape(bits) == shape(other)
    assert np.allclose(bits.nodes.score * np.log(2), other.nodes.score)


@given(SEEDS)
@law
def test_b21_the_question_chosen_from_a_list_is_the_best_of_the_list(seed):
    table = made(seed)
    random = np.random.default_rng(seed)
    questions = [{"column": "a", "above": float(cut)} for cut in random.integers(0, 7, 3)]
    questions += [{"column": "c", "in": [level]} for level in "pq"]
    method = hb.Recipe(
        searches=({"name": "custom_questions", "questions": questions},), stops=tuple(stops(max_depth={"depth": 1}))
    )
    tree = hb.grow(table, method)
    y = table.target.values

    def gini(codes):
        share = np.bincount(codes, minlength=3) / max(len(codes), 1)
        return 1 - (share**2).sum()

    a, c = table["a"].values, table["c"].values
    sides = [a > each["above"] if "above" in each else c == "pq".index(each["in"][0]) for each in questions]
    gains = [
        gini(y) - side.mean() * gini(y[side]) - (~side).mean() * gini(y[~side]) for side in sides if 0 < side.sum() < 40
    ]
    best = max(gains, default=0.0)
    assert tree.nodes.gain[0] == pytest.approx(best if best > 1e-13 else 0.0, abs=1e-12)


@given(SEEDS)
@law
def test_b27_a_plane_gains_no_less_than_the_best_single_column(seed):
    table = made(seed).select(["a", "b"])
    limit = tuple(stops(max_depth={"depth": 1}))
    axis = hb.grow(table, hb.Recipe(stops=limit))
    for search in ("logistic_plane", "svm_plane", "lda_plane", "oc1_plane"):
        plane = hb.grow(table, hb.Recipe(searches=(search,), stops=limit))
        assert plane.nodes.gain[0] >= axis.nodes.gain[0] - 1e-12


@given(SEEDS)
@law
def test_b30_the_order_of_the_columns_changes_no_prediction_without_ties(seed):
    random = np.random.default_rng(seed)
    table = Table(
        tuple(numeric(name, random.normal(size=30)) for name in "abc"), nominal("y", random.integers(0, 2, 30), "xy")
    )
    one, other = hb.grow(table, "plain"), hb.grow(table.select(["c", "a", "b"]), "plain")
    best = hb.grow(table, hb.Recipe(competitors=3))
    tied = any(
        abs(gain - best.nodes.gain[node]) < 1e-9 for node in range(len(best)) for _, gain, _ in best.competitors(node)
    )
    assert tied or partition(one, table) == partition(other, table)


@given(SEEDS, st.sampled_from([0.25, 2.0, 1024.0]))
@law
def test_b33_a_factor_of_all_weights_changes_no_byte_of_the_questions(seed, factor):
    table = made(seed)
    weights = np.random.default_rng(seed).integers(1, 5, len(table)).astype(float)
    one, other = (hb.grow(dataclasses.replace(table, weights=weights * each), "plain") for each in (1.0, factor))
    assert one.nodes.first_child.tolist() == other.nodes.first_child.tolist()
    assert one.nodes.gain.tolist() == other.nodes.gain.tolist()
    assert (one.nodes.stats * factor).tolist() == other.nodes.stats.tolist()


@given(SEEDS, st.booleans())
@law
def test_b34_b35_a_rising_transform_of_a_column_keeps_the_tree(seed, number):
    table = made(seed, number)
    a, b = table["a"].values, table["b"].values
    moved = with_column(with_column(table, 0, values=3.0 * a + 7.0), 1, values=np.exp(b))
    one, other = hb.grow(table, "plain"), hb.grow(moved, "plain")
    assert shape(one) == shape(other)
    assert partition(one, table) == partition(other, moved)


@given(SEEDS)
@law
def test_b36_a_mirrored_column_gives_as_good_a_first_question(seed):
    table = made(seed)
    mirrored = with_column(table, 1, values=-table["b"].values)
    limit = tuple(stops(max_depth={"depth": 1}))
    one, other = (hb.grow(each, hb.Recipe(stops=limit)) for each in (table, mirrored))
    assert one.nodes.gain[0] == pytest.approx(other.nodes.gain[0], abs=1e-12)


@given(SEEDS)
@law
def test_b37_names_of_classes_columns_and_levels_do_not_matter(seed):
    table = made(seed)
    named = with_column(table, 2, name="other", levels=("p1", "p2", "p3", "p4"))
    named = dataclasses.replace(named, target=dataclasses.replace(table.target, name="t", levels=("u", "v", "w")))
    assert shape(hb.grow(table, "plain")) == shape(hb.grow(named, "plain"))


@given(SEEDS)
@law
def test_b38_other_codes_of_the_same_levels_give_the_same_first_gain(seed):
    table = made(seed)
    turned = with_column(table, 2, values=3 - table["c"].values, levels=("s", "r", "q", "p"))
    method = hb.Recipe(searches=("sorted_cuts", "all_subsets"), stops=tuple(stops(max_depth={"depth": 1})))
    one, other = hb.grow(table, method), hb.grow(turned, method)
    assert one.nodes.gain[0] == pytest.approx(other.nodes.gain[0], abs=1e-12)


@given(SEEDS, st.booleans())
@law
def test_b39_a_column_that_is_constant_or_missing_changes_nothing(seed, number):
    table = made(seed, number)
    idle = (numeric("k", np.full(40, 3.0)), numeric("m", np.full(40, np.nan)))
    more = dataclasses.replace(table, columns=(*table.columns, *idle))
    assert shape(hb.grow(table, "plain")) == shape(hb.grow(more, "plain"))


@given(SEEDS, st.booleans())
@law
def test_b40_a_column_given_twice_changes_no_prediction(seed, number):
    table = made(seed, number)
    twice = dataclasses.replace(
        table, columns=(*table.columns, *(dataclasses.replace(each, name=f"{each.name}2") for each in table.columns))
    )
    assert (
        hb.predict(hb.grow(table, "plain"), table).values.tolist()
        == hb.predict(hb.grow(twice, "plain"), twice).values.tolist()
    )


@given(SEEDS, st.sampled_from([(2.0, 0.0), (-4.0, 0.0), (0.5, 8.0)]))
@law
def test_b44_an_affine_change_of_a_numeric_target_changes_the_predictions_alone(seed, change):
    table = made(seed, number=True)
    factor, shift = change
    y = (table.target.values * 8).round() / 8
    table = dataclasses.replace(table, target=numeric("y", y))
    moved = dataclasses.replace(table, target=numeric("y", factor * y + shift))
    limit = hb.Recipe(stops=tuple(stops(max_depth={"depth": 2})))
    one, other = hb.grow(table, limit), hb.grow(moved, limit)
    assert np.allclose(other.nodes.gain, one.nodes.gain * factor**2)
    if partition(one, table) == partition(other, moved):
        assert np.allclose(hb.predict(other, moved).numbers, factor * hb.predict(one, table).numbers + shift)


def test_b46_nan_none_and_na_are_the_same_missing_value():
    y = list("abab")
    trees = [
        hb.grow(hb.table.table_from_arrays(pd.DataFrame({"x": column, "z": [1.0, 2.0, 3.0, 4.0]}), y), "plain")
        for column in (
            pd.Series([1.0, np.nan, 3.0, 4.0]),
            pd.Series([1.0, None, 3.0, 4.0], dtype=object),
            pd.Series([1, pd.NA, 3, 4], dtype="Int64"),
        )
    ]
    assert shape(trees[0]) == shape(trees[1]) == shape(trees[2])


@given(SEEDS)
@law
def test_b47_rows_given_twice_grow_the_same_questions_under_relative_stops(seed):
    table = made(seed)
    twice = table.take(np.repeat(np.arange(40), 2))
    method = hb.Recipe(stops=tuple(stops(min_gain={"beta": 0.02}, purity={"pi": 0.9})))
    one, other = hb.grow(table, method), hb.grow(twice, method)
    assert one.nodes.first_child.tolist() == other.nodes.first_child.tolist()
    assert (one.nodes.stats * 2).tolist() == other.nodes.stats.tolist()


@given(SEEDS, st.integers(2, 8))
@law
def test_b50_the_best_tree_of_k_leaves_is_the_top_of_that_of_one_more(seed, k):
    table = made(seed)
    trees = [
        hb.grow(table, hb.Recipe(order="best_first", stops=("pure", {"name": "max_leaves", "leaves": most})))
        for most in (k, k + 1)
    ]
    assert is_top_of(*trees)


@given(SEEDS, st.sampled_from([(0.01, 0.05), (0.05, 0.2)]))
@law
def test_b51_a_larger_least_gain_gives_a_part_of_the_tree(seed, betas):
    table = made(seed)
    small, large = (
        hb.grow(table, hb.Recipe(stops=("pure", {"name": "min_gain", "beta": beta}))) for beta in reversed(betas)
    )
    assert is_top_of(small, large)


@given(SEEDS, st.integers(0, 4), st.booleans())
@law
def test_b52_b55_a_limit_of_depth_keeps_the_top_and_more_depth_lowers_the_training_error(seed, depth, number):
    table = made(seed, number)
    small, large = (
        hb.grow(table, hb.Recipe(stops=tuple(stops(max_depth={"depth": each})))) for each in (depth, depth + 1)
    )
    assert is_top_of(small, large)
    errors = [tree.errors()[tree.nodes.is_leaf].sum() for tree in (small, large)]
    assert errors[1] <= errors[0] + 1e-9


@given(SEEDS)
@law
def test_b53_the_reason_of_every_leaf_is_true(seed):
    table = made(seed)
    method = hb.Recipe(stops=("pure", *stops(eta={"rows": 5}, max_depth={"depth": 4}, purity={"pi": 0.8})))
    nodes = (tree := hb.grow(table, method)).nodes
    share = nodes.stats.max(axis=1) / nodes.weight
    holds = {
        "pure": share == 1.0,
        "at most eta rows": nodes.rows <= 5,
        "depth": nodes.depth >= 4,
        "purity": share >= 0.8 - 1e-12,
        "no improvement": np.ones(len(tree), dtype=bool),
        "": ~nodes.is_leaf,
    }
    assert all(holds[tree.reason(node)][node] for node in range(len(tree)))
    assert not any(tree.reason(node) == "" for node in np.flatnonzero(nodes.is_leaf))


@given(SEEDS, st.integers(2, 4))
@law
def test_b57_a_column_that_separates_every_class_is_the_first_question(seed, classes):
    random = np.random.default_rng(seed)
    y = np.arange(40) % classes
    noise = tuple(numeric(f"n{j}", random.integers(0, 3, 40).astype(float)) for j in range(3))
    table = Table((*noise, numeric("answer", y.astype(float))), nominal("y", y, tuple("abcd"[:classes])))
    tree = hb.grow(table, hb.Recipe(criterion="entropy", searches=("intervals",) if classes > 2 else ("sorted_cuts",)))
    assert tree.question(0).columns == (3,)
    assert tree.errors()[tree.nodes.is_leaf].sum() == 0


@given(SEEDS)
@settings(max_examples=10, deadline=None)
def test_b70_folds_choose_the_same_tree_again_and_one_standard_error_a_smaller_one(seed):
    table = made(seed, n=60)
    small, again, large = (
        hb.grow(table, hb.recipe("plain").with_changes(pruning={"name": "cost_complexity", "rule": rule}), seed=seed)
        for rule in ("one_se", "one_se", "minimum")
    )
    assert shape(small) == shape(again)
    assert is_top_of(small, large)
