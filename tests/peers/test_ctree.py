"""The recipe ctree gives partykit's trees, statistics and p-values.

Trees are compared by the rows of their nodes; statistics and p-values at every node of partykit's tree, tests that did
not pass included. Left out, by name: exact ties, partykit's least share of rows (minprob) where it needs more than one
row, and p-values so small that partykit's are all 0.

The p-values of the maximum statistic are integrals of the normal distribution in many dimensions, which partykit takes
at random points: they agree within its error. Surrogates are compared by the rows of the tree and by their columns.
"""

import functools
import json
import math

import numpy as np
import pytest
from tests.peers.shared import outside, rows_of, table, text_of

from hornbeam.growing.sample import prepare
from hornbeam.parts.criteria.machinery.column_tests import column_tests
from hornbeam.parts.node import NodeView
from hornbeam.recipes.grow import grow
from hornbeam.recipes.recipe import recipe

NAMES = ["iris_r", "wdbc", "contact_lenses", "xor4", "checkerboard4", "penguins", "attrition"]
NAMES += ["made_mixed", "made_classes", "made_numeric", "made_levels", "made_many_levels", "made_rare", "made_grid"]
NAMES += ["made_sixteen_levels"]
NAMES += ["made_few", "made_missing", "made_missing_levels", "made_missing_numeric"]
NAMES += ["made_number", "made_number_numeric", "made_number_levels", "made_number_missing"]
NAMES += outside("airquality", "birthwt", "boston_housing", "breast_cancer", "car_test_frame", "credit_g", "cu_summary")
NAMES += outside("glass", "hepatitis", "kyphosis", "pima", "stagec", "titanic_survival", "vote")
CONFIGURATIONS = ("default", "univariate", "mincrit90_b1", "depth2", "maximum", "surrogates")
# Trees with a split that ties, or that partykit bars because a leaf must hold 1 % of the node's rows.
OTHERWISE = {"pima/mincrit90_b1", "credit_g/mincrit90_b1"}
# Trees with a surrogate of partykit's that cuts beyond the largest value at its node, and so places no row.
OTHERWISE |= {"made_number_missing/surrogates"}
# The error of partykit's p-values of the maximum statistic, adjusted for up to 30 columns.
OF_RANDOM_POINTS = 0.015
# Nodes where partykit counts a column that does not vary (its statistic is rounding dust) among those tested.
DUST = {"boston_housing/mincrit90_b1"}


@functools.cache
def recorded(name):
    return json.loads(text_of("ctree", f"{name}.json"))


RECORDED = [(name, each) for name in NAMES for each in CONFIGURATIONS if each in recorded(name)["configs"]]


def recipe_of(control):
    control = control or {}
    alone = control.get("testtype") == "Univariate"
    stops = [
        {"name": "min_split", "rows": control.get("minsplit", 20)},
        {"name": "min_leaf", "rows": control.get("minbucket", 7)},
        {
            "name": "conditional_inference",
            "alpha": round(1 - control.get("mincriterion", 0.95), 9),
            "adjust": "none" if alone else "sidak",
        },
    ]
    if "maxdepth" in control:
        stops.append({"name": "max_depth", "depth": control["maxdepth"]})
    changes = {}
    if "teststat" in control:
        stops[2]["teststat"] = control["teststat"]
        chosen = {"teststat": control["teststat"], "splitstat": control.get("splitstat", "quadratic")}
        changes["criterion"] = {"name": "conditional_inference", **chosen}
    if "maxsurrogate" in control:
        changes["missing"] = {"name": "surrogates", "method": "inference", "max_surrogates": control["maxsurrogate"]}
    return recipe("ctree").with_changes(stops=stops, **changes)


def masks(nodes, where):
    """Which rows each of partykit's nodes holds."""
    above = {child: node["id"] for node in nodes for child in node.get("children", [])}
    found = {}
    for leaf in np.unique(where):
        node = int(leaf)
        while node:
            found.setdefault(node, np.zeros(len(where), dtype=bool))[where == leaf] = True
            node = above.get(node, 0)
    return found


@pytest.mark.parametrize(("name", "configuration"), RECORDED)
def test_ctree_gives_partykits_tree_statistics_and_p_values(name, configuration):
    answer = recorded(name)
    theirs = answer["configs"][configuration]
    data = table(name, answer["features"])
    method = recipe_of(theirs["control"])
    rows = masks(theirs["nodes"], np.array(theirs["where"]))
    if f"{name}/{configuration}" not in OTHERWISE:
        ours = {mask.tobytes() for mask in rows_of(grow(data, method), data)}
        assert ours == {mask.tobytes() for mask in rows.values()}
    check_tests(theirs, data, method, rows, f"{name}/{configuration}" in DUST)


@pytest.mark.parametrize("name", ["made_missing", "made_missing_levels", "made_missing_numeric"])
def test_surrogates_are_partykits_columns_in_its_order(name):
    answer = recorded(name)
    theirs = answer["configs"]["surrogates"]
    data = table(name, answer["features"])
    tree = grow(data, recipe_of(theirs["control"]))
    node_of = {mask.tobytes(): node for node, mask in enumerate(rows_of(tree, data))}
    rows = masks(theirs["nodes"], np.array(theirs["where"]))
    inner = [node for node in theirs["nodes"] if not node["leaf"]]
    for node in inner:
        here = node_of[rows[node["id"]].tobytes()]
        kept = tree.nodes.surrogate_question[slice(*tree.nodes.surrogate_start[here : here + 2])]
        columns = [data.columns[tree.questions[row].columns[0]].name for row in kept.tolist()]
        assert columns == node["surrogates"]
    assert len(inner) > 5


def check_tests(theirs, data, method, rows, dusty):
    sample = prepare(data, method).sample
    stop = next(stop for stop in method.stops if stop.name == "conditional_inference")
    place = {column.name: at for at, column in enumerate(data.columns)}
    for node in theirs["nodes"]:
        here = np.flatnonzero(rows[node["id"]])
        view = NodeView(sample, here, sample.weights[here], id=10**6 + node["id"])
        for test in node.get("tests", []):
            found = column_tests(view, stop.teststat)[place[test["variable"]]]
            if not isinstance(test["statistic"], (int, float)) or test["statistic"] < 1e-12:
                continue
            assert found.statistic == pytest.approx(test["statistic"], rel=1e-6)
            if not dusty:
                p = math.exp(stop.log_p(view, place[test["variable"]]))
                error = 1e-300 if stop.teststat == "quadratic" else OF_RANDOM_POINTS
                assert p == pytest.approx(test["p.value"], rel=1e-6, abs=error)
