"""The texts that drawings of exported trees share: nodes and branches."""

from __future__ import annotations

from collections.abc import Iterator

from hornbeam.exporting.model import ExportTree
from hornbeam.table.column import ColumnSpec
from hornbeam.table.table import Schema


def node_lines(tree: ExportTree, node: int) -> list[str]:
    """The prediction of a node (with the probability of its class) and its training weight."""
    source = tree.source
    prediction = source.prediction_text(node)
    if source.is_class and prediction:
        prediction = f"{prediction} ({100 * float(tree.values[node, tree.labels[node]]):.0f}%)"
    weight = float(source.nodes.weight[node])
    return [line for line in (prediction, f"n = {weight:g}") if line]


def edges(tree: ExportTree) -> Iterator[tuple[int, int, str]]:
    """Every branch: parent, child, condition."""
    for node in tree.inner:
        for branch, child in enumerate(tree[node].children):
            yield node, child, tree.source.branch_text(node, branch)


def column_text(schema: Schema, columns: tuple[int, ...]) -> str:
    """The names of columns, separated by commas."""
    specs: list[ColumnSpec] = [schema.columns[position] for position in columns]
    return ", ".join(spec.name for spec in specs)
