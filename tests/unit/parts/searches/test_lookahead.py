"""Lookahead finds XOR and the checkerboard, and the best pair that brute force finds."""

import itertools

import numpy as np
import pytest

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.growing.trace import Trace
from hornbeam.parts.criteria.gini import Gini
from hornbeam.parts.node import Limits, NodeView
from hornbeam.parts.searches.lookahead import Lookahead
from hornbeam.parts.searches.machinery.pair_tables import all_pairs, joint_table
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

SEARCHES = ({"name": "sorted_cuts"}, {"name": "best_subset"})
STUCK = (*SEARCHES, {"name": "lookahead"})
ALWAYS = (*SEARCHES, {"name": "lookahead", "when": "always"})


def xor():
    # E5.4
    return Table((numeric("x0", [0, 0, 1, 1]), numeric("x1", [0, 1, 0, 1])), nominal("y", [0, 1, 1, 0], ("no", "yes")))


def board(side=4, each=3):
    """A checkerboard of side x side fields, each x each points a field."""
    place = np.arange(side * each)
    x, y = (axis.ravel().astype(float) for axis in np.meshgrid(place, place))
    colour = (x // each + y // each) % 2
    return Table((numeric("x", x), numeric("y", y)), nominal("colour", colour.astype(np.int32), ("black", "white")))


def wrong(tree):
    return tree.errors()[tree.nodes.is_leaf].sum()


def test_worked_example_e5_4_xor_is_a_single_leaf_without_and_exact_with_lookahead():
    table = xor()
    plain = grow(table, Method())
    assert (plain.n_leaves, plain.reason(0), wrong(plain)) == (1, "no improvement", 2)
    trace = Trace()
    tree = grow(table, Method(searches=STUCK), trace=trace)
    assert (tree.n_leaves, wrong(tree)) == (4, 0)
    assert tree.question(0).columns == (0,)  # the lower index of two that tie
    assert tree.nodes.gain[0] == 0  # honest: the question itself gains nothing
    assert tree.nodes.score[0] == pytest.approx(0.5)  # the impurity after two levels is 0


def test_xor_of_levels_and_of_numbers_is_found_too():
    levels = Table(
        (nominal("a", [0, 0, 1, 1, 2, 2], tuple("pqr")), nominal("b", [0, 1, 0, 1, 0, 1], tuple("st"))),
        nominal("y", [0, 1, 1, 0, 0, 1], ("no", "yes")),
    )
    assert wrong(grow(levels, Method(searches=STUCK))) == 0
    numbers = Table(xor().columns, numeric("y", [1.0, 3.0, 3.0, 1.0]))
    assert wrong(grow(numbers, Method(searches=STUCK))) == pytest.approx(0)


@pytest.mark.parametrize("searches", [STUCK, ALWAYS], ids=["stuck", "always"])
def test_the_checkerboard_is_solved(searches):
    table = board()
    assert grow(table, Method()).n_leaves == 1
    tree = grow(table, Method(searches=searches))
    assert wrong(tree) == 0
    assert tree.n_leaves == 16


def test_where_questions_help_lookahead_is_not_used():
    random = np.random.default_rng(1)
    x = random.normal(size=(60, 3))
    table = Table(
        tuple(numeric(f"x{i}", x[:, i]) for i in range(3)), nominal("y", (x[:, 0] > 0).astype(np.int32), ("a", "b"))
    )
    np.testing.assert_array_equal(grow(table, Method()).nodes.stats, grow(table, Method(searches=STUCK)).nodes.stats)


def gini_weight(y):
    return len(y) * (1 - sum((np.mean(y == k) ** 2) for k in (0, 1))) if len(y) else 0.0


def splits_of(x):
    """All (column, inside) of all cuts of all columns."""
    for column in range(x.shape[1]):
        values = np.unique(x[:, column])
        yield from ((column, x[:, column] <= (a + b) / 2) for a, b in itertools.pairwise(values))


def brute_force(x, y, least):
    """For every column the least impurity that two levels can leave."""
    best = {}
    for column, inside in splits_of(x):
        if min(inside.sum(), (~inside).sum()) < least:
            continue
        left = 0.0
        for side in (inside, ~inside):
            after = [gini_weight(y[side])]
            for _, second in splits_of(x[side]):
                if min(second.sum(), (~second).sum()) >= least:
                    after.append(gini_weight(y[side][second]) + gini_weight(y[side][~second]))
            left += min(after)
        best[column] = min(best.get(column, np.inf), left)
    return best


@pytest.mark.parametrize("values", [2, 5])
@pytest.mark.parametrize("least", [1, 4])
def test_the_two_level_gain_is_that_of_brute_force(values, least):
    random = np.random.default_rng(values)
    for _ in range(10):
        x = random.integers(0, values, (24, 3)).astype(float)
        y = random.integers(0, 2, 24)
        table = Table(tuple(numeric(f"x{i}", x[:, i]) for i in range(3)), nominal("y", y.astype(np.int32), ("a", "b")))
        sample = prepare(table, Method()).sample
        view = NodeView(sample, np.arange(24), sample.weights)
        want = brute_force(x, y, least)
        for column in range(3):
            found = Lookahead().best(view, column, Gini(), Limits(rows=least))
            if column not in want:
                assert found is None
            else:
                assert found.score - 1e-6 * found.gain == pytest.approx((gini_weight(y) - want[column]) / 24, abs=1e-9)


def test_rows_that_do_not_know_an_answer_are_left_out_of_it():
    table = xor().take(np.repeat(np.arange(4), 5))
    with_missing = table.columns[0].values.copy()
    with_missing[0] = np.nan
    table = Table((numeric("x0", with_missing), table.columns[1]), table.target)
    tree = grow(table, Method(searches=STUCK))
    assert wrong(tree) <= 1


def test_all_pairs_in_one_pass_are_the_joint_tables_of_each_pair():
    random = np.random.default_rng(3)
    inside = random.random((50, 4)) < 0.5
    channels = random.random((50, 3))
    both = all_pairs(inside, channels)
    for a, b in itertools.product(range(4), repeat=2):
        each = joint_table((~inside[:, a]).astype(int), 2, (~inside[:, b]).astype(int), 2, channels)
        np.testing.assert_allclose(both[a, b], each[0, 0])


def test_many_values_are_tried_at_quantiles_alone(monkeypatch):
    monkeypatch.setattr("hornbeam.parts.searches.lookahead._MAX_WORK", 0)
    random = np.random.default_rng(4)
    x = random.random((400, 2))
    y = ((x[:, 0] > 0.5) ^ (x[:, 1] > 0.5)).astype(np.int32)
    table = Table((numeric("a", x[:, 0]), numeric("b", x[:, 1])), nominal("y", y, ("n", "y")))
    tree = grow(table, Method(searches=ALWAYS, stops=({"name": "max_depth", "depth": 2},)))
    assert wrong(tree) <= 25


@pytest.mark.parametrize("engine", ["core", "python"])
@pytest.mark.parametrize("others", [(), ("sorted_cuts",)])
def test_at_the_last_depth_a_question_counts_by_its_own_gain(engine, others):
    a, b = np.tile([0.0, 0.0, 1.0, 1.0], 8), np.tile([0.0, 1.0], 16)
    y = (a != b).astype(np.int64)
    near = np.where(np.arange(32) < 8, 1 - y, y).astype(float)
    rows = Table((numeric("a", a), numeric("b", b), numeric("near", near)), nominal("y", y, ("n", "y")))
    method = Method(searches=(*others, {"name": "lookahead", "when": "always"}))
    one, two = (
        grow(rows, method.with_changes(stops=[{"name": "max_depth", "depth": depth}]), engine=engine)
        for depth in (1, 2)
    )
    assert (one.question(0).columns[0], two.question(0).columns[0]) == (2, 0)
    assert two.errors()[two.nodes.is_leaf].sum() == 0
