"""How do the core's arrays of many boosted trees become trees?  Cut at the starts of every tree.

A member says a number, its part of a score: the value of its leaf times the rate. Its weight is the sum of second
derivatives, so that it adds up from the leaves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hornbeam.table.table import Schema
from hornbeam.tree.forest import score_schema
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.questions import QuestionTable

_OF_QUESTION = ("kind", "encoding", "column", "first", "missing_answer")


def trees_of(made: Mapping[str, Any], schema: Schema) -> list[Tree]:
    """The trees of one run of a booster."""
    said = score_schema(schema)
    if "trees" in made:
        return [Tree(said, nodes, questions, {}, {}) for nodes, questions in made["trees"]]
    return [
        Tree(said, Nodes(**_nodes(made, tree)), _questions(made["questions"], made["question_start"], tree), {}, {})
        for tree in range(len(made["node_start"]) - 1)
    ]


def _nodes(made: Mapping[str, Any], tree: int) -> dict[str, Any]:
    begin, end = made["node_start"][tree : tree + 2].tolist()
    return {name: array[begin:end] for name, array in made["nodes"].items()}


def _questions(arrays: Mapping[str, Any], starts: Any, tree: int) -> QuestionTable:
    begin, end = starts[tree : tree + 2].tolist()
    own = {name: arrays[name][begin:end] for name in _OF_QUESTION}
    for pool in ("whole", "reals"):
        start = arrays[f"{pool}_start"][begin : end + 1]
        own[f"{pool}_start"] = start - start[0]
        own[pool] = arrays[pool][int(start[0]) : int(start[-1])]
    return QuestionTable(**own, name=np.full(end - begin, -1, dtype=np.int32))
