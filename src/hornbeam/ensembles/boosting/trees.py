"""Converts the core's concatenated arrays of boosted trees to `Tree` values.

Each tree predicts a number that is added to a raw score: the value of its leaf times the learning rate. The weight of
a node is its sum of second derivatives, so that it adds up from the leaves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hornbeam.table.table import Schema
from hornbeam.tree.forest import score_schema
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.questions import QuestionTable

_QUESTION_ARRAYS = ("kind", "encoding", "column", "first", "missing_answer")


def booster_trees(result: Mapping[str, Any], schema: Schema) -> list[Tree]:
    """The trees of one run of a booster."""
    scores = score_schema(schema)
    if "trees" in result:
        return [Tree(scores, nodes, questions, {}, {}) for nodes, questions in result["trees"]]
    return [
        Tree(
            scores,
            Nodes(**_nodes(result, tree)),
            _questions(result["questions"], result["question_start"], tree),
            {},
            {},
        )
        for tree in range(len(result["node_start"]) - 1)
    ]


def _nodes(result: Mapping[str, Any], tree: int) -> dict[str, Any]:
    begin, end = result["node_start"][tree : tree + 2].tolist()
    return {name: array[begin:end] for name, array in result["nodes"].items()}


def _questions(arrays: Mapping[str, Any], starts: Any, tree: int) -> QuestionTable:
    begin, end = starts[tree : tree + 2].tolist()
    own = {name: arrays[name][begin:end] for name in _QUESTION_ARRAYS}
    for pool in ("whole", "reals"):
        start = arrays[f"{pool}_start"][begin : end + 1]
        own[f"{pool}_start"] = start - start[0]
        own[pool] = arrays[pool][int(start[0]) : int(start[-1])]
    return QuestionTable(**own, name=np.full(end - begin, -1, dtype=np.int32))
