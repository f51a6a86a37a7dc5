"""Candidates are the questions that growth compares at a node; branches have the statistics of the tree's nodes."""

import dataclasses

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.table.column import nominal, numeric, ordinal


def made(*, missing=False, numbers=False, weights=False, n=400):
    rng = np.random.default_rng(4)
    x = rng.normal(size=(n, 3))
    if missing:
        x[rng.random((n, 3)) < 0.1] = np.nan
    kind = rng.integers(0, 4, n)
    score = np.nan_to_num(x[:, 0]) + (kind > 1) + rng.normal(size=n) / 2
    columns = (
        *(numeric(f"x{i}", np.round(x[:, i], 2)) for i in range(3)),
        ordinal("level", rng.integers(0, 5, n), tuple("abcde")),
        nominal("kind", kind, tuple("pqrs")),
    )
    target = numeric("y", np.round(score, 1)) if numbers else nominal("y", (score > 0.5).astype(int), ("no", "yes"))
    return hb.Table(columns, target, rng.integers(1, 4, n).astype(float) if weights else None)


def inner_nodes(tree, n=6):
    return np.flatnonzero(tree.nodes.first_child >= 0)[:n].tolist()


@pytest.mark.parametrize("settings", [{}, {"priors": "equal"}, {"criterion": "entropy"}, {"missing": "surrogates"}])
@pytest.mark.parametrize("more", [{}, {"missing": True}, {"weights": True}])
def test_candidates_of_a_node_are_its_question_and_its_competitors(settings, more):
    table = made(**more)
    found = hb.recipe("plain").with_changes(competitors=5, stops=[hb.stops.MaxDepth(4)], **settings)
    tree = hb.grow(table, found)
    prepared = hb.prepare(table)
    for node in inner_nodes(tree):
        listed = hb.candidates(prepared, tree, node=node)
        expected = [tree.question(node), *(question for question, _, _ in tree.competitors(node))]
        assert [each.question for each in listed if not each.is_excluded] == expected
        gains = [tree.nodes.gain[node], *(gain for _, gain, _ in tree.competitors(node))]
        np.testing.assert_allclose([each.gain for each in listed], gains, rtol=1e-9)


@pytest.mark.parametrize("numbers", [False, True])
def test_branches_have_the_statistics_of_the_nodes_below(numbers):
    table = made(numbers=numbers, weights=True)
    tree = hb.grow(table, hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(3)]))
    for node in inner_nodes(tree):
        branches = hb.candidates(table, tree, node=node)[0].branches
        children = list(tree.nodes.children(node))
        assert [branch.rows for branch in branches] == tree.nodes.rows[children].tolist()
        np.testing.assert_allclose([branch.weight for branch in branches], tree.nodes.weight[children])
        np.testing.assert_allclose([branch.stats for branch in branches], tree.nodes.stats[children], atol=1e-9)


def test_candidates_of_rows_are_those_of_a_table_of_these_rows():
    table = made(missing=True)
    rows = np.flatnonzero(np.random.default_rng(0).random(len(table)) < 0.5)
    one, other = hb.candidates(hb.prepare(table), "cart", rows=rows), hb.candidates(table.take(rows), "cart")
    assert str(one) == str(other)
    assert one.rows == len(rows)
    assert sum(branch.rows for branch in one[0].branches) + one[0].missing == len(rows)


def test_columns_below_the_average_gain_of_c45_are_listed_as_excluded():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(500, 3))
    target = nominal("y", (3 * x[:, 0] + x[:, 1] + 0.8 * x[:, 2] > 0).astype(int), ("no", "yes"))
    listed = hb.candidates(hb.Table(tuple(numeric(f"x{i}", x[:, i]) for i in range(3)), target), "c45")
    assert [each.question.columns[0] for each in listed] == [0, 1, 2]
    excluded = [each for each in listed if each.is_excluded]
    assert excluded
    mean = np.mean([each.gain for each in listed])
    assert all(each.gain < mean for each in excluded)
    assert "excluded" in str(listed)


def test_stops_other_than_the_size_of_branches_do_not_apply():
    table = made()
    shallow = hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(0), hb.stops.MinLeaf(150)])
    listed = hb.candidates(table, shallow)
    assert len(listed) > 0
    assert all(branch.rows >= 150 for each in listed for branch in each.branches)


def test_a_method_without_a_kernel_is_searched_by_the_reference_implementation():
    table = made(n=120)
    assert len(hb.candidates(table, "ctree")) > 0


def test_a_pure_node_has_no_candidates():
    table = made()
    pure = dataclasses.replace(table, target=nominal("y", np.zeros(len(table), dtype=int), ("no", "yes")))
    assert len(hb.candidates(pure, "plain")) == 0


def test_a_node_requires_a_tree_and_no_rows():
    table = made()
    with pytest.raises(hb.errors.OptionError, match="node cannot be combined with a recipe"):
        hb.candidates(table, "cart", node=1)
    with pytest.raises(hb.errors.OptionError, match="node cannot be combined with rows"):
        hb.candidates(table, hb.grow(table, "cart"), node=0, rows=[1, 2])
    with pytest.raises(hb.errors.InputError, match="The tree has nodes 0 to"):
        hb.candidates(table, hb.grow(table, "cart"), node=10_000)


def test_a_node_that_no_row_reaches_is_an_error():
    table = made()
    tree = hb.grow(table, "plain")
    branch = tree.question(0).branch(table.columns)
    left, right = list(tree.nodes.children(0))
    rows = table.take(branch == 0)
    assert hb.candidates(rows, tree, node=left).rows == tree.nodes.rows[left]
    with pytest.raises(hb.errors.InputError, match=f"No row of the table reaches node {right}"):
        hb.candidates(rows, tree, node=right)
