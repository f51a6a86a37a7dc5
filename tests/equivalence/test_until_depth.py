"""Searches of many columns that are tried near the root alone: the same trees in both growers."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import OptionError
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

SEARCHES = ("logistic_plane", "svm_plane", "lda_plane", "oc1_plane", "sparse_planes", "spheres", "conjunctions")


def made(seed):
    random = np.random.default_rng(seed)
    x = random.normal(size=(120, 3)).round(2)
    signal = x[:, 0] + x[:, 1] + 0.5 * random.normal(size=120)
    y = np.digitize(signal, [-0.7, 0.7])
    return Table(tuple(numeric(f"x{j}", x[:, j]) for j in range(3)), nominal("y", y, tuple("ABC")))


def is_about_many(tree, node):
    return len(tree.question(node).columns) > 1


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("until", [1, 2])
def test_both_growers_ask_about_many_columns_above_the_depth_alone(search, until):
    method = Method(searches=({"name": search, "until_depth": until},))
    fast, plain = (grow(made(1), method, engine=engine) for engine in ("core", "python"))
    for name, array in plain.nodes.arrays().items():
        if name != "question":
            np.testing.assert_allclose(fast.nodes.arrays()[name], array, rtol=1e-9, atol=1e-12, err_msg=name)
    for node in np.flatnonzero(~plain.nodes.is_leaf):
        assert fast.question(node) == plain.question(node)
        assert plain.nodes.depth[node] < until or not is_about_many(plain, node)


@pytest.mark.parametrize("search", ["svm_plane", "spheres"])
def test_the_questions_above_the_depth_are_those_without_a_limit(search):
    table = made(2)
    limited = grow(table, Method(searches=({"name": search, "until_depth": 1},)))
    free = grow(table, Method(searches=(search,)))
    assert limited.question(0) == free.question(0)
    assert any(is_about_many(free, node) for node in np.flatnonzero(~free.nodes.is_leaf) if node)


def test_two_searches_may_have_two_depths():
    both = ({"name": "logistic_plane", "until_depth": 2}, {"name": "spheres", "until_depth": 1})
    fast, plain = (grow(made(3), Method(searches=both), engine=engine) for engine in ("core", "python"))
    assert fast.nodes.rows.tolist() == plain.nodes.rows.tolist()
    for node in np.flatnonzero(~plain.nodes.is_leaf):
        assert plain.nodes.depth[node] < 1 or plain.question(node).kind != "sphere"


def test_a_search_without_target_ends_at_the_depth_where_nothing_else_is_searched():
    table = made(4).without_target()
    method = Method(searches=({"name": "kd_median", "until_depth": 2},), stops=())
    fast, plain = (grow(table, method, engine=engine) for engine in ("core", "python"))
    assert fast.depth == plain.depth == 2
    assert {plain.reason(node) for node in np.flatnonzero(plain.nodes.is_leaf)} == {"no improvement"}
    assert fast.nodes.reason.tolist() == plain.nodes.reason.tolist()


def test_given_questions_end_at_the_depth():
    questions = [{"column": "x0", "above": 0.0}, {"column": "x1", "above": 0.0}]
    given = {"name": "custom_questions", "questions": questions, "until_depth": 1}
    method = Method(searches=(given,))
    fast, plain = (grow(made(5), method, engine=engine) for engine in ("core", "python"))
    assert fast.depth == plain.depth == 1


def test_the_depth_is_at_least_one_and_kept_in_recipes(tmp_path):
    with pytest.raises(OptionError, match=r"until_depth .*must be at least 1"):
        Method(searches=({"name": "svm_plane", "until_depth": 0},))
    tree = hb.grow(made(6), hb.recipe("oblique").with_changes(searches=[{"name": "svm_plane", "until_depth": 1}]))
    hb.save(tree, tmp_path / "a.tree")
    assert {"name": "svm_plane", "until_depth": 1} in hb.load(tmp_path / "a.tree").recipe["searches"]
