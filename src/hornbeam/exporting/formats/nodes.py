"""Nodes: a table with one row per node, for data frames and spreadsheets."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Mapping
from typing import Any, ClassVar

from hornbeam.exporting.base import Format
from hornbeam.exporting.features import Feature
from hornbeam.exporting.graph import column_text
from hornbeam.exporting.model import ExportModel, ExportTree
from hornbeam.tree.nodes import ALL_BRANCHES, STAY


@dataclasses.dataclass(frozen=True)
class Nodes(Format):
    """One row per node as a list of dicts (`pandas.DataFrame(hb.export(tree, format="nodes"))`); a file is CSV."""

    name: ClassVar[str] = "nodes"
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)
    cannot: ClassVar[Mapping[Feature, str]] = {
        Feature.RULES_FIRST: "Rules have no nodes: use rules.as_rows().",
        Feature.RULES_VOTE: "Rules have no nodes: use rules.as_rows().",
    }
    is_complete: ClassVar[bool] = False

    def write(self, model: ExportModel) -> list[dict[str, Any]]:
        """The rows."""
        return [row for number, tree in enumerate(model.trees) for row in _rows(number, tree)]

    def to_bytes(self, contents: Any) -> bytes:
        """The rows as CSV."""
        text = io.StringIO()
        writer = csv.DictWriter(text, list(contents[0]) if contents else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(contents)
        return text.getvalue().encode("utf-8")


def _rows(number: int, tree: ExportTree) -> list[dict[str, Any]]:
    source, nodes = tree.source, tree.source.nodes
    condition = {
        child: source.branch_text(node, branch)
        for node in tree.inner
        for branch, child in enumerate(tree[node].children)
    }
    rows = []
    for node in tree:
        index, parent = node.index, int(nodes.parent[node.index])
        question = None if node.route is None else source.question(index)
        row: dict[str, Any] = {
            "tree": number,
            "node": index,
            "parent": parent if parent >= 0 else None,
            "branch": index - int(nodes.first_child[parent]) if parent >= 0 else None,
            "depth": int(nodes.depth[index]),
            "condition": condition.get(index),
            "kind": None if question is None else question.kind,
            "columns": None if question is None else column_text(source.schema, question.columns),
            "missing": None if node.route is None else _missing(node.route.missing),
            "rows": int(nodes.rows[index]),
            "weight": float(nodes.weight[index]),
            "impurity": float(nodes.impurity[index]),
            "gain": None if node.route is None else float(nodes.gain[index]),
            "prediction": None if not source.is_labeled else _prediction(tree, index),
        }
        if source.is_class:
            row |= {
                f"probability_{each}": value for each, value in zip(source.schema.classes, node.values, strict=True)
            }
        rows.append(row)
    return rows


def _prediction(tree: ExportTree, node: int) -> Any:
    source = tree.source
    return source.schema.classes[tree.labels[node]] if source.is_class else float(source.nodes.answer[node])


def _missing(result: int) -> str:
    return {STAY: "stay", ALL_BRANCHES: "all branches"}.get(result, f"branch {result}")
