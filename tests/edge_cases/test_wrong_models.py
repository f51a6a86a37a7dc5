"""Forests where one tree is needed, models where a table is needed, and odd numbers of threads: errors of ours."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, OptionError

IRIS = hb.datasets.load("iris")


@pytest.fixture(scope="module")
def models():
    return [hb.forest(IRIS, n_trees=2), hb.boost(IRIS, n_rounds=2)]


NEED_A_TREE = {
    "summary": hb.tree.summary,
    "summary of a node": lambda model: hb.tree.summary(model, 0),
    "text_tree": hb.tree.format_tree,
    "steps": hb.format_trace,
    "path_words": lambda model: hb.tree.format_path(model, IRIS),
    "collapsed": lambda model: hb.tree.collapse(model, [0]),
    "grafted": lambda model: hb.tree.graft(model, 0, 1),
    "rules_of": hb.extract_rules,
    "draw": hb.draw,
}
NEED_A_TABLE = {
    "compare_prunings": hb.compare_prunings,
    "stability": lambda model: hb.stability(model, hb.grow),
    "complexity_table": hb.complexity_table,
    "bayes_risk": hb.evaluation.bayes_risk_bounds,
    "describe": hb.describe,
    "grow": hb.grow,
    "forest": hb.forest,
    "boost": hb.boost,
}


@pytest.mark.parametrize("call", NEED_A_TREE.values(), ids=NEED_A_TREE)
def test_a_forest_where_one_tree_is_needed_is_refused_in_words(models, call):
    for model in models:
        with pytest.raises(InputError, match="needs one tree; got a forest"):
            call(model)
    with pytest.raises(InputError, match="is needed; got"):
        call("model.tree")


@pytest.mark.parametrize("call", NEED_A_TABLE.values(), ids=NEED_A_TABLE)
def test_a_model_where_a_table_is_needed_is_refused_in_words(models, call):
    for model in (*models, hb.grow(IRIS, "plain"), None):
        with pytest.raises(InputError, match="requires a table, got a"):
            call(model)


@pytest.mark.parametrize("node", [1.5, "0", None, -1, 10**9, [0]])
def test_a_summary_of_a_node_that_is_none_is_refused(node):
    tree = hb.grow(IRIS, "plain")
    if node is None:
        assert hb.tree.summary(tree, node)
        return
    with pytest.raises(InputError, match="The tree has nodes"):
        hb.tree.summary(tree, node)


THREADS = {
    "grow": lambda threads: hb.grow(IRIS, "plain", threads=threads),
    "grow in Python": lambda threads: hb.grow(IRIS, "plain", threads=threads, engine="python"),
    "forest": lambda threads: hb.forest(IRIS, n_trees=2, threads=threads),
    "bag": lambda threads: hb.bag(IRIS, n_trees=2, threads=threads),
    "adaboost": lambda threads: hb.adaboost(IRIS, n_trees=2, threads=threads),
    "boost": lambda threads: hb.boost(IRIS, n_rounds=2, threads=threads),
    "predict": lambda threads: hb.predict(hb.grow(IRIS, "plain"), IRIS, threads=threads),
    "predict forest": lambda threads: hb.predict(hb.forest(IRIS, n_trees=2), IRIS, threads=threads),
    "shap_values": lambda threads: hb.shap_values(hb.grow(IRIS, "plain"), IRIS, threads=threads),
    "out_of_bag": lambda threads: hb.out_of_bag(hb.forest(IRIS, n_trees=2), IRIS, threads=threads),
    "estimate": lambda threads: hb.estimate(IRIS, "plain", threads=threads).in_memory,
    "compare_prunings": lambda threads: hb.compare_prunings(IRIS, "plain", threads=threads),
    "complexity_table": lambda threads: hb.complexity_table(IRIS, threads=threads),
}


@pytest.mark.parametrize("threads", [1.5, "2", True, -1, [1]], ids=repr)
@pytest.mark.parametrize("call", THREADS.values(), ids=THREADS)
def test_threads_must_be_a_integer(call, threads):
    with pytest.raises(OptionError, match="threads must be an integer"):
        call(threads)


@pytest.mark.parametrize("threads", [0, 1, np.int64(2), 10**12, None], ids=repr)
def test_any_integer_of_threads_will_do(threads):
    assert hb.grow(IRIS, "plain", threads=threads).n_leaves == hb.grow(IRIS, "plain").n_leaves


def test_rules_and_schemas_are_used_by_name():
    with pytest.raises(InputError, match="measure_rules requires a rule set, got 'x'"):
        hb.rules.measure_rules("x", IRIS)
    with pytest.raises(InputError, match="schema must be a Schema, got 'x'"):
        hb.table.match_columns("x", IRIS)
