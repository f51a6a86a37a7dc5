"""A learned direction sends missing values where scikit-learn's and XGBoost's trees send them.

Both try every cut with missing values on either side, and missing against the rest. Trees are walked together by the
rows of their nodes; where the rows are divided in another way what is left over must be equally impure (a tie), and the
walk ends. scikit-learn records the top on which all its seeds agree; numbers are float32 in both (definition 0.2).
"""

import dataclasses
import json

import numpy as np
import pytest
from tests.peers import shared
from tests.peers.test_recorded_scikit_learn import nested, row_weights

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.column import numeric
from hornbeam.table.table import Table

SETS = ["made_missing_numeric", *shared.outside("pima_missing", "hepatitis", "vote")]
CRITERIA = {"gini": "gini", "entropy": "entropy", "squared_error": "squared_error", "poisson": "poisson"}


def method_of(params):
    stops = [{"name": "min_leaf", "rows": params.get("min_samples_leaf", 1)}]
    if params.get("max_depth"):
        stops.append({"name": "max_depth", "depth": params["max_depth"]})
    if params.get("min_samples_split"):
        stops.append({"name": "min_split", "rows": params["min_samples_split"]})
    if params.get("min_impurity_decrease"):
        stops.append({"name": "min_decrease", "decrease": params["min_impurity_decrease"]})
    loss = "poisson" if params.get("criterion") == "poisson" else None
    method = Method(criterion=CRITERIA[params["criterion"]], missing="learned", loss=loss)
    return dataclasses.replace(method, class_weight=params.get("class_weight")).with_changes(stops=stops)


def sides(node, X, rows):
    """The rows that go left and right at a recorded node."""
    values = X[:, node["feature"]]
    gone = np.isnan(values)
    # A threshold of infinity (recorded as text, or nothing) sets missing values apart.
    cut = np.inf if node["threshold"] in (None, "inf", "Infinity") else float(node["threshold"])
    # Tops are recorded without directions: they follow from the rows of the children.
    goes_left = node.get("missing_go_to_left", (rows & ~gone & (values <= cut)).sum() < node["left"]["n"])
    left = rows & np.where(gone, bool(goes_left), values <= cut)
    return left, rows & ~left


def together(tree, top, X, impurities, data):
    ours = shared.rows_of(tree, data)
    found = {"same": 0, "ties": 0, "directions": 0, "other": 0}
    pairs = [(0, top, np.ones(len(X), dtype=bool))]
    while pairs:
        a, b, rows = pairs.pop()
        np.testing.assert_array_equal(ours[a], rows)
        assert tree.nodes.impurity[a] == pytest.approx(impurities * b["impurity"], rel=1e-6, abs=1e-9)
        if b.get("tie"):
            found["ties"] += 1
            continue
        assert bool(tree.nodes.is_leaf[a]) == ("left" not in b), (b["n"], tree.reason(a))
        found["same"] += 1
        if "left" not in b:
            continue
        left, right = sides(b, X, rows)
        children = list(tree.nodes.children(a))
        order = [children, children[::-1]]
        match = next((c for c in order if np.array_equal(ours[c[0]], left)), None)
        if match is None:
            rest = sum(tree.nodes.weight[c] * tree.nodes.impurity[c] for c in children)
            theirs = impurities * sum(
                side.sum() * b[name]["impurity"] for side, name in ((left, "left"), (right, "right"))
            )
            assert rest == pytest.approx(theirs, rel=1e-6), b
            found["other"] += 1
            continue
        found["directions"] += int(np.isnan(X[rows, b["feature"]]).any())
        pairs += [(match[0], b["left"], left), (match[1], b["right"], right)]
    return found


@pytest.mark.parametrize("engine", ["auto", "python"])
@pytest.mark.parametrize("name", SETS)
def test_missing_values_go_where_scikit_learn_sends_them(name, engine):
    recorded = json.loads(shared.text_of("sklearn", f"{name}.json"))
    data = shared.table(name, recorded["features"])
    # scikit-learn was given levels as their places; a missing level has the code -1.
    known = [np.where(column.is_missing, np.nan, column.values) for column in data.columns]
    X = np.stack(known, axis=1).astype(np.float32).astype(np.float64)
    data = dataclasses.replace(data, columns=tuple(numeric(n, X[:, j]) for j, n in enumerate(data.names)))
    total = {"same": 0, "ties": 0, "directions": 0, "other": 0}
    for answer in recorded["configs"].values():
        top = nested_with_missing(answer["tree"]) if "tree" in answer else answer.get("common_prefix")
        if top is None or answer["params"].get("criterion") not in CRITERIA or "max_leaf_nodes" in answer["params"]:
            continue
        weights, _ = row_weights(answer, data.target.values)
        if answer["params"].get("class_weight") or not (weights == 1).all():
            continue
        tree = grow(data, method_of(answer["params"]), engine=engine)
        found = together(tree, top, X, 2.0 if answer["params"]["criterion"] == "poisson" else 1.0, data)
        total = {key: total[key] + found[key] for key in total}
    assert total["same"] >= 10
    assert total["directions"] >= 5
    assert total["other"] <= 0.05 * total["same"], total


def nested_with_missing(tree):
    """The arrays of a recorded tree as nested nodes, directions included."""
    top = nested(tree)
    pairs = [(top, 0)]
    while pairs:
        node, at = pairs.pop()
        if "left" in node:
            node["missing_go_to_left"] = tree["missing_go_to_left"][at]
            pairs += [(node["left"], tree["children_left"][at]), (node["right"], tree["children_right"][at])]
    return top


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_missing_values_go_where_xgboost_sends_them(engine):
    recorded = json.loads(shared.text_of("xgboost", "learned.json"))
    X = np.array([[np.nan if v is None else v for v in row] for row in recorded["X"]])
    X = X.astype(np.float32).astype(np.float64)
    y = np.array(recorded["y"]).astype(np.float32).astype(np.float64)
    data = Table(tuple(numeric(f"x{j}", X[:, j]) for j in range(X.shape[1])), numeric("y", y))
    method = Method(criterion="squared_error", missing="learned").with_changes(
        stops=[{"name": "max_depth", "depth": 4}]
    )
    tree = grow(data, method, engine=engine)
    ours, leaf = shared.rows_of(tree, data), np.array(recorded["leaf"])
    pairs, seen, learned = [(0, recorded["tree"])], 0, 0
    while pairs:
        a, b = pairs.pop()
        np.testing.assert_array_equal(ours[a], np.isin(leaf, ends_of(b)))
        seen += 1
        if "children" in b:
            first = next(child for child in b["children"] if child["nodeid"] == b["yes"])
            second = next(child for child in b["children"] if child["nodeid"] == b["no"])
            # XGBoost's cut is on the upper value, ours between: the rows say whether they are the same.
            low, high = tree.nodes.children(a)
            straight = np.array_equal(ours[low], np.isin(leaf, ends_of(first)))
            pairs += [(low, first), (high, second)] if straight else [(low, second), (high, first)]
            learned += int(np.isnan(X[ours[a], int(b["split"][1:])]).any())
    assert seen == len(tree)
    assert learned >= 5


def ends_of(node):
    """The leaves below a recorded node."""
    found, waiting = [], [node]
    while waiting:
        at = waiting.pop()
        waiting += at.get("children", [])
        if "children" not in at:
            found.append(at["nodeid"])
    return found
