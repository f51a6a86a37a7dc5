"""Our contributions against those of shap, on scikit-learn's own trees (tests/data/peers/shap)."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.peers.shared import text_of

import hornbeam as hb
from hornbeam.table.column import ColumnSpec, Kind, numeric
from hornbeam.table.table import Schema
from hornbeam.tree.forest import combine_trees
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.questions import Threshold
from hornbeam.tree.questions.table import QuestionWriter

CASES = json.loads(text_of("shap", "answers.json"))["cases"]


def tree_of(arrays, n_columns, is_class):
    """A tree of ours from scikit-learn's arrays, children next to each other and parents first."""
    order, parent = [0], {0: -1}
    first = {}
    for node in order:
        if arrays["left"][node] >= 0:
            first[node] = len(order)
            for child in (arrays["left"][node], arrays["right"][node]):
                parent[child] = node
                order.append(child)
    place = {node: i for i, node in enumerate(order)}
    writer = QuestionWriter()
    weight = np.array([arrays["weight"][node] for node in order])
    values = np.array([arrays["values"][node] for node in order])
    questions = [writer.add(Threshold(arrays["column"][n], arrays["cut"][n])) if n in first else -1 for n in order]
    stats = values * weight[:, None] if is_class else np.column_stack([weight, values[:, 0], np.zeros(len(order))])
    nodes = Nodes(
        **{
            "parent": np.array([place.get(parent[node], -1) for node in order]),
            "first_child": np.array([first.get(node, -1) for node in order]),
            "n_branches": np.array([2 if node in first else 0 for node in order]),
            "question": np.array(questions),
            "missing_branch": np.zeros(len(order)),
            "stats": stats,
            "weight": weight,
            "rows": weight,
            "answer": values.argmax(axis=1) if is_class else values[:, 0],
        }
    )
    levels = tuple(f"class {k}" for k in range(values.shape[1]))
    target = ColumnSpec("y", Kind.NOMINAL, levels) if is_class else ColumnSpec("y", Kind.NUMERIC)
    return Tree(
        Schema(tuple(ColumnSpec(f"x{j}", Kind.NUMERIC) for j in range(n_columns)), target), nodes, writer.finished()
    )


def columns(rows):
    return tuple(numeric(f"x{j}", values) for j, values in enumerate(np.array(rows).T))


@pytest.mark.parametrize("kind", ["path_dependent", "interventional"])
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_contributions_are_those_of_shap(case, kind):
    trees = [tree_of(each, len(case["rows"][0]), case["is_class"]) for each in case["trees"]]
    model = trees[0] if len(trees) == 1 else combine_trees(trees)
    background = None if kind == "path_dependent" else columns(case["background"])
    found = hb.shap_values(model, columns(case["rows"]), background=background)
    theirs = np.array(case[kind]["values"])
    size = max(1.0, np.abs(theirs).max())
    # shap holds what its trees say in single precision in places: no closer than 1e-6 of the size of the answer.
    np.testing.assert_allclose(found.values / size, theirs / size, atol=2e-6)
    np.testing.assert_allclose(found.base / size, np.array(case[kind]["base"]) / size, atol=2e-6)
