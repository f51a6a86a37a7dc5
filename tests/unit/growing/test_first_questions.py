"""Questions that the user gives for the root and below it; the rest is grown by the method."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import OptionError

IRIS = hb.datasets.load("iris")
WIDTH = {"column": "sepal_width", "at_most": 3.0}


def questions(tree):
    return [tree.question(node).text(tree.schema) for node in np.flatnonzero(~tree.nodes.is_leaf)]


def test_the_root_uses_what_the_user_wants_and_the_branches_are_grown_by_the_method():
    tree = hb.grow(IRIS, hb.recipe("plain").with_changes(first_question=WIDTH))
    assert tree.question(0).text(IRIS.schema) == "sepal_width <= 3"
    for branch, child in enumerate(tree.nodes.children(0)):
        rows = IRIS.take((IRIS["sepal_width"].values <= 3.0) == (branch == 0))
        alone = hb.grow(rows, "plain")
        inside = [node for node in range(len(tree)) if _below(tree, node, child)]
        assert sorted(tree.nodes.rows[inside].tolist()) == sorted(alone.nodes.rows.tolist())
    assert tree.errors()[tree.nodes.is_leaf].sum() == 0


def _below(tree, node, top):
    while node > top:
        node = int(tree.nodes.parent[node])
    return node == top


def test_branches_may_have_first_questions_of_their_own():
    first = {**WIDTH, "no": {"column": "sepal_length", "above": 6.0, "yes": {"column": "petal_width", "at_most": 2.0}}}
    tree = hb.grow(IRIS, hb.Recipe(first_question=first, stops=({"name": "max_depth", "depth": 0},)))
    # The stops do not apply to first questions, and end everything else.
    assert questions(tree) == ["sepal_width <= 3", "sepal_length > 6", "petal_width <= 2"]
    assert {tree.reason(node) for node in np.flatnonzero(tree.nodes.is_leaf)} == {"depth"}


def test_the_gain_is_that_of_the_question_on_the_rows():
    tree = hb.grow(IRIS, hb.Recipe(first_question=WIDTH, stops=({"name": "max_depth", "depth": 0},)))
    y, side = IRIS.target.values, IRIS["sepal_width"].values <= 3.0

    def gini(codes):
        return 1 - ((np.bincount(codes, minlength=3) / len(codes)) ** 2).sum()

    assert tree.nodes.gain[0] == pytest.approx(gini(y) - side.mean() * gini(y[side]) - (~side).mean() * gini(y[~side]))
    assert tree.nodes.rows.tolist() == [150, int(side.sum()), int((~side).sum())]


@pytest.mark.parametrize("order", ["depth_first", "level_wise", "best_first"])
def test_a_limit_of_leaves_keeps_the_first_questions(order):
    first = {**WIDTH, "yes": {"column": "petal_width", "at_most": 0.5}}
    tree = hb.grow(IRIS, hb.Recipe(order=order, first_question=first, stops=({"name": "max_leaves", "leaves": 3},)))
    assert questions(tree) == ["sepal_width <= 3", "petal_width <= 0.5"]


def test_the_question_already_best_gives_the_tree_of_the_method():
    best = hb.grow(IRIS, "plain")
    cut = best.question(0).cut
    forced = hb.grow(IRIS, hb.recipe("plain").with_changes(first_question={"column": "petal_length", "at_most": cut}))
    for name in ("first_child", "rows", "stats", "gain", "answer", "reason"):
        assert np.allclose(getattr(best.nodes, name), getattr(forced.nodes, name)), name


def test_a_question_that_divides_nothing_is_left_to_the_method_and_noted():
    tree = hb.grow(IRIS, hb.recipe("plain").with_changes(first_question={"column": "petal_length", "above": 99}))
    assert str(tree) == str(hb.grow(IRIS, "plain"))
    assert tree.metadata["notes"] == ["A first question was not used: all 150 rows of its node go to one branch."]


@pytest.mark.parametrize("missing", ["skip_column", "surrogates", "learned", "own_branch", "fractional", "impute"])
def test_rows_of_missing_values_end_where_they_grew(missing):
    table = hb.read({"x": [1, 2, 3, 4, None, 6], "z": [6, 5, 4, 3, 2, 1], "y": list("ababab")}, target="y")
    tree = hb.grow(table, hb.Recipe(missing=missing, first_question={"column": "x", "at_most": 2.5}))
    assert tree.nodes.rows[0] == 6
    found = hb.predict(tree, table)
    if not found.is_fractional.any():
        leaves = tree.nodes.is_leaf
        assert np.bincount(found.nodes, minlength=len(tree))[leaves].tolist() == tree.nodes.rows[leaves].tolist()


def test_numbers_levels_and_named_questions_are_taken_too():
    table = hb.read({"c": list("uvuvw"), "x": range(5), "y": [1.5, 2.5, 1.0, 3.0, 9.0]}, target="y")
    tree = hb.grow(table, hb.Recipe(first_question={"name": "is it u?", "column": "c", "in": ["u"]}))
    assert tree.question(0).text(table.schema) == "is it u?"
    assert tree.nodes.rows[1] == 2


def test_a_trace_shows_the_first_question_as_chosen():
    trace = hb.Trace()
    hb.grow(IRIS, hb.recipe("plain").with_changes(first_question=WIDTH), trace=trace)
    assert [each.is_chosen for each in trace.steps[0].considered] == [True]


def test_recipes_and_model_files_keep_first_questions(tmp_path):
    recipe = hb.recipe("plain").with_changes(first_question={**WIDTH, "yes": {"column": "petal_width", "above": 1.0}})
    again = type(recipe).from_toml(recipe.to_toml())
    assert again.as_table() == recipe.as_table()
    tree = hb.grow(IRIS, again)
    hb.save(tree, tmp_path / "a.tree")
    assert hb.load(tmp_path / "a.tree").recipe["first_question"] == tree.recipe["first_question"]


def test_a_tree_without_target_takes_a_first_question():
    method = hb.Recipe(searches="kd_median", first_question=WIDTH, stops=({"name": "max_depth", "depth": 2},))
    assert questions(hb.grow(IRIS.without_target(), method))[0] == "sepal_width <= 3"


def test_forests_begin_with_the_first_question():
    forest = hb.forest(IRIS, hb.recipe("plain").with_changes(first_question=WIDTH), n_trees=2)
    assert {tree.question(0).text(IRIS.schema) for tree in forest.trees} == {"sepal_width <= 3"}


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("sepal_width", "must be a table"),
        ({"column": "sepal_width"}, "must have one of"),
        ({**WIDTH, "yess": {}}, "has an unknown key 'yess'"),
        ({**WIDTH, "yes": {"column": "a", "at_most": 1, "above": 2}}, "The first question, yes must have one of"),
        ({**WIDTH, "no": 3}, "The first question, no must be a table"),
        ({"column": "sepal_widht", "at_most": 3.0}, "not a column.*sepal_width"),
        ({"column": "sepal_width", "in": ["a"]}, "is numeric"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(first, words):
    with pytest.raises(OptionError, match=words):
        hb.grow(IRIS, hb.Recipe(first_question=first))


def test_a_value_imputed_at_a_node_has_no_branch_in_the_core():
    missing = {"name": "impute", "scope": "node"}
    with pytest.raises(OptionError, match=r"no kernel for .* impute at each node with first_question"):
        hb.grow(IRIS, hb.Recipe(first_question=WIDTH, missing=missing), engine="core")
