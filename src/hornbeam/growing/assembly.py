"""The tree from the nodes of the reference implementation: canonical numbers, arrays and metadata."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.growing.numbering import canonical
from hornbeam.growing.sample import PreparedData, tree_metadata
from hornbeam.growing.trace import Trace, format_trace
from hornbeam.parts.missing.base import Surrogate
from hornbeam.parts.node import Candidate
from hornbeam.tree.name_codes import REASONS, extend_names
from hornbeam.tree.nodes import STAY, Nodes, Tree
from hornbeam.tree.questions import Question
from hornbeam.tree.questions.table import QuestionWriter


@dataclasses.dataclass
class NodeRecord:
    """A node during growth; nodes are numbered by creation until the tree is assembled."""

    parent: int
    depth: int
    rows: int
    weight: float
    stats: list[float]
    answer: float
    impurity: float
    reason: str = ""
    question: Question | None = None
    missing_branch: int = STAY
    gain: float = 0.0
    score: float = 0.0
    surrogates: list[Surrogate] = dataclasses.field(default_factory=list)
    competitors: list[tuple[Candidate, float]] = dataclasses.field(default_factory=list)
    children: list[int] = dataclasses.field(default_factory=list)


def _other_questions(nodes: list[NodeRecord], writer: QuestionWriter) -> dict[str, Any]:
    """The arrays of surrogates and competitors."""
    surrogates = [each for node in nodes for each in node.surrogates]
    competitors = [each for node in nodes for each in node.competitors]
    return {
        "surrogate_start": np.cumsum([0, *(len(node.surrogates) for node in nodes)]),
        "surrogate_question": [writer.add(each.question) for each in surrogates],
        "surrogate_flipped": [each.is_flipped for each in surrogates],
        "surrogate_agree": [each.agree for each in surrogates],
        "surrogate_adjusted": [each.adjusted for each in surrogates],
        "competitor_start": np.cumsum([0, *(len(node.competitors) for node in nodes)]),
        "competitor_question": [writer.add(each.question) for each, _ in competitors],
        "competitor_gain": [each.gain for each, _ in competitors],
        "competitor_score": [score for _, score in competitors],
    }


def assemble(start: PreparedData, by_creation: list[NodeRecord], notes: list[str], trace: Trace | None) -> Tree:
    """The nodes in canonical order, as arrays."""
    order = canonical([node.children for node in by_creation])
    number = {created: index for index, created in enumerate(order)}
    nodes = [by_creation[created] for created in order]
    writer = QuestionWriter()
    reasons = extend_names(REASONS, {node.reason for node in nodes})
    arrays: dict[str, Any] = {
        "parent": [number[node.parent] if node.parent >= 0 else -1 for node in nodes],
        "first_child": [number[node.children[0]] if node.children else -1 for node in nodes],
        "n_branches": [len(node.children) for node in nodes],
        "question": [writer.add(node.question) if node.question is not None else -1 for node in nodes],
        "reason": [reasons.index(node.reason) for node in nodes],
    }
    arrays |= _other_questions(nodes, writer)
    for name in ("missing_branch", "depth", "rows", "weight", "stats", "answer", "impurity", "gain", "score"):
        arrays[name] = [getattr(node, name) for node in nodes]
    tree = Tree(
        schema=start.table.schema,
        nodes=Nodes(**{name: np.asarray(values) for name, values in arrays.items()}),
        questions=writer.finished(),
        recipe=start.method.as_table(),
        unseen=start.method.unseen,
        probabilities=start.method.probabilities,
        metadata=tree_metadata(start, notes),
        reasons=reasons,
    )
    if trace is None:
        return tree
    trace.finish(order, tree)
    return dataclasses.replace(tree, metadata={**tree.metadata, "steps": format_trace(trace).split("\n")})
