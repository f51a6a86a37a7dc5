"""Every search finds what an exhaustive search finds: B13 to B17, B19, B23, B24, and the examples of section 3."""

import itertools
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import EXAMPLES

from hornbeam.parts.criteria.entropy import Entropy
from hornbeam.parts.criteria.gini import Gini
from hornbeam.parts.criteria.squared_error import SquaredError
from hornbeam.parts.node import Limits, NodeView, Sample
from hornbeam.parts.searches.all_subsets import AllSubsets, all_sets
from hornbeam.parts.searches.best_subset import BestSubset
from hornbeam.parts.searches.binned_cuts import BinnedCuts
from hornbeam.parts.searches.boundary_points import BoundaryPoints
from hornbeam.parts.searches.chou import Chou, descend_partition, principal_order
from hornbeam.parts.searches.intervals import Intervals, mdlp_cut, optimal_pieces
from hornbeam.parts.searches.level_vs_rest import LevelVsRest
from hornbeam.parts.searches.ordered_categories import OrderedCategories
from hornbeam.parts.searches.random_cuts import RandomCuts, random_cut
from hornbeam.parts.searches.random_pairs import RandomPairs
from hornbeam.parts.searches.sorted_cuts import SortedCuts, midpoint
from hornbeam.table.column import nominal, numeric

quick = settings(max_examples=40, deadline=None)
small = st.integers(4, 24)


def node(column, target, weights=None, n_classes=None, seed=0):
    target = np.asarray(target)
    k = (int(target.max()) + 1 if n_classes is None else n_classes) if target.dtype.kind == "i" else 0
    w = np.ones(len(target)) if weights is None else np.asarray(weights, dtype=float)
    kind = "classes" if k else "moments"
    sample = Sample((column,), target, w, k, np.ones(k), kind, seed=seed)
    return NodeView(sample, np.arange(len(target)), w)


def from_table(table, criterion_classes=None):
    """A node whose one nominal column has the given table levels x classes."""
    table = np.asarray(table)
    codes = np.repeat(np.arange(len(table)), table.sum(axis=1))
    classes = np.concatenate([np.repeat(np.arange(table.shape[1]), row) for row in table])
    levels = tuple(f"v{i}" for i in range(len(table)))
    return node(nominal("v", codes, levels), classes, n_classes=table.shape[1])


def brute_cut(x, y, criterion_gain, least=1):
    best = -np.inf
    for a in np.unique(x)[:-1]:
        if min((x <= a).sum(), (x > a).sum()) >= least:
            best = max(best, criterion_gain(y[x <= a], y[x > a]))
    return best


def gini_gain(left, right):
    def impurity(y):
        return 1 - sum((y == k).mean() ** 2 for k in np.unique(y))

    both = np.concatenate([left, right])
    return impurity(both) - (len(left) * impurity(left) + len(right) * impurity(right)) / len(both)


def variance_gain(left, right):
    both = np.concatenate([left, right])
    return both.var() - (len(left) * left.var() + len(right) * right.var()) / len(both)


@quick
@given(small, st.integers(0, 10**6), st.integers(1, 4))
def test_the_best_cut_is_the_best_of_all_midpoints_and_keeps_the_least_size(n, seed, least):
    random = np.random.default_rng(seed)
    x, y = random.integers(0, 8, n).astype(float), random.integers(0, 3, n)
    found = SortedCuts().best(node(numeric("x", x), y), 0, Gini(), Limits(rows=least))
    brute = brute_cut(x, y, gini_gain, least)
    assert (found is None) == (brute == -np.inf)
    if found is not None:
        assert found.score == pytest.approx(brute, abs=1e-12)
        assert found.rows.min() >= least
        assert found.rows.tolist() == [(x <= found.question.cut).sum(), (x > found.question.cut).sum()]


@quick
@given(small, st.integers(0, 10**6))
def test_the_best_cut_for_a_number_is_the_best_of_all_midpoints(n, seed):
    random = np.random.default_rng(seed)
    x, y = random.integers(0, 8, n).astype(float), random.normal(1e6, 1, n)
    found = SortedCuts().best(node(numeric("x", x), y), 0, SquaredError(), Limits())
    assert (found.score if found else -np.inf) == pytest.approx(brute_cut(x, y, variance_gain), abs=1e-6)


@quick
@given(small, st.integers(0, 10**6), st.integers(1, 4))
def test_boundary_points_and_bins_find_the_same_cut(n, seed, least):
    random = np.random.default_rng(seed)
    view = node(numeric("x", random.integers(0, 12, n).astype(float)), random.integers(0, 3, n))
    plain = SortedCuts().best(view, 0, Entropy(), Limits(rows=least))
    for search in (BoundaryPoints(), BinnedCuts()):
        other = search.best(view, 0, Entropy(), Limits(rows=least))
        assert (other is None) == (plain is None)
        if plain is not None:
            assert other.score == pytest.approx(plain.score, abs=1e-12)
    binned = BinnedCuts().best(view, 0, Entropy(), Limits(rows=least))
    assert binned is None or binned.question == plain.question


def test_few_bins_cut_between_bins_of_about_equal_weight():
    view = node(numeric("x", np.arange(100.0)), (np.arange(100) >= 52).astype(int))
    found = BinnedCuts(bins=4).best(view, 0, Gini(), Limits())
    assert found.question.cut == 49.5


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_a_cut_between_a_and_b_is_at_or_above_a_and_below_b(a, b):
    low, high = min(a, b), max(a, b)
    if low < high:
        assert low <= midpoint(low, high) < high


def test_cuts_between_neighbouring_doubles_and_infinities():
    data = EXAMPLES["E3.2"]
    for (a, b), expected in zip(data["input"]["pairs"], data["expected"]["threshold"], strict=True):
        # A threshold is finite, so that it can be saved: the lowest finite number takes the place of minus infinity.
        assert midpoint(float(a), float(b)) == max(float(expected), -sys.float_info.max)


def test_numeric_search_of_the_example():
    data = EXAMPLES["E3.1"]
    y = (np.array(data["input"]["y"]) == "b").astype(int)
    view = node(numeric("x", data["input"]["x"]), y)
    view = NodeView(view.sample, view.rows, view.weights, tried_candidates=[])
    found = SortedCuts().best(view, 0, Entropy(), Limits())
    assert [t.question.cut for t in view.tried_candidates] == [c["threshold"] for c in data["expected"]["candidates"]]
    assert [t.score for t in view.tried_candidates] == pytest.approx(
        [c["gain"] for c in data["expected"]["candidates"]], abs=1e-9
    )
    assert found.question.cut == data["expected"]["best_threshold"]
    assert found.score == pytest.approx(data["expected"]["best_gain"], abs=1e-9)
    on_data = SortedCuts(cut="data").best(view, 0, Entropy(), Limits())
    assert on_data.question.cut == data["expected"]["c45_cut"]
    best = SortedCuts().best(view, 0, Gini(), Limits())
    assert [best.question.cut, best.score] == pytest.approx(data["expected"]["best_gini"], abs=1e-9)


def test_all_sets_are_as_many_as_there_are_partitions():
    data = EXAMPLES["E3.3"]
    assert [len(all_sets(m, m // 2)) for m in data["input"]["m"]] == data["expected"]["true"]


tables = st.tuples(st.integers(2, 6), st.integers(2, 4)).flatmap(
    lambda s: st.lists(
        st.lists(st.integers(0, 6), min_size=s[1], max_size=s[1]).filter(any), min_size=s[0], max_size=s[0]
    )
)


def brute_sets(table, criterion, largest):
    table = np.array(table, dtype=float)
    m = len(table)
    best = -np.inf
    for size in range(1, largest + 1):
        for inside in itertools.combinations(range(m), size):
            left = table[list(inside)].sum(axis=0)
            branches = np.stack([left, table.sum(axis=0) - left])
            best = max(best, float(criterion.score(table.sum(axis=0), branches[None])[0]))
    return best


@quick
@given(tables, st.integers(1, 3))
def test_sets_of_levels_are_the_best_of_all_sets(table, limit):
    m = len(table)
    view = from_table(table)
    for criterion in (Gini(), Entropy()):
        best = brute_sets(table, criterion, m - 1)
        for search in (AllSubsets(), BestSubset()):
            assert search.best(view, 0, criterion, Limits()).score == pytest.approx(best, abs=1e-12)
        limited = AllSubsets(size_limit=limit).best(view, 0, criterion, Limits()).score
        assert limited == pytest.approx(brute_sets(table, criterion, min(limit, m // 2)), abs=1e-12)
        if m > 2:
            one = LevelVsRest().best(view, 0, criterion, Limits()).score
            assert one == pytest.approx(brute_sets(table, criterion, 1), abs=1e-12)


@quick
@given(tables)
def test_descent_is_never_worse_than_its_start_and_never_better_than_all_sets(table):
    view = from_table(table)
    found = Chou().best(view, 0, Gini(), Limits())
    assert found.score <= brute_sets(table, Gini(), len(table) - 1) + 1e-12
    stats = np.array(table, dtype=float)
    start = np.zeros(len(table), dtype=bool)
    start[0] = True

    def gain(inside):
        left = stats[inside].sum(axis=0)
        return float(Gini().score(stats.sum(axis=0), np.stack([left, stats.sum(axis=0) - left])[None])[0])

    assert gain(descend_partition(stats, start, Gini(), 1e-12)) >= gain(start) - 1e-12


@quick
@given(st.integers(2, 7), st.integers(0, 10**6))
def test_levels_in_order_of_means_are_exact_for_numbers(m, seed):
    random = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(m), random.integers(0, m, 10)])
    y = random.normal(size=len(codes))
    view = node(nominal("v", codes, tuple("abcdefg"[:m])), y)
    ordered = OrderedCategories().best(view, 0, SquaredError(), Limits())
    everything = AllSubsets().best(view, 0, SquaredError(), Limits())
    assert ordered.score == pytest.approx(everything.score, abs=1e-9)
    assert ordered.question == everything.question


def test_levels_in_order_of_the_class_share():
    data = EXAMPLES["E3.4"]
    view = from_table(data["input"]["table_value_by_class"])
    found = OrderedCategories().best(view, 0, Entropy(), Limits())
    assert found.score == pytest.approx(data["expected"]["best_prefix_gain"], abs=1e-9)
    assert list(found.question.inside) == data["expected"]["exhaustive_best"]


def test_three_classes_by_all_sets_by_one_value_and_by_descent():
    data = EXAMPLES["E3.5"]
    view = from_table(data["input"]["table"])
    everything = AllSubsets().best(view, 0, Entropy(), Limits())
    assert list(everything.question.inside) == data["expected"]["exhaustive"]["V"]
    assert everything.score == pytest.approx(data["expected"]["exhaustive"]["gain"], abs=1e-9)
    one = LevelVsRest().best(view, 0, Entropy(), Limits())
    assert list(one.question.inside) == data["expected"]["one_vs_rest"]["V"]
    table = np.array(data["input"]["table"], dtype=float)
    for run in data["expected"]["chou"]:
        start = np.isin(np.arange(6), run["start"])
        assert np.flatnonzero(descend_partition(table, start, Entropy(), 1e-12)).tolist() == run["trace"][-1][0]


def test_the_recommended_descent_finds_the_optimum_of_the_example():
    data = EXAMPLES["E3.6"]
    assert principal_order(np.array(data["input"]["table"], dtype=float)).tolist() == data["expected"]["pca_order"]
    found = Chou().best(from_table(data["input"]["table"]), 0, Entropy(), Limits())
    assert found.score == pytest.approx(data["expected"]["exhaustive_gain"], abs=1e-9)


def test_intervals_by_dynamic_programming_and_by_description_length():
    data = EXAMPLES["E3.8"]
    y = np.array(data["input"]["y"])
    blocks = np.eye(3)[y]
    for pieces, expected in zip(optimal_pieces(blocks, Entropy(), 5), data["expected"]["dp"], strict=True):
        assert (pieces[:-1] + 1.5).tolist() == expected["cuts"]
    # The example's first cut, after row 9, is accepted: .811 > .452.
    assert mdlp_cut(blocks) == data["expected"]["mdlp"]["cut_after"] - 1
    view = node(numeric("x", data["input"]["x"]), y)
    two = Intervals(max_intervals=5).best(view, 0, Entropy(), Limits())
    assert two.question.cut == 9.5
    many = Intervals(method="mdlp").best(view, 0, Entropy(), Limits())
    assert many.question.columns == (0,)
    assert many.gain >= two.gain


@quick
@given(st.integers(3, 9), st.integers(0, 10**6))
def test_intervals_are_the_best_of_all_ways_to_cut(n, seed):
    random = np.random.default_rng(seed)
    blocks = random.integers(0, 4, (n, 3)) + np.eye(3)[random.integers(0, 3, n)]
    total = blocks.sum(axis=0)
    for b, pieces in enumerate(optimal_pieces(blocks, Gini(), 4), start=2):

        def gain(ends):
            parts = np.diff(np.cumsum(blocks, axis=0)[list(ends)], axis=0, prepend=np.zeros((1, 3)))
            return float(Gini().gain(total, parts[None])[0])

        brute = max(gain((*cut, n - 1)) for cut in itertools.combinations(range(n - 1), b - 1))
        assert gain(pieces.tolist()) == pytest.approx(brute, abs=1e-10)


def test_a_random_cut_is_the_examples():
    data = EXAMPLES["E10.6"]
    assert random_cut(1.0, 8.0, data["expected"]["u"]) == pytest.approx(data["expected"]["threshold"])
    view = node(numeric("x", [1.0, 2.0, 6.0, 8.0]), [0, 0, 1, 1], seed=data["input"]["seed"])
    found = RandomCuts().best(view, 0, Gini(), Limits())
    assert found.question.cut == pytest.approx(data["expected"]["threshold"], abs=1e-12)


def test_random_pairs_are_as_many_as_requested_and_all_of_them_when_enough():
    random = np.random.default_rng(5)
    x, y = random.normal(size=40), random.integers(0, 2, 40)

    def run(pairs):
        view = node(numeric("x", x), y, seed=3)
        view = NodeView(view.sample, view.rows, view.weights, tried_candidates=[])
        return RandomPairs(pairs=pairs).best(view, 0, Gini(), Limits()), len(view.tried_candidates)

    assert run(7)[1] == 7
    assert run(7)[0].question == run(7)[0].question
    assert run(1000)[0].question == SortedCuts().best(node(numeric("x", x), y), 0, Gini(), Limits()).question
